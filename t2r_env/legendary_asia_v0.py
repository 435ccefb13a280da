"""The PettingZoo environment of Legendary Asia: `legendary_asia_v0.env(num_players=3)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "legendary_asia", __name__)
raw_env = aec.env_of(aec.raw_env, "legendary_asia", __name__)
