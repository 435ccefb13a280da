"""The PettingZoo environment of Switzerland: `switzerland_v0.env(num_players=3)`."""

from t2r_env.envs.aec import AECEnvironment, env_of

env = raw_env = env_of(AECEnvironment, "switzerland", __name__)
