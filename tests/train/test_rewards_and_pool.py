"""The rewards, opponents and settings of a training."""

import numpy as np
import pytest

import t2r_train.pool
from t2r_env import Games
from t2r_env.agents import decisions_of
from t2r_train.pool import LEARNER, FixedAgents, OpponentError, TrainingPool
from t2r_train.self_play import rank_rewards, win_rewards
from t2r_train.settings import VARIANT_SETTINGS, Settings, settings_for
from tests.helpers.odd_agents import Crashing, Remembering, path_of
from tests.train.test_self_play import beginning
from tests.train.tiny import TINY, tiny_settings


def test_the_reward_for_ranks_is_linear_and_that_for_a_win_is_the_one_of_the_first_rank_alone() -> None:
    """In a game that ended by its limit all rewards are 0."""
    assert rank_rewards(np.arange(1, 6), 5).tolist() == [1, 0.5, 0, -0.5, -1]
    assert rank_rewards(np.array([[1, 2], [0, 0], [1, 1]]), 2).tolist() == [[1, -1], [0, 0], [1, 1]]
    rewards = rank_rewards(np.array([[2, 1, 3, 4], [1, 3, 1, 4], [0, 0, 0, 0]]), 4)
    assert win_rewards(rewards).tolist() == [[-1, 1, -1, -1], [1, -1, 1, -1], [0, 0, 0, 0]]


def record(pool: TrainingPool, name: str, reward: float, games: int = 1) -> None:
    seating = np.array([[LEARNER, pool.names.index(name)]] * games)
    pool.record([(seating, np.array([[reward, -reward]] * games, np.float32))])


def test_groups_of_opponents_have_their_shares_and_stronger_opponents_more_of_them() -> None:
    _, network = beginning(tiny_settings())
    pool = TrainingPool(tiny_settings(fixed_opponents_share=0.4, latest_policy_share=0.35))
    pool.add_snapshot(network)
    pool.add_snapshot(network)
    record(pool, "random", 1.0, 500)
    record(pool, "greedy", -1.0, 500)
    record(pool, "snapshot_2", 1.0, 500)
    weights = dict(zip(pool.names, pool.weights, strict=True))
    assert weights["random"] + weights["greedy"] == pytest.approx(0.4)
    assert weights["snapshot_1"] + weights["snapshot_2"] == pytest.approx(0.25)
    assert weights["greedy"] > 10 * weights["random"] > 0
    assert weights["snapshot_1"] > 5 * weights["snapshot_2"] > 0
    assert pool.win_rates["greedy"] < 0.01 < 0.99 < pool.win_rates["random"]


