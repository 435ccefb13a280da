"""The tree search, without and with a policy: it uses only its view, keeps to its budget, and finds what is best."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, create_autospec

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.playing import ismcts
from t2r_agents.playing.ismcts import ISMCTSAgent, policy_search, tree
from t2r_agents.playing.ismcts.policy_search import MAX_CANDIDATES, PolicySearch
from t2r_agents.playing.ismcts.records import NODE, PATH
from t2r_agents.playing.network import apply_layers
from t2r_agents.playing.policy import Policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration, Games, configure
from t2r_env.agents import find_agent, opinions
from t2r_env.core.layout import Segments
from t2r_env.rules import batch as core
from tests.agents.playing.test_greedy import TO_EL_PASO
from tests.helpers import card_situations
from tests.helpers.acting import actions, blind_actions, decisions_in
from tests.helpers.playing import decisions_of_every_phase, each_kind_once, some_configurations
from tests.helpers.simulated_player import drawn, policy_for, with_rollout
from tests.helpers.situations import action_name, configuration, situation

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
def test_its_action_is_the_same_again_and_with_any_threads_and_batch(variant: str) -> None:
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


# With a policy


Files = Callable[..., str]


def preferring(configuration: Configuration, *actions: int) -> Policy:
    """A policy that knows nothing, prefers these actions in their order, and values all alike."""
    policy = policy_for(configuration, scale=0)
    policy.layers[-1][1][[*actions]] = np.arange(len(actions), 0, -1)  # the biases
    return policy


@pytest.fixture
def files(tmp_path: Path) -> Files:
    def save(policy: Policy) -> str:
        policy.save(path := tmp_path / "policy.safetensors")
        return str(path)

    return save


def reached(configuration: Configuration, batch: int, decisions: int = 40) -> Games:
    """Games after some random decisions."""
    games = Games(configuration, batch=batch, seed=5)
    games.play_random(decisions)
    return games


@some_configurations
def test_its_action_is_legal_and_does_not_depend_on_what_its_seat_cannot_know(
    variant: str, players: int, options: dict[str, Any], files: Files
) -> None:
    """C20."""
    configuration = configure(variant, players, **options)
    agent = find_agent(f"ismcts:8,{files(with_rollout(policy_for(configuration)))}", configuration)
    for moves in (0, 60):
        blind_actions(agent, reached(configuration, 2, moves))


def test_leaves_are_valued_by_what_the_searching_seat_may_know(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """C20."""
    watched = create_autospec(Policy.inputs, side_effect=Policy.inputs)
    monkeypatch.setattr(Policy, "inputs", watched)
    configuration = configure("new_york", 3)
    decisions = decisions_in(reached(configuration, 1))
    ISMCTSAgent(f"16,{files(policy_for(configuration))}").act(decisions)
    assert watched.call_count > 1
    for (_, seen), _ in watched.call_args_list:
        games = Games(configuration, batch=len(seen), autoreset=False, seed=0)
        games.states[:] = seen.views
        core.run(core.RESUME, games.core_batch, configuration.ruleset.new_scratch(), np.arange(len(seen)))
        assert games.views(np.arange(len(seen)), seen.views["current"]).tobytes() == seen.views.tobytes()
        assert np.array_equal(games.observations, seen.observations)
        assert np.array_equal(games.masks, seen.masks)
        assert (games.current == decisions.views["current"][0]).all()


@pytest.mark.release
@some_configurations
def test_whoever_acts_in_a_simulation_uses_only_what_that_seat_may_know(
    variant: str, players: int, options: dict[str, Any]
) -> None:
    """C20: what the searcher holds does not tell its opponents what to do."""
    configuration = configure(variant, players, **options)
    policy, words = with_rollout(policy_for(configuration)), np.arange(20, dtype=np.uint64)
    for moves in (0, 60):
        games = reached(configuration, 20, moves)
        chosen = drawn(games.states, games.masks, configuration, policy, words)
        assert games.masks[np.arange(20), chosen].all()
        others = games.determinize(None, range(1000, 1020))
        assert np.array_equal(drawn(others, games.masks, configuration, policy, words), chosen)


def test_simulations_are_played_by_the_rollout_network_and_the_weight_of_the_planners_action() -> None:
    """Without that network the planner has the weight of PLANNER_WEIGHT."""
    configuration, number = configure("new_york", 2), 20_000
    layout, games = configuration.layout, reached(configuration, 1, 21)
    part = Segments.of((name, layout.observation.shapes[name], "") for name in ("hand", "face_up"))
    layer = np.zeros((part.size, layout.actions.size)), np.zeros(layout.actions.size)
    policy = with_rollout(Policy((configuration.identity,), part, (layer,)), 0.5)
    observed = np.hstack([games.observations[0, layout.observation[name].slice] for name in part])
    (action,) = find_agent("planner").act(decisions_in(games))
    words = np.random.default_rng(0).integers(2**64, size=number, dtype=np.uint64)
    states, masks = (np.repeat(it, number, axis=0) for it in (games.states, games.masks))
    for player, logits, weight in (
        (policy, apply_layers(policy.rollout_layers, observed[None])[0], policy.planner_weight),
        (replace(policy, rollout_layers=()), np.zeros(layout.actions.size), policy_search.PLANNER_WEIGHT),
    ):
        logits[action] += weight
        weights = np.exp(logits) * games.masks[0]
        frequencies = np.bincount(drawn(states, masks, configuration, player, words), minlength=len(weights)) / number
        assert np.abs(frequencies - weights / weights.sum()).max() < 0.015


@pytest.mark.parametrize("features", [None, "plan"])
def test_what_it_finds_for_a_decision_is_the_same_to_the_bit_again_alone_and_among_many(features: str | None) -> None:
    configuration = configure("new_york", 2)
    decisions, policy = decisions_in(reached(configuration, 20)), policy_for(configuration, features)
    search = PolicySearch(with_rollout(policy))
    together, again = search.search(decisions, 32), PolicySearch(with_rollout(policy)).search(decisions, 32)
    alone = [search.search(decision, 32) for decision in decisions.split()]
    for ours, same, theirs in zip(together, again, zip(*alone, strict=True), strict=True):
        assert np.array_equal(ours, np.concatenate(theirs))
        assert np.array_equal(ours, same)
    is_searched = (together.visits > 1) & (together.logits > -np.inf)
    logits = policy.logits(policy.inputs(decisions))
    assert not is_searched[decisions.masks == 0].any()
    assert (together.logits[is_searched] != logits[is_searched]).any()
    assert (together.logits[decisions.masks == 0] == -np.inf).all()


def test_it_claims_the_route_without_which_it_loses_though_its_policy_draws(files: Files) -> None:
    """C16: in the last turn the completed ticket wins, and no other claim does."""
    games = situation(hands=["2 red, 2 green"], points=[0, 15], last_turns_left=1, **TO_EL_PASO).games
    names = {action_name(games.describe(action)): action for action in np.flatnonzero(games.masks[0]).tolist()}
    draw, claim = names["draw_deck"], names["claim el_paso-santa_fe"]
    policy = preferring(games.configuration, draw, claim)
    decisions = decisions_in(games)
    assert find_agent(path := files(policy)).act(decisions).tolist() == [draw]
    assert ISMCTSAgent(f"200,{path}").act(decisions).tolist() == [claim]
    ((before, after),) = PolicySearch(policy).search(decisions, 200).regrets
    assert before > 0.5
    assert abs(after) < 0.1


def test_of_equal_face_up_cards_one_is_tried_for_all(files: Files) -> None:
    games = situation(hands=["1 red"], face_up="red, red, green, red, green", tickets="classic").games
    first = int(games.layout.actions["draw_face_up"].start)
    decisions = decisions_in(games)
    policy = preferring(games.configuration, *range(first, first + 5))
    (opinion,) = opinions(ISMCTSAgent(f"64,{files(policy)}"), decisions)
    assert opinion.probabilities is not None
    assert np.flatnonzero(opinion.probabilities[first : first + 5]).tolist() == [0, 2]


@pytest.mark.release
@pytest.mark.parametrize(("variant", "players"), [("usa", 5), ("card_game", 2)])
def test_it_ends_within_its_time_and_uses_most_of_it(
    variant: str, players: int, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock on which each evaluation takes a tenth of a second, whatever its positions, and nothing else."""
    clock, evaluate = SimpleNamespace(now=0.0), Policy.logits_and_values
    clock.monotonic = lambda: clock.now

    def slowly(policy: Policy, observations: NDArray[np.uint8]) -> Any:
        clock.now += 0.1
        return evaluate(policy, observations)

    monkeypatch.setattr(policy_search, "time", clock)
    monkeypatch.setattr(Policy, "logits_and_values", slowly)
    configuration = configure(variant, players)
    decisions = decisions_in(reached(configuration, 1, 12))
    assert decisions.masks.sum() > 1
    ISMCTSAgent(f"10s,{files(policy_for(configuration))}").act(decisions)
    assert 7 < clock.now <= 10.11


