"""The PettingZoo environment of Team Asia: `team_asia_v0.env(num_players=4)`."""

from t2r_env.envs import aec

env = aec.env_of(aec.env, "team_asia", __name__)
raw_env = aec.env_of(aec.raw_env, "team_asia", __name__)
