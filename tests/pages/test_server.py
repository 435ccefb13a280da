"""What pages are sent, and what is refused: leaks, hostile requests, floods, damaged folders."""

import hashlib
import json
import os
import re
import shutil
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

import t2r_env
from t2r_agents.browser import guard, messages, stream
from t2r_agents.browser import server as server_module
from t2r_agents.browser.messages import hint_message, moment_message, table_message, why_message
from t2r_agents.browser.server import Service
from t2r_agents.browser.table import RefusedError, Step, Table
from t2r_agents.browser.tables import TableError, Tables
from t2r_agents.playing.planner import PlannerAgent
from t2r_env import Games, Replay, configure
from t2r_env.agents import Decisions, Opinion
from t2r_env.variants import load_variant
from tests.helpers.disks import full_disk
from tests.helpers.hidden import with_other_secrets
from tests.helpers.odd_agents import First
from tests.helpers.recorded import game_of
from tests.helpers.situations import situation
from tests.pages.serving import FAILING, SLOW, FailingAgent, Served, SlowAgent, actions_in, first_legal, served, take

SEED, SIZE = 8_765_432_109_876_543_210, (1200, 800)
VARIANT_FOLDER = str(Path(t2r_env.__file__).parent / "variants" / "new_york")


def kept(server: Served) -> list[Any]:
    """All that a refused request must not change: the games, what screens show, and the files."""
    tables = [room.table for room in server.service._rooms.values()]
    games = {it.name: (it.games.states.tobytes(), it.number, it.fault) for it in tables}
    screens = {screen.key: (screen.shown, screen.changes) for it in tables for screen in it.screens}
    files = [path for path in server.service.tables.folder.rglob("*") if path.is_file()]
    return [games, screens, {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}]


def act(server: Served, table: Table, screen: int | None = 0, **changes: Any) -> tuple[int, Any]:
    """Ask for the first legal action at the decision under way; `changes` replace entries of the request."""
    return server.send(table, "act", {"number": table.due, "action": first_legal(table)} | changes, screen or 0)


@pytest.fixture
def table(server: Served) -> Table:
    """A game of two people with windows of their own."""
    return server.begin("new_york", [None, None], own_windows=True)


@pytest.fixture
def untouched(server: Served, table: Table) -> Iterator[Table]:
    """This game, which stays as it is in the test, and goes on after it."""
    before = kept(server)
    yield table
    assert kept(server) == before
    assert act(server, table)[0] == 200


# Leaks


class TellingAgent(First):
    """Tells a digest of all that it is handed but the seed."""

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        handed = (decisions.views, decisions.masks, decisions.observations)
        digest = hashlib.sha256(repr([array.tolist() for array in handed]).encode()).hexdigest()
        return [Opinion(int(action), None, digest) for action in self.act(decisions)]


def begin_at(table: Table, state: Any) -> None:
    """Go on from a state, without what happened before."""
    table.games.set_states(None, state)
    table._views = table._new_views()
    table.steps = {seat: [Step(0, view, None, (), 0)] for seat, view in table._views.items()}


def dealt_anew(table: Table, twin: Table, seat: int, seed: int) -> Games:
    """The twin's game, which now stands where the table's does, with other things where a seat can't look."""
    acts = seat == table.games.current[0]
    twin.games.set_states(None, table.games.determinize([0], [seed]) if acts else table.games.states)
    if not acts:
        twin.games.states[:] = with_other_secrets(table.games, seat, seed)
        twin.games.masks[:] = twin.games.observations[:] = 1
    return twin.games


def sent_to(table: Table, seat: int) -> bytes:
    """All that a page of a seat alone is sent about the decision under way, and what it can ask for."""
    screen = next(it for it in table.screens if seat in it.seats)
    last = len(table.steps[seat]) - 1
    answers = [moment_message(table, seat, last, SIZE, whole_log=False), messages.cover_message(table, screen)]
    answers.append(table_message(table, screen, []) | {"name": ""})
    routes = [[it.a, it.b, it.track] for it in getattr(table.configuration.variant, "routes", ())[::9]]
    for target in ({"pile": "deck"}, {"pile": "tickets"}, {"slot": 0}, {"slot": 4}, *({"route": it} for it in routes)):
        with suppress(RefusedError):
            answers.append(why_message(table, screen, target))
    for wish in (table.due, table.due + 1):
        try:
            answers += [hint_message(table, screen, wish, agent) for agent in (TellingAgent(), PlannerAgent())]
            table.act(screen, wish, -1)
        except RefusedError as error:
            answers.append({"error": str(error)})
    return json.dumps(answers).encode()


