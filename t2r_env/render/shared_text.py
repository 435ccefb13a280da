"""The text renderer's parts that all games share."""

import itertools
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.headline import waiting_line
from t2r_env.render.signs import SIGNS
from t2r_env.render.words import Words
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.rules.text import Text
from t2r_env.variants import COLOURS, LOCOMOTIVE
from t2r_env.variants.variant import Variant

WIDTH = 120
"""The longest line, in characters, if no other width is given."""
_UNBREAKABLE_SPACE = "\0"
"""Stands for a space at which no line is broken."""

Ticket = Sequence[Any]
"""A known ticket, as in a snapshot."""


class TextRenderer(ABC):
    """Renders one snapshot as lines of text. Each ruleset has a class of its own."""

    variant: Variant
    configuration: Configuration
    text: Text
    columns: tuple[str, ...]
    """Further columns of the table of cards: keys of a player in the snapshot."""
    separator = ", "
    """Between the items of a list."""

    def __init__(self, snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> None:
        self.snapshot = snapshot
        self.width = width
        self.variant = configuration.variant
        self.configuration = configuration
        self.text = configuration.text
        self.players = list(enumerate(snapshot["players"]))

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self._filled(self._title())
        yield from self.heading()
        yield ""
        yield from self._cards()
        for seat, player in self.players:
            yield ""
            yield f"player_{seat}"
            yield from self._possessions(seat, player)
            if player["offered"]:
                yield from self._tickets("on offer", player["offered"])
        if self.snapshot["final"]:
            yield ""
            yield from self._result(self.snapshot["final"])

    @abstractmethod
    def further_lines(self) -> list[str]:
        """Return lines for readers without a picture of the game: what is unclaimed, what tickets lack."""

    # The heading

    def _title(self) -> str:
        snapshot = self.snapshot
        options = ", ".join(f"{name} {value}" for name, value in snapshot["options"].items())
        return f"{self.variant.name} ({snapshot['variant']}), {snapshot['num_players']} players, {options}"

    def heading(self) -> Iterator[str]:
        """Yield who is to act on what, the actions of the move so far, and the turns left."""
        snapshot = self.snapshot
        if snapshot["current_player"] is None:
            yield f"Turn {snapshot['turn']}. The game is over: {snapshot['outcome']}"
            return
        yield from self._filled(f"Turn {snapshot['turn']}. {self._decision()}")
        if snapshot["pending"]:
            words = Words(self.configuration)
            actions = [words.chosen(action) for action in snapshot["pending"]]
            runs = [(action, len(list(run))) for action, run in itertools.groupby(actions)]
            yield from self._wrapped("So far: ", [it if times == 1 else f"{it} ({times} times)" for it, times in runs])
        if snapshot["last_turns_left"]:
            yield f"Turns left, this one included: {snapshot['last_turns_left']}"

    def _filled(self, line: str) -> list[str]:
        return filled(line, self.width)

    def _decision(self) -> str:
        """Return whose turn it is, and what is asked; the ticket to be decided on is named."""
        seat = self.snapshot["current_player"]
        offered = self.snapshot["players"][seat]["offered"]
        if self.snapshot["phase"] == "keep_ticket" and offered and offered[0]:
            return f"player_{seat}: keep {self.text.ticket_text(*offered[0])}?"
        return waiting_line(self.snapshot, Words(self.configuration))

    # Cards

    def _cards(self) -> Iterator[str]:
        yield f"Face-up cards: {', '.join(card or '-' for card in self.snapshot['face_up'])}"
        yield f"Ticket deck: {len(self.snapshot['ticket_deck'])} tickets"
        yield from self._supplies()
        yield ""
        yield from self._table_of_cards()

    def _table_of_cards(self) -> Iterator[str]:
        """Yield the cards of each hand and pile; colours are headed by their names, on narrow lines by their signs."""
        piles, columns = self._piles(), self.columns
        all_cards = [player["hand"] for _, player in self.players] + list(piles.values())
        kinds = [card for card in (*COLOURS, LOCOMOTIVE, UNKNOWN) if any(card in cards for cards in all_cards)]
        table: list[list[Any]] = [["", *columns, "cards", *kinds]]
        for seat, player in self.players:
            mark = "> " if seat == self.snapshot["current_player"] else "  "
            numbers = [player[column] for column in columns]
            table.append([f"{mark}player_{seat}", *numbers, *_counts(player["hand"], kinds)])
        blank = [""] * len(columns)
        for pile, cards in piles.items():
            table.append([f"  {pile}", *blank, *_counts(cards, kinds)])
        lines = list(table_lines(table))
        if max(map(len, lines)) > self.width:
            table[0] = ["", *columns, "cards", *(SIGNS[kind] for kind in kinds)]
            lines = list(table_lines(table))
        yield from lines

    def _supplies(self) -> Iterator[str]:
        """Other supplies that all players see."""
        yield from ()

    def _piles(self) -> dict[str, Mapping[str, int]]:
        """Return cards that are in no hand, by the pile's name."""
        return {pile: self.snapshot[pile] for pile in ("deck", "discard")}

    # Players

    @abstractmethod
    def _possessions(self, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
        """Yield what a player has in addition to cards in the hand."""

    @abstractmethod
    def is_marked(self, seat: int, ticket: Ticket) -> bool:
        """Whether a ticket that a seat holds can count as completed now."""

    def points_of(self, seat: int, ticket: Ticket) -> int:
        """Return the points that a completed ticket adds."""
        return int(ticket[2])

    def _marked_tickets(self, label: str, seat: int, tickets: Sequence[Ticket | None]) -> list[str]:
        """Return tickets in hand, each with the mark of `is_marked` or without."""
        return self._tickets(label, tickets, lambda ticket: "✓ " if self.is_marked(seat, ticket) else "· ")

    def _tickets(
        self, label: str, tickets: Sequence[Ticket | None], mark: Callable[[Ticket], str] = lambda ticket: ""
    ) -> list[str]:
        """Return tickets, and the number of those that are unknown."""
        texts = [mark(ticket) + self.text.ticket_text(*ticket) for ticket in tickets if ticket]
        if unknown := len(tickets) - len(texts):
            texts.append(f"{unknown} {UNKNOWN}")
        return self._wrapped(f"  {label} ({len(tickets)}): ", texts)

    # The result

    def _result(self, final: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        seats, entries = by_rank(final)
        columns = [["Result", *(f"  player_{seat}" for seat in seats)]]
        columns += ([name, *map(str, values)] for name, values in entries.items())
        lines = list(table_lines(list(zip(*columns, strict=True))))
        if max(map(len, lines)) > self.width:
            lines = list(table_lines([[cell.strip() for cell in column] for column in columns]))
        yield from lines

    def _wrapped(self, label: str, items: Iterable[str]) -> list[str]:
        return wrapped(label, items, self.width, self.separator)


def filled(line: str, width: int) -> list[str]:
    """Return a line, broken where it is longer than `width` characters."""
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False)


def wrapped(label: str, items: Iterable[str], width: int, separator: str = ", ") -> list[str]:
    """Return a label and a list on lines that are not too long, broken only between items."""
    unbroken = separator.join(item.replace(" ", _UNBREAKABLE_SPACE) for item in items) or "none"
    return [line.replace(_UNBREAKABLE_SPACE, " ") for line in filled(label + unbroken, width)]


def by_rank(final: Sequence[Mapping[str, Any]]) -> tuple[list[int], dict[str, list[int]]]:
    """Return the seats by rank, and in this order their ranks, scores, points of each part, and numbers of tickets."""
    seats = sorted(range(len(final)), key=lambda seat: final[seat]["rank"])
    ranked = [final[seat] for seat in seats]
    entries = {name: [it[name] for it in ranked] for name in ("rank", "score")}
    entries |= {_as_text(part): [it["breakdown"][part] for it in ranked] for part in final[0]["breakdown"]}
    return seats, entries | {name: [len(it[name]) for it in ranked] for name in ("completed", "failed")}


def _as_text(name: str) -> str:
    return name.replace("_", " ")


def _counts(cards: Mapping[str, int], kinds: Sequence[str]) -> list[Any]:
    """Return the number of cards, in all and of each kind; a dot for none."""
    return [sum(cards.values()), *(cards.get(kind) or "·" for kind in kinds)]


def table_lines(rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield rows as lines, with the first column aligned left and the others right."""
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [f"{cell!s:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([f"{first:<{widths[0]}}", *cells])
