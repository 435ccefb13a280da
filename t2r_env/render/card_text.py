"""The Card Game as text: rail yards, on-track piles, and the tickets that they complete."""

from collections.abc import Iterator, Mapping
from typing import Any

from t2r_env.render.shared_text import TextRenderer, Ticket
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.text import count_cards
from t2r_env.variants import LOCOMOTIVE


class CardTextRenderer(TextRenderer):
    """Renders one snapshot of the Card Game as lines of text."""

    configuration: CardConfiguration
    columns = ("score",)

    # The heading

    def heading(self) -> Iterator[str]:
        """Yield the shared heading, and which scoring comes next."""
        yield from super().heading()
        if self.configuration.scorings > 1:
            yield f"Scoring round: {self.snapshot['scoring_round']} of {self.configuration.scorings}"

    # Players

    def _possessions(self, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
        yard, pile = player["yard"], player["on_track"]
        yield from self._wrapped(
            f"  rail yard ({len(yard)}): ", [_row_of_yard(colour, yard[colour]) for colour in yard]
        )
        cards = [count_cards({card: number}) for card, number in pile.items() if number]
        yield from self._wrapped(f"  on track ({sum(pile.values())}): ", cards)
        yield from self._marked_tickets("tickets", seat, player["tickets"])
        yield from self._tickets("completed", player["completed"])

    def further_lines(self) -> list[str]:
        """Return the cards that each ticket in sight still lacks, if it alone is completed from the pile (CG10)."""
        lines: list[str] = []
        for seat, player in self.players:
            lacking = []
            for ticket in filter(None, player["tickets"]):
                missing = {it: max(0, number - player["on_track"][it]) for it, number in ticket[3].items()}
                if not self.is_marked(seat, ticket):
                    lacking.append(f"{self.text.ticket_text(*ticket)} lacks {count_cards(missing)}")
            lines += self._wrapped(f"Tickets of player_{seat} to complete: ", lacking) if lacking else []
        return lines

    def is_marked(self, seat: int, ticket: Ticket) -> bool:
        """Whether the pile suffices for this ticket alone (CG10)."""
        pile, needed = self.snapshot["players"][seat]["on_track"], ticket[3]
        missing = sum(max(0, number - pile[colour]) for colour, number in needed.items())
        return bool(missing <= pile[LOCOMOTIVE])


def _row_of_yard(colour: str, row: Mapping[str, int]) -> str:
    """Return a row of a rail yard: its colour, the cards of that colour and the locomotives."""
    locomotives = count_cards({LOCOMOTIVE: row["locomotives"]})
    return f"{colour} {row['cards']}" + (f" + {locomotives}" if locomotives else "")
