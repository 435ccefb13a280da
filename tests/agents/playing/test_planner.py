"""The planner in small positions of map games, also with stations, and the table of its tuned parameters."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from t2r_agents.playing.planner import AnyMapPlanner, PlannerAgent, PlanningAgent, tuned
from t2r_agents.playing.planner.map_game.planning import expected_gain
from t2r_agents.playing.planner.map_game.records import PARAMETERS
from t2r_env import Configuration, Games, configure, generate_map
from t2r_env.agents import find_agent
from t2r_env.features import compute_features, find_features
from tests.agents.playing.test_greedy import DONE, TO_EL_PASO
from tests.helpers.acting import action, decisions_in
from tests.helpers.situations import Table, situation

SEATTLE_TO_NEW_YORK: dict[str, Any] = {"holds": [["new_york-seattle"]], "tickets": "classic"}


def planned(table: Table, **parameters: int) -> str:
    """The planner's action, with these parameters and the defaults for the others: however it is tuned."""
    defaults = {name: it.default for name, it in PARAMETERS.items()}
    return action(PlannerAgent(parameters=defaults | parameters), table)


def test_it_waits_with_short_claims_while_its_plan_lacks_many_cards() -> None:
    assert planned(situation(hands=["1 red"], **SEATTLE_TO_NEW_YORK)).startswith("draw")
    table = situation(hands=["3 red"], trains=[5], **TO_EL_PASO)
    assert planned(table) == "claim el_paso-santa_fe"


def test_it_claims_long_routes_at_once() -> None:
    table = situation(hands=["6 white"], **SEATTLE_TO_NEW_YORK)
    assert planned(table, long_route_length=6) == "claim calgary-winnipeg"
    assert planned(table, long_route_length=7, urgency=300).startswith("draw")


@pytest.mark.parametrize("trains", [[45, 8], [45, 3]])
def test_it_claims_when_the_game_may_end_soon(trains: list[int]) -> None:
    """C15: the fewer trains an opponent has left, the fewer turns are left."""
    table = situation(hands=["6 white, 6 black, 6 red, 6 green"], trains=trains, **SEATTLE_TO_NEW_YORK)
    assert planned(table, long_route_length=16, urgency=300).startswith("claim")


@pytest.mark.parametrize(
    ("hand", "route"),
    [("4 black", "denver-kansas_city"), ("4 orange", "denver-kansas_city 1"), ("4 purple", "denver-omaha")],
)
def test_of_several_ways_it_takes_the_one_that_it_has_cards_for(hand: str, route: str) -> None:
    table = situation(hands=[hand], trains=[14], holds=[["denver-pittsburgh"]], tickets="classic")
    assert planned(table, max_missing_cards=30) == f"claim {route}"


def test_what_an_opponent_may_take_is_claimed_at_once() -> None:
    """The more so the nearer his network is, and the longer the way without the route."""
    own, far, near = ["denver-santa_fe"], ["boston-montreal"], ["el_paso-houston", "oklahoma_city-santa_fe"]
    for routes, expected in (([own, far], "draw"), ([own, near], "claim el_paso-santa_fe")):
        table = situation(hands=["2 red", "3 blue"], **TO_EL_PASO | {"routes": routes})
        assert planned(table, max_missing_cards=0, urgency=15).startswith(expected)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("6 red, 2 blue, 3 locomotive", "draw"), ("7 red, 2 blue, 3 locomotive", "claim new_york-southampton")],
)
def test_it_does_nothing_else_while_it_races_for_a_route_that_scores_far_more(hand: str, expected: str) -> None:
    """For the route of ten spaces in the United Kingdom (UK7)."""
    table = situation(
        variant="united_kingdom",
        hands=[hand],
        technologies=[["propellers"]],
        face_up="red, white, green, white, green",
        holds=[["brighton-london"]],
        tickets="main",
    )
    assert planned(table, race_points=33) == "buy superheated_steam_boiler"
    assert planned(table, race_points=32).startswith(expected)


def test_it_draws_tickets_when_those_unseen_promise_enough_and_time_is_left() -> None:
    """C15: no turn is left in which to complete them."""
    table = situation(**DONE)
    assert planned(table, min_ticket_gain=-100) == "draw_tickets"
    assert planned(table, min_ticket_gain=300) != "draw_tickets"
    table = situation(trains=[45, 5], **DONE)
    assert planned(table, min_ticket_gain=-100, min_turns_to_draw_tickets=10) != "draw_tickets"
    table = situation(last_turns_left=2, **DONE)
    assert planned(table, min_ticket_gain=-100) != "draw_tickets"


def test_in_its_last_turn_it_claims_any_route_and_rather_than_a_longer_one_that_of_a_ticket() -> None:
    """C15: cards are of no use any more. C16: a ticket that is not completed loses its points."""
    table = situation(hands=["1 red"], last_turns_left=1, **SEATTLE_TO_NEW_YORK)
    assert planned(table).startswith("claim")
    table = situation(hands=["2 red, 4 purple"], last_turns_left=1, **TO_EL_PASO)
    assert planned(table).startswith("claim el_paso-santa_fe")


