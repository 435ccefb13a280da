"""What a person asks of the map: the shortest ways left between cities, and the cards with which routes can be paid.

The paths are those of planning (`paths`), where a way costs its trains alone, not the turns of its claims.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_agents.route_plan.paths import QUARTERS, UNREACHABLE, find_paths, previous_component
from t2r_agents.route_plan.planning import begin_plan
from t2r_agents.route_plan.records import new_records
from t2r_agents.route_plan.resources import count_resources, needs_technology
from t2r_env.configuration import Configuration
from t2r_env.core import bits
from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import compiled
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARD_TYPES, CARDS, LOCOMOTIVE
from t2r_env.rules.map_game import ferries, paying, prices
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE, ROUTE_COLOURS, ROUTE_WORDS
from t2r_env.rules.snapshot import members
from t2r_env.sizes import MAX_CITIES
from t2r_env.variants import COLOURS
from t2r_env.variants.variant import City

_UNPAYABLE = -1


@dataclass(frozen=True)
class Way:
    """The shortest way left between two cities, or groups of cities, for the acting seat."""

    is_possible: bool
    """Whether routes that are open to the seat join them, with those of its network."""
    routes: Sequence[int]
    """The routes to be claimed, from the one end to the other; none if the network joins the cities already."""
    choices: frozenset[int]
    """All routes that lie on some way of the same cost."""
    trains: int
    """How many it takes."""
    missing: Mapping[str, int]
    """The cards that the seat lacks for it, by the colour of the routes: any one colour will do for gray ones."""
    technologies: Sequence[str]
    """The names of technologies that it needs and the seat lacks."""

    @property
    def is_complete(self) -> bool:
        """Whether the seat's network joins the cities."""
        return self.is_possible and not self.routes


@dataclass(frozen=True)
class Payment:
    """A way to pay for a route: cards of one colour, and the fewest locomotives that then suffice."""

    colour: str
    cards: int
    locomotives: int


def find_ways(configuration: Configuration, views: Array, ends: Iterable[tuple[str, str]]) -> list[Way]:
    """The shortest way for the acting seat of a view, (1,), between each pair of ids of cities or regions.

    The shortest takes the fewest trains; a tunnel counts as one train more, and each locomotive of a technology that
    the seat lacks as three (`paths.update_costs`). A way may take more trains than the seat has; none of its routes
    does alone.
    """
    chosen: Any = configuration
    rules = chosen.rules
    records = new_records(claim_cost=0, train_cost=QUARTERS, locomotive_cost=0)
    distances, routes = np.zeros(MAX_CITIES, np.int64), np.zeros(MAX_CITIES, np.int64)
    ways = []
    for a, b in ends:
        choices = np.zeros(ROUTE_WORDS, np.uint64)
        starts, goals = (_cities_meeting(chosen.variant.cities, end) for end in (a, b))
        number = _find_way(
            views, rules, records.parameters, records.plan, records.workspace, starts, goals, distances, routes, choices
        )
        is_possible = number >= 0
        technologies = members(records.plan["technologies"]) if is_possible else []
        ways.append(
            Way(
                is_possible=is_possible,
                routes=routes[:number][::-1].tolist() if is_possible else [],
                choices=frozenset(members(list(choices))),
                trains=sum(int(rules["route_trains"][0, route]) for route in routes[: max(number, 0)]),
                missing=find_missing(chosen, views, routes[: max(number, 0)], technologies),
                technologies=[chosen.technologies[it].name for it in technologies],
            )
        )
    return ways


def _cities_meeting(cities: Sequence[City], end: str) -> np.uint64:
    """The set of cities that an id of a city or region means (C16)."""
    return np.uint64(bitset_of([number for number, city in enumerate(cities) if end in (city.id, city.region)], 1)[0])


