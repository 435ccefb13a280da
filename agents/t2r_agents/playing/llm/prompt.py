"""The messages that a language model is sent."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from t2r_env import Configuration
from t2r_env.text import LegalAction, rules_text
from t2r_env.text.prompts import answering_text, decision_text

Message: TypeAlias = dict[str, str]
"""A message of a conversation: its `role` (system, user or assistant) and its `content`."""


def system_message(configuration: Configuration, conversation: str = "decision") -> Message:
    """Return the message that begins every conversation: always the same, so that a server can keep it."""
    how = answering_text(changes=conversation == "game")
    return {"role": "system", "content": f"{rules_text(configuration)}\n{how}"}


def view_message(configuration: Configuration, view: Any, legal: Sequence[LegalAction], before: Any = None) -> Message:
    """Return the message that shows a decision; with a view `before` only what has changed since then."""
    return {"role": "user", "content": decision_text(configuration, view, legal, before)}


def add_fault(messages: Sequence[Message], answer: str, told: str) -> list[Message]:
    """Return a conversation that goes on with the model's answer and what it is told of it.

    An empty answer is left out, since servers refuse empty messages; so users and models speak in turns.
    """
    if answer.strip():
        return [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": told}]
    return [*messages[:-1], {"role": "user", "content": f"{messages[-1]['content']}\n{told}"}]
