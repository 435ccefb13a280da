"""Answers of servers to `llm`. A decision is taken by each, or it is a wrong one of the model, and the log says so."""

import functools
import json
from collections.abc import Sequence
from typing import cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from t2r_agents.playing.llm.agent import Conversation
from t2r_agents.playing.llm.prompt import Message, system_message, view_message
from t2r_agents.playing.llm.server import Answer, Server, read_answer
from t2r_env import Games
from t2r_env.text import LegalAction, legal_actions
from tests.fuzz.damage import any_changed_json
from tests.helpers.model_server import Reply

PIECES = (
    *("draw", " ", "deck", "draw deck", "claim Dallas-Houston", "\n", ".", "x" * 300),
    *("A\u0316\u0301" * 40, "\ud800", "\0", "é"),
    *("{", "}", '{"move": ', '{"action": "', '"', "\\", ": ", "[", "]", "\\boxed{", "\\text{", "<answer>", "</answer>"),
    *("Final Answer: ", "**final answer**:", "<think>", "</think>", "```", '{"a": ' * 2000, "[" * 2000),
)
"""Parts of what models say."""


@functools.cache
def _decision() -> tuple[list[Message], list[LegalAction]]:
    games = Games("new_york", seed=3)
    games.play_random(12)
    view = games.views()[0]
    legal = legal_actions(games.configuration, view, games.masks[0])
    return [system_message(games.configuration), view_message(games.configuration, view, legal)], legal


@functools.cache
def valid() -> list[bytes]:
    """Moves in several forms, thoughts, a refusal and an empty answer."""
    said = ['{"move": "draw deck"}', "<think>Hm.</think>\\boxed{draw deck}", "<answer>draw deck</answer>", "No.", None]
    thinking = Reply("").encoded().replace(b'"content"', b'"reasoning_content": "Hm.", "content"')
    return [*(Reply(it).encoded() for it in said), thinking, Reply(None, refusal="I play no games.").encoded()]


def inputs() -> SearchStrategy[bytes]:
    """An answer that is damaged as bytes, or has other values, or whose text is made of pieces."""
    said = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
    return any_changed_json(valid()) | said.map(lambda text: Reply(text).encoded())


def use(content: bytes) -> bool:
    """Let each of a model's answers to a decision be this one; False if it is none."""
    try:
        answer = read_answer(content, 0.0, ("the key of the tests",))
    except ValueError:
        return False

    class Saying:
        def ask(self, messages: Sequence[Message]) -> Answer:
            json.dumps(messages, ensure_ascii=False).encode()
            return answer

    messages, legal = _decision()
    conversation = Conversation(cast("Server", Saying()), messages, legal)
    found = conversation.hold()
    assert found in [it.action for it in legal] or str(found).startswith("no legal move")
    json.dumps(conversation.as_line(found, ""), ensure_ascii=False).encode()
    return True
