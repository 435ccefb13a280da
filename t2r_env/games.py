"""A batch of games as NumPy arrays: the core's Python API."""

import copy
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial, wraps
from itertools import combinations
from math import isqrt
from typing import Any, Concatenate, Literal, ParamSpec, SupportsIndex, TypeVar, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.checks import (
    LARGEST_INTEGER,
    Actions,
    Integers,
    as_integer,
    check_actions,
    check_buffer,
    check_choice,
    check_distinct_rows,
    check_integer,
    check_rows,
    check_seats,
    check_seed,
    check_seeds,
    consecutive_seeds,
)
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.core.randomness import next_seed, scrambled
from t2r_env.core.records import clear_gap
from t2r_env.features import AnyFeatures, compute_features, find_features
from t2r_env.graph import GraphSize, GraphWriter
from t2r_env.history.recording import Recording, Start
from t2r_env.history.saving import pack_game, unpack_game
from t2r_env.results import Results
from t2r_env.rules import batch as core
from t2r_env.rules.check import find_fault, find_unfit_decision
from t2r_env.rules.names import OUTCOMES, PHASES, REWARDS, outcomes
from t2r_env.rules.text import Description
from t2r_env.variants import Variant

Array = np.ndarray[Any, Any]
Reward = Literal["rank", "win", "score", "margin"]
IllegalAction = Literal["raise", "terminate"]

DECISION, FEATURES = 4, 200
"""Roughly what a row costs, in units of 50 nanoseconds: to step it, and to step it with features."""
HANDED_OVER = 1200
"""Roughly what it costs to hand a part of the rows over to another thread, in the same unit."""
ROWS_AT_ONCE = 256
"""The most rows whose features are computed at once, by each thread: what they take stays in a processor's caches."""


