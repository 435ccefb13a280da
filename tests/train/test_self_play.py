"""What the learner learns from: the decisions of all seats of the policy, and what its network sees."""

import numpy as np
import pytest
import torch

from t2r_agents.playing.policy import Skip
from t2r_env import Games
from t2r_train.experience import OUTCOME
from t2r_train.inputs import Inputs, hidden_part
from t2r_train.learner import Learner
from t2r_train.pool import LEARNER
from t2r_train.self_play import collect, draw, spread
from tests.train.self_playing import ALONE, FIRST_SEED, beginning, played, whereabouts
from tests.train.tiny import tiny_settings


def test_groups_and_threads_change_nothing_of_what_is_played() -> None:
    """Each game's decisions are the same; opponents are agents, and snapshots that play by the network, too."""
    settings = tiny_settings(n_envs=64, n_steps=60, fixed_opponents=("greedy",), reward="margin")
    seen = []
    for groups, threads in ((1, 1), (2, 1), (2, 3), (3, 2)):
        plays, network = beginning(settings, groups=groups, threads=threads)
        plays[0].pool.add_snapshot(network)
        for play in plays:
            play._begin(np.arange(play.games.batch), play.games.seeds.copy())
        for _ in range(2):  # the pool's shares are others in the second rollout
            collect(plays, network, threads=threads)
        of_games = [whereabouts(play)[1] for play in plays]
        seen.append(
            [
                (play.learned.inputs[rows == row].tolist(), play.learned.actions[rows == row].tolist())
                for play, rows in zip(plays, of_games, strict=True)
                for row in range(play.games.batch)
            ]
        )
        assert {LEARNER, 0, 1} == set(np.concatenate([play.seating for play in plays]).ravel().tolist())
    assert all(it == seen[0] for it in seen)


def test_the_first_games_are_spread_over_all_parts_of_a_game_however_they_are_grouped() -> None:
    found = []
    for groups in (1, 3):
        plays, network = beginning(tiny_settings(n_envs=32, n_steps=16), groups=groups)
        spread(plays, network)
        both = zip(*((play.games.states["decisions"], play.games.seeds) for play in plays), strict=True)
        found.append([np.concatenate(it) for it in both])
    assert all(map(np.array_equal, *found))
    decisions, seeds = found[0]
    for rollout, after in enumerate((48, 32, 16, 0)):  # in rollouts of 16 steps, as games of random play take 61
        assert (decisions[rollout::4] == after).mean() > 0.9  # some have ended, and begun anew
    assert (seeds != np.arange(FIRST_SEED, FIRST_SEED + 32, dtype=np.uint64)).all()


def test_opponents_change_between_games_only() -> None:
    (play,), network = beginning(tiny_settings(n_steps=2, fixed_opponents_share=0.5, latest_policy_share=0.0))
    play.pool.add_snapshot(network)
    changed = 0
    for _ in range(150):
        before = play.seating.copy()
        collect([play], network)
        goes_on = ~play.over.any(axis=0)
        assert np.array_equal(play.seating[goes_on], before[goes_on])
        changed += (play.seating[~goes_on] != before[~goes_on]).any(axis=1).sum()
        play.pool.record([(play.seating, np.tile(np.array([[1.0, -1.0]], np.float32), (8, 1)))])  # other shares
    assert changed


def test_decisions_of_the_pool_are_not_training_data_and_features_are_computed_for_networks_alone() -> None:
    play = played("new_york", 2, features="plan", fixed_opponents_share=1.0, latest_policy_share=0.0, n_steps=20)
    assert ((play.seating == LEARNER).sum(axis=1) == 1).all()
    _, rows, seats = whereabouts(play)
    assert (play.seating[rows, seats] == LEARNER).all()
    assert 0 < play.count < 20 * 8
    planned = play.games.observations[:, play.games.layout.observation["planner_action"].slice].any(axis=1)
    assert np.array_equal(planned, play.seating[np.arange(8), play.games.current] == LEARNER)
    assert (play.learned.inputs[:, play.inputs.observation["planner_action"].slice].sum(dim=1) == 1).all()


def test_actions_are_legal_and_have_the_probabilities_of_the_policy() -> None:
    log_probabilities = torch.log_softmax(torch.tensor([[0.0, -1e8, 1.0, 2.0]]), dim=1).repeat(40_000, 1)
    actions = draw(log_probabilities, torch.from_numpy(np.random.default_rng(0).random(40_000)))
    shares = np.bincount(actions, minlength=4) / 40_000
    assert shares[1] == 0
    assert shares == pytest.approx(log_probabilities[0].exp().numpy(), abs=0.01)
    seen = played("usa", 2, **ALONE).learned
    assert seen.masks.gather(1, seen.actions[:, None]).all()
    assert (seen.log_probabilities < 0).any()


