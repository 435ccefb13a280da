"""The words around a decision that a language model is to take: how to answer, what it sees, what was wrong."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from t2r_env.configuration import Configuration
from t2r_env.rules.names import phases
from t2r_env.text.actions import LegalAction
from t2r_env.text.changes import changes_text
from t2r_env.text.view import view_text

TRIES = 3
"""The answers that a model may give to a decision, unless its user says otherwise."""

Listed: TypeAlias = Literal["few", "all", "none"]
"""The decisions at which the legal moves are listed: all but the first of a turn, all, or none."""

_EACH = """\
Each message shows all that your player may know of the game, and the decision to take. The line of your player begins
with >."""
_FIRST = """\
The first message shows all that your player may know of the game, and the decision to take. The line of your player
begins with >. Each later message shows what has changed since your last decision, and the next decision to take."""
_ANSWERING = """\
Play to win. Think as long as you need, then end your answer with your move as JSON, in the words of the actions
above: {"move": "draw deck"}
"""
_TO_DO = 'End your answer with one legal move as JSON, such as {"move": "draw deck"}.'


def answering_text(*, changes: bool) -> str:
    """Return what follows the rules: what the messages show, the whole view or what has changed, and how to answer."""
    return f"How to answer\n{_FIRST if changes else _EACH} {_ANSWERING}"


def decision_text(
    configuration: Configuration, view: Any, legal: Sequence[LegalAction], before: Any = None, listed: Listed = "few"
) -> str:
    """Return what shows a decision; with a view `before` only what has changed since then.

    Most decisions have few legal actions, which follow the view (their list takes 5 % of its length). At the beginning
    of a turn they may be a hundred claims, and the view shows what they are: the hand, and the unclaimed routes.
    """
    text = view_text(view, configuration) if before is None else changes_text(before, view, configuration)
    is_listed = listed == "all" or (listed == "few" and view["phase"] != phases.TURN)
    return f"{text}\n{legal_text(legal)}\n" if is_listed else text


def legal_text(legal: Sequence[LegalAction]) -> str:
    """Return all legal actions as text."""
    return f"Legal moves: {'; '.join(it.text for it in legal)}"


def fault_text(fault: str, legal: Sequence[LegalAction], number: int) -> str:
    """Return what a model is told of an answer that names no legal move: from the second on with all legal moves.

    `number` is that of the answer, from 1.
    """
    return f"{fault}. {legal_text(legal)}. {_TO_DO}" if number > 1 else f"{fault}. {_TO_DO}"
