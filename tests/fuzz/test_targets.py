"""Each format, damaged: some files of each target, and those once found. `python -m tests.fuzz` tries more."""

from pathlib import Path

import pytest
from hypothesis import strategies as st

from t2r_agents.comparing.export import folder as export_folder
from t2r_agents.comparing.rating import ladder, result
from t2r_agents.comparing.tournament import folder
from t2r_agents.playing.planner import tuned
from t2r_env.replay import MAX_FILE_BYTES
from tests.fuzz import searching
from tests.fuzz.searching import TARGETS, Found, Target, corpus_of, search, use_within_memory

every_target = pytest.mark.parametrize("name", TARGETS)


@pytest.mark.release
@every_target
def test_valid_files_are_accepted(name: str) -> None:
    for content in TARGETS[name].valid():
        assert use_within_memory(TARGETS[name], content)


@every_target
def test_a_damaged_file_is_refused_with_one_error_or_can_be_used(name: str) -> None:
    counts = search(TARGETS[name], 20)
    assert counts[True], "damages are so heavy that nothing is used"
    assert counts[False], "nothing is damaged"


@every_target
def test_what_was_once_found_is_refused_with_one_error_or_can_be_used(name: str) -> None:
    for file in corpus_of(name):
        use_within_memory(TARGETS[name], file.read_bytes())


@pytest.mark.release
def test_the_costliest_replay_takes_less_memory_than_a_file_may() -> None:
    """Millions of small lists: a list takes some forty times its text."""
    text = b'{"actions": [' + b"[[[[]]]]," * (MAX_FILE_BYTES // 9 - 2) + b"0]}"
    assert MAX_FILE_BYTES - 20 < len(text) <= MAX_FILE_BYTES
    assert not use_within_memory(TARGETS["replay"], text)
    limits = (folder.MAX_SETTINGS_BYTES, result.MAX_BYTES, ladder.MAX_BYTES, export_folder.MAX_BYTES, tuned.MAX_BYTES)
    assert max(limits) <= MAX_FILE_BYTES, "the same holds for whatever else is JSON"


# The search itself


def test_what_is_found_is_made_small_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def use(content: bytes) -> bool:
        return [True, True, True, True][len(content)]

    monkeypatch.setattr(searching, "CORPUS", tmp_path)
    with pytest.raises(Found) as found:
        search(Target(lambda: [b"abc"], lambda _: st.binary(), use), 200)
    assert isinstance(found.value.__cause__, IndexError)
    assert found.value.content == bytes(4)
    file = found.value.save("target")
    assert corpus_of("target") == [file]
    assert file.read_bytes() == bytes(4)


def test_a_file_that_takes_too_much_memory_is_a_fault() -> None:
    target = Target(list, lambda _: st.binary(), lambda content: bool(b"x" * (1 << len(content))))
    assert use_within_memory(target, bytes(20))
    with pytest.raises(MemoryError, match="more bytes were needed"):
        use_within_memory(target, bytes(29))
