"""Learning: PPO in self-play (`t2r train`), and how strong its policies are (`t2r evaluate`)."""
