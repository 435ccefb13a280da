"""Which games a server keeps open, where it looks for them, and what becomes of those that are removed or deleted."""

import shutil
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest

from t2r_agents.browser import guard, seats
from t2r_agents.browser import server as server_module
from t2r_agents.browser.table import Table, new_key
from t2r_agents.browser.tables import Tables
from t2r_env import configure
from tests.helpers.disks import full_disk
from tests.pages.serving import Served, actions_in, first_legal, play, served

WISH = {"variant": "new_york", "players": [None, None], "own_windows": True}
MANY = server_module.MAX_UNUSED + 4


def begin(server: Served) -> tuple[str, str]:
    """Begin a game as a page does; its name, and the path of its screen."""
    _, listed = server.wish("new", WISH)
    return listed["name"], listed["screens"][0]["path"]


def open_tables(server: Served) -> list[Table]:
    return list(server.service.tables._open.values())


def act(server: Served, path: str, number: int = 0, *, is_open: bool = False) -> int:
    """Take the first legal action of a game at its page, which is opened; the status of the answer."""
    assert is_open or server.ask("GET", path)[0] == 200
    (table,) = (it for it in open_tables(server) if f"/table/{it.screens[0].key}/" == path)
    return server.ask("POST", f"{path}act", {"number": number, "action": first_legal(table)})[0]


def delete(server: Served, name: Any) -> int:
    """Ask for the end of a game; the status of the answer."""
    return server.wish("delete", {"name": name})[0]


@pytest.mark.parametrize("was_open", [True, False])
def test_the_name_of_a_removed_game_is_not_given_again(tmp_path: Path, was_open: bool) -> None:
    with served(tmp_path) as server:
        name, _ = begin(server)
    with served(tmp_path) as server:
        path = server.service.tables.listed(name)["screens"][0]["path"]
        assert server.ask("GET", path if was_open else f"/{server.service.token}/games")[0] == 200
        shutil.rmtree(tmp_path / name)
        following, page = begin(server)
        assert following != name
        if was_open:
            assert act(server, path, is_open=True) == 200
        assert actions_in(tmp_path / following) == 0
        assert act(server, page) == 200
        assert actions_in(tmp_path / following) == 1
        assert not (tmp_path / name).exists()


def test_a_game_is_not_written_into_a_folder_in_which_there_is_another(tmp_path: Path) -> None:
    other = Tables(tmp_path / "other").begin("new_york", configure("new_york", 2), [None, "random"], seed=1)
    other.close()
    with served(tmp_path / "games") as server:
        name, path = begin(server)
        table = server.service.tables.open(name)
        shutil.rmtree(table.folder)
        other.folder.rename(table.folder)
        before = {file: file.read_bytes() for file in table.folder.iterdir()}
        assert table.take(0, first_legal(table))
        assert table.fault.endswith("is not its folder any more")
        assert server.ask("POST", f"{path}act", {"number": 0, "action": 0})[0] == 404
        assert {file: file.read_bytes() for file in table.folder.iterdir()} == before
        assert act(server, f"/table/{other.screens[0].key}/") == 200
        assert actions_in(table.folder) == 1


def test_a_folder_that_was_put_back_is_taken_up_as_it_is(server: Served, tmp_path: Path) -> None:
    name, path = begin(server)
    folder = server.service.tables.folder / name
    shutil.copytree(folder, tmp_path / "kept")
    assert act(server, path) == 200
    shutil.rmtree(folder)
    shutil.move(tmp_path / "kept", folder)
    assert act(server, path) == 200
    assert actions_in(folder) == 1


def test_a_deleted_game_is_gone_with_its_pages_and_its_name_and_other_files_stay(server: Served) -> None:
    name, path = begin(server)
    other, page = begin(server)
    folder = server.service.tables.folder
    with server.events(path.split("/")[2], skip=1) as sent:
        assert delete(server, name) == 200
        assert len(list(sent)) <= 1  # what was under way, and the end
    assert server.ask("GET", path)[0] == 404
    assert delete(server, name) == 409
    assert sorted(it.name for it in folder.iterdir()) == [other]
    assert begin(server)[0] not in (name, other)
    assert act(server, page) == 200
    damaged = Tables(folder).begin("new_york", configure("new_york", 2), [None, None])  # and not open here
    damaged.close()
    (damaged.folder / "replay.json").unlink()
    (damaged.folder / "seats.json").write_text("{")
    (folder / other / "notes.txt").write_text("good play in turn 9")
    assert delete(server, damaged.name) == delete(server, other) == 200
    assert not damaged.folder.exists()
    assert [it.name for it in (folder / other).iterdir()] == ["notes.txt"]


