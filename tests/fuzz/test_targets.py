"""Each format, damaged: some files of each target, and those that were once found. `make fuzz` tries more."""

import pytest

from tests.fuzz.searching import TARGETS, corpus_of, search, use_within_memory

EXAMPLES = {"map_folder": 60, "state": 40, "tournament_folder": 60}
"""Where it is not 150."""

every_target = pytest.mark.parametrize("name", TARGETS)


@every_target
def test_valid_files_are_accepted(name: str) -> None:
    for content in TARGETS[name].valid():
        assert use_within_memory(TARGETS[name], content)


@every_target
def test_a_damaged_file_is_refused_with_one_error_or_can_be_used(name: str) -> None:
    counts = search(TARGETS[name], EXAMPLES.get(name, 150))
    assert counts[True], "damages are so heavy that nothing is used"
    assert counts[False], "nothing is damaged"


@every_target
def test_what_was_once_found_is_refused_with_one_error_or_can_be_used(name: str) -> None:
    for file in corpus_of(name):
        use_within_memory(TARGETS[name], file.read_bytes())
