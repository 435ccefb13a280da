"""The PettingZoo environment of Team Asia: `team_asia_v0.env(num_players=4)`."""

from functools import partial

from t2r_env.envs import aec

env = raw_env = partial(aec.env, "team_asia")