def test_what_is_no_game_of_this_folder_and_server_is_not_deleted(tmp_path: Path) -> None:
    outside = Tables(tmp_path / "outside").begin("new_york", configure("new_york", 2), [None, None])
    with served(tmp_path / "games") as server:
        held = Tables(tmp_path / "games").begin("new_york", configure("new_york", 2), [None, None])
        outside.close()
        (tmp_path / "games" / "link").symlink_to(outside.folder)
        (tmp_path / "games" / "notes").mkdir()
        before = sorted(tmp_path.rglob("*"))
        wrong: list[Any] = ["link", "notes", held.name, "../outside/new_york-1", str(outside.folder), "..", ".", ""]
        for name in (*wrong, "a\0", "a" * 5000, None, 1, [held.name]):
            assert delete(server, name) == 409, name
        assert sorted(tmp_path.rglob("*")) == before
        held.close()
        assert delete(server, held.name) == 200


def test_games_that_nobody_looks_at_are_closed_and_go_on_where_they_were(server: Served) -> None:
    """So a server stays below 256 descriptors: a page has a connection and a game; Python and it need fewer than 20."""
    assert 2 * server_module.MAX_STREAMS + server_module.MAX_UNUSED + guard.MAX_CONNECTIONS + 20 < 256
    games, folder = [begin(server) for _ in range(MANY)], server.service.tables.folder
    assert len(open_tables(server)) == server_module.MAX_UNUSED
    links = [str(it.readlink()) for it in Path("/proc/self/fd").iterdir() if it.is_symlink()]
    assert sum(it.startswith(str(folder)) and it.endswith("seats.json") for it in links) == server_module.MAX_UNUSED
    for number in range(2):
        for name, path in games:
            assert act(server, path, number) == 200
            assert actions_in(folder / name) == number + 1
            assert len(open_tables(server)) == server_module.MAX_UNUSED
    name, path = begin(server)
    with server.events(path.split("/")[2], skip=1):
        table = server.service.tables.open(name)
        for _ in range(MANY):
            begin(server)
        assert table in open_tables(server)  # somebody looks at it
        assert act(server, path) == 200
    assert actions_in(table.folder) == 1


def test_a_game_that_could_not_be_saved_is_not_closed_until_it_is(server: Served) -> None:
    name, path = begin(server)
    others = [begin(server) for _ in range(MANY)]
    table = server.service.tables.open(name)
    with full_disk(after=100):
        assert act(server, path) == 200
        for _, other in others:
            assert server.ask("GET", other)[0] == 200
        assert table in open_tables(server)
    assert actions_in(table.folder) == 0
    for _, other in others:
        assert server.ask("GET", other)[0] == 200
    assert table not in open_tables(server)
    assert actions_in(table.folder) == 1
    assert act(server, others[-1][1]) == 200
    assert server.service.tables.put_away(server.service.tables.open(others[-1][0]))  # in this moment
    assert act(server, others[-1][1], 1) == 200


def test_the_pace_of_watched_agents_and_the_rematch_are_kept_when_a_game_is_closed(server: Served) -> None:
    table = server.begin("new_york", ["random", "random"], turn_limit=1)
    server.send(table, "pace", {"paused": True, "milliseconds": 250})
    play(table)
    rematch = server.send(table, "rematch", {})
    for _ in range(MANY):
        begin(server)
    assert table.is_closed
    assert server.send(table, "rematch", {}) == rematch
    again = server.service.tables.open(table.name)
    assert again is not table
    assert (again.pace.paused, again.pace.milliseconds) == (True, 250)


def test_unknown_keys_search_the_folder_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search, read = (create_autospec(it, side_effect=it) for it in (Tables.names, seats.read_seats))
    monkeypatch.setattr(seats, "LOOK_SECONDS", 1000.0)
    monkeypatch.setattr(Tables, "names", search)
    monkeypatch.setattr(seats, "read_seats", read)
    tables = Tables(tmp_path)
    games = [tables.begin("new_york", configure("new_york", 2), [None, None]) for _ in range(5)]
    tables.close()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "seats.json").write_text("{")
    with served(tmp_path) as server:
        search.reset_mock()
        read.reset_mock()
        for key, expected in (*((new_key(), 404) for _ in range(50)), *((it.screens[0].key, 200) for it in games)):
            assert server.ask("GET", f"/table/{key}/")[0] == expected
        assert (search.call_count, read.call_count) == (1, 6)
        later = Tables(tmp_path).begin("new_york", configure("new_york", 2), [None, None])  # of another server
        later.close()
        assert server.ask("GET", f"/table/{later.screens[0].key}/")[0] == 200


def test_a_key_leads_to_the_game_that_was_played_and_not_to_a_copy(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        name, path = begin(server)
        shutil.copytree(tmp_path / name, tmp_path / "copy")
        (tmp_path / "copy" / "seats.json").touch()
        for _ in range(MANY):
            begin(server)
        assert server.ask("GET", f"/table/{new_key()}/")[0] == 404
        assert act(server, path) == 200
    assert [actions_in(tmp_path / it) for it in (name, "copy")] == [1, 0]
