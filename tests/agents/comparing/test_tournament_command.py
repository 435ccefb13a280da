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
from collections.abc import Callable, Generator, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from t2r_agents.comparing import ray_cluster
from t2r_agents.comparing.tournament import Tournament, terminal, workers
from t2r_agents.comparing.tournament import folder as folders
from t2r_agents.comparing.tournament.folder import Folder, FolderError
from t2r_agents.comparing.tournament.isolation import Limits
from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry, play
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_agents.playing.failures import LONGEST_TRACEBACK
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
HOSTILE = "\x1b[2J\rthe rating stands: 2740\n[bold red]pl\u0430nner[/]"
"""An argument that blanks the terminal, breaks out of its line, is markup, and looks like another."""
HARMLESS = r"\x1b[2J\rthe rating stands: 2740\n[bold red]pl\u0430nner[/]"


def run(*arguments: object) -> int:
    """The command in one process, with seed 0 if it plays new games, and without pages and agreement, unless it names
    them. The agents of a folder are repeated.
    """
    if arguments[0] in ("--resume", "--replay") and "--agents" not in arguments:
        with contextlib.suppress(OSError, ValueError, KeyError):
            arguments += ("--agents", *settings_of(Path(str(arguments[1])))["settings"]["agents"])
    named = [] if {"--seed", "--resume", "--replay"} & set(arguments) else ["--seed", "0"]
    return t2r(["tournament", "--pages", "0", "--agreement", "0", *map(str, arguments), *named, "--processes", "1"])


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "games.csv").open(encoding="utf-8") as file:
        return [row | {"seconds": ""} for row in csv.DictReader(file)]