def test_a_hint_tells_the_choice_first_and_equal_cards_face_up_once(tables: Tables) -> None:
    class Weighing:
        """Takes the second of two blue cards, then thinks most of the first one, the deck and a red card."""

        def act(self, decisions: Decisions) -> NDArray[np.int64]:
            return np.array([decisions.configuration.layout.actions["draw_face_up"].start + 1])

        def opinions(self, decisions: Decisions) -> list[Opinion]:
            (choice,), weights = self.act(decisions), np.zeros(decisions.masks.shape[1])
            deck = decisions.configuration.layout.actions["draw_deck"].start
            weights[[choice, choice - 1, deck, choice + 1]] = 0.4, 0.3, 0.2, 0.1
            return [Opinion(int(choice), weights)]

    table = tables.begin("usa", configure("usa", 2), [None, "random"], seed=SEED)
    begin_at(table, situation(face_up="blue, blue, red, green, green", hands=["1 white"] * 2, turn=2).games.states)
    told = hint_message(table, table.screens[0], table.due, Weighing())
    assert [it["share"] for it in told["best"]] == [0.4, 0.2, 0.1]
    assert told["best"][0]["text"] == told["text"]
    assert all(0 <= it["value"] <= 1 for it in told["best"])


@pytest.mark.parametrize(
    ("variant", "own_windows"),
    [
        *((variant, True) for variant in ("pennsylvania", "united_kingdom", "team_asia", "card_game")),
        *((variant, False) for variant in ("new_york", "team_asia")),
    ],
)
def test_what_a_seat_is_sent_is_the_same_to_the_byte_whatever_it_cannot_know(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, variant: str, own_windows: bool
) -> None:
    """C20: pictures, logs, decisions, reasons, hints and refusals, at stretches of a game."""
    configuration = configure(variant, load_variant(variant).player_numbers[-1 if own_windows else 0])
    seats, compared = range(configuration.num_players), 0
    met = [games.states.copy() for games in game_of("random", variant, len(seats), SEED).games()]
    for stage, part in enumerate((0, 0.2, 0.5, 0.98)):
        begin = partial(tables.begin, variant, configuration, [None] * len(seats), own_windows=own_windows, seed=SEED)
        table, twin = begin(), begin()
        for each in (table, twin):
            begin_at(each, met[int(part * (len(met) - 1))])
        seat = int(table.games.current[0]) if own_windows else stage % len(seats)
        rng = np.random.default_rng(stage)
        for step in range(2 if own_windows else 3):
            for screen in (*table.screens, *twin.screens):
                screen.shown = seat if seat in screen.seats else None
            sent = sent_to(table, seat)
            if table.is_over:
                break
            dealt_anew(table, twin, seat, step)
            assert sent_to(twin, seat) == sent
            assert not any(secret.encode() in sent for secret in (str(SEED), "seed", *(it.key for it in table.screens)))
            compared += 1
            # the same action, which leads the twin from one deal to another
            action = int(rng.choice(np.flatnonzero(table.games.masks[0])))
            table._step(action)
            if table.is_over:
                break
            with monkeypatch.context() as patched:
                deal = partial(dealt_anew, table, twin, seat, 100 + step)
                patched.setattr(twin.games, "step", lambda _, deal=deal: deal())
                twin._step(action)
    assert compared >= 7


def test_pages_are_not_told_whether_another_had_a_choice(tables: Tables) -> None:
    """C20: who pays a gray route with one colour may or may not have another one; the count of cards is the same."""
    received, tickets = [], [["boston-miami", "denver-el_paso"], ["dallas-new_york", "calgary-phoenix"]]
    for hand, payment in (("3 blue, 2 red, 1 green", []), ("3 blue, 3 red", ["pay 3 blue"])):
        table = tables.begin("usa", configure("usa", 2), [None, None], own_windows=True, seed=SEED)
        begin_at(table, situation(2, hands=["1 white", hand], holds=tickets, to_move=1, turn=2).games.states)
        told, sent = [], None
        for wanted in ("", "claim El Paso-Phoenix", *payment):
            if wanted:
                take(table, wanted)
            while following := stream.next_message(table, table.screens[0], sent, SIZE):
                told.append(following[0])
                sent = following[1]
        received.append(told)
        assert (table.number, table.current) == (1 + len(payment), 0)
    assert len(received[0]) == 2
    assert received[0] == received[1]


def test_the_events_of_a_screen_are_these_messages_and_nothing_else(server: Served, table: Table) -> None:
    size = messages.size_of("")
    with server.events(table.screens[0].key) as sent:
        received = [next(sent), next(sent)]
        expected = [table_message(table, table.screens[0], [0]), moment_message(table, 0, 0, size, whole_log=True)]
        while len(expected) < 8:
            last = table.steps[0][-1]
            assert act(server, table, table.current)[0] == 200
            if table.steps[0][-1] is not last:
                received.append(next(sent))
                expected.append(moment_message(table, 0, len(table.steps[0]) - 1, size, whole_log=False))
    assert received == json.loads(json.dumps(expected))
    assert not any(secret in str(received) for secret in (table.screens[1].key, server.service.token))


