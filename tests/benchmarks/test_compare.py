"""The comparison of two revisions: what it prints, and that it ends well. Which is faster, is no test."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks import compare

BRIEF = ["--batch", "16", "--runs", "1", "--seconds", "0.01"]


def test_both_trees_are_measured_in_turn_and_their_ratio_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = []

    @contextlib.contextmanager
    def another_tree(revision: str) -> Iterator[Path]:
        yield Path(revision)

    def measure(tree: Path, options: list[str]) -> dict[str, float]:
        measured.append(tree.name)
        assert options[-2:] == ["--players", "3"]
        return {"mask": 300.0 if tree == compare.ROOT else 200.0}

    monkeypatch.setattr(compare, "checked_out", another_tree)
    monkeypatch.setattr(compare, "measure", measure)
    assert compare.main(["old", "--rounds", "4", "--players", "3"]) == 0
    assert measured == [compare.ROOT.name, "old", "old", compare.ROOT.name] * 2
    shown = capsys.readouterr().out
    assert "1.500" in shown
    assert "mask" in shown


def test_a_tree_is_measured_by_its_own_benchmark() -> None:
    figures = compare.measure(compare.ROOT, [*BRIEF, "--layers", "rules", "mask"])
    assert figures.keys() == {"rules", "mask"}
    assert all(figure > 0 for figure in figures.values())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-revision"], "there is no revision 'no-such-revision' to compare with"),
        (["HEAD", "--rounds", "0"], "--rounds must be at least 1, not 0"),
    ],
)
def test_a_wrong_command_is_answered_in_one_line(
    command: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        compare.main(command)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_options_of_the_benchmark_that_are_wrong_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "checked_out", lambda revision: contextlib.nullcontext(compare.ROOT))
    with pytest.raises(ValueError, match="unknown variant 'mars'"):
        compare.compare("HEAD", ["--variant", "mars"], 1, Console(stderr=True))