@pytest.mark.parametrize("variant", ["europe", "pennsylvania", "team_asia", "card_game"])
def test_the_critic_sees_what_the_seat_does_not(variant: str) -> None:
    """Of any two deals that look the same to a seat; the columns are the same whoever it is."""
    games = Games(variant, batch=20, seed=3)
    games.play_random(30)
    segments, columns = hidden_part(games.configuration)
    assert columns.shape == (games.num_players, segments.size)
    others = games.clone()
    others.set_states(None, games.determinize(None, range(20)))
    hidden, dealt = (np.take_along_axis(it.global_state(), columns[it.current], axis=1) for it in (games, others))
    assert np.array_equal(games.observations, others.observations)
    assert not np.array_equal(hidden, dealt)


def test_the_critic_sees_the_others_hands_in_turn_order() -> None:
    games = Games("new_york", 3, seed=0)
    games.play_random(40)
    (segments, columns), (state,) = hidden_part(games.configuration), games.global_state()
    hands = state[games.layout.global_state["hand"].slice].reshape(3, -1)
    for seat in range(3):
        seen = state[columns[seat]][segments["hand"].slice].reshape(2, -1)
        assert np.array_equal(seen, hands[[(seat + 1) % 3, (seat + 2) % 3]])
    assert hands.sum() > 0


@pytest.mark.parametrize("critic", ["observation", "global_state"])
def test_an_exported_policy_computes_what_the_network_does(critic: str) -> None:
    settings = tiny_settings("new_york", critic=critic, net_arch=(12, 9))
    (play,), network = beginning(settings, Skip(20, 2.5))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
        collect([play], network)
    policy, seen = network.export([play.games.configuration]), play.learned
    log_probabilities, values = network(seen.inputs, seen.hidden, seen.masks)
    logits, outcomes_of_policy = policy.logits_and_values(seen.inputs.numpy())
    legal = seen.masks.numpy()
    expected = np.where(legal, logits, -np.inf)
    expected -= np.logaddexp.reduce(expected, axis=1, keepdims=True)
    assert log_probabilities.detach().numpy()[legal] == pytest.approx(expected[legal], abs=1e-3)
    assert values[:, OUTCOME].detach().numpy() == pytest.approx(outcomes_of_policy, abs=1e-4)
    assert torch.equal(network.log_probabilities(seen.inputs, seen.masks), log_probabilities)
    assert (seen.hidden.shape[1] > 0) == (critic == "global_state")
    assert values.detach().numpy() == pytest.approx(seen.values.numpy(), abs=1e-5)


def test_the_outcomes_do_not_train_what_the_policy_uses() -> None:
    (play,), network = beginning(tiny_settings("new_york", **ALONE))
    collect([play], network)
    network(play.learned.inputs, play.learned.hidden, play.learned.masks)[1][:, OUTCOME].sum().backward()
    assert network.outcome_head.weight.grad is not None
    assert network.features.weight.grad is not None
    assert not network.features.weight.grad.any()


def test_bfloat16_is_close_to_float32() -> None:
    (play,), network = beginning(tiny_settings("new_york", features_dim=64, **ALONE))
    collect([play], network)
    seen, outputs = play.learned[:50], []
    for network.uses_bfloat16 in (False, True):
        outputs.append(network(seen.inputs, seen.hidden, seen.masks))
        assert outputs[-1][0].dtype == torch.float32
    assert not torch.equal(outputs[0][1], outputs[1][1])
    assert outputs[1][1].detach().numpy() == pytest.approx(outputs[0][1].detach().numpy(), abs=0.05)


def test_the_planner_decides_about_tickets_and_the_policy_does_not_learn_from_it() -> None:
    settings = tiny_settings("usa", features="plan", **ALONE | {"n_steps": 300})
    skip = Skip(Inputs.of(settings).observation["planner_action"].start, 3.0)  # so that it plays well, as planners do
    (play,), network = beginning(settings, skip)
    collect([play], network, planner_tickets=True)
    Learner(network, settings, [play], play.experience).estimate()
    seen = play.learned
    draw_tickets, keep = (play.games.layout.actions[name].start for name in ("draw_tickets", "keep_ticket"))
    planned = play.inputs.planned(seen.inputs)
    assert torch.equal(seen.is_given, seen.masks[:, keep] | (planned == draw_tickets))
    assert (seen.actions[seen.is_given] == planned[seen.is_given]).all()
    assert (seen.actions[~seen.is_given] != planned[~seen.is_given]).any()
    may_draw = seen.masks[:, draw_tickets] & (seen.masks.sum(dim=1) > 1)
    assert torch.equal(may_draw, planned == draw_tickets)
    assert may_draw.any()
    assert (seen.advantages[seen.is_given] == 0).all()
    assert (seen.advantages[~seen.is_given] != 0).float().mean() > 0.9
    collect([play], network)
    assert not play.learned.is_given.any()
