"""Folders of ratings: one that is accepted stands, and its line and row can be shown."""

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from benchmarks.leaderboard import _row
from t2r_agents.comparing.rating.ladder import Ladder, write_ladders
from t2r_agents.comparing.rating.result import ResultError
from t2r_agents.comparing.rating.verify import verify
from t2r_env.commands import main as t2r
from tests.fuzz.damage import changed_folder, pack, unpacked
from tests.fuzz.ladder import small_ladders
from tests.fuzz.name import check_line


@functools.cache
def ladders() -> Sequence[Ladder]:
    return small_ladders(2, "random", "greedy")


@functools.cache
def valid() -> list[bytes]:
    """The rating of an agent, as an archive."""
    with tempfile.TemporaryDirectory() as path:
        table, out = Path(path) / "ladders.json", Path(path) / "out"
        write_ladders(table, ladders())
        words = ["--variant", "new_york", "--ladder", str(table), "--processes", "1", "--out", str(out)]
        assert t2r(["rate", "one_step", *words]) == 0
        return [pack(out, "*.json")]


def inputs() -> SearchStrategy[bytes]:
    return changed_folder(valid())


def use(content: bytes) -> bool:
    """Verify the folder; False if the rating does not stand."""
    with unpacked(content) as path:
        try:
            result = verify(path, ladders())
        except ResultError as error:
            check_line(error)
            return False
        for shown in (result.title(), *_row(result)):
            check_line(shown)
    return True
