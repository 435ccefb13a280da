"""The PettingZoo environment of Team Asia: `team_asia_v0.env(num_players=4)`."""

from t2r_env.envs.aec import AECEnvironment, env_of

env = raw_env = env_of(AECEnvironment, "team_asia", __name__)
