"""The rewards, opponents and settings of a training."""

from pathlib import Path

import numpy as np
import pytest

from t2r_agents.policy import Policy
from t2r_env import trajectories
from t2r_env.envs.seat_games import LEARNER
from t2r_train.games import opponents_of
from t2r_train.pool import LATEST_POLICY, TrainingPool
from t2r_train.rewards import discounted_returns, rank_reward
from t2r_train.settings import VARIANT_SETTINGS, settings_for
from tests.train.tiny import TINY, tiny_settings, trained


def test_the_reward_for_ranks_is_linear_from_the_first_to_the_last() -> None:
    settings = tiny_settings(win_reward=2.0)
    assert [rank_reward({"rank": rank}, 5, settings) for rank in range(1, 6)] == [2, 1, 0, -1, -2]
    assert rank_reward({}, 2, settings) == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_return_is_the_final_margin_and_the_reward_for_the_rank(seat: int) -> None:
    settings = tiny_settings(reward_unit=10.0, win_reward=0.5)
    game = list(trajectories("new_york", 2, games=1, seed=4, reward="margin"))[seat]
    margin = game.rewards.sum()
    returns = discounted_returns(game, 2, settings)
    assert returns[0] == pytest.approx(margin / 10 + np.sign(margin) * 0.5)
    assert returns[-1] == pytest.approx(game.rewards[-1] / 10 + np.sign(margin) * 0.5)


def test_returns_are_discounted_by_timesteps() -> None:
    settings = tiny_settings(gamma=0.5, win_reward=0.0, reward_unit=1.0)
    game = next(iter(trajectories("new_york", 2, games=1, seed=4, reward="margin")))
    weights = 0.5 ** np.arange(len(game.rewards))
    assert discounted_returns(game, 2, settings)[0] == pytest.approx((game.rewards * weights).sum())


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    return trained(tmp_path, 0).policy()


def test_groups_of_opponents_have_their_shares_and_stronger_opponents_more_of_them(policy: Policy) -> None:
    pool = TrainingPool(tiny_settings(fixed_opponents_share=0.4, latest_policy_share=0.35), policy)
    pool.add_snapshot(policy)
    pool.add_snapshot(policy)
    for _ in range(500):
        pool.record(pool.names.index("random"), 1.0)
        pool.record(pool.names.index("greedy"), 0.0)
        pool.record(pool.names.index("snapshot_2"), 1.0)
    pool.update(policy)
    weights = dict(zip(pool.names, pool.weights, strict=True))
    assert weights["random"] + weights["greedy"] == pytest.approx(0.4)
    assert weights[LATEST_POLICY] == pytest.approx(0.35)
    assert weights["snapshot_1"] + weights["snapshot_2"] == pytest.approx(0.25)
    assert weights["greedy"] > 10 * weights["random"] > 0
    assert weights["snapshot_1"] > 5 * weights["snapshot_2"] > 0
    assert pool.win_rates["greedy"] < 0.01 < 0.99 < pool.win_rates["random"]


def test_a_new_snapshot_replaces_the_one_that_is_beaten_most(policy: Policy) -> None:
    pool = TrainingPool(tiny_settings(max_snapshots=2), policy)
    pool.add_snapshot(policy)
    pool.add_snapshot(policy)
    pool.record(pool.names.index("snapshot_1"), 0.0)
    pool.record(pool.names.index("snapshot_2"), 1.0)
    pool.add_snapshot(policy)
    assert pool.names == ["random", "greedy", LATEST_POLICY, "snapshot_1", "snapshot_3"]
    assert pool.win_rates["snapshot_3"] == 0.5


def test_shares_of_opponents_may_add_up_to_1_with_rounding(policy: Policy) -> None:
    """1 - 0.9 - 0.1 is negative in floating-point arithmetic."""
    pool = TrainingPool(tiny_settings(fixed_opponents_share=0.9, latest_policy_share=0.1), policy)
    pool.add_snapshot(policy)
    pool.update(policy)
    assert pool.weights[-1] == 0


@pytest.mark.parametrize(
    ("players", "team_size", "opponents"), [([3, LEARNER, 4], 1, [3, 4]), ([0, 1, 2, LEARNER, 0, 3], 2, [0, 1, 0, 3])]
)
def test_a_teammate_is_not_an_opponent(players: list[int], team_size: int, opponents: list[int]) -> None:
    assert opponents_of(players, team_size) == opponents


def test_given_settings_override_those_of_the_variant() -> None:
    assert settings_for("new_york", {}).features_dim == VARIANT_SETTINGS["new_york"]["features_dim"]
    assert settings_for("new_york", {"features_dim": 7}).features_dim == 7
    assert settings_for("usa", {"options": {"turn_limit": 9}}).options == {"tickets": "classic", "turn_limit": 9}
    assert settings_for("pennsylvania", TINY).variant == "pennsylvania"
    with pytest.raises(ValueError, match="there is no setting 'depth'; settings are: batch_size, clip_range"):
        settings_for("usa", {"depth": 3})
