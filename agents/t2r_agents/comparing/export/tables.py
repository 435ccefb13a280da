"""The tables of an export as Arrow has them: a row for each decision, and a row for each game."""

from typing import Any

import numpy as np
import pyarrow as pa

from t2r_agents.comparing.export.played import Look, Played
from t2r_env import Configuration


def decision_schema(configuration: Configuration, look: Look) -> pa.Schema:
    """Return the columns of decisions; each field's metadata has its meaning."""
    layout = configuration.layout
    columns = [
        _column("game", pa.int64(), "the number of the game"),
        _column("seed", pa.uint64(), "the seed of the deal; null if the game began from a state", nullable=True),
        _column("seat", pa.int8(), "the acting seat"),
        _column("agent", pa.string(), "the agent on this seat; null if it is not known", nullable=True),
        _column("step", pa.int32(), "the number of decisions before in the game, of all seats"),
        _vector("observation", pa.uint8(), layout.observation.size, "what the seat sees"),
        _vector("mask", pa.int8(), layout.actions.size, "1 for each legal action"),
        _column("action", pa.int64(), "the action taken"),
        _column("text", pa.string(), "the action in words"),
        _column(
            "return", pa.float32(), f"the seat's rewards ({look.reward}) from this decision to the end of the game"
        ),
    ]
    if look.view:
        columns.append(_column("view", pa.string(), "all that the seat knows, in words"))
    if look.hidden:
        size = layout.global_state.size
        columns.append(_vector("global_state", pa.uint8(), size, "everything, also what is hidden from the seat"))
    return pa.schema(columns)


def game_schema() -> pa.Schema:
    """Return the columns of games; each field's metadata has its meaning."""
    return pa.schema(
        [
            _column("game", pa.int64(), "the number of the game"),
            _column("deal", pa.int64(), "the number of the deal; null if it is not known", nullable=True),
            _column("seed", pa.uint64(), "the seed of the deal; null if the game began from a state", nullable=True),
            _column("state", pa.binary(), "the first state (`Games.get_state`) if there is no seed", nullable=True),
            _list("agents", pa.string(), "the agent on each seat; null if they are not known", nullable=True),
            _column("outcome", pa.string(), "finished, truncated (turn limit) or forfeited"),
            _list("scores", pa.int32(), "the score of each seat; 0 unless the game is finished"),
            _list("ranks", pa.int8(), "the rank of each seat; 1 is best; 0 in a truncated game"),
            _list("wins", pa.float64(), "1 shared among the winners, for each seat"),
            _column("turns", pa.int32(), "the number of turns, all seats together"),
            _column("decisions", pa.int32(), "the number of its rows in decisions"),
            _list("actions", pa.int64(), "all actions; in a forfeited game the last one is illegal"),
            _column("illegal_action", pa.string(), "what an illegal action would do: raise or terminate"),
        ]
    )


def _column(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable, {"meaning": meaning})


def _list(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False) -> pa.Field:
    return _column(name, pa.list_(pa.field("element", kind, nullable=False)), meaning, nullable=nullable)


def _vector(name: str, kind: pa.DataType, size: int, meaning: str) -> pa.Field:
    return _column(name, pa.list_(pa.field("element", kind, nullable=False), size), meaning)


def decision_table(played: Played, schema: pa.Schema) -> pa.Table:
    """Return the decisions of games as a table with these columns."""
    decisions, games = played.decisions, played.games
    agents = np.array([game.agents or [None] * decisions.returns.shape[1] for game in games], np.object_)
    columns: dict[str, Any] = {
        "game": np.array([game.number for game in games])[decisions.game],
        "seed": pa.array([_seed(it.replay.start) for it in games], pa.uint64()).take(pa.array(decisions.game)),
        "seat": decisions.seat.astype(np.int8),
        "agent": agents[decisions.game, decisions.seat],
        "step": decisions.step.astype(np.int32),
        "observation": decisions.observation,
        "mask": decisions.mask,
        "action": decisions.action,
        "text": decisions.text,
        "return": decisions.returns[np.arange(len(decisions)), decisions.seat].astype(np.float32),
        "view": decisions.view,
        "global_state": decisions.global_state,
    }
    return pa.Table.from_arrays([_array(columns[field.name], field.type) for field in schema], schema=schema)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if isinstance(kind, pa.FixedSizeListType):
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), type=kind)
    return pa.array(values, kind)


def _seed(start: int | bytes) -> int | None:
    return start if isinstance(start, int) else None


def game_table(played: Played) -> pa.Table:
    """Return the games as a table."""
    ending, results = played.ending, played.ending.results
    numbers = np.bincount(played.decisions.game, minlength=len(played.games)).tolist()
    rows = [
        {
            "game": game.number,
            "deal": game.deal,
            "seed": _seed(game.replay.start),
            "state": game.replay.start if isinstance(game.replay.start, bytes) else None,
            "agents": game.agents,
            "outcome": ending.outcome[row],
            "scores": results.scores[row],
            "ranks": ending.ranks[row],
            "wins": ending.wins[row],
            "turns": int(results.turns[row]),
            "decisions": numbers[row],
            "actions": game.replay.actions,
            "illegal_action": game.replay.illegal_action,
        }
        for row, game in enumerate(played.games)
    ]
    return pa.Table.from_pylist(rows, game_schema())
