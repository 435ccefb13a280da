"""The text of a card game's actions and tickets."""

from typing import Any

from t2r_env.rules.card_game.records import THREES
from t2r_env.rules.cards import CARDS
from t2r_env.rules.text import Description, Text, count_cards


class CardText(Text):
    """The text of one configuration of the Card Game."""

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """Return the description of the action at this offset in the block of this name."""
        match name:
            case "play_set":
                return self.play_set(offset)
            case "play_three":
                names = [CARDS[colour] for colour in THREES[offset]]
                three = {"action": "play_three", "colours": names}
                return Description(three, f"play {count_cards(dict.fromkeys(names, 1))}")
            case "set_cards":
                return self.set_cards(offset + 1)
            case "set_locomotives":
                entries = {"action": "set_locomotives", "locomotives": offset}
                return Description(entries, _with_number(offset, "locomotive"))
            case "complete":
                return self.complete(offset)
        return super().describe_action(name, state, action, offset)

    def play_set(self, colour: int) -> Description:
        """Return the description of beginning a set."""
        return Description({"action": "play_set", "colour": CARDS[colour]}, f"play a set of {CARDS[colour]} cards")

    def set_cards(self, number: int) -> Description:
        """Return the description of choosing how many coloured cards the set has."""
        return Description({"action": "set_cards", "cards": number}, _with_number(number, "coloured card"))

    def complete(self, number: int) -> Description:
        """Return the description of completing a ticket."""
        ticket = self.ticket(number)
        return Description({"action": "complete", "ticket": ticket}, f"complete {self.ticket_text(*ticket)}")

    def ticket(self, number: int) -> list[Any]:
        """Return a ticket as `[a, b, points, {colour: n}]`, with the colours that it takes."""
        return [*super().ticket(number), dict(self.configuration.deck.tickets[number].cards)]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """Return a ticket as a player would say it."""
        (cards,) = more
        return f"{self.city(a)}-{self.city(b)} ({points}: {count_cards(cards)})"


def _with_number(number: int, thing: str) -> str:
    return f"with {number} {thing}{'' if number == 1 else 's'}"
