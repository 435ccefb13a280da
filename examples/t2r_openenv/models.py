"""The messages of clients and server."""

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class Move(Action):
    """A move in text. It may be a whole answer of a model, which names its move at the end."""

    move: str = Field(description="such as `draw deck`, or `view` for the rules and all that the seat knows")


class Seen(Observation):
    """The observation of a seat. The reward at the end is the rank: 1 for the first, -1 for the last or a forfeit."""

    text: str = Field("", description="at first the rules and all that the seat knows, then what has changed")
    legal_moves: list[str] = Field([], description="the legal moves, if `reset` was asked for them")
    seat: int = Field(0, description="the seat that the client plays")
    fault: str = Field("", description="why the last move was not taken")
    forfeited_by: int | None = Field(None, description="the seat that has lost the game by a forfeit")


class GameState(State):
    """Which game it is, and how far: `step_count` moves of all clients were taken."""

    seat: int = Field(0, description="the seat that the client plays")
    refused: int = Field(0, description="the moves of all clients that were not legal")
