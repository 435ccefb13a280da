"""Random play on an NVIDIA GPU (extra `gpu`), where every decision of all games is two kernels: decide, then end.

A thread decides for each game, by the functions that the CPU runs, and needs less than 2 kB of scratch memory. Games
that the rules have ended are scored by the second kernel: its threads are few, since each has the megabytes of the
longest path. They are the pool, and games wait for them.
"""

import inspect
from typing import Any

import numpy as np
from numba import cuda

from t2r_env.core.batch import Batch, choose, deal_next, keep, note_end, show
from t2r_env.core.game import NO_ACTION, note_scores, outcomes, play, reward, score_game
from t2r_env.core.randomness import next_seed
from t2r_env.core.records import Array

THREADS = 64
"""Of a block: games play different phases, so larger blocks have no use."""


@cuda.jit  # type: ignore[untyped-decorator]  # Numba has no types
def list_first(rows: Array, states: Array, rules: Array, scratch: Array) -> None:
    """List the legal actions of each game in its scratch record."""
    row = cuda.grid(1)
    if row < states.shape[0]:
        rows[row].num_legal = play(states[row], rules[0], scratch[row], np.int64(NO_ACTION))


@cuda.jit  # type: ignore[untyped-decorator]  # likewise
def decide(
    rows: Array, states: Array, masks: Array, observations: Array, rules: Array, settings: Array, scratch: Array
) -> None:
    """Take a random decision of each game; write what is then to be seen, unless the game has ended."""
    row = cuda.grid(1)
    if row < states.shape[0]:
        own, state = rows[row], states[row]
        own.rewards[:] = 0
        note_scores(state, rules[0], scratch[row])
        action = choose(own, scratch[row])
        state.decisions += 1
        own.num_legal = play(state, rules[0], scratch[row], action)
        if state.outcome == outcomes.RUNNING:
            reward(state, rules[0], scratch[row], settings[0].reward, own.rewards)
            note_end(own, state)
            own.current = state.current
            show(state, rules[0], scratch[row], own, masks[row], observations[row])


@cuda.jit  # type: ignore[untyped-decorator]  # likewise
def end(
    rows: Array,
    states: Array,
    finished: Array,
    masks: Array,
    observations: Array,
    final_observations: Array,
    rules: Array,
    opening: Array,
    settings: Array,
    scratch: Array,
    scoring: Array,
    ended: Array,
) -> None:
    """Score the games that have ended, keep them, and begin the next ones; count them in `ended`, by thread."""
    thread = cuda.grid(1)
    if thread < scoring.shape[0]:
        for row in range(thread, states.shape[0], scoring.shape[0]):
            own, state = rows[row], states[row]
            if state.outcome != outcomes.RUNNING:
                if state.outcome == outcomes.FINISHED:
                    score_game(state, rules[0], scoring[thread])
                reward(state, rules[0], scratch[row], settings[0].reward, own.rewards)
                note_end(own, state)
                keep(state, rules[0], finished, row, final_observations[row])
                own.seed = next_seed(own.seed)
                deal_next(states, row, rules[0], opening, own.seed)
                own.num_legal = play(state, rules[0], scratch[row], np.int64(NO_ACTION))
                own.current = state.current
                show(state, rules[0], scratch[row], own, masks[row], observations[row])
                ended[thread] += 1


def arguments_of(kernel: Any) -> list[str]:
    """The names of a kernel's arguments."""
    return list(inspect.signature(kernel.py_func).parameters)


class DeviceGames:
    """A batch of games on the GPU, played at random from where they are; a game that ends is followed by the next one.

    Parameters
    ----------
    batch
        The games on the CPU, which stay as they are.
    scratch, scoring
        The dtypes of the ruleset's scratch records.
    masks, observations
        Arrays on the device that the kernels write into, of the shapes and dtypes of the batch's: by default new ones.
    pool
        The number of threads that score games.
    """

    def __init__(
        self,
        batch: Batch,
        scratch: np.dtype[Any],
        scoring: np.dtype[Any],
        *,
        masks: Any = None,
        observations: Any = None,
        pool: int = 256,
    ) -> None:
        size = len(batch.states)
        arrays = batch._asdict() | {
            "scratch": np.zeros(size, scratch),
            "scoring": np.zeros(min(pool, size), scoring),
            "ended": np.zeros(min(pool, size), np.int64),
        }
        given = {"masks": masks, "observations": observations}
        self.arrays: dict[str, Any] = {
            name: cuda.to_device(array) if given.get(name) is None else given[name] for name, array in arrays.items()
        }
        self._blocks, self._scoring_blocks = -(-size // THREADS), -(-min(pool, size) // THREADS)
        self._launch(list_first, self._blocks)

    def play_random(self, decisions: int) -> None:
        """Take so many decisions of each game, each legal action being equally likely; the same as on the CPU."""
        for _ in range(decisions):
            self._launch(decide, self._blocks)
            self._launch(end, self._scoring_blocks)

    def ended(self) -> int:
        """How many games have ended; waits until they have."""
        return int(self.arrays["ended"].copy_to_host().sum())

    def differences(self, batch: Batch) -> list[str]:
        """The names of the batch's arrays that hold something else than those on the GPU."""
        return [name for name, array in batch._asdict().items() if not _is_equal(array, self.arrays[name])]

    def _launch(self, kernel: Any, blocks: int) -> None:
        kernel[blocks, THREADS](*(self.arrays[name] for name in arguments_of(kernel)))


def _is_equal(array: Array, on_device: Any) -> bool:
    """Whether two arrays hold the same; of records, field by field, since the bytes between fields hold anything."""
    other = on_device.copy_to_host() if hasattr(on_device, "copy_to_host") else on_device
    names = array.dtype.names
    return all(np.array_equal(array[it], other[it]) for it in names) if names else np.array_equal(array, other)
