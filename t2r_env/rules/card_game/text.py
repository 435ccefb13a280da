"""The text of a card game's actions and tickets."""

from typing import Any

from t2r_env.rules.card_game import completing, sets
from t2r_env.rules.card_game.records import THREES
from t2r_env.rules.text import Description, Text, count_cards
from t2r_env.variants.variant import Ticket


class CardText(Text):
    """The text of one configuration of the Card Game."""

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """An action of the block of this name, at this offset in the block."""
        match name:
            case "play_set":
                return sets.describe_set(offset)
            case "play_three":
                return sets.describe_three(THREES[offset])
            case "set_cards":
                return sets.describe_cards(offset + 1)
            case "set_locomotives":
                entries = {"action": "set_locomotives", "locomotives": offset}
                return Description(entries, sets.with_number(offset, "locomotive"))
            case "complete":
                return completing.describe(self, offset)
        return super().describe_action(name, state, action, offset)

    def ticket_entry(self, ticket: Ticket) -> list[Any]:
        """A ticket as `[a, b, points, {colour: n}]`, with the colours that it takes."""
        return [*super().ticket_entry(ticket), dict(ticket.cards)]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """A ticket as a player would say it."""
        (cards,) = more
        return f"{self.city(a)}-{self.city(b)} ({points}: {count_cards(cards)})"
