"""Stations in small positions of Europe: where agents plan and build them (EU6, EU7)."""

from typing import Any

import numpy as np
import pytest

from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.planner.map_game.records import PARAMETERS
from t2r_env import Games, configure
from t2r_env.agents import find_agent
from t2r_env.features import compute_features, find_features
from tests.helpers.acting import action, decisions_in
from tests.helpers.situations import Table, situation

PLANNING = ["greedy", "planner", "racer", "long_routes", "one_plan"]
"""Agents that finish their tickets first: `ticket_hungry` draws others, `one_step` claims whatever it can."""
TO_BARCELONA: dict[str, Any] = {
    "variant": "europe",
    "holds": [["barcelona-munchen"]],
    "routes": [["munchen-zurich", "marseille-zurich"], ["barcelona-marseille"]],
}
"""Between Marseille and Barcelona the way is taken; the way around is two routes of two and four spaces, or longer."""


def does(table: Table, name: str) -> str:
    """What an agent does."""
    return action(find_agent(name, table.games.configuration), table)


@pytest.mark.parametrize("name", PLANNING)
def test_in_the_last_turn_a_station_is_built_where_it_completes_a_ticket_and_nowhere_else(name: str) -> None:
    table = situation(hands=["1 red"], last_turns_left=1, **TO_BARCELONA)
    assert does(table, name) in ("build marseille", "build barcelona")
    far = TO_BARCELONA | {"routes": [["munchen-zurich"], ["barcelona-marseille"]]}
    table = situation(hands=["1 red"], last_turns_left=1, **far)
    assert not does(table, name).startswith("build")


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_a_station_is_built_when_it_is_all_that_tickets_still_take_or_all_that_is_legal(name: str) -> None:
    """C13, EU6: where nothing is left to draw and no route can be paid, passing is not allowed."""
    table = situation(hands=["1 red"], trains=[3, 30], **TO_BARCELONA)
    assert does(table, name) in ("build marseille", "build barcelona")
    table = situation(hands=["2 red"], stations=[["marseille"]], last_turns_left=1, **TO_BARCELONA)
    assert not does(table, name).startswith("build")
    nothing: dict[str, Any] = {"face_up": "-, -, -, -, -", "deck": "", "ticket_deck": []}
    table = situation(variant="europe", hands=["1 red", "12 blue"], trains=[0], **nothing)
    assert all(legal.startswith("build") for legal in table.legal)
    assert does(table, name).startswith("build")


def test_two_routes_of_others_in_a_row_take_two_stations() -> None:
    """EU7: a station lets its owner use one route; the planner builds the second one when the first stands."""
    routes = [["munchen-zurich"], ["marseille-zurich", "barcelona-marseille"]]
    table = situation(hands=["6 red"], trains=[2, 30], **TO_BARCELONA | {"routes": routes})
    built = []
    for _ in range(2):
        built.append(does(table, "greedy"))
        table.play(built[-1])
        while table.to_move == 0 and table.phase == "pay":
            table.play(does(table, "greedy"))
        while table.to_move == 1:
            table.play(next(it for it in sorted(table.legal) if it.startswith("draw")))
    assert len({*built} & {"build marseille", "build barcelona", "build zurich"}) == 2


@pytest.mark.parametrize("extreme", ["least", "most"])
def test_planning_ends_with_any_parameters(extreme: str) -> None:
    """Costs of nothing and stations too few for a way end no search for ways in a circle."""
    values = {name: it.low if extreme == "least" else it.high for name, it in PARAMETERS.items()}
    planner, games = PlannerAgent(parameters=values), Games("europe", 3, 16, seed=1)
    for _ in range(300):
        games.step(planner.act(decisions_in(games)))


def test_features_name_the_planned_station_and_the_route_that_it_uses_where_there_are_stations() -> None:
    table = situation(hands=["1 red"], trains=[3, 30], **TO_BARCELONA)
    configuration = table.games.configuration
    features = find_features("plan", configuration)
    (vector,) = compute_features(features, table.games.views([0]), table.games.masks)
    cities, routes = (vector[features.segments[name].slice] for name in ("stations_planned", "routes_used"))
    variant: Any = configuration.variant
    (city,) = (variant.cities[it].id for it in np.flatnonzero(cities))
    (route,) = (variant.routes[it] for it in np.flatnonzero(routes))
    assert (route.a, route.b) == ("barcelona", "marseille")
    assert city in (route.a, route.b)
    assert "stations_planned" not in find_features("plan", configure("usa")).segments
