"""A decision as its seat sees it: the legal actions as a page lists them, and what tickets still need."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from t2r_agents.browser.ways import Way, find_missing, find_ways
from t2r_env.agents import Decisions
from t2r_env.render.signs import count_signs
from t2r_env.rules.map_game import exchange
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import Description, destinations
from t2r_env.variants import LOCOMOTIVE

_QUESTIONS = {
    "turn": "what do you do?",
    "second_card": "which second card do you take?",
    "keep_ticket": "do you keep this ticket?",
    "pay": "how do you pay?",
    "place": "where does the card go?",
    "from_rack": "which cards of the payment come from the rack?",
    "tunnel": "do you pay more, or withdraw?",
    "share": "which ticket goes to the team's rack?",
    "second_claim": "which second route do you claim, if any?",
    "take_share": "which company's share do you take?",
    "neutral_share": "which share does the neutral player get?",
    "set_cards": "how many coloured cards are in the set?",
    "set_locomotives": "how many locomotives are in the set?",
    "complete": "which ticket do you complete, if any?",
}

_HEADINGS = {
    "draw_face_up": "Draw",
    "draw_deck": "Draw",
    "draw_three": "Draw",
    "draw_tickets": "Draw",
    "buy": "Technologies",
    "build": "Stations",
    "play_set": "Play cards",
    "play_three": "Play cards",
}
_FOR_TICKETS, _OTHERS = "Claims for your tickets", "Other claims"

_OFFERED = "offered"
"""The label of tickets that the seat decides on."""

TicketState = tuple[str, str, str]
"""The place of a ticket, the ticket with its mark, and what it still needs, if anything."""


class Decision(ABC):
    """A decision with its legal actions. Each ruleset has its own class."""

    def __init__(self, decisions: Decisions) -> None:
        """Take the only decision of these."""
        self.given = decisions
        self.configuration: Any = decisions.configuration
        view = decisions.views[0]
        self.snapshot: Mapping[str, Any] = self.configuration.snapshot(view)
        self.seat = int(view.current)
        self.question = _QUESTIONS[self.snapshot["phase"]]
        text = self.configuration.text
        legal = [(int(action), text.describe(view, int(action))) for action in np.flatnonzero(decisions.masks[0])]
        self.actions: Sequence[tuple[int, Description]] = sorted(legal, key=lambda it: self._order(*it))
        """The actions in the order in which they are listed."""

    @property
    def units_made(self) -> int:
        """Return how many of the locomotives of a payment are not cards: none."""
        return 0

    @property
    def own(self) -> Mapping[str, Any]:
        """The seat's own cards and tickets, as in the snapshot."""
        player: Mapping[str, Any] = self.snapshot["players"][self.seat]
        return player

    @cached_property
    def tickets(self) -> list[tuple[str, Sequence[Any]]]:
        """The tickets held, those on the team's rack and those on offer, each with a label for where it is."""
        held = [("", ticket) for ticket in self.own["tickets"]]
        if "teams" in self.snapshot:
            team = self.snapshot["teams"][self.seat // self.configuration.variant.team_size]
            held += [("rack", ticket) for ticket in team["tickets"]]
        return held + [(_OFFERED, ticket) for ticket in self.own["offered"]]

    @abstractmethod
    def ticket_states(self) -> list[TicketState]:
        """Return the state of each of `tickets`."""

    def heading(self, action: int, description: Description) -> str:
        """Return the heading under which an action is listed; empty for none."""
        return _HEADINGS.get(description["action"], "") if self.snapshot["phase"] == "turn" else ""

    def action_text(self, action: int, description: Description) -> str:
        """Return an action as it is listed."""
        return str(description)

    def _order(self, action: int, description: Description) -> tuple[int, ...]:
        """Return the key by which actions are sorted."""
        return (action,)


class MapDecision(Decision):
    """A decision of a map game."""

    @cached_property
    def _owners(self) -> Mapping[tuple[str, str, int], Sequence[int]]:
        return {(it["a"], it["b"], it["track"]): it["owners"] for it in self.snapshot["routes"]}

    @cached_property
    def _ways(self) -> list[Way]:
        return find_ways(self.configuration, self.given.views, [ticket[:2] for _, ticket in self.tickets])

    @cached_property
    def _wanted(self) -> frozenset[int]:
        """Return the routes that lie on a shortest way for a ticket held."""
        ways = [way.choices for (where, _), way in zip(self.tickets, self._ways) if where != _OFFERED]
        return frozenset().union(*ways)

    def _route_of(self, action: int) -> int:
        first: int = self.configuration.layout.actions["claim"].start
        return action - first

    # Actions

    def heading(self, action: int, description: Description) -> str:
        """Return the heading of an action; claims for tickets have one of their own."""
        if description["action"] != "claim":
            return super().heading(action, description)
        return _FOR_TICKETS if self._route_of(action) in self._wanted else _OTHERS

    def action_text(self, action: int, description: Description) -> str:
        """Return an action as it is listed: with the track of a parallel route, what a technology opens, or how many
        cards an exchange takes.
        """
        match description:
            case {"action": "claim", "a": a, "b": b, "track": track}:
                tracks = sum((a, b) == ends[:2] for ends in self._owners)
                return f"{description} {track + 1}/{tracks}" if tracks > 1 else str(description)
            case {"action": "buy", "technology": bought}:
                return f"{description} ({self._technology_text(bought)})"
            case {"action": "spend"}:
                view, rules = self.given.views[0], self.configuration.rules[0]
                for_one = exchange.rate_now(view, rules)
                return f"{description} ({exchange.spent(view) % for_one + 1} of {for_one})"
        return str(description)

    def _technology_text(self, bought: str) -> str:
        technology = next(it for it in self.configuration.technologies if it.id == bought)
        opened = [self.configuration.text.city(region) for region in technology.regions]
        opened += ["routes of " + ", ".join(map(str, technology.lengths))] * bool(technology.lengths)
        opened += ["ferries"] * bool(technology.ferries)
        opens = f", opens {', '.join(opened)}" if opened else ""
        return count_signs({LOCOMOTIVE: technology.price}) + opens

    def _order(self, action: int, description: Description) -> tuple[int, ...]:
        """List claims and stations last, of the claims those for tickets first."""
        is_claim = description["action"] == "claim"
        return (
            is_claim + 2 * (description["action"] == "build"),
            is_claim and self._route_of(action) not in self._wanted,
            action,
        )

    # What is open to the seat

    def owners(self, route: int) -> Sequence[int]:
        """Return the seats that have claimed a route."""
        it = self.configuration.variant.routes[route]
        return self._owners[it.a, it.b, it.track]

    def is_open(self, route: int) -> bool:
        """Return whether a route is not claimed, and not closed to the seat by its parallel routes (C11, TA9)."""
        return bool(int(self.given.views[0].open[self.seat, route >> 6]) >> (route & 63) & 1)

    def lacking_technologies(self, route: int) -> list[str]:
        """Return the names of the technologies that a route needs and the seat lacks (UK6)."""
        needed = self.configuration.rules["takes_technology"][0]
        return [
            technology.name
            for number, technology in enumerate(self.configuration.technologies)
            if route in members(needed[number]) and technology.id not in self.own["technologies"]
        ]

    def missing_cards(self, route: int) -> Mapping[str, int]:
        """Return the cards that the seat lacks for a route, by colour."""
        return find_missing(self.configuration, self.given.views, [route])

    @property
    def units_made(self) -> int:
        """Return how many units of a payment exchanges have made already (UK5, NO6)."""
        view, rules = self.given.views[0], self.configuration.rules[0]
        return int(exchange.made(view, rules)) if self.snapshot["phase"] == "pay" and rules.num_exchanges else 0

    def substitutes(self, route: int) -> str:
        """Return in a sentence what cards may stand for others on a route, and what locomotives may not."""
        view, rules = self.given.views[0], self.configuration.rules[0]
        takes_locomotives = pay_for_route(rules, route)
        for_one = int(exchange.rate_of(view, rules, self.seat, rules.route_exchange[route]))
        if rules.route_exchange[route] and takes_locomotives:
            return f"{for_one} coloured cards stand for a locomotive (UK5, NO6)."
        if rules.route_exchange[route]:
            return f"Any {for_one} cards stand for one of the colour paid, a locomotive alone for none (NO5, NO8)."
        lacks_use = self.own["hand"][LOCOMOTIVE] and not takes_locomotives
        return "Locomotives can't be paid for it (NO5, SW5)." if lacks_use else ""

    @property
    def station_price(self) -> int:
        """Return the price of the seat's next station in cards; 0 if none is left (EU6)."""
        prices: Sequence[int] = (*self.configuration.variant.stations.prices, 0)
        return prices[len(self.own["stations"])]

    # Tickets

    def ticket_states(self) -> list[TicketState]:
        """Return for each ticket the trains of the shortest way left and the cards that are missing for it."""
        text = self.configuration.text
        return [
            (where, f"{'✓' if way.is_complete else '·'} {text.ticket_text(*ticket)}", self._state(way, ticket))
            for (where, ticket), way in zip(self.tickets, self._ways)
        ]

    def _state(self, way: Way, ticket: Sequence[Any]) -> str:
        if way.is_complete:
            return self._value(ticket)
        if not way.is_possible:
            return "no way is left"
        trains = counted(way.trains, "train")
        if way.trains > self.own["trains"]:
            return f"{trains}, you have {self.own['trains']}"
        return f"{trains}, {_missing_text(way.missing) or 'all cards in hand'}"

    def _value(self, ticket: Sequence[Any]) -> str:
        """Return the points of a completed ticket to several countries (SW8); empty for others, which say it."""
        ends = destinations(ticket)
        if len(ends) == 1:
            return ""
        ways = find_ways(self.configuration, self.given.views, [(ticket[0], end) for end, _ in ends])
        return counted(max(points for (_, points), way in zip(ends, ways) if way.is_complete), "point")


class CardDecision(Decision):
    """A decision of the Card Game. Tickets are completed with cards on track (CG10)."""

    def ticket_states(self) -> list[TicketState]:
        """Return for each ticket the cards that are missing on track."""
        city = self.configuration.text.city
        missing = [_missing_cards(ticket, self.own["on_track"]) for _, ticket in self.tickets]
        return [
            (
                where,
                f"{'·' if lacking else '✓'} {city(a)}-{city(b)} ({points}: {count_signs(cards)})",
                _missing_text(lacking),
            )
            for (where, (a, b, points, cards)), lacking in zip(self.tickets, missing)
        ]


_CLASSES: Mapping[str, type[Decision]] = {"map_game": MapDecision, "card_game": CardDecision}


def decision_of(given: Decisions) -> Decision:
    """Return the only one of these decisions, for its ruleset."""
    return _CLASSES[given.configuration.variant.ruleset](given)


def counted(number: int, thing: str) -> str:
    """Return a number of things as text."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _missing_text(missing: Mapping[str, int]) -> str:
    return f"missing {count_signs(missing)}" if missing else ""


def _missing_cards(ticket: Sequence[Any], pile: Mapping[str, int]) -> dict[str, int]:
    """Return the cards that a pile lacks for a ticket; its locomotives stand for the colours with most missing."""
    missing = {colour: max(0, number - pile.get(colour, 0)) for colour, number in ticket[3].items()}
    for _ in range(pile.get(LOCOMOTIVE, 0)):
        most = max(missing, key=lambda colour: missing[colour])
        missing[most] -= missing[most] > 0
    return {colour: number for colour, number in missing.items() if number}