def test_without_time_each_candidate_gets_one_simulation() -> None:
    configuration = configure("new_york", 2)
    for decision in decisions_in(reached(configuration, 4, 12)).split():
        (action,), (visits,), *_ = PolicySearch(policy_for(configuration)).search_for(decision, 0.0)
        assert decision.masks[0, action] == 1
        assert set(visits[visits > 0].tolist()) == {1}
        assert 1 < visits.sum() <= MAX_CANDIDATES


@pytest.mark.parametrize("simulations", [1, 3, 50])
def test_it_runs_no_more_simulations_than_its_budget_and_most_of_them(simulations: int) -> None:
    configuration = configure("new_york", 2)
    decisions = decisions_in(reached(configuration, 1, 12))
    actions, visits, *_ = PolicySearch(policy_for(configuration)).search(decisions, simulations)
    assert visits[0, actions[0]] > 0
    assert 0.8 * simulations < visits.sum() <= simulations


def test_wrong_arguments_are_refused(files: Files, tmp_path: Path) -> None:
    configuration = configure("new_york", 2)
    path = files(policy_for(configuration))
    find_agent(f"ismcts:0.2s,{path}", configuration)
    for argument, message in {
        "10,": "after the comma must follow the file of a policy, or 'policy'",
        f"x,{path}": r"the budget must be a number of simulations \(200\)",
        f"10,{tmp_path}/none.safetensors": "there is no file",
    }.items():
        with pytest.raises(ValueError, match=message):
            ISMCTSAgent(argument)
    agent = ISMCTSAgent(f"10,{path}")
    games, others = (reached(configure("new_york", 2, turn_limit=limit), 1, 12) for limit in (1000, 50))
    agent.act(decisions_in(games))
    with pytest.raises(PolicyError, match="play it with --turn-limit 1000"):
        agent.act(decisions_in(others))
    with pytest.raises(PolicyError, match="there is no policy for usa, 5 players"):
        find_agent("ismcts:10,policy", configure("usa", 5, tickets="1910"))
    path = files(replace(policy_for(configuration), value_layers=()))
    with pytest.raises(PolicyError, match="this policy has no values, which the search needs: train it again"):
        find_agent(f"ismcts:10,{path}", configuration)
