"""The parts of a drawing that all games share: the frame, the heading, cards, players and the result."""

import functools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from t2r_env.configuration import Configuration
from t2r_env.render.drawing.palette import BACKGROUND, DONE, NEW, OPEN, PAINTS, SEATS, Paint
from t2r_env.render.drawing.shapes import (
    QUIET,
    REMEMBERED,
    TEXT_COLOUR,
    Box,
    at,
    column,
    dark_style,
    document,
    element,
    flow,
    framed,
    label,
    panel,
    rectangle,
    row,
    table,
    titled,
    width_of,
    words,
    write,
)
from t2r_env.render.shared_text import TextRenderer, Ticket, by_rank
from t2r_env.render.signs import SIGNS
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.rules.text import Text, destinations

WIDE, NARROW = 1200, 600
"""The widths that pictures are laid out for, in the units of the drawing."""
WIDE_HEIGHT = 800
LONGEST_LINE = 160
"""In letters, of the actions of a move."""

GAP = 12
_BETWEEN = 6.0
"""Between panels."""
_HEADING_SCALE = 0.83
"""With this size the heading has room for three lines, so that it keeps it from frame to frame."""
_NO_LIMIT = 10_000
_PLAYER = re.compile(r"\bplayer_([0-9])\b")

SIZE = 13.0
SMALL = 11.5


