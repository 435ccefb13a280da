"""`python -m tests.endurance.soak`: play millions of random games in all variants, and check what must always hold.

The games are played inside the core, for every variant, number of players and ticket deck in turn. Now and then they
stop, wherever each of them is. Then

- every game that has ended has scores that are the sum of their parts, and ranks that follow from them
- some states are put into other games: they are accepted, and show the same masks and observations
- some states are determinized for a seat: the result is accepted, and the seat sees the same of it
- a few states and ends are compared with the slow referees of tests/games/test_invariants.py, which share no code with
  the library

A run that was interrupted goes on where it stopped. After a change of the library begin in another folder.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from benchmarks.machine import describe_machine
from t2r_env import Configuration, Games, configure
from t2r_env.rules.names import outcomes, phases
from tests.endurance import add_numbers, positive_integer, text_of
from tests.games.test_invariants import check_situation, check_variant, final
from tests.helpers.playing import DECKS, title_of
from tests.helpers.situations import configuration

BATCH = 1000
"""Games played side by side."""
GAMES_OF_A_PORTION = 10_000
STRIDE = 24
"""Decisions in each game from one stop to the next: few, so that no game ends twice between stops."""
FIRST_CHECK, STOPS_PER_CHECK = 3, 12
"""At the third stop, and at every twelfth from there on, states are put into other games and determinized."""
REFEREED = 1
"""At each of these, so many states and ends are compared with the referees."""
LONGEST_GAME = 20_000
"""Decisions after which a game is taken not to end."""


@dataclass
class Tally:
    """What a portion of the games came to."""

    portion: int
    configuration: str
    games: int = 0
    truncated: int = 0
    """Games that reached the turn limit (C19)."""
    decisions: int = 0
    ends: int = 0
    """Ended games whose results were checked."""
    states: int = 0
    """States in the middle of a game that were put into other games."""
    determinizations: int = 0
    refereed: int = 0
    """States and ends compared with the referees."""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


COUNTS = [entry.name for entry in fields(Tally) if entry.name not in ("portion", "configuration")]


def play_portion(portion: int, games_of_a_portion: int = GAMES_OF_A_PORTION) -> Tally:
    """Play a portion of the games and check them. A fault ends the portion and is noted in the tally."""
    variant, players, options = DECKS[portion % len(DECKS)]
    soak = Soak(configuration(variant, players, **options), portion)
    began = time.perf_counter()
    try:
        while soak.tally.games < games_of_a_portion:
            soak.go_on()
    except Exception as error:  # whatever a fault may lead to
        where = "some row" if soak.row is None else f"row {soak.row}, seed {soak.games.seeds[soak.row]}"
        soak.tally.faults.append(f"stop {soak.stop}, {where}: {text_of(error)}")
    soak.tally.seconds = time.perf_counter() - began
    return soak.tally


class Soak:
    """A batch of games that play on and on, and are checked at each stop."""

    def __init__(self, chosen: Configuration, portion: int, batch: int = BATCH) -> None:
        # a deal follows from its row's last one: portions begin far from each other
        self.games = Games(chosen, batch=batch, seed=portion << 32)
        self.copies = self.games.clone()
        self.rng = np.random.default_rng(portion)
        defaults = configure(chosen.variant, chosen.num_players).options
        told = {name: value for name, value in chosen.options.items() if value != defaults[name]}
        self.tally = Tally(portion, title_of(chosen.variant.id, chosen.num_players, told))
        self.stop = 0
        self.row: int | None = None
        """The row that is being looked at, for the message of a fault."""

    def go_on(self) -> None:
        """Play up to the next stop, and check."""
        games, self.stop = self.games, self.stop + 1
        before = games.seeds.copy()
        ended = games.play_random(STRIDE, seed=int(self.rng.integers(2**63)))
        over = np.flatnonzero(games.seeds != before)
        self.tally.games += ended
        self.tally.decisions += STRIDE * self.games.batch
        assert games.states["decisions"].max() < LONGEST_GAME, "a game does not end"
        if over.size:
            self._check_ends(over)
        if self.stop % STOPS_PER_CHECK == FIRST_CHECK:
            self._check_states()
            self._check_determinizations()
            self._compare_with_referees(over)

    def _check_ends(self, rows: NDArray[np.int64]) -> None:
        """Results are consistent: parts add up to scores, ranks are those of the scores, and there is a winner."""
        ended, results = self.games.finished[rows], self.games.results_of(rows)
        is_finished = ended["outcome"] == outcomes.FINISHED
        assert np.all(is_finished | (ended["outcome"] == outcomes.TRUNCATED))
        self.tally.truncated += int((~is_finished).sum())
        self.tally.ends += len(rows)
        assert np.array_equal(sum(results.breakdown.values()), results.scores)
        better = (results.scores[:, :, None] < results.scores[:, None, :]) & is_finished[:, None, None]
        assert not np.any(better & (results.ranks[:, :, None] <= results.ranks[:, None, :]))
        assert np.array_equal(results.ranks.min(axis=1), is_finished)
        assert np.all(results.ranks <= self.games.num_players)
        assert np.all(results.turns > 0)

    def _check_states(self) -> None:
        """Reached states are accepted, and show what they showed."""
        games, copies = self.games, self.copies
        copies.set_states(None, games.states)
        self.tally.states += games.batch
        assert np.array_equal(copies.states, games.states)
        assert np.array_equal(copies.masks, games.masks)
        assert np.array_equal(copies.observations, games.observations)
        least = np.where(games.states["phase"] == phases.TURN, 1, 2)
        assert np.all(games.masks.sum(axis=1) >= least)

    def _check_determinizations(self) -> None:
        """A determinization is accepted, and the acting seat can't tell it from the game (C20)."""
        games, copies = self.games, self.copies
        copies.set_states(None, games.determinize(None, self.rng.integers(2**64, size=games.batch, dtype=np.uint64)))
        self.tally.determinizations += games.batch
        assert np.array_equal(copies.views(), games.views())
        assert np.array_equal(copies.observations, games.observations)
        assert np.array_equal(copies.masks, games.masks)

    def _compare_with_referees(self, over: NDArray[np.int64]) -> None:
        """Some states, and the last states of some games that have just ended, are what the referees find."""
        chosen = self.games.configuration
        for row in self.rng.choice(self.games.batch, REFEREED, replace=False).tolist():
            self.row = row
            check_situation(self.games, self.games.snapshot(row), row)
        for row in self.rng.permutation(over)[:REFEREED].tolist():
            self.row = row
            snapshot = chosen.snapshot(self.games.finished[row])
            if snapshot["outcome"] == "finished":
                assert snapshot["final"] == final(chosen, snapshot)
                check_variant(chosen, snapshot)
        self.tally.refereed += REFEREED + min(REFEREED, len(over))
        self.row = None


