"""Deals by belief: others hold what they are believed to hold, and all that the seat knows stays true (C20)."""

from typing import Any

import numpy as np
import pytest

from t2r_agents.playing.beliefs import Belief, BeliefNetwork, Beliefs, find_beliefs
from t2r_agents.playing.ismcts import policy_search
from t2r_agents.playing.ismcts.policy_search import PolicySearch
from t2r_env import Configuration, Games, configure
from t2r_env.agents import Decisions
from t2r_env.core.bits import members
from tests.helpers.acting import decisions_in
from tests.helpers.simulated_player import policy_for, with_rollout

DEALS = 2000


def reached(configuration: Configuration, decisions: int = 40) -> Decisions:
    games = Games(configuration, batch=3, seed=1)
    games.play_random(decisions)
    return decisions_in(games)


def shipped(variant: str, **options: Any) -> Beliefs:
    beliefs = find_beliefs(configure(variant, 2, **options))
    assert beliefs is not None
    return beliefs


@pytest.mark.parametrize(("variant", "options"), [("usa", {"tickets": "classic"}), ("europe", {})])
def test_what_is_dealt_by_belief_agrees_with_what_the_seat_knows(variant: str, options: dict[str, Any]) -> None:
    """C20, LA2: hands have as many tickets as before, each ticket is once in the game, and long ones stay long."""
    beliefs = shipped(variant, **options)
    decisions = reached(beliefs.configuration)
    seeds = np.arange(3 * 20).reshape(3, 20)
    evenly, believed = decisions.determinize(seeds), beliefs.determinize(decisions, seeds)
    assert believed.shape == (3, 20)
    assert np.array_equal(believed, beliefs.determinize(decisions, seeds))
    games = Games(beliefs.configuration, batch=60, seed=0)
    games.set_states(None, believed.ravel())
    assert games.views(np.arange(60)).tobytes() == decisions.views.repeat(20).tobytes()
    regular = int(beliefs.configuration.rules[0]["num_regular"])
    for before, after in zip(evenly.ravel(), believed.ravel(), strict=True):
        other = 1 - int(after["current"])
        held = [[*members(state["tickets"][other])] for state in (before, after)]
        long_before, long_after = (sum(it >= regular for it in tickets) for tickets in held)
        assert long_before == long_after
        there = _places(after)
        assert len(there) == len(set(there)) == len(_places(before))


def _places(state: Any) -> list[int]:
    """All tickets that lie somewhere, each as often as it does."""
    places: list[int] = state["ticket_queue"][state["ticket_queue"] >= 0].tolist()
    for seat in range(2):
        places += [*members(state["tickets"][seat]), *state["offered"][seat, : state["offered_count"][seat]].tolist()]
    return places


def test_tickets_are_dealt_as_often_as_they_are_believed_to_be_held() -> None:
    beliefs = shipped("usa", tickets="classic")
    decisions = reached(beliefs.configuration)
    (told,) = beliefs.of(decisions.take(slice(0, 1))).tickets[:, 0]
    other = 1 - int(decisions.views["current"][0])
    states = beliefs.determinize(decisions.take(slice(0, 1)), np.arange(DEALS)[None])[0]
    held = [number for words in states["tickets"][:, other] for number in members(words)]
    dealt = np.bincount(held, minlength=len(told)) / DEALS
    assert dealt.sum() == pytest.approx(told.sum())
    assert dealt == pytest.approx(told, abs=0.04)


def test_what_is_believed_of_others_is_told_by_the_seats_numbers() -> None:
    chances = np.array([[[0.5, 0.2, 0.0], [0.75, 0.0, 0.0]]])
    told = Belief(chances, np.zeros((1, 2, 9))).by_seat(np.array([2]))
    assert told.tickets[0, :2] == pytest.approx(chances[0])
    assert np.isnan(told.tickets[0, 2]).all()
    assert told.cards.shape == (1, 3, 9)


def test_without_a_network_there_are_no_beliefs_and_in_team_games_tickets_are_not_dealt_by_them() -> None:
    """TA2: they may lie on racks."""
    assert find_beliefs(configure("india", 2)) is None
    configuration = configure("team_asia", 4)
    layout = configuration.layout
    outputs = 3 * (layout.global_state["tickets"].shape[1] + layout.global_state["hand"].shape[1])
    layer = np.zeros((layout.observation.size, outputs), np.float32), np.zeros(outputs, np.float32)
    beliefs = Beliefs(configuration, BeliefNetwork(configuration.identity, layout.observation, (layer,)))
    with pytest.raises(ValueError, match="tickets are not dealt by belief in team games"):
        beliefs.determinize(reached(configuration), np.arange(3))


def test_the_search_with_a_policy_deals_by_belief_where_there_is_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = configure("new_york", 2)
    decisions, policy = reached(configuration), with_rollout(policy_for(configuration))
    by_belief = PolicySearch(policy).search(decisions, 32)
    monkeypatch.setattr(policy_search, "find_beliefs", lambda configuration: None)
    evenly = PolicySearch(policy).search(decisions, 32)
    assert not np.array_equal(by_belief.logits, evenly.logits)
