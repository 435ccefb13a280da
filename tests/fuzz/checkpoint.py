"""Checkpoints of trainings.

Their pickles are not changed but into what is no pickle, and by damages that the archive's checksums find: pickles may
run any code and take any memory, which is documented, so a changed one proves nothing.
"""

import functools
import json
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from t2r_train.checkpoint import SETTINGS, Checkpoint, CheckpointError
from t2r_train.training import CHECKPOINT
from tests.fuzz.damage import Parts, any_damaged, archive_of, changed_archive, changed_value, parts_of
from tests.train.tiny import trained


@functools.cache
def valid() -> list[bytes]:
    """The checkpoint of a tiny training before its first iteration."""
    with tempfile.TemporaryDirectory() as folder:
        trained(Path(folder), 0)
        return [(Path(folder) / CHECKPOINT).read_bytes()]


def inputs() -> SearchStrategy[bytes]:
    """A file that is damaged as bytes, as an archive, or in its settings."""
    parts = parts_of(valid()[0])
    return st.one_of(any_damaged(valid()), changed_archive(parts), _with_other_settings(parts))


@st.composite
def _with_other_settings(draw: DrawFn, parts: Parts) -> bytes:
    settings = draw(changed_value(json.loads(parts[SETTINGS])))
    return archive_of([*{**parts, SETTINGS: settings.encode(errors="surrogatepass")}.items()])


def use(content: bytes) -> bool:
    """Load the file; False if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / CHECKPOINT
        file.write_bytes(content)
        try:
            checkpoint = Checkpoint.load(file)
        except CheckpointError:
            return False
        checkpoint.save(file)
        assert Checkpoint.load(file).settings == checkpoint.settings
    return True
