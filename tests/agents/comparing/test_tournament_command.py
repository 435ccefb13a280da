"""The tournament's command: its files, resuming, and the errors for a wrong command."""

import contextlib
import csv
import functools
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents.comparing import ray_cluster
from t2r_agents.comparing.tournament import Tournament, terminal, workers
from t2r_agents.comparing.tournament.folder import (
    MAX_GAMES_BYTES,
    MAX_LINE_BYTES,
    MAX_SETTINGS_BYTES,
    Folder,
    FolderError,
)
from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry, play
from t2r_agents.playing.failures import LONGEST_TRACEBACK, failure_of
from t2r_env import Replay, configure
from t2r_env.agents import RandomAgent
from t2r_env.commands import main as t2r
from t2r_env.render.replay_page import content_of
from tests.endurance.kills import is_killed, result_of_tournament
from tests.helpers import odd_agents, refusing
from tests.helpers.disks import full_disk
from tests.helpers.odd_agents import path_of

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

FIRST, CRASHING = path_of(odd_agents.First), path_of(odd_agents.Crashing)


def run(*arguments: object) -> int:
    """The command in one process, with seed 0 if it plays new games and names none, and without pages of games.

    The agents of a folder are repeated.
    """
    if arguments[0] in ("--resume", "--replay") and "--agents" not in arguments:
        with contextlib.suppress(OSError, ValueError, KeyError):
            arguments += ("--agents", *settings_of(Path(str(arguments[1])))["settings"]["agents"])
    named = [] if {"--seed", "--resume", "--replay"} & set(arguments) else ["--seed", "0"]
    named += [] if "--pages" in arguments else ["--pages", "0", "--agreement", "0"]
    return t2r(["tournament", *map(str, arguments), *named, "--processes", "1"])


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "games.csv").open(encoding="utf-8") as file:
        return [row | {"seconds": ""} for row in csv.DictReader(file)]


