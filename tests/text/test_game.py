"""Games that are played by replies in text, and the same as functions that a model calls."""

import random
import re
from contextlib import suppress
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import t2r_env
from t2r_env.agents import Decisions
from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import GameTools, TextEnvironment, TextGame
from tests.helpers.hidden import with_other_secrets


def play(game: TextGame, seed: int, agents: tuple[str, ...] = ("random",)) -> list[tuple[int, str]]:
    """Play a game by what agents would do; return who was told what, and at last the result."""
    text = game.reset(seed)
    told = [(game.seat, text)]
    while not game.over:
        text = game.step(game.suggest(agents[game.seat % len(agents)]))
        told.append((game.seat, text))
    return told


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


def test_an_environment_of_gymnasium_make_is_played_in_texts_within_its_wrappers() -> None:
    wrapped = gymnasium.make("t2r_env/new_york-v0", opponents="random", max_episode_steps=2)
    env, bare = TextEnvironment(wrapped), TextEnvironment(SeatEnvironment("new_york", opponents="random"))
    assert env.reset(seed=4)[0] == bare.reset(seed=4)[0]
    ends = []
    for _ in range(2):
        text, *_, truncated, _ = env.step(env.legalActionStrings()[0])
        assert text == bare.step(bare.legalActionStrings()[0])[0]
        ends.append(truncated)
    assert ends == [False, True]
    others: list[Any] = [gymnasium.make("CartPole-v1"), t2r_env.Games("new_york")]
    for other in others:
        with pytest.raises(TypeError, match=r"env must be a SeatEnvironment, .* not (CartPoleEnv|Games)"):
            TextEnvironment(other)


def test_several_seats_are_told_what_is_theirs_and_agents_play_the_others() -> None:
    game = TextGame("new_york", 4, seats=(2, 0), opponents=["greedy", "random"])
    told = play(game, seed=3, agents=("greedy", "", "racer"))
    first = dict(reversed(told))
    assert set(first) == {0, 2}
    for seat, text in told[:-1]:
        assert re.search(rf"^Turn \d+\. player_{seat}\b", text, re.MULTILINE)
        assert text.startswith(game.rules) == (text == first[seat])
    assert sum(game.rewards) == pytest.approx(0)
    assert game.reward == game.rewards[2]
    assert [seat for seat in range(4) if f"player_{seat}: " in told[-1][1]] == [0, 1, 2, 3]
    assert "The game is over. player_0: " in told[-1][1]


def test_an_agent_plays_on_for_the_seats_as_by_its_suggestions() -> None:
    sequences: list[Any] = [np.array([0, 1]), range(2)]
    game, other = (TextGame("new_york", seats=seats) for seats in sequences)
    with pytest.raises(ResetNeeded):
        game.play_on("greedy")
    game.reset(3)
    told = [other.reset(3)]
    while not other.over:
        told.append(other.step(other.suggest("greedy")))
    assert game.play_on("greedy", moves=5) == told[5]
    with pytest.raises(ValueError, match="moves must be"):
        game.play_on("greedy", moves=0)
    assert game.play_on("greedy") == game.play_on("greedy") == told[-1] == game.result()
    assert game.moves == len(told) - 1


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


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_a_seat_that_forfeits_has_minus_one_whatever_it_has_earned(reward: Any) -> None:
    game = TextGame("new_york", seats=(0, 1), reward=reward)
    game.reset(3)
    game.play_on("greedy", moves=40)
    earned = game._earned.tolist()
    game.forfeit()
    assert game.rewards[game.seat] == -1
    assert game.rewards[1 - game.seat] == earned[1 - game.seat] != 0


def test_after_an_opponent_failed_in_a_new_game_its_seat_is_not_played() -> None:
    def fail(decisions: Decisions) -> Any:
        raise RuntimeError("it has failed")

    game = TextGame("new_york", seats="random", opponents=fail)
    of_seat = {0: 0, 1: 0}
    for seed in range(20):
        with suppress(RuntimeError):
            game.reset(seed)
        of_seat[game.seats[0]] = seed
    game.reset(of_seat[0])
    with pytest.raises(RuntimeError, match="it has failed"):
        game.reset(of_seat[1])
    assert (game.seats, game.seat) == ((1,), 1)
    for ask in (game.legal_moves, partial(game.step, "draw deck")):
        with pytest.raises(ResetNeeded, match="an opponent has failed to act"):
            ask()


def test_tries_may_have_no_end_a_seat_may_give_up_and_another_game_begins_with_nothing_told() -> None:
    game = TextGame("new_york", tries=None)
    with pytest.raises(ResetNeeded, match="no game has begun"):
        game.legal_moves()
    first = game.reset(1)
    for _ in range(9):
        game.step("swim")
    assert not game.over
    assert game.forfeit() == "The game is over: player_0 has forfeited it."
    assert (game.reward, game.forfeited_by) == (-1.0, 0)
    assert game.reset(1) == first
    assert (game.over, game.forfeited_by, game.refused, game.fault) == (False, None, 0, "")
    assert game.reset() != first


def test_the_texts_are_as_long_as_is_asked_for_and_the_turn_limit_ends_a_game() -> None:
    def first_two(**options: Any) -> list[str]:
        game = TextGame("new_york", **options)
        texts = [game.reset(1), game.step("keep"), game.step("keep")]
        return texts[1:] if game.rules in texts[0] else texts

    offered, turn = first_two()
    assert "Since your last decision" in offered
    assert "Legal moves" in offered
    assert "Legal moves" not in turn
    first, offered, turn = first_two(rules=False, changes=False, list_moves="all")
    assert all("Unclaimed routes (" in text and "Legal moves" in text for text in (first, offered, turn))
    assert not any("Legal moves" in text for text in first_two(rules=False, list_moves="none"))
    limited = TextGame("new_york", turn_limit=4)
    assert play(limited, 1)[-1][1] == "The game is over: it has reached the limit of turns."


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"seats": 2}, "seats must be an integer from 0 to 1"),
        ({"seats": (0, 0)}, "seats must be"),
        ({"seats": ()}, "seats must be"),
        ({"seats": np.array([0, 2])}, "seats must be an integer from 0 to 1, several of them"),
        ({"rules": None}, "rules must be one of True, False, not None"),
        ({"changes": "no"}, "changes must be one of True, False, not 'no'"),
        ({"tries": 0}, "tries must be an integer, at least 1"),
        ({"list_moves": "some"}, "list_moves must be one of few, all, none"),
        ({"opponents": ["greedy", "greedy"]}, "a list of opponents must be of length 1"),
    ],
)
def test_wrong_arguments_are_errors(options: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        TextGame("new_york", **options)


def test_a_model_plays_by_calling_functions() -> None:
    with pytest.raises(ValueError, match=r"of one seat, not of seats=\(0, 1\)"):
        GameTools("new_york", seats=[0, 1])
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
