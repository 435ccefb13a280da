"""Drawing one position of a game as SVG."""