@given(st.lists(st.integers(-200, 200), min_size=1, max_size=9), st.integers(1, 4))
def test_an_offer_is_worth_the_mean_over_all_offers_of_the_best_choice(gains: list[int], drawn: int) -> None:
    def worth(offer: tuple[int, ...]) -> int:
        return max(sum(kept) for n in range(1, len(offer) + 1) for kept in combinations(offer, n))

    drawn = min(drawn, len(gains))
    gains.sort(reverse=True)
    exact = fmean(worth(offer) for offer in combinations(gains, drawn))
    assert expected_gain(np.array(gains), len(gains), drawn) == pytest.approx(exact, abs=1.001)


# Stations in Europe (EU6, EU7)


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


# Tuned parameters, and what may replace them


CARD_GAME = configure("card_game", 2)


def entry(variant: str, num_players: int, value: int, **options: Any) -> tuned.Entry:
    return tuned.Entry(variant, num_players, options, {"late_turns": value}, {})


TABLE = [
    entry("usa", 2, 1, tickets="classic"),
    entry("usa", 2, 2, tickets="mega"),
    entry("usa", 4, 3, tickets="mega"),
    entry("new_york", 2, 4, tickets="classic"),
]


@pytest.mark.parametrize(
    ("num_players", "tickets", "expected"),
    [(2, "mega", 2), (2, "classic", 1), (4, "classic", 3), (5, "mega", 3), (3, "mega", 2)],
)
def test_the_nearest_entry_serves_or_the_defaults(num_players: int, tickets: str, expected: int) -> None:
    """Players come before options; of two numbers of players as near the smaller."""
    for table in (TABLE, TABLE[::-1]):
        found = tuned.tuned_parameters(configure("usa", num_players, tickets=tickets, turn_limit=99), table)
        assert found == {"late_turns": expected}
    assert tuned.tuned_parameters(configure("pennsylvania", 2), TABLE) == {}


def values_of(agent: PlanningAgent, configuration: Configuration) -> dict[str, int]:
    return {name: it.default for name, it in agent.tunable_parameters(configuration).items()}


def test_maps_without_an_entry_are_played_with_the_parameters_for_any_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a published map's entry comes in, not even where the map is published."""
    assert tuned.any_map_parameters()
    unusual = {"claim_cost": 45, "min_turns_to_draw_tickets": 1, "urgency": 77}
    parameters = values_of(PlanningAgent(), configure("usa")) | unusual
    monkeypatch.setattr(tuned, "read_table", lambda: (*TABLE, tuned.Entry(tuned.ANY_MAP, 2, {}, parameters, {})))
    generated = generate_map(7, 24, (2, 5))
    assert generated.trains < 45
    assert unusual.items() <= values_of(AnyMapPlanner(), configure("usa")).items()
    for agent in (PlannerAgent(), AnyMapPlanner()):
        found = values_of(agent, configure(generated, 2))
        assert (unusual | {"claim_cost": generated.trains}).items() <= found.items()
    many = configure(replace(generated, trains=120), 2)
    assert values_of(AnyMapPlanner(), many)["claim_cost"] == 60  # the most that is allowed
    assert values_of(AnyMapPlanner(), configure("pennsylvania"))["max_hand"] == 0  # companies' shares do not wait
    assert values_of(AnyMapPlanner(), CARD_GAME) == values_of(PlanningAgent(), CARD_GAME)


def test_given_parameters_replace_those_tuned_and_these_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    table = [tuned.Entry("card_game", it, {}, {"late_turns": 7, "small_row_cards": it}, {}) for it in (2, 4)]
    monkeypatch.setattr(tuned, "read_table", lambda: table)
    agent = PlannerAgent(parameters={"late_turns": 9})
    for players in (2, 4):
        configuration = configure("card_game", players)
        told = values_of(agent, configuration)
        agent.act(decisions_in(Games(configuration, seed=0)))
        used = agent._records[configuration].parameters[0]
        assert {name: int(used[name]) for name in told} == told
        assert (told["late_turns"], told["small_row_cards"], told["max_planned_tickets"]) == (9, players, 12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"boldness": 1}, "there is no parameter 'boldness'; there are: min_play_advantage"),
        ({"late_turns": 99}, "late_turns must be an integer from 0 to 15, not 99"),
        ({"late_turns": 0.5}, "late_turns must be an integer from 0 to 15, not 0.5"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlannerAgent(parameters=parameters).tunable_parameters(CARD_GAME)


def test_an_entry_replaces_the_one_for_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    assert tuned.read_table(path) == ()
    for one in (TABLE[1], TABLE[0], entry("usa", 2, 8, tickets="mega")):
        tuned.write_entry(one, path)
    found = [(it.options["tickets"], it.parameters["late_turns"]) for it in tuned.read_table(path)]
    assert found == [("classic", 1), ("mega", 8)]


@pytest.mark.parametrize("one", tuned.read_table(), ids=lambda one: f"{one.variant}-{one.num_players}")
def test_each_entry_of_the_table_is_a_games_and_says_how_it_was_made(one: tuned.Entry) -> None:
    """That for any map was found on generated maps."""
    assert one.made["gain"]["high"] > 0
    if one.variant == tuned.ANY_MAP:
        assert one.made["gain"]["low"] > 0
        assert "--generated-maps" in one.made["command"]
        assert tuned.any_map_parameters() == one.parameters
        assert one.parameters.keys() == PlanningAgent().tunable_parameters(configure("usa")).keys()
    else:
        configuration = configure(one.variant, one.num_players, **one.options)
        assert tuned.tuned_parameters(configuration) == one.parameters
        assert one.parameters.items() <= values_of(PlannerAgent(), configuration).items()
        assert f"--variant {one.variant}" in one.made["command"]
