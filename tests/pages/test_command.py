"""The command `t2r play --browser`: what it prints, how it stops, and errors for wrong arguments."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from t2r_agents.browser.network import listen
from t2r_agents.browser.tables import TableError, Tables
from t2r_agents.playing.policy import SHIPPED
from t2r_env import Replay
from t2r_env.commands import main as t2r
from tests.helpers.refusing import refusal
from tests.pages.serving import Served


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_addresses_printed_work_until_the_command_is_stopped_or_killed(tmp_path: Path, end: signal.Signals) -> None:
    policy = str(SHIPPED / "new_york_classic_34.safetensors")
    arguments = f"--browser --no-open --port 0 --games kept --seat 0 2 --own-windows --seed 5 --opponents {policy}"
    command = [sys.executable, "-m", "t2r_env", "play", *arguments.split()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        lines = [server.stdout.readline() for _ in range(4)]
        found = [re.search(r"http://127\.0\.0\.1:(\d+)/(?:table/)?(\S+)/", line) for line in lines[:3]]
        (listed, *screens) = (it for it in found if it)
        assert [line.partition(": http")[0] for line in lines] == [
            "All games",
            "new_york, 3 players, Player 1",
            "new_york, 3 players, Player 3",
            "Games are kept in kept. Ctrl-C stops the server.\n",
        ]
        for address in (listed, *screens):
            with urllib.request.urlopen(address[0]) as page:
                assert b"<!doctype html>" in page.read()
        tables = Tables(tmp_path / "kept", agents=[policy])
        with pytest.raises(TableError, match="another process"):
            tables.open("new_york-1")
        client = Served(None, None, int(listed[1]))  # type: ignore[arg-type]  # it only asks
        replay = Replay.load(tmp_path / "kept" / "new_york-1" / "replay.json")
        assert (replay.start, replay.actions) == (5, ())
        wish = {"number": 0, "action": int(replay.final().masks[0].argmax())}
        assert client.ask("POST", f"/table/{screens[0][2]}/act", wish)[0] == 200
        server.send_signal(end)
        assert server.wait(30) == (0 if end == signal.SIGINT else -signal.SIGKILL)
    table = tables.open("new_york-1")
    assert table.number == 1
    assert [it.key for it in table.screens] == [it[2] for it in screens]
    tables.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--seat 0 1", "on the terminal one person plays; several can with --browser"),
        ("--own-windows", "--own-windows needs --browser"),
        ("--games kept", "--games needs --browser"),
        ("--watch", "--watch needs --browser"),
        ("--browser --watch --seat 1", "--watch leaves no seat to people"),
        ("--browser --save game.json", "--save is for the terminal"),
        ("--browser --seat 0 0", "--seat must be different seats, not 0 0"),
        ("--browser --seat 2 --variant usa", "--seat must be an integer from 0 to 1, not 2"),
        ("--browser --opponents nobody", "there is no agent 'nobody'; allowed are"),
        ("--browser --opponents human", "human would ask a person on the terminal"),
        ("--browser --variant nowhere", "unknown variant 'nowhere'"),
        ("--browser --port 70000", "--port must be an integer from 0 to 65535, not 70000"),
        ("--browser --games file", "--games must be a folder, and file is a file"),
        ("--browser --host no.such.host.invalid", "can't listen on no.such.host.invalid, port 8765"),
    ],
)
def test_wrong_arguments_give_one_clear_error_and_begin_no_game(
    arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    given = arguments.replace("--browser", "--browser --no-open").split()
    assert message in refusal(capsys, t2r, "play", *given)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_port_that_is_taken_is_told_if_it_was_asked_for_and_otherwise_another_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(OSError, match="in use"):
            listen(port=other.getsockname()[1])
    with listen() as first, listen() as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        assert {first.getsockname()[0], second.getsockname()[0]} == {"127.0.0.1"}
