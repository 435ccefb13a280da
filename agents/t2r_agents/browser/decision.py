"""A decision as its seat sees it: the legal actions as a page lists them, and the tickets on offer."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from t2r_agents.browser.tickets import OFFERED, MapOutlook, Outlook, counted, outlook_of
from t2r_agents.browser.ways import find_missing
from t2r_env.agents import Decisions
from t2r_env.caching import cached_property
from t2r_env.rules.map_game import exchange
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import Description
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import Technology

_QUESTIONS = {
    "turn": "What do you do?",
    "second_card": "Choose a second card",
    "keep_ticket": "Do you keep this ticket?",
    "pay": "How do you pay?",
    "place": "Where does the card go?",
    "from_rack": "Which cards come from the rack?",
    "tunnel": "Do you pay more, or withdraw?",
    "share": "Which ticket goes to the team's rack?",
    "second_claim": "Which second route do you claim, if any?",
    "take_share": "Which company's share do you take?",
    "neutral_share": "Which share does the neutral player get?",
    "set_cards": "How many coloured cards are in the set?",
    "set_locomotives": "How many locomotives are in the set?",
    "complete": "Which ticket do you complete, if any?",
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

_EFFECTS = {
    "booster": "three cards stand for a locomotive, not four",
    "boiler_lagging": "1 more point for each route that you claim from now on",
    "steam_turbines": "2 more points for each ferry that you claim from now on",
    "double_heading": "2 points for each completed ticket at the end",
    "right_of_way": "this turn you claim a route that another player has claimed",
    "thermocompressor": "this turn you may claim a second route",
    "water_tenders": "you may draw three cards from the deck instead of two",
    "risky_contracts": "20 points for the most completed tickets at the end, else minus 20",
    "equalising_beam": "15 points for the longest path at the end, else minus 15",
    "diesel_power": "each claim takes one card less",
}
"""The effects of technologies other than opening routes, in words (UK8, UK12)."""

Message = dict[str, Any]


class Decision:
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
    def outlook(self) -> Outlook:
        """The seat's tickets."""
        return outlook_of(self.configuration, self.given.views[0], self.seat, self.snapshot)

    def offer(self) -> Message | None:
        """Return the tickets on offer that are left to decide on, and how many of them must be kept at least."""
        if self.snapshot["phase"] != "keep_ticket":
            return None
        view, rules, seat = self.given.views[0], self.configuration.rules[0], self.seat
        rule = rules.starting_keep if view.turn == 0 else rules.later_keep
        kept = int(view.kept[seat]).bit_count()
        least = min(int(rule), int(view.offered_count[seat])) - kept
        return {"number": len(self.own["offered"]), "least": max(0, least)}

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
    def _wanted(self) -> frozenset[int]:
        """Return the routes that lie on a shortest way for a ticket held."""
        outlook = self.outlook
        assert isinstance(outlook, MapOutlook)
        ways = [way.choices for (where, _), way in zip(outlook.tickets, outlook.ways) if where != OFFERED]
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
                city = self.configuration.text.city
                text = str(description).replace(f"{city(a)}-{city(b)}", f"{city(a)}–{city(b)}")
                return f"{text}, track {track + 1} of {tracks}" if tracks > 1 else text
            case {"action": "buy", "technology": bought}:
                technology = next(it for it in self.configuration.technologies if it.id == bought)
                return f"{description} for {counted(technology.price, 'locomotive')}: {self._effect_of(technology)}"
            case {"action": "spend"}:
                view, rules = self.given.views[0], self.configuration.rules[0]
                for_one = exchange.rate_now(view, rules)
                return f"{description} ({exchange.spent(view) % for_one + 1} of {for_one})"
        return str(description)

    def _effect_of(self, technology: Technology) -> str:
        """Return in words what a technology does."""
        opened = [f"routes in {self.configuration.text.city(region)}" for region in technology.regions]
        opened += ["routes of " + ", ".join(map(str, technology.lengths)) + " spaces"] * bool(technology.lengths)
        opened += ["ferries"] * bool(technology.ferries)
        return _EFFECTS[technology.effect] if technology.effect else f"opens {' and '.join(opened)} to you"

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


class CardDecision(Decision):
    """A decision of the Card Game."""

    def least_set(self, colour: str) -> int:
        """Return how many cards a set of a colour must have: two, or more than another player's row has (CG7)."""
        rows = [player["yard"][colour] for player in self.snapshot["players"] if colour in player["yard"]]
        return int(max([2, *(row["cards"] + row["locomotives"] + 1 for row in rows)]))


_CLASSES: Mapping[str, type[Decision]] = {"map_game": MapDecision, "card_game": CardDecision}


def decision_of(given: Decisions) -> Decision:
    """Return the only one of these decisions, for its ruleset."""
    return _CLASSES[given.configuration.variant.ruleset](given)
