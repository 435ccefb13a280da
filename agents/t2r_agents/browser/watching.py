"""The part of a message that is no view of a seat: taking back, and for watchers pace and opinions."""

from collections.abc import Hashable
from typing import Any

from t2r_agents.browser.decision import dashed
from t2r_agents.browser.table import Table
from t2r_agents.playing.values import find_judge

MOST = 8
"""The most actions of an opinion that are told."""


def additions(table: Table, seat: int | None, *, is_latest: bool) -> dict[str, Any]:
    """Return the entries that the message of a moment has in addition to what the seat sees."""
    entries: dict[str, Any] = {"can_take_back": is_latest and table.can_take_back}
    if not table.people:
        entries["pace"] = {"paused": table.pace.paused, "milliseconds": table.pace.milliseconds}
        entries["opinion"] = opinion_message(table, seat) if is_latest else None
        entries["chances"] = chances_message(table, seat) if is_latest else None
    return entries


def note(table: Table) -> Hashable:
    """Return what changes whenever the last message of a moment must be sent again, though the game stands still."""
    pace = (table.pace.paused, table.pace.milliseconds)
    thought, chances = table.thought, table.chances
    return (table.fault, table.can_take_back, pace, thought and thought.number, chances and chances.number)


def chances_message(table: Table, seat: int | None) -> dict[str, Any] | None:
    """Return each seat's chance to win, and how sure that is: by what a seat knows, or from everything.

    None if the position is not judged yet, or can't be.
    """
    chances, judge = table.chances, find_judge(table.configuration)
    if chances is None or judge is None or chances.number != table.number or table.is_over:
        return None
    shares = [round(float(it), 3) for it in chances.of[seat]]
    measured = judge.measured(shares[0], sees_all=seat is None)
    return {"shares": shares, "measured": measured and list(measured)}


def opinion_message(table: Table, seat: int | None) -> dict[str, Any] | None:
    """Return what the agent to act is about to do, and how it weighs the actions; None if it still thinks.

    It knows the agent's cards: a watcher who looks through the eyes of another seat is not told.
    """
    thought = table.thought
    if thought is None or seat not in (None, thought.seat):
        return None
    opinion, text = thought.opinion, table.configuration.text
    shares = {} if opinion.probabilities is None else dict(enumerate(opinion.probabilities.tolist()))
    weighed = sorted((action for action, share in shares.items() if share > 0), key=lambda it: -shares[it])[:MOST]
    return {
        "seat": thought.seat,
        "action": opinion.action,
        "text": dashed(text.describe(thought.view, opinion.action), table.configuration),
        "meaning": opinion.meaning,
        "reason": opinion.reason,
        "actions": [
            {
                "action": action,
                "text": dashed(text.describe(thought.view, action), table.configuration),
                "share": round(shares[action], 3),
            }
            for action in weighed
        ],
    }
