"""Environments for PettingZoo, Gymnasium and Stable-Baselines3."""
