"""Fields of states changed at random: each state is refused, or is played to its end without harm.

Run as `python -m tests.fuzz.flips --flips 100000`. A failure names the game, the seed and the changes. The command
compiles the rules with bounds checking: an index out of an array is an error.
"""

import argparse
import functools
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.core.records import fields_of
from t2r_env.render.text import render_text
from t2r_env.rules.names import outcomes
from tests.helpers.playing import LOADED_VARIANTS, decisions_of_every_phase
from tests.helpers.situations import configuration, differing_fields

LONGEST = 5000
"""Decisions within which a game ends in random play."""

GAMES = [(variant.id, players) for variant in LOADED_VARIANTS for players in {variant.min_players, variant.max_players}]


def flip(variant: str, players: int, number: int, seed: int) -> int:
    """Change so many states of a game; return how many of them were accepted.

    Raises AssertionError, which names the changes, if one is accepted that does harm.
    """
    rng, states = np.random.default_rng(seed), states_of_play(variant, players)
    games = Games(configuration(variant, players), autoreset=False, observe=False, seed=0)
    accepted = 0
    for first in range(0, number, 100):
        taken: list[Any] = []
        names: list[str] = []
        for _ in range(min(100, number - first)):
            changed = states[rng.integers(len(states), size=1)]
            name = ", ".join(change(changed, states, rng) for _ in range(rng.integers(1, 4)))
            with suppress(ValueError):
                games.set_states([0], changed)
                taken.append(changed[0])
                names.append(name)
        accepted += len(taken)
        try:
            check_played(games.configuration, np.array(taken, states.dtype))
        except Exception as error:
            fault = f"one of {names}"
            for state, name in zip(taken, names, strict=True):
                with suppress(Exception):
                    check_played(games.configuration, np.array([state]))
                    continue
                fault = name
                break
            raise AssertionError(f"{variant}, {players} players, seed {seed}: {fault}: {error!r}") from error
    return accepted


@functools.cache
def states_of_play(variant: str, players: int) -> NDArray[Any]:
    """Return states at decisions of every kind, and of games that are over in each way."""
    chosen = configuration(variant, players)
    over = Games(chosen, batch=10, seed=5, autoreset=False, observe=False)
    over.play_random(LONGEST)
    forfeited = Games(chosen, batch=10, seed=6, autoreset=False, illegal_action="terminate", observe=False)
    forfeited.play_random(40)
    forfeited.step(np.full(10, -1))
    return np.concatenate([decisions_of_every_phase(variant, players, False, 180), over.states, forfeited.states])


def change(state: NDArray[Any], states: NDArray[Any], rng: np.random.Generator) -> str:
    """Change a state, (1,), at random: a bit or a number of a field, or fields that another state has; return where."""
    names = np.array([*fields_of(state.dtype)])
    field, other = str(rng.choice(names)), states[rng.integers(len(states))]
    values = np.ascontiguousarray(state[field]).reshape(-1)
    at = int(rng.integers(values.size))
    match kind := str(rng.choice(["bit", "number", "field", "decision"])):
        case "bit":
            values.view(np.uint8)[at * values.itemsize] ^= np.uint8(1 << rng.integers(8))
        case "number":
            values[at] = rng.choice(states[field].reshape(-1)) if rng.integers(2) else rng.integers(10)
        case "field":
            state[field] = other[field]
            return f"{field} of another state"
        case "decision":
            for name in names:
                if other[name].ndim == 0 and not name.endswith("_count"):
                    state[name] = other[name]
            return "the decision of another state"
    state[field] = values.reshape(state[field].shape)
    return f"{kind} {at} of {field}: {values[at]}"


def check_played(chosen: Configuration, states: NDArray[Any]) -> None:
    """Check that states, and determinizations of them, are shown, saved and played to the end by the rules."""
    if not states.size:
        return
    games = Games(chosen, batch=len(states), autoreset=False, seed=0)
    games.set_states(None, states)
    check_sound(games)
    running = np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)
    if running.size:
        dealt = Games(chosen, batch=len(running), autoreset=False, seed=0)
        dealt.set_states(None, games.determinize(running, range(len(running))))
        play_out(dealt)
    play_out(games)


def play_out(games: Games) -> None:
    """Play games to their end."""
    for number, decisions in enumerate((1, 3, 9, 50, LONGEST)):
        games.play_random(decisions, seed=number)
        check_sound(games)
    assert not games.masks.any()


def check_sound(games: Games) -> None:
    """Check that games wait for a decision or are over, would be accepted as they are, and can be looked at."""
    assert np.array_equal(games.masks.any(axis=1), games.states["outcome"] == outcomes.RUNNING)
    loaded = games.clone()
    loaded.set_states(None, games.states)
    assert differing_fields(loaded.states, games.states) == []
    assert np.array_equal(loaded.masks, games.masks)
    games.global_state()
    for seat in range(games.num_players):
        games.observe(None, np.full(games.batch, seat))
    for row in range(0, games.batch, 5):
        render_text(games.snapshot(row), games.configuration)
        games.configuration.snapshot(games.views([row])[0])
        for action in np.flatnonzero(games.masks[row]):
            games.describe(action, row)
        loaded.set_state(games.get_state(row), row)


def main(command: Sequence[str] | None = None) -> int:
    """Change states of all games. Returns 0 if all was as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=100_000, help="states changed in each game")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(command)
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        given = sys.argv[1:] if command is None else command
        again = [sys.executable, "-m", "tests.fuzz.flips", *given]
        return subprocess.run(again, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, check=False).returncode
    for variant, players in GAMES:
        title = f"{variant}, {players} players, seed {options.seed}"
        accepted = flip(variant, players, options.flips, options.seed)
        print(f"{title}: {options.flips} states changed, {accepted} accepted", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
