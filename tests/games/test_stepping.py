"""Steps of some games of a batch, and their rewards."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import numpy as np
import pytest

from t2r_env import Games, Replay
from t2r_env.configuration import Configuration
from t2r_env.core.layout import Segments
from t2r_env.games import Reward
from tests.helpers.environments import choose
from tests.helpers.playing import Options, each_kind_once, every_variant_once, fewest_and_most, worth


def state_of(games: Games) -> list[Any]:
    """Copies of everything that a step writes."""
    arrays = (games.states, games.masks, games.observations, games.current, games.rewards, games.terminated)
    return [it.copy() for it in (*arrays, games.truncated, games.seeds, games.finished, games.final_observations)]


def changed(games: Games, before: list[Any]) -> set[int]:
    """The rows that differ from before."""
    both = zip(state_of(games), before, strict=True)
    return {int(place[0]) for array, earlier in both for place in np.argwhere(array != earlier)}


@each_kind_once
@pytest.mark.parametrize(("autoreset", "threads"), [(True, 9), (False, 2)])
def test_some_rows_are_stepped_as_they_would_be_alone(
    variant: str, players: int, autoreset: bool, threads: int
) -> None:
    """With any number of threads: game i of `Games(seed=0)` is that of `Games(seed=i)`, and so are the next ones.

    So are the choices of seats that play at random.
    """
    games = Games(variant, players, batch=5, autoreset=autoreset, threads=threads, turn_limit=20, seed=0)
    alone = [Games(variant, players, seed=row, autoreset=autoreset, turn_limit=20) for row in range(5)]
    for it in (games, *alone):
        it.random_seats[:, -1] = autoreset
    rng = np.random.default_rng(0)
    for _ in range(150):
        rows = rng.permutation(5)[: rng.integers(1, 5)]
        actions = choose(games.masks[rows], rng)
        before = state_of(games)
        games.step(actions, rows)
        assert changed(games, before) <= set(rows.tolist())
        for row, action in zip(rows, actions, strict=True):
            alone[row].step([action])
            for array, expected in zip(state_of(games), state_of(alone[row]), strict=True):
                np.testing.assert_array_equal(array[row], expected[0])
    assert np.all(games.finished["turn"] == 20)


@pytest.mark.parametrize(
    ("actions", "rows", "message"),
    [
        ([0, 0], [1], r"actions must be integers of shape \(1,\), not int64 of shape \(2,\)"),
        ([0.0], [1], "actions must be integers"),
        ([[1], [1, 2]], [0, 1], r"actions must be integers of shape \(2,\), not \[\[1\], \[1, 2\]\]"),
        ([0, 0], [1, 1], r"rows must be different from each other, not \[1, 1\]"),
        *[([0], [row], "rows must be integers from 0 to 2") for row in (3, -1)],
        ([0, 0, 0], [True, False, True], "rows must be integers from 0 to 2"),
        ([-1], [2], "game 2: action -1 of player_0 is not legal"),
    ],
)
def test_a_step_that_is_not_allowed_changes_nothing(actions: Any, rows: Any, message: str) -> None:
    games = Games("usa", batch=3, seed=0)
    before = state_of(games)
    with pytest.raises(ValueError, match=message):
        games.step(actions, rows)
    games.step([], [])
    assert games.observe([], []).shape == (0, games.layout.observation.size)
    with pytest.raises(ValueError, match="rows must be different from each other"):
        games.reset([0, 0], [1, 2])
    assert not changed(games, before)


@pytest.mark.parametrize("reward", get_args(Reward))
def test_an_illegal_action_ends_only_the_game_of_its_row_and_costs_one_with_every_reward(reward: Reward) -> None:
    games = Games("usa", batch=3, reward=reward, illegal_action="terminate", autoreset=False, seed=0)
    games.step([-1, games.masks[0].argmax()], [2, 0])
    assert games.terminated.tolist() == [False, False, True]
    assert games.rewards.tolist() == [[0, 0], [0, 0], [-1, 0]]


def test_recorded_games_keep_the_actions_of_the_rows_that_are_stepped() -> None:
    games = Games("usa", batch=3, seed=4, record=True)
    for rows in ([2], [0, 2], [2]):
        games.step(games.masks[rows].argmax(axis=1), rows)
    assert [len(games.history(row)[1]) for row in range(3)] == [1, 0, 3]
    assert Replay.of(games, 2).final().states[0] == games.states[2]


class Slow:
    """Features that hold nothing; a test may let something happen meanwhile."""

    segments = Segments.of([("slow", (1,), "nothing")])
    version = 1

    def __init__(self, configuration: Configuration) -> None:
        pass

    def write(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        *(("step", ([0],)), ("play_random", (1,)), ("determinize", (None, [1])), ("describe", (0,))),
        *(("set_state", (b"",)), ("set_states", ([0], None)), ("get_state", ()), ("write_to", ())),
        *((name, ()) for name in ("reset", "observe", "views", "global_state", "results", "snapshot", "clone")),
    ],
)
def test_while_one_thread_steps_games_another_that_enters_gets_an_error_at_once(
    method: str, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    games, alone = (Games("usa", features=Slow, seed=0) for _ in range(2))

    def enter() -> None:
        with pytest.raises(RuntimeError, match=r"^\w+\(\) was called while another method .* one thread at a time"):
            getattr(games, method)(*arguments)

    with ThreadPoolExecutor(1) as other, monkeypatch.context() as during_the_step:
        during_the_step.setattr(Slow, "write", lambda *_: other.submit(enter).result(60))
        games.step([games.masks[0].argmax()])
    alone.step([alone.masks[0].argmax()])
    assert games.states == alone.states
    games.step([games.masks[0].argmax()])  # the error has left it usable


@every_variant_once
def test_with_random_seats_an_autoreset_ends_the_step_for_the_rewards(variant: str, players: int) -> None:
    """Rewards do not include those of the next game's random seats; masks are the next game's."""
    games, other = (
        Games(variant, players, batch=6, reward="score", autoreset=autoreset, turn_limit=players * 9, seed=0)
        for autoreset in (True, False)
    )
    for it in (games, other):
        it.random_seats[:, :-1] = True
        it.rngs[:] = np.arange(6)
        it.reset(seeds=range(6))
    games.play_random(0, seed=1)  # it has random numbers of its own
    rng = np.random.default_rng(0)
    ended = 0
    while ended < 12:
        assert (games.current == players - 1).all()
        actions = choose(games.masks, rng)
        for it in (games, other):
            it.step(actions)
        over = other.terminated | other.truncated
        assert games.rewards.tolist() == other.rewards.tolist()
        assert (games.terminated | games.truncated).tolist() == over.tolist()
        other.reset(np.flatnonzero(over))
        for name in ("states", "masks", "observations", "current", "seeds", "rngs", "finished"):
            np.testing.assert_array_equal(getattr(games, name), getattr(other, name))
        ended += over.sum()


@fewest_and_most
@pytest.mark.parametrize("reward", get_args(Reward))
def test_rewards_add_up_to_what_the_result_is_worth(
    variant: str, players: int, options: Options, reward: Reward
) -> None:
    """C18, TA1: points and leads as they come, of a seat's own team; ranks and wins at the end, ties averaged."""
    games = Games(variant, players, batch=8, reward=reward, autoreset=False, observe=False, seed=0, **options)
    teams = np.arange(players) // games.configuration.variant.team_size
    rng, total = np.random.default_rng(0), np.zeros((8, players))
    while games.masks.any():
        games.step(choose(games.masks, rng))
        total += games.rewards
        so_far = points = games.states["score"][:, teams]
        if reward == "margin":
            leads = [points[:, seat] - points[:, teams != teams[seat]].max(axis=1) for seat in range(players)]
            so_far = np.transpose(leads)
        if reward in ("rank", "win"):
            assert not total[~games.terminated].any()
        else:
            assert np.array_equal(total, so_far)
    for row, final in enumerate(games.snapshot(row)["final"] for row in range(8)):
        expected = [worth(games.configuration, final, seat, reward) for seat in range(players)]
        assert total[row].tolist() == pytest.approx(expected)


def test_without_a_seed_games_begin_from_a_random_one_and_tell_it() -> None:
    games, other = (Games("usa", batch=3) for _ in range(2))
    assert games.seeds[0] != other.seeds[0]
    first = int(games.seeds[0])
    again = Games("usa", batch=3, seed=first)
    assert games.seeds.tolist() == again.seeds.tolist() == [(first + row) % 2**64 for row in range(3)]
    assert (games.states == again.states).all()
    assert Games("usa", batch=2, seed=2**64 - 1).seeds.tolist() == [2**64 - 1, 0]  # after the largest comes 0
    games.reset(None, np.array([-1, 0, -2]))  # as infos tell them
    assert games.seeds.tolist() == [2**64 - 1, 0, 2**64 - 2]
