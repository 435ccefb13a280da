"""What learns: MaskablePPO in self-play, and how strong its policies are (run from the checkout)."""
