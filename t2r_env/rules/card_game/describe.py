"""Cards, tickets and actions in the words of the Card Game."""

from collections.abc import Sequence
from typing import Any

from t2r_env.rules.card_game.actions import THREES
from t2r_env.rules.records import Record
from t2r_env.rules.text import Description, SharedText, count_cards
from t2r_env.rules.train_cards import CARDS
from t2r_env.variants.variant import Ticket


class Text(SharedText):
    """How one configuration of the Card Game speaks."""

    def ticket_entry(self, ticket: Ticket) -> list[Any]:
        """A ticket as `[a, b, points, {colour: n}]`, with the colours that it takes."""
        return [*super().ticket_entry(ticket), dict(ticket.cards)]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """A ticket as a player would say it."""
        (cards,) = more
        return f"{self.place(a)}-{self.place(b)} ({points}: {count_cards(cards)})"

    def _describe(self, state: Record, action: int, name: str, offset: int) -> Description:
        match name:
            case "play_set":
                return self.play_set(offset)
            case "play_three":
                return self.play_three(THREES[offset])
            case "set_cards":
                return self.set_cards(offset + 1)
            case "set_locomotives":
                return Description({"action": name, "locomotives": offset}, _with_number(offset, "locomotive"))
            case "complete":
                return self.complete(offset)
        return super()._describe(state, action, name, offset)

    def play_set(self, colour: int) -> Description:
        """Playing a set."""
        return Description({"action": "play_set", "colour": CARDS[colour]}, f"play a set of {CARDS[colour]} cards")

    def play_three(self, colours: Sequence[int]) -> Description:
        """Playing three cards of three colours."""
        names = [CARDS[colour] for colour in colours]
        return Description({"action": "play_three", "colours": names}, f"play {count_cards(dict.fromkeys(names, 1))}")

    def set_cards(self, number: int) -> Description:
        """The coloured cards of a set."""
        return Description({"action": "set_cards", "cards": int(number)}, _with_number(int(number), "coloured card"))

    def complete(self, number: int) -> Description:
        """Completing a ticket."""
        ticket = self.ticket(number)
        return Description({"action": "complete", "ticket": ticket}, f"complete {self.ticket_text(*ticket)}")


def _with_number(number: int, thing: str) -> str:
    return f"with {number} {thing}{'' if number == 1 else 's'}"
