"""Games that are played by replies in text, and the same as functions that a model calls."""

import random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import GameTools, TextEnvironment, TextGame
from tests.helpers.hidden import with_other_secrets


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_the_same_seed_and_moves_give_the_game_of_the_environment(opponents: str) -> None:
    game = TextGame("new_york", 3, seats="random", opponents=opponents)
    env = TextEnvironment(SeatEnvironment("new_york", 3, seat="random", opponents=opponents), changes=True)
    rng, total, over = random.Random(5), 0.0, False
    text, seen = game.reset(7), env.reset(seed=7)[0]
    while not over:
        assert game.seat == env.currentPlayer()
        assert seen in text
        assert game.legal_moves() == env.legalActionStrings()
        move = rng.choice(game.legal_moves())
        assert game.reward == 0
        text, (seen, reward, *ends, _) = game.step(move), env.step(move)
        total, over = total + float(reward), any(ends)
    assert game.over
    assert game.reward == total


def test_texts_hold_nothing_hidden() -> None:
    """Two games that differ only in what a seat can't know tell it the same."""
    game = TextGame("new_york", seats=(0, 1), tries=None)
    game.reset(11)
    while game.moves < 12:
        game.step(game.suggest("random"))
    texts = [game.view(), game.step("fly"), *game.legal_moves()]
    game.games.states[:] = with_other_secrets(game.games, game.seat)
    assert [game.view(), game.step("fly"), *game.legal_moves()] == [texts[0], game.step("fly"), *texts[2:]]


def test_a_reply_without_a_legal_move_changes_nothing_until_the_last_try_forfeits_the_game() -> None:
    game = TextGame("new_york", 3, seats=(0, 1, 2))
    game.reset(1)
    game.step(game.legal_moves()[0])
    before, seat = game.view(), game.seat
    first = game.step("I fly to Miami.")
    assert "'I fly to Miami.' is not a legal action; the nearest are" in first
    assert "Legal moves: " not in first
    assert game.fault in first
    second = game.step('{"move": "swim"}')
    assert f"Legal moves: {'; '.join(game.legal_moves())}" in second
    assert (game.view(), game.seat, game.over, game.moves, game.refused) == (before, seat, False, 1, 2)
    game.step(game.legal_moves()[0])
    assert game.fault == ""
    seat = game.seat
    assert [game.step("swim").startswith("'swim'") for _ in range(2)] == [True, True]  # counted anew
    assert game.step("swim") == f"The game is over: player_{seat} has forfeited it."
    assert (game.forfeited_by, game.refused, game.legal_moves()) == (seat, 5, [])
    assert game.rewards == [-1.0 if it == seat else 0.0 for it in range(3)]
    with pytest.raises(ResetNeeded, match="the game is over"):
        game.step("draw deck")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"seats": 2}, "seats must be an integer from 0 to 1"),
        ({"seats": (0, 0)}, "seats must be"),
        ({"seats": ()}, "seats must be"),
        ({"tries": 0}, "tries must be an integer, at least 1"),
        ({"list_moves": "some"}, "list_moves must be one of few, all, none"),
        ({"opponents": ["greedy", "greedy"]}, "a list of opponents must be of length 1"),
    ],
)
def test_wrong_arguments_are_errors(options: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        TextGame("new_york", **options)


def test_a_model_plays_by_calling_functions() -> None:
    tools = GameTools("new_york", opponents="random")
    text = tools.reset(seed=4, prompt="from the data set")
    assert "call `act`" in text
    assert "End your answer" not in text
    assert tools.get_reward() == -1.0  # not over
    assert "Nothing has changed" in tools.act("fly")
    rng = np.random.default_rng(0)
    while not text.startswith("The game is over"):
        text = tools.act(rng.choice(tools.legal_moves().split("; ")))
    assert tools.act("draw deck") == tools.legal_moves() == text
    assert tools.get_reward() in (-1.0, 0.0, 1.0)
    assert "trains" in tools.view()
