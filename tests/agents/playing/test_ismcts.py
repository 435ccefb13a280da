"""The tree search: it uses only its view, it is reproducible, and it finds what is plainly best."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from t2r_agents.playing import ismcts
from t2r_agents.playing.ismcts import ISMCTSAgent, tree
from t2r_agents.playing.ismcts.records import NODE, PATH
from t2r_env import Games
from t2r_env.agents import opinions
from tests.agents.playing.test_greedy import TO_EL_PASO
from tests.helpers import card_situations
from tests.helpers.acting import actions, blind_actions, decisions_in
from tests.helpers.playing import decisions_of_every_phase, each_kind_once
from tests.helpers.situations import configuration, situation

ROWS = 20


def games_at_decisions(variant: str, players: int) -> Games:
    """Games at decisions of every phase that the variant has."""
    games = Games(configuration(variant, players), batch=ROWS, seed=0)
    games.set_states(None, decisions_of_every_phase(variant, players, False, ROWS))
    return games


@each_kind_once
def test_its_action_in_every_phase_is_legal_and_tells_nothing_hidden(variant: str, players: int) -> None:
    """C20: all that the seat can't know is determinized."""
    blind_actions(ISMCTSAgent("8"), games_at_decisions(variant, players))


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_its_action_depends_on_seed_and_budget_and_not_on_threads_or_batch(variant: str) -> None:
    games = Games(variant, 2, batch=8, seed=2)
    games.play_random(60)
    decisions = decisions_in(games)
    (chosen, again, threaded) = (ISMCTSAgent(20, threads).act(decisions).tolist() for threads in (1, 1, 3))
    agent = ISMCTSAgent("20")
    assert chosen == again == threaded == [int(agent.act(alone)[0]) for alone in decisions.split()]


def test_it_claims_the_route_without_which_it_loses_and_looks_beyond_its_own_turn() -> None:
    """C16: in the last turn the completed ticket wins, and no other claim does.

    C15: with one more turn after this one it draws the card that its ticket's last route takes then.
    """
    behind = TO_EL_PASO | {"points": [0, 15]}
    table = situation(hands=["2 red, 2 green"], last_turns_left=1, **behind)
    assert actions(ISMCTSAgent("60"), table.games)[0] == "claim el_paso-santa_fe"
    table = situation(hands=["1 red"], face_up="blue, red, green, white, black", trains=[2, 20], **behind)
    assert "draw_face_up 1" in actions(ISMCTSAgent("200"), table.games, 2)


def test_in_the_card_game_it_completes_the_ticket_of_the_most_points() -> None:
    """CG10: the pile suffices for either of two."""
    holds = [["chicago-montreal", "chicago-santa_fe"]]
    table = card_situations.scoring(on_track=["1 blue, 1 green, 1 yellow"], holds=holds)
    assert "chicago-santa_fe" in actions(ISMCTSAgent("60"), table.games)[0]


@pytest.mark.parametrize("budget", ["0s", "0.01s"])
def test_it_acts_however_little_time_it_has(budget: str) -> None:
    table = situation(hands=["2 red"], last_turns_left=1, **TO_EL_PASO)
    legal = table.legal
    assert actions(ISMCTSAgent(budget), table.games)[0] in legal


def test_a_decision_with_one_legal_action_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ismcts, "search", Mock(side_effect=AssertionError("it searches")))
    decisions = decisions_in(situation(hands=["2 red"], **TO_EL_PASO).games)
    agent = ISMCTSAgent("4")
    with pytest.raises(AssertionError, match="it searches"):
        agent.act(decisions)
    mask = np.zeros_like(decisions.masks)
    mask[0, 7] = 1
    assert agent.act(replace(decisions, masks=mask)).tolist() == [7]


@pytest.mark.parametrize("budget", ["", "0", "-5", "1.5", "many", "s", "-1s", "infs", "nans", "1 000", 0, 1.5, None])
def test_a_bad_budget_is_refused(budget: Any) -> None:
    with pytest.raises(ValueError, match=r"a number of simulations \(200\) or of seconds per decision \(0.5s\), got"):
        ISMCTSAgent(budget)


@pytest.mark.parametrize("budget", ["100", "0s"])
def test_its_opinion_is_the_share_of_visits_and_at_most_decisions_its_action_has_the_most(budget: str) -> None:
    """Not at all: the action is the one with the highest lower bound."""
    decisions, agree = decisions_in(games_at_decisions("usa", 2)), 0
    for opinion, mask in zip(opinions(ISMCTSAgent(budget), decisions), decisions.masks, strict=True):
        assert opinion.meaning == "share of visits"
        assert opinion.probabilities is not None
        assert opinion.probabilities[opinion.action] > 0
        agree += opinion.probabilities.argmax() == opinion.action
        if budget == "100" and mask.sum() > 1:
            visits = 100 * opinion.probabilities
            assert np.allclose(visits, visits.round())
    assert budget == "0s" or agree > 0.6 * ROWS


def test_each_node_gets_the_value_for_the_seat_that_chose_it() -> None:
    nodes, path = np.zeros(3, NODE), np.zeros(1, PATH)
    nodes["seat"] = [0, 0, 1]
    path["length"], path["node"][0, :2] = 2, [1, 2]
    tree._backpropagate(nodes, path[0], np.array([0.5, -0.25]))
    assert nodes["total_value"].tolist() == [0, 0.5, -0.25]
    assert nodes["visits"].tolist() == [1, 1, 1]
