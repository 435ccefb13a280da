"""The screen of a person: its size, its pages and its colours."""

import io
import os
import re
import subprocess
import sys

import pytest

from t2r_agents.human.layout import in_columns
from t2r_agents.human.screen import PIPE_WIDTH, Screen
from t2r_env.render.signs import SIGNS
from t2r_env.variants import COLOURS, LOCOMOTIVE


class Terminal(io.StringIO):
    """What a person types, or sees, at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 x 24, as the variables of the environment say, that can show colours."""
    for name, value in {"COLUMNS": "80", "LINES": "24", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def lines(number: int) -> str:
    return "".join(f"line {it}\n" for it in range(number))


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.usefixtures("size")
def test_what_fills_a_terminal_is_shown_page_by_page() -> None:
    screen = Terminal()
    assert Screen(Terminal("\n\n"), screen).show(lines(50)) == ""
    pages = re.split(r"-- (.*) more: Enter .*?: ", screen.getvalue())
    assert pages[1::2] == ["27 lines", "4 lines"]
    assert [page.count("\n") for page in pages[::2]] == [23, 23, 4]


@pytest.mark.usefixtures("size")
def test_an_answer_at_the_end_of_a_page_ends_the_text() -> None:
    screen = Terminal()
    assert Screen(Terminal("12\n"), screen).show(lines(50)) == "12"
    assert "line 22" in screen.getvalue()
    assert "line 23" not in screen.getvalue()


@pytest.mark.usefixtures("size")
def test_a_page_counts_from_what_was_typed_last() -> None:
    screen = Terminal()
    terminal = Screen(Terminal("x\n" * 9), screen)
    for _ in range(3):
        terminal.show(lines(20))
        terminal.ask("? ")
    assert "more:" not in screen.getvalue()
    terminal.show(lines(20))
    assert terminal.show(lines(20)) == "x"


@pytest.mark.usefixtures("size")
def test_a_long_line_is_folded_and_counts_as_the_lines_that_it_takes() -> None:
    screen = Terminal()
    Screen(Terminal("\n" * 9), screen).show("\n".join(["word " * 40] * 10))
    assert re.findall(r"-- (\d) lines? more", screen.getvalue()) == ["7"]
    assert all(len(line) <= 80 for page in screen.getvalue().split("choice: ") for line in page.splitlines()[:-1])


def test_a_terminal_that_is_resized_has_its_new_size_at_once(monkeypatch: pytest.MonkeyPatch, size: None) -> None:
    terminal = Screen(Terminal("\n" * 9), Terminal())
    assert terminal.width == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert terminal.width == 132


def test_a_pipe_has_one_width_and_no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    screen = io.StringIO()
    piped = Screen(io.StringIO(), screen)
    assert piped.width == PIPE_WIDTH == 80
    assert piped.show(lines(500)) == ""
    assert screen.getvalue() == lines(500)


@pytest.mark.usefixtures("size")
def test_colours_and_signs_are_coloured_each_in_its_own_way() -> None:
    styles = set()
    for colour in (*COLOURS, LOCOMOTIVE):
        screen = Terminal()
        Screen(Terminal(), screen).show(f"take the {colour} card, 3{SIGNS[colour].letter}")
        coloured = re.findall(r"\x1b\[([\d;]+)m([^\x1b]+)\x1b\[0m", screen.getvalue())
        assert [text for _, text in coloured] == [colour, f"3{SIGNS[colour].letter}"]
        assert len({style for style, _ in coloured}) == 1
        styles.add(coloured[0][0])
    assert len(styles) == len(COLOURS) + 1
    assert len({sign.letter for sign in SIGNS.values()}) == len(SIGNS)


@pytest.mark.usefixtures("size")
def test_names_that_contain_a_colour_or_a_letter_are_not_coloured() -> None:
    screen = Terminal()
    Screen(Terminal(), screen).show("Greenwich Village, Kathmandu, Xi'an, blueish, player_0, L'A")
    assert "\x1b" not in screen.getvalue()


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_the_text_is_the_same(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch, size: None
) -> None:
    text = "take the blue card, missing 3B 1L [red]\n"
    coloured, plain = Terminal(), Terminal()
    Screen(Terminal(), coloured).show(text)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    Screen(Terminal(), plain).show(text)
    assert plain.getvalue() == text
    assert coloured.getvalue() != text
    assert without_colours(coloured.getvalue()) == text


@pytest.mark.usefixtures("size")
def test_without_rich_the_text_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "rich"] + ["rich"]:
        monkeypatch.setitem(sys.modules, module, None)
    screen = Terminal()
    Screen(Terminal(), screen).show("take the blue card\n")
    assert screen.getvalue() == "take the blue card\n"


def test_characters_that_a_terminal_lacks_are_replaced() -> None:
    raw = io.BytesIO()
    screen = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    Screen(io.StringIO(), screen).show("✓ Montréal\n")
    assert raw.getvalue() == b"? Montr?al\n"


def test_the_environments_need_no_rich() -> None:
    program = """
import sys
sys.modules["rich"] = None
import t2r_env
env = t2r_env.env("usa", render_mode="ansi")
env.reset(seed=1)
print(env.render())
t2r_env.env("usa", render_mode="human").reset(seed=1)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ, check=True)
    first, second = done.stdout.split("Ticket to Ride")[1:]
    assert first.strip() == second.strip()


def test_columns_are_as_many_as_fit() -> None:
    cells = [f"{number:>3}  {'x' * number}" for number in range(1, 11)]
    for width in (15, 30, 80, 200):
        shown = in_columns(cells, width)
        assert max(map(len, shown)) <= max(width, max(map(len, cells)))
        assert sorted(re.findall(r"\d+  x+", "\n".join(shown))) == sorted(cell.strip() for cell in cells)
    assert in_columns(cells, 15) == cells
    assert len(in_columns(cells, 200)) == 1
    assert in_columns(["too long"], 3) == ["too long"]
    assert in_columns([], 80) == []
