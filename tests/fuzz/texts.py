"""Texts from elsewhere: names of agents and people, and answers of language models' servers."""

import functools
import io
import json
from collections.abc import Sequence
from typing import cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from rich.console import Console

from t2r_agents.comparing.tournament.columns import text_table
from t2r_agents.playing.llm.agent import Conversation
from t2r_agents.playing.llm.prompt import Message, system_message, view_message
from t2r_agents.playing.llm.server import Answer, Server, read_answer
from t2r_env import Games
from t2r_env.basics.plain import code, plain
from t2r_env.text import LegalAction, legal_actions
from tests.fuzz.damage import any_changed_json, any_damaged
from tests.helpers.model_server import Reply

# Names, as UTF-8: wherever one is shown it is one line that does nothing, and in no other place than its own

PIECES_OF_NAMES = (
    *("\x1b[2J", "\x1b]0;x\x07", "\r", "\n", "\u2028", "\x9b1;1H", "\u202e", "\u200b", "\u3164", "\xa0"),
    *("[bold red]", "[/]", "[link=x]", "\\", "|", "`", "<b>", "&amp;", "$", "  ", "\udcff"),
    *("pl\u0430nner", "\uff50", "e\u0301"),
)
"""Parts of names that do harm somewhere."""


def names() -> list[bytes]:
    return [name.encode() for name in ("planner", "ismcts:0.2s,a b.safetensors", "Zürich", "Иван", "模型", "🚂 Tom")]


def changed_names(valid: list[bytes]) -> SearchStrategy[bytes]:
    """A damaged name, or one of any characters and of parts that do harm."""
    pieces = st.lists(st.one_of(st.sampled_from(PIECES_OF_NAMES), st.text(max_size=3)), max_size=6).map("".join)
    return any_damaged(valid) | pieces.map(lambda name: name.encode(errors="surrogatepass"))


def check_line(text: object) -> None:
    """Check that a text is one line that controls nothing."""
    assert str(text).isprintable()


def use_name(content: bytes) -> bool:
    """Show the name in a line, a table and Markdown; whether it is shown as it is."""
    name = content.decode(errors="surrogateescape")
    line = plain(name)
    check_line(line)
    assert "|" not in code(name)
    assert code(name).count("`") == 2
    shown = io.StringIO()
    table = text_table("title", ["agent", name], [[name, "1"], ["other", "2"]])
    Console(file=shown, width=4000, force_terminal=False).print(table)
    rows = shown.getvalue().splitlines()
    assert len(rows) == 7
    assert rows[4].startswith(f"│ {line}")
    return line == name


# Answers of servers to `llm`: a decision is taken by each, or it is a wrong one of the model, and the log says so

PIECES_OF_ANSWERS = (
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
def answers() -> list[bytes]:
    """Moves in several forms, thoughts, a refusal and an empty answer."""
    said = ['{"move": "draw deck"}', "<think>Hm.</think>\\boxed{draw deck}", "<answer>draw deck</answer>", "No.", None]
    thinking = Reply("").encoded().replace(b'"content"', b'"reasoning_content": "Hm.", "content"')
    return [*(Reply(it).encoded() for it in said), thinking, Reply(None, refusal="I play no games.").encoded()]


def changed_answers(valid: list[bytes]) -> SearchStrategy[bytes]:
    """An answer that is damaged as bytes, or has other values, or whose text is made of pieces."""
    said = st.lists(st.sampled_from(PIECES_OF_ANSWERS), max_size=12).map("".join)
    return any_changed_json(valid) | said.map(lambda text: Reply(text).encoded())


def use_answer(content: bytes) -> bool:
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
