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

from t2r_agents.browser.server import listen
from t2r_env import Replay
from t2r_env.commands import main as t2r


def test_the_command_prints_addresses_that_work_and_ctrl_c_stops_it(tmp_path: Path) -> None:
    arguments = (
        "--browser --no-open --port 0 --games kept --variant new_york --num-players 3 --seat 0 2 --own-windows"
        " --opponents greedy --seed 5"
    )
    command = [sys.executable, "-m", "t2r_env", "play", *arguments.split()]
    path = os.pathsep.join(entry for entry in sys.path if entry)
    environment = os.environ | {"PYTHONPATH": path}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        lines = [server.stdout.readline() for _ in range(4)]
        addresses = [re.search(r"http://127\.0\.0\.1:\d+/\S+", line) for line in lines[:3]]
        assert lines[0].startswith("All games: ")
        assert [line.partition(": http")[0] for line in lines[1:3]] == [
            "new_york, 3 players, player_0",
            "new_york, 3 players, player_2",
        ]
        assert lines[3] == "Games are kept in kept. Ctrl-C stops the server.\n"
        for address in addresses:
            assert address
            with urllib.request.urlopen(address[0]) as page:
                assert b"<!doctype html>" in page.read()
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
    replay = Replay.load(tmp_path / "kept" / "new_york-1" / "replay.json")
    assert (replay.start, replay.actions) == (5, ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--save game.json", "--save is for the terminal"),
        ("--seat 0 0", "--seat must be different seats, not 0 0"),
        ("--seat 2 --variant usa", "--seat must be an integer from 0 to 1, not 2"),
        ("--opponents nobody", "there is no agent 'nobody'; allowed are"),
        ("--opponents human", "human would ask a person on the terminal"),
        ("--variant nowhere", "unknown variant 'nowhere'"),
        ("--port 70000", "--port must be an integer from 0 to 65535, not 70000"),
        ("--games file", "--games must be a folder, and file is a file"),
        ("--host no.such.host.invalid", "can't listen on no.such.host.invalid, port 8765"),
    ],
)
def test_wrong_arguments_give_one_clear_error_and_begin_no_game(
    arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(SystemExit) as stopped:
        t2r(["play", "--browser", "--no-open", *arguments.split()])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--seat 0 1", "on the terminal one person plays; several can with --browser"),
        ("--own-windows", "--own-windows needs --browser"),
        ("--games kept", "--games needs --browser"),
    ],
)
def test_what_is_for_the_browser_alone_is_refused_on_the_terminal(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        t2r(["play", *arguments.split()])
    assert message in capsys.readouterr().err
