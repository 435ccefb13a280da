"""The PettingZoo environment of the base game: `usa_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "usa", __name__)
raw_env = aec.env_of(aec.raw_env, "usa", __name__)
