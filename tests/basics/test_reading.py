"""Reading files from outside: sizes, what is no file, and JSON that only seems right."""

import os
import re
from pathlib import Path

import pytest

from t2r_agents.playing.policy import Policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Replay, ReplayError
from t2r_env.basics.reading import parse_json
from t2r_env.replay import MAX_FILE_BYTES


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
