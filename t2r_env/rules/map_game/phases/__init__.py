"""One module for each decision a player may be asked: which answers are legal, and what an answer does."""