def write_rows(folder: Path, rows: Sequence[dict[str, str]]) -> None:
    with (folder / "games.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"seconds": row["seconds"] or "0"} for row in rows)


def settings_of(folder: Path) -> Any:
    return json.loads((folder / "tournament.json").read_text(encoding="utf-8"))


def change_settings(folder: Path, **changes: Any) -> None:
    content = settings_of(folder)
    content["settings"] |= changes
    (folder / "tournament.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture(autouse=True)
def _no_plots(request: pytest.FixtureRequest, monkeypatch: Patch) -> None:
    """Plots take longer than games: only the tests of reports have them."""
    if "report" not in request.node.name:
        monkeypatch.setattr("t2r_agents.comparing.tournament.report.plots_of", lambda *_: {})


@pytest.fixture(scope="module")
def six_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole tournament. Games 1 and 5 are forfeited, from seats 0 and 1; the others are finished."""
    folder = tmp_path_factory.mktemp("tournaments") / "six_games"
    command = ("--variant", "new_york", "--agents", "random", CRASHING, "--games", 6, "--seed", 5)
    assert run(*command, "--out", folder) == 0
    return folder


@pytest.fixture
def played(six_games: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(six_games, tmp_path / "played"))


def test_a_tournament_leaves_its_games_and_says_what_happened(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out"
    assert run("--agents", "random", "greedy", "--games", 6, "--tickets", "classic", "--out", out) == 0
    rows, content = rows_of(out), settings_of(out)
    assert [(row["game"], row["seat"]) for row in rows] == [*itertools.product("012345", "01")]
    assert (content["results"]["played"], content["settings"]["seed"]) == (6, "0")
    assert content["identity"]["options"]["tickets"] == "classic"
    for line in content["results"]["agents"]:
        assert line["score"] == np.mean([int(row["score"]) for row in rows if row["agent"] == line["agent"]])
    printed = capsys.readouterr().out
    assert "usa, 2 players" in printed
    *_, best, closest, highest, longest, again, report = printed.splitlines()
    assert best.startswith("greedy won most often: ")
    number = min(range(6), key=lambda number: abs(int(rows[2 * number]["score"]) - int(rows[2 * number + 1]["score"])))
    won, lost = sorted(rows[2 * number : 2 * number + 2], key=lambda row: int(row["rank"]))
    result = f"{won['agent']} {won['score']}, {lost['agent']} {lost['score']}, in {won['turns']} turns"
    assert closest == f"the closest game is {number}: {result}"
    most = max(rows, key=lambda row: int(row["score"]))
    assert highest.startswith(f"the game with the highest score is {most['game']}: {most['agent']} {most['score']}, ")
    assert longest.endswith(f", in {max(int(row['turns']) for row in rows)} turns")
    assert again == f"a game again: t2r tournament --replay {out} GAME"
    assert report == f"the report: {out / 'report.html'}"


def test_a_tournament_whose_reader_has_seen_enough_writes_its_report(tmp_path: Path, monkeypatch: Patch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        monkeypatch.setattr("sys.stdout", closed)
        assert run("--agents", "random", "greedy", "--games", 2, "--out", tmp_path / "out") == 0
    assert (tmp_path / "out" / "report.html").exists()


def test_a_tournament_without_a_seed_draws_one_shows_it_and_keeps_it(tmp_path: Path, capsys: Capture) -> None:
    """Nobody, an agent neither, can guess it and with it the deals."""
    seeds = set()
    for folder in (tmp_path / "one", tmp_path / "two"):
        command = f"tournament --variant new_york --agents random greedy --games 1 --out {folder}"
        assert t2r(f"{command} --processes 1 --pages 0".split()) == 0
        seeds.add(seed := settings_of(folder)["settings"]["seed"])
        assert f"seed {seed}" in capsys.readouterr().out
    assert len(seeds) == 2
    rows = rows_of(folder)
    (folder / "games.csv").unlink()
    assert run("--resume", folder) == 0
    assert rows_of(folder) == rows


def test_the_report_stands_alone_and_an_agents_message_is_no_markup_in_it(tmp_path: Path, monkeypatch: Patch) -> None:
    """It loads no other file, and links to none but its own data, the pages of games apart."""
    monkeypatch.setattr(odd_agents.First, "act", Mock(side_effect=RuntimeError("<b>[bold]$x^$")))
    command = ("--variant", "new_york", "--agents", "random", "greedy", FIRST)
    assert run(*command, "--games", 12, "--out", tmp_path) == 0
    report, figures = (tmp_path / "report.html").read_text(encoding="utf-8"), [*(tmp_path / "figures").iterdir()]
    assert "t2r tournament --variant new_york --num-players 2 --agents random" in report
    assert "&lt;b&gt;[bold]$x^$" in report
    assert "<b>" not in report
    assert not re.search(r"<(script [^>]*src|link rel=.(?!icon)|img|iframe)|@import|url\((?!#)", report)
    assert "default-src 'none'" in report
    named = set(re.findall(r'(?:src|href)="(?!#|data:,)([^"]*)"', report))
    assert named == {f"figures/{file.name}" for file in figures}
    assert 'id="map-' in report
    assert {file.suffix for file in figures} == {".csv", ".svg"}
    for file in figures:
        text = file.read_text(encoding="utf-8")
        assert text in report if file.suffix == ".svg" else len(text.splitlines()) > 1


def test_games_at_the_turn_limit_are_told_and_who_won_equally_often(tmp_path: Path, capsys: Capture) -> None:
    """C19. Agents are named as they were given, also if an argument contains brackets."""
    told = f"{path_of(odd_agents.Told)}:[bold]"
    assert run("--agents", FIRST, told, "--games", 3, "--turn-limit", 5, "--out", tmp_path) == 0
    printed = capsys.readouterr().out
    assert "4 games reached the turn limit" in printed
    assert "4 games reached the turn limit" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"{FIRST} and {told} won equally often: each 0.0% of its games" in printed
    assert ":[bold]" in "".join(re.split(r"[\s│]+", printed.partition(" won equally")[0].rpartition("\n")[0]))


def test_the_folder_keeps_the_traceback_of_a_forfeit_once_for_each_reason_also_after_a_resume(played: Path) -> None:
    text = (played / "forfeits.txt").read_text()
    assert text.startswith(f"{CRASHING} in game 1, seat 0: RuntimeError")
    assert re.search(r'File ".*odd_agents.py", line \d+, in act', text)
    assert text.count("Traceback") == 1
    write_rows(played, rows_of(played)[:4])
    assert run("--resume", played) == 0
    assert (played / "forfeits.txt").read_text() == text


def test_tracebacks_are_limited_printable_and_handed_out_but_not_collected() -> None:
    tournament = Tournament(configure("usa"), [path_of(odd_agents.Raising, "noisy"), FIRST], 2, 0)
    (given,) = [entry.traceback for entries in tournament.play() for entry in entries if entry.traceback]
    assert len(given) <= LONGEST_TRACEBACK
    assert all(character.isprintable() or character == "\n" for character in given)
    assert not any(entry.traceback for entry in tournament.entries)


# Interrupting and resuming


def test_an_interrupted_tournament_tells_how_to_go_on(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    """As if it had not been interrupted. Import paths are repeated, as a folder alone is not trusted to run code."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    agent, folder, whole = path_of(odd_agents.Interrupting), tmp_path / "a folder", tmp_path / "whole"
    command = ("--agents", agent, "random", "--games", 20)
    assert run(*command, "--out", folder) == 130
    begun = rows_of(folder)
    played = len(begun) // 2
    assert 0 < played < 20
    assert settings_of(folder)["results"]["played"] == played
    assert f"{played} of 20 games" in (folder / "report.html").read_text(encoding="utf-8")
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"to go on: t2r tournament --resume '{folder}' --agents {agent} random"
    monkeypatch.setattr(odd_agents.Interrupting, "act", RandomAgent.act)
    assert run(*shlex.split(last.removeprefix("to go on: t2r tournament ")), "--games", 20) == 0
    assert run(*command, "--out", whole) == 0
    assert rows_of(folder) == rows_of(whole)
    assert rows_of(whole)[: len(begun)] == begun


def test_without_a_folder_nobody_is_told_to_resume(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    assert run("--agents", path_of(odd_agents.Interrupting), FIRST, "--games", 20) == 130
    captured = capsys.readouterr()
    assert "usa, 2 players" in captured.out
    assert re.search("interrupted after [0-9]+ of 20 games", captured.err)
    assert "--resume" not in captured.err
    monkeypatch.setattr(Tournament, "play", Mock(side_effect=KeyboardInterrupt))
    assert run("--agents", "random", "greedy", "--out", tmp_path) == 130
    assert capsys.readouterr().err.splitlines()[-1] == f"to go on: t2r tournament --resume {tmp_path}"


def test_an_interruption_waits_while_processes_start_and_does_not_reach_them() -> None:
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    handler = signal.getsignal(signal.SIGINT)
    with contextlib.suppress(KeyboardInterrupt):
        with workers.deferring_interruptions():
            signal.raise_signal(signal.SIGINT)
            started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        pytest.fail("the interruption is lost")
    assert started.stdout == "True\n"
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which processes a process has started")
@pytest.mark.parametrize(("seconds", "times"), [(0.0, 1), (0.3, 2)])
def test_ctrl_c_while_processes_start_prints_no_traceback(seconds: float, times: int, tmp_path: Path) -> None:
    """Nor a little later, nor when it is pressed twice."""
    words = ["--processes", "2", "--games", "100000", "--variant", "new_york", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "t2r_env", "tournament", *words]
    pipes: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    playing = subprocess.Popen(command, start_new_session=True, **pipes)
    while not Path(f"/proc/{playing.pid}/task/{playing.pid}/children").read_text():
        assert playing.poll() is None
        time.sleep(0.01)
    time.sleep(seconds)
    for _ in range(times):
        os.killpg(playing.pid, signal.SIGINT)  # as a terminal does
    _, errors = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert "Traceback" not in errors
    assert times > 1 or f"to go on: t2r tournament --resume {tmp_path}" in errors


@pytest.mark.release
def test_a_killed_tournament_ends_as_if_it_had_not_been(tmp_path: Path, monkeypatch: Patch) -> None:
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
def test_on_a_full_disk_a_tournament_is_kept(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    """It is full when the settings are written, then games, then the report."""
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 1)
    command, folder = ("--agents", "random", FIRST, "--games", 12, "--out"), tmp_path / "interrupted"
    assert run(*command, tmp_path / "whole") == 0
    capsys.readouterr()
    with full_disk(after=0):
        assert "File too large" in refusal(capsys, *command, folder)
    for room, begun in ((1500, (*command, folder)), (6000, ("--resume", folder))):
        with full_disk(after=room):
            assert run(*begun) == 1
        message = capsys.readouterr().err.splitlines()[-1]
        assert re.search(r"File too large: '.*(games.csv|report.html)'; the games written before are kept", message)
    assert not list(folder.glob("*.new"))
    assert run("--resume", folder) == 0
    assert result_of_tournament(folder) == result_of_tournament(tmp_path / "whole")


@pytest.mark.parametrize(
    "change", [lambda text: text[:-1], lambda text: text[:-120], lambda text: "", lambda text: text + text]
)
def test_a_game_is_played_again_if_it_was_not_written_down_whole(
    change: Callable[[str], str], played: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Also if its last row is incomplete, or a row or all are missing. Rows that were written twice count once."""
    before, games = rows_of(played), played / "games.csv"
    text = games.read_text(encoding="utf-8")
    games.write_text(change(text), encoding="utf-8")
    assert run("--resume", played) == 0
    assert rows_of(played) == before
    assert (f"{games} has 12 rows of games that it has already" in caplog.text) == (change(text) == text + text)


def test_when_a_process_has_ended_the_games_are_kept(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    def end(number: int, players: Players, portions: workers.Portions) -> Generator[list[Entry], None, None]:
        yield play(players.configuration, players.make(), portions.take()[:1])
        raise ChildProcessError("a process has ended")

    monkeypatch.setattr(terminal, "play_in_processes", end)
    arguments = ["--agents", "random", "greedy", "--games", "3", "--processes", "2", "--out", str(tmp_path)]
    assert t2r(["tournament", *arguments]) == 1
    assert "a process has ended, after 1 of 4 games" in " ".join(capsys.readouterr().err.split())
    assert len(rows_of(tmp_path)) == 2


def test_limits_are_kept_for_who_resumes_and_told_in_the_command(tmp_path: Path, capsys: Capture) -> None:
    limits: dict[str, Any] = {"isolate": True, "seconds": [20.0, 600.0], "memory": 2000}
    settings = Settings("usa", 2, dict(configure("usa").options), ["random", "greedy"], 4, 0, **limits)
    folder = Folder(tmp_path)
    folder.begin(settings)
    folder.close()
    assert folder.settings() == settings
    assert settings.limits() == Limits(20.0, 600.0, 2000)
    assert settings.command().endswith("--isolate --seconds 20.0 600.0 --memory 2000")
    assert "memory must be 2000 as in" in refusal(capsys, "--resume", tmp_path, "--memory", 1000)


def test_other_settings_are_not_resumed(played: Path, capsys: Capture) -> None:
    for arguments, message in (
        (["--seed", "1"], f"seed must be 5 as in {played}, not 1"),
        (["--games", "8"], f"games must be 6 as in {played}, not 8"),
        (["--tickets", "mega"], f"tickets must be classic as in {played}, not mega"),
        (["--agents", CRASHING, "random"], "agents must be ['random', "),
    ):
        assert message in refusal(capsys, "--resume", played, *arguments)


def test_a_folder_is_neither_overwritten_nor_played_by_two(played: Path, tmp_path: Path, capsys: Capture) -> None:
    new = ("--agents", "random", FIRST, "--games", 2, "--out")
    assert f"{played} contains a tournament already: use --resume to go on with it" in refusal(capsys, *new, played)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "games.csv").write_text("mine", encoding="utf-8")
    assert "--out must be a new or empty folder, and" in refusal(capsys, *new, tmp_path / "mine")
    assert [(file.name, file.read_text()) for file in (tmp_path / "mine").iterdir()] == [("games.csv", "mine")]
    before, folder = rows_of(played), Folder(played)
    folder.resume(folder.settings(["random", CRASHING]))
    assert f"{played} can't be played: another process has it open" in refusal(capsys, "--resume", played)
    folder.close()
    assert run("--resume", played) == 0
    assert rows_of(played) == before


def test_a_changed_folder_is_refused(played: Path, capsys: Capture) -> None:
    for name, old, new, message in (
        ("tournament.json", '"rules": "', '"rules": "0', "was played with other tables of new_york"),
        ("tournament.json", '"library": "', '"library": "0', "of t2r_env, and this is"),
        ("tournament.json", '"games": ', '"game": ', "tournament.json can't be read"),
        ("games.csv", "random", "rondam", "ValueError('this row is not of a game of the tournament')"),
        ("games.csv", "\n0,", "\nx,", "games.csv, row 2: ValueError("),
        ("games.csv", ",seed,", ",sied,", "games.csv, row 2: KeyError('seed')"),
    ):
        text = (file := played / name).read_text(encoding="utf-8")
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert message in refusal(capsys, "--resume", played)
        file.write_text(text, encoding="utf-8")


def test_settings_of_wrong_kinds_are_refused(played: Path, capsys: Capture) -> None:
    (played / "games.csv").unlink()
    content = settings_of(played) | {"identity": configure("new_york", 4).identity}
    (played / "tournament.json").write_text(json.dumps(content), encoding="utf-8")
    right = content["settings"] | {"num_players": 4}
    for name, value, message in (
        ("games", 1_000_001, "games must be an integer from 1 to 1000000, not 1000001"),
        ("agents", ["random"] * 101, "the number of agents must be an integer from 1 to 100, not 101"),
        ("agents", ["x" * 5001], "the length of an agent's name must be an integer from 1 to 5000, not 5001"),
        ("agents", ["a\rb"], "an agent's name must be Unicode text without carriage returns, not"),
        ("agents", ["random", 7], "agents must be a list of names, not ['random', 7]"),
        ("agents", [f"agent_{number}" for number in range(60)], "487,635 line-ups for 4 teams, and at most 200,000"),
        ("seed", 0, "seed must be a decimal number in a string, not 0"),
        ("seed", str(2**64), "a seed must be an integer from 0 to 2^64 - 1"),
        ("seconds", "1", "seconds must be of type list, not '1'"),
        ("memory", True, "memory must be of type int | None, not True"),
    ):
        change_settings(played, **right | {name: value})
        assert message in refusal(capsys, "--resume", played)


NEGATIVE = "row 4: ValueError('seconds and numbers of things must be at least 0')"


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        *(("seat", -1, NEGATIVE), ("game", -6, NEGATIVE), ("seconds", "inf", NEGATIVE), ("turns", -1, NEGATIVE)),
        ("seat", 2, "row 4: IndexError("),
        ("seat", 1, "row 4: ValueError('this row is not of a game of the tournament')"),
        ("score", 10**30, "row 4: ValueError('numbers must lie between -1,000,000 and 1,000,000')"),
        ("routes", "9" * 5000, "row 4: ValueError("),
        ("outcome", "running", "outcome must be one of finished, truncated, forfeited, not 'running'"),
        ("outcome", "finished", "game 1: outcome and turns must be the same for all seats"),
        ("turns", 7, "game 1: outcome and turns must be the same for all seats"),
        ("score", 7, "game 1: score must be the sum of its parts"),
        ("rank", 0, "game 1: seat 0 must have the rank 1 and the win 1.0, as the others have theirs"),
        ("rank", 1, "game 1: seat 0 must have the rank 1 and the win 0.5, as the others have theirs"),
        ("win", "nan", "game 1: seat 0 must have the rank 2 and the win 0, as the others have theirs"),
        *(
            ("claimed", claimed, "game 1: claimed must be numbers of routes below 41 in order")
            for claimed in ("2 1", "1 1", "-1", "41", "x", "1  2", "\u0661", "1_0", "9" * 5000)
        ),
        ("kept", "3+12 99+4", "game 1: kept must be tickets below 18 with points, not '3+12 99+4'"),
        ("kept", "3", "game 1: kept must be tickets below 18 with points, not '3'"),
        ("refused", "4 5x", "game 1: refused must be numbers of tickets below 18, not '4 5x'"),
        ("first_claim", "41", "game 1: first_claim must be the number of a route below 41, not '41'"),
        ("cards_before_claim", -1, "game 1: cards_before_claim must be from 0 to 1,000,000, not -1"),
        ("moves", "d dx", "game 1: moves must be letters of d, c, t, b, u, r, y, p, not 'd dx'"),
    ],
)
def test_rows_of_no_game_are_refused(column: str, value: object, message: str, played: Path, capsys: Capture) -> None:
    """Of a game that the agent on seat 0 has forfeited."""
    rows = rows_of(played)
    rows[2][column] = str(value)
    write_rows(played, rows)
    printed = refusal(capsys, "--resume", played)
    assert f"{played / 'games.csv'}, " in printed
    assert message in printed


def test_parts_of_the_score_are_those_of_the_game_in_its_order(played: Path, capsys: Capture) -> None:
    """Rows of games that are still to be played follow them, under the same heading."""
    rows = rows_of(played)
    write_rows(played, [{"attractions": row["attractions"]} | row for row in rows])
    assert run("--resume", played) == 0
    assert [[*row] for row in rows_of(played)] == [[*row] for row in rows]
    renamed = [{("roads" if name == "routes" else name): cell for name, cell in row.items()} for row in rows]
    for changed in (renamed, [row | {"roads": "0"} for row in rows]):
        write_rows(played, changed)
        assert f"{played / 'games.csv'}, row 2: " in refusal(capsys, "--resume", played)
        assert rows_of(played) == changed


# What a stranger's folder may not do


@pytest.mark.parametrize(
    ("command", "flag"),
    [
        ("tournament --resume {}", "--agents"),
        ("tournament --replay {} 0", "--agents"),
        ("replay {} 0", "--agents"),
        ("review {} 0", "--played-by"),
        ("play --from {} 0 1 --finish 1", "--opponents"),
        ("export {} --out nowhere", "--agents"),
    ],
)
def test_a_folder_runs_only_harmless_or_repeated_agents(command: str, flag: str, played: Path, capsys: Capture) -> None:
    writing = f"logging:FileHandler:{played / 'written'}"  # a class whose instances write a file
    change_settings(played, agents=[writing, "random"])
    given = command.format(played).split()
    for agents in ([], [flag, "random"]):
        told = refusing.refusal(capsys, t2r, *given, *agents)
        assert f"or they search for long: ['{writing}']; if you want that, repeat all agents as {flag}" in told
        assert not (played / "written").exists()
    change_settings(played, agents=["nowhere:Agent", "random"])
    assert "'nowhere:Agent' can't be imported" in refusing.refusal(capsys, t2r, *given, flag, "nowhere:Agent", "random")


def test_forfeits_in_a_strangers_table_are_shown_and_do_nothing(played: Path, capsys: Capture) -> None:
    write_rows(played, [row | {"forfeit": row["forfeit"] and HOSTILE} for row in rows_of(played)])
    assert run("--resume", played, "--pages", 9) == 0
    printed, report = capsys.readouterr(), (played / "report.html").read_text(encoding="utf-8")
    assert ": " + HARMLESS in " ".join(printed.out.split())
    assert HARMLESS in unescape(report)
    assert "\x1b" not in printed.out + printed.err + report


@pytest.mark.parametrize(
    "name", ["replays", "figures", "report.html", "forfeits.txt", "games.csv", "tournament.json", "lock"]
)
def test_links_in_a_folder_are_not_followed(name: str, played: Path, tmp_path: Path, capsys: Capture) -> None:
    """Neither to write nor to delete."""
    elsewhere = tmp_path / "elsewhere"
    if name == "replays":
        (played / name).mkdir()
        (played / name / "game_7.html").touch()
    if (played / name).exists():
        (played / name).rename(elsewhere)
    (played / name).symlink_to(elsewhere)
    for arguments in (["--resume", played], ["--replay", played, 0]):
        assert f"{played / name} must not be a symbolic link" in refusal(capsys, *arguments)
    assert name != "replays" or (elsewhere / "game_7.html").exists()


def test_an_agent_that_changes_the_folder_does_not_take_the_games_along(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    wandering = path_of(odd_agents.Wandering)
    command = ("--variant", "new_york", "--agents", wandering, FIRST, "--games", 2, "--out", "here", "--pages", 1)
    assert run(*command) == 0
    assert len(rows_of(tmp_path / "here")) == 4
    assert len(links_of(tmp_path / "here")) == 1


def test_a_file_or_a_line_beyond_its_limit_is_refused(played: Path, capsys: Capture) -> None:
    with (played / "games.csv").open("a", encoding="utf-8") as file:
        file.write("x" * (folders.MAX_LINE_BYTES + 1))
    assert "games.csv can't be read: its lines must have at most 16,384 bytes" in refusal(capsys, "--resume", played)
    for name, most in (("games.csv", folders.MAX_GAMES_BYTES), ("tournament.json", folders.MAX_SETTINGS_BYTES)):
        os.truncate(played / name, most + 1)  # it takes no room on the disk, and is not read
        assert f"{name} has {most + 1:,} bytes, and at most {most:,} are allowed" in refusal(capsys, "--resume", played)


# Replays


def test_any_game_can_be_played_again_recorded_and_shown(played: Path, capsys: Capture) -> None:
    rows = rows_of(played)
    for game in ("0", "1"):  # a finished one and a forfeited one
        assert run("--replay", played, game) == 0
        final = Replay.load(played / f"game_{game}.json").final()
        came_out = [(int(row["score"]), int(row["turns"])) for row in rows if row["game"] == game]
        assert [(score, final.results.turns[0]) for score in final.results.scores[0]] == came_out
    assert "it differs if an agent depends on the time it takes" in capsys.readouterr().out
    content = content_of((played / "game_1.html").read_text(encoding="utf-8"))
    assert (content["names"], len(content["views"]), content["back"]) == ([CRASHING, "random"], 3, "report.html")
    assert f"{CRASHING} forfeits the game: RuntimeError: out of ideas." in content["views"][0]["lines"][-1][0]
    for game in ("6", "first"):
        assert f"GAME must be an integer from 0 to 5, not {game}" in refusal(capsys, "--replay", played, game)


def test_the_report_links_to_pages_of_games_worth_a_look(played: Path) -> None:
    """The closest, the highest score, the longest, and the first forfeited for each reason."""
    assert run("--resume", played, "--pages", 9, "--agreement", 2) == 0
    assert (played / "figures" / "agreement.csv").exists()
    linked = links_of(played)
    assert sorted(linked) == sorted(f"replays/{page.name}" for page in (played / "replays").iterdir())
    rows = rows_of(played)
    finished = [row for row in rows if row["outcome"] == "finished"]
    expected = {"1", *(max(finished, key=lambda row: int(row[figure]))["game"] for figure in ("score", "turns"))}
    assert {f"replays/game_{game}.html" for game in expected} <= set(linked)
    for link in linked:
        (view,) = content_of((played / link).read_text(encoding="utf-8"))["views"]
        game = [row for row in rows if row["game"] == link.removesuffix(".html").rpartition("_")[2]]
        assert view["scores"][-1] == [int(row["score"]) for row in game] or any(row["forfeit"] for row in game)
    assert "it went otherwise" not in (played / "report.html").read_text(encoding="utf-8")
    assert run("--resume", played, "--pages", 1) == 0
    assert links_of(played) == [linked[0]]
    assert {f"replays/{page.name}" for page in (played / "replays").iterdir()} == {*linked}  # some may be asked for


def links_of(folder: Path) -> list[str]:
    """What the report links to before its list of all games."""
    report = (folder / "report.html").read_text(encoding="utf-8")
    return re.findall(r'<a href="(replays/[^"]*)"', report.partition('<section id="games">')[0])


def test_the_report_names_the_command_that_writes_it_again_with_pages_as_t2r_replay_does(
    played: Path, monkeypatch: Patch, capsys: Capture
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
    _, _, make_page = terminal.write_again(played, ["random", CRASHING], 0)
    with pytest.raises(FolderError, match="there is no game 6 in this folder"):
        make_page(6)
    page = make_page(0)
    assert page == played / "replays" / "game_0.html"
    content = content_of(page.read_text(encoding="utf-8"))
    assert content["back"] == "../report.html"
    assert content["views"][0]["scores"][-1] == [int(row["score"]) for row in rows_of(played)[:2]]
    page.unlink()
    assert t2r(["replay", "played", "0", "--html", "--agents", "random", CRASHING]) == 0
    assert "shows game 0 of played" in capsys.readouterr().out
    shown = content_of(page.read_text(encoding="utf-8"))
    assert (shown["back"], shown["views"][0]["scores"]) == ("../report.html", content["views"][0]["scores"])


NAMED = f"--agents random {CRASHING}"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("replay played --html", "played is a folder: name a game of its tournament"),
        (f"replay played 6 --html {NAMED}", "GAME must be an integer from 0 to 5, not 6"),
        (f"replay played ../1 --html {NAMED}", "GAME must be an integer from 0 to 5, not ../1"),
        ("replay played 0 --html", "names agents that must be named by you, too"),
        ("replay played 0 --html --variant usa", "--variant goes without GAME"),
        ("replay games.csv 0 --html", "GAME 0 needs the folder of a tournament, not the file games.csv"),
        ("replay games.csv --html --agents random", "the agents of a tournament need its folder and GAME"),
        ("replay empty 0 --html", "does not contain a tournament"),
        ("report played --no-serve", "names agents that must be named by you, too"),
        ("report played --no-serve --port 0", "goes without --port"),
        (f"report played --no-serve --agreement -1 {NAMED}", "--agreement"),
    ],
)
def test_what_can_not_be_shown_is_refused(
    command: str, message: str, played: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(played.parent)
    (played.parent / "empty").mkdir()
    assert message in refusing.refusal(capsys, t2r, *command.split())
    assert not (played / "replays").exists()


def test_pages_are_interrupted_and_left_out_of_slow_games(played: Path, monkeypatch: Patch, capsys: Capture) -> None:
    saving = "t2r_agents.comparing.tournament.replays.save_replay_html"
    monkeypatch.setattr(saving, Mock(side_effect=KeyboardInterrupt))
    (played / "report.html").unlink()
    assert run("--resume", played, "--pages", 3) == 0
    assert links_of(played) == []
    assert "interrupted: some replays are missing" in capsys.readouterr().err
    write_rows(played, [row | {"seconds": "11"} for row in rows_of(played)])  # 22 for both agents
    assert run("--resume", played, "--pages", 3) == 0
    assert links_of(played) == []
    assert "interrupted" not in capsys.readouterr().err  # nothing was played again


# Wrong commands


def refusal(capsys: Capture, *arguments: object) -> str:
    return refusing.refusal(capsys, lambda given: run(*given), *arguments)


def test_without_ray_the_command_says_how_to_install_it(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    assert run("--ray") == 1
    assert "ray is not installed; install what this needs: pip install '.[ray]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            (["--ray", address], f"the address of a Ray cluster must be HOST:PORT, auto or local, not {address!r}")
            for address in ("nowhere", "ray://head:10001", "head:port", ":6379")
        ),
        (["--ray", "--agents", "human", "random"], "an agent asks a person on the terminal, and workers on Ray have"),
        (["--agents", "nobody"], "there is no agent 'nobody'; allowed are random, "),
        (["--variant", "mars"], "unknown variant 'mars'"),
        (["--games", "0"], "games must be an integer, at least 1, not 0"),
        (["--seed", "-1"], "a seed must be an integer from 0 to 2^64 - 1, not -1"),
        (["--agents", "random"], "a tournament compares agents: name two or more, not random alone"),
        (["--agents", "random", "random"], "agents must be one or more different names, not random, random"),
        (["--memory", "500"], "seconds and memory are limits of agents in processes of their own: add --isolate"),
        (["--isolate", "--memory", "0"], "memory must be an integer from 1 to "),
        (["--isolate", "--seconds", "0"], "seconds must be numbers greater than 0, not 0.0"),
        (["--isolate", "--seconds", "nan"], "seconds must be numbers greater than 0, not nan"),
        (["--isolate", "--seconds", "1", "2", "3"], "seconds must be one or two numbers, for a decision and for a"),
        (["--processes", "0"], "processes must be an integer, at least 1, not 0"),
        (
            ["--agents", "human", "random", "--variant", "new_york", "--luck-adjusted", "--out", "no/such/folder"],
            "--luck-adjusted plays the games of a folder again, and an agent asks a person: leave one out",
        ),
        (["--out", "nowhere", "--agents", path_of(odd_agents.Told, "\udcff"), "random"], "must be Unicode text"),
        (["--out", __file__], "--out must be a new or empty folder, and"),
        (["--out", f"{__file__}/beyond"], "Not a directory"),
        (["--resume", "nowhere"], "nowhere does not contain a tournament"),
    ],
)
def test_a_wrong_command_is_refused(arguments: list[str], message: str, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: name)
    assert message in refusing.refusal(capsys, t2r, "tournament", *arguments)
