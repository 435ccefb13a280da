"""What all games say in the same way."""

from collections.abc import Mapping
from typing import Any

from t2r_env.rules.configuration import Configuration
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET
from t2r_env.rules.train_cards import CARDS, EMPTY
from t2r_env.variants.variant import Ticket

_SENTENCES = {
    "draw_deck": "draw a card from the deck",
    "draw_tickets": "draw tickets",
    "pass": "pass",
    "stop": "stop",
}


class Description(dict[str, Any]):
    """An action as a JSON-able dictionary; its `str` reads as a sentence."""

    def __init__(self, entries: Mapping[str, Any], text: str) -> None:
        super().__init__(entries)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return Description, (dict(self), self.text)


def count_cards(cards: Mapping[str, int]) -> str:
    """Cards in words, those of which there are none left out: '2 blue, 1 red and 1 locomotive'."""
    plural = {"locomotive": "locomotives"}
    counted = [f"{number} {plural.get(card, card) if number > 1 else card}" for card, number in cards.items() if number]
    return f"{', '.join(counted[:-1])} and {counted[-1]}" if len(counted) > 1 else "".join(counted)


class SharedText:
    """How a configuration speaks: numbers of the core become ids and sentences. Each kind of game adds its own."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.layout = configuration.layout
        self.rules = configuration.rules[0]
        self._city_names = {city.id: city.name for city in configuration.variant.cities}

    def place(self, place: str) -> str:
        """What a player calls a city or a group of cities."""
        return self._city_names.get(place, place.replace("_", " ").title())

    def ticket(self, number: int) -> list[Any]:
        """A ticket as the formats have it."""
        return self.ticket_entry(self.configuration.deck.tickets[number])

    def ticket_entry(self, ticket: Ticket) -> list[Any]:
        """A ticket as `[a, b, points]`."""
        return [ticket.a, ticket.b, ticket.points]

    def ticket_text(self, a: str, b: str, points: int, *more: Any) -> str:
        """A ticket as a player would say it."""
        return f"{self.place(a)}-{self.place(b)} ({points})"

    def describe(self, state: Record, action: int) -> Description:
        """An action as it stands at this decision.

        Raises ValueError for a number that is no action, and for an answer whose meaning depends on its decision
        (keeping or refusing a ticket, a payment), if that is not being asked.
        """
        name = self.layout.actions.name_of(action)
        return self._describe(state, action, name, action - self.layout.actions[name].start)

    def _describe(self, state: Record, action: int, name: str, offset: int) -> Description:
        """The action that is number `offset` of the block `name`."""
        match name:
            case "draw_face_up":
                return self.draw_face_up(offset, state.face_up[offset])
            case "keep_ticket" | "refuse_ticket":
                is_asked = state.phase == KEEP_TICKET
                self._check_asked(action, is_asked, "is about a ticket on offer, but none is in decision")
                return self.action_ticket(name == "keep_ticket", state.offered[state.current, state.offer_index])
        return Description({"action": name}, _SENTENCES[name])

    def _check_asked(self, action: int, is_asked: bool, otherwise: str) -> None:
        if not is_asked:
            raise ValueError(f"action {action} {otherwise}")

    def draw_face_up(self, slot: int, card: int) -> Description:
        """Taking a card of the row."""
        name = None if card == EMPTY else CARDS[card]
        text = f"take the {name} card" if name else f"take a card from slot {slot}, which is empty"
        return Description({"action": "draw_face_up", "slot": int(slot), "card": name}, text)

    def action_ticket(self, keep: bool, number: int) -> Description:
        """Keeping or refusing a ticket."""
        ticket = self.ticket(number)
        entries = {"action": "keep_ticket" if keep else "refuse_ticket", "ticket": ticket}
        return Description(entries, f"{'keep' if keep else 'refuse'} {self.ticket_text(*ticket)}")
