"""The agents of other styles: what is characteristic of each."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.playing import planner
from t2r_agents.playing.one_step import OneStepAgent
from t2r_env import Games
from t2r_env.agents import decisions_of
from tests.agents.playing import test_greedy_cards as cards
from tests.agents.playing.test_greedy import DONE, GREEDY, TO_EL_PASO, TO_SALT_LAKE
from tests.helpers.acting import action, actions, play_out
from tests.helpers.situations import CARDS, configuration, situation

RACER, ONE_STEP, LONG_ROUTES = planner.RacerAgent(), OneStepAgent(), planner.LongRoutesAgent()
ONE_PLAN, HUNGRY = planner.OnePlanAgent(), planner.TicketHungryAgent()
LONGEST = "claim duluth-helena"
"""Orange, of six spaces."""


def by_themselves(style: type[planner.PlanningAgent], variant: str) -> dict[str, float]:
    """Means over games of two agents of a style: starting tickets kept, tickets held at the end, turns."""
    games = Games(configuration(variant, 2), batch=60, autoreset=False, seed=1)
    agent, kept = style(), np.zeros(60)

    def act(running: NDArray[np.int64]) -> NDArray[np.int64]:
        has_begun = (games.states["turn"] == 1) & (kept == 0)
        kept[has_begun] = games.states["ticket_count"][has_begun].sum(axis=1)
        return agent.act(decisions_of(games, running, np.zeros(running.size, np.uint64)))

    play_out(games, act)
    held = games.states["completed"] + games.states["failed"]
    return {"kept": kept.mean() / 2, "held": held.sum() / 120, "turns": games.states["turn"].mean()}


def test_the_racer_prefers_long_routes_to_tickets() -> None:
    table = situation(hands=["6 orange, 2 red"], **TO_EL_PASO)
    assert action(GREEDY, table) == "claim el_paso-santa_fe"
    assert action(RACER, table) == LONGEST
    table = situation(hands=["5 orange"], face_up="red, blue, orange, white, green", holds=[[]], tickets="classic")
    assert "draw_face_up 2" in actions(RACER, table.games, 2)
    assert action(GREEDY, situation(hands=["6 green"], **DONE)) == "draw_tickets"
    assert action(RACER, situation(hands=["6 green"], **DONE)).startswith("claim")


@pytest.mark.parametrize(("variant", "fewest"), [("usa", 2), ("new_york", 1), ("pennsylvania", 3), ("card_game", None)])
def test_the_racer_keeps_few_tickets_draws_none_on_maps_and_ends_games_early(variant: str, fewest: int | None) -> None:
    """US2, NY2, PA2."""
    racers, others = by_themselves(planner.RacerAgent, variant), by_themselves(planner.GreedyAgent, variant)
    assert fewest is None or racers["kept"] == racers["held"] == fewest
    assert racers["turns"] < others["turns"]
    assert racers["kept"] <= others["kept"]


def test_the_one_step_agent_claims_the_route_of_the_most_points_or_of_a_ticket_that_is_worth_more() -> None:
    """C16: 4 points for the route and twice 7 for its ticket are more than 15; 2 and twice 4 are less."""
    two_spaces = situation(hands=["2 red"], tickets="classic")
    assert action(ONE_STEP, two_spaces).startswith("claim")
    assert action(ONE_STEP, situation(hands=["6 orange, 2 red"], tickets="classic")) == LONGEST
    assert action(ONE_STEP, situation(face_up="red, blue, purple, white, green", tickets="classic")).startswith("draw")
    assert action(ONE_STEP, situation(hands=["6 orange, 3 purple"], **TO_SALT_LAKE)) == ("claim helena-salt_lake_city")
    assert action(ONE_STEP, situation(hands=["6 orange, 2 red"], **TO_EL_PASO)) == LONGEST


def test_the_one_step_agent_plays_a_set_as_soon_as_it_can() -> None:
    """CG7."""
    games = cards.situation(hands=["2 red"], holds=[["dallas-raleigh"]], face_up="blue, green, white, red, black")
    assert actions(GREEDY, games.clone())[0].startswith("draw")
    assert actions(ONE_STEP, games) == ["play_set red"]


def test_the_long_routes_agent_claims_the_longest_route_of_its_plan_first_and_draws_tickets_at_its_end() -> None:
    assert action(LONG_ROUTES, situation(hands=["6 orange, 2 red"], **TO_EL_PASO)) == LONGEST
    assert action(LONG_ROUTES, situation(hands=["2 red"], **TO_EL_PASO)).startswith("draw")
    assert action(LONG_ROUTES, situation(hands=["2 red"], trains=[2], **TO_EL_PASO)) == "claim el_paso-santa_fe"
    assert action(LONG_ROUTES, situation(hands=["6 green"], **DONE)) == "draw_tickets"


def test_the_long_routes_agent_keeps_one_large_ticket_of_the_card_game_rather_than_two_small_ones() -> None:
    """CG8: 10 points, against 5 and 7 for the same red and blue cards and a yellow one."""
    offered = ["seattle-new_york", "new_york-miami", "new_york-chicago", "chicago-charleston"]
    games = cards.situation(on_track=["1 blue, 1 red, 1 yellow"], ticket_deck=offered, last_turns_left=2)
    games.step([games.layout.actions["draw_tickets"].start])
    keep, refuse = "keep_ticket", "refuse_ticket"
    assert actions(GREEDY, games.clone(), 4) == [refuse, refuse, keep, keep]
    assert actions(LONG_ROUTES, games, 4) == [refuse, keep, refuse, refuse]


def test_the_one_plan_agent_works_for_its_nearest_or_best_ticket_and_only_then_for_the_next() -> None:
    """CG10: of the colours that its tickets lack it draws those of the better ticket."""
    both: dict[str, Any] = {"holds": [["denver-el_paso", "calgary-salt_lake_city"]], "hands": ["3 purple"]}
    both |= {"trains": [8], "tickets": "classic"}
    begun = ["denver-santa_fe", "calgary-helena"]
    assert action(GREEDY, situation(routes=[begun], **both)) == "claim helena-salt_lake_city"
    assert action(ONE_PLAN, situation(routes=[begun], **both)) == "claim el_paso-santa_fe"
    table = situation(routes=[[*begun, "el_paso-santa_fe"]], **both)
    assert action(ONE_PLAN, table) == "claim helena-salt_lake_city"
    holds = [["dallas-raleigh", "los_angeles-houston"]]
    games = cards.situation(holds=holds, face_up="orange, white, green, red, black", deck=60)
    drawn = []
    for style in (planner.GreedyAgent, planner.OnePlanAgent):
        copy = games.clone()
        actions(style(), copy, 2)
        drawn.append({CARDS[card] for card in np.flatnonzero(copy.states[0].hand[0])})
    assert drawn[0] != drawn[1] == {"green", "red"}


def test_the_hungry_agent_draws_tickets_before_it_completes_its_own() -> None:
    network = ["denver-santa_fe", "denver-kansas_city", "kansas_city-saint_louis", "chicago-saint_louis"]
    table = situation(hands=["2 red"], **TO_EL_PASO | {"routes": [network]})
    assert action(GREEDY, table) == "claim el_paso-santa_fe"
    assert action(HUNGRY, table) == "draw_tickets"


@pytest.mark.parametrize("variant", ["usa", "new_york", "legendary_asia", "united_kingdom", "card_game"])
def test_the_hungry_agent_holds_more_tickets_than_others(variant: str) -> None:
    hungry = by_themselves(planner.TicketHungryAgent, variant)["held"]
    assert all(hungry > by_themselves(style, variant)["held"] for style in (planner.GreedyAgent, planner.RacerAgent))
