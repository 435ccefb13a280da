"""A batch of games as NumPy arrays: the core's Python face."""

import copy
import json
import operator
import os
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_env.configuration import Configuration, as_configuration
from t2r_env.core import batch as core
from t2r_env.core import records
from t2r_env.core.layout import Layout
from t2r_env.core.randomness import next_seed
from t2r_env.rules.rewards import FINISHED, FORFEITED, REWARDS, RUNNING, TRUNCATED
from t2r_env.rules.text import Description

Array = np.ndarray[Any, Any]
Reward = Literal["rank", "win", "score", "margin"]
IllegalAction = Literal["raise", "terminate"]
Choice = TypeVar("Choice")

LARGEST_SEED = 2**64 - 1
LARGEST_NUMBER = 2**63 - 1

_NO_ACTIONS = np.zeros(0, np.int64)


class IllegalActionError(ValueError):
    """An answer that the rules do not allow; the message says which are legal. Nothing has changed."""


@dataclass(frozen=True)
class Results:
    """How the game that ended last in each row came out; a row is all zero before its first game has ended.

    Shapes: (batch, seats), but for `turns` and `decisions`, (batch,). Points and ranks are zero unless the game was
    played to its end. In team games teammates have the same.
    """

    scores: NDArray[np.int64]
    ranks: NDArray[np.int64]
    """1 is best; ties share the lower number."""
    breakdown: Mapping[str, NDArray[np.int64]]
    """The parts of each score by name; they add up to it."""
    completed: NDArray[np.int64]
    """Tickets completed."""
    failed: NDArray[np.int64]
    """Tickets held and not completed."""
    turns: NDArray[np.int64]
    decisions: NDArray[np.int64]

    def of(self, row: int, seat: int) -> dict[str, Any]:
        """How the game came out for one seat, in numbers that are JSON-able; empty if it was not played to its end."""
        if not self.ranks[row, seat]:
            return {}
        return {
            "score": int(self.scores[row, seat]),
            "rank": int(self.ranks[row, seat]),
            "breakdown": {name: int(points[row, seat]) for name, points in self.breakdown.items()},
            "completed": int(self.completed[row, seat]),
            "failed": int(self.failed[row, seat]),
        }


