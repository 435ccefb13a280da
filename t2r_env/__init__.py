"""A reinforcement-learning environment for the Ticket to Ride family of games."""

from t2r_env.boxes import VARIANTS, BoxError
from t2r_env.configuration import Configuration, configure
from t2r_env.envs import aec
from t2r_env.envs.aec import env, raw_env
from t2r_env.games import Games, IllegalActionError, Results
from t2r_env.replay import Replay, ReplayError
from t2r_env.version import __version__

__all__ = [
    "VARIANTS",
    "BoxError",
    "Configuration",
    "Games",
    "IllegalActionError",
    "Replay",
    "ReplayError",
    "Results",
    "__version__",
    "configure",
    "env",
    "raw_env",
]

aec.register()
