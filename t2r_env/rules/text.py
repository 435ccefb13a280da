"""Text for actions, cities and tickets: numbers of the core become ids, and sentences for people."""

from collections.abc import Mapping, Sequence
from typing import Any

from t2r_env.rules.cards import CARDS, EMPTY
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.names import phases

_SENTENCES = {
    "draw_deck": "draw a card from the deck",
    "draw_three": "draw three cards from the deck",
    "draw_tickets": "draw tickets",
    "pass": "pass",
    "stop": "stop",
    "withdraw": "withdraw",
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
    """Return cards by colour as text, without colours of which there are none: '2 blue, 1 red and 1 locomotive'."""
    plural = {"locomotive": "locomotives"}
    counted = [f"{number} {plural.get(card, card) if number > 1 else card}" for card, number in cards.items() if number]
    return f"{', '.join(counted[:-1])} and {counted[-1]}" if len(counted) > 1 else "".join(counted)


class Text:
    """The text of one configuration. Rulesets extend it."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.layout = configuration.layout
        self.rules = configuration.rules[0]
        cities = configuration.variant.cities
        self._names = {city.id: city.name for city in cities}
        for city in cities:  # a group of border stations has their name (SW7)
            if city.region and {it.name for it in cities if it.region == city.region} == {city.name}:
                self._names.setdefault(city.region, city.name)

    def city(self, end: str) -> str:
        """Return the name of a city or a group of cities, by its id."""
        return self._names.get(end, end.replace("_", " ").title())

    def ticket(self, number: int) -> list[Any]:
        """Return a ticket as `[a, b, points]`; one to several countries as `[a, [b, ...], [points, ...]]` (SW8)."""
        ticket = self.configuration.deck.tickets[number]
        if ticket.others:
            return [ticket.a, *([*values] for values in zip(*ticket.destinations, strict=True))]
        return [ticket.a, ticket.b, ticket.points]

    def ticket_text(self, a: str, b: Any, points: Any, *more: Any) -> str:
        """Return a ticket as a player would say it."""
        ends = [f"{self.city(end)} ({value})" for end, value in destinations((a, b, points))]
        return f"{self.city(a)}-{' / '.join(ends)}"

    def describe(self, state: Any, action: int) -> Description:
        """Return the description of an action at a decision.

        Raises ValueError for a number that is not an action, and for an action whose meaning depends on its decision
        (keeping or refusing a ticket, a payment) at another decision.
        """
        name = self.layout.actions.name_of(action)
        return self.describe_action(name, state, action, action - self.layout.actions[name].start)

    def describe_action(self, name: str, state: Any, action: int, offset: int) -> Description:
        """Return the description of the action at this offset in the block of this name, at a decision."""
        if name == "draw_face_up":
            return self.draw_face_up(offset, state.face_up[offset])
        if name in ("keep_ticket", "refuse_ticket"):
            is_decided = state.phase == phases.KEEP_TICKET
            check_decision(action, is_decided, "is about a ticket on offer, but none is to be decided on")
            return self.choose_ticket(name == "keep_ticket", state.offered[state.current, state.offer_index])
        return self.describe_offset(name, offset)

    def describe_offset(self, name: str, offset: int) -> Description:
        """Return the description of an action that means the same at each decision. Rulesets add their blocks."""
        return Description({"action": name}, _SENTENCES[name])

    def draw_face_up(self, slot: int, card: int) -> Description:
        """Return the description of taking a face-up card."""
        name = None if card == EMPTY else CARDS[card]
        text = f"take the {name} card" if name else f"take a card from slot {slot}, which is empty"
        return Description({"action": "draw_face_up", "slot": int(slot), "card": name}, text)

    def choose_ticket(self, is_kept: bool, number: int) -> Description:
        """Return the description of keeping or refusing a ticket."""
        ticket = self.ticket(number)
        entries = {"action": "keep_ticket" if is_kept else "refuse_ticket", "ticket": ticket}
        return Description(entries, f"{'keep' if is_kept else 'refuse'} {self.ticket_text(*ticket)}")


def destinations(ticket: Sequence[Any]) -> list[tuple[str, int]]:
    """Return each end that completes a ticket with its first end, and the points for it: several for SW8."""
    _, b, points = ticket[:3]
    return list(zip(b, points, strict=True)) if isinstance(b, list) else [(b, points)]


def check_decision(action: int, is_decided: bool, otherwise: str) -> None:
    """Raise ValueError if an action's meaning depends on a decision that is not the present one."""
    if not is_decided:
        raise ValueError(f"action {action} {otherwise}")
