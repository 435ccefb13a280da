"""What learns: MaskablePPO in self-play, and how good it has become (run from the checkout)."""
