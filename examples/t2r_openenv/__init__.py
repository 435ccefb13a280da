"""An OpenEnv environment: games in text behind a server, for one client or several; and its client."""

from .client import T2REnv
from .models import GameState, Move, Seen

__all__ = ["GameState", "Move", "Seen", "T2REnv"]
