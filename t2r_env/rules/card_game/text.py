"""The text of a card game's actions and tickets."""

from typing import Any

from t2r_env.rules.card_game.records import THREES
from t2r_env.rules.cards import CARDS
from t2r_env.rules.text import Description, Text, count_cards


class CardText(Text):
    """The text of one configuration of the Card Game."""

    def describe_offset(self, name: str, offset: int) -> Description:
        """Return the description of an action that means the same at each decision."""
        entries: dict[str, Any]
        match name:
            case "play_set":
                entries, text = {"colour": CARDS[offset]}, f"play a set of {CARDS[offset]} cards"
            case "play_three":
                names = [CARDS[colour] for colour in THREES[offset]]
                entries, text = {"colours": names}, f"play {count_cards(dict.fromkeys(names, 1))}"
            case "set_cards":
                entries, text = {"cards": offset + 1}, _with_number(offset + 1, "coloured card")
            case "set_locomotives":
                entries, text = {"locomotives": offset}, _with_number(offset, "locomotive")
            case "complete":
                ticket = self.ticket(offset)
                entries, text = {"ticket": ticket}, f"complete {self.ticket_text(*ticket)}"
            case _:
                return super().describe_offset(name, offset)
        return Description({"action": name} | entries, text)

    def ticket(self, number: int) -> list[Any]:
        """Return a ticket as `[a, b, points, {colour: n}]`, with the colours that it takes."""
        return [*super().ticket(number), dict(self.configuration.deck.tickets[number].cards)]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """Return a ticket as a player would say it."""
        (cards,) = more
        return f"{self.city(a)}-{self.city(b)} ({points}: {count_cards(cards)})"


def _with_number(number: int, thing: str) -> str:
    return f"with {number} {thing}{'' if number == 1 else 's'}"