class Games:
    """Many games of one configuration, stepped together, each array written in place.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`; or a `Configuration` in the place of the variant.
    batch
        How many games.
    seed
        Game i begins from seed + i (modulo 2^64); the seed of a row's next game follows from its last one's.
    reward
        `rank`: +1 for the first place, -1 for the last, linear between, ties averaged, zero before the end. `win`: 1
        shared among the winners. `score`: points as they come. `margin`: by how many points the lead over the best
        opponent grows (it is negative for all but the leader); they add up to the final lead.
    autoreset
        Whether a row's next game begins in the step that ends its game. Otherwise ended games stay as they are: their
        masks are all zero and their actions are ignored.
    illegal_action
        `raise`: IllegalActionError, and no game has changed. `terminate`: the offender's reward is -1, the others' 0,
        and its game ends without a result.
    observe
        Whether observations are written; without them their arrays have no columns.
    threads
        How many threads share a step; the games are the same for every number.
    record
        Whether each row's actions are kept, for `replay`.

    Attributes
    ----------
    states : structured array, (batch,)
        The games themselves (`configuration.kind.state`). Only `determinize` and `known` give what a player
        may see.
    masks : int8, (batch, actions)
        1 for each legal answer of the current seat.
    observations : uint8, (batch, size of the observation)
        What the current seat sees; `layout.observation` names its parts.
    current : int64, (batch,)
        The seat that is asked.
    rewards : float32, (batch, seats)
        Of the last step.
    terminated, truncated : bool, (batch,)
        Whether the last step ended the row's game (by the rules or an illegal action; by the turn limit, C19), or the
        state put in the row is that of an ended game.
    final_observations : uint8, (batch, seats, size of the observation)
        What each seat sees at the end of the row's last ended game.
    seeds : uint64, (batch,)
        The seed of each row's game.
    random_seats : bool, (batch, seats)
        The seats whose decisions the core answers at random within the step that leads to them, each legal answer being
        equally likely; no seat at first. To be written between steps.
    rngs : uint64, (batch,)
        The chance of these answers, apart from the games' own. To be written between steps.

    Raises ValueError or TypeError for any argument that is not allowed; the message says what is.
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Configuration = "usa",
        num_players: int | None = None,
        batch: int = 1,
        seed: int = 0,
        *,
        reward: Reward = "rank",
        autoreset: bool = True,
        illegal_action: IllegalAction = "raise",
        observe: bool = True,
        threads: int = 1,
        record: bool = False,
        **options: Any,
    ) -> None:
        self.configuration = as_configuration(variant, num_players, options)
        self.batch = check_number("batch", batch, 1)
        self.threads = check_number("threads", threads, 1)
        self.reward: Reward = check_choice("reward", reward, get_args(Reward))
        self.illegal_action: IllegalAction = check_choice("illegal_action", illegal_action, get_args(IllegalAction))
        self.autoreset = check_choice("autoreset", autoreset, (True, False))
        check_choice("observe", observe, (True, False))
        check_choice("record", record, (True, False))
        self._scheme = REWARDS.index(reward)
        seats, layout = self.configuration.num_players, self.configuration.layout
        width = layout.observation.size if observe else 0
        self.states = self.configuration.ruleset.new_states(batch)
        self.finished = self.configuration.ruleset.new_states(batch)
        self.masks = np.zeros((batch, layout.actions.size), np.int8)
        self.observations = np.zeros((batch, width), np.uint8)
        self.final_observations = np.zeros((batch, seats, width), np.uint8)
        self.current = np.zeros(batch, np.int64)
        self.rewards = np.zeros((batch, seats), np.float32)
        self.terminated = np.zeros(batch, np.bool_)
        self.truncated = np.zeros(batch, np.bool_)
        self.seeds = np.zeros(batch, np.uint64)
        self.random_seats = np.zeros((batch, seats), np.bool_)
        self.rngs = np.zeros(batch, np.uint64)
        self._all_rows = np.arange(batch)
        self._record = record
        self._starts: list[int | bytes] = [0] * batch
        self._actions: list[list[int]] = [[] for _ in range(batch)]
        self._ended: list[tuple[int | bytes, list[int]] | None] = [None] * batch
        self._bind()
        self.reset(seeds=seeds_from(seed, batch))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _BOUND}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._bind()

    def _bind(self) -> None:
        """Gather what every step needs."""
        self._outcomes = self.states["outcome"]
        self._scratch = [self.configuration.ruleset.new_scratch() for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._outputs = (
            self.random_seats,
            self.seeds,
            self.masks,
            self.observations,
            self.current,
            self.rewards,
            self.terminated,
            self.truncated,
            self.finished,
            self.final_observations,
            self._scheme,
            self.autoreset,
        )

    @property
    def layout(self) -> Layout:
        """Where observations, the truth and actions lie."""
        return self.configuration.layout

    @property
    def num_players(self) -> int:
        """How many seats each game has."""
        return self.configuration.num_players

    # Playing

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> None:
        """Answer the decisions of the given rows (all by default): `actions` are integers, one for each.

        Other rows stay as they are. With `autoreset=False` the actions of ended games are ignored. Raises
        IllegalActionError (see `illegal_action`) and ValueError for another shape or type; then no game has changed.
        """
        stepped = self._as_rows(rows)
        chosen = self._as_actions(actions, stepped)
        if self.illegal_action == "raise":
            row = core.first_illegal(self.states, self.masks, stepped, chosen)
            if row != core.ALL_LEGAL:
                raise self._illegal(row, int(chosen[row]))
        if not self._record:
            self._run(core.ACTION, stepped, actions=chosen)
            return
        running = stepped[self._outcomes[stepped] == RUNNING]
        self._note(running, chosen)
        self._run(core.ACTION, stepped, actions=chosen)
        if self.autoreset:
            self._note_ends(running[self.terminated[running] | self.truncated[running]])

    def play_random(self, decisions: int, seed: int = 0) -> int:
        """Answer `decisions` decisions of each game at random inside the core; return how many games ended.

        Every legal answer is equally likely; the same seed makes the same choices. Not for games that are recorded.
        """
        if self._record:
            raise ValueError("random play inside the core keeps no record: use Games(record=False)")
        rngs = np.random.default_rng(check_seed(seed)).integers(2**64, size=self.batch, dtype=np.uint64)
        check_number("decisions", decisions, 0)
        return self._run(core.PLAY_RANDOMLY, self._all_rows, decisions=decisions, rngs=rngs)

    def reset(self, rows: ArrayLike | None = None, seeds: ArrayLike | None = None) -> None:
        """Begin new games in the given rows (all by default), from the given seeds or those that follow."""
        chosen = self._as_rows(rows)
        if seeds is None:
            self.seeds[chosen] = [next_seed(seed) for seed in self.seeds[chosen]]
        else:
            self.seeds[chosen] = self.as_seeds(seeds, chosen)
        self._run(core.BEGIN, chosen)
        self._note_outcome(chosen)
        for row in chosen:
            self._starts[row] = int(self.seeds[row])
            self._actions[row] = []

    def _run(
        self,
        order: int,
        rows: NDArray[np.int64],
        *,
        decisions: int = 1,
        actions: NDArray[np.int64] = _NO_ACTIONS,
        rngs: NDArray[np.uint64] | None = None,
    ) -> int:
        """Let the core work on rows, each thread on a part of them; return how many games ended."""
        if self.random_seats.any():
            self._check_random_seats()

        def work(scratch: Array, part: NDArray[np.int64]) -> int:
            ended: int = core.run(
                self.states,
                self.configuration.rules,
                self.configuration.opening,
                scratch,
                part,
                order,
                decisions,
                actions,
                self.rngs if rngs is None else rngs,
                *self._outputs,
            )
            return ended

        if self._pool is None:
            return work(self._scratch[0], rows)
        return sum(self._pool.map(work, self._scratch, np.array_split(rows, self.threads)))

    def _check_random_seats(self) -> None:
        if self._record:
            raise ValueError("random play inside the core keeps no record: use Games(record=False)")
        if self.autoreset and self.random_seats.all(axis=1).any():
            raise ValueError("with autoreset, random_seats must leave a seat to be asked: a step would never end")

    def _as_actions(self, actions: ArrayLike, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of these rows by row."""
        chosen = np.asarray(actions)
        if chosen.shape != rows.shape or (chosen.dtype.kind not in "iu" and chosen.size):
            raise ValueError(
                f"actions must be integers of shape ({len(rows)},), not {chosen.dtype} of shape {chosen.shape}"
            )
        if rows is self._all_rows:
            return np.ascontiguousarray(chosen, np.int64)
        if len(np.unique(rows)) < len(rows):
            raise ValueError(f"each row may be stepped once at a time, not {rows.tolist()}")
        by_row = np.zeros(self.batch, np.int64)
        by_row[rows] = chosen
        return by_row

    def one_action(self, action: Any) -> NDArray[np.int64]:
        """The answer to a single decision as `step` takes it, (1,). Raises IllegalActionError for what is no number."""
        try:
            if isinstance(action, bool):
                raise TypeError
            return np.array([operator.index(action)], np.int64)
        except (TypeError, OverflowError):
            raise IllegalActionError(
                f"player_{self.current[0]} must answer with an integer from 0 to {self.layout.actions.size - 1},"
                f" not {action!r}"
            ) from None

    def _as_rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        if rows is None:
            return self._all_rows
        chosen = np.atleast_1d(np.asarray(rows))
        if chosen.size == 0:
            return np.zeros(0, np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or np.any((chosen < 0) | (chosen >= self.batch)):
            raise ValueError(f"rows must be integers from 0 to {self.batch - 1}, not {rows!r}")
        return chosen.astype(np.int64)

    def _as_row(self, row: object) -> int:
        if not isinstance(row, int | np.integer) or isinstance(row, bool) or not 0 <= row < self.batch:
            raise ValueError(f"the row must be an integer from 0 to {self.batch - 1}, not {row!r}")
        return int(row)

    def _as_seats(self, seats: ArrayLike | None, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if seats is None:
            return self.current[rows]
        chosen = np.asarray(seats)
        fits = chosen.shape in ((), (1,), rows.shape) and chosen.dtype.kind in "iu"
        if not fits or np.any((chosen < 0) | (chosen >= self.num_players)):
            raise ValueError(
                f"seats must be integers from 0 to {self.num_players - 1}, one or as many as rows, not {seats!r}"
            )
        return np.broadcast_to(chosen, rows.shape).astype(np.int64)

    def as_seeds(self, seeds: ArrayLike, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Seeds for these rows, as words. Raises ValueError for what is none, and for too few or many."""
        words = np.array([check_seed(seed) for seed in np.atleast_1d(np.asarray(seeds, object))], np.uint64)
        if len(words) != len(rows):
            raise ValueError(f"there must be one seed for each of the {len(rows)} rows, not {len(words)}")
        return words

    def _illegal(self, row: int, action: int) -> IllegalActionError:
        state = self.states[row]
        try:
            words = f"{action} ({self.configuration.text.describe(state, action)})"
        except ValueError:
            words = str(action)
        legal = ", ".join(map(str, np.flatnonzero(self.masks[row])))
        return IllegalActionError(
            f"{self.configuration}, game {row}: player_{self.current[row]} may not answer {words} "
            f"in phase {self.configuration.ruleset.phases[state.phase]}; legal actions: {legal}"
        )

    # Records of play

    def _note(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        for row in rows:
            self._actions[row].append(int(actions[row]))

    def _note_ends(self, rows: NDArray[np.int64]) -> None:
        for row in rows:
            self._ended[row] = (self._starts[row], self._actions[row])
            self._starts[row] = int(self.seeds[row])
            self._actions[row] = []

    def history(self, row: int = 0, *, ended: bool = False) -> tuple[int | bytes, list[int]]:
        """How a game began (its seed, or its first state as by `get_state`) and the actions since.

        Of the game under way, or with `ended` of the row's last ended game. Only with `record=True`. Raises ValueError
        without it, and if no game of the row has ended.
        """
        row = self._as_row(row)
        if not self._record:
            raise ValueError("no actions are kept: use Games(record=True)")
        under_way = (self._starts[row], self._actions[row])
        is_over = self._outcomes[row] != RUNNING
        recorded = self._ended[row] if ended and not is_over else under_way
        if recorded is None:
            raise ValueError(f"no game of row {row} has ended yet")
        start, actions = recorded
        return start, list(actions)

    # Looking

    def observe(self, rows: ArrayLike | None = None, seats: ArrayLike | None = None) -> NDArray[np.uint8]:
        """What seats see, as a new array (rows, size of the observation); by default the seats that are asked."""
        chosen = self._as_rows(rows)
        vectors = np.zeros((len(chosen), self.layout.observation.size), np.uint8)
        core.observe_seats(self.states, self.configuration.rules, chosen, self._as_seats(seats, chosen), vectors)
        return vectors

    def global_state(self, rows: ArrayLike | None = None) -> NDArray[np.uint8]:
        """All there is to know, as a new array (rows, size of the truth), for centralised training."""
        chosen = self._as_rows(rows)
        vectors = np.zeros((len(chosen), self.layout.global_state.size), np.uint8)
        core.write_global_state(self.states, self.configuration.rules, chosen, vectors)
        return vectors

    def views(self, rows: ArrayLike | None = None, seats: ArrayLike | None = None) -> Array:
        """New states without what the seats can't know (C20); by default for the seats that are asked."""
        chosen = self._as_rows(rows)
        views = self.configuration.ruleset.new_states(len(chosen))
        core.views(self.states, self.configuration.rules, chosen, self._as_seats(seats, chosen), views)
        return views

    def determinize(self, rows: ArrayLike | None, seats: ArrayLike | None, seeds: ArrayLike) -> Array:
        """New states in which all that the seats can't know is dealt anew from `seeds`, one for each row (C20)."""
        chosen = self._as_rows(rows)
        words = self.as_seeds(seeds, chosen)
        copies = self.configuration.ruleset.new_states(len(chosen))
        core.determinize(
            self.states,
            self.configuration.rules,
            self._scratch[0],
            chosen,
            self._as_seats(seats, chosen),
            words,
            copies,
        )
        return copies

    @property
    def results(self) -> Results:
        """How the game that ended last in each row came out, as new arrays."""
        return self.results_of(None)

    def results_of(self, rows: ArrayLike | None) -> Results:
        """How the games that ended last in these rows came out, as new arrays of as many rows."""
        rules, ended = self.configuration.rules[0], self.finished[self._as_rows(rows)]
        teams = rules.team[: self.num_players]
        is_scored = (ended["outcome"] == FINISHED).astype(np.int64)[:, None]
        return Results(
            scores=ended["score"][:, teams] * is_scored,
            ranks=ended["rank"][:, teams] * is_scored,
            breakdown={
                name: ended["breakdown"][:, teams, part] * is_scored
                for name, part in self.configuration.score_parts.items()
            },
            completed=ended["completed"][:, teams] * is_scored,
            failed=ended["failed"][:, teams] * is_scored,
            turns=ended["turn"].astype(np.int64),
            decisions=ended["decisions"].astype(np.int64),
        )

    def snapshot(self, row: int = 0) -> dict[str, Any]:
        """The whole of a game as a JSON-able dictionary (docs/formats.md)."""
        return self.configuration.snapshot(self.states[self._as_row(row)])

    def describe(self, action: SupportsIndex, row: int = 0) -> Description:
        """An action at a game's present decision as a JSON-able dictionary; its `str` reads as a sentence.

        Raises ValueError for a number that is no action, and for an answer whose meaning depends on its decision
        (keeping or refusing a ticket, a payment), if that is not being asked.
        """
        row = self._as_row(row)
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise ValueError(f"an action must be an integer, not {action!r}")
        return self.configuration.text.describe(self.states[row], int(action))

    # Copying and saving

    def clone(self) -> "Games":
        """An independent copy, in the middle of play too."""
        return copy.deepcopy(self)

    def get_state(self, row: int = 0, *, note: Any = None) -> bytes:
        """A game as bytes; they fit any Games of the same variant, players and options, on any machine.

        `note`, anything JSON-able, travels with it: `set_state` returns it.
        """
        row = self._as_row(row)
        heading = json.dumps(self.configuration.identity | {"seed": str(self.seeds[row]), "note": note}).encode()
        return _sealed(heading + b"\n" + records.pack(self.states[row]))

    def set_state(self, saved: bytes, row: int = 0) -> Any:
        """Put a game from `get_state` in a row; return the note that was saved with it.

        Raises ValueError, and changes nothing, if the bytes are damaged or of another variant, number of players or
        options.
        """
        row = self._as_row(row)
        heading, body = self._open(saved)
        new = self.configuration.ruleset.new_states(1)
        records.unpack(body, new[0])
        self.set_states(row, new)
        self.seeds[row] = int(heading["seed"])
        if self._record:
            self._starts[row] = self.get_state(row)
        return heading["note"]

    def set_states(self, rows: ArrayLike | None, states: Array) -> None:
        """Put copies of states of this configuration (as from `determinize`) in rows, one for each.

        A game put in that has ended stays as it is until `reset`. `seeds` keeps naming the row's last deal. Raises
        ValueError, and changes nothing, for other arrays and for states that can't be played.
        """
        chosen = self._as_rows(rows)
        given: object = states
        if not isinstance(given, np.ndarray) or given.dtype != self.states.dtype or given.shape != chosen.shape:
            raise ValueError(f"there must be {len(chosen)} states of this game, as an array of the dtype of `states`")
        if fault := self._find_fault(states):
            raise ValueError(f"these are no states of {self.configuration}: {fault}")
        self.states[chosen] = states
        self._run(core.ASK, chosen)
        self._note_outcome(chosen)
        if self._record:
            for row in chosen:
                self._starts[row] = self.get_state(row)
                self._actions[row] = []

    def _find_fault(self, states: Array) -> str:
        """What is wrong with states from outside; empty if nothing is."""
        rules = self.configuration.rules
        if fault := self.configuration.ruleset.find_fault(states, rules[0]):
            return fault
        running = np.ascontiguousarray(states[states["outcome"] == RUNNING])
        if running.size and not core.fewest_legal_actions(running, rules, self._scratch[0]):
            # the core would wait for it for ever, or deal hands that can't be
            return "the acting seat must have a legal action (as cards to draw or to pay with)"
        return ""

    def _note_outcome(self, rows: NDArray[np.int64]) -> None:
        """Bring rewards, ends and results of these rows in line with states that no step has led to."""
        outcome = self.states["outcome"][rows]
        self.terminated[rows] = (outcome == FINISHED) | (outcome == FORFEITED)
        self.truncated[rows] = outcome == TRUNCATED
        over = rows[outcome != RUNNING]
        if not over.size:
            return
        self.finished[over] = self.states[over]
        if self.observations.shape[1]:
            for seat in range(self.num_players):
                self.final_observations[over, seat] = self.observe(over, seat)

    def _open(self, saved: object) -> tuple[dict[str, Any], bytes]:
        """The heading and the body of a saved state that fits."""
        if not isinstance(saved, bytes) or saved != _sealed(content := saved[len(_sealed(b"")) :]):
            raise ValueError("these bytes are no saved state, or they are damaged: give what get_state() returned")
        heading, _, body = content.partition(b"\n")
        try:
            fields: dict[str, Any] = json.loads(heading)
            missing = {*self.configuration.identity, "seed", "note"} - fields.keys()
        except (ValueError, AttributeError):
            missing = {"heading"}
        if missing:
            raise ValueError(f"these bytes are no saved state: its {min(missing)} is missing")
        for name, value in self.configuration.identity.items():
            if fields[name] != value:
                raise ValueError(f"the saved state has {name} {fields[name]!r}; here it is {value!r}")
        return fields, body


_BOUND = ("_outcomes", "_scratch", "_pool", "_outputs")
"""What `Games._bind` makes: no copy of a Games takes it along."""


def _sealed(content: bytes) -> bytes:
    """A saved state's content behind a mark and a checksum, which show that it is one, and whole."""
    return b"t2r_env state 1\n%08x\n" % zlib.crc32(content) + content


def check_seed(seed: Any) -> int:
    """A seed as a number; TypeError or ValueError if it is none."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed must be an integer from 0 to 2^64 - 1, not {seed!r}")
    return int(seed)


def seeds_from(first: Any, number: int) -> list[int]:
    """The seeds of so many games from the first one's on, modulo 2^64; ValueError if it is none."""
    return [(check_seed(first) + game) % (LARGEST_SEED + 1) for game in range(number)]


def check_number(name: str, value: Any, least: int, most: int = LARGEST_NUMBER) -> int:
    """An integer of at least `least` and at most `most`; ValueError if it is none."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} must be an integer, at least {least}, not {value!r}")
    return int(value)


def check_choice(name: str, value: Any, allowed: tuple[Choice, ...]) -> Choice:
    """One of the allowed words; ValueError if it is none."""
    if type(value) not in map(type, allowed) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}")
    chosen: Choice = value
    return chosen
