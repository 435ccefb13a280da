"""The PettingZoo environment of New York: `new_york_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "new_york", __name__)
raw_env = aec.env_of(aec.raw_env, "new_york", __name__)
