"""A reinforcement-learning environment for the Ticket to Ride family of board games."""

from t2r_env.boxes import VARIANTS, BoxError
from t2r_env.configuration import Configuration, configure
from t2r_env.games import Games, IllegalActionError, Results

__all__ = ["VARIANTS", "BoxError", "Configuration", "Games", "IllegalActionError", "Results", "configure"]
