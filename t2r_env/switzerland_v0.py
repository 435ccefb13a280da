"""The PettingZoo environment of Switzerland: `switzerland_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "switzerland", __name__)
raw_env = aec.env_of(aec.raw_env, "switzerland", __name__)