class Drawing(ABC):
    """Draws one snapshot. Each ruleset has a class of its own."""

    text_renderer: ClassVar[type[TextRenderer]]

    def __init__(
        self,
        snapshot: Mapping[str, Any],
        configuration: Configuration,
        before: Mapping[str, Any] | None,
        last: str,
        names: Sequence[str] = (),
    ) -> None:
        self.snapshot = snapshot
        self.configuration = configuration
        self.before = before
        self.last = last
        self.names = names or [f"player_{seat}" for seat in range(configuration.num_players)]
        self.renderer = self.text_renderer(snapshot, configuration, _NO_LIMIT)
        self.text: Text = configuration.text
        self.current = snapshot["current_player"]
        self.focus = self._focus()
        held = self.own_tickets(self.focus) + self.shared_tickets(self.focus) if self.focus is not None else []
        self.numbers = [(index, ticket) for index, ticket in enumerate(held, 1) if ticket]
        """The tickets of the seat in focus, numbered: so they are marked on the map and in its list."""

    def svg(self, width: int) -> str:
        """Return the whole picture, this wide."""
        is_wide = width >= (WIDE + NARROW) // 2
        unit_width = WIDE if is_wide else NARROW
        height, content = self.wide() if is_wide else self.narrow()
        title = titled(" - ".join([self.configuration.variant.name, *map(self.named, self.renderer.heading())]))
        back = rectangle(0, 0, unit_width, height, BACKGROUND, **{"class": "frame"})
        return document(width, width * height / unit_width, unit_width, height, dark_style() + title + back + content)

    def name(self, seat: int) -> str:
        """Return the name of a seat's player."""
        return self.names[seat]

    def named(self, text: str) -> str:
        """Return a text with the names of players."""
        return _PLAYER.sub(lambda found: self.name(int(found[1])), text)

    @abstractmethod
    def wide(self) -> tuple[float, str]:
        """Return the height and the content of a wide picture."""

    @abstractmethod
    def narrow(self) -> tuple[float, str]:
        """Return the height and the content of a narrow one."""

    # Fitting

    def headed(self, width: float, height: float) -> str:
        """Return the heading at the upper left, as large in each frame of a game that its lines can be few or many."""
        return self.fitted(self.heading, GAP, GAP, width, height, _HEADING_SCALE)

    @staticmethod
    def fitted(
        make: Callable[[float], Box], x: float, y: float, width: float, height: float, largest: float = 2.4
    ) -> str:
        """Return a box, made for a width, scaled to fit into a rectangle."""
        scale = largest
        while True:
            box = make(width / scale)
            if (box.height * scale <= height and box.width * scale <= width + 1) or scale < 0.3:
                return at(x, y, box.svg, scale)
            scale *= 0.94

    def stacked(
        self,
        fixed: Sequence[Callable[[float], Box]],
        x: float,
        y: float,
        width: float,
        height: float,
        largest: float = 1.7,
        columns: int = 1,
    ) -> str:
        """Return boxes and below them the players, in rows of `columns`, scaled and stretched to fill a rectangle."""
        seats = range(len(self.snapshot["players"]))
        scale = largest
        while True:
            whole = width / scale
            each = (whole - (columns - 1) * _BETWEEN) / columns
            above = [box for box in (make(whole) for make in fixed) if box.height]
            panels = [self.player(seat, each) for seat in seats]
            rows = [max(box.height for box in panels[start : start + columns]) for start in seats[::columns]]
            total = math.fsum([*rows, *(box.height for box in above)]) + _BETWEEN * (len(rows) + len(above) - 1)
            broadest = max([box.width for box in above] + [box.width + whole - each for box in panels])
            if (total * scale <= height and broadest <= whole + 1) or scale < 0.3:
                break
            scale *= 0.94
        more = max(0.0, height / scale - total) / len(rows)
        down, parts = 0.0, []
        for box in above:
            parts.append(at(0, down, box.svg))
            down += box.height + _BETWEEN
        for line, high in enumerate(rows):
            for index, seat in enumerate(seats[line * columns : (line + 1) * columns]):
                parts.append(at(index * (each + _BETWEEN), down, self.player(seat, each, high + more).svg))
            down += high + more + _BETWEEN
        return at(x, y, "".join(parts), scale)

    # The heading

    def heading(self, width: float) -> Box:
        """Whose decision it is, what was done last, and who has won and why."""
        first, *others = map(self.named, self.renderer.heading())
        is_over = self.current is None
        verdict = list(self._verdict())
        boxes = list(words(verdict[0] if verdict else first, 15, bold=True))
        if not is_over:
            boxes.insert(0, self.badge(self.current, 15))
        elif verdict:
            winners = [seat for seat, it in enumerate(self.snapshot["final"]) if it["rank"] == 1]
            boxes[:0] = [self.badge(seat, 15) for seat in winners]
            others = [*verdict[1:], first]
        lines = [flow(boxes, width, 5)]
        if self.last:
            how = self.named(f"Last: {self.last}{self._course()}")
            lines.append(flow(words(how, SIZE, NEW), width, 4))
        lines += [flow(words(_ending(line), SIZE, QUIET), width, 4) for line in others]
        return column(lines, 2)

    def _verdict(self) -> Iterator[str]:
        """Yield who has won by how much, and why, for a finished game."""
        final = self.snapshot["final"]
        if not final:
            return
        seats, entries = by_rank(final)
        teams = seats[:: self.configuration.variant.team_size]
        winners = [seat for seat in seats if final[seat]["rank"] == 1]
        are_several = len(winners) > 1
        who = f"{', '.join(map(self.name, winners[:-1]))} and " * are_several + self.name(winners[-1])
        scores = " : ".join(_signed(final[seat]["score"]) for seat in teams)
        yield f"{who} win{'s' * (not are_several)} {scores}"
        second = next((seat for seat in teams if final[seat]["rank"] == 2), None)
        if second is not None and final[second]["score"] == final[winners[0]]["score"]:
            yield f"The points are equal: {self._tie_break(winners[0], second)}"
        else:
            columns = list(zip(*entries.values(), strict=True))[:: self.configuration.variant.team_size]
            parts = zip(entries, *columns, strict=True)
            told = [f"{name} {' : '.join(map(_signed, values))}" for name, *values in parts]
            yield ", ".join(told[2:-2]).capitalize()

    def _tie_break(self, winner: int, second: int) -> str:
        """Return what decided between two with equal points."""
        criteria = self.configuration.variant.tie_breaks
        completed = [len(self.snapshot["final"][seat]["completed"]) for seat in (winner, second)]
        if completed[0] != completed[1] and "completed_tickets" in criteria:
            return f"completed tickets decide, {completed[0]} to {completed[1]}"
        others = [it.replace("_", " ") for it in criteria if it != "completed_tickets"]
        return f"the {' or the '.join(others)} decides"

    def _course(self) -> str:
        """Return the move that the last action belonged to: the actions before it."""
        if not self.before or not self.before["pending"]:
            return ""
        so_far = "So far: "
        lines = self.text_renderer(self.before, self.configuration, _NO_LIMIT).heading()
        line = next(line for line in lines if line.startswith(so_far))
        return f" (after: {_ending(line).removeprefix(so_far)})"

    # Cards

    @staticmethod
    @functools.lru_cache(maxsize=REMEMBERED)
    def badge(seat: int, size: float = SIZE) -> Box:
        """Return the mark of a seat: its number on its colour."""
        paint = SEATS[seat % len(SEATS)]
        side = size * 1.35
        back = rectangle(0, 0, side, side, paint.fill, rx=side / 4)
        return Box(side, side, back + _centred(str(seat), side / 2, side / 2, size, paint.ink))

    @staticmethod
    @functools.lru_cache(maxsize=REMEMBERED)
    def chip(card: str, count: int | str, size: float = SMALL) -> Box:
        """Return cards of a colour: the colour's sign, and how many."""
        paint: Paint = PAINTS[card]
        letter = SIGNS[card]
        side = size * 1.35
        back = rectangle(0.5, 0.5, side - 1, side - 1, paint.fill, stroke="#555b63", rx=2)
        sign = back + _centred(letter, side / 2, side / 2, size * 0.85, paint.ink)
        counted = label(str(count), size)
        return row([Box(side, side, sign), counted], 2)

    def chips(self, cards: Mapping[str, int], size: float = SMALL) -> Iterator[Box]:
        """Return cards by colour, without colours of which there are none."""
        return (self.chip(card, count, size) for card, count in cards.items() if count)

    @staticmethod
    @functools.lru_cache(maxsize=REMEMBERED)
    def card(slot: int, card: str | None, *, is_new: bool) -> Box:
        """Return a face-up card, or its empty slot."""
        width, height = 34.0, 48.0
        paint = PAINTS[card] if card else Paint("none", "none")
        edge: dict[str, object] = {"stroke": NEW, "stroke_width": 3.0} if is_new else {"stroke": "#555b63"}
        back = rectangle(
            1, 1, width - 2, height - 2, paint.fill, rx=4, stroke_dasharray=None if card else "3 3", **edge
        )
        sign = _centred(SIGNS[card], width / 2, height / 2, 19, paint.ink) if card else ""
        return Box(width, height, element("g", titled(card or "empty slot") + back + sign, data_slot=slot))

    @staticmethod
    @functools.lru_cache(maxsize=REMEMBERED)
    def pile(name: str, count: int) -> Box:
        """Return a pile of cards, of which only the number is shown."""
        number_of = Box(44, 24, _centred(str(count), 22, 12, 16, TEXT_COLOUR))
        name_of = Box(44, 15, _centred(name, 22, 6, 10.5, QUIET, weight=None))
        box = framed(column([number_of, name_of], 0), "pile")
        return box._replace(svg=element("g", box.svg, data_pile=name))

    def cards(self, width: float) -> Box:
        """Return the face-up cards and the piles."""
        snapshot = self.snapshot
        old = self.before["face_up"] if self.before else snapshot["face_up"]
        pairs = enumerate(zip(snapshot["face_up"], old, strict=True))
        shown = [self.card(slot, card, is_new=card != was) for slot, (card, was) in pairs]
        piles = [
            self.pile("deck", sum(snapshot["deck"].values())),
            self.pile("discard", sum(snapshot["discard"].values())),
            self.pile("tickets", len(snapshot["ticket_deck"])),
        ]
        return column([flow([*shown, *piles], width), *self.supplies(width)], 6)

    def supplies(self, width: float) -> Iterator[Box]:
        """Other supplies and piles that all see."""
        yield from ()

    def listed(self, title: str, boxes: Sequence[Box], width: float) -> Iterator[Box]:
        """Yield boxes after a title; nothing if there are none."""
        if boxes:
            yield flow([label(title, SMALL, QUIET), *boxes], width)

    # Players

    def player(self, seat: int, width: float, least: float = 0.0) -> Box:
        """Return one player; the panel is `least` high at least."""
        inner = width - 14
        player = self.snapshot["players"][seat]
        lines = [self.counts(seat, inner), flow(self.cards_of(player), inner), *self.possessions(seat, inner)]
        if player["offered"]:
            lines.append(self.tickets(seat, "on offer", player["offered"], inner, first=len(player["tickets"])))
        content = column(lines, 3)
        is_current = seat == self.current
        height = max(least, content.height + 8)
        back = panel(width, height, "acting" if is_current else "sheet", 5)
        stripe = rectangle(1, 1, 5, height - 2, SEATS[seat % len(SEATS)].fill, rx=2)
        return Box(max(width, content.width + 14), height, back + stripe + at(10, 4, content.svg))

    def counts(self, seat: int, width: float) -> Box:
        """Return a player's name and numbers, with what the last action changed."""
        name = row([self.badge(seat), label(self.name(seat), SIZE, bold=True)])
        boxes = [name, *([label("to act", SMALL, NEW, bold=True)] if seat == self.current else [])]
        now, old = self._numbers(self.snapshot, seat), self._numbers(self.before or self.snapshot, seat)
        for title, value in now.items():
            parts = [label(title, SMALL, QUIET), label(_signed(value), SIZE, bold=True)]
            if value != old[title]:
                parts.append(label(f"{value - old[title]:+d}".replace("-", "−"), SMALL, NEW, bold=True))
            boxes.append(row(parts, 3))
        return flow(boxes, width, 9)

    def _numbers(self, snapshot: Mapping[str, Any], seat: int) -> dict[str, int]:
        player = snapshot["players"][seat]
        counted = {column: player[column] for column in self.renderer.columns}
        return counted | {"cards": sum(player["hand"].values()), "tickets": len(player["tickets"])}

    def cards_of(self, player: Mapping[str, Any]) -> Iterator[Box]:
        """Return the cards that a player has."""
        return self.chips(player["hand"])

    @abstractmethod
    def possessions(self, seat: int, width: float) -> Iterator[Box]:
        """Yield what a player has in addition to cards in the hand."""

    def tickets(
        self, seat: int, title: str, tickets: Sequence[Ticket | None], width: float, first: int | None = 0
    ) -> Box:
        """Return tickets, each with the mark of those that count as completed; of unknown ones the number.

        `first`: how many of the seat's tickets come before them; None for those that are not marked on the map.
        """
        boxes = [label(title, SMALL, QUIET)]
        for index, ticket in enumerate(tickets, 1):
            if ticket:
                is_numbered = first is not None and seat == self.focus
                boxes += self.ticket(seat, ticket, index + (first or 0) if is_numbered else None)
        if unknown := sum(ticket is None for ticket in tickets):
            boxes.append(label(f"{unknown} {UNKNOWN}", SMALL))
        return flow(boxes, width, 7)

    def ticket(self, seat: int, ticket: Ticket, index: int | None) -> Iterator[Box]:
        """Yield one ticket: a box for each of its destinations, that of the points that it adds bold (SW8)."""
        is_done = self.renderer.is_marked(seat, ticket)
        sign = label("✓" if is_done else "○", SMALL, DONE if is_done else OPEN, bold=is_done)
        signs = [sign] if index is None else [self.tag(str(index), is_done=is_done), sign]
        ends = destinations(ticket)
        counts = self.renderer.points_of(seat, ticket) if is_done and len(ends) > 1 else None
        names = [f"{self.text.city(end)} ({points})" for end, points in ends]
        names[0] = f"{self.text.city(ticket[0])}–{names[0]}"
        first, *others = (
            label(name, SMALL, bold=points == counts) for name, (_, points) in zip(names, ends, strict=True)
        )
        yield row([*signs, first], 3)
        yield from (row([label("/", SMALL, QUIET), it], 3) for it in others)

    def ticket_name(self, ticket: Ticket) -> str:
        """Return a ticket's cities and points."""
        a, b, points = ticket[:3]
        return f"{self.text.city(a)}–{self.text.city(b)} ({points})"

    @staticmethod
    @functools.lru_cache(maxsize=REMEMBERED)
    def tag(text: str, *, is_done: bool, size: float = 9.5) -> Box:
        """Return the number of a ticket: filled if it is completed."""
        width, height = width_of(text, size, bold=True) + 6, size + 4
        fill, ink = (DONE, "#ffffff") if is_done else ("#fff3c4", "#000000")
        back = rectangle(0.5, 0.5, width - 1, height - 1, fill, stroke=DONE if is_done else OPEN, rx=height / 2)
        return Box(width, height, back + _centred(text, width / 2, height / 2, size, ink))

    def own_tickets(self, seat: int) -> list[Ticket | None]:
        """Return the tickets of a seat: in hand, then on offer."""
        player = self.snapshot["players"][seat]
        return [*player["tickets"], *player["offered"]]

    def shared_tickets(self, seat: int) -> list[Ticket | None]:
        """Further ones that count for it."""
        return []

    def _focus(self) -> int | None:
        """Return the seat whose tickets are marked, if they are known: the acting one, else the first in rank."""
        snapshot = self.snapshot
        known = [seat for seat in range(len(snapshot["players"])) if any(self.own_tickets(seat))]
        if self.current in known:
            return int(self.current)
        if final := snapshot["final"]:
            known.sort(key=lambda seat: final[seat]["rank"])
        return known[0] if known else None

    # The result

    def result(self, width: float) -> Iterator[Box]:
        """Yield the table of the result: a column for each player, by rank."""
        final = self.snapshot["final"]
        if not final:
            return
        seats, entries = by_rank(final)
        rows: list[list[Box]] = [[label("Result", SIZE, bold=True), *(self.badge(seat, 11) for seat in seats)]]
        for name, values in entries.items():
            is_bold = name in ("rank", "score")
            numbers = [label(_signed(value), SMALL, bold=is_bold) for value in values]
            rows.append([label(name, SMALL, bold=is_bold), *numbers])
        box = table(rows)
        yield framed(box, "result", 6)


def _signed(value: int) -> str:
    """Return a number with a minus sign of its width."""
    return str(value).replace("-", "−")


def _ending(line: str) -> str:
    """Return a list of actions after its title, with the last ones alone if there are many."""
    title, colon, listed = line.partition(": ")
    actions = re.split(r", (?![^()]*\))", listed)
    kept = actions
    while len(kept) > 1 and sum(map(len, kept)) > LONGEST_LINE:
        kept = kept[1:]
    return title + colon + ("… " if len(kept) < len(actions) else "") + ", ".join(kept)


def _centred(text: str, x: float, y: float, size: float, fill: str, weight: str | None = "bold") -> str:
    """Text with its middle at a point."""
    return write(x, y + size * 0.36, text, size, fill=fill, text_anchor="middle", font_weight=weight)
