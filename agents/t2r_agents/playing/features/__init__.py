"""Derived features for learners, computed from a plan (`t2r_env.features`)."""

from t2r_agents.playing.features.plan import PlanFeatures

__all__ = ["PlanFeatures"]
