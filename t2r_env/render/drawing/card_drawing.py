"""A drawing of the Card Game."""

from collections.abc import Iterator, Mapping
from typing import Any

from t2r_env.render.card_text import CardTextRenderer
from t2r_env.render.drawing.shapes import QUIET, Box, at, column, framed, label, row
from t2r_env.render.drawing.shared_drawing import GAP, NARROW, SMALL, WIDE, WIDE_HEIGHT, Drawing
from t2r_env.render.shared_text import Ticket
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import CardVariant

_HEADING = 68
_TABLE = 150


class CardDrawing(Drawing):
    """Draws one snapshot of the Card Game."""

    text_renderer = CardTextRenderer
    renderer: CardTextRenderer

    # The frame

    def wide(self) -> tuple[float, str]:
        """Return the wide picture: the cards that all see and the result above, players in rows below."""
        width, high = WIDE - 2 * GAP, WIDE_HEIGHT - 2 * GAP - _HEADING - _TABLE - 10
        y = GAP + _HEADING
        parts = self.headed(width, _HEADING - 4)
        result = self._results(width / 2)
        room = width - (result.width * _TABLE / result.height + 2 * GAP if result.height else 0)
        parts += self.fitted(self.cards, GAP, y, room, _TABLE)
        if result.height:
            parts += at(GAP + width - result.width * _TABLE / result.height, y, result.svg, _TABLE / result.height)
        players = self.configuration.num_players
        columns = 3 if players in (3, 5, 6) else 2
        return WIDE_HEIGHT, parts + self.stacked([], GAP, y + _TABLE + 10, width, high, 1.9, columns)

    def narrow(self) -> tuple[float, str]:
        """Return the narrow picture: all parts below each other."""
        width, height = NARROW - 2 * GAP, 420 + 130 * self.configuration.num_players
        fixed = [self.heading, self.cards, self._results]
        return height, self.stacked(fixed, GAP, GAP, width, height - 2 * GAP, 1.5)

    def _results(self, width: float) -> Box:
        return column(self.result(width))

    def supplies(self, width: float) -> Iterator[Box]:
        """Yield the bonus cards, and a legend of the signs of tickets."""
        variant = self.configuration.variant
        assert isinstance(variant, CardVariant)
        texts = [f"{self.text.city(it.city)} {it.points}" for it in variant.bonus_cards]
        bonus = [framed(label(text, SMALL)) for text in texts]
        yield from self.listed("Bonus cards:", bonus, width)

    # Players

    def cards_of(self, player: Mapping[str, Any]) -> Iterator[Box]:
        """Yield the hand, the rail yard and the on-track pile."""
        yield label("hand", SMALL, QUIET)
        yield from super().cards_of(player)
        if player["yard"]:
            yield label("rail yard", SMALL, QUIET)
            yield from (self._row_of_yard(colour, cards) for colour, cards in player["yard"].items())
        if any(player["on_track"].values()):
            yield label("on track", SMALL, QUIET)
            yield from self.chips(player["on_track"])

    def possessions(self, seat: int, width: float) -> Iterator[Box]:
        """Yield the tickets."""
        player = self.snapshot["players"][seat]
        if player["tickets"]:
            yield self.tickets(seat, "tickets", player["tickets"], width, first=None)
        if player["completed"]:
            known = [ticket for ticket in player["completed"] if ticket]
            done = [label(self.ticket_name(ticket), SMALL) for ticket in known]
            if unknown := len(player["completed"]) - len(known):
                done.append(label(f"{unknown} {UNKNOWN}", SMALL))
            yield from self.listed(f"completed ({len(player['completed'])})", done, width)

    def _row_of_yard(self, colour: str, cards: Mapping[str, int]) -> Box:
        """Return a row of a rail yard: its cards and locomotives."""
        boxes = [self.chip(colour, cards["cards"])]
        if cards["locomotives"]:
            boxes += [label("+", SMALL, QUIET), self.chip(LOCOMOTIVE, cards["locomotives"])]
        return framed(row(boxes, 3), "yard")

    def ticket(self, seat: int, ticket: Ticket, index: int | None) -> Iterator[Box]:
        """Yield a ticket with the cards that complete it."""
        parts = [*super().ticket(seat, ticket, None), *self.chips(ticket[3], 9.5)]
        yield framed(row(parts, 4))
