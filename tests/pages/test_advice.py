"""The planner's reasons: they are those of the choice that it makes, and what they say of the plan is true."""

import re

import numpy as np
import pytest

from t2r_agents.browser.advice import reason_of, told_together
from t2r_agents.browser.decision import Decision, decision_of
from t2r_agents.browser.view import ticket_name
from t2r_agents.playing.planner import PlannerAgent
from t2r_env import Games
from t2r_env.agents import decisions_of
from t2r_env.render.words import listed
from t2r_env.rules.snapshot import members
from tests.helpers.situations import situation


def decision(games: Games) -> Decision:
    return decision_of(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


@pytest.mark.parametrize("variant", ["nordic", "pennsylvania", "team_asia", "card_game"])
def test_each_choice_of_the_planner_has_a_reason_in_a_sentence(variant: str) -> None:
    games, agent, told = Games(variant, None, seed=2), PlannerAgent(), set()
    for step in range(150):
        shown = decision(games)
        (action,) = agent.act(shown.given)
        if step % 4 == 0:
            reason = reason_of(shown, int(action))
            assert re.fullmatch(r"[A-Z][^_{}\[\]]*\.", reason), reason
            told.add(reason)
        games.step([action])
    assert len(told) > 5


@pytest.mark.parametrize("variant", ["usa", "card_game", "switzerland"])
def test_the_tickets_told_together_are_those_that_the_planner_keeps_one_by_one(variant: str) -> None:
    games, agent = Games(variant, 2, seed=4), PlannerAgent()
    first = decision(games)
    told = told_together(first)
    while games.current[0] == 0:
        games.step(agent.act(decision(games).given))
    kept = members([games.states[0]["kept"][0]])
    names = [ticket_name(first.own["offered"][index], first.configuration) for index in kept]
    assert told["kept"] == names
    assert told["text"] == f"keep {listed(names)}"


def test_nothing_is_told_together_where_tickets_are_not_chosen() -> None:
    assert told_together(decision(situation(hands=["3 blue"]).games)) == {}


def test_a_card_is_drawn_for_the_plan_that_lacks_it_and_a_claim_names_the_ticket() -> None:
    taken = [["atlanta-raleigh", "new_york-pittsburgh"]]
    table = situation(hands=["3 blue"], routes=taken, holds=[["atlanta-new_york"]], tickets="classic")
    shown = decision(table.games)
    claim = next(number for number, it in shown.actions if str(it).startswith("claim Pittsburgh-Raleigh"))
    assert reason_of(shown, claim) == "It completes Atlanta–New York: 2 points."
    table = situation(
        hands=["1 blue"], face_up="blue, red, red, red, red", holds=[["montreal-new_orleans"]], tickets="classic"
    )
    shown = decision(table.games)
    blue = next(number for number, it in shown.actions if it.get("card") == "blue")
    assert re.fullmatch(r"Its plan lacks \d+ blue\.", reason_of(shown, blue))
