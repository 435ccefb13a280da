"""Checkpoints of trainings.

Their pickles are not changed but into what is no pickle, and by damages that the archive's checksums find: pickles may
run any code and take any memory, which is documented, so a changed one proves nothing.
"""

import functools
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from t2r_train.checkpoint import SETTINGS, Checkpoint, CheckpointError
from t2r_train.training import CHECKPOINT
from tests.fuzz.damage import any_damaged, archive_of, changed_archive, changed_json, parts_of, written
from tests.train.tiny import trained


@functools.cache
def valid() -> list[bytes]:
    """The checkpoint of a tiny training before its first iteration."""
    with tempfile.TemporaryDirectory() as folder:
        trained(Path(folder), 0)
        return [(Path(folder) / CHECKPOINT).read_bytes()]


def inputs() -> SearchStrategy[bytes]:
    parts = parts_of(valid()[0])
    changed = changed_json(parts[SETTINGS]).map(lambda settings: archive_of([*(parts | {SETTINGS: settings}).items()]))
    return st.one_of(any_damaged(valid()), changed_archive(parts), changed)


def use(content: bytes) -> bool:
    """Load the file; False if it is refused."""
    with written(content, CHECKPOINT) as file:
        try:
            checkpoint = Checkpoint.load(file)
        except CheckpointError:
            return False
        checkpoint.save(file)
        assert Checkpoint.load(file).settings == checkpoint.settings
    return True
