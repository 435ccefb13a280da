"""Single bits flipped in states of play: each is refused, or is a position of the game that is played to its end.

Run as `python -m tests.fuzz.flips --flips 100000`. A failure names the game, the seed and the bit. The command compiles
the rules with bounds checking: an index out of an array is an error.
"""

import argparse
import functools
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.rules.names import OUTCOMES, outcomes
from t2r_env.variants import MapVariant
from tests.maps import map_variant
from tests.playing import LOADED_VARIANTS, decisions_of_every_phase
from tests.situations import configuration, differing_fields
from tests.test_invariants import check_deck_and_face_up, check_situation, final

LONGEST = 5000
"""Decisions within which a game ends in random play."""

GAMES = [(variant.id, players) for variant in LOADED_VARIANTS for players in {variant.min_players, variant.max_players}]


class Flip(NamedTuple):
    """A bit of a field, counted from the least of its first number."""

    field: str
    bit: int


def flip(variant: str, players: int, number: int, seed: int) -> int:
    """Flip so many single bits in states of a game; return how many of the states were accepted.

    Raises AssertionError, which names the bit, if one is accepted that is no position of the game.
    """
    rng = np.random.default_rng(seed)
    states = states_of_play(variant, players)
    games = Games(configuration(variant, players), autoreset=False, observe=False)
    accepted, done = 0, 0
    while done < number:
        taken: list[Any] = []
        flips: list[tuple[int, Flip]] = []
        while done < number and len(taken) < 100:
            row = int(rng.integers(len(states)))
            bit, flipped = flip_one(states[row : row + 1], rng)
            done += 1
            if is_accepted(games, flipped):
                taken.append(flipped[0])
                flips.append((row, bit))
        if taken:
            try:
                check_positions(games.configuration, np.array(taken))
            except Exception as error:
                named = [f"state {row}, bit {bit.bit} of {bit.field}" for row, bit in flips]
                fault = first_fault(games.configuration, taken, named)
                raise AssertionError(f"{variant}, {players} players, seed {seed}: {fault}: {error!r}") from error
        accepted += len(taken)
    return accepted


def first_fault(chosen: Configuration, taken: Sequence[Any], names: Sequence[str]) -> str:
    """The name of the first position that fails alone."""
    for state, name in zip(taken, names, strict=True):
        try:
            check_positions(chosen, np.array([state]))
        except Exception:
            return name
    return "together"


@functools.cache
def states_of_play(variant: str, players: int) -> NDArray[Any]:
    """States at decisions of every kind, and of games that are over in each way."""
    chosen = configuration(variant, players)
    over = Games(chosen, batch=20, seed=5, autoreset=False, observe=False)
    over.play_random(LONGEST)
    forfeited = Games(chosen, batch=20, seed=6, autoreset=False, illegal_action="terminate", observe=False)
    forfeited.play_random(40)
    forfeited.step(np.full(20, -1))
    return np.concatenate([decisions_of_every_phase(variant, players, False, 160), over.states, forfeited.states])


def flip_one(state: NDArray[Any], rng: np.random.Generator) -> tuple[Flip, NDArray[Any]]:
    """A copy of a state, (1,), with a random bit of a random field flipped."""
    copy = state.copy()
    field = str(rng.choice(copy.dtype.names or ()))
    numbers = np.ascontiguousarray(copy[field])
    octets = numbers.view(np.uint8).reshape(-1)
    bit = int(rng.integers(8 * octets.size))
    octets[bit // 8] ^= np.uint8(1 << bit % 8)
    copy[field] = numbers
    return Flip(field, bit), copy


def is_accepted(games: Games, state: NDArray[Any]) -> bool:
    """Whether a game takes the state."""
    try:
        games.set_states([0], state)
    except ValueError:
        return False
    return True


def check_positions(chosen: Configuration, states: NDArray[Any]) -> None:
    """Check that states are positions: they are shown, saved and determinized, and played to the end by the rules."""
    games = Games(chosen, batch=len(states), autoreset=False)
    games.set_states(None, states)
    check_shown(games)
    loaded = games.clone()
    for row in range(games.batch):
        loaded.set_state(games.get_state(row), row)
    assert differing_fields(loaded.states, games.states) == []
    running = np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)
    if running.size:
        loaded.set_states(running, games.determinize(running, range(len(running))))
        check_shown(loaded, running)
    loaded.play_random(LONGEST, seed=2)
    games.play_random(7, seed=1)
    check_shown(games, running[::3])
    games.play_random(LONGEST, seed=3)
    for played in (games, loaded):
        assert not played.masks.any()
        for row in running[:: 1 + (played is loaded)]:
            snapshot = played.snapshot(row)
            if snapshot["outcome"] == OUTCOMES[outcomes.FINISHED]:
                assert snapshot["final"] == final(chosen, snapshot)


def check_shown(games: Games, rows: Sequence[int] | NDArray[Any] | None = None) -> None:
    """Check the snapshots of games, and what else can be seen of them."""
    games.global_state()
    for seat in range(games.num_players):
        games.observe(None, np.full(games.batch, seat))
        games.views(None, np.full(games.batch, seat))
    for row in range(games.batch) if rows is None else map(int, rows):
        snapshot = games.snapshot(row)
        if snapshot["outcome"] == OUTCOMES[outcomes.FORFEITED]:
            continue
        check_situation(games, snapshot, row)
        if isinstance(games.configuration.variant, MapVariant):
            check_deck_and_face_up(map_variant(games.configuration), snapshot)
        if snapshot["final"]:
            assert snapshot["final"] == final(games.configuration, snapshot)


def flip_all(number: int, seed: int, variant: str | None = None) -> None:
    """Flip so many bits in each game, or in those of one variant; print how many states were accepted."""
    for each, players in GAMES:
        if variant in (None, each):
            accepted = flip(each, players, number, seed)
            print(f"{each}, {players} players, seed {seed}: {number} bits flipped, {accepted} accepted", flush=True)


def main(command: Sequence[str] | None = None) -> int:
    """Flip bits in states of all games, or of one. Returns 0 if all was as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=100_000, help="bits flipped in each game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variant", choices=[variant.id for variant in LOADED_VARIANTS])
    options = parser.parse_args(command)
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        given = sys.argv[1:] if command is None else command
        again = [sys.executable, "-m", "tests.fuzz.flips", *given]
        return subprocess.run(again, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, check=False).returncode
    flip_all(options.flips, options.seed, options.variant)
    return 0


if __name__ == "__main__":
    sys.exit(main())
