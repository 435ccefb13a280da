"""The PettingZoo environments of Team Asia: `team_asia_v0.env(num_players=4)`."""

from t2r_env.envs import aec, parallel

env = aec.env_of(aec.env, "env", "team_asia", __name__)
raw_env = aec.env_of(aec.raw_env, "raw_env", "team_asia", __name__)
parallel_env = aec.env_of(parallel.parallel_env, "parallel_env", "team_asia", __name__)
