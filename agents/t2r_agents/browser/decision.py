"""A decision as its seat sees it: the legal actions as a page lists them, and the tickets on offer."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from t2r_agents.browser.tickets import OFFERED, MapOutlook, Outlook, counted, outlook_of
from t2r_agents.browser.ways import Way, find_missing
from t2r_env.agents import Decisions
from t2r_env.basics.caching import cached_property
from t2r_env.rules.map_game import exchange
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.map_game.technologies import LAGGING_POINTS, TURBINE_POINTS
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

DRAW = "Draw"
"""The heading of the actions that the cards and piles on the table stand for, too."""
_HEADINGS = {
    "draw_face_up": DRAW,
    "draw_deck": DRAW,
    "draw_three": DRAW,
    "draw_tickets": DRAW,
    "buy": "Technologies",
    "build": "Stations",
    "play_set": "Play cards",
    "play_three": "Play cards",
}
_FOR_TICKETS, _OTHERS = "Claims for your tickets", "Other claims"
_RANKS = {_FOR_TICKETS: 0, "Technologies": 1, _OTHERS: 2, "Stations": 3, DRAW: 4}
"""The order of the headings; actions without one, as `pass`, and those of play come first."""

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


def dashed(description: Description, configuration: Any) -> str:
    """Return an action as a sentence, with dashes between the names of cities."""
    match description:
        case {"action": "claim", "a": a, "b": b} | {"ticket": [a, [b, *_], *_]} | {"ticket": [a, b, *_]}:
            one, other = map(configuration.text.city, (a, b))
            return str(description).replace(f"{one}-{other}", f"{one}–{other}")
    return str(description)


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
        return dashed(description, self.configuration)

    def gain(self, action: int, description: Description) -> Message:
        """Return what an action brings at once, in `points`, and in a `note` what it is good for; or nothing."""
        return {}

    def _order(self, action: int, description: Description) -> tuple[int, ...]:
        """Return the key by which actions are sorted: by heading, payments by locomotives, tickets by points."""
        rank = _RANKS.get(self.heading(action, description), 0)
        match description:
            case {"action": "pay", "colour": colour, "locomotives": locomotives}:
                return rank, locomotives, -self.own["hand"][colour], action
            case {"action": "pay_more", "locomotives": locomotives}:
                return rank, locomotives, action
            case {"action": "complete", "ticket": [_, _, points, *_]}:
                return rank, -points, action
        return rank, action


class MapDecision(Decision):
    """A decision of a map game."""

    @cached_property
    def _owners(self) -> Mapping[tuple[str, str, int], Sequence[int]]:
        return {(it["a"], it["b"], it["track"]): it["owners"] for it in self.snapshot["routes"]}

    def _route_of(self, action: int) -> int:
        first: int = self.configuration.layout.actions["claim"].start
        return action - first

    # What claims are good for

    @cached_property
    def _ways(self) -> Sequence[tuple[str, Way]]:
        """The tickets held that are not completed, by name, and the ways left for them."""
        outlook = self.outlook
        assert isinstance(outlook, MapOutlook)
        tickets = zip(outlook.states(), outlook.ways, strict=True)
        return [(state.name, way) for state, way in tickets if state.where != OFFERED and way.routes]

    def serves(self, route: int) -> bool:
        """Return whether a route lies on a shortest way for a ticket held."""
        return any(route in way.choices for _, way in self._ways)

    def route_text(self, route: int) -> str:
        """Return a route by its cities, colour, length and symbols."""
        first = self.configuration.layout.actions["claim"].start
        description = self.configuration.text.describe(self.given.views[0], first + route)
        return dashed(description, self.configuration).removeprefix("claim ")

    def purpose(self, route: int) -> str:
        """Return in words which tickets a route serves; empty for none."""
        completed = [name for name, way in self._ways if list(way.routes) == [route]]
        served = [name for name, way in self._ways if route in way.choices and name not in completed]
        parts = [f"completes {', '.join(completed)}"] * bool(completed) + [f"for {', '.join(served)}"] * bool(served)
        return "; ".join(parts)

    def points_of(self, route: int) -> int:
        """Return the points that a claim of a route brings at once (C10, LA5, UK8, UK10)."""
        rules, held = self.configuration.rules[0], self.own.get("technologies", ())
        effects = {it.effect for it in self.configuration.technologies if it.id in held}
        points = int(rules.points[rules.route_length[route]])
        points += int(rules.mountain_points * (rules.route_trains[route] - rules.route_length[route]))
        points += LAGGING_POINTS * ("boiler_lagging" in effects)
        return points + TURBINE_POINTS * ("steam_turbines" in effects and bool(rules.route_ferry[route]))

    def gain(self, action: int, description: Description) -> Message:
        """Return the points of a claim, and the tickets that it serves."""
        if description["action"] != "claim":
            return {}
        route = self._route_of(action)
        return {"points": self.points_of(route), "note": self.purpose(route)}

    # Actions

    def heading(self, action: int, description: Description) -> str:
        """Return the heading of an action; claims for tickets have one of their own."""
        if description["action"] != "claim":
            return super().heading(action, description)
        return _FOR_TICKETS if self.serves(self._route_of(action)) else _OTHERS

    def action_text(self, action: int, description: Description) -> str:
        """Return an action as it is listed: with the track of a parallel route, what a technology opens, or how many
        cards an exchange takes.
        """
        match description:
            case {"action": "claim", "a": a, "b": b, "track": track}:
                tracks = sum((a, b) == ends[:2] for ends in self._owners)
                text = dashed(description, self.configuration)
                return f"{text}, track {track + 1} of {tracks}" if tracks > 1 else text
            case {"action": "buy", "technology": bought}:
                technology = next(it for it in self.configuration.technologies if it.id == bought)
                return f"{description} for {counted(technology.price, 'locomotive')}: {self._effect_of(technology)}"
            case {"action": "spend"}:
                view, rules = self.given.views[0], self.configuration.rules[0]
                for_one = exchange.rate_now(view, rules)
                return f"{description} ({exchange.spent(view) % for_one + 1} of {for_one})"
        return dashed(description, self.configuration)

    def _effect_of(self, technology: Technology) -> str:
        """Return in words what a technology does."""
        opened = [f"routes in {self.configuration.text.city(region)}" for region in technology.regions]
        opened += ["routes of " + ", ".join(map(str, technology.lengths)) + " spaces"] * bool(technology.lengths)
        opened += ["ferries"] * bool(technology.ferries)
        return _EFFECTS[technology.effect] if technology.effect else f"opens {' and '.join(opened)} to you"

    def _order(self, action: int, description: Description) -> tuple[int, ...]:
        """Sort claims by their points, the most first."""
        if description["action"] != "claim":
            return super()._order(action, description)
        rank = _RANKS.get(self.heading(action, description), 0)
        return rank, -self.points_of(self._route_of(action)), action

    # What is open to the seat

    def owners(self, route: int) -> Sequence[int]:
        """Return the seats that have claimed a route."""
        it = self.configuration.variant.routes[route]
        return self._owners[it.a, it.b, it.track]

    def is_open(self, route: int) -> bool:
        """Return whether a route is not claimed, and not closed to the seat by its parallel routes (C11, TA9)."""
        return route in members(self.given.views[0].open[self.seat])

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
