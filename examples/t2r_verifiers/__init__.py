"""A taskset and an environment of verifiers, version 1: games in text with one to five language models at the table."""

from .taskset import T2REnv, T2REnvConfig, T2RTaskset

__all__ = ["T2REnv", "T2REnvConfig", "T2RTaskset"]
