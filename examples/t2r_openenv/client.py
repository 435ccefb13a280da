"""The client."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from .models import GameState, Move, Seen


class T2REnv(EnvClient[Move, Seen, GameState]):
    """A client plays one game after the other. At a table with others give it time: `message_timeout_s=600`."""

    def _step_payload(self, action: Move) -> dict[str, Any]:
        return {"move": action.move}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Seen]:
        seen = Seen(**payload["observation"] | {name: payload[name] for name in ("reward", "done")})
        return StepResult(observation=seen, reward=seen.reward, done=seen.done)

    def _parse_state(self, payload: dict[str, Any]) -> GameState:
        return GameState(**payload)
