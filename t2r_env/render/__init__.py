"""Rendering games from their snapshots."""
