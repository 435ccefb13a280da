"""Writing the files of an export, in this process or in several."""

import signal
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any

from t2r_agents.comparing.export.folder import DECISIONS, GAMES, Folder
from t2r_agents.comparing.export.played import Look, Texts, play_again
from t2r_agents.comparing.export.sources import Reader, Source
from t2r_agents.comparing.export.tables import decision_schema, decision_table, game_schema, game_table
from t2r_agents.comparing.tournament.workers import end_with_parent
from t2r_env import Configuration

GAMES_AT_ONCE = 100
"""The games that are in memory together, and in a row group."""
SECONDS = 0.5
"""Between reports of how many games are written."""


@dataclass(frozen=True)
class Shard:
    """The two files of one number."""

    number: int
    listed: Sequence[Any]
    """Its games, as the source lists them."""


def shards_of(source: Source, games_per_file: int, numbers: Iterable[int]) -> Iterator[Shard]:
    """Yield the files of these numbers, in order."""
    listed, wanted = source.listed(), set(numbers)
    for number in range(-(-len(source) // games_per_file)):
        games = list(islice(listed, games_per_file))
        if number in wanted:
            yield Shard(number, games)


@dataclass(frozen=True)
class Writer:
    """Writes files of an export. It can be sent to other processes."""

    folder: Folder
    configuration: Configuration
    reader: Reader
    look: Look

    def write(self, shard: Shard) -> Generator[int, None, None]:
        """Write both files of a number; yield numbers of games that were done since. Raises OSError."""
        schema, texts = decision_schema(self.configuration, self.look), Texts(self.configuration)
        tables = []
        with self.folder.writing(DECISIONS, shard.number, schema) as decisions:
            for begun in range(0, len(shard.listed), GAMES_AT_ONCE):
                portion = shard.listed[begun : begun + GAMES_AT_ONCE]
                if games := self.reader.read(portion):
                    played = play_again(games, texts, self.look)
                    decisions.write_table(decision_table(played, schema))
                    tables.append(game_table(played))
                yield len(portion)
        with self.folder.writing(GAMES, shard.number, game_schema()) as writer:
            for table in tables:
                writer.write_table(table)


def write_all(writer: Writer, shards: Iterable[Shard], processes: int) -> Generator[int, None, None]:
    """Write files in this process or, if there are several, in others; yield numbers of games that were done since.

    Raises OSError if a file can't be written, and ChildProcessError if a process ends by itself. At the end no process
    is left.
    """
    if processes > 1:
        writer.reader.close()
        yield from _write_in_processes(writer, shards, processes)
        return
    try:
        for shard in shards:
            yield from writer.write(shard)
    finally:
        writer.reader.close()


def _write_in_processes(writer: Writer, shards: Iterable[Shard], processes: int) -> Generator[int, None, None]:
    context, rest = get_context("spawn"), iter(shards)
    done, told = context.Value("q", 0), 0
    pool = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(writer, done))
    try:
        busy = {pool.submit(_write, shard) for shard in islice(rest, processes)}
        while busy:
            ended, busy = wait(busy, SECONDS, FIRST_COMPLETED)
            for future in ended:
                future.result()
                busy |= {pool.submit(_write, shard) for shard in islice(rest, 1)}
            yield done.value - told
            told = done.value
    except BrokenProcessPool:
        raise ChildProcessError("a process of the export has ended: it was killed, or an agent ended it") from None
    finally:
        for process in [*pool._processes.values()]:  # neither games nor what agents have begun are waited for
            process.kill()
        pool.shutdown(cancel_futures=True)


_writer: Writer
_done: Any
"""The writer of this process, and the games that all processes have done, in one of several."""


def _begin(writer: Writer, done: Any) -> None:
    global _writer, _done
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
    threading.Thread(target=end_with_parent, daemon=True).start()
    writer.reader.begin()
    _writer, _done = writer, done


def _write(shard: Shard) -> None:
    for games in _writer.write(shard):
        with _done.get_lock():
            _done.value += games
