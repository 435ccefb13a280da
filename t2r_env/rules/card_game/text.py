"""The text of tickets in the Card Game."""

from typing import Any

from t2r_env.rules.text import Text, count_cards
from t2r_env.variants.variant import Ticket


class CardText(Text):
    """The text of one configuration of the Card Game."""

    def ticket_entry(self, ticket: Ticket) -> list[Any]:
        """A ticket as `[a, b, points, {colour: n}]`, with the colours that it takes."""
        return [*super().ticket_entry(ticket), dict(ticket.cards)]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """A ticket as a player would say it."""
        (cards,) = more
        return f"{self.city(a)}-{self.city(b)} ({points}: {count_cards(cards)})"