def find_missing(
    configuration: Configuration, views: Array, routes: Iterable[int], technologies: Iterable[int] = ()
) -> dict[str, int]:
    """The cards that the acting seat of a view, (1,), lacks for routes and technologies, by the colour of the route.

    Gray routes come last, the longest first, in the colour of which most is left. Spare locomotives are taken for the
    colours of which most is missing.
    """
    rules = configuration.rules[0]
    seat = int(views["current"][0])
    held = views["hand"][0, seat].astype(np.int64)
    if rules["num_racks"]:
        held = held + views["rack"][0, rules["team"][seat]]
    left = dict(zip(CARDS, held.tolist()))
    due = [(CARDS[LOCOMOTIVE], int(rules["technology_price"][it])) for it in technologies]
    for route in sorted(routes, key=lambda it: (rules["route_colour"][it] == GRAY, -int(rules["route_length"][it]))):
        symbols = int(rules["route_ferry"][route])
        due += [(CARDS[LOCOMOTIVE], symbols)]
        due += [(ROUTE_COLOURS[rules["route_colour"][route]], int(rules["route_length"][route]) - symbols)]
    missing: Counter[str] = Counter()
    for colour, number in due:
        card = colour if colour in left else max(COLOURS, key=lambda it: left[it])
        spent = min(number, left[card])
        left[card] -= spent
        missing[colour] += number - spent
    for _ in range(left[CARDS[LOCOMOTIVE]]):
        for colour, number in missing.most_common(1):
            missing[colour] -= number > 0
    return {colour: number for colour, number in missing.items() if number}


def find_payments(configuration: Configuration, views: Array) -> list[list[Payment]]:
    """With which cards the acting seat of a view, (1,), can pay for each route as it is, without exchanges (UK5)."""
    rules = configuration.rules
    least = np.zeros((int(rules["num_routes"][0]), CARD_TYPES), np.int64)
    price = np.zeros(len(least), np.int64)
    _find_payments(views, rules, configuration.ruleset.new_scratch().deciding, least, price)
    return [
        [
            Payment(CARDS[colour], int(price[route] - number), int(number))
            for colour, number in enumerate(row)
            if number != _UNPAYABLE
        ]
        for route, row in enumerate(least)
    ]


@compiled
def _find_way(
    views: Array,
    rules_records: Array,
    parameters: Array,
    plans: Array,
    workspaces: Array,
    from_cities: np.uint64,
    to_cities: np.uint64,
    distances: Array,
    routes: Array,
    choices: Array,
) -> int:
    """Write the routes of a way, the last one first, and all `choices`; return their number, or -1 if there is no way.

    `spare_cards` and `technologies` of the plan then say what the seat holds and lacks. `distances` is scratch memory.
    """
    view, rules, plan, workspace = views[0], rules_records[0], plans[0], workspaces[0]
    begin_plan(view, rules, parameters[0], plan, workspace)
    workspace.num_edges = workspace.num_candidates  # no stations
    end = find_paths(rules, workspace, from_cities, to_cities)
    shortest = workspace.distance[end]
    if shortest >= UNREACHABLE:
        return -1
    number = 0
    component = end
    while workspace.last_route[component] != NO_ROUTE:
        routes[number] = workspace.last_route[component]
        number += 1
        component = previous_component(rules, workspace, component)
    for city in range(rules.num_cities):
        distances[city] = workspace.distance[city]
    find_paths(rules, workspace, to_cities, from_cities)
    for i in range(workspace.num_candidates):
        a = workspace.component[rules.route_a[workspace.candidate_route[i]]]
        b = workspace.component[rules.route_b[workspace.candidate_route[i]]]
        detour = min(distances[a] + workspace.distance[b], distances[b] + workspace.distance[a])
        if detour + workspace.candidate_cost[i] == shortest:
            bits.add(choices, workspace.candidate_route[i])
    count_resources(view, rules, plan)
    for i in range(number):
        for technology in range(rules.num_technologies):
            if needs_technology(view, rules, plan, routes[i], technology):
                plan.technologies |= bits.bit(technology)
    return number


@compiled
def _find_payments(views: Array, rules_records: Array, scratches: Array, least: Array, price: Array) -> None:
    """Write each route's price, and the fewest locomotives with which cards of each colour pay it, or _UNPAYABLE."""
    view, rules, scratch = views[0], rules_records[0], scratches[0]
    seat = view.current
    for route in range(rules.num_routes):
        price[route] = prices.price(view, rules, seat, route)
        for colour in range(CARD_TYPES):
            least[route, colour] = _UNPAYABLE
        symbols = ferries.least_locomotives(rules, route)
        number = prices.list_payments(view, rules, scratch, seat, price[route], symbols, rules.route_colour[route], 0)
        for i in range(number):
            colour = paying.colour_of(rules, scratch.legal[i])
            locomotives = paying.locomotives_of(rules, scratch.legal[i])
            if least[route, colour] == _UNPAYABLE or locomotives < least[route, colour]:
                least[route, colour] = locomotives
