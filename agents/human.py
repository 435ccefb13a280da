"""A person who is asked on the terminal, or a pipe: legal answers in words, picked by number or by part of the words.

What is shown is what the asked seat may know (C20), and nothing else: all of it is made from `Questions.views`.
"""

import itertools
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Decisions
from t2r_env.configuration import Configuration
from t2r_env.core.records import Record
from t2r_env.render.shared_text import WIDTH
from t2r_env.render.text import render_heading, render_text
from t2r_env.rules.text import Description, count_cards

_SENTENCES = {
    "turn": "what do you do?",
    "second_card": "which second card do you take?",
    "keep_ticket": "do you keep this ticket?",
    "pay": "how do you pay?",
    "place": "where does the card go?",
    "from_rack": "which cards of the payment come from the rack?",
    "tunnel": "do you pay more, or withdraw?",
    "share": "which ticket goes to the team's rack?",
    "second_claim": "which second route do you claim, if any?",
    "take_share": "which company's share do you take?",
    "neutral_share": "which share does the neutral player get?",
    "set_cards": "how many coloured cards are in the set?",
    "set_locomotives": "how many locomotives are in the set?",
    "complete": "which ticket do you complete, if any?",
}
"""The decisions, by phase."""

_BY_NAME = ("claim", "share_ticket", "complete")
"""Answers about places, which are looked up by their names."""

_MANY = 8
"""More answers of one kind than these stand in columns."""

PROMPT = "Your answer (? shows the board, q quits): "


class HumanAgent:
    """Asks a person, one game after the other.

    `keyboard` and `screen` default to the standard input and output. The board is shown when a seat is asked first in a
    turn, and whenever the answer is `?`; a wrong answer is asked for again. `q`, and the end of the input, are an
    interruption: KeyboardInterrupt.
    """

    asks_person = True
    """A tournament asks the person itself, in no other process, and shows no progress meanwhile."""

    def __init__(self, *, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._keyboard = keyboard
        self._screen = screen
        self._shown: tuple[int, int] | None = None  # the turn and the seat for which the board was shown last

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The answers of the person, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        for row in range(len(decisions)):
            if len(decisions) > 1:
                self._shown = None
                self.say(f"\nGame {row + 1} of {len(decisions)}\n")
            actions[row] = self._ask(_Question(decisions.configuration, decisions.views[row], decisions.masks[row]))
        return actions

    def say(self, text: str) -> None:
        """Show text at once."""
        screen = self._screen or sys.stdout
        screen.write(text)
        screen.flush()

    def _ask(self, decision: "_Question") -> int:
        is_shown = self._shown == decision.moment
        self._shown = decision.moment
        self.say("\n" + (decision.brief() if is_shown else decision.board()))
        self.say("\n" + decision.text())
        while True:
            action = self._read(decision)
            if action == "?":
                self.say("\n" + decision.board() + "\n" + decision.text())
            elif action == "q":
                raise KeyboardInterrupt(f"{decision.asked} has quit")
            else:
                try:
                    return decision.understand(action)
                except ValueError as error:
                    self.say(f"{error}\n")

    def _read(self, decision: "_Question") -> str:
        self.say(PROMPT)
        keyboard = self._keyboard or sys.stdin
        line = keyboard.readline()
        if not line:
            message = f"the input has ended, and {decision.asked} has not answered: {decision.sentence}"
            self.say(f"\n{message}\n")
            raise KeyboardInterrupt(message)
        if not keyboard.isatty():  # a terminal shows by itself what is typed
            self.say(line.rstrip("\n") + "\n")
        return line.strip()


class _Question:
    """A decision as its seat sees it, with the legal answers in words."""

    def __init__(self, configuration: Configuration, view: Record, mask: NDArray[np.int8]) -> None:
        self._configuration = configuration
        self._snapshot = configuration.snapshot(view)
        self._seat = int(view.current)
        self.moment = int(view.turn), self._seat
        self.asked = configuration.agents[self._seat]
        self.sentence = _SENTENCES[self._snapshot["phase"]]
        legal = [(int(action), configuration.text.describe(view, int(action))) for action in np.flatnonzero(mask)]
        groups = itertools.groupby(legal, lambda choice: str(choice[1]["action"]))
        self._groups = [_in_order(name, list(choices)) for name, choices in groups]
        self._actions = [choice for group in self._groups for choice in group]

    def board(self) -> str:
        """All that the seat knows."""
        return render_text(self._snapshot, self._configuration)

    def brief(self) -> str:
        """For a further decision of a turn: what is asked, and the cards at hand."""
        return render_heading(self._snapshot, self._configuration) + "".join(self._cards_at_hand())

    def _cards_at_hand(self) -> Iterator[str]:
        yield _cards("Your hand", self._snapshot["players"][self._seat]["hand"])
        if "teams" in self._snapshot:
            team = self._snapshot["teams"][self._seat // self._configuration.variant.team_size]
            yield _cards("Your team's rack", team["rack"])

    def text(self) -> str:
        """The decision and the numbered answers."""
        lines = [f"{self.asked}, {self.sentence}"]
        numbers = itertools.count(1)
        width = len(str(len(self._actions)))
        for group in self._groups:
            cells = [f"{next(numbers):>{width + 2}}  {words}" for _, words in group]
            lines += _in_columns(cells) if len(cells) > _MANY else cells
        return "\n".join(lines) + "\n"

    def understand(self, action: str) -> int:
        """The action that is meant by its number, by all of its words, or by a part that fits no other words.

        Where several actions have the same words (as the routes of a double route), the words mean the first of them.
        Raises ValueError if none is meant, or several are.
        """
        last = len(self._actions)
        if action.isdecimal():
            if not 1 <= int(action) <= last:
                raise ValueError(f"There is no answer {action}: the numbers go from 1 to {last}.")
            return self._actions[int(action) - 1][0]
        wanted = _plain(action)
        if not wanted:
            raise ValueError(f"Type a number from 1 to {last}, or part of the words of one answer.")
        texts = {number: _plain(str(words)) for number, (_, words) in enumerate(self._actions, 1)}
        fitting = {number: text for number, text in texts.items() if wanted in text}
        whole = [number for number, text in fitting.items() if text == wanted]
        if not fitting:
            raise ValueError(f"No answer has the words {action!r}: type others, or a number from 1 to {last}.")
        if not whole and len(set(fitting.values())) > 1:
            numbers = [str(number) for number in fitting]
            more = [f"{len(numbers) - _MANY} more"] if len(numbers) > _MANY else []
            raise ValueError(f"{action!r} fits more than one answer: {', '.join(numbers[:_MANY] + more)}.")
        return self._actions[min(whole or fitting) - 1][0]


def _in_order(name: str, actions: list[tuple[int, Description]]) -> list[tuple[int, Description]]:
    """Answers of one kind in the order in which they are looked for."""
    return sorted(actions, key=lambda action: _plain(str(action[1]))) if name in _BY_NAME else actions


def _cards(label: str, cards: Mapping[str, int]) -> str:
    return f"{label}: {count_cards(cards) or 'no cards'}\n"


def _in_columns(cells: Sequence[str]) -> list[str]:
    """Cells in as many columns as the page has room for, to be read downwards."""
    width = max(map(len, cells))
    columns = max(1, WIDTH // width)
    height = -(-len(cells) // columns)
    rows = [cells[row::height] for row in range(height)]
    return ["".join(f"{cell:<{width}}" for cell in row).rstrip() for row in rows]


def _plain(words: str) -> str:
    """Text as anybody can type them: small letters without accents, single blanks."""
    letters = unicodedata.normalize("NFKD", " ".join(words.casefold().split()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
