"""The messages that a language model is sent."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from t2r_env import Configuration
from t2r_env.rules.names import phases
from t2r_env.text import LegalAction, changes_text, rules_text, view_text

Message: TypeAlias = dict[str, str]
"""A message of a conversation: its `role` (system, user or assistant) and its `content`."""

SHOWN = {
    "decision": """\
Each message shows all that your player may know of the game, and the decision to take. The line of your player begins
with >.""",
    "game": """\
The first message shows all that your player may know of the game, and the decision to take. The line of your player
begins with >. Each later message shows what has changed since your last decision, and the next decision to take.""",
}
"""The sentences that say what the messages show, by the option `conversation`."""
ANSWERING = """\
Play to win. Think as long as you need, then end your answer with your move as JSON, in the words of the actions
above: {"move": "draw deck"}
"""
TO_DO = 'End your answer with one legal move as JSON, such as {"move": "draw deck"}.'


def system_message(configuration: Configuration, conversation: str = "decision") -> Message:
    """Return the message that begins every conversation: always the same, so that a server can keep it."""
    how = f"How to answer\n{SHOWN[conversation]} {ANSWERING}"
    return {"role": "system", "content": f"{rules_text(configuration)}\n{how}"}


def view_message(configuration: Configuration, view: Any, legal: Sequence[LegalAction], before: Any = None) -> Message:
    """Return the message that shows a decision; with a view `before` only what has changed since then.

    Most decisions have few legal actions, which follow the view (their list takes 5 % of its length). At the beginning
    of a turn they may be a hundred claims, and the view shows what they are: the hand, and the unclaimed routes.
    """
    text = view_text(view, configuration) if before is None else changes_text(before, view, configuration)
    if view["phase"] != phases.TURN:
        text += f"\n{listed(legal)}\n"
    return {"role": "user", "content": text}


def listed(legal: Sequence[LegalAction]) -> str:
    """Return all legal actions as text."""
    return f"Legal moves: {'; '.join(it.text for it in legal)}"


def add_fault(messages: Sequence[Message], answer: str, fault: str) -> list[Message]:
    """Return a conversation that goes on with the model's answer and what was wrong with it.

    An empty answer is left out, since servers refuse empty messages; so users and models speak in turns.
    """
    told = f"{fault} {TO_DO}"
    if answer.strip():
        return [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": told}]
    return [*messages[:-1], {"role": "user", "content": f"{messages[-1]['content']}\n{told}"}]
