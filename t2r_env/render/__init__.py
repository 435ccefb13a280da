"""Pictures of games, made from snapshots."""
