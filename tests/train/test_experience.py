"""Advantages: what each decision brought beyond what was expected of it."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from t2r_env import trajectories
from t2r_env.agents import Decisions
from t2r_train.experience import OUTCOME, RETURN, advantages_of
from t2r_train.self_play import SelfPlay
from tests.train.self_playing import ALONE, FIRST_SEED, played, whereabouts


def of_play(play: SelfPlay, values: Tensor, gae_lambda: float) -> tuple[Tensor, Tensor]:
    places = [torch.from_numpy(it) for it in play.places]
    rewards, over = torch.from_numpy(play.rewards), torch.from_numpy(play.over)
    return advantages_of(values, places, rewards, over, gae_lambda)


@pytest.mark.parametrize(("variant", "num_players"), [("new_york", 2), ("new_york", 4), ("team_asia", 4)])
def test_what_is_learned_from_is_what_trajectories_give_for_the_same_games_and_actions(
    variant: str, num_players: int
) -> None:
    """Observations, masks and actions of every seat, and its own rewards; an agent plays the same actions again."""
    play = played(variant, num_players, **ALONE | {"n_steps": 400, "reward_unit": 1.0, "win_reward": 0.0})
    seen, (steps, rows, seats) = play.learned, whereabouts(play)
    returns, is_known = (it.numpy() for it in of_play(play, torch.zeros(play.count, 2), 1.0))
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


def test_where_a_game_goes_on_the_last_decision_of_each_seat_stands_for_what_follows() -> None:
    play = played("new_york", 2, **ALONE | {"n_steps": 30})
    assert not play.over.any()
    steps, rows, seats = whereabouts(play)
    values = torch.randn(play.count, 2, generator=torch.Generator().manual_seed(0))
    advantages, is_known = of_play(play, values, 0.0)
    for row in range(6):
        for seat in range(2):
            own = np.flatnonzero((rows == row) & (seats == seat)).tolist()
            assert is_known[own].tolist() == [True] * (len(own) - 1) + [False]
            assert advantages[own[-1]].tolist() == [0, 0]
            for decision, following in pairwise(own):
                earned = play.rewards[steps[decision] : steps[following], row, seat].sum(axis=0)
                expected = earned + (values[following] - values[decision]).numpy()
                assert advantages[decision].numpy() == pytest.approx(expected, abs=1e-4)


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


def test_what_a_seat_earns_before_its_first_decision_of_a_game_is_not_counted_in_the_game_before() -> None:
    rewards = torch.zeros(3, 1, 2, 2)
    rewards[:, 0, :, RETURN] = torch.tensor([[1.0, -1], [-2, 2], [4, -4]])
    over = torch.tensor([[True], [False], [True]])
    places = [torch.tensor([seat]) for seat in (0, 1, 0)]
    advantages, is_known = advantages_of(torch.zeros(3, 2), places, rewards, over, 0.8)
    assert advantages[:, RETURN].tolist() == [1, 2 - 4, 4]
    assert is_known.all()
