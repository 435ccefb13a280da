"""The PettingZoo environment of India: `india_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "india", __name__)
raw_env = aec.env_of(aec.raw_env, "india", __name__)
