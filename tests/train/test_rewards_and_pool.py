"""What a training rewards, and whom it plays."""

from pathlib import Path

import numpy as np
import pytest

from agents.policy import Policy
from t2r_env import trajectories
from t2r_env.envs.seat_games import LEARNER
from tests.train.tiny import TINY, tiny_settings, trained
from train.games import opponents_of
from train.pool import LATEST, TrainingPool
from train.rewards import returns_of, reward_of_place
from train.settings import GAMES, settings_for


def test_places_are_worth_as_much_from_the_first_to_the_last() -> None:
    settings = tiny_settings(win_reward=2.0)
    assert [reward_of_place({"rank": rank}, 5, settings) for rank in range(1, 6)] == [2, 1, 0, -1, -2]
    assert reward_of_place({}, 2, settings) == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_return_is_the_final_lead_and_the_place(seat: int) -> None:
    settings = tiny_settings(reward_unit=10.0, win_reward=0.5)
    game = list(trajectories("new_york", 2, games=1, seed=4, reward="margin"))[seat]
    lead = game.rewards.sum()
    returns = returns_of(game, 2, settings)
    assert returns[0] == pytest.approx(lead / 10 + np.sign(lead) * 0.5)
    assert returns[-1] == pytest.approx(game.rewards[-1] / 10 + np.sign(lead) * 0.5)


def test_returns_are_discounted_by_decisions() -> None:
    settings = tiny_settings(discount=0.5, win_reward=0.0, reward_unit=1.0)
    game = next(iter(trajectories("new_york", 2, games=1, seed=4, reward="margin")))
    weights = 0.5 ** np.arange(len(game.rewards))
    assert returns_of(game, 2, settings)[0] == pytest.approx((game.rewards * weights).sum())


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    return trained(tmp_path, 0).policy()


def test_opponents_have_their_shares_and_the_harder_ones_more(policy: Policy) -> None:
    pool = TrainingPool(tiny_settings(fixed_share=0.4, latest_share=0.35), policy)
    pool.keep(policy)
    pool.keep(policy)
    for _ in range(500):
        pool.note(pool.names.index("random"), 1.0)
        pool.note(pool.names.index("greedy"), 0.0)
        pool.note(pool.names.index("snapshot_2"), 1.0)
    pool.renew(policy)
    weights = dict(zip(pool.names, pool.weights, strict=True))
    assert weights["random"] + weights["greedy"] == pytest.approx(0.4)
    assert weights[LATEST] == pytest.approx(0.35)
    assert weights["snapshot_1"] + weights["snapshot_2"] == pytest.approx(0.25)
    assert weights["greedy"] > 10 * weights["random"] > 0
    assert weights["snapshot_1"] > 5 * weights["snapshot_2"] > 0
    assert pool.shares["greedy"] < 0.01 < 0.99 < pool.shares["random"]


def test_the_opponent_that_is_beaten_most_makes_room_for_a_new_one(policy: Policy) -> None:
    pool = TrainingPool(tiny_settings(snapshots=2), policy)
    pool.keep(policy)
    pool.keep(policy)
    pool.note(pool.names.index("snapshot_1"), 0.0)
    pool.note(pool.names.index("snapshot_2"), 1.0)
    pool.keep(policy)
    assert pool.names == ["random", "greedy", LATEST, "snapshot_1", "snapshot_3"]
    assert pool.shares["snapshot_3"] == 0.5


def test_shares_of_opponents_may_be_rounded(policy: Policy) -> None:
    """1 - 0.9 - 0.1 is less than 0 in floating-point numbers."""
    pool = TrainingPool(tiny_settings(fixed_share=0.9, latest_share=0.1), policy)
    pool.keep(policy)
    pool.renew(policy)
    assert pool.weights[-1] == 0


@pytest.mark.parametrize(
    ("sitters", "team_size", "opponents"), [([3, LEARNER, 4], 1, [3, 4]), ([0, 1, 2, LEARNER, 0, 3], 2, [0, 1, 0, 3])]
)
def test_a_teammate_is_no_opponent(sitters: list[int], team_size: int, opponents: list[int]) -> None:
    assert opponents_of(sitters, team_size) == opponents


def test_settings_of_a_game_give_way_to_those_that_are_given() -> None:
    assert settings_for("new_york", {}).trunk == GAMES["new_york"]["trunk"]
    assert settings_for("new_york", {"trunk": 7}).trunk == 7
    assert settings_for("usa", {"options": {"turn_limit": 9}}).options == {"tickets": "classic", "turn_limit": 9}
    assert settings_for("pennsylvania", TINY).variant == "pennsylvania"
    with pytest.raises(ValueError, match="there is no setting 'depth'; settings are: batch, clip"):
        settings_for("usa", {"depth": 3})
