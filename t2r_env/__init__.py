"""A reinforcement-learning environment for the Ticket to Ride family of games."""

from t2r_env import (
    card_game_v0,
    europe_v0,
    india_v0,
    legendary_asia_v0,
    new_york_v0,
    nordic_v0,
    pennsylvania_v0,
    switzerland_v0,
    team_asia_v0,
    united_kingdom_v0,
    usa_v0,
)
from t2r_env.basics.packages import __version__
from t2r_env.configuration import Configuration, Options, configure
from t2r_env.envs import aec, parallel, single
from t2r_env.envs.aec import env, raw_env
from t2r_env.envs.asking import ask, present_decisions
from t2r_env.envs.opponents import OpponentPool
from t2r_env.envs.parallel import parallel_env
from t2r_env.envs.trajectories import Trajectory, trajectories
from t2r_env.games import Games, IllegalActionError
from t2r_env.generating import generate_map
from t2r_env.replay import Replay, ReplayError
from t2r_env.results import Results
from t2r_env.variants import VARIANTS, VariantError

__all__ = [
    "VARIANTS",
    "Configuration",
    "Games",
    "IllegalActionError",
    "OpponentPool",
    "Options",
    "Replay",
    "ReplayError",
    "Results",
    "Trajectory",
    "VariantError",
    "__version__",
    "ask",
    "card_game_v0",
    "configure",
    "env",
    "europe_v0",
    "generate_map",
    "india_v0",
    "legendary_asia_v0",
    "new_york_v0",
    "nordic_v0",
    "parallel_env",
    "pennsylvania_v0",
    "present_decisions",
    "raw_env",
    "switzerland_v0",
    "team_asia_v0",
    "trajectories",
    "united_kingdom_v0",
    "usa_v0",
]

aec.register()
parallel.register()
single.register()
