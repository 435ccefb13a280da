"""The agent that asks a language model for each decision."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.game_log import GameLog
from t2r_agents.playing.llm.prompt import Message, add_fault, system_message, view_message
from t2r_agents.playing.llm.server import Answer, Server
from t2r_env.agents import Decisions, ForfeitError
from t2r_env.text import LegalAction, legal_actions, parse_action
from t2r_env.text.prompts import TRIES, fault_text

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 16
"""The most requests at once."""


class NoMoveError(Exception):
    """The error of a model that has named no legal move. The text says why."""


class LanguageModelAgent:
    """Asks a language model: what the seat knows is sent as text, and the answer names the action.

    Each decision is a conversation of its own, so the agent keeps nothing. With the option `conversation=game` there
    is one for each game, in which only the first message shows the whole view. A model that names no legal action is
    told what is wrong; after the third answer it forfeits: ForfeitError. A server that gives no answer is no forfeit,
    but UnavailableError.
    """

    stateless = True
    asks_server = True
    """Makes a tournament record the games instead of playing them again, and let the agent not act on trial."""

    def __init__(self, name: str) -> None:
        """Take the model and the parameters of its requests, `MODEL` or `MODEL,NAME=VALUE,...` (`Server`)."""
        self._server = Server(name)
        self.stateless = self._server.conversation == "decision"
        self._kept: Kept | None = None
        self.game_log: GameLog | None = None
        """Called once for each decision with its index and what was sent and answered (docs/language_models.md)."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,). Raises ForfeitError and UnavailableError."""
        if len(decisions) > 1:  # of several games, perhaps
            self._kept = None
        keeps = not self.stateless and len(decisions) == 1
        decide = partial(self._decide, self.game_log, keeps)  # requests that outlive an interruption keep their log
        found = in_threads(decide, [*enumerate(decisions.split())], AT_ONCE)
        reasons = {index: str(it) for index, it in enumerate(found) if isinstance(it, NoMoveError)}
        actions = [-1 if isinstance(it, NoMoveError) else it for it in found]
        if reasons:
            raise ForfeitError(actions, reasons)
        return np.array(actions, np.int64)

    def _decide(self, log: GameLog | None, keeps: bool, numbered: tuple[int, Decisions]) -> int | NoMoveError:
        """Return the model's action for a decision, or why there is none; write the log, and keep the conversation."""
        index, decision = numbered
        legal = legal_actions(decision.configuration, decision.views[0], decision.masks[0])
        conversation = Conversation(self._server, self._messages(decision, legal), legal)
        found: int | NoMoveError | None = None
        error = ""
        try:
            found = conversation.hold()
            if keeps:
                # behind a forfeit a new one begins: the last answer may be empty, which servers refuse
                self._kept = None if isinstance(found, NoMoveError) else Kept(decision, conversation.so_far())
            return found
        except BaseException as raised:
            error = str(raised)
            raise
        finally:
            if log:
                log(index, conversation.as_line(found, error))

    def _messages(self, decision: Decisions, legal: Sequence[LegalAction]) -> list[Message]:
        """Return the messages that ask for a decision: those of the game's conversation, if one is kept."""
        configuration, view, kept = decision.configuration, decision.views[0], self._kept
        if kept and kept.is_before(decision):
            return [*kept.messages, view_message(configuration, view, legal, kept.decision.views[0])]
        return [system_message(configuration, self._server.conversation), view_message(configuration, view, legal)]


@dataclass(frozen=True)
class Kept:
    """The conversation of a game, as far as a decision."""

    decision: Decisions
    messages: Sequence[Message]

    def is_before(self, decision: Decisions) -> bool:
        """Whether another decision of the same seat may follow in the game: turn 0 deals the tickets on offer."""
        ours, theirs = self.decision.views[0], decision.views[0]
        return (
            self.decision.configuration == decision.configuration
            and bool(ours["current"] == theirs["current"])
            and bool(ours["turn"] <= theirs["turn"])
            and (bool(theirs["turn"] > 0) or np.array_equal(ours["offered"], theirs["offered"]))
        )


class Conversation:
    """A conversation with a model about one decision."""

    def __init__(self, server: Server, messages: Sequence[Message], legal: Sequence[LegalAction]) -> None:
        self._server, self._messages, self._legal = server, [*messages], legal
        self._answers: list[Answer] = []

    def hold(self) -> int | NoMoveError:
        """Return the action that the model names, or why it names none. Raises UnavailableError."""
        for number in range(1, TRIES + 1):
            answer = self._server.ask(self._messages)
            self._answers.append(answer)
            try:
                return parse_action(_text(answer), self._legal)
            except ValueError as error:
                told = fault_text(str(error), self._legal, number)
            if number < TRIES:
                self._messages = add_fault(self._messages, answer.content, told)
        return NoMoveError(f"no legal move in {TRIES} answers, the last was {_kind(answer)}")

    def so_far(self) -> list[Message]:
        """Return all messages, with the last answer."""
        return [*self._messages, {"role": "assistant", "content": self._answers[-1].content}]

    def as_line(self, found: int | NoMoveError | None, error: str) -> dict[str, Any]:
        """Return what the log says of it, as can be JSON. `error` is why the server gave no answer."""
        texts = {it.action: it.text for it in self._legal}
        return {
            "move": texts[found] if isinstance(found, int) else None,
            "action": found if isinstance(found, int) else None,
            "error": error or (str(found) if isinstance(found, NoMoveError) else None),
            "messages": self._messages,
            "answers": [asdict(answer) for answer in self._answers],
        }


def _text(answer: Answer) -> str:
    """Return what a model has said. Raises ValueError, which says why, if that is nothing."""
    if answer.content.strip():
        return answer.content
    raise ValueError(f"your answer was {_kind(answer)}")


def _kind(answer: Answer) -> str:
    """Return in words what an answer without a legal move was. Reasons of forfeits with the same words are one."""
    if answer.content.strip():
        return "not legal"
    if answer.refusal:
        return "a refusal"
    return "cut off at the limit of tokens" if answer.finish_reason == "length" else "empty"


def in_threads(function: Callable[[Item], Result], items: Sequence[Item], most: int) -> list[Result]:
    """Return the results of a function for some items, in their order, from a number of threads, `most` at most.

    Raises the first error, and begins nothing more after it. The threads do not keep the process from ending, as those
    of a pool would: Ctrl-C does not wait for answers.
    """
    results: dict[int, Result] = {}
    errors: list[BaseException] = []
    waiting = deque(enumerate(items))

    def work() -> None:
        while waiting:
            try:
                number, item = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                results[number] = function(item)
            except BaseException as error:
                errors.append(error)
                waiting.clear()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(most, len(items)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        waiting.clear()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(items))]
