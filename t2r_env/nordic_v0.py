"""The PettingZoo environment of the Nordic Countries: `nordic_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "nordic", __name__)
raw_env = aec.env_of(aec.raw_env, "nordic", __name__)
