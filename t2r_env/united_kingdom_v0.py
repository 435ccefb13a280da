"""The PettingZoo environment of the United Kingdom: `united_kingdom_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "united_kingdom", __name__)
raw_env = aec.env_of(aec.raw_env, "united_kingdom", __name__)
