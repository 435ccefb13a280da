"""The agents of other styles: what is characteristic of each, and that they play all games legally."""

from typing import Any

import numpy as np
import pytest

from t2r_agents.one_step import OneStepAgent
from t2r_agents.planner import (
    GreedyAgent,
    LongRoutesAgent,
    OnePlanAgent,
    PlanningAgent,
    RacerAgent,
    TicketHungryAgent,
)
from t2r_env import Games
from t2r_env.agents import decisions_of, find_agent
from tests.agents import test_greedy_cards as cards
from tests.agents.test_greedy import TO_EL_PASO, TO_SALT_LAKE, action, actions
from tests.playing import Options, every_configuration
from tests.situations import CARDS, configuration, situation

STYLES = (RacerAgent, OneStepAgent, LongRoutesAgent, OnePlanAgent, TicketHungryAgent)
LONGEST = "claim duluth-helena"
"""Orange, of six spaces."""

DONE: dict[str, Any] = TO_EL_PASO | {"routes": [["denver-santa_fe", "el_paso-santa_fe"]]}


def by_themselves(style: type[PlanningAgent], variant: str) -> dict[str, float]:
    """Means over games of two agents of a style: starting tickets kept, tickets held at the end, turns."""
    games = Games(configuration(variant, 2), batch=60, autoreset=False, seed=1)
    agent, kept = style(), np.zeros(60)
    while (running := np.flatnonzero(~games.terminated)).size:
        actions = np.zeros(60, np.int64)
        actions[running] = agent.act(decisions_of(games, running, np.zeros(running.size, np.uint64)))
        games.step(actions)
        has_begun = (games.states["turn"] == 1) & (kept == 0)
        kept[has_begun] = games.states["ticket_count"][has_begun].sum(axis=1)
    held = games.states["completed"] + games.states["failed"]
    return {"kept": kept.mean() / 2, "held": held.sum() / 120, "turns": games.states["turn"].mean()}


def test_each_style_has_its_name() -> None:
    names = ("racer", "one_step", "long_routes", "one_plan", "ticket_hungry")
    assert [type(find_agent(name)).__name__ for name in names] == [style.__name__ for style in STYLES]


# The racer


def test_the_racer_claims_a_long_route_before_the_last_route_of_its_ticket() -> None:
    table = situation(hands=["6 orange, 2 red"], **TO_EL_PASO)
    assert action(table) == "claim el_paso-santa_fe"
    assert action(table, RacerAgent) == LONGEST


def test_the_racer_draws_cards_for_the_long_route_that_it_can_nearly_pay() -> None:
    table = situation(hands=["5 orange"], face_up="red, blue, orange, white, green", holds=[[]], tickets="classic")
    assert "draw_face_up 2" in actions(RacerAgent, table.games, 2)


def test_the_racer_draws_no_tickets_when_its_own_are_completed() -> None:
    assert action(situation(hands=["6 green"], **DONE)) == "draw_tickets"
    assert action(situation(hands=["6 green"], **DONE), RacerAgent).startswith("claim")


@pytest.mark.parametrize(("variant", "fewest"), [("usa", 2), ("new_york", 1), ("pennsylvania", 3)])
def test_the_racer_keeps_as_few_tickets_as_it_may_and_draws_none(variant: str, fewest: int) -> None:
    """US2, NY2, PA2."""
    played = by_themselves(RacerAgent, variant)
    assert played["kept"] == played["held"] == fewest


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_the_racer_ends_games_early(variant: str) -> None:
    racers, others = by_themselves(RacerAgent, variant), by_themselves(GreedyAgent, variant)
    assert racers["turns"] < others["turns"]
    assert racers["kept"] < others["kept"]


# One step


def test_the_one_step_agent_claims_the_route_of_the_most_points() -> None:
    two_spaces = situation(hands=["2 red"], tickets="classic")
    assert action(two_spaces, OneStepAgent).startswith("claim")
    assert action(situation(hands=["6 orange, 2 red"], tickets="classic"), OneStepAgent) == LONGEST
    assert action(situation(face_up="red, blue, purple, white, green", tickets="classic"), OneStepAgent).startswith(
        "draw"
    )


def test_the_one_step_agent_claims_what_completes_a_ticket_if_that_is_worth_more() -> None:
    """C16: 4 points for the route and twice 7 for its ticket are more than 15; 2 and twice 4 are less."""
    assert action(situation(hands=["6 orange, 3 purple"], **TO_SALT_LAKE), OneStepAgent) == (
        "claim helena-salt_lake_city"
    )
    assert action(situation(hands=["6 orange, 2 red"], **TO_EL_PASO), OneStepAgent) == LONGEST


def test_the_one_step_agent_plays_a_set_as_soon_as_it_can() -> None:
    """CG7."""
    games = cards.situation(hands=["2 red"], holds=[["dallas-raleigh"]], face_up="blue, green, white, red, black")
    assert actions(GreedyAgent, games.clone())[0].startswith("draw")
    assert actions(OneStepAgent, games) == ["play_set red"]


# Long routes


