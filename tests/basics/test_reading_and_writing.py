"""Files from outside, and files that can't be written: what was there before stays.

A limit on the size of files stands in for a full disk: writing beyond it fails in the same way. A file in the place of
a folder stands in for a folder that may not be written, since nothing stops the root user from writing into that.
"""

import os
import re
from pathlib import Path

import pytest

from t2r_agents.playing.policy import Policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Games, Replay, ReplayError
from t2r_env.basics.reading import parse_json
from t2r_env.basics.writing import replacing
from t2r_env.replay import MAX_FILE_BYTES
from tests.helpers.disks import full_disk


def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for_nor_is_a_large_file_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PolicyError, match="Not a regular file"):
        Policy.load(tmp_path / "pipe")
    with pytest.raises(OSError, match="Not a regular file"):
        Replay.load(tmp_path / "pipe")
    with (tmp_path / "game.json").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(ReplayError, match="has 4,194,305 bytes, and at most 4,194,304 are allowed"):
        Replay.load(tmp_path / "game.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "an object must have the key 'a' only once"),
        ("[NaN]", "a number must be finite, not NaN"),
        ("[1e999]", "a number must be finite, not '1e999'"),
        ("9" * 101, "an integer must have at most 100 digits, not 101"),
        ("[" * 40 + "]" * 40, "lists and objects must be nested at most 32 deep"),
        ("[" * 100_000 + "]" * 100_000, "lists and objects must be nested at most 32 deep"),
        (r'{"\ud800": 1}', "a text must not hold half of a surrogate pair"),
    ],
)
def test_json_that_only_seems_right_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_json(text)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_a_file_that_is_not_completed_leaves_the_old_one(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail() -> None:
        with replacing(path) as new:
            new.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def replay(seed: int) -> Replay:
    """A replay of some decisions."""
    games = Games("usa", seed=seed, record=True)
    for _ in range(20):
        games.step(games.masks.argmax(axis=1))
    return Replay.of(games)


def test_a_full_disk_or_a_wrong_folder_is_one_error_and_leaves_the_replay_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    replay(seed=1).save(path)
    other = replay(seed=2)
    with full_disk(after=200), pytest.raises(OSError, match=r"File too large.*game\.json'"):
        other.save(path)
    assert Replay.load(path) == replay(seed=1)
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match=r"Not a directory.*lost\.json'"):
        other.save(path / "lost.json")