def test_a_covered_screen_is_sent_nothing_but_who_is_to_look(server: Served) -> None:
    table = server.begin("new_york", [None, None])
    (screen,) = table.screens
    before = kept(server)
    with server.events(screen.key, skip=1) as sent:
        assert next(sent) == {"kind": "cover", "seat": 0, "seats": [0, 1]}
        assert act(server, table)[0] == 409
        assert server.send(table, "hint", {"number": 0, "agent": "greedy"})[0] == 409
        assert server.send(table, "show", {"seat": 1})[0] == 409
        assert server.send(table, "why", {"target": {"pile": "deck"}})[1] == {"reason": "It is the turn of Player 1."}
        assert kept(server) == before
        while table.number <= 8:
            seat = table.current
            assert server.send(table, "show", {"seat": seat})[0] == 200
            shown = next(sent)
            assert (shown["seat"], shown["is_whole_log"]) == (seat, True)
            while table.current == seat:
                assert act(server, table)[0] == 200
                if table.current == seat:
                    assert next(sent)["seat"] == seat
            assert next(sent) == {"kind": "cover", "seat": table.current, "seats": [0, 1]}


def test_what_was_drawn_before_a_handing_over_is_not_sent(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.begin("new_york", [None, None])
    (screen,) = table.screens
    table.take_screen(screen, 0)
    drawn = []

    def draw_slowly(of: Table, seat: int, *arguments: Any, **keywords: Any) -> Any:
        drawn.append(seat)
        while table.current == 0:  # meanwhile the player acts, and the other looks
            table.act(screen, table.due, first_legal(table))
        if screen.shown is None:
            table.take_screen(screen, 1)
        return moment_message(of, seat, *arguments, **keywords)

    monkeypatch.setattr(stream, "moment_message", draw_slowly)
    sent, _ = stream.next_message(table, screen, None, SIZE) or ({}, None)
    assert drawn == [0, 1]
    assert (sent["seat"], sent["is_whole_log"]) == (1, True)


def test_an_agent_asked_before_the_screen_is_handed_over_does_not_tell_who_comes_next(server: Served) -> None:
    table = server.begin("new_york", [None, None])
    (screen,) = table.screens
    table.take_screen(screen, 0)
    wish = {"number": 0, "agent": SLOW}
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(server.send, table, "hint", wish)
        wait_until(lambda: bool(server.service._advised))
        assert "thinking" in server.send(table, "hint", wish)[1]["error"]
        while table.current == 0:
            assert act(server, table)[0] == 200
        SlowAgent.goes_on.set()
        assert answer.result()[0] == 409
    assert not server.service._advised


def test_why_is_not_answered_for_who_acts_next(server: Served, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn may change between the check and the reason: nobody else may act while both are made."""
    seen = []

    def look(*_: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            seen.append(other.submit(table.lock.acquire, timeout=0.2).result())
        return original()

    original = table.decision
    monkeypatch.setattr(table, "decision", look)
    why_message(table, table.screens[0], {"pile": "deck"})
    assert seen == [False]


def test_what_a_failing_agent_says_is_not_sent(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    """C20: its text may tell its cards. The page is told that it failed; the game stays, and goes on when it works."""
    table = server.begin("new_york", [FAILING, None])
    for error in (ValueError, SystemExit, KeyboardInterrupt):
        FailingAgent.error = error
        with server.events(table.screens[0].key) as sent:
            texts = [next(sent), next(sent)]
            if not texts[-1]["fault"]:
                texts.append(next(sent))
        assert texts[-1]["fault"].startswith(f"Agent ({FAILING}) has failed")
        assert "I may do" not in str(texts)
        assert "I may do" in caplog.text
        assert table.number == 0
        caplog.clear()
        table.fault = ""
    FailingAgent.works.set()
    with server.events(table.screens[0].key) as sent:
        wait_until(lambda: table.current == 1)
        assert [next(sent).get("fault", "") for _ in range(2)] == ["", ""]
    assert act(server, table)[0] == 200


def test_the_replay_and_other_seats_are_shown_when_the_game_is_over(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, None], turn_limit=1)
        (screen,) = table.screens
        for page in ("replay", "replay/", "review/"):
            assert server.ask("GET", f"/table/{screen.key}/{page}")[0] == 409
        while not table.is_over:
            if screen.shown is None:
                table.take_screen(screen, table.current)
            assert act(server, table)[0] == 200
        status, replay, headers = server.ask("GET", f"/table/{screen.key}/replay")
        assert (status, replay["seed"]) == (200, "0")
        assert "attachment" in headers["content-disposition"]
        assert act(server, table, number=table.due)[1] == {"error": "the game is over"}
        for seat in (0, 1):
            assert server.send(table, "show", {"seat": seat})[0] == 200
            with server.events(screen.key, skip=1) as sent:
                assert next(sent)["seat"] == seat
    table.folder.rename(table.folder.with_name("für 日本"))
    with served(tmp_path) as server:  # taken up again, nobody has to look first
        _, listed = server.wish("open", {"name": "für 日本"})
        assert listed["standing"]["outcome"] == "truncated"
        with server.events(screen.key, skip=1) as sent:
            assert next(sent)["is_over"]
        assert server.ask("GET", f"/table/{screen.key}/replay")[0] == 200


# Requests that are refused and lose nothing


def wrong_bodies(legal: int) -> Iterator[tuple[bytes, int]]:
    """Bodies of requests to act, with the status of the refusal."""
    wrong_actions: list[Any] = [True, 1.0, "3", None, -1, 2**70, [0], {"action": 0}, 10**6, float(legal), str(legal)]
    yield from ((json.dumps({"number": 0, "action": action}).encode(), 409) for action in wrong_actions)
    yield from ((json.dumps({"number": number, "action": legal}).encode(), 409) for number in (1, -1, "0", None, False))
    yield from ((body, 409) for body in (b"{}", b"[]", b"null", b'"act"'))
    for body in (
        *(b"", b"\x00\xff\xfe" * 100, b"{", b"[" * 4000, '{"number": 0}'.encode("utf-16")),
        b'{"number": 0, "number": 0, "action": 0}',
    ):
        yield body, 400
    yield b'{"number": 0, "action": 0}' + b" " * (1 << 20), 413


def test_wrong_bodies_are_refused_and_change_nothing(server: Served, untouched: Table) -> None:
    before = kept(server)
    for body, expected in wrong_bodies(first_legal(untouched)):
        status, answer = server.send(untouched, "act", body)
        assert (status, list(answer)) == (expected, ["error"]), body[:60]
        assert kept(server) == before, body[:60]
    for agent in ("os:system", "human", "policy:/etc/passwd", "ismcts:1000000000", 3, None, [""], ""):
        assert server.send(untouched, "hint", {"number": 0, "agent": agent})[0] == 409
    answer = server.send(untouched, "hint", {"number": 0, "agent": "policy:a"})[1]
    assert "is no agent here" in answer["error"]  # the file is not even opened
    targets: list[Any] = [None, 1, {}, {"slot": 9}, {"slot": "0"}, {"pile": "hand"}, {"city": "atlantis"}]
    for target in (*targets, {"route": ["a", "b", 0]}, {"route": [1, 2, 3]}):
        assert "target must be" in server.send(untouched, "why", {"target": target})[1]["error"]


def test_a_screen_acts_for_its_own_seats_and_secrets_of_one_door_open_no_other(server: Served, table: Table) -> None:
    server.begin("new_york", [None, None], own_windows=True, seed=1)
    before, key, token = kept(server), table.screens[0].key, server.service.token
    assert "turn of Player 1" in act(server, table, screen=1)[1]["error"]
    for wrong in ("", "x", key[:-1], key.lower() + "0", token, "%00"):
        assert server.ask("POST", f"/table/{wrong}/act", {"number": 0, "action": 0})[0] in (404, 405)
    for request in ("show", "hint", "why", "undo", "act/", "..", "act%00"):
        status, _ = server.send(table, request, {"number": 0, "agent": "greedy"}, screen=1)
        assert status in (404, 405, 307, 409)
    for path in (f"table/{token}/", f"table/{token}/events", f"table/{token}/replay", f"{key}/games", f"{key}/"):
        assert server.ask("GET", f"/{path}")[0] == 404
    for path in ("new", "open", "delete", "around"):
        assert server.ask("POST", f"/{key}/{path}", {"name": table.name})[0] == 404
    assert kept(server) == before
    assert act(server, table)[0] == 200
    before = kept(server)
    assert act(server, table, number=0)[0] == 409  # stale
    assert kept(server) == before


def test_of_pages_that_act_at_the_same_time_one_wins(server: Served, table: Table) -> None:
    barrier = threading.Barrier(6)

    def race(seat: int, wish: Any) -> int:
        barrier.wait()
        return server.send(table, "act", wish, seat)[0]

    for _ in range(5):
        before, wish = table.number, {"number": table.due, "action": first_legal(table)}
        with ThreadPoolExecutor(6) as pool:
            answers = pool.map(race, [table.current or 0] * 6, [wish] * 6)
        assert sorted(answers) == [200] + [409] * 5
        assert (table.number, actions_in(table.folder)) == (before + 1, before + 1)


HOSTILE_HEADERS: dict[tuple[str, int], list[str | None]] = {
    ("Host", 421): [
        *("evil.example:8765", "localhost.evil.example", "127.0.0.1.nip.io:8765", "127.0.0.1:80:80", "", "[::1")
    ],
    ("Origin", 403): [None, "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1"],
    ("Content-Type", 415): [
        *(None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=application/json")
    ],
}


def test_requests_of_other_pages_and_other_names_are_refused(server: Served, untouched: Table) -> None:
    key, token = untouched.screens[0].key, server.service.token
    paths = (f"/{token}/", f"/{token}/games", f"/table/{key}/", f"/table/{key}/events", "/files/game.js")
    wish = {"number": 0, "action": first_legal(untouched)}
    for (name, expected), values in HOSTILE_HEADERS.items():
        for headers in ({name: value} for value in values):
            status, answer, _ = server.ask("POST", f"/table/{key}/act", wish, headers)
            assert (status, list(answer)) == (expected, ["error"]), headers
            assert name != "Host" or {server.ask("GET", path, headers=headers)[0] for path in paths} == {expected}
    for site in ("cross-site", "same-site", "evil"):
        assert {server.ask("GET", path, headers={"Sec-Fetch-Site": site})[0] for path in paths} == {403}
    for host in ("localhost:9", "127.0.0.1:9", "[::1]:9"):  # as behind a tunnel to this machine
        assert server.ask("GET", f"/table/{key}/", headers={"Host": host, "Sec-Fetch-Site": "none"})[0] == 200


def test_other_methods_and_paths_are_refused(server: Served, untouched: Table) -> None:
    key, token = untouched.screens[0].key, server.service.token
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
        for path in (f"/table/{key}/act", f"/table/{key}/", f"/{token}/new"):
            status, _, headers = server.ask(method, path)
            assert status == 405
            assert not any(name.startswith("access-control") for name in headers)
    assert server.ask("GET", f"/table/{key}/act")[0] == 405
    for path in f"""
        / // /table/ /table// /table//events /{token[:-1]}/ /{token}x/games /games * /%ff%fe/
        /{token}/../table/{key}/ /table/{key}/../../{token}/ /table/%2e%2e/{token}/ /table/{key}/replay.json
        /files/ /files/game.html /files/list.html /files/../server.py /files/..%2fserver.py /files/%2e%2e/server.py
        /files//etc/passwd /files/%2Fetc%2Fpasswd /files/game.js%00 /table/{"a" * 10_000}/
    """.split():
        status, _, headers = server.ask("GET", path)
        assert status in (307, 404, 405), path
        assert "location" not in headers or headers["location"].startswith(f"http://127.0.0.1:{server.port}/")


def usa(players: Any = (None, None), **more: Any) -> dict[str, Any]:
    return {"variant": "usa", "players": players, **more}


WRONG_OPTIONS: dict[str, list[Any]] = {
    "tickets": ["none", 1, [], {}],
    "turn_limit": [-1, 2**70, 1.5, "10", True],
    "advanced_technologies": [True, 1, []],
    "seed": [1],
    "num_players": [2],
    "configuration": [2],
}
WRONG_AGENTS = """
    human human:x os:system os:abort antigravity:geohash builtins:exec random:random
    t2r_agents.playing.human:HumanAgent tests.pages.test_server:TellingAgent
    policy:/etc/passwd policy:model.safetensors /tmp/x.safetensors model.safetensors
    ismcts: ismcts:x ismcts:-1 ismcts:nans ismcts:infs ismcts:1000000000 ismcts:1,/etc/passwd ismcts:1,x.safetensors
    ismcts:1,
"""
WRONG_NAMES: list[Any] = ["", " ", "Anna ", "a" * 21, "An\nna", "\u202eanna", "\x00", 1, [], {}]
WRONG_PLAYERS: list[Any] = [
    *("aa", [None, 1], {"0": None}, [None, []], [None, {"seat": 1}], [None, {"level": "easy", "agent": "greedy"}]),
    *([None, {"level": level}] for level in list[Any](["hard", "", 1, [], "Easy"])),
    *([None, {"agent": agent}] for agent in list[Any]([1, [], {}, "os:system", "human"])),
    *([None, {"name": name}] for name in WRONG_NAMES),
    *([{"name": "Anna"}, {"name": name}] for name in ("Anna", "ANNA")),
    *([None, {"colour": colour}] for colour in (-1, 6, True, 1.0, "1", [0])),
    *([{"colour": 3}, {"colour": 3}], *([None] * number for number in (0, 1, 6, 1000))),
    *([None, name] for name in (*WRONG_AGENTS.split(), "", "ismcts:" + "9" * 40, "a" * 5000)),
]
WRONG_GAMES: list[Any] = [
    *(None, [], "usa", {}, {"variant": "usa"}),
    *(usa() | {"variant": variant} for variant in (1, "../usa", "/etc", "usa\x00", VARIANT_FOLDER)),
    *map(usa, WRONG_PLAYERS),
    *(usa(options={name: value}) for name, values in WRONG_OPTIONS.items() for value in values),
    *(usa(options=None), usa(options=[]), usa(options={"tickets": None, "variant": "usa"})),
    *(usa(seed=1), usa(own_windows=1), usa(folder="/tmp")),
]


def test_games_that_are_not_allowed_are_refused_and_leave_no_file(server: Served) -> None:
    server.begin("new_york", [None, None])
    before = kept(server)
    names = ("../games/new_york-1", "/etc", "new_york-1\x00", "new_york-1/", ".", "..", "", 1, None, "a" * 5000)
    for request, wishes in (("new", WRONG_GAMES), ("open", [{"name": name} for name in names])):
        for wish in wishes:
            status, answer = server.wish(request, wish)
            assert (status, list(answer)) == (409, ["error"]), wish
            assert len(answer["error"]) < 1500
    assert kept(server) == before
    assert "antigravity" not in sys.modules


# Floods


def connect(server: Served, content: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    connection.sendall(content)
    return connection


def head(server: Served, method: str, path: str, *lines: str) -> bytes:
    host = f"127.0.0.1:{server.port}"
    own = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Content-Type: application/json"]
    return "\r\n".join([*own, *lines, "", ""]).encode()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for another thread, for ten seconds at most."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def read_all(connection: socket.socket) -> bytes:
    content = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            content += part
    return content


def test_what_is_no_http_is_refused_with_all_headers_and_endless_bodies_end(server: Served, untouched: Table) -> None:
    path = f"/table/{untouched.screens[0].key}/act"
    for content in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" * 20 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
        head(server, "GET", "/", "X: " + "a" * (1 << 20)),
        head(server, "GET", "/", *(f"X-{number}: 1" for number in range(50_000))),
        head(server, "POST", path, "Content-Length: -1"),
        head(server, "POST", path, "Content-Length: 5", "Content-Length: 6"),
    ):
        with connect(server) as connection, suppress(ConnectionError):
            connection.sendall(content)
            answer = read_all(connection)
            assert answer.startswith(b"HTTP/1.1 400"), content[:80]
            assert b"Content-Security-Policy" in answer
    with connect(server, head(server, "POST", path, "Transfer-Encoding: chunked")) as it:
        with suppress(ConnectionError):
            for _ in range(1000):
                it.sendall(b"1000\r\n" + b" " * 0x1000 + b"\r\n")
        assert read_all(it)[:12] in (b"HTTP/1.1 413", b"")  # what was sent and not read may have reset the connection


def test_slow_connections_take_no_place_of_pages(server: Served, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_CONNECTIONS", 40)
    path = f"/table/{table.screens[0].key}/act"
    before = kept(server)
    with ExitStack() as stack, server.events(table.screens[0].key, skip=2) as sent:
        (connection,) = server.server.server_state.connections
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)  # answers are sent at once
        for content in (
            b"",
            b"POST /table/",
            head(server, "POST", path, "Content-Length: 40") + b'{"number"',
            head(server, "GET", "/files/game.js") * 100,
        ):
            for _ in range(60):
                with suppress(ConnectionError):
                    stack.enter_context(connect(server, content))
            assert server.ask("GET", f"/table/{table.screens[0].key}/")[0] == 200
        wait_until(lambda: len(server.server.server_state.connections) <= 42)
        assert kept(server) == before
        assert act(server, table)[0] == 200
        assert next(sent)["number"] == 1  # the page that was there before is still there


def streams(server: Served) -> Counter[str]:
    return sum((room.streams for room in list(server.service._rooms.values())), Counter())


def test_streams_of_a_screen_take_no_place_from_another_and_one_that_reads_nothing_is_given_up(
    server: Served, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = head(server, "GET", f"/table/{table.screens[1].key}/events")
    with ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(connect(server, request))
        wait_until(lambda: streams(server)[table.screens[1].key] == server_module.MAX_STREAMS_OF_SCREEN)
        assert server.ask("GET", f"/table/{table.screens[1].key}/events")[0] == 503
        with server.events(table.screens[0].key, skip=2) as sent:
            assert act(server, table)[0] == 200
            assert next(sent)["number"] == 1
    wait_until(lambda: streams(server).total() == 0)
    monkeypatch.setattr(stream, "STALL_SECONDS", 0.2)
    monkeypatch.setattr(server_module, "event", lambda message: f"data: {'x' * (1 << 24)}\n\n")
    with connect(server, request):
        wait_until(lambda: streams(server).total() == 1)
        wait_until(lambda: streams(server).total() == 0)
    assert act(server, table, table.current)[0] == 200


def test_agents_that_think_for_ever_hold_up_nothing_else(tmp_path: Path) -> None:
    SlowAgent.goes_on.clear()
    with served(tmp_path, agents=[SLOW]) as server:
        slow = [server.begin("new_york", [SLOW, None], seed=seed) for seed in range(12)]
        table = server.begin("new_york", [None, None], own_windows=True)
        with ExitStack() as stack:
            for each in slow:
                stack.enter_context(server.events(each.screens[0].key, skip=1))
            assert act(server, table)[0] == 200
            assert server.ask("GET", f"/{server.service.token}/games")[0] == 200
        start = time.monotonic()
    assert time.monotonic() - start < 8
    files = [(it.folder / "replay.json").read_bytes() for it in slow]
    SlowAgent.goes_on.set()
    time.sleep(0.2)
    assert [(it.folder / "replay.json").read_bytes() for it in slow] == files  # another server may have them


# The address and the pages


def test_secrets_are_random_and_long_and_nobody_else_may_read_the_files_of_a_game(tables: Tables) -> None:
    table = tables.begin("new_york", configure("new_york", 2), [None, None], own_windows=True)
    secrets = {*(Service(tables).token for _ in range(50)), *(it.key for it in table.screens)}
    assert len(secrets) == 52
    assert all(re.fullmatch("[A-Za-z0-9_-]{22,}", secret) for secret in secrets)  # 22 x 6 bits
    assert table.folder.stat().st_mode & 0o077 == (table.folder / SEATS).stat().st_mode & 0o077 == 0


def test_every_answer_keeps_pages_to_this_server_and_a_fault_tells_nothing(
    server: Served, untouched: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key, token = untouched.screens[0].key, server.service.token
    paths = f"{token}/ {token} {token}/games none/ table/{key}/ table/{key}/replay files/game.js files/page.css"
    answers = [
        *(server.ask("GET", f"/{path}") for path in paths.split()),
        server.ask("PUT", "/none/"),
        server.ask("GET", "/", headers={"Host": "evil.example"}),
        server.ask("POST", f"/table/{key}/act", {"number": 0, "action": -1}),
        server.ask("POST", f"/table/{key}/act", b"{"),
    ]
    with monkeypatch.context() as patched:
        patched.setattr(untouched, "act", Mock(side_effect=RuntimeError("the hand of player_1")))
        answers.append(server.ask("POST", f"/table/{key}/act", {}))
    for _, _, headers in answers:
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
        assert policy["script-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
        named = ("cache-control", "referrer-policy", "x-content-type-options")
        assert [headers[name] for name in named] == ["no-store", "no-referrer", "nosniff"]
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert not {"server", "set-cookie", "access-control-allow-origin"} & headers.keys()
    assert answers[-1][:2] == (500, {"error": "the server has failed at this request; the game is as it was"})
    scripts = "".join(content.decode() for content in server.service._files.values())
    assert not re.search(r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", scripts)


# Files

SEATS, REPLAY = "seats.json", "replay.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two games of several actions; the one to be damaged is `new_york-1`."""
    tables = Tables(tmp_path / "games")
    for seed in (0, 1):
        table = tables.begin("new_york", configure("new_york", 2), [None, "greedy"], seed=seed)
        for _ in range(6):
            table.take(table.number, first_legal(table))
    tables.close()
    return tables.folder


Damage = Callable[[Path], object]
"""What is done to the folder of a game."""


def changed(name: str, **entries: Any) -> Damage:
    """Replace entries of a file of the game; None removes one."""

    def damage(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps({key: it for key, it in (content | entries).items() if it is not None}))

    return damage


def replaced(name: str, make: Callable[[Path], object]) -> Damage:
    """Put something else in the place of a file."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return damage


SCREEN = {"seats": [0], "key": "k" * 32}
PERSON: dict[str, Any] = {"name": "Anna", "colour": 0, "agent": None, "level": None}
GREEDY: dict[str, Any] = {"name": "Ben", "colour": 1, "agent": "greedy", "level": None}
WRONG_SEATS: dict[str, list[Any]] = {
    "format": [None, "t2r_env table 3"],
    "variant": [None, 3, "atlantis", VARIANT_FOLDER, "usa"],
    "players": [
        *(None, "ab", [PERSON], [PERSON, GREEDY, GREEDY], [None, GREEDY], [PERSON] * 2, [PERSON, "greedy"]),
        *([PERSON, GREEDY | {"agent": name}] for name in (1, "os:abort", "antigravity:geohash", "human", "nobody")),
        *([PERSON, GREEDY | {"agent": "policy:/etc/passwd"}], [PERSON, GREEDY | {"level": "hard"}]),
        *([PERSON, GREEDY | {"name": name}] for name in ("An\nna", "Anna", None)),
        *([PERSON, GREEDY | {"colour": colour}] for colour in (-1, 6, 0, None)),
    ],
    "screens": [
        *(None, {"0": SCREEN}, [], [SCREEN, SCREEN], ["a"], [SCREEN, {"seats": [], "key": "b" * 32}]),
        *([{"seats": [], "key": "b" * 32}], [SCREEN, {"seats": [0], "key": "b" * 32}]),
        *([SCREEN | {"seats": seats}] for seats in ([0, 1], [False], [0.0], [[0]])),
        *([SCREEN | {"key": key}] for key in ("k" * 31, 10**40, "../" * 11)),
    ],
}
DAMAGES: list[Damage] = [
    *(changed(SEATS, **{name: value}) for name, values in WRONG_SEATS.items() for value in values),
    changed(SEATS, players=["greedy", "greedy"], screens=[]),
    *(replaced(SEATS, partial(Path.write_bytes, data=it)) for it in (b"\xff\xfe\x00", b"[" * 10_000, b" " * (1 << 17))),
    *(lambda folder, file=it: os.truncate(folder / file, 100) for it in (SEATS, REPLAY)),
    *(changed(REPLAY, actions=actions) for actions in ([0, 1, 2, 3, 4], [10**6], ["0"])),
    *(changed(REPLAY, **{name: value}) for name, value in (("seed", "-1"), ("rules", "0"))),
    *(changed(REPLAY, illegal_action="terminate"), changed(REPLAY, actions=[10**6], illegal_action="terminate")),
    *(
        replaced(REPLAY, Replay.of(Games(variant, number, record=True, seed=1)).save)
        for variant, number in (("usa", 2), ("new_york", 3))
    ),
    # a folder, what would wait for ever, and what would never end, if it was read
    *(replaced(name, make) for name in (SEATS, REPLAY) for make in (Path.mkdir, os.mkfifo)),
    *(replaced(name, partial(Path.symlink_to, target="/dev/zero")) for name in (SEATS, REPLAY)),
    *(replaced(REPLAY, partial(Path.symlink_to, target="nowhere")), replaced(REPLAY, lambda path: None)),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_one_error_and_the_others_can_be_taken_up(folder: Path, damage: Damage) -> None:
    damage(folder / "new_york-1")
    contents = {path: path.read_bytes() for path in folder.rglob("*.json") if path.is_file()}
    tables = Tables(folder)
    with pytest.raises(TableError, match=r"^the game new_york-1 can't be taken up: .{5}") as caught:
        tables.open("new_york-1")
    assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in folder.rglob("*.json") if path.is_file()} == contents
    assert "antigravity" not in sys.modules
    table = tables.open("new_york-2")
    table.take(table.number, first_legal(table))
    assert actions_in(table.folder) == table.number
    tables.close()


def test_folders_with_strange_names_do_not_hide_the_others(folder: Path) -> None:
    for strange in (b"new\nline", b"\xff\xfe", b"quote\"';.", b".hidden", "日本".encode()):
        shutil.copytree(folder / "new_york-1", folder / os.fsdecode(strange))
    (folder / "link").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder)
    (folder / "file").write_text("")
    shutil.copytree(folder / "new_york-1", folder / "lost")
    replaced(SEATS, partial(Path.symlink_to, target="nowhere"))(folder / "lost")
    with served(folder) as server:
        _, listed, _ = server.ask("GET", f"/{server.service.token}/games")
        names = {game["name"] for game in listed["games"]} - {"lost"}
        assert names == {"new_york-1", "new_york-2", "quote\"';.", ".hidden", "日本"}
        for name in ("new_york-2", "quote\"';."):
            assert server.wish("open", {"name": name})[0] == 200


def test_saving_follows_no_link_that_lies_in_the_folder(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("precious")
    for name in ("replay.json.new", "seats.json.new"):
        (folder / "new_york-1" / name).symlink_to(other)
    tables = Tables(folder)
    table = tables.open("new_york-1")
    table.take(table.number, first_legal(table))
    table.save_seats()
    assert other.read_text() == "precious"
    assert actions_in(table.folder) == table.number
    tables.close()


def test_a_game_is_open_in_one_server_at_a_time_and_of_its_copies_one(folder: Path) -> None:
    """Otherwise each would write over what the other has saved, or act in the other game: copies have its addresses."""
    first, second = Tables(folder), Tables(folder)
    first.open("new_york-1")
    begun = first.begin("new_york", configure("new_york", 2), [None, None])
    for name in ("new_york-1", begun.name):
        with pytest.raises(TableError, match="another process"):
            second.open(name)
    second.open("new_york-2")
    first.close()
    assert second.open("new_york-1").number == 6
    begun.take_screen(begun.screens[0], begun.current)
    with pytest.raises(RefusedError, match="stops"):
        begun.act(begun.screens[0], begun.due, first_legal(begun))
    second.close()
    shutil.copytree(folder / "new_york-1", folder / "copy")
    tables = Tables(folder)
    tables.open("copy")
    with pytest.raises(TableError, match="the keys of the game copy"):
        tables.open("new_york-1")
    tables.close()


def test_pages_that_begin_and_take_up_at_once_get_games_of_their_own_and_the_same_one(folder: Path) -> None:
    with served(folder) as server, ThreadPoolExecutor(6) as pool:
        wish = {"variant": "new_york", "players": [None, "random"]}
        begun = list(pool.map(server.wish, ["new"] * 6, [wish] * 6))
        assert len({answer["name"] for _, answer in begun}) == 6
        taken = pool.map(server.wish, ["open"] * 6, [{"name": "new_york-1"}] * 6)
        assert {status for status, _ in [*begun, *taken]} == {200}
        table = server.service.tables.open("new_york-1")
        assert [room.table for room in server.service._rooms.values() if room.table.name == table.name] == [table]


def test_a_full_disk_or_a_lost_folder_is_told_and_the_game_is_saved_later(server: Served, table: Table) -> None:
    with server.events(table.screens[0].key, skip=2) as sent:
        with full_disk(after=100):
            for _ in range(2):
                assert act(server, table, table.current)[0] == 200
            assert next(sent)["fault"].startswith("the game can't be saved:")
            status, answer = server.wish("new", {"variant": "new_york", "players": [None, None]})
            assert (status, answer["error"][:24]) == (409, "the game can't be saved:")
        assert actions_in(table.folder) == 0
        assert act(server, table, table.current)[0] == 200
        while next(sent)["fault"]:
            pass
    assert actions_in(table.folder) == 3
    assert sorted(path.name for path in server.service.tables.folder.iterdir()) == [table.name]
    # a file in the place of the folder stands in for one that may not be written
    moved = table.folder.rename(table.folder.with_name("moved"))
    table.folder.write_text("")
    assert act(server, table, table.current)[0] == 200
    assert table.fault.startswith("the game can't be saved")
    assert server.ask("GET", f"/{server.service.token}/games")[0] == 200
    table.folder.unlink()
    moved.rename(table.folder)
    assert act(server, table, table.current)[0] == 200
    assert (table.fault, actions_in(table.folder)) == ("", 5)
