"""Advantages: what each decision brought beyond what was expected of it.

The example of PPO has the same ones of games in which anyone acts and earns at any time (tests/docs/test_examples.py).
"""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from t2r_env import trajectories
from t2r_env.agents import Decisions
from t2r_train.experience import OUTCOME, RETURN, advantages_of
from tests.train.self_playing import ALONE, FIRST_SEED, played, whereabouts


@pytest.mark.parametrize(("variant", "num_players"), [("new_york", 2), ("new_york", 4), ("team_asia", 4)])
def test_what_is_learned_from_is_what_trajectories_give_for_the_same_games_and_actions(
    variant: str, num_players: int
) -> None:
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
        return np.array(
            [chosen.get(it.tobytes(), any_) for it, any_ in zip(decisions.observations, legal, strict=True)]
        )

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
