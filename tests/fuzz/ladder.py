"""Tables of ladders: an agent is rated by one that is accepted, if its references are quick."""

import functools
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from t2r_agents.comparing.rating.ladder import (
    Ladder,
    LadderError,
    find_ladders,
    make_ladder,
    read_ladders,
    write_ladders,
)
from t2r_agents.comparing.rating.rating import Rater
from t2r_agents.comparing.rating.result import schedule_of
from t2r_env import configure
from tests.fuzz.damage import any_changed_json, written
from tests.fuzz.name import check_line

REFERENCES = {"random", "greedy", "one_step"}


def small_ladders(games: int, *references: str) -> Sequence[Ladder]:
    """A ladder by which ratings have two games."""
    made = make_ladder(configure("new_york"), "new_york", games, 0, "a test", references=references)
    return [replace(made, rated_games=2)]


@functools.cache
def valid() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ladders.json"
        write_ladders(file, small_ladders(6, *sorted(REFERENCES)))
        return [file.read_bytes()]


def inputs() -> SearchStrategy[bytes]:
    return any_changed_json(valid())


def use(content: bytes) -> bool:
    """Read the table, list the games of a rating, and rate by some of them; False if it is refused."""
    with written(content, "ladders.json") as file:
        try:
            ladders = read_ladders(file)
            (ladder,) = find_ladders(ladders, "new_york", None, {})
            ladder.opponents("racer")
            schedule_of(ladder, "racer")
        except LadderError as error:
            check_line(error)
            return False
        if REFERENCES.issuperset(ladder.references):
            rating = Rater(ladder, "racer", 2, 0).rate(0, 60)
            assert rating is not None
            json.dumps(rating.fields(), allow_nan=False)
        write_ladders(file, ladders)
        assert read_ladders(file) == ladders
    return True