def test_the_long_routes_agent_claims_the_longest_route_of_its_plan_first_and_waits_for_it() -> None:
    assert action(situation(hands=["6 orange, 2 red"], **TO_EL_PASO), LongRoutesAgent) == LONGEST
    assert action(situation(hands=["2 red"], **TO_EL_PASO), LongRoutesAgent).startswith("draw")


def test_the_long_routes_agent_completes_all_its_tickets_and_then_draws_more() -> None:
    assert action(situation(hands=["2 red"], trains=[2], **TO_EL_PASO), LongRoutesAgent) == "claim el_paso-santa_fe"
    assert action(situation(hands=["6 green"], **DONE), LongRoutesAgent) == "draw_tickets"


def test_the_long_routes_agent_keeps_one_large_ticket_of_the_card_game_rather_than_two_small_ones() -> None:
    """CG8: 10 points, against 5 and 7 for the same red and blue cards and a yellow one."""
    offered = ["seattle-new_york", "new_york-miami", "new_york-chicago", "chicago-charleston"]
    games = cards.situation(piles=["1 blue, 1 red, 1 yellow"], ticket_deck=offered, last_turns_left=2)
    games.step([games.layout.actions["draw_tickets"].start])
    keep, refuse = "keep_ticket", "refuse_ticket"
    assert actions(GreedyAgent, games.clone(), 4) == [refuse, refuse, keep, keep]
    assert actions(LongRoutesAgent, games, 4) == [refuse, keep, refuse, refuse]


# One plan


def test_the_one_plan_agent_works_for_its_nearest_ticket_and_only_then_for_the_next() -> None:
    both: dict[str, Any] = {
        "routes": [["denver-santa_fe", "calgary-helena"]],
        "holds": [["denver-el_paso", "calgary-salt_lake_city"]],
        "trains": [8],
        "tickets": "classic",
    }
    assert action(situation(hands=["3 purple"], **both)) == "claim helena-salt_lake_city"
    assert action(situation(hands=["3 purple"], **both), OnePlanAgent) == "claim el_paso-santa_fe"
    both["routes"] = [["denver-santa_fe", "calgary-helena", "el_paso-santa_fe"]]
    assert action(situation(hands=["3 purple"], **both), OnePlanAgent) == "claim helena-salt_lake_city"


def test_the_one_plan_agent_draws_for_one_ticket_of_the_card_game() -> None:
    """CG10: of the colours that its tickets lack it draws those of the better ticket."""
    holds = [["dallas-raleigh", "los_angeles-houston"]]
    games = cards.situation(holds=holds, face_up="orange, white, green, red, black", deck=60)
    drawn = []
    for style in (GreedyAgent, OnePlanAgent):
        copy = games.clone()
        actions(style, copy, 2)
        drawn.append({CARDS[card] for card in np.flatnonzero(copy.states[0].hand[0])})
    assert drawn[0] != drawn[1] == {"green", "red"}


# Ticket-hungry


def test_the_hungry_agent_draws_tickets_before_it_completes_its_own() -> None:
    network = ["denver-santa_fe", "denver-kansas_city", "kansas_city-saint_louis", "chicago-saint_louis"]
    table = situation(hands=["2 red"], **TO_EL_PASO | {"routes": [network]})
    assert action(table) == "claim el_paso-santa_fe"
    assert action(table, TicketHungryAgent) == "draw_tickets"


@pytest.mark.parametrize(
    "variant", ["usa", "new_york", "pennsylvania", "legendary_asia", "united_kingdom", "card_game"]
)
def test_the_hungry_agent_holds_more_tickets_than_others(variant: str) -> None:
    hungry = by_themselves(TicketHungryAgent, variant)["held"]
    assert all(hungry > by_themselves(style, variant)["held"] for style in (GreedyAgent, RacerAgent))


# All of them


@every_configuration
def test_they_act_legally_in_games_with_each_other(variant: str, players: int, options: Options) -> None:
    """An illegal action would raise an exception."""
    games = Games(configuration(variant, players, **options), batch=10, autoreset=False)
    agents = [style() for style in STYLES]
    while (running := np.flatnonzero(~(games.terminated | games.truncated))).size:
        actions = np.zeros(10, np.int64)
        for number, agent in enumerate(agents):
            rows = running[(running + games.current[running]) % len(agents) == number]
            if rows.size:
                actions[rows] = agent.act(decisions_of(games, rows, np.zeros(rows.size, np.uint64)))
        games.step(actions)
    assert games.terminated.all()


@every_configuration
def test_their_actions_are_legal_and_depend_on_nothing_hidden(variant: str, players: int, options: Options) -> None:
    """C20: in positions that random play leads to and play by a plan does not."""
    games = Games(configuration(variant, players, **options), batch=30, seed=5)
    rows, no_rng = np.arange(30), np.zeros(30, np.uint64)
    for seed in range(4):
        games.play_random(35, seed)
        others = games.clone()
        others.set_states(rows, games.determinize(rows, range(1000, 1030)))
        for style in STYLES:
            given = style().act(decisions_of(games, rows, no_rng))
            assert np.all(games.masks[rows, given])
            assert np.array_equal(style().act(decisions_of(others, rows, no_rng)), given)
