"""The past in the browser: steps that are looked at again, games that are played on from them, and positions kept."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from t2r_agents.browser.messages import moment_message, past_message
from t2r_agents.browser.positions import Positions
from t2r_agents.browser.table import RefusedError, Table
from t2r_agents.browser.tables import Tables
from t2r_env import Games, Replay, configure
from t2r_env.agents import find_agent
from tests.helpers.example_map import write_example_map
from tests.pages.serving import Look, Served, after, first_legal, play

SIZE = (1120, 720)
TOO_EARLY = (409, {"error": "a game can be played on from its steps when it is over"})


@pytest.fixture
def ended(server: Served) -> Table:
    """A game that is over, of a person against an agent."""
    return server.begin("new_york", [None, "greedy"], until=lambda games: False)


def play_on(server: Served, table: Table, step: int, seat: int) -> Table:
    """The game that is played on from a step of another one, in a seat."""
    status, answer = server.send(table, "play_on", {"step": step, "seat": seat})
    assert status == 200
    following = server.service.tables.open_by_key(answer["path"].split("/")[2])
    assert following is not None
    return following


def check_refused(answered: tuple[int, Any], reason: str) -> None:
    status, answer = answered
    assert status == 409
    assert reason in answer["error"]


def test_a_step_of_the_past_is_what_the_seat_was_sent_then_without_a_decision(server: Served) -> None:
    table = server.begin("new_york", [None, "planner"], until=after(1))
    told = {}
    while len(table.steps[0]) < 12:
        step = len(table.steps[0]) - 1
        told[step] = moment_message(table, 0, step, SIZE, whole_log=False)  # the last of each step
        table.take(table.number, int(find_agent("planner").act(table.decision())[0]))
    for step, message in told.items():
        status, past = server.send(table, "past", {"step": step, "size": "1120x720"})
        assert (status, past["decision"], past["can_take_back"]) == (200, None, False)
        for key in ("view", "board", "headline", "log", "seat", "step", "number"):
            assert past[key] == message[key], key
    for wrong in (-1, 10_000, None, "3", True, 1.5):
        check_refused(server.send(table, "past", {"step": wrong}), "step must be a number from 0 to")
    assert server.send(table, "past", {"position": 3}) == TOO_EARLY
    for request, wish in (("play_on", {"step": 0, "seat": 0}), ("keep", {"step": 0, "name": "mine"})):
        assert server.send(table, request, wish) == TOO_EARLY  # a copy would show hidden cards at its end
    assert server.service.tables.positions.listed() == []


def test_the_past_of_a_shared_screen_is_of_the_seat_it_shows(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.begin("new_york", [None, None])
    (screen,) = table.screens
    assert server.send(table, "past", {"step": 0}) == (409, {"error": "this screen is handed over"})
    table.take_screen(screen, table.current)
    status, past = server.send(table, "past", {"step": 0})
    assert (status, past["seat"]) == (200, table.current)
    assert past["view"]["players"][1 - past["seat"]]["hand"].keys() <= {"unknown"}

    def hand_over(*arguments: Any, **keywords: Any) -> Any:
        screen.show(None)
        return moment_message(*arguments, **keywords)

    monkeypatch.setattr("t2r_agents.browser.messages.moment_message", hand_over)
    with pytest.raises(ValueError, match="the screen was handed over"):
        past_message(table, screen, {"step": 0})


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_that_is_over_is_played_on_from_a_step_in_any_seat(seat: int, server: Served, ended: Table) -> None:
    step = len(ended.steps[0]) // 2
    following = play_on(server, ended, step, seat)
    assert [player.agent for player in following.players] == (["greedy", None] if seat else [None, "greedy"])
    position = ended.steps[0][step].position
    before, now = Replay.of(ended.games), Replay.of(following.games)
    assert (now.start, now.actions) == (before.start, before.actions[:position])
    assert not following.can_take_back
    assert following.games.snapshot() == before.until(position).final().snapshot()
    server.service.tables.put_away(following)
    assert server.service.tables.open(following.name).number == position  # it was saved
    positions = [it.position for it in ended.steps[0]]
    for number in range(positions[-1] + 2):  # the first step that comes after so many actions
        wanted = next((rank for rank, it in enumerate(positions) if it >= number), len(positions) - 1)
        assert ended.rank_at(ended.screens[0], number) == wanted
    last = {"step": len(ended.steps[0]) - 1, "seat": 0}
    check_refused(server.send(ended, "play_on", last), "the game is over at this step")
    for value in (2, -1, None, "0"):
        refused = server.send(ended, "play_on", {"step": 3, "seat": value})
        check_refused(refused, "seat must be a number from 0 to 1")


def test_watchers_play_on_while_agents_still_play(server: Served) -> None:
    table = server.begin("new_york", ["planner", "greedy"], until=after(6))
    assert [player.agent for player in play_on(server, table, 4, 1).players] == ["planner", None]


def test_a_game_from_a_state_is_taken_up_and_taken_back_as_one_from_a_seed(server: Served) -> None:
    games, tables = Games("new_york", 2, autoreset=False, record=True, seed=3), server.service.tables
    games.set_state(games.get_state())
    table = tables.begin_from("new_york", Replay.of(games), [None, "planner"])
    table.act(table.screens[0], table.due, first_legal(table))
    first = table.games.states.copy()
    assert tables.put_away(table)
    again = tables.open(table.name)
    assert (again.games.states == first).all()
    assert again.can_take_back
    again.take_back(again.screens[0], again.due)
    assert again.number == 0


def test_positions_are_kept_listed_studied_and_deleted(server: Served, ended: Table) -> None:
    for name in ("", "   ", "x" * 81, "a\tb", 7):
        check_refused(server.send(ended, "keep", {"step": 8, "name": name}), "name")
    assert server.send(ended, "keep", {"step": 8, "name": "  a fork "}) == (200, {})
    positions = server.service.tables.positions
    (listed,) = positions.listed()
    assert listed == {"file": "new_york-1.json", "name": "a fork", "game": listed["game"], "players": 2}
    variant, position = positions.load("new_york-1.json")
    assert variant == "new_york"
    assert position.actions == Replay.of(ended.games).actions[: ended.steps[0][8].position]
    for file in ("nothing.json", "../seats.json", "", None, 3, ["new_york-1.json"]):
        for request in ("study", "forget"):
            check_refused(server.wish(request, {"file": file}), "there is no position")
    _, game = server.wish("study", {"file": "new_york-1.json"})
    studied = server.service.tables.open(game["name"])
    assert studied.current in studied.people
    assert studied.games.snapshot() == position.final().snapshot()
    (positions.folder / "bad.json").write_text('{"variant": "usa"}', encoding="utf-8")
    assert positions.listed() == [{"file": "bad.json"}, listed]
    with pytest.raises(ValueError, match="the position can't be taken up"):
        positions.load("bad.json")
    for file in ("bad.json", "new_york-1.json"):
        assert server.wish("forget", {"file": file})[0] == 200
    assert positions.files() == []


def test_positions_have_files_of_their_own_when_kept_at_once_and_after_one_is_deleted(tmp_path: Path) -> None:
    positions, replay = Positions(tmp_path), Replay(configure("new_york", 2), 0, ())
    names = [f"fork {number}" for number in range(16)]
    with ThreadPoolExecutor(len(names)) as pool:
        files = list(pool.map(lambda name: positions.keep(replay, name), names))
    assert len(set(files)) == len(names)
    assert sorted(it["name"] for it in positions.listed()) == sorted(names)
    positions.delete(files[0])  # pages may still list it: its file is not given to another
    assert positions.keep(replay, "another") not in files
    with pytest.raises(RefusedError, match="there is no position"):
        positions.delete(files[0])


def test_a_position_of_a_map_of_ones_own_is_listed_and_studied_where_its_folder_is_named(tmp_path: Path) -> None:
    folder = str(write_example_map(tmp_path / "lakes"))
    tables = Tables(tmp_path / "games", [folder])
    table = tables.begin(folder, configure(folder, 2), [None, "random"], seed=0)
    play(table)
    tables.keep_position(table, table.screens[0], {"step": 4, "name": "a fork"})
    (listed,) = tables.positions.listed()
    assert listed == {"file": "lakes-1.json", "name": "a fork", "game": "Lakes of the Alps", "players": 2}
    studied = tables.study(listed)
    assert (studied.variant, studied.number) == (folder, table.steps[0][4].position)
    with pytest.raises(RefusedError, match="the folder of its game 'lakes' was not given as --variant"):
        Tables(tmp_path / "games").study(listed)


def test_arrow_keys_and_lines_of_the_log_lead_through_the_past_and_back(server: Served, look: Look) -> None:
    table = server.begin("new_york", [None, "planner"], until=after(20, seat=0))
    page = look(server.page(table))
    page.wait_for_function("() => shown?.decision")
    question, log = page.locator("#question"), page.locator("#log li")
    asked, last, lines = question.inner_text(), page.evaluate("shown.step"), log.count()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(question).to_have_text(f"Step {last - 4} of {last}")
    expect(page.locator("#meanwhile")).to_have_text("The game waits for you.")
    assert page.locator("#hint").is_disabled()
    page.keyboard.press("ArrowRight")
    expect(question).to_have_text(f"Step {last - 3} of {last}")
    page.keyboard.press("Escape")
    expect(question).to_have_text(asked)
    assert log.count() == lines
    assert page.locator("#actions [data-action]").count() > 1
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(question).to_have_text(asked)
    line = page.locator("#log li", has_text="claim").first
    line.focus()
    page.keyboard.press("Enter")
    expect(question).to_have_text(f"Step {line.get_attribute('data-step')} of {last}")
    expect(page.locator("#log [aria-current]").first).to_be_visible()
    lit = page.locator("#board .lit").first.get_attribute("data-route")
    names = page.evaluate("(route) => route.split(' ').slice(0, 2).map(cityName)", lit)
    assert "–".join(names) in page.locator("#log [aria-current]").first.inner_text()
    told = question.inner_text()
    table.take(table.number, int(find_agent("planner").act(table.decision())[0]))
    page.wait_for_function("() => queue.length > 0")  # an agent's move waits
    assert question.inner_text() == told
    page.locator("#now").click()
    page.wait_for_function("() => !queue.length && !isPast()")


def test_a_game_that_is_over_is_played_on_and_kept_by_clicks(server: Served, ended: Table, look: Look) -> None:
    page = look(server.page(ended))
    page.wait_for_function("() => shown?.is_over")
    page.keyboard.press("Escape")  # the count
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => isPast() && wanted === shown.step")  # the last of them is on show
    page.locator("#position_name").fill("near the end")
    before = page.locator("#board svg").element_handle()
    page.set_viewport_size({"width": 1000, "height": 700})
    page.wait_for_function("(before) => !before.isConnected", arg=before)  # the map has another size
    page.get_by_role("button", name="Keep as a position").click()
    expect(page.locator("#notice")).to_contain_text("near the end is kept")
    page.get_by_role("button", name="as greedy").click()
    page.wait_for_function("() => typeof shown !== 'undefined' && shown?.seat === 1")
    page = look(server.lobby)
    expect(page.locator("#positions li")).to_contain_text("near the end")
    page.locator("#positions").get_by_role("button", name="Play on").click()
    page.wait_for_function("() => typeof shown !== 'undefined' && shown?.decision")
