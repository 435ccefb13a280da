"""The arrays that `Games` writes: global states, and arrays that are given for it to write into."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from tests.helpers.environments import choose
from tests.helpers.playing import every_copy, every_variant_once

BUFFERS = ("observations", "masks", "rewards", "global_states")
"""The arrays that `write_to` takes."""


def arrays_of(games: Games) -> dict[str, NDArray[Any]]:
    """These arrays of games, which change with them."""
    return {name: getattr(games, name) for name in BUFFERS}


def new_buffers(games: Games) -> dict[str, NDArray[Any]]:
    """Arrays of other memory, with other values."""
    return {name: np.full_like(array, 7) for name, array in arrays_of(games).items()}


def ways_to_go_on(games: Games, seed: int) -> Iterator[str]:
    """Everything that writes the arrays, one after the other."""
    rng = np.random.default_rng(seed)
    for _ in range(5):
        games.step(choose(games.masks, rng))
        yield "step"
    games.play_random(150, seed=seed)
    yield "play_random"
    games.step(choose(games.masks, rng)[[2, 0]], [2, 0])
    yield "step of two rows"
    games.set_states([1, 3], games.states[[2, 0]])
    yield "set_states"
    games.set_state(games.get_state(0), row=4)
    yield "set_state"
    games.reset([0], seeds=[9])
    yield "reset with a seed"
    games.reset()
    yield "reset"


@every_variant_once
@pytest.mark.parametrize("more", [{}, {"threads": 2}, {"autoreset": False}, {"features": "plan", "threads": 2}])
def test_global_states_are_written_whenever_a_game_changes(variant: str, players: int, more: dict[str, Any]) -> None:
    games = Games(variant, players, batch=6, global_state=True, seed=0, **more)
    array, layout = games.global_states, games.layout.global_state
    assert array.shape == (6, layout.size)
    assert array.dtype == np.uint8
    assert np.array_equal(array, games.global_state())
    for way in ways_to_go_on(games, seed=1):
        assert np.array_equal(array, games.global_state()), way
    assert games.global_states is array


def test_only_what_is_asked_for_takes_memory_and_arrays_without_columns_may_be_given() -> None:
    games = Games("new_york", 2, batch=3, seed=0)
    assert games.global_states.shape == (3, 0)
    assert games.global_state().any()
    games = Games("new_york", 2, batch=3, seed=0, observe=False, global_state=True)
    games.write_to(**new_buffers(games))
    games.step(games.masks.argmax(axis=1))
    assert games.observations.shape == (3, 0)
    assert np.array_equal(games.global_states, games.global_state())


@pytest.mark.parametrize("features", [None, "plan"])
@pytest.mark.parametrize("threads", [1, 2])
def test_games_go_on_in_the_arrays_that_they_are_given(features: str | None, threads: int) -> None:
    more: dict[str, Any] = {"reward": "score", "global_state": True, "features": features, "threads": threads}
    games, usual = (Games("new_york", 2, batch=6, seed=0, **more) for _ in range(2))
    left = arrays_of(games)
    games.step(games.masks.argmax(axis=1))
    usual.step(usual.masks.argmax(axis=1))
    buffers = new_buffers(games)
    games.write_to(**buffers)
    kept = copy.deepcopy(left)
    np.testing.assert_equal(buffers, arrays_of(usual))
    for way, _ in zip(ways_to_go_on(games, 1), ways_to_go_on(usual, 1), strict=True):
        np.testing.assert_equal(buffers, arrays_of(usual), way)
        assert all(getattr(games, name) is buffers[name] for name in BUFFERS)
    np.testing.assert_equal(left, kept)


@pytest.mark.parametrize("name", BUFFERS)
def test_arrays_that_are_not_named_stay(name: str) -> None:
    games = Games("new_york", 2, batch=3, global_state=True, seed=0)
    before = arrays_of(games)
    games.write_to(**{name: new_buffers(games)[name]})
    assert [other for other in BUFFERS if getattr(games, other) is not before[other]] == [name]
    games.write_to()
    games.step(games.masks.argmax(axis=1))
    assert np.array_equal(games.observations, games.observe())
    assert np.array_equal(games.global_states, games.global_state())


@pytest.mark.parametrize("name", BUFFERS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda array: array[:-1], "of shape"),
        (lambda array: array[None], "of shape"),
        (lambda array: array.astype(np.float64), "not float64 of shape"),
        (lambda array: array.tolist(), "a NumPy array, not list"),
        (np.asfortranarray, "is not C_CONTIGUOUS"),
        (lambda array: np.broadcast_to(array, array.shape), "is not WRITEABLE"),
    ],
)
def test_arrays_that_do_not_fit_change_nothing(name: str, change: Callable[[Any], Any], message: str) -> None:
    games = Games("new_york", 2, batch=3, global_state=True, seed=0)
    before, buffers = arrays_of(games), new_buffers(games)
    values = copy.deepcopy(before)
    with pytest.raises(ValueError, match=f"{name} must be .*{message}"):
        games.write_to(**buffers | {name: change(buffers[name])})
    assert all(getattr(games, other) is array for other, array in before.items())
    games.reset(seeds=range(3))
    np.testing.assert_equal(before, values)


def test_rewards_must_be_aligned() -> None:
    games = Games("new_york", 2, batch=3, seed=0)
    unaligned = np.zeros(games.rewards.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(games.rewards.shape)
    with pytest.raises(ValueError, match="rewards must be C-contiguous, aligned and writeable, and is not ALIGNED"):
        games.write_to(rewards=unaligned)


def test_arrays_that_share_memory_change_nothing() -> None:
    games = Games("new_york", 2, batch=3, global_state=True, seed=0)
    before, values = games.masks, games.masks.copy()
    memory = np.zeros(games.observations.nbytes + games.masks.nbytes, np.uint8)
    observations = memory[: games.observations.nbytes].reshape(games.observations.shape)
    masks = memory[-games.masks.nbytes - 1 : -1].view(np.int8).reshape(games.masks.shape)
    with pytest.raises(ValueError, match="masks and observations must not share memory"):
        games.write_to(observations=observations, masks=masks)
    own = games.finished.view(np.uint8)[: games.masks.nbytes].view(np.int8)[: games.masks.size]
    with pytest.raises(ValueError, match="finished and masks must not share memory"):
        games.write_to(masks=own.reshape(games.masks.shape))
    assert games.masks is before
    assert np.array_equal(before, values)
    assert not memory.any()
    after = memory[-games.masks.nbytes :].view(np.int8).reshape(games.masks.shape)
    games.write_to(observations=observations, masks=after)  # side by side
    assert np.array_equal(games.masks, values)


def test_present_values_stay_where_memory_changes_its_use() -> None:
    games = Games("new_york", 2, batch=3, seed=0)
    values, memory = games.masks.copy(), np.zeros_like(games.observations)
    games.write_to(masks=memory.reshape(-1)[: values.size].view(np.int8).reshape(values.shape))
    games.write_to(observations=memory, masks=np.zeros_like(values))
    assert np.array_equal(games.masks, values)
    assert np.array_equal(games.observations, games.observe())


@every_copy
def test_copies_have_arrays_of_their_own(duplicate: Callable[[Games], Games]) -> None:
    games = Games("new_york", 2, batch=3, global_state=True, reward="score", seed=0)
    games.write_to(**(buffers := new_buffers(games)))
    games.play_random(20)
    other, values = duplicate(games), copy.deepcopy(buffers)
    np.testing.assert_equal(arrays_of(other), values)
    assert not any(np.may_share_memory(getattr(other, name), buffers[name]) for name in BUFFERS)
    other.play_random(20)
    np.testing.assert_equal(buffers, values)
