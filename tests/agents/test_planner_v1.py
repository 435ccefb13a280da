"""The planner of version 0.1 in small positions: where it plays differently from greedy."""

from typing import Any

import numpy as np
import pytest

from t2r_agents.planner import PlannerAgent
from t2r_env.agents import decisions_of
from tests.situations import Table, action_name, situation

SEATTLE_TO_NEW_YORK: dict[str, Any] = {"holds": [["new_york-seattle"]], "tickets": "classic"}
DENVER_TO_EL_PASO_DONE: dict[str, Any] = {
    "routes": [["denver-santa_fe", "el_paso-santa_fe"]],
    "holds": [["denver-el_paso"]],
    "tickets": "classic",
}


def action(table: Table) -> str:
    """The planner's action."""
    (action,) = PlannerAgent("v1").act(decisions_of(table.games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
    return action_name(table.games.describe(int(action)))


def test_it_waits_with_short_claims_while_its_plan_lacks_many_cards() -> None:
    assert action(situation(hands=["1 red"], **SEATTLE_TO_NEW_YORK)).startswith("draw")


def test_it_claims_long_routes_at_once() -> None:
    assert action(situation(hands=["6 white"], **SEATTLE_TO_NEW_YORK)) == "claim calgary-winnipeg"


def test_it_claims_when_few_cards_are_missing() -> None:
    table = situation(
        hands=["3 red"], routes=[["denver-santa_fe"]], trains=[5], holds=[["denver-el_paso"]], tickets="classic"
    )
    assert action(table) == "claim el_paso-santa_fe"


@pytest.mark.parametrize("trains", [[45, 11], [45, 3]])
def test_it_claims_when_the_game_may_end_soon(trains: list[int]) -> None:
    table = situation(hands=["6 white, 6 black, 6 red, 6 green"], trains=trains, **SEATTLE_TO_NEW_YORK)
    assert action(table).startswith("claim")


def test_it_draws_tickets_when_its_own_are_completed_early() -> None:
    table = situation(**DENVER_TO_EL_PASO_DONE)
    assert action(table) == "draw_tickets"


def test_it_draws_no_tickets_in_its_last_turn() -> None:
    """C15: no turn is left in which to complete them."""
    table = situation(last_turns_left=2, **DENVER_TO_EL_PASO_DONE)
    assert action(table).startswith("draw_face_up")


def test_in_its_last_turn_it_claims_any_route_whether_planned_or_not() -> None:
    """C15: cards are of no use any more."""
    table = situation(hands=["1 red"], last_turns_left=1, **SEATTLE_TO_NEW_YORK)
    assert action(table).startswith("claim")


def test_it_claims_at_once_where_there_are_shares() -> None:
    """PA4: others would take them."""
    table = situation(variant="pennsylvania", hands=["5 black, 5 green, 5 red"], trains=[30])
    assert action(table).startswith("claim")
