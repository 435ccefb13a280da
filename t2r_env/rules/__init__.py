"""The rules of the games, as small compiled functions over records."""
