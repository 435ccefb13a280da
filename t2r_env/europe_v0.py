"""The PettingZoo environment of Europe: `europe_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "europe", __name__)
raw_env = aec.env_of(aec.raw_env, "europe", __name__)