def write_rows(folder: Path, rows: Sequence[dict[str, str]]) -> None:
    """Write rows as of `rows_of`."""
    with (folder / "games.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"seconds": row["seconds"] or "0"} for row in rows)


def settings_of(folder: Path) -> Any:
    return json.loads((folder / "tournament.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _no_plots(request: pytest.FixtureRequest, monkeypatch: Patch) -> None:
    """Plots take longer than games: only the tests of reports have them."""
    if "report" not in request.node.name:
        monkeypatch.setattr("t2r_agents.comparing.tournament.report.plots_of", lambda *_: {})


@pytest.fixture(scope="module")
def six_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole tournament."""
    folder = tmp_path_factory.mktemp("tournaments") / "six_games"
    assert run("--agents", "random", CRASHING, "--games", 6, "--out", folder) == 0
    return folder


@pytest.fixture
def played(six_games: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(six_games, tmp_path / "played"))


@pytest.mark.parametrize(
    ("variant", "parts"), [("usa", ("routes", "tickets", "longest_path")), ("card_game", ("tickets", "big_cities"))]
)
def test_a_tournament_leaves_its_games_its_standings_and_a_report(
    variant: str, parts: tuple[str, ...], tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    command = ("--variant", variant, "--agents", "random", FIRST, "--games", 4, "--tickets", "classic", "--out", out)
    assert run(*command) == 0
    rows = rows_of(out)
    assert [(row["game"], row["seat"]) for row in rows] == [
        (str(game), str(seat)) for game in range(4) for seat in (0, 1)
    ]
    assert all(int(row["score"]) == sum(int(row[part]) for part in parts) for row in rows)
    content = settings_of(out)
    assert (content["results"]["played"], content["settings"]["seed"]) == (4, "0")
    assert content["identity"]["options"]["tickets"] == "classic"
    scores = {line["agent"]: line["score"] for line in content["results"]["agents"]}
    assert scores["random"] == np.mean([int(row["score"]) for row in rows if row["agent"] == "random"])
    printed = capsys.readouterr().out
    assert "random" in printed
    assert f"{variant}, 2 players" in printed


def test_a_tournament_without_a_seed_draws_one_shows_it_and_keeps_it(tmp_path: Path, capsys: Capture) -> None:
    """Nobody, an agent neither, can guess it and with it the deals."""
    seeds = []
    for name in ("one", "two"):
        assert (
            t2r(f"tournament --agents random greedy --games 1 --out {tmp_path / name} --processes 1 --pages 0".split())
            == 0
        )
        seeds.append(settings_of(tmp_path / name)["settings"]["seed"])
        assert f"seed {seeds[-1]}" in capsys.readouterr().out
    assert seeds[0] != seeds[1]
    (tmp_path / "two" / "games.csv").unlink()
    assert run("--resume", tmp_path / "two") == 0
    again = tmp_path / "again"
    assert run("--agents", "random", "greedy", "--games", 1, "--seed", seeds[1], "--out", again) == 0
    assert rows_of(tmp_path / "two") == rows_of(again)


def test_the_report_stands_alone(tmp_path: Path) -> None:
    """It loads no other file, and links to none but its own data, the pages of games apart."""
    assert run("--agents", "random", CRASHING, "--games", 20, "--out", tmp_path) == 0
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(re.findall('<svg(?! x="0")', report)) == 11  # eight plots, two maps, and what the maps share
    assert "t2r tournament --variant usa --num-players 2 --agents random" in report
    assert "RuntimeError: out of ideas" in report
    assert not re.search(r"<(script [^>]*src|link rel=.(?!icon)|img|iframe)|@import|url\((?!#)", report)
    assert "default-src 'none'" in report
    named = set(re.findall(r'(?:src|href)="(?!#|data:,)([^"]*)"', report))
    assert named == {f"figures/{file.name}" for file in (tmp_path / "figures").iterdir()}
    for file in (tmp_path / "figures").glob("*.csv"):
        with file.open(encoding="utf-8") as lines:
            assert len(list(csv.DictReader(lines))) > 0
    for file in (tmp_path / "figures").glob("*.svg"):
        assert file.read_text(encoding="utf-8") in report


def test_an_agents_message_is_not_markup_in_the_report(tmp_path: Path, monkeypatch: Patch) -> None:
    def shout(*_: object) -> None:
        raise RuntimeError("<b>[bold]$x^$")

    monkeypatch.setattr(odd_agents.First, "act", shout)
    assert run("--agents", FIRST, "random", "--games", 1, "--out", tmp_path) == 0
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;[bold]$x^$" in report
    assert "<b>" not in report


def test_games_that_reach_the_turn_limit_are_reported(tmp_path: Path, capsys: Capture) -> None:
    """C19."""
    assert run("--agents", "random", FIRST, "--games", 3, "--turn-limit", 5, "--out", tmp_path) == 0
    assert "4 games reached the turn limit" in capsys.readouterr().out
    assert "4 games reached the turn limit" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_folder_keeps_the_traceback_of_a_forfeit_once_for_each_reason_also_after_a_resume(
    tmp_path: Path,
) -> None:
    assert run("--agents", CRASHING, FIRST, "--games", 6, "--out", tmp_path) == 0
    text = (tmp_path / "forfeits.txt").read_text()
    assert text.startswith(f"{CRASHING} in game 0, seat ")
    assert re.search(r'File ".*odd_agents.py", line \d+, in act', text)
    assert text.count("Traceback") == 1
    rows = (tmp_path / "games.csv").read_text().splitlines(keepends=True)
    first = next(number for number, row in enumerate(rows) if "out of ideas" in row)
    (tmp_path / "games.csv").write_text("".join(rows[: first + 2]))
    assert run("--resume", tmp_path) == 0
    assert (tmp_path / "forfeits.txt").read_text() == text


def test_tracebacks_are_limited_printable_and_handed_out_but_not_collected() -> None:
    tournament = Tournament(configure("usa"), [CRASHING, FIRST], 6, 0)
    assert any(entry.traceback for entries in tournament.play() for entry in entries)
    assert not any(entry.traceback for entry in tournament.entries)

    def fail(depth: int) -> None:
        if depth:
            fail(depth - 1)
        raise ValueError("\x1b[31m" + "x" * 100_000)

    with pytest.raises(ValueError, match="xxx") as raised:
        fail(300)
    failure = failure_of(raised.value)
    assert len(failure.traceback) <= LONGEST_TRACEBACK
    assert all(character.isprintable() or character == "\n" for character in failure.traceback)


def test_the_end_of_the_output_says_what_happened(capsys: Capture, tmp_path: Path) -> None:
    assert run("--variant", "new_york", "--agents", "random", "greedy", "--games", 6, "--out", tmp_path) == 0
    *_, best, closest, highest, longest, again, report = capsys.readouterr().out.splitlines()
    assert best.startswith("greedy won most often: ")
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    games = {number: [row for row in rows if int(row["game"]) == number] for number in range(6)}
    leads = {number: abs(int(one["score"]) - int(two["score"])) for number, (one, two) in games.items()}
    number = min(leads, key=lambda number: leads[number])
    won, lost = sorted(games[number], key=lambda row: int(row["rank"]))
    result = f"{won['agent']} {won['score']}, {lost['agent']} {lost['score']}, in {won['turns']} turns"
    assert closest == f"the closest game is {number}: {result}"
    most = max(rows, key=lambda row: int(row["score"]))
    assert highest.startswith(f"the game with the highest score is {most['game']}: {most['agent']} {most['score']}, ")
    assert longest.endswith(f", in {max(int(game[0]['turns']) for game in games.values())} turns")
    assert again == f"a game again: t2r tournament --replay {tmp_path} GAME"
    assert report == f"the report: {tmp_path / 'report.html'}"


def test_agents_that_won_equally_often_are_named_together_and_no_game_to_look_at_without_a_folder(
    capsys: Capture,
) -> None:
    assert run("--variant", "new_york", "--agents", FIRST, f"{path_of(odd_agents.Told)}:x", "--games", 2) == 0
    best = capsys.readouterr().out.splitlines()[-1]
    assert best == f"{FIRST} and {path_of(odd_agents.Told)}:x won equally often: each 50.0% of its games"


def test_a_tournament_is_not_written_into_a_folder_with_other_files(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "games.csv").write_text("mine", encoding="utf-8")
    told = refusal(capsys, "--agents", "random", "greedy", "--games", 2, "--out", tmp_path)
    assert f"--out must be a new or empty folder, and {tmp_path} is not" in told
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("games.csv", "mine")]


def test_forfeits_are_reported_with_their_reasons_and_agents_as_they_were_given(capsys: Capture) -> None:
    """Also if an argument contains brackets."""
    quitting = path_of(odd_agents.Quitting)
    assert run("--agents", quitting, f"{path_of(odd_agents.Told)}:[bold]", "--games", 2) == 0
    printed = capsys.readouterr().out
    assert f"{quitting} forfeited 2 games, first 0: SystemExit: enough" in " ".join(printed.split())
    assert ":[bold]" in "".join(re.split(r"[\s│]+", printed))


# On Ray, whose own tests are in tests/ray


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            (["--ray", address], f"the address of a Ray cluster must be HOST:PORT, auto or local, not {address!r}")
            for address in ("nowhere", "ray://head:10001", "head:port", ":6379")
        ),
        (
            ["--ray", "--agents", "human", "random"],
            "an agent asks a person on the terminal, and workers on Ray have none: leave out --ray",
        ),
    ],
)
def test_what_can_not_be_played_on_ray_is_refused(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: name)
    assert message in refusal(capsys, *arguments, "--out", tmp_path / "results")
    assert not list(tmp_path.iterdir())


def test_without_ray_the_command_says_how_to_install_it(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    assert run("--ray", "--out", tmp_path / "results") == 1
    assert (
        "ray is not installed; install what this needs: pip install '.[ray]' in a checkout" in capsys.readouterr().err
    )
    assert not list(tmp_path.iterdir())


# Interrupting and resuming


@pytest.fixture
def interrupted(tmp_path: Path, monkeypatch: Patch) -> Path:
    """The folder of a tournament that was interrupted after its first games."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    folder = tmp_path / "interrupted"
    assert run("--agents", path_of(odd_agents.Interrupting), FIRST, "--games", 20, "--out", folder) == 130
    return folder


def test_an_interrupted_tournament_keeps_what_was_played_and_ends_as_if_it_had_not_been_when_it_is_resumed(
    interrupted: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    played = len(rows_of(interrupted)) // 2
    assert 0 < played < 20
    assert settings_of(interrupted)["results"]["played"] == played
    assert f"{played} of 20 games" in (interrupted / "report.html").read_text(encoding="utf-8")
    monkeypatch.setattr(odd_agents.Interrupting, "act", RandomAgent.act)
    begun = rows_of(interrupted)
    assert run("--resume", interrupted, "--games", 20) == 0
    whole = tmp_path / "whole"
    assert run("--agents", path_of(odd_agents.Interrupting), FIRST, "--games", 20, "--out", whole) == 0
    assert rows_of(interrupted) == rows_of(whole)
    assert rows_of(whole)[: len(begun)] == begun


def test_without_a_folder_an_interrupted_tournament_shows_what_was_played(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    assert run("--agents", path_of(odd_agents.Interrupting), FIRST, "--games", 20) == 130
    captured = capsys.readouterr()
    assert "usa, 2 players" in captured.out
    assert re.search("interrupted after [0-9]+ of 20 games", captured.err)
    assert "--resume" not in captured.err


def test_an_interrupted_tournament_says_how_to_go_on(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    """Agents that have import paths are repeated, as a folder alone is not trusted to run code."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    agent, folder = path_of(odd_agents.Interrupting), tmp_path / "a folder"
    assert run("--agents", agent, "random", "--games", 20, "--out", folder) == 130
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"to go on: t2r tournament --resume '{folder}' --agents {agent} random"
    monkeypatch.setattr(odd_agents.Interrupting, "act", RandomAgent.act)
    assert run(*shlex.split(last.removeprefix("to go on: t2r tournament "))) == 0

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tournament, "play", interrupt)
    assert run("--agents", "random", "greedy", "--out", tmp_path / "other") == 130
    assert capsys.readouterr().err.splitlines()[-1] == f"to go on: t2r tournament --resume {tmp_path / 'other'}"


def test_an_interruption_waits_while_processes_start_and_does_not_reach_them() -> None:
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    handler, reached = signal.getsignal(signal.SIGINT), False
    with contextlib.suppress(KeyboardInterrupt):
        with workers.deferring_interruptions():
            signal.raise_signal(signal.SIGINT)
            started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            reached = True
        pytest.fail("the interruption is lost")
    assert reached
    assert started.stdout == "True\n"
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which processes a process has started")
def test_ctrl_c_while_processes_start_prints_no_traceback(tmp_path: Path) -> None:
    """Nor a little later, nor when it is pressed twice."""
    command = [sys.executable, "-m", "t2r_env", "tournament", "--processes", "2", "--games", "100000"]
    for number, (seconds, times) in enumerate(((0.0, 1), (0.3, 2))):
        folder = tmp_path / str(number)
        playing = subprocess.Popen(
            [*command, "--variant", "new_york", "--out", str(folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        while not children_of(playing.pid):
            assert playing.poll() is None
            time.sleep(0.01)
        time.sleep(seconds)
        for _ in range(times):
            os.killpg(playing.pid, signal.SIGINT)  # as a terminal does
        _, errors = playing.communicate(timeout=60)
        assert playing.returncode == 130
        assert "Traceback" not in errors
        assert times > 1 or f"to go on: t2r tournament --resume {folder}" in errors


def children_of(process: int) -> list[str]:
    """The processes that a process has started."""
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


@pytest.mark.release
def test_a_tournament_killed_at_a_change_of_its_files_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """By kill -9, just before a file is made, opened or replaced: every seventh time."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    command = ("--agents", "random", FIRST, "--games", 4)
    assert run(*command, "--out", tmp_path / "whole") == 0
    expected = result_of_tournament(tmp_path / "whole")
    for operation in itertools.count(step=7):
        folder = tmp_path / str(operation)
        if not is_killed(functools.partial(run, *command, "--out", folder), folder, operation):
            break
        begun = ("--resume", folder) if (folder / "tournament.json").exists() else (*command, "--out", folder)
        assert run(*begun) == 0
        assert result_of_tournament(folder) == expected
    assert operation > 8


@pytest.mark.release
@pytest.mark.parametrize("room", [0, 1500, 6000])
def test_on_a_full_disk_a_tournament_keeps_what_it_has_written(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture, room: int
) -> None:
    """It is full when the settings or games are written, or the report."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    command, folder = ("--agents", "random", FIRST, "--games", 12), tmp_path / "interrupted"
    assert run(*command, "--out", tmp_path / "whole") == 0
    capsys.readouterr()
    with full_disk(after=room):
        if room < 600:
            assert "File too large" in refusal(capsys, *command, "--out", folder)
        else:
            assert run(*command, "--out", folder) == 1
            message = capsys.readouterr().err.splitlines()[-1]
            assert re.search(r"File too large: '.*(games.csv|report.html)'; the games written before are kept", message)
    assert not list(folder.glob("*.new"))
    begun = ("--resume", folder) if (folder / "tournament.json").exists() else (*command, "--out", folder)
    assert run(*begun) == 0
    assert result_of_tournament(folder) == result_of_tournament(tmp_path / "whole")


@pytest.mark.parametrize("cut", [1, 30, 120, None])
def test_a_game_that_was_not_written_down_whole_is_played_again(played: Path, cut: int | None) -> None:
    """Also if its last row is incomplete, or a row is missing, or no game has been written."""
    before = rows_of(played)
    if cut:
        text = (played / "games.csv").read_text(encoding="utf-8")
        (played / "games.csv").write_text(text[:-cut], encoding="utf-8")
    else:
        (played / "games.csv").unlink()
    assert run("--resume", played) == 0
    assert rows_of(played) == before


def test_when_a_process_has_ended_by_itself_what_was_played_is_kept(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    def end(number: int, players: Players, portions: workers.Portions) -> Generator[list[Entry], None, None]:
        yield play(players.configuration, players.make(), portions.take()[:1])
        raise ChildProcessError("a process has ended")

    monkeypatch.setattr(terminal, "play_in_processes", end)
    arguments = ["--agents", "random", "greedy", "--games", "3", "--processes", "2", "--out", str(tmp_path)]
    assert t2r(["tournament", *arguments]) == 1
    assert "a process has ended, after 1 of 4 games" in " ".join(capsys.readouterr().err.split())
    assert len(rows_of(tmp_path)) == 2


@pytest.mark.release
def test_the_limits_of_isolated_agents_are_settings_and_the_tracebacks_of_their_forfeits_are_kept(
    tmp_path: Path, capsys: Capture
) -> None:
    """The limits are kept for those who resume, and shown in the command of the report."""
    limits = ["--isolate", "--seconds", 20, 600, "--memory", 2000]
    assert run("--agents", CRASHING, FIRST, "--games", 4, *limits, "--out", tmp_path) == 0
    settings = settings_of(tmp_path)["settings"]
    assert (settings["isolate"], settings["seconds"], settings["memory"]) == (True, [20.0, 600.0], 2000)
    assert "--isolate --seconds 20.0 600.0 --memory 2000" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.search(r'File ".*odd_agents.py", line \d+, in act', (tmp_path / "forfeits.txt").read_text())
    before = rows_of(tmp_path)
    (tmp_path / "games.csv").unlink()
    assert run("--resume", tmp_path) == 0
    assert rows_of(tmp_path) == before
    assert "memory must be 2000 as in" in refusal(capsys, "--resume", tmp_path, "--memory", 1000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "1"], "seed must be 0 as in *, not 1"),
        (["--games", "8"], "games must be 6 as in *, not 8"),
        (["--tickets", "mega"], "tickets must be anniversary as in *, not mega"),
        (["--agents", CRASHING, "random"], "agents must be ['random', "),
    ],
)
def test_a_tournament_is_not_resumed_with_other_settings(
    arguments: list[str], message: str, played: Path, capsys: Capture
) -> None:
    assert message.replace("*", str(played)) in refusal(capsys, "--resume", played, *arguments)


def test_a_folder_that_holds_a_tournament_is_not_overwritten_nor_resumed_while_it_is_being_played(
    played: Path, capsys: Capture
) -> None:
    message = refusal(capsys, "--agents", "random", FIRST, "--out", played)
    assert f"{played} contains a tournament already: use --resume to go on with it" in message
    before = rows_of(played)
    folder = Folder(played)
    folder.resume(folder.settings(["random", CRASHING]))
    assert f"{played} can't be played: another process has it open" in refusal(capsys, "--resume", played)
    folder.close()
    assert run("--resume", played) == 0
    assert rows_of(played) == before


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("tournament.json", '"rules": "', '"rules": "0', "was played with other tables of usa"),
        ("tournament.json", '"library": "', '"library": "0', "of t2r_env, and this is"),
        ("tournament.json", '"games": ', '"game": ', "tournament.json can't be read"),
        ("games.csv", "random", "rondam", "ValueError('this row is not of a game of the tournament')"),
        ("games.csv", "\n0,", "\nx,", "games.csv, row 2: ValueError("),
        ("games.csv", ",seed,", ",sied,", "games.csv, row 2: KeyError('seed')"),
    ],
)
def test_a_folder_that_was_changed_is_refused(
    file: str, old: str, new: str, message: str, played: Path, capsys: Capture
) -> None:
    text = (played / file).read_text(encoding="utf-8")
    (played / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert message in refusal(capsys, "--resume", played)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("games", 1_000_001, "games must be an integer from 1 to 1000000, not 1000001"),
        ("games", True, "games must be of type int, not True"),
        ("agents", ["random"] * 101, "the number of agents must be an integer from 1 to 100, not 101"),
        ("agents", ["x" * 5001], "the length of an agent's name must be an integer from 1 to 5000, not 5001"),
        ("agents", ["random", 7], "agents must be a list of names, not ['random', 7]"),
        ("agents", [f"agent_{number}" for number in range(60)], "5,461,512 line-ups for 5 teams, and at most 200,000"),
        ("seed", 0, "seed must be a decimal number in a string, not 0"),
        ("seed", str(2**64), "a seed must be an integer from 0 to 2^64 - 1"),
        ("seconds", "1", "seconds must be of type list, not '1'"),
        ("memory", True, "memory must be of type int | None, not True"),
        ("memory", "1", "memory must be of type int | None, not '1'"),
        ("options", [], "options must be of type dict, not []"),
    ],
)
def test_settings_that_only_seem_right_are_refused(
    name: str, value: Any, message: str, played: Path, capsys: Capture
) -> None:
    content = settings_of(played)
    content["settings"] |= {"num_players": 5, name: value}
    content["identity"] = configure("usa", 5).identity
    (played / "tournament.json").write_text(json.dumps(content), encoding="utf-8")
    (played / "games.csv").unlink()
    assert message in refusal(capsys, "--resume", played)


NEGATIVE = "seconds and numbers of things must be at least 0"


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        *(("seat", -1, NEGATIVE), ("game", -6, NEGATIVE), ("seconds", "inf", NEGATIVE), ("turns", -1, NEGATIVE)),
        ("seat", 2, "IndexError("),
        ("seat", 1, "this row is not of a game of the tournament"),
        ("score", 10**30, "numbers must lie between -1,000,000 and 1,000,000"),
        ("routes", "9" * 5000, "ValueError("),
        ("outcome", "running", "outcome must be one of finished, truncated, forfeited, not 'running'"),
    ],
)
def test_a_row_that_only_seems_right_is_refused(
    column: str, value: object, message: str, played: Path, capsys: Capture
) -> None:
    first, *others = rows_of(played)
    write_rows(played, [first | {column: str(value)}, *others])
    printed = refusal(capsys, "--resume", played)
    assert f"{played / 'games.csv'}, row 2: " in printed
    assert message in printed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outcome": "finished"}, "outcome and turns must be the same for all seats"),
        ({"turns": "7"}, "outcome and turns must be the same for all seats"),
        ({"score": "7"}, "score must be the sum of its parts"),
        ({"rank": "0"}, "seat 0 must have the rank 1 and the win 1.0, as the others have theirs"),
        ({"rank": "1"}, "seat 0 must have the rank 1 and the win 0.5, as the others have theirs"),
        ({"rank": "7"}, "seat 0 must have the rank 2 and the win 0, as the others have theirs"),
        ({"win": "0.5"}, "seat 0 must have the rank 2 and the win 0, as the others have theirs"),
        ({"win": "nan"}, "seat 0 must have the rank 2 and the win 0, as the others have theirs"),
    ],
)
def test_a_result_that_no_game_has_is_refused(
    changes: dict[str, str], message: str, played: Path, capsys: Capture
) -> None:
    """Of a game that the agent on seat 0 has forfeited."""
    rows = rows_of(played)
    number = next(index for index, row in enumerate(rows) if row["seat"] == "0" and row["forfeit"])
    write_rows(played, [row | (changes if index == number else {}) for index, row in enumerate(rows)])
    assert f"{played / 'games.csv'}, game {rows[number]['game']}: {message}" in refusal(capsys, "--resume", played)


def test_games_that_were_written_twice_count_once_and_are_told(played: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As by two processes that played at once, before folders were locked; also if both wrote the heading."""
    before = rows_of(played)
    text = (played / "games.csv").read_text(encoding="utf-8")
    (played / "games.csv").write_text(text + text, encoding="utf-8")
    assert run("--resume", played) == 0
    assert f"{played / 'games.csv'} has 12 rows of games that it has already: they are dropped" in caplog.messages
    assert rows_of(played) == before


@pytest.mark.parametrize("claimed", ["2 1", "1 1", "-1", "100", "x", "1  2", "\u0661", "1_0", "9" * 5000])
def test_routes_that_no_seat_can_have_are_refused(claimed: str, played: Path, capsys: Capture) -> None:
    first, *rows = rows_of(played)
    write_rows(played, [first | {"claimed": claimed}, *rows])
    message = refusal(capsys, "--resume", played)
    assert "game 0: claimed must be numbers of routes below 100 in order" in message


# What a stranger's folder may not do


@pytest.mark.parametrize("arguments", [["--resume"], ["--replay", "0"]])
def test_a_folder_runs_only_agents_that_have_names_or_are_repeated(
    arguments: list[str], played: Path, capsys: Capture
) -> None:
    content = settings_of(played)
    writing = f"logging:FileHandler:{played / 'written'}"  # a class whose instances write a file
    content["settings"]["agents"] = [writing, "random"]
    (played / "tournament.json").write_text(json.dumps(content), encoding="utf-8")
    action, *game = arguments
    for agents in ([], ["--agents", "random"]):
        message = refusing.refusal(capsys, t2r, "tournament", action, played, *game, *agents)
        assert f"or they search for long: ['{writing}']; if you want that" in message
        assert not (played / "written").exists()


@pytest.mark.parametrize(
    "name", ["replays", "figures", "report.html", "forfeits.txt", "games.csv", "tournament.json", "lock"]
)
def test_links_in_a_folder_are_not_followed(name: str, played: Path, tmp_path: Path, capsys: Capture) -> None:
    """Neither to write nor to delete."""
    elsewhere = tmp_path / "elsewhere"
    if (played / name).exists():
        (played / name).rename(elsewhere)
    if name == "replays":
        elsewhere.mkdir()
        (elsewhere / "game_7.html").touch()
    (played / name).symlink_to(elsewhere)
    for arguments in (["--resume", played], ["--replay", played, 0]):
        assert f"{played / name} must not be a symbolic link" in refusal(capsys, *arguments)
    if name == "replays":
        assert (elsewhere / "game_7.html").exists()


def test_an_agent_that_goes_to_another_folder_does_not_take_the_tournament_along(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    wandering = path_of(odd_agents.Wandering)
    command = ("--variant", "new_york", "--agents", wandering, FIRST, "--games", 2, "--out", "here", "--pages", 1)
    assert run(*command) == 0
    assert len(rows_of(tmp_path / "here")) == 4
    assert len(links_of(tmp_path / "here")) == 1


@pytest.mark.parametrize(("file", "most"), [("tournament.json", MAX_SETTINGS_BYTES), ("games.csv", MAX_GAMES_BYTES)])
def test_a_file_beyond_its_limit_is_refused_before_it_is_read(
    file: str, most: int, played: Path, capsys: Capture
) -> None:
    with (played / file).open("r+b") as opened:
        opened.truncate(most + 1)  # it takes no room on the disk
    assert f"{file} has {most + 1:,} bytes, and at most {most:,} are allowed" in refusal(capsys, "--resume", played)


def test_games_with_too_long_a_line_are_refused(played: Path, capsys: Capture) -> None:
    with (played / "games.csv").open("a", encoding="utf-8") as file:
        file.write("x" * (MAX_LINE_BYTES + 1))
    assert "games.csv can't be read: its lines must have at most 16,384 bytes" in refusal(capsys, "--resume", played)


# Replays


def test_any_game_can_be_played_again_and_recorded(played: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr(terminal, "write_page", lambda *_, **__: None)  # which takes seconds
    rows = rows_of(played)
    forfeited = next(row["game"] for row in rows if row["forfeit"])
    finished = next(row["game"] for row in rows if row["outcome"] == "finished")
    for game in (forfeited, finished):
        assert run("--replay", played, game) == 0
        final = Replay.load(played / f"game_{game}.json").final()
        came_out = [(int(row["score"]), int(row["turns"])) for row in rows if row["game"] == game]
        assert [(score, final.results.turns[0]) for score in final.results.scores[0]] == came_out
    assert "it differs if an agent depends on the time it takes" in capsys.readouterr().out
    for game in ("6", "first"):
        assert f"GAME must be an integer from 0 to 5, not {game}" in refusal(capsys, "--replay", played, game)


def test_the_page_of_a_game_has_the_agents_names_and_why_it_was_forfeited(tmp_path: Path) -> None:
    quitting = path_of(odd_agents.Quitting)
    assert run("--variant", "new_york", "--agents", FIRST, quitting, "--games", 2, "--out", tmp_path) == 0
    forfeited = next(row for row in rows_of(tmp_path) if row["forfeit"])
    assert run("--replay", tmp_path, forfeited["game"]) == 0
    content = content_of((tmp_path / f"game_{forfeited['game']}.html").read_text(encoding="utf-8"))
    assert content["names"][int(forfeited["seat"])] == forfeited["agent"] == quitting
    assert len(content["views"]) == 3
    assert content["back"] == "report.html"
    assert f"{quitting} forfeits the game: SystemExit: enough." in content["views"][0]["lines"][-1][0]


def test_the_report_links_to_pages_of_games_worth_a_look(tmp_path: Path) -> None:
    """The closest, the highest score, the longest, and the first forfeited for each reason; after a resume, too."""
    command = ("--variant", "new_york", "--agents", "random", CRASHING, "--games", 8)
    assert run(*command, "--out", tmp_path, "--pages", 9) == 0
    linked = links_of(tmp_path)
    assert sorted(linked) == sorted(f"replays/{page.name}" for page in (tmp_path / "replays").iterdir())
    rows = rows_of(tmp_path)
    finished = [row for row in rows if row["outcome"] == "finished"]
    expected = {next(row["game"] for row in rows if row["forfeit"])}
    expected |= {max(finished, key=lambda row: int(row[figure]))["game"] for figure in ("score", "turns")}
    assert {f"replays/game_{game}.html" for game in expected} <= set(linked)
    for link in linked:
        (view,) = content_of((tmp_path / link).read_text(encoding="utf-8"))["views"]
        game = [row for row in rows if row["game"] == link.removesuffix(".html").rpartition("_")[2]]
        assert view["scores"][-1] == [int(row["score"]) for row in game] or any(row["forfeit"] for row in game)
    assert "it went otherwise" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert run("--resume", tmp_path, "--pages", 1) == 0
    assert links_of(tmp_path) == [linked[0]]
    assert [page.name for page in (tmp_path / "replays").iterdir()] == [Path(linked[0]).name]


def links_of(folder: Path) -> list[str]:
    """What the report links to before its list of all games."""
    report = (folder / "report.html").read_text(encoding="utf-8")
    return re.findall(r'<a href="(replays/[^"]*)"', report.partition('<section id="games">')[0])


def test_the_report_names_the_command_that_serves_it_and_makes_the_pages_of_games(
    played: Path, monkeypatch: Patch
) -> None:
    report = (played / "report.html").read_text(encoding="utf-8")
    (command,) = re.findall(r"<code>(.*?)</code>", report)
    assert shlex.split(command) == ["t2r", "report", "six_games", "--agents", "random", CRASHING]  # where it was played
    monkeypatch.chdir(played.parent)
    (played / "report.html").unlink()
    assert t2r(["report", "played", "--no-serve", "--agreement", "0", "--agents", "random", CRASHING]) == 0
    again = (played / "report.html").read_text(encoding="utf-8")
    assert again.replace("report played", "report six_games") == report
    assert not (played / "replays").exists()


def test_a_page_that_is_asked_for_is_made_from_the_game_that_was_played(played: Path) -> None:
    _, _, make_page = terminal.write_again(played, ["random", CRASHING], 0)
    with pytest.raises(FolderError, match="there is no game 6 in this folder"):
        make_page(6)
    rows = rows_of(played)
    number = next(row["game"] for row in rows if not any(it["forfeit"] for it in rows if it["game"] == row["game"]))
    page = make_page(int(number))
    assert page == played / "replays" / f"game_{number}.html"
    content = content_of(page.read_text(encoding="utf-8"))
    assert content["back"] == "../report.html"
    assert content["views"][0]["scores"][-1] == [int(row["score"]) for row in rows if row["game"] == number]


def test_a_report_of_a_stranger_runs_only_agents_that_are_named_again(played: Path, capsys: Capture) -> None:
    message = refusing.refusal(capsys, t2r, "report", played, "--no-serve")
    assert "names agents that must be named by you, too" in message
    assert "goes without --port" in refusing.refusal(capsys, t2r, "report", played, "--no-serve", "--port", "0")
    assert "--agreement" in refusing.refusal(
        capsys, t2r, "report", played, "--no-serve", "--agreement", "-1", "--agents", "random", CRASHING
    )


def test_the_command_writes_the_page_of_a_game(played: Path, capsys: Capture, monkeypatch: Patch) -> None:
    rows = rows_of(played)
    number = next(row["game"] for row in rows if not any(it["forfeit"] for it in rows if it["game"] == row["game"]))
    monkeypatch.chdir(played.parent)
    assert t2r(["replay", "played", number, "--html", "--agents", "random", CRASHING]) == 0
    assert f"shows game {number} of played" in capsys.readouterr().out
    link = f"replays/game_{number}.html"
    content = content_of((played / link).read_text(encoding="utf-8"))
    own = [row for row in rows if row["game"] == number]
    assert content["names"] == [row["agent"] for row in own]
    assert content["views"][0]["scores"][-1] == [int(row["score"]) for row in own]
    assert ((played / link).parent / content["back"]).resolve() == (played / "report.html").resolve()
    seats = ["--agents", "random", CRASHING, "--seat", "1", "--html", "seat.html"]
    assert t2r(["replay", "played", number, *seats]) == 0
    assert content_of(Path("seat.html").read_text(encoding="utf-8"))["back"] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["played", "--html"], "played is a folder: name a game of its tournament"),
        (["played", "6", "--html"], "GAME must be an integer from 0 to 5, not 6"),
        (["played", "../1", "--html"], "GAME must be an integer from 0 to 5, not ../1"),
        (["played", "0", "--html"], "names agents that must be named by you, too"),
        (["played", "0", "--html", "--variant", "usa"], "--variant goes without GAME"),
        (["games.csv", "0", "--html"], "GAME 0 needs the folder of a tournament, not the file games.csv"),
        (["games.csv", "--html", "--agents", "random"], "the agents of a tournament need its folder and GAME"),
        (["empty", "0", "--html"], "does not contain a tournament"),
    ],
)
def test_a_game_that_can_not_be_shown_is_refused_and_nothing_is_written(
    arguments: list[str], message: str, played: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(played.parent)
    (played.parent / "empty").mkdir()
    if "6" in arguments or "../1" in arguments:
        arguments = [*arguments, "--agents", "random", CRASHING]
    assert message in refusing.refusal(capsys, t2r, "replay", *arguments)
    assert not (played / "replays").exists()


def test_a_linked_folder_of_pages_is_not_written_to(played: Path, tmp_path: Path, capsys: Capture) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (played / "replays").symlink_to(elsewhere)
    message = refusing.refusal(capsys, t2r, "replay", played, 0, "--html", "--agents", "random", CRASHING)
    assert "replays must not be a symbolic link" in message
    assert list(elsewhere.iterdir()) == []


def test_an_interruption_of_the_pages_leaves_a_report_without_them(
    played: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("t2r_agents.comparing.tournament.replays.save_replay_html", interrupt)
    (played / "report.html").unlink()
    assert run("--resume", played, "--pages", 3) == 0
    assert links_of(played) == []
    assert "interrupted: some replays are missing" in capsys.readouterr().err


def test_games_whose_agents_took_long_are_not_played_again(played: Path) -> None:
    write_rows(played, [row | {"seconds": "30"} for row in rows_of(played)])
    assert run("--resume", played, "--pages", 9) == 0
    assert links_of(played) == []


# Wrong commands


def refusal(capsys: Capture, *arguments: object) -> str:
    """The message for a wrong command."""
    return refusing.refusal(capsys, lambda given: run(*given), *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "nobody"], "there is no agent 'nobody'; allowed are random, "),
        (["--agents", "no_such_module:Agent"], "can't be imported"),
        (["--agents", "random:3"], "the agent 'random:3' (t2r_env.agents:RandomAgent) takes no argument"),
        (["--variant", "mars"], "unknown variant 'mars'"),
        (["--num-players", "6"], "num_players of usa must be an integer from 2 to 5, not 6"),
        (["--games", "0"], "games must be an integer, at least 1, not 0"),
        (["--seed", "-1"], "a seed must be an integer from 0 to 2^64 - 1, not -1"),
        (["--tickets", "gold"], "usa has no tickets 'gold'"),
        (["--turn-limit", "0"], "turn_limit of usa must be an integer from 1 to 30000, not 0"),
        (["--agents", "random"], "a tournament compares agents: name two or more, not random alone"),
        (["--agents", "random", "random"], "agents must be one or more different names, not random, random"),
        (["--seconds", "1"], "seconds and memory are limits of agents in processes of their own: add --isolate"),
        (["--memory", "500"], "seconds and memory are limits of agents in processes of their own: add --isolate"),
        (["--isolate", "--memory", "0"], "memory must be an integer from 1 to "),
        (["--isolate", "--seconds", "1", "2", "3"], "seconds must be one or two numbers, for a decision and for a"),
        (["--isolate", "--agents", "human"], "it can't play in a process of its own"),
        (["--out", __file__], "--out must be a new or empty folder, and"),
        (["--out", f"{__file__}/beyond"], "Not a directory"),
        (["--resume", "nowhere"], "nowhere does not contain a tournament"),
        (["--replay", "nowhere", "0"], "nowhere does not contain a tournament"),
    ],
)
def test_a_wrong_command_gets_one_line(arguments: list[str], message: str, capsys: Capture) -> None:
    assert message in refusal(capsys, *arguments)


def test_processes_must_be_at_least_one(capsys: Capture) -> None:
    message = refusing.refusal(capsys, t2r, "tournament", "--processes", "0")
    assert "processes must be an integer, at least 1, not 0" in message
