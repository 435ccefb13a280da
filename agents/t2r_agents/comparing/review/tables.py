"""The table of a review, a row for each decision, and its summary, as JSON and as Parquet."""

import json
import os
from dataclasses import asdict
from typing import Any

import numpy as np

from t2r_agents.comparing.review.review import Review
from t2r_agents.comparing.review.summary import Summary
from t2r_env.basics.packages import needs
from t2r_env.basics.writing import replacing
from t2r_env.render.page_review import DIGITS, number_of


def rows_of(review: Review) -> list[dict[str, Any]]:
    """Return a JSON-able dictionary for each decision; docs/reviews.md lists the entries."""
    rest, rows = review.rest, []
    for position, seat in enumerate(review.seats.tolist()):
        state = review.states[position]
        row = {
            "position": position,
            "turn": int(state["turn"]),
            "seat": seat,
            "action": int(review.actions[position]),
            "text": _text(review, position, int(review.actions[position])),
            "before": _rounded(review.chances[position]),
            "after": _rounded(review.chances[position + 1]),
            "known": _rounded(review.known[position, seat]),
            "decision": _rounded(review.decision[position]),
            "luck": _rounded(review.luck[position]),
            "luck_error": _rounded(review.luck_error[position]),
            "rest": _rounded(rest[position]),
            "margin": round(float(review.margins[position, seat]), 1),
            "agents": [_choice(review, number, position) for number in range(len(review.choices))],
        }
        rows.append(row)
    return rows


def _choice(review: Review, number: int, position: int) -> dict[str, Any]:
    """Return what an agent thinks of a decision."""
    choices = review.choices[number]
    opinion = choices.opinions[position]
    values = opinion.action_values
    return {
        "agent": choices.agent,
        "action": opinion.action,
        "text": _text(review, position, opinion.action),
        "loss": round(float(review.loss(number)[position]), DIGITS),
        "error": round(float(choices.error[position]), DIGITS),
        "is_mistake": bool(review.mistakes(number)[position]),
        "value": None if opinion.values is None else round(float(opinion.values[review.seats[position]]), DIGITS),
        "value_played": None if values is None else number_of(values[review.actions[position]]),
        "value_chosen": None if values is None else number_of(values[opinion.action]),
        "reason": opinion.reason,
    }


def _rounded(values: Any) -> list[float]:
    return [round(float(it), DIGITS) for it in values]


def _text(review: Review, position: int, action: int) -> str:
    return str(review.configuration.text.describe(review.states[position], action))


def to_json(review: Review, summary: Summary) -> str:
    """Return the review as JSON: game, agents, summary and decisions."""
    entries = {
        "game": review.configuration.identity,
        "agents": [choices.agent for choices in review.choices],
        "rollouts": review.rollouts,
        "summary": {name: _plain(value) for name, value in asdict(summary).items()},
        "decisions": rows_of(review),
    }
    return json.dumps(entries, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist() if value.dtype.kind == "i" else _rounded(value)
    return value


def save_parquet(path: str | os.PathLike[str], review: Review) -> None:
    """Write the decisions as a Parquet file. Raises MissingExtraError without pyarrow, and OSError."""
    with needs("data"):
        import pyarrow as pa
        from pyarrow import parquet
    with replacing(path) as new:
        parquet.write_table(pa.Table.from_pylist(rows_of(review)), new)
