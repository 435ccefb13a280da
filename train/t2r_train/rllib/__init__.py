"""Training with RLlib's PPO: `t2r train --rllib`."""
