"""The PettingZoo environment of the United Kingdom: `united_kingdom_v0.env(num_players=3)`."""

from t2r_env.envs.aec import AECEnvironment, env_of

env = raw_env = env_of(AECEnvironment, "united_kingdom", __name__)