# The command


def main(command: Sequence[str] | None = None) -> int:
    """Play, or go on with the portions that are missing; return 1 if there is a fault, 130 if interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.soak", description="Play random games and check.")
    parser.add_argument("--games", type=positive_integer, default=10_000_000, help="in all (default: 10 million)")
    parser.add_argument("--processes", type=positive_integer, default=1)
    parser.add_argument("--out", type=Path, default=Path("soak"), metavar="FOLDER", help="(default: soak)")
    parser.add_argument("--portion", type=int, help="play only this portion, to look at a fault, and write nothing")
    arguments = parser.parse_args(command)
    if arguments.portion is not None:
        print(json.dumps(asdict(tally := play_portion(arguments.portion)), indent=1))
        return bool(tally.faults)
    number = -(-arguments.games // GAMES_OF_A_PORTION)
    arguments.out.mkdir(parents=True, exist_ok=True)
    file = arguments.out / "portions.jsonl"
    done = [tally for tally in read(file) if tally.portion < number]
    # without the line that an interruption cut short
    file.write_text("".join(f"{json.dumps(asdict(tally))}\n" for tally in done))
    missing = sorted({*range(number)} - {tally.portion for tally in done})
    print(f"portion p is played with the seeds from p * 2^32 on; {number} portions, {len(missing)} of them to play")
    try:
        _play(missing, arguments.processes, file)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on")
        return 130
    summary = summarize(read(file))
    (arguments.out / "soak.json").write_text(json.dumps(summary, indent=1) + "\n")
    (arguments.out / "soak.md").write_text(as_table(summary))
    print(as_table(summary), end="")
    return bool(summary["faults"])


def read(path: Path) -> list[Tally]:
    """The portions that were written as a whole."""
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [Tally(**json.loads(line)) for line in lines if line.endswith("\n")]


def _play(missing: Sequence[int], processes: int, path: Path) -> None:
    """Play the portions that are missing, and write each down. Ctrl-C is left to the first process."""
    context, ignored = get_context("spawn"), (signal.SIGINT, signal.SIG_IGN)
    with path.open("a") as file, context.Pool(processes, signal.signal, ignored) as pool:
        for tally in track(pool.imap_unordered(play_portion, missing), "portions", len(missing)):
            print(json.dumps(asdict(tally)), file=file, flush=True)
            for fault in tally.faults:
                print(f"portion {tally.portion}, {tally.configuration}: {fault}")


def summarize(tallies: Iterable[Tally]) -> dict[str, Any]:
    """The sums of all portions and of each configuration's, with the faults, as JSON."""
    sums = {"all": Tally(-1, "all")}
    for tally in sorted(tallies, key=lambda tally: tally.portion):
        tally.faults = [f"portion {tally.portion}, {tally.configuration}: {fault}" for fault in tally.faults]
        for title in ("all", tally.configuration):
            add_numbers(sums.setdefault(title, Tally(-1, title)), tally, "portion", "configuration")
    everything, *rows = ({name: getattr(one, name) for name in ("configuration", *COUNTS)} for one in sums.values())
    del everything["configuration"]
    return {"machine": describe_machine(), **everything, "configurations": rows}


def as_table(summary: dict[str, Any]) -> str:
    """The summary as a table in Markdown, the faults after it."""
    names = [name for name in COUNTS if name not in ("seconds", "faults")]
    lines = [f"| configuration | {' | '.join(names)} | faults |", f"| --- |{' ---: |' * (len(names) + 1)}"]
    for row in [*summary["configurations"], summary | {"configuration": "all"}]:
        numbers = " | ".join(f"{row[name]:,}" for name in names)
        lines.append(f"| {row['configuration']} | {numbers} | {len(row['faults'])} |")
    lines.append(f"\n{summary['seconds'] / 3600:.2f} hours of one core ({summary['machine']})")
    return "\n".join([*lines, *summary["faults"]]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
