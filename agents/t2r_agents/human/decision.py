"""One decision as its seat sees it: the position and the legal actions as text, and the action for what is typed."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from t2r_agents.human.layout import in_columns, plain
from t2r_env.agents import Decisions
from t2r_env.render.text import render_brief, render_heading, render_text
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

_WHOLE_POSITION = ("turn", "take_share", "neutral_share", "complete")
"""Phases in which more than the hand matters, even if the position was shown in this turn."""
_ABOUT_TICKETS = ("keep_ticket", "share")
"""Phases in which the tickets matter, too."""

_SORTED = ("claim", "share_ticket", "complete")
"""Actions about cities, listed in alphabetical order."""

_MANY = 4
"""More actions than these are listed in columns."""
_MANY_NUMBERS = 8
"""No more numbers than these are named in a reply."""

OFFERED = "offered: "
"""Before tickets that the seat decides on."""

_LISTS_TICKETS = ("complete", "take_share", "neutral_share")
"""Phases whose actions name the tickets, or that need the room for what they are about."""

Action = tuple[int, Description]


class Decision(ABC):
    """A decision with its legal actions. Each ruleset has a class of its own."""

    def __init__(self, decisions: Decisions, width: int) -> None:
        """The only one of these decisions, for lines of this width."""
        self.given = decisions
        self.configuration: Any = decisions.configuration
        self.width = width
        view = decisions.views[0]
        self.snapshot: Mapping[str, Any] = self.configuration.snapshot(view)
        self.seat = int(view.current)
        self.moment = int(view.turn), self.seat
        self.player = self.configuration.agents[self.seat]
        self.question = _QUESTIONS[self.snapshot["phase"]]
        legal = [
            (int(action), self.configuration.text.describe(view, int(action)))
            for action in np.flatnonzero(decisions.masks[0])
        ]
        claims = self._in_order([it for it in legal if it[1]["action"] == "claim"])
        self.builds = _by_name([it for it in legal if it[1]["action"] == "build"])
        others = [it for it in legal if it[1]["action"] not in ("claim", "build")]
        groups = itertools.groupby(others, lambda action: str(action[1]["action"]))
        self.others = [it for name, group in groups for it in (_by_name(list(group)) if name in _SORTED else group)]
        self.claims = claims
        self.actions = self.others + self.claims + self.builds
        """In the order of their numbers, which begin with 1."""

    # What the seat knows

    def position(self, is_first: bool) -> str:
        """What the seat needs to decide; `is_first` if it has not been shown in this turn."""
        is_whole = is_first or self.snapshot["phase"] in _WHOLE_POSITION
        render = render_brief if is_whole else render_heading
        lines = [] if is_whole else [*self._own_cards()]
        if (is_whole and self.snapshot["phase"] not in _LISTS_TICKETS) or self.snapshot["phase"] in _ABOUT_TICKETS:
            lines += self._tickets_in_short()
        return render(self.snapshot, self.configuration, self.width) + "".join(f"{line}\n" for line in lines)

    def board(self) -> str:
        """Everything that the seat knows."""
        return render_text(self.snapshot, self.configuration, self.width)

    @property
    def own(self) -> Mapping[str, Any]:
        """What the seat has."""
        player: Mapping[str, Any] = self.snapshot["players"][self.seat]
        return player

    @cached_property
    def tickets(self) -> list[tuple[str, Sequence[Any]]]:
        """The tickets held, those on the team's rack, and those on offer, each after a word for where it is."""
        held = [("", ticket) for ticket in self.own["tickets"]]
        if "teams" in self.snapshot:
            team = self.snapshot["teams"][self.seat // self.configuration.variant.team_size]
            held += [("rack: ", ticket) for ticket in team["tickets"]]
        return held + [(OFFERED, ticket) for ticket in self.own["offered"]]

    def _own_cards(self) -> Iterator[str]:
        yield _cards("Your hand", self.own["hand"])
        if "teams" in self.snapshot:
            team = self.snapshot["teams"][self.seat // self.configuration.variant.team_size]
            yield _cards("Your team's rack", team["rack"])

    def _tickets_in_short(self) -> list[str]:
        states = [f"  {where}{text}{': ' * bool(state)}{state}" for where, text, state in self.ticket_states()]
        return ["Your tickets:", *in_columns(states, self.width)] if states else ["You have no tickets."]

    @abstractmethod
    def ticket_states(self) -> list[tuple[str, str, str]]:
        """For each of `tickets`: where it is, the ticket with its mark, and what it takes, if anything."""

    @abstractmethod
    def ticket_details(self) -> Iterator[str]:
        """Lines about each of `tickets`."""

    @abstractmethod
    def map(self, place: str) -> str:
        """The routes, or those at places whose names contain a text. Raises ValueError where there is no such."""

    @abstractmethod
    def path(self, places: str) -> str:
        """The shortest way between two places. Raises ValueError for places that are not two cities."""

    # Actions

    def text(self) -> str:
        """The question and the numbered actions."""
        lines = [f"{self.player}, {self.question}"]
        numbers = itertools.count(1)
        for _, group in itertools.groupby(self.others, lambda action: action[1]["action"].startswith("draw")):
            cells = [self._numbered(next(numbers), self.action_text(*action)) for action in group]
            lines += in_columns(cells, self.width) if len(cells) > _MANY else cells
        lines += self._claim_lines()
        lines += self._build_lines()
        return "\n".join(lines) + "\n"

    def _numbered(self, number: int, text: str) -> str:
        return f"{number:>{len(str(len(self.actions))) + 1}}  {text}"

    def action_text(self, action: int, description: Description) -> str:
        """How an action that is no claim is listed."""
        return str(description)

    def claim_groups(self) -> Mapping[str, list[int]]:
        """The claims by heading."""
        return {}

    def _claim_lines(self) -> Iterator[str]:
        """The claims as lines."""
        yield from ()

    def _build_lines(self) -> Iterator[str]:
        """The stations that may be built as lines."""
        yield from ()

    def claim_texts(self, action: int) -> list[str]:
        """How a claim is listed, without its payment."""
        return []

    def _in_order(self, claims: list[Action]) -> list[Action]:
        """The claims in the order in which they are listed."""
        return _by_name(claims)

    def number_of(self, action: int) -> int:
        """The number of an action in the list."""
        return 1 + [number for number, _ in self.actions].index(action)

    def find_action(self, typed: str) -> int:
        """The action for its number in the list, its whole text, or a part of the text that no other text contains.

        If several actions have the same text (as equal face-up cards), it stands for the first of them. Raises
        ValueError if no action fits, or several do.
        """
        last = len(self.actions)
        if typed.isdecimal():
            if not 1 <= int(typed) <= last:
                raise ValueError(f"There is no number {typed}: type a number from 1 to {last}, or part of a text.")
            return self.actions[int(typed) - 1][0]
        wanted = plain(typed)
        if not wanted:
            raise ValueError(f"Type a number from 1 to {last}, or part of a text.")
        texts = {number: self._texts(*action) for number, action in enumerate(self.actions, 1)}
        fitting = {number: own[0] for number, own in texts.items() if any(wanted in text for text in own)}
        whole = [number for number in fitting if wanted in texts[number]]
        if not fitting:
            raise ValueError(f"No text contains {typed!r}: type a number from 1 to {last}, or part of a text.")
        if not whole and len(set(fitting.values())) > 1:
            numbers = [str(number) for number in fitting]
            more = [f"{len(numbers) - _MANY_NUMBERS} more"] if len(numbers) > _MANY_NUMBERS else []
            raise ValueError(f"Several texts contain {typed!r}: {', '.join(numbers[:_MANY_NUMBERS] + more)}.")
        return self.actions[min(whole or fitting) - 1][0]

    def _texts(self, action: int, description: Description) -> list[str]:
        """The texts of an action that can be typed."""
        listed = self.claim_texts(action) if description["action"] == "claim" else []
        return [plain(text) for text in (str(description), *listed)]


def _by_name(actions: list[Action]) -> list[Action]:
    return sorted(actions, key=lambda action: plain(str(action[1])))


def _cards(label: str, cards: Mapping[str, int]) -> str:
    return f"{label}: {count_cards(cards) or 'no cards'}"
