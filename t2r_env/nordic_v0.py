"""The PettingZoo environment of the Nordic Countries: `nordic_v0.env(num_players=3)`."""

from t2r_env.envs.aec import AECEnvironment, env_of

env = raw_env = env_of(AECEnvironment, "nordic", __name__)
