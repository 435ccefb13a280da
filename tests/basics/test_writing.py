"""Files that can't be written: one clear error, and what was there before stays.

A limit on the size of files stands in for a full disk: writing beyond it fails in the same way. A file in the place of
a folder stands in for a folder that may not be written, since nothing stops the root user from writing into that.
"""

from pathlib import Path

import pytest

from t2r_env import Games, Replay
from t2r_env.basics.writing import replacing
from tests.helpers.disks import full_disk


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
