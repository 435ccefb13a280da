"""The agents, one module or package each, with tournaments, ratings and play against people."""
