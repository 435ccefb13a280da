"""How commands say how far they are, on a terminal and without one."""

import io
import sys
import time
from itertools import pairwise
from unittest.mock import Mock

import pytest

from t2r_env.commands import main as t2r
from t2r_env.commands import progress
from t2r_env.commands.progress import plain_lines, progress_line, repeatedly
from tests.helpers.fixtures import Capture, Patch


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def often(monkeypatch: Patch) -> None:
    """Lines every 10 ms instead of every ten seconds."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.01)


def test_a_function_is_called_again_and_again_until_the_block_ends() -> None:
    calls: list[float] = []
    with repeatedly(lambda: calls.append(time.monotonic()), 0.01):
        while len(calls) < 3:
            time.sleep(0.001)
    number = len(calls)
    time.sleep(0.05)
    assert len(calls) == number
    assert all(later - earlier > 0.009 for earlier, later in pairwise(calls))


def test_a_stream_that_nobody_reads_any_more_ends_the_lines_and_no_more() -> None:
    with repeatedly(Mock(side_effect=BrokenPipeError), 0.001):
        time.sleep(0.02)


@pytest.mark.usefixtures("often")
def test_without_a_terminal_there_are_lines_with_the_time_so_far(monkeypatch: Patch, capsys: Capture) -> None:
    done: list[int] = []
    with plain_lines(lambda: f"{len(done)} of 9 games"):
        for game in range(9):
            done.append(game)
            time.sleep(0.02)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 3
    assert lines[-1] == "9 of 9 games, 0 s"
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with plain_lines(lambda: "lines"):
        time.sleep(0.05)
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("often")
def test_a_progress_line_changes_on_a_terminal_and_is_repeated_elsewhere(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.01)

    def work() -> None:
        with progress_line("pages") as show:
            for done in (1, 2):
                time.sleep(0.02)
                show(done, 2)

    work()
    assert capsys.readouterr().err == "pages: 50 %\npages: 100 %\n"
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    work()
    assert terminal.getvalue() == "\rpages: 50 %\rpages: 100 %\r\x1b[K"


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("evaluate greedy --variant new_york --against planner --games 60", "of 60 games against planner, "),
        ("tournament --variant new_york --agents planner greedy --games 60 --processes 1", "of 60 games, "),
        ("rate greedy --variant new_york --max-games 60 --width 0 --processes 1", "of at most 60, "),
    ],
)
def test_commands_that_take_long_say_how_far_they_are(command: str, line: str, capsys: Capture) -> None:
    assert t2r(command.split()) == 0
    printed = capsys.readouterr()
    assert line in printed.err
    assert line not in printed.out
