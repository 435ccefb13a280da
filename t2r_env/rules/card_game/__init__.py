"""The rules of the Card Game (CG0-CG14): modules of the same names as those of the map games."""
