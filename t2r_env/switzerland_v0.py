"""The PettingZoo environments of Switzerland: `switzerland_v0.env(num_players=3)`."""

from t2r_env.envs import aec, parallel

env = aec.env_of(aec.env, "env", "switzerland", __name__)
raw_env = aec.env_of(aec.raw_env, "raw_env", "switzerland", __name__)
parallel_env = aec.env_of(parallel.parallel_env, "parallel_env", "switzerland", __name__)
