"""The rules of the Card Game (CG0-CG14)."""
