"""The shortest ways left between cities, and the cards that routes need, for people who ask.

The paths are those of planning (`planner.map_game.paths`), where a way costs its trains alone, not its claims.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_agents.playing.planner.map_game.paths import UNREACHABLE, distance_to, find_paths, follow_path, price_first
from t2r_agents.playing.planner.map_game.position import QUARTERS, begin_plan, needs_technology
from t2r_agents.playing.planner.map_game.records import PARAMETERS, PLAN
from t2r_agents.playing.planner.parameters import defaults_of, new_records
from t2r_env.basics.sizes import MAX_CITIES
from t2r_env.configuration import Configuration
from t2r_env.core import bits
from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import cached
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARDS, LOCOMOTIVE
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.map_game.records import GRAY, ROUTE_COLOURS, ROUTE_WORDS
from t2r_env.rules.snapshot import members
from t2r_env.variants import COLOURS

_TRAINS_ALONE = {
    "claim_cost": 0,
    "train_cost": QUARTERS,
    "card_cost": 0,
    "locomotive_cost": 0,
    "technology_cost": 3 * QUARTERS,
}
"""The parameters with which planning counts a way's trains, and three for each locomotive of a technology."""


@dataclass(frozen=True)
class Way:
    """The shortest way left between two cities, or groups of cities, for the acting seat."""

    is_possible: bool
    """Whether the seat's network and the routes open to it join the cities."""
    routes: Sequence[int]
    """The routes to be claimed, from the one end to the other; none if the network joins the cities already."""
    choices: frozenset[int]
    """All routes that lie on some way of the same cost."""
    trains: int
    """The number of trains that it takes."""
    missing: Mapping[str, int]
    """The cards that the seat lacks for it, by the colour of the routes: any one colour will do for gray ones."""

    @property
    def is_complete(self) -> bool:
        """Whether the seat's network joins the cities."""
        return self.is_possible and not self.routes


def find_ways(configuration: Configuration, views: Array, ends: Iterable[Sequence[Any]]) -> list[Way]:
    """Return the acting seat's shortest way, in a view (1,), between each pair of ids of cities or regions.

    In place of a pair's second id there may be several: then the way leads to the nearest of them (SW8).

    The shortest takes the fewest trains; a tunnel counts as one train more, and each locomotive of a technology that
    the seat lacks as three. A way may take more trains than the seat has; none of its routes does alone.
    """
    chosen: Any = configuration
    rules, cities = chosen.rules, chosen.variant.cities
    parameters, plan = new_records(defaults_of(PARAMETERS) | _TRAINS_ALONE, PLAN)
    distances = np.zeros(MAX_CITIES, np.int64)
    ways = []
    for a, b in ends:
        choices = np.zeros(ROUTE_WORDS, np.uint64)
        pair = {a}, ({b} if isinstance(b, str) else {*b})
        numbers = [[it for it, city in enumerate(cities) if {city.id, city.region} & named] for named in pair]
        starts, goals = (np.uint64(bitset_of(meant, 1)[0]) for meant in numbers)  # a region is several cities (C16)
        is_possible = _find_way(views, rules, parameters, plan, starts, goals, distances, choices)
        routes = plan["path_route"][0, : plan["path_length"][0]][::-1].tolist() if is_possible else []
        technologies = members(plan["technologies"]) if is_possible else []
        ways.append(
            Way(
                is_possible=is_possible,
                routes=routes,
                choices=frozenset(members(list(choices))),
                trains=sum(int(rules["route_trains"][0, route]) for route in routes),
                missing=find_missing(chosen, views, routes, technologies),
            )
        )
    return ways


def find_missing(
    configuration: Configuration, views: Array, routes: Iterable[int], technologies: Iterable[int] = ()
) -> dict[str, int]:
    """Return the cards that the acting seat of a view, (1,), lacks for routes and technologies, by the route's colour.

    Gray routes come last, the longest first, in the colour of which most is left. Spare locomotives are taken for the
    colours of which most is missing, on routes for which they can be paid. Nothing is exchanged.
    """
    rules = configuration.rules[0]
    seat = int(views["current"][0])
    held = views["hand"][0, seat].astype(np.int64)
    if rules["num_racks"]:
        held = held + views["rack"][0, rules["team"][seat]]
    left = dict(zip(CARDS, held.tolist()))
    due = [(CARDS[LOCOMOTIVE], int(rules["technology_price"][it]), True) for it in technologies]
    for route in sorted(routes, key=lambda it: (rules["route_colour"][it] == GRAY, -int(rules["route_length"][it]))):
        symbols = int(rules["route_ferry"][route])
        takes_locomotives = bool(pay_for_route(rules, route))
        due += [(CARDS[LOCOMOTIVE], symbols, True)]
        colour = ROUTE_COLOURS[rules["route_colour"][route]]
        due += [(colour, int(rules["route_length"][route]) - symbols, takes_locomotives)]
    missing: Counter[str] = Counter()
    coloured: Counter[str] = Counter()  # for which no locomotive can be paid
    for colour, number, takes_locomotives in due:
        card = colour if colour in left else max(COLOURS, key=lambda it: left[it])
        spent = min(number, left[card])
        left[card] -= spent
        (missing if takes_locomotives else coloured)[colour] += number - spent
    for _ in range(left[CARDS[LOCOMOTIVE]]):
        for colour, number in missing.most_common(1):
            missing[colour] -= number > 0
    missing.update(coloured)
    return {colour: number for colour, number in missing.items() if number}


@cached
def _find_way(
    views: Array,
    rules_records: Array,
    parameters: Array,
    plans: Array,
    starts: np.uint64,
    goals: np.uint64,
    distances: Array,  # scratch memory
    choices: Array,
) -> bool:
    """Return whether there is a way; follow it in the plan, note the technologies it lacks, and write all `choices`."""
    view, rules, plan = views[0], rules_records[0], plans[0]
    begin_plan(view, rules, parameters[0], plan)
    price_first(rules, parameters[0], plan)
    plan.num_edges = plan.num_candidates  # no stations
    end = find_paths(rules, plan, starts, goals)
    shortest = distance_to(plan, end)
    if shortest >= UNREACHABLE:
        return False
    follow_path(rules, plan, end)
    for city in range(rules.num_cities):
        distances[city] = distance_to(plan, city)
    find_paths(rules, plan, goals, starts)
    for i in range(plan.num_candidates):
        a, b = plan.edge_a[i], plan.edge_b[i]
        detour = min(distances[a] + distance_to(plan, b), distances[b] + distance_to(plan, a))
        if detour + plan.edge_cost[i] == shortest:
            bits.add(choices, plan.edge_route[i])
    for i in range(plan.path_length):
        for technology in range(rules.num_technologies):
            if needs_technology(view, rules, plan, plan.path_route[i], technology):
                plan.technologies |= bits.bit(technology)
    return True
