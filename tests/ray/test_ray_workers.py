"""Tournaments and ratings on Ray: the same games as on this machine alone, whatever happens to the workers."""

import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import ray

from t2r_agents.comparing import ray_cluster
from t2r_agents.comparing.ray_cluster import _check_reachable, connected
from t2r_agents.comparing.tournament import Tournament, ray_workers, workers
from t2r_agents.comparing.tournament.isolation import Limits
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ray_workers import play_on_ray
from t2r_env import configure
from t2r_env.commands import main as t2r
from t2r_env.core.cache import cache_root
from tests.helpers import odd_agents
from tests.helpers.odd_agents import HANGING, path_of

FIRST, CRASHING, DYING = map(path_of, (odd_agents.First, odd_agents.Crashing, odd_agents.Dying))


def play(agents: list[str], games: int = 12, workers: int = 2, *, limits: Limits | None = None) -> list[Entry]:
    """The entries of a tournament by so many workers on Ray; 0: by this process."""
    tournament = Tournament(configure("new_york", 2), agents, games, 0, limits=limits)
    for _ in tournament.play(workers, play_on_ray) if workers else tournament.play():
        pass
    return sorted(tournament.entries, key=lambda entry: (entry.game, entry.seat))


def running(text: str) -> list[str]:
    """The processes that have this in their command."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if text in line]


def at_home(home: Path) -> dict[str, str]:
    """The environment of a command with this home folder, which has nothing that the command sets for Ray."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("RAY_AUTH", "RAY_USAGE", "RAY_ACCEL"))
    }
    environment |= {"HOME": str(home), "MPLCONFIGDIR": str(home.parent / "matplotlib")}
    environment["T2R_ENV_CACHE_DIR"] = str(cache_root())  # elsewhere it would be compiled again
    return environment


def test_workers_on_ray_play_the_same_games_as_one_process() -> None:
    agents = ["random", FIRST, CRASHING]
    entries = play(agents)
    assert entries == play(agents, workers=0)
    assert any(entry.forfeit for entry in entries)


def test_tournaments_and_ratings_need_ray_and_nothing_that_trains(tmp_path: Path) -> None:
    """Neither here nor in the workers; the extra `ray` has Ray's core alone."""
    (tmp_path / "home").mkdir()
    options = ["--variant", "new_york", "--seed", "1", "--ray", "local", "--processes", "1"]
    tournament = ["tournament", "--agents", path_of(odd_agents.Lean), "random", "--games", "4", "--out", "games"]
    rating = ["rate", path_of(odd_agents.Lean), "--max-games", "4", "--json", "rating.json"]
    program = f"""
import sys
sys.modules |= dict.fromkeys(("torch", "ray.rllib", "stable_baselines3"))
from t2r_agents.comparing.ray_cluster import connected
from t2r_env.commands import main
with connected("local", 1):  # once for both
    sys.exit(main({tournament + options}) or main({rating + options}))
"""
    own = at_home(tmp_path / "home")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "games" / "games.csv").open(encoding="utf-8") as file:
        assert {row["forfeit"] for row in csv.DictReader(file)} == {""}
    (rating_of,) = json.loads((tmp_path / "rating.json").read_text(encoding="utf-8"))["ratings"]
    assert rating_of


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "DEALS_AT_ONCE", 2)
    agents = [path_of(odd_agents.DyingOnce, tmp_path / "killed"), FIRST]
    entries = play(agents)
    assert (tmp_path / "killed").exists()
    assert "a worker on Ray has ended; another one is begun and plays its games" in caplog.messages
    assert entries == play(agents, workers=0)


def test_games_that_end_one_worker_after_the_other_are_an_error_that_names_them() -> None:
    with pytest.raises(ChildProcessError, match=r"3 workers on Ray have ended at the games from [0-9]+ on"):
        play([DYING, "random"], workers=1)


def test_a_worker_of_another_version_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_workers, "__version__", "0.0.1")
    with pytest.raises(ChildProcessError, match=r"has version .* of t2r_env, not 0\.0\.1"):
        play(["random", FIRST], workers=1)


def test_isolated_agents_keep_to_their_limits_on_ray_and_end_with_the_workers() -> None:
    entries = play([HANGING, FIRST], 4, workers=1, limits=Limits(decision=1.0))
    assert {(entry.agent, entry.forfeit) for entry in entries if entry.forfeit} == {(HANGING, "took more than 1 s")}
    until = time.monotonic() + 20
    while running("agent_process.py") and time.monotonic() < until:
        time.sleep(0.1)
    assert not running("agent_process.py")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (None, "no connection to a Ray cluster at"),
        (b"220 mail\r\n", "what listens there is not Ray"),
        (b"", "timed out"),
    ],
)
def test_where_there_is_no_cluster_the_command_says_so_within_seconds(
    said: bytes | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where something else listens, which may say nothing."""
    if not said:
        monkeypatch.setattr(ray_cluster, "SECONDS_TO_CONNECT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = "127.0.0.1:9" if said is None else "{}:{}".format(*server.getsockname())

        def answer() -> None:
            with server.accept()[0] as connection:
                connection.recv(1000)
                connection.sendall(said or b"")

        if said:
            threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(ConnectionError, match=message), connected(address):
            pass


def test_a_cluster_is_found_at_its_address() -> None:
    """What listens there is taken for Ray, also where this process is not connected yet."""
    _check_reachable(ray.get_runtime_context().gcs_address)


def test_ctrl_c_ends_all_processes_and_the_tournament_can_be_resumed(tmp_path: Path) -> None:
    """And Ray writes nothing into the home folder, nor to the terminal."""
    home = tmp_path / "home"
    home.mkdir()
    environment = at_home(home)
    folder, game = tmp_path / "games", ["--variant", "new_york", "--games", "8", "--seed", "4", "--pages", "0"]
    command = ["tournament", "--agents", "ismcts:40", "random", *game, "--processes", "2", "--ray", "local"]
    playing = subprocess.Popen(
        [sys.executable, "-m", "t2r_env", *command, "--out", folder],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (folder / "games.csv").exists():
        assert playing.poll() is None
        time.sleep(0.05)
    os.killpg(playing.pid, signal.SIGINT)  # as a terminal does
    _, errors = playing.communicate(timeout=60)
    assert playing.returncode == 130
    told = re.compile(r"games |interrupted after |to go on: |[0-9,]+ of [0-9,]+ games, |t2r_env: compiling|$")
    assert all(map(told.match, errors.splitlines()))
    assert not [name for name in home.iterdir() if "ray" in name.name]
    assert [line for line in running("raylet") if str(playing.pid) in line.split()] == []
    assert t2r(["tournament", "--resume", str(folder), "--processes", "1", "--pages", "0"]) == 0
