"""The PettingZoo environments of Legendary Asia: `legendary_asia_v0.env(num_players=3)`."""

from t2r_env.envs import aec, parallel

env = aec.env_of(aec.env, "env", "legendary_asia", __name__)
raw_env = aec.env_of(aec.raw_env, "raw_env", "legendary_asia", __name__)
parallel_env = aec.env_of(parallel.parallel_env, "parallel_env", "legendary_asia", __name__)
