"""A person who plays on the terminal, or through a pipe: legal actions are picked by number or by part of their text.

Only what the acting seat may know (C20) is shown: everything is made from `Decisions.views`.
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
from t2r_env.render.shared_text import WIDTH
from t2r_env.render.text import render_heading, render_text
from t2r_env.rules.state import SharedState
from t2r_env.rules.text import Description, count_cards

_QUESTIONS = {
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
"""The question for the person in each phase."""

_SORTED = ("claim", "share_ticket", "complete")
"""Actions about cities, listed in alphabetical order."""

_MANY = 8
"""More actions of one name than these are listed in columns."""

PROMPT = "Your choice (? shows the board, q quits): "


class HumanAgent:
    """Lets a person choose, one game after the other.

    `keyboard` and `screen` default to the standard input and output. The board is shown at a seat's first decision of
    a turn, and after `?`. Input that fits no action, or several, can be repeated. `q` and the end of the input raise
    KeyboardInterrupt.
    """

    asks_person = True
    """A tournament plays in one process and shows no progress, so that a person can use the terminal."""

    def __init__(self, *, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._keyboard = keyboard
        self._screen = screen
        self._shown: tuple[int, int] | None = None  # the turn and the seat of the last board shown

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The person's action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        for row in range(len(decisions)):
            if len(decisions) > 1:
                self._shown = None
                self.say(f"\nGame {row + 1} of {len(decisions)}\n")
            actions[row] = self._choose(_Decision(decisions.configuration, decisions.views[row], decisions.masks[row]))
        return actions

    def say(self, text: str) -> None:
        """Write text to the screen at once."""
        screen = self._screen or sys.stdout
        screen.write(text)
        screen.flush()

    def _choose(self, decision: "_Decision") -> int:
        is_shown = self._shown == decision.moment
        self._shown = decision.moment
        self.say("\n" + (decision.brief() if is_shown else decision.board()))
        self.say("\n" + decision.text())
        while True:
            typed = self._read(decision)
            if typed == "?":
                self.say("\n" + decision.board() + "\n" + decision.text())
            elif typed == "q":
                raise KeyboardInterrupt(f"{decision.player} has quit")
            else:
                try:
                    return decision.find_action(typed)
                except ValueError as error:
                    self.say(f"{error}\n")

    def _read(self, decision: "_Decision") -> str:
        self.say(PROMPT)
        keyboard = self._keyboard or sys.stdin
        line = keyboard.readline()
        if not line:
            message = f"the input has ended before {decision.player} chose: {decision.question}"
            self.say(f"\n{message}\n")
            raise KeyboardInterrupt(message)
        if not keyboard.isatty():  # a terminal shows what is typed by itself
            self.say(line.rstrip("\n") + "\n")
        return line.strip()


class _Decision:
    """A decision as its seat sees it, with the legal actions as text."""

    def __init__(self, configuration: Configuration, view: SharedState, mask: NDArray[np.int8]) -> None:
        self._configuration = configuration
        self._snapshot = configuration.snapshot(view)
        self._seat = int(view.current)
        self.moment = int(view.turn), self._seat
        self.player = configuration.agents[self._seat]
        self.question = _QUESTIONS[self._snapshot["phase"]]
        legal = [(int(action), configuration.text.describe(view, int(action))) for action in np.flatnonzero(mask)]
        groups = itertools.groupby(legal, lambda action: str(action[1]["action"]))
        self._groups = [_in_order(name, list(actions)) for name, actions in groups]
        self._actions = [action for group in self._groups for action in group]

    def board(self) -> str:
        """Everything that the seat knows."""
        return render_text(self._snapshot, self._configuration)

    def brief(self) -> str:
        """For a further decision of a turn: the decision, and the cards that the seat can pay with."""
        return render_heading(self._snapshot, self._configuration) + "".join(self._own_cards())

    def _own_cards(self) -> Iterator[str]:
        yield _cards("Your hand", self._snapshot["players"][self._seat]["hand"])
        if "teams" in self._snapshot:
            team = self._snapshot["teams"][self._seat // self._configuration.variant.team_size]
            yield _cards("Your team's rack", team["rack"])

    def text(self) -> str:
        """The question and the numbered actions."""
        lines = [f"{self.player}, {self.question}"]
        numbers = itertools.count(1)
        width = len(str(len(self._actions)))
        for group in self._groups:
            cells = [f"{next(numbers):>{width + 2}}  {description}" for _, description in group]
            lines += _in_columns(cells) if len(cells) > _MANY else cells
        return "\n".join(lines) + "\n"

    def find_action(self, typed: str) -> int:
        """The action for its number in the list, its whole text, or a part of the text that no other text contains.

        If several actions have the same text (as the routes of a double route), it stands for the first of them. Raises
        ValueError if no action fits, or several do.
        """
        last = len(self._actions)
        if typed.isdecimal():
            if not 1 <= int(typed) <= last:
                raise ValueError(f"There is no number {typed}: type a number from 1 to {last}, or part of a text.")
            return self._actions[int(typed) - 1][0]
        wanted = _plain(typed)
        if not wanted:
            raise ValueError(f"Type a number from 1 to {last}, or part of a text.")
        texts = {number: _plain(str(text)) for number, (_, text) in enumerate(self._actions, 1)}
        fitting = {number: text for number, text in texts.items() if wanted in text}
        whole = [number for number, text in fitting.items() if text == wanted]
        if not fitting:
            raise ValueError(f"No text contains {typed!r}: type a number from 1 to {last}, or part of a text.")
        if not whole and len(set(fitting.values())) > 1:
            numbers = [str(number) for number in fitting]
            more = [f"{len(numbers) - _MANY} more"] if len(numbers) > _MANY else []
            raise ValueError(f"Several texts contain {typed!r}: {', '.join(numbers[:_MANY] + more)}.")
        return self._actions[min(whole or fitting) - 1][0]


def _in_order(name: str, actions: list[tuple[int, Description]]) -> list[tuple[int, Description]]:
    """Actions of one name in the order of the list."""
    return sorted(actions, key=lambda action: _plain(str(action[1]))) if name in _SORTED else actions


def _cards(label: str, cards: Mapping[str, int]) -> str:
    return f"{label}: {count_cards(cards) or 'no cards'}\n"


def _in_columns(cells: Sequence[str]) -> list[str]:
    """Cells in as many columns as fit the width, to be read downwards."""
    width = max(map(len, cells))
    columns = max(1, WIDTH // width)
    height = -(-len(cells) // columns)
    rows = [cells[row::height] for row in range(height)]
    return ["".join(f"{cell:<{width}}" for cell in row).rstrip() for row in rows]


def _plain(text: str) -> str:
    """Text as anybody can type it: lower case, without accents, with single spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
