"""Trajectories of whole games."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games, configure, trajectories
from t2r_env.agents import Decisions
from t2r_env.games import Reward
from tests.helpers.odd_agents import COUNTING, Counting, First, Last
from tests.helpers.playing import Options, check_same, each_kind_once, every_reward


@every_reward
def test_each_seats_rewards_add_up_to_its_return(variant: str, players: int, options: Options, reward: Reward) -> None:
    """Each is all that came until the seat's next decision. Decisions are those of the game played again."""
    chosen = configure(variant, players, **options)
    game = list(trajectories(chosen, games=1, seed=30 + players, reward=reward))
    assert [(told.seed, told.seat) for told in game] == [(30 + players, seat) for seat in range(players)]
    games = Games(chosen, seed=30 + players, reward=reward, autoreset=False)
    steps, since = [0] * players, np.zeros(players)
    while games.masks.any():
        seat = int(games.current[0])
        told, step = game[seat], steps[seat]
        if step:
            assert told.rewards[step - 1] == since[seat]
            since[seat] = 0
        np.testing.assert_array_equal(told.observations[step], games.observations[0])
        np.testing.assert_array_equal(told.masks[step], games.masks[0])
        games.step(told.actions[step : step + 1])
        since += games.rewards[0]
        steps[seat] += 1
    final = games.snapshot()["final"]
    for told, number in zip(game, steps, strict=True):
        assert told.rewards[-1] == since[told.seat]
        assert (told.result["score"], told.result["rank"]) == (final[told.seat]["score"], final[told.seat]["rank"])
        assert not told.truncated
        assert told.observations.shape == (number, chosen.layout.observation.size)
        assert told.masks.shape == (number, chosen.layout.actions.size)
        assert told.actions.shape == told.rewards.shape == (number,)
        types = [array.dtype.name for array in (told.observations, told.masks, told.actions, told.rewards)]
        assert types == ["uint8", "int8", "int64", "float64"]
        np.testing.assert_array_equal(told.final_observation, games.final_observations[0, told.seat])


@each_kind_once
@pytest.mark.parametrize("agents", ["random", First(), Counting, COUNTING])
def test_games_are_the_same_for_every_batch(variant: str, players: int, agents: Any) -> None:
    chosen = configure(variant, players)
    whole = list(trajectories(chosen, agents=agents, games=5, seed=2**64 - 2, batch=5))
    assert [told.seed for told in whole[::players]] == [2**64 - 2, 2**64 - 1, 0, 1, 2]
    for batch in (1, 3):
        parts = list(trajectories(chosen, agents=agents, games=5, seed=2**64 - 2, batch=batch))
        check_same([vars(told) for told in parts], [vars(told) for told in whole])


def test_agents_are_one_for_all_seats_which_acts_in_all_games_together_or_one_for_each() -> None:
    """C19: a truncated game has no result."""
    asked = []

    def counting(decisions: Decisions) -> NDArray[np.int64]:
        asked.append(len(decisions))
        return First().act(decisions)

    alone: list[Any] = [counting, [counting]]
    for agents in alone:
        played = list(trajectories("usa", 4, agents=agents, games=6, turn_limit=12))
        assert max(asked) == asked[0] == 6
        assert sum(asked) == sum(len(told.actions) for told in played)
        assert all(np.array_equal(told.actions, told.masks.argmax(axis=1)) for told in played)
        asked.clear()
    each: list[Any] = [First, Last, "random"]
    for told in trajectories("usa", 3, agents=each, games=2, turn_limit=30):
        first, last = told.masks.argmax(axis=1), told.masks.shape[1] - 1 - told.masks[:, ::-1].argmax(axis=1)
        assert np.array_equal(told.actions, first) == (told.seat == 0)
        assert np.array_equal(told.actions, last) == (told.seat == 1)
        assert told.truncated
        assert told.result == {}
        assert not told.rewards.any()


def test_games_are_played_when_their_trajectories_are_needed() -> None:
    played = trajectories("new_york", games=10**15, batch=2)
    assert [told.seed for told in islice(played, 5)] == [0, 0, 1, 1, 2]
    assert list(trajectories("new_york", games=0)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"colour": 1}, "usa has no option 'colour'"),
        ({"agents": "nobody"}, "there is no agent 'nobody'"),
        *[({"agents": it}, "agents must be one agent, or a list of 2") for it in (["random"] * 3, [])],
        ({"games": -1}, "games must be an integer, at least 0, not -1"),
        ({"batch": 0}, "batch must be an integer, at least 1, not 0"),
        ({"seed": -1}, "a seed must be an integer from 0 to"),
        ({"reward": "money"}, "reward must be one of rank, win, score, margin, not 'money'"),
    ],
)
def test_a_wrong_argument_is_named_at_once(arguments: dict[str, Any], message: str) -> None:
    """Not only when the first trajectory is needed."""
    with pytest.raises((ValueError, TypeError), match=message):
        trajectories(**{"variant": "usa", "games": 1, **arguments})
