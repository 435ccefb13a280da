"""What the learner learns from: the decisions of all seats of the policy, their advantages, what its network sees.

The example of PPO has the same advantages of games in which anyone acts and earns at any time
(tests/docs/test_examples.py).
"""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from t2r_agents.playing.policy import Skip
from t2r_env import Games, trajectories
from t2r_env.agents import Decisions
from t2r_train.experience import OUTCOME, RETURN, Experience, advantages_of
from t2r_train.inputs import Inputs, hidden_part, samples_of
from t2r_train.learner import Learner
from t2r_train.network import Network
from t2r_train.pool import LEARNER, TrainingPool
from t2r_train.self_play import SelfPlay, collect, draw, spread
from t2r_train.settings import Settings
from tests.train.tiny import tiny_settings

ALONE: dict[str, Any] = {"fixed_opponents": (), "n_steps": 200, "n_envs": 6}
FIRST_SEED = 5


def beginning(
    settings: Settings, skip: Skip | None = None, *, groups: int = 1, threads: int = 1
) -> tuple[list[SelfPlay], Network]:
    """Groups of games, and a network for them."""
    inputs, (configuration, *_) = Inputs.of(settings), settings.configurations()
    experience = Experience.empty(settings.n_envs * settings.n_steps, inputs, torch.device("cpu"))
    pool, plays, first = TrainingPool(settings), [], 0
    for seeds in np.array_split(FIRST_SEED + np.arange(settings.n_envs, dtype=np.uint64), groups):
        rows = slice(first, first + len(seeds) * settings.n_steps)
        plays.append(SelfPlay(configuration, settings, inputs, pool, experience[rows], seeds, threads))
        first = rows.stop
    torch.manual_seed(0)
    return plays, Network(*samples_of(settings, inputs), inputs.num_actions, settings, skip)


def played(variant: str, num_players: int, **others: Any) -> SelfPlay:
    """Games of one rollout."""
    (play,), network = beginning(tiny_settings(variant, num_players=(num_players,), **others))
    collect([play], network)
    return play


def whereabouts(play: SelfPlay) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The step, the game and the seat of each decision of the learner, (M,)."""
    steps = np.repeat(np.arange(len(play.places)), [*map(len, play.places)])
    return steps, *np.divmod(np.concatenate(play.places), play.games.num_players)


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
        found: list[Any] = []
        for play in plays:
            learned, (_, rows, _) = play.learned, whereabouts(play)
            owns = [rows == row for row in range(play.games.batch)]
            found += [(learned.inputs[own].tolist(), learned.actions[own].tolist()) for own in owns]
        seen.append(found)
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


@pytest.mark.parametrize(("variant", "num_players"), [("new_york", 2), ("new_york", 4), ("team_asia", 4)])
def test_what_is_learned_from_is_what_trajectories_give_for_the_same_actions(variant: str, num_players: int) -> None:
    """Observations, masks and actions of every seat, and its own rewards; an agent plays the same actions again."""
    play = played(variant, num_players, **ALONE | {"n_steps": 400, "reward_unit": 1.0, "win_reward": 0.0})
    seen, (steps, rows, seats) = play.learned, whereabouts(play)
    places, over = [torch.from_numpy(it) for it in play.places], torch.from_numpy(play.over)
    found = advantages_of(torch.zeros(play.count, 2), places, torch.from_numpy(play.rewards), over, 1.0)
    returns, is_known = (it.numpy() for it in found)
    inputs, masks, actions = (it.numpy() for it in (seen.inputs, seen.masks, seen.actions))
    chosen = {it.tobytes(): action for it, action in zip(inputs, actions, strict=True)}

    def again(decisions: Decisions) -> NDArray[np.int64]:
        legal = decisions.masks.argmax(axis=1)  # in games that the rollout does not end
        seen_again = zip(decisions.observations, legal, strict=True)
        return np.array([chosen.get(it.tobytes(), any_) for it, any_ in seen_again])

    games = trajectories(play.games.configuration, agents=again, games=6, seed=FIRST_SEED, reward="margin")
    ends, compared = play.over.argmax(axis=0), 0
    for number, game in enumerate(games):
        row, seat = divmod(number, num_players)
        if play.over[:, row].any():
            own = (rows == row) & (seats == seat) & (steps <= ends[row])
            assert np.array_equal(inputs[own], game.observations)
            assert np.array_equal(masks[own], game.masks)
            assert actions[own].tolist() == game.actions.tolist()
            assert is_known[own].all()
            assert returns[own, RETURN] == pytest.approx(np.cumsum(game.rewards[::-1])[::-1], abs=1e-3)
            rank, teams = game.result["rank"], play.games.configuration.num_teams
            assert returns[own, OUTCOME] == pytest.approx(np.full(own.sum(), 1 - 2 * (rank - 1) / (teams - 1)))
            compared += 1
    assert compared >= num_players


def test_advantages_are_those_of_generalised_advantage_estimation() -> None:
    """One game of two seats, by hand: seat 1's reward for the move of seat 0 belongs to its own decision before."""
    rewards = torch.zeros(4, 1, 2, 2)
    rewards[:, 0, :, RETURN] = torch.tensor([[1.0, -1], [-2, 2], [4, -4], [8, -8]])
    rewards[3, 0, :, OUTCOME] = torch.tensor([1.0, -1])
    over = torch.tensor([[False], [False], [False], [True]])
    places = [torch.tensor([seat]) for seat in (0, 1, 0, 1)]
    values = torch.tensor([[0.5, 0.0], [0.25, 0.0], [1.5, 0.5], [3.0, 0.25]])
    advantages, is_known = advantages_of(values, places, rewards, over, 0.8)
    last_0, last_1 = (4 + 8) - 1.5, -8 - 3.0
    first_0 = (1 - 2) + 1.5 - 0.5 + 0.8 * last_0
    first_1 = (2 - 4) + 3.0 - 0.25 + 0.8 * last_1
    assert advantages[:, RETURN].tolist() == pytest.approx([first_0, first_1, last_0, last_1])
    expected = [0.5 + 0.8 * 0.5, 0.25 + 0.8 * -1.25, 1 - 0.5, -1 - 0.25]
    assert advantages[:, OUTCOME].tolist() == pytest.approx(expected)
    assert is_known.all()
