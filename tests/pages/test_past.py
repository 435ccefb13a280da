"""The past in the browser: steps that are looked at again, games that are played on from them, and positions kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from t2r_agents.browser.messages import moment_message, past_message
from t2r_agents.browser.table import Table
from t2r_env import Games, Replay
from t2r_env.agents import find_agent
from tests.helpers.chromium import opened
from tests.pages.serving import Served, served

SIZE = (1120, 720)


def after(turn: int, seat: int | None = None) -> Callable[[Games], bool]:
    """Whether a game has come to a turn, of a seat if one is named."""
    return lambda games: (
        games.states["turn"][0] >= turn and games.states["phase"][0] == 0 and seat in (None, games.current[0])
    )


def play_out(table: Table) -> None:
    """Let the planner play all seats to the end."""
    planner = find_agent("planner", table.configuration)
    while not table.is_over:
        table.take(table.number, int(planner.act(table.decision())[0]))


def ask(server: Served, table: Table, request: str, content: Any, screen: int = 0) -> tuple[int, Any]:
    status, answer, _ = server.ask("POST", f"/table/{table.screens[screen].key}/{request}", content)
    return status, answer


# What is sent


def test_a_step_of_the_past_is_what_the_seat_was_sent_then_without_a_decision(server: Served) -> None:
    table = server.begin("new_york", [None, "planner"], until=after(1))
    planner = find_agent("planner", table.configuration)
    sent = []
    while len(table.steps[0]) < 12:
        sent.append(moment_message(table, 0, len(table.steps[0]) - 1, SIZE, whole_log=False))
        table.take(table.number, int(planner.act(table.decision())[0]))
    told = {message["step"]: message for message in sent}  # the last of each step
    for step, message in told.items():
        status, past = ask(server, table, "past", {"step": step, "size": "1120x720"})
        assert status == 200
        for key in ("view", "board", "headline", "log", "seat", "step", "number"):
            assert past[key] == message[key], key
        assert past["decision"] is None
        assert not past["can_take_back"]


@pytest.mark.parametrize("step", [-1, 10_000, None, "3", True, 1.5])
def test_a_step_that_there_is_not_is_refused(step: Any, server: Served) -> None:
    table = server.begin("new_york", [None, "planner"])
    status, answer = ask(server, table, "past", {"step": step})
    assert (status, "step must be a number from 0 to" in answer["error"]) == (409, True)


def test_the_past_of_a_shared_screen_is_that_of_the_seat_that_it_shows_and_none_while_it_is_handed_over(
    server: Served,
) -> None:
    table = server.begin("new_york", [None, None])
    assert ask(server, table, "past", {"step": 0}) == (409, {"error": "this screen is handed over"})
    table.take_screen(table.screens[0], table.current)
    status, past = ask(server, table, "past", {"step": 0})
    assert (status, past["seat"]) == (200, table.current)
    assert past["view"]["players"][1 - past["seat"]]["hand"].keys() <= {"unknown"}


def test_a_screen_that_is_handed_over_while_the_past_is_made_is_told_nothing(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = server.begin("new_york", [None, None])
    screen = table.screens[0]
    table.take_screen(screen, table.current)

    def hand_over(*arguments: Any, **keywords: Any) -> Any:
        screen.show(None)
        return moment_message(*arguments, **keywords)

    monkeypatch.setattr("t2r_agents.browser.messages.moment_message", hand_over)
    with pytest.raises(ValueError, match="the screen was handed over"):
        past_message(table, screen, {"step": 0})


def test_a_number_of_actions_leads_to_the_first_step_that_comes_after_them(server: Served) -> None:
    table = server.begin("new_york", [None, "planner"], until=after(2))
    play_out(table)
    positions = [step.position for step in table.steps[0]]
    for position in range(positions[-1] + 2):
        wanted = next((rank for rank, it in enumerate(positions) if it >= position), len(positions) - 1)
        assert table.rank_at(table.screens[0], position) == wanted


# Playing on


def test_a_game_that_is_played_is_not_played_on_nor_kept_before_its_end(server: Served) -> None:
    """A copy would show hidden cards at its end."""
    table = server.begin("new_york", [None, "planner"], until=after(3))
    for request, content in (("play_on", {"step": 0, "seat": 0}), ("keep", {"step": 0, "name": "mine"})):
        status, answer = ask(server, table, request, content)
        assert (status, answer["error"]) == (409, "a game can be played on from its steps when it is over")
    assert server.service.tables.positions.listed() == []


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_that_is_over_is_played_on_from_a_step_in_any_seat(seat: int, server: Served) -> None:
    table = server.begin("new_york", [None, "greedy"], until=after(6))
    play_out(table)
    step = len(table.steps[0]) // 2
    status, answer = ask(server, table, "play_on", {"step": step, "seat": seat})
    assert status == 200
    following = server.service.tables.open_by_key(answer["path"].split("/")[2])
    assert following is not None
    assert [player.agent for player in following.players] == (["greedy", None] if seat else [None, "greedy"])
    position = table.steps[0][step].position
    before, now = Replay.of(table.games), Replay.of(following.games)
    assert (now.start, now.actions) == (before.start, before.actions[:position])
    assert not following.can_take_back
    assert following.games.snapshot() == before.until(position).final().snapshot()
    server.service.tables.put_away(following)
    assert server.service.tables.open(following.name).number == position  # it was saved


def test_the_end_of_a_game_is_not_played_on_and_seats_must_be_there(server: Served) -> None:
    table = server.begin("new_york", [None, "greedy"], until=after(6))
    play_out(table)
    last = len(table.steps[0]) - 1
    assert "the game is over at this step" in ask(server, table, "play_on", {"step": last, "seat": 0})[1]["error"]
    for seat in (2, -1, None, "0"):
        assert (
            "seat must be a number from 0 to 1" in ask(server, table, "play_on", {"step": 3, "seat": seat})[1]["error"]
        )


def test_watchers_play_on_while_agents_still_play(server: Served) -> None:
    table = server.begin("new_york", ["planner", "greedy"], until=after(6))
    status, answer = ask(server, table, "play_on", {"step": 4, "seat": 1})
    assert status == 200
    following = server.service.tables.open_by_key(answer["path"].split("/")[2])
    assert following is not None
    assert [player.agent for player in following.players] == ["planner", None]


def test_a_game_from_a_state_is_taken_up_and_taken_back_as_one_from_a_seed(server: Served) -> None:
    games = Games("new_york", 2, autoreset=False, record=True, seed=3)
    games.set_state(games.get_state())
    tables = server.service.tables
    table = tables.begin_from("new_york", Replay.of(games), [None, "planner"])
    table.act(table.screens[0], table.due, int(games.masks[0].nonzero()[0][0]))
    first = table.games.states.copy()
    assert tables.put_away(table)
    again = tables.open(table.name)
    assert (again.games.states == first).all()
    assert again.can_take_back
    again.take_back(again.screens[0], again.due)
    assert again.number == 0


# Positions


def test_positions_are_kept_listed_studied_and_deleted(server: Served) -> None:
    table = server.begin("new_york", [None, "greedy"], until=after(6))
    play_out(table)
    assert ask(server, table, "keep", {"step": 8, "name": "  a fork "}) == (200, {})
    positions = server.service.tables.positions
    (listed,) = positions.listed()
    assert listed == {"file": "new_york-1.json", "name": "a fork", "game": listed["game"], "players": 2}
    position = positions.load("new_york-1.json")
    assert position.actions == Replay.of(table.games).actions[: table.steps[0][8].position]
    token = server.service.token
    status, game, _ = server.ask("POST", f"/{token}/study", {"file": "new_york-1.json"})
    assert status == 200
    studied = server.service.tables.open(game["name"])
    assert studied.current in studied.people
    assert studied.games.snapshot() == position.final().snapshot()
    assert server.ask("POST", f"/{token}/forget", {"file": "new_york-1.json"})[0] == 200
    assert positions.listed() == []


@pytest.mark.parametrize("file", ["nothing.json", "../seats.json", "", None, 3, ["new_york-1.json"]])
def test_positions_that_there_are_not_are_refused(file: Any, server: Served) -> None:
    for request in ("study", "forget"):
        status, answer, _ = server.ask("POST", f"/{server.service.token}/{request}", {"file": file})
        assert (status, "there is no position" in answer["error"]) == (409, True)


def test_a_damaged_position_is_listed_by_its_file_and_can_be_deleted(server: Served) -> None:
    positions = server.service.tables.positions
    positions.folder.mkdir(parents=True)
    (positions.folder / "bad.json").write_text('{"variant": "usa"}', encoding="utf-8")
    assert positions.listed() == [{"file": "bad.json"}]
    with pytest.raises(ValueError, match="the position can't be taken up"):
        positions.load("bad.json")
    for name in ("", "   ", "x" * 81, "a\tb", 7):
        with pytest.raises(ValueError, match="name"):
            positions.keep(Replay.of(Games("new_york", 2, record=True, seed=0)), name)
    positions.delete("bad.json")
    assert positions.files() == []


# In a browser


def question(page: Page) -> str:
    return page.locator("#question").inner_text()


def test_arrow_keys_step_through_the_past_during_a_game_and_escape_leads_back(
    tmp_path: Path, chromium: Browser
) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "planner"], until=after(16, seat=0))
        with opened(chromium, server.address(f"/table/{table.screens[0].key}/")) as page:
            page.wait_for_function("() => shown?.decision")
            asked, last, lines = question(page), page.evaluate("shown.step"), page.locator("#log li").count()
            for _ in range(4):
                page.keyboard.press("ArrowLeft")
            expect(page.locator("#question")).to_have_text(f"Step {last - 4} of {last}")
            expect(page.locator("#meanwhile")).to_have_text("The game waits for you.")
            assert page.locator("#hint").is_disabled()
            page.keyboard.press("ArrowRight")
            expect(page.locator("#question")).to_have_text(f"Step {last - 3} of {last}")
            page.keyboard.press("Escape")
            expect(page.locator("#question")).to_have_text(asked)
            assert page.locator("#log li").count() == lines
            assert page.locator("#actions [data-action]").count() > 1
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            expect(page.locator("#question")).to_have_text(asked)


def test_a_line_of_the_log_goes_to_its_moment_and_lights_its_route(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "planner"], until=after(20, seat=0))
        with opened(chromium, server.address(f"/table/{table.screens[0].key}/")) as page:
            page.wait_for_function("() => shown?.decision")
            line = page.locator("#log li", has_text="claim").first
            step = line.get_attribute("data-step")
            line.focus()
            page.keyboard.press("Enter")
            page.wait_for_function("() => isPast()")
            expect(page.locator("#question")).to_have_text(f"Step {step} of {page.evaluate('present.step')}")
            assert page.locator("#board .lit").count() > 0
            expect(page.locator("#log [aria-current]").first).to_be_visible()
            lit = page.locator("#board .lit").first.get_attribute("data-route")
            told = page.locator("#log [aria-current]").first.inner_text()
            names = page.evaluate("(route) => route.split(' ').slice(0, 2).map(cityName)", lit)
            assert "–".join(names) in told


def test_an_agents_move_waits_while_the_past_is_on_show(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "planner"], until=after(8, seat=0))
        with opened(chromium, server.address(f"/table/{table.screens[0].key}/")) as page:
            page.wait_for_function("() => shown?.decision")
            page.keyboard.press("ArrowLeft")
            expect(page.locator("#question")).to_contain_text("Step")
            told = question(page)
            table.take(table.number, int(find_agent("planner").act(table.decision())[0]))
            page.wait_for_function("() => queue.length > 0")
            assert question(page) == told
            page.locator("#now").click()
            page.wait_for_function("() => !queue.length && !isPast()")


def test_a_game_that_is_over_is_played_on_and_a_position_kept_by_clicks(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "planner"], until=after(6))
        play_out(table)
        with opened(chromium, server.address(f"/table/{table.screens[0].key}/")) as page:
            page.wait_for_function("() => shown?.is_over")
            page.keyboard.press("Escape")  # the count
            for _ in range(5):
                page.keyboard.press("ArrowLeft")
            page.wait_for_function("() => isPast() && wanted === shown.step")  # the last of them is on show
            page.locator("#position_name").fill("near the end")
            page.get_by_role("button", name="Keep as a position").click()
            expect(page.locator("#notice")).to_contain_text("near the end is kept")
            page.get_by_role("button", name="as planner").click()
            page.wait_for_function("() => typeof shown !== 'undefined' && shown?.seat === 1")
        with opened(chromium, server.address(f"/{server.service.token}/")) as page:
            expect(page.locator("#positions li")).to_contain_text("near the end")
            page.locator("#positions").get_by_role("button", name="Play on").click()
            page.wait_for_function("() => typeof shown !== 'undefined' && shown?.decision")
