"""Whole games at a terminal of 80 x 24, in tmux, answered from what the screen shows; and through pipes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from t2r_agents.human import PROMPT

WIDTH, HEIGHT = 80, 24
PATIENCE = 120.0
"""Seconds until a screen that does not change is a failure; the first may compile."""
WAITS = re.compile(rf"({re.escape(PROMPT.strip())}|-- \d+ lines? more: .*choice:)$")
"""The last line of a screen that waits for the person."""
PLAY = [sys.executable, "-m", "t2r_env", "play"]


class Terminal:
    """A program in tmux."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        if shutil.which("tmux") is None:
            pytest.fail("tmux is missing; install it with: apt-get install tmux")
        settings = folder / "tmux.conf"
        settings.write_text("set -g history-limit 100000\nset -g status off\n")
        self._status = folder / "status"
        ending = f"; echo $? >{shlex.quote(str(self._status))}; exec sleep 1000"  # so that the screen stays
        self._tmux = ["tmux", "-L", f"t2r-{uuid.uuid4().hex}", "-f", str(settings)]
        self._lines = -1
        inherited = {name: value for name, value in os.environ.items() if name not in ("TMUX", "COLUMNS", "LINES")}
        self._environment = inherited | {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self._run("new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), shlex.join(command) + ending)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], env=self._environment, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout

    def screen(self) -> list[str]:
        """The lines of the screen, without empty ones at its end."""
        return self._run("capture-pane", "-p").rstrip().split("\n")

    def everything(self) -> str:
        """Everything shown so far; lines that tmux has wrapped are joined."""
        return self._run("capture-pane", "-p", "-J", "-S", "-")

    def status(self) -> int | None:
        """The exit status of the program once it has ended."""
        text = self._status.read_text() if self._status.exists() else ""
        return int(text) if text.endswith("\n") else None

    def wait(self) -> list[str] | None:
        """The next screen that waits for the person; None once the program has ended."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            if self.status() is not None:
                return None
            # the cursor moves on with every line, so the prompt that was answered last does not count again
            lines = int(self._run("display-message", "-p", "#{e|+:#{history_size},#{cursor_y}}"))
            screen = self.screen()
            if lines > self._lines and WAITS.match(screen[-1]):
                self._lines = lines
                return screen
            time.sleep(0.02)
        raise AssertionError("nothing was asked for a long time; the screen:\n" + "\n".join(self.screen()))

    def type(self, text: str) -> None:
        """Type a line."""
        self._run("send-keys", "-l", text)
        self._run("send-keys", "Enter")

    def close(self) -> None:
        """End the program and tmux."""
        subprocess.run([*self._tmux, "kill-server"], env=self._environment, capture_output=True, check=False)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    """Terminals that are closed after the test."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def answer(screen: list[str]) -> str:
    """What a person who wants to build types: the number of the first claim on the screen, else of an action."""
    claims = [it for it, line in enumerate(screen) if re.match("(Claims|Other claims) .*:$", line)]
    if screen[-1].startswith("--") and not claims:
        return ""  # the next page
    numbers = [re.findall(r"(?:^|\s)(\d+)  \S", line) for line in screen]
    of_claims = [number for found in numbers[claims[0] :] for number in found] if claims else []
    of_actions = [number for found in numbers for number in found]
    assert of_actions, "no action is on the screen:\n" + "\n".join(screen)
    return str((of_claims or of_actions[-1:])[0])


def test_a_whole_game_is_played_at_a_terminal_from_what_it_shows(tmp_path: Path, terminals: list[Terminal]) -> None:
    file = tmp_path / "game.json"
    command = [*PLAY, "--variant", "new_york", "--opponents", "greedy", "--seed", "5", "--save", str(file)]
    terminal = Terminal(tmp_path, command)
    terminals.append(terminal)
    commands = ["help", "tickets", "map soho", "path soho brooklyn", "hint", "board", "history"]
    while (screen := terminal.wait()) is not None:
        assert len(screen) <= HEIGHT
        if any("The game is over" in line for line in screen):
            terminal.type("q")  # the last pages; the result is shown all the same
            continue
        is_turn = any(line.endswith("what do you do?") for line in screen)
        if commands and is_turn and not screen[-1].startswith("--"):
            terminal.type(commands.pop(0))
        else:
            terminal.type(answer(screen))
    assert terminal.status() == 0
    assert commands == []
    last = "\n".join(terminal.screen())
    assert re.search(r"^Result +(rank +score|player_)", last, re.MULTILINE)
    told = terminal.everything()
    assert "The game is over: finished" in told
    assert "You claim " in told
    assert "player_1 claims " in told
    assert "greedy" in told.splitlines()[0]
    assert file.exists()
    for sign in ("Type the number of an action", "Soho: ", "Soho to Brooklyn:", "planner would choose", "tickets ("):
        assert sign in told


def test_a_person_can_quit_at_the_end_of_a_page(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, [*PLAY, "--variant", "usa", "--seed", "1"])
    terminals.append(terminal)
    assert terminal.wait() is not None
    terminal.type("map")
    screen = terminal.wait()
    assert screen is not None
    assert len(screen) == HEIGHT
    assert screen[-1].startswith("--")
    terminal.type("q")
    while terminal.wait() is not None:
        pass
    assert terminal.status() == 130
    assert "interrupted" in "\n".join(terminal.screen())


def test_a_whole_game_is_played_through_pipes() -> None:
    """The same output whatever the size of the terminal is said to be."""
    command = [*PLAY, "--variant", "new_york", "--opponents", "greedy", "--seed", "5"]
    typed = "hint\n1\n" * 400
    outputs = []
    for columns in ("60", "200"):
        environment = {**os.environ, "COLUMNS": columns, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert "The game is over: finished" in outputs[0]
    assert "\nResult " in outputs[0]
    assert max(map(len, outputs[0].splitlines())) <= WIDTH