class IllegalActionError(ValueError):
    """An action is not legal; the message lists the legal ones. No game has changed."""


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _one_at_a_time(
    method: Callable[Concatenate["Games", Parameters], Result],
) -> Callable[Concatenate["Games", Parameters], Result]:
    """Make a method raise RuntimeError at once while another one of the same Games runs.

    The flag needs no lock: CPython changes threads, and handles signals, at calls and loops only, and there are none
    from the look at the flag to `try`.
    """

    @wraps(method)
    def guarded(self: "Games", /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        if self._is_busy:
            raise _busy_error(method.__name__)
        self._is_busy = True
        try:
            return method(self, *args, **kwargs)
        finally:
            self._is_busy = False

    return guarded


def _busy_error(name: str) -> RuntimeError:
    return RuntimeError(
        f"{name}() was called while another method of the same Games was running: a Games belongs to one thread at a"
        " time. Nothing has changed; give each thread a Games of its own"
    )


class Games:
    """Many games of one configuration, stepped together. All arrays are written in place.

    A `Games` belongs to one thread at a time: a method that is called while another one runs raises RuntimeError, and
    nothing has changed. `threads` shares a step among threads inside the core. Raises ValueError or TypeError if an
    argument is not allowed.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`. A `Configuration` may stand for all of them.
    batch
        The number of games.
    seed
        Game i begins from seed + i (modulo 2^64); None, the default, stands for a random seed, and `seeds` tells
        which. The seed of a row's next game follows from the last one's.
    reward
        `rank`: +1 for the first rank, -1 for the last, linear between, ties averaged; zero before the end. `win`: 1,
        shared among the winners. `score`: points as they are scored. `margin`: the change of the lead over the best
        opponent (negative for all but the leader); the sum is the final lead.
    autoreset
        Whether a row's next game begins in the step that ends its game. Otherwise ended games stay as they are: their
        masks are all zero and their actions are ignored.
    illegal_action
        `raise`: IllegalActionError, and no game changes. `terminate`: the acting seat's reward is -1, the others' 0,
        and the game ends without a result.
    observe
        Whether observations are written. Without them their arrays have no columns.
    features
        Derived features that follow the observation in the same vector: a name (`plan`), an import path, or a class, as
        for `t2r_env.features.find_features`. They are zero for a seat that is not to act and after the end.
    threads
        The number of threads that share a step. The games are the same for every number.
    record
        Whether each row's actions are recorded, for `history` and `Replay.of`.
    observation
        `vector`; or `graph`, or its size: `graphs` are written, too (docs/graph.md).
    global_state
        Whether `global_states` are written. Without it their array has no columns.

    `write_to` makes `observations`, `masks`, `rewards` and `global_states` arrays of your own.

    Attributes
    ----------
    states : structured array, (batch,)
        The states of the games, with everything that is hidden (`configuration.ruleset.state`). `views` and
        `determinize` give what a seat may know.
    masks : int8, (batch, actions)
        1 for each legal action of the acting seat.
    observations : uint8, (batch, size of the observation)
        What the acting seat sees, and features of it if there are any; `layout.observation` names the parts.
    graphs : dict of arrays, or None
        The same in the form that all map games have, if `observation` says so (`t2r_env.graph.GraphWriter`).
    global_states : uint8, (batch, size of the global state)
        Everything, hidden things included, if `global_state` is true: for critics that know more than their seats.
        `layout.global_state` names the parts.
    current : int64, (batch,)
        The acting seat.
    rewards : float32, (batch, seats)
        The rewards of the last step.
    terminated, truncated : bool, (batch,)
        Whether the last step ended the row's game: by the rules or an illegal action; by the turn limit (C19). Also
        true if the state put in the row (`set_state`, `set_states`) is that of an ended game.
    finished : structured array, (batch,)
        The last state of the row's last ended game.
    final_observations : uint8, (batch, seats, size of the observation)
        What each seat sees at the end of the row's last ended game.
    seeds : uint64, (batch,)
        The seed of each row's game.
    random_seats : bool, (batch, seats)
        The seats that play at random inside the core, within the step that leads to their decisions; each legal action
        is equally likely. No seat at first. Write into the array between steps: another in its place is not read.
    featured_seats : bool, (batch, seats)
        The seats that get features, all at first: those of others stay zero in `observations`, which saves time. May
        be written between steps.
    rngs : uint64, (batch,)
        The random number generators of these seats, apart from the games' own. They follow from the seed of the row's
        first game, and go on from game to game. May be written between steps.
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        batch: int = 1,
        seed: int | None = None,
        *,
        reward: Reward = "rank",
        autoreset: bool = True,
        illegal_action: IllegalAction = "raise",
        observe: bool = True,
        threads: int = 1,
        record: bool = False,
        features: AnyFeatures | None = None,
        observation: Literal["vector", "graph"] | GraphSize = "vector",
        global_state: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self.configuration = as_configuration(variant, num_players, options, Games)
        self.batch = batch = check_integer("batch", batch, 1)
        self.threads = check_integer("threads", threads, 1)
        self.reward: Reward = check_choice("reward", reward, get_args(Reward))
        self.illegal_action: IllegalAction = check_choice("illegal_action", illegal_action, get_args(IllegalAction))
        self.autoreset = check_choice("autoreset", autoreset, (True, False))
        check_choice("observe", observe, (True, False))
        check_choice("global_state", global_state, (True, False))
        self._recording = Recording(self.batch) if check_choice("record", record, (True, False)) else None
        self.features = None if features is None else find_features(features, self.configuration)
        self._layout = self.configuration.layout
        if self.features:
            with_features = self._layout.observation.followed_by(self.features.segments)
            self._layout = replace(self._layout, observation=with_features)
        seats, layout = self.configuration.num_players, self.layout
        width = layout.observation.size if observe else 0
        self.states = self.configuration.ruleset.new_states(batch)
        self.finished = self.configuration.ruleset.new_states(batch)
        self.masks = np.zeros((batch, layout.actions.size), np.int8)
        self.observations = np.zeros((batch, width), np.uint8)
        self.final_observations = np.zeros((batch, seats, width), np.uint8)
        self.global_states = np.zeros((batch, layout.global_state.size if global_state else 0), np.uint8)
        self.rewards = np.zeros((batch, seats), np.float32)
        self.featured_seats = np.ones((batch, seats), np.bool_)
        self._graph_writer = None
        if isinstance(observation, GraphSize):
            self._graph_writer = GraphWriter(self.configuration, observation)
        elif check_choice("observation", observation, ("vector", "graph")) == "graph":
            self._graph_writer = GraphWriter(self.configuration)
        if self._graph_writer and not observe:
            raise ValueError('observation="graph" needs observe=True')
        self.graphs = self._graph_writer.new_arrays(batch) if self._graph_writer else None
        self._rows = np.zeros(batch, core.ROW)
        self._all_rows = np.arange(batch)
        self._bind()
        seeds = np.array(consecutive_seeds(seed, batch), np.uint64)
        self.rngs[:] = [scrambled(it) for it in seeds]
        self.reset(seeds=seeds)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _BOUND}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        if (self.states.dtype, self._rows.dtype) != (self.configuration.ruleset.state, core.ROW):
            raise ValueError("these games were pickled by a version of t2r_env with other records")
        self._bind()

    def _bind(self) -> None:
        """Gather what the core reads and writes in every step; some attributes are views of it."""
        configuration, rows = self.configuration, self._rows
        self.current: NDArray[np.int64] = rows["current"]
        self.seeds: NDArray[np.uint64] = rows["seed"]
        self.rngs: NDArray[np.uint64] = rows["rng"]
        self.terminated, self.truncated = (rows[name].view(np.bool_) for name in ("terminated", "truncated"))
        self.random_seats = rows["random_seats"].view(np.bool_)[:, : self.num_players]
        self._outcomes = self.states["outcome"]
        self._scratch = [configuration.ruleset.new_scratch() for _ in range(self.threads)]
        self._waiting = [self._new_waiting() for _ in range(self.threads)]
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0
        self._is_busy = False
        self.core_batch = core.Batch(
            rows,
            self.states,
            self.finished,
            self.masks,
            self.observations,
            self.final_observations,
            self.global_states,
            self.rewards,
            configuration.rules,
            configuration.opening,
            core.new_settings(REWARDS.index(self.reward), self.autoreset),
        )

    @property
    def layout(self) -> Layout:
        """The layout of observations, features included, of global states and of actions."""
        return self._layout

    @property
    def num_players(self) -> int:
        """The number of seats of each game."""
        return self.configuration.num_players

    def __repr__(self) -> str:
        return f"<Games {self.configuration.title}, reward {self.reward}: {self.standing}>"

    @property
    def standing(self) -> str:
        """The state of the games in a few words."""
        if self.batch > 1:
            return f"{self.batch} games, {np.count_nonzero(self.terminated | self.truncated)} of them over"
        state = self.states[0]
        if state["outcome"] != outcomes.RUNNING:
            return f"over ({OUTCOMES[state['outcome']]})"
        return f"turn {state['turn']}, player_{state['current']} to act ({PHASES[state['phase']]})"

    # Playing

    def step(self, actions: Actions, rows: Integers | None = None) -> None:
        """Take one action in each of the given rows, all by default.

        `actions` are integers of shape (rows,). Other rows stay as they are. With `autoreset=False` the actions of
        ended games are ignored.

        Raises IllegalActionError if an action is not legal (see `illegal_action`), and ValueError for another shape or
        type; then no game has changed.
        """
        if self._is_busy:  # as `_one_at_a_time` does, but without the time of its call
            raise _busy_error("step")
        self._is_busy = True
        try:
            stepped = self._as_distinct_rows(rows)
            chosen = self._as_actions(actions, stepped)
            if self.illegal_action == "raise":
                row = core.first_illegal(self.states, self.masks, stepped, chosen)
                if row != core.ALL_LEGAL:
                    raise self._illegal(row, int(chosen[row]))
            if self._recording is None:
                self._run(core.STEP, stepped, chosen)
                return
            running = stepped[self._outcomes[stepped] == outcomes.RUNNING]
            self._run(core.STEP, stepped, chosen)
            self._recording.add(running, chosen)
            if self.autoreset:
                ended = running[self.terminated[running] | self.truncated[running]]
                self._recording.end(ended)
                self._recording.begin(ended, self.seeds[ended].tolist())
        finally:
            self._is_busy = False

    @_one_at_a_time
    def play_random(self, decisions: int, seed: int = 0) -> int:
        """Take `decisions` random actions in each game inside the core; return how many games ended.

        Each legal action is equally likely. The same seed makes the same choices. Raises ValueError for `record=True`.
        """
        self._check_not_recorded()
        rngs = np.random.default_rng(check_seed(seed)).integers(2**64, size=self.batch, dtype=np.uint64)
        number = check_integer("decisions", decisions, 0)
        kept = self.rngs.copy()
        self.rngs[:] = rngs
        try:
            return self._run(core.PLAY_RANDOM, self._all_rows, decisions=number)
        finally:
            self.rngs[:] = kept

    @_one_at_a_time
    def reset(self, rows: Integers | None = None, seeds: Integers | None = None) -> None:
        """Begin new games in the given rows, all by default.

        `seeds` are one for each row; without them each row's next seed follows from its last one.
        """
        chosen = self._as_distinct_rows(rows)
        self._check_random_seats()
        if seeds is None:
            self.seeds[chosen] = [next_seed(seed) for seed in self.seeds[chosen]]
        else:
            self.seeds[chosen] = check_seeds(seeds, len(chosen))
        if self._recording:
            self._recording.end(self._over(chosen))
            self._recording.begin(chosen, self.seeds[chosen].tolist())
        self._run(core.BEGIN, chosen)
        self._write_outcome(chosen)

    def _run(
        self, order: int, rows: NDArray[np.int64], actions: NDArray[np.int64] = core.NO_ACTIONS, decisions: int = 1
    ) -> int:
        """Let the core carry out an order in these rows; return how many games ended.

        With n threads it takes the time of n - 1 handovers, one after the other, and of a part of the work: the least
        where a part takes as long as n handovers. The calling thread does the first part.
        """
        self._check_random_seats()
        work = partial(self._run_part, order, actions, decisions)
        weight = decisions * (FEATURES if self.features else DECISION)
        threads = min(self.threads, isqrt(weight * len(rows) // HANDED_OVER), len(rows))
        ended = work(0, rows) if threads <= 1 else self._share(work, np.array_split(rows, threads))
        if self._graph_writer and self.graphs:
            seats = self.current[rows]
            self._graph_writer.write(self.graphs, self.observations[rows], self.masks[rows], seats, rows)
        return ended

    def _share(self, work: Callable[[int, NDArray[np.int64]], int], parts: Sequence[NDArray[np.int64]]) -> int:
        """Let a thread do the work on each of these parts of the rows; return how many games ended."""
        if self._pool is None or self._process != os.getpid():  # a forked process has none of its parent's threads
            self._pool, self._process = ThreadPoolExecutor(self.threads - 1), os.getpid()
        handed_over = [self._pool.submit(work, thread, parts[thread]) for thread in range(1, len(parts))]
        try:
            return work(0, parts[0]) + sum(it.result() for it in handed_over)
        except BaseException:
            wait(handed_over)
            raise

    def _run_part(
        self, order: int, actions: NDArray[np.int64], decisions: int, thread: int, rows: NDArray[np.int64]
    ) -> int:
        """Let the core carry out an order in these rows, with the memory of a thread; return how many games ended."""
        ended = core.run(order, self.core_batch, self._scratch[thread], rows, actions, decisions)
        if self.features and self.observations.shape[1]:
            self._write_features(rows, thread)
        return ended

    @property
    def _observed(self) -> int:
        """The size of the observation without features."""
        return self.configuration.layout.observation.size

    def _new_waiting(self) -> core.Waiting:
        """Return a thread's memory for computing features."""
        number, size = (min(self.batch, ROWS_AT_ONCE), self.features.segments.size) if self.features else (0, 0)
        return core.Waiting(
            rows=np.zeros(number, np.int64),
            views=self.configuration.ruleset.new_states(number),
            masks=np.zeros((number, self.layout.actions.size), np.int8),
            features=np.zeros((number, size), np.uint8),
        )

    def _write_features(self, rows: NDArray[np.int64], thread: int) -> None:
        """Write the features of these rows' present decisions into the observations, with the memory of a thread."""
        assert self.features
        waiting, rules = self._waiting[thread], self.configuration.rules
        for start in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            number = core.list_waiting(self.states, self.masks, rules, some, self.featured_seats, *waiting)
            if number:
                views, masks, features = (array[:number] for array in waiting[1:])
                self.features.write(views, masks, features)
                core.place_features(waiting.rows, number, features, self.observations, self._observed)

    def _compute_features(self, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the features of these rows' present decisions, as a new array (rows, size); zero after the end."""
        assert self.features
        running = self._outcomes[rows] == outcomes.RUNNING
        vectors = np.zeros((len(rows), self.features.segments.size), np.uint8)
        waiting = rows[running]
        views = self._views(waiting, self.current[waiting])
        vectors[running] = compute_features(self.features, views, self.masks[waiting])
        return vectors

    def _over(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of these rows whose games are over and wait for `reset`."""
        over: NDArray[np.int64] = rows[self._outcomes[rows] != outcomes.RUNNING]
        return over

    def _check_random_seats(self) -> None:
        """Raise ValueError if `random_seats` are none that can be played."""
        if not self.random_seats.any():
            return
        self._check_not_recorded()
        if self.autoreset and self.random_seats.all(axis=1).any():
            raise ValueError("random_seats must leave out one seat of each game with autoreset: a step would never end")

    def _check_not_recorded(self) -> None:
        if self._recording:
            raise ValueError("random play inside the core can't be recorded: use Games(record=False)")

    def _as_actions(self, actions: Actions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the actions of these rows by row."""
        chosen = check_actions(actions, len(rows))
        if rows is self._all_rows:
            return np.ascontiguousarray(chosen, np.int64)
        by_row = np.zeros(self.batch, np.int64)
        by_row[rows] = chosen
        return by_row

    def one_action(self, action: Any) -> NDArray[np.int64]:
        """Return a single action as `step` takes it, (1,). Raises IllegalActionError if it is not a 64-bit integer."""
        number = as_integer(action)
        if number is None or not -LARGEST_INTEGER <= number <= LARGEST_INTEGER:
            raise IllegalActionError(
                f"the action of player_{self.current[0]} must be an integer from 0 to {self.layout.actions.size - 1},"
                f" not {action!r}"
            )
        return np.array([number], np.int64)

    def _as_rows(self, rows: Integers | None) -> NDArray[np.int64]:
        return self._all_rows if rows is None else check_rows(rows, self.batch)

    def _as_distinct_rows(self, rows: Integers | None) -> NDArray[np.int64]:
        """Return rows of which none is there twice, so that threads can share them."""
        return self._all_rows if rows is None else check_distinct_rows(rows, self.batch)

    def _as_row(self, row: object) -> int:
        return check_integer("row", row, 0, self.batch - 1)

    def _as_seats(self, seats: Integers | None, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.current[rows] if seats is None else check_seats(seats, len(rows), self.num_players)

    def _illegal(self, row: int, action: int) -> IllegalActionError:
        state = self.states[row]
        try:
            text = f"{action} ({self.configuration.text.describe(state, action)})"
        except ValueError:
            text = str(action)
        legal = ", ".join(map(str, np.flatnonzero(self.masks[row])))
        return IllegalActionError(
            f"{self.configuration}, game {row}: action {text} of player_{self.current[row]} is not legal "
            f"in phase {PHASES[state.phase]}; legal actions: {legal}"
        )

    def history(self, row: int = 0, *, ended: bool = False) -> tuple[Start, list[int]]:
        """Return how a game began (its seed, or its first state as from `get_state`) and the actions since.

        Of the game under way, or with `ended` of the row's last ended game. Raises ValueError without `record=True`,
        and if no game of the row has ended.
        """
        row = self._as_row(row)
        if self._recording is None:
            raise ValueError("no actions are recorded: use Games(record=True)")
        is_over = self._outcomes[row] != outcomes.RUNNING
        history = self._recording.ended[row] if ended and not is_over else self._recording.under_way[row]
        if history is None:
            raise ValueError(f"no game of row {row} has ended yet")
        start, actions = history
        return start, list(actions)

    # Looking

    @_one_at_a_time
    def observe(self, rows: Integers | None = None, seats: Integers | None = None) -> NDArray[np.uint8]:
        """Return observations of seats, by default the acting ones, as a new uint8 array (rows, observation size).

        Features are zero for seats that are not to act.
        """
        chosen = self._as_rows(rows)
        return self._observe(chosen, self._as_seats(seats, chosen))

    def _observe(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.uint8]:
        vectors = np.zeros((len(rows), self.layout.observation.size), np.uint8)
        core.observe_seats(self.states, self.configuration.rules, rows, seats, vectors)
        if self.features:
            is_acting = seats == self.current[rows]
            vectors[is_acting, self._observed :] = self._compute_features(rows[is_acting])
        return vectors

    @_one_at_a_time
    def global_state(self, rows: Integers | None = None) -> NDArray[np.uint8]:
        """Everything, hidden things included, as a new uint8 array (rows, size of the global state).

        For centralised training.
        """
        chosen = self._as_rows(rows)
        vectors = np.zeros((len(chosen), self.layout.global_state.size), np.uint8)
        core.write_global_states(self.states, self.configuration.rules, chosen, vectors)
        return vectors

    @_one_at_a_time
    def views(self, rows: Integers | None = None, seats: Integers | None = None) -> Array:
        """New states (rows,) without what the seats can't know (C20); by default for the acting seats."""
        chosen = self._as_rows(rows)
        return self._views(chosen, self._as_seats(seats, chosen))

    def _views(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> Array:
        views = self.configuration.ruleset.new_states(len(rows))
        core.write_views(self.states, self.configuration.rules, rows, seats, views)
        return views

    @_one_at_a_time
    def determinize(self, rows: Integers | None, seeds: Integers) -> Array:
        """New states (rows,) in which all that the acting seats can't know is random (C20); `seeds` one for each row.

        The deal depends on the seed and on what the seat knows, on nothing else.
        """
        chosen = self._as_rows(rows)
        dealt_from = check_seeds(seeds, len(chosen))
        copies = self.configuration.ruleset.new_states(len(chosen))
        rules, scratch = self.configuration.rules, self._scratch[0].deciding
        core.determinize_rows(self.states, rules, scratch, chosen, dealt_from, copies)
        return copies

    @property
    def results(self) -> Results:
        """The result of each row's last ended game, as new arrays."""
        return self.results_of(None)

    @_one_at_a_time
    def results_of(self, rows: Integers | None) -> Results:
        """Return the results of the last ended games of these rows, as new arrays with one row for each."""
        return Results.from_states(self.configuration, self.finished[self._as_rows(rows)])

    @_one_at_a_time
    def snapshot(self, row: int = 0) -> dict[str, Any]:
        """Return everything about a game as a JSON-able dictionary (docs/snapshots.md)."""
        return self.configuration.snapshot(self.states[self._as_row(row)])

    @_one_at_a_time
    def describe(self, action: SupportsIndex, row: int = 0) -> Description:
        """Return an action at a game's present decision as a JSON-able dictionary, whose `str` reads as a sentence.

        Raises ValueError if the action does not exist, or if its meaning depends on a decision (keeping or refusing a
        ticket, a payment) that the game is not waiting for.
        """
        row, number = self._as_row(row), as_integer(action)
        if number is None:
            raise ValueError(f"an action must be an integer, not {action!r}")
        description: Description = self.configuration.text.describe(self.states[row], number)
        return description

    # The arrays that are written

    @_one_at_a_time
    def write_to(
        self,
        *,
        observations: NDArray[np.uint8] | None = None,
        masks: NDArray[np.int8] | None = None,
        rewards: NDArray[np.float32] | None = None,
        global_states: NDArray[np.uint8] | None = None,
    ) -> None:
        """Write into these arrays from now on, such as those in page-locked or shared memory.

        They get the present values, and are the attributes of these names. What is not given stays as it is. Copies
        of the games have arrays of their own. Raises ValueError, and changes nothing, if an array has another shape or
        dtype than the attribute, is not C-contiguous, aligned and writeable, or shares memory with another one of them.
        """
        given = {"observations": observations, "masks": masks, "rewards": rewards, "global_states": global_states}
        arrays = {
            name: check_buffer(name, array, getattr(self, name)) for name, array in given.items() if array is not None
        }
        batch = self.core_batch._replace(**arrays)
        for (one, array), (other, another) in combinations(batch._asdict().items(), 2):
            if np.may_share_memory(array, another):
                raise ValueError(f"{one} and {other} must not share memory")
        present = {name: getattr(self, name).copy() for name in arrays}
        for name, array in arrays.items():
            array[...] = present[name]
            setattr(self, name, array)
        self.core_batch = batch

    # Copying and saving

    @_one_at_a_time
    def clone(self) -> "Games":
        """Return an independent copy, in the middle of play too."""
        return copy.deepcopy(self)

    @_one_at_a_time
    def get_state(self, row: int = 0, *, note: Any = None) -> bytes:
        """Return a game as bytes, which any Games of the same variant, players and options can load, on any machine.

        `note` is saved with it: `set_state` returns it. It must be JSON-able; as JSON has them, tuples come back as
        lists and all keys as texts. Raises ValueError if it is not, or larger than 1 MiB.
        """
        return self._pack(self._as_row(row), note)

    def _pack(self, row: int, note: Any = None) -> bytes:
        return pack_game(self.configuration, self.states[row], int(self.seeds[row]), note)

    @_one_at_a_time
    def set_state(self, saved: bytes, row: int = 0) -> Any:
        """Put a game from `get_state` in a row; return the note that was saved with it.

        Raises ValueError, and changes nothing, if the bytes are damaged, longer than 1 MiB, or of another variant,
        number of players or options, and if their state can't be played on (see `set_states`).
        """
        row = self._as_row(row)
        game = unpack_game(self.configuration, saved)
        self._put(np.array([row]), game.state, game.seed)
        return game.note

    @_one_at_a_time
    def set_states(self, rows: Integers | None, states: Array) -> None:
        """Put copies of states of this configuration (as from `determinize`) in rows, one for each.

        An ended game that is put in stays as it is until `reset`. `seeds` keeps the seed of the row's last deal. Raises
        ValueError, and changes nothing, for arrays of another dtype or shape, and if a state can't be played on: cards,
        trains, tickets and what else there is must add up, and what a decision is about must be there. Points, open
        routes and results are computed from the rest. Views can't be played on.
        """
        self._put(self._as_distinct_rows(rows), states)

    def _put(self, rows: NDArray[np.int64], states: Array, seed: int | None = None) -> None:
        given: object = states
        if not isinstance(given, np.ndarray) or given.dtype != self.states.dtype or given.shape != rows.shape:
            raise ValueError(f"states must be an array of shape ({len(rows)},) and of the dtype of Games.states")
        checked = np.array(given)  # what is checked is what is put in, whoever may write into the array meanwhile
        clear_gap(checked)  # equal states are equal to the byte
        checked = self._check_states(checked)
        self._check_random_seats()
        if self._recording:
            self._recording.end(self._over(rows))
        self.states[rows] = checked
        if seed is not None:
            self.seeds[rows] = seed
        self._run(core.RESUME, rows)
        self._write_outcome(rows)
        if self._recording:
            self._recording.begin(rows, map(self._pack, rows))

    def _check_states(self, states: Array) -> Array:
        """Return states from outside, with all that follows from the rest computed again. Raises ValueError."""
        fault, rules = find_fault(states, self.configuration), self.configuration.rules
        derived = np.zeros_like(states)
        if not fault:
            scratch = self._scratch[0]
            core.derive_rows(states, rules, self.configuration.opening, scratch.scoring, derived)
            fault = find_unfit_decision(derived, self.configuration)
            if not fault and core.first_stuck(derived, rules, scratch.deciding) != core.ALL_LEGAL:
                fault = "the acting seat must have a legal action"
        if fault:
            raise ValueError(f"states must be playable states of {self.configuration}: {fault}")
        return derived

    def _write_outcome(self, rows: NDArray[np.int64]) -> None:
        """Write ends and results of rows whose states were replaced, not stepped."""
        outcome = self.states["outcome"][rows]
        self.terminated[rows] = (outcome == outcomes.FINISHED) | (outcome == outcomes.FORFEITED)
        self.truncated[rows] = outcome == outcomes.TRUNCATED
        over = rows[outcome != outcomes.RUNNING]
        if not over.size:
            return
        self.finished[over] = self.states[over]
        if self.observations.shape[1]:
            for seat in range(self.num_players):
                self.final_observations[over, seat] = self._observe(over, np.full(len(over), seat))


_BOUND = (
    *("current", "seeds", "rngs", "terminated", "truncated", "random_seats"),
    *("_outcomes", "_scratch", "_waiting", "_pool", "_process", "_is_busy", "core_batch"),
)
"""The attributes that `Games._bind` makes again in each copy."""
