"""The planner of map games in small positions, with parameters that do not depend on how it is tuned."""

from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.planner.map_game.planning import expected_gain
from t2r_agents.playing.planner.map_game.records import PARAMETERS
from tests.agents.playing.test_greedy import DONE, TO_EL_PASO
from tests.helpers import acting
from tests.helpers.situations import Table, situation

SEATTLE_TO_NEW_YORK: dict[str, Any] = {"holds": [["new_york-seattle"]], "tickets": "classic"}


def action(table: Table, **parameters: int) -> str:
    """The planner's action, with these parameters and the defaults for the others."""
    defaults = {name: it.default for name, it in PARAMETERS.items()}
    return acting.action(PlannerAgent(parameters=defaults | parameters), table)


def test_it_waits_with_short_claims_while_its_plan_lacks_many_cards() -> None:
    assert action(situation(hands=["1 red"], **SEATTLE_TO_NEW_YORK)).startswith("draw")
    table = situation(hands=["3 red"], trains=[5], **TO_EL_PASO)
    assert action(table) == "claim el_paso-santa_fe"


def test_it_claims_long_routes_at_once() -> None:
    table = situation(hands=["6 white"], **SEATTLE_TO_NEW_YORK)
    assert action(table, long_route_length=6) == "claim calgary-winnipeg"
    assert action(table, long_route_length=7, urgency=300).startswith("draw")


@pytest.mark.parametrize("trains", [[45, 8], [45, 3]])
def test_it_claims_when_the_game_may_end_soon(trains: list[int]) -> None:
    """C15: the fewer trains an opponent has left, the fewer turns are left."""
    table = situation(hands=["6 white, 6 black, 6 red, 6 green"], trains=trains, **SEATTLE_TO_NEW_YORK)
    assert action(table, long_route_length=16, urgency=300).startswith("claim")


@pytest.mark.parametrize(
    ("hand", "route"),
    [("4 black", "denver-kansas_city"), ("4 orange", "denver-kansas_city 1"), ("4 purple", "denver-omaha")],
)
def test_of_several_ways_it_takes_the_one_that_it_has_cards_for(hand: str, route: str) -> None:
    table = situation(hands=[hand], trains=[14], holds=[["denver-pittsburgh"]], tickets="classic")
    assert action(table, max_missing_cards=30) == f"claim {route}"


def test_what_an_opponent_may_take_is_claimed_at_once() -> None:
    """The more so the nearer his network is, and the longer the way without the route."""
    own, far, near = ["denver-santa_fe"], ["boston-montreal"], ["el_paso-houston", "oklahoma_city-santa_fe"]
    for routes, expected in (([own, far], "draw"), ([own, near], "claim el_paso-santa_fe")):
        table = situation(hands=["2 red", "3 blue"], **TO_EL_PASO | {"routes": routes})
        assert action(table, max_missing_cards=0, urgency=15).startswith(expected)


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
    assert action(table, race_points=33) == "buy superheated_steam_boiler"
    assert action(table, race_points=32).startswith(expected)


def test_it_draws_tickets_when_those_unseen_promise_enough_and_time_is_left() -> None:
    """C15: no turn is left in which to complete them."""
    table = situation(**DONE)
    assert action(table, min_ticket_gain=-100) == "draw_tickets"
    assert action(table, min_ticket_gain=300) != "draw_tickets"
    table = situation(trains=[45, 5], **DONE)
    assert action(table, min_ticket_gain=-100, min_turns_to_draw_tickets=10) != "draw_tickets"
    table = situation(last_turns_left=2, **DONE)
    assert action(table, min_ticket_gain=-100) != "draw_tickets"


def test_in_its_last_turn_it_claims_any_route_and_rather_than_a_longer_one_that_of_a_ticket() -> None:
    """C15: cards are of no use any more. C16: a ticket that is not completed loses its points."""
    table = situation(hands=["1 red"], last_turns_left=1, **SEATTLE_TO_NEW_YORK)
    assert action(table).startswith("claim")
    table = situation(hands=["2 red, 4 purple"], last_turns_left=1, **TO_EL_PASO)
    assert action(table).startswith("claim el_paso-santa_fe")


@given(st.lists(st.integers(-200, 200), min_size=1, max_size=9), st.integers(1, 4))
def test_an_offer_is_worth_the_mean_over_all_offers_of_the_best_choice(gains: list[int], drawn: int) -> None:
    def worth(offer: tuple[int, ...]) -> int:
        return max(sum(kept) for n in range(1, len(offer) + 1) for kept in combinations(offer, n))

    drawn = min(drawn, len(gains))
    gains.sort(reverse=True)
    exact = fmean(worth(offer) for offer in combinations(gains, drawn))
    assert expected_gain(np.array(gains), len(gains), drawn) == pytest.approx(exact, abs=1.001)
