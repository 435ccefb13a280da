"""The PettingZoo environments of the United Kingdom: `united_kingdom_v0.env(num_players=3)`."""

from t2r_env.envs import aec, parallel

env = aec.env_of(aec.env, "env", "united_kingdom", __name__)
raw_env = aec.env_of(aec.raw_env, "raw_env", "united_kingdom", __name__)
parallel_env = aec.env_of(parallel.parallel_env, "parallel_env", "united_kingdom", __name__)
