"""The things kept of a game: its state as bytes, its actions, and what a seat has seen of them."""