def test_a_new_snapshot_replaces_the_one_that_is_beaten_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its share is never negative, as 1 - 0.9 - 0.1 is in floating-point arithmetic."""
    _, network = beginning(tiny_settings())
    monkeypatch.setattr(t2r_train.pool, "MAX_SNAPSHOTS", 2)
    pool = TrainingPool(tiny_settings(fixed_opponents_share=0.9, latest_policy_share=0.1))
    pool.add_snapshot(network)
    pool.add_snapshot(network)
    record(pool, "snapshot_1", -1.0)
    record(pool, "snapshot_2", 1.0)
    pool.add_snapshot(network)
    assert pool.names == ["random", "greedy", "snapshot_1", "snapshot_3"]
    assert pool.win_rates["snapshot_3"] == 0.5
    assert pool.weights[-1] == 0


def drawn(pool: TrainingPool, teams: list[int], games: int = 20_000) -> np.ndarray:
    seeds = np.random.default_rng(1).integers(2**64, size=(games, 2 + len(teams)), dtype=np.uint64)
    return pool.draw(seeds, np.array(teams))


@pytest.mark.parametrize("teams", [[0, 1], [0, 1, 2], [0, 0, 1, 1, 2, 2]])
def test_the_policy_plays_all_seats_of_most_games_and_one_team_of_the_others(teams: list[int]) -> None:
    pool = TrainingPool(tiny_settings(fixed_opponents_share=0.3, latest_policy_share=0.5))
    record(pool, "random", 1.0, 500)  # so that greedy is drawn more often
    seating = drawn(pool, teams)
    is_self_play = (seating == LEARNER).all(axis=1)
    assert is_self_play.mean() == pytest.approx(0.7, abs=0.01)  # snapshots would have the rest, but there are none
    others = seating[~is_self_play]
    members = [[seat for seat, of in enumerate(teams) if of == team] for team in range(teams[-1] + 1)]
    shares = [((others[:, own] == LEARNER).all(axis=1)).mean() for own in members]
    assert shares == pytest.approx([1 / len(members)] * len(members), abs=0.02)
    assert np.isin((others == LEARNER).sum(axis=1), [len(members[0])]).all()
    played = np.bincount(others[others != LEARNER]) / (others != LEARNER).sum()
    assert played == pytest.approx(pool.weights / 0.3, abs=0.02)


def test_without_opponents_the_policy_plays_all_seats_and_each_opponent_but_no_teammate_counts() -> None:
    for settings in (tiny_settings(fixed_opponents=()), tiny_settings(fixed_opponents_share=0.0)):
        assert (drawn(TrainingPool(settings), [0, 1], 500) == LEARNER).all()
    pool = TrainingPool(tiny_settings())
    pool.record([(np.array([[LEARNER, LEARNER, 0, 1, 1, 1]]), np.array([[1, 1, 0, 0, -1, -1]], np.float32))])
    assert pool.win_rates == {"random": pytest.approx(0.505), "greedy": pytest.approx(1 - 0.5 * 0.99**3)}


@pytest.mark.parametrize(
    ("rewards", "won"), [([1, 0, -1], 1), ([0, 1, -1], 0), ([0.5, 0.5, -1], 0.5), ([0, 0, 0], 1 / 3)]
)
def test_a_win_is_the_first_rank_shared_among_those_who_have_it(rewards: list[float], won: float) -> None:
    pool = TrainingPool(tiny_settings())
    pool.record([(np.array([[LEARNER, 0, 0]] * 5000), np.array([rewards] * 5000, np.float32))])
    assert pool.win_rates["random"] == pytest.approx(won, abs=1e-6)


def test_of_a_fixed_agent_that_may_remember_a_new_instance_plays_each_seat_of_each_game() -> None:
    games = Games("new_york", 3, batch=2, seed=0, autoreset=False)
    agents, rows = FixedAgents([path_of(Remembering, "instance"), "random"], threads=2), np.arange(2)
    seeds = np.zeros(2, np.uint64)
    for seed in range(3):
        games.reset(seeds=[seed, seed + 10])
        agents.begin(rows.tolist())
        while (games.states["turn"] == 0).all():
            games.step(agents.choose(0, decisions_of(games, rows, seeds), rows))
    agents = FixedAgents([path_of(Crashing)], threads=1)
    games.reset()
    with pytest.raises(OpponentError, match=r"the opponent .*Crashing has failed: RuntimeError"):
        agents.choose(0, decisions_of(games, rows, seeds), rows)


def test_the_last_share_of_a_number_of_players_stands_for_those_that_follow() -> None:
    assert Settings(num_players=(2, 3, 4), players_shares=(1.0, 2.0)).envs(100) == [20, 40, 40]


def test_given_settings_override_those_of_the_variant() -> None:
    assert settings_for("new_york", {}).reward_unit == VARIANT_SETTINGS["new_york"]["reward_unit"]
    assert settings_for("new_york", {"reward_unit": 7.0}).reward_unit == 7.0
    assert settings_for("usa", {"options": {"turn_limit": 9}}).options == {"turn_limit": 9}
    assert settings_for("pennsylvania", TINY).variant == "pennsylvania"
    with pytest.raises(ValueError, match="there is no setting 'depth'; settings are: average_timesteps, batch_size"):
        settings_for("usa", {"depth": 3})
