"""Folders of ratings: one that is accepted stands, and its line and row can be shown."""

import functools
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from benchmarks.leaderboard import _row
from t2r_agents.comparing.rating.ladder import GREEDY, Ladder, make_ladder, write_ladders
from t2r_agents.comparing.rating.result import RESULT, ResultError
from t2r_agents.comparing.rating.verify import verify
from t2r_env import configure
from t2r_env.commands import main as t2r
from tests.fuzz.damage import archive_of, changed_value, damaged, parts_of
from tests.fuzz.name import check_line


@functools.cache
def ladders() -> Sequence[Ladder]:
    """A ladder by which ratings have two games."""
    made = make_ladder(configure("new_york"), "new_york", 2, 0, "a test", references=["random", GREEDY])
    return [replace(made, rated_games=2)]


@functools.cache
def valid() -> list[bytes]:
    """The rating of an agent, as an archive."""
    with tempfile.TemporaryDirectory() as path:
        table, out = Path(path) / "ladders.json", Path(path) / "out"
        write_ladders(table, ladders())
        words = ["--variant", "new_york", "--ladder", str(table), "--processes", "1", "--out", str(out)]
        assert t2r(["rate", "one_step", *words]) == 0
        files = [out / RESULT, *sorted(out.glob("replays/*.json"))]
        return [archive_of([(str(file.relative_to(out)), file.read_bytes()) for file in files])]


@st.composite
def inputs(draw: DrawFn) -> bytes:
    """A folder with a damaged file."""
    files = parts_of(valid()[0])
    name = draw(st.sampled_from([RESULT, *sorted(files)]))
    if draw(st.integers(0, 3)) == 0:
        files[name] = draw(damaged(files[name]))
    else:
        files[name] = draw(changed_value(json.loads(files[name]))).encode(errors="surrogatepass")
    return archive_of([*files.items()])


def use(content: bytes) -> bool:
    """Verify the folder; False if the rating does not stand."""
    with tempfile.TemporaryDirectory() as path:
        for name, file in parts_of(content).items():
            (Path(path) / name).parent.mkdir(exist_ok=True)
            (Path(path) / name).write_bytes(file)
        try:
            result = verify(Path(path), ladders())
        except ResultError as error:
            check_line(error)
            return False
        for shown in (result.title(), *_row(result)):
            check_line(shown)
    return True
