"""One module for each question a player may be asked: which answers are legal, and what an answer does."""
