"""The lobby: what it tells of the games, their pictures, and the dialog that begins one."""

import itertools
import re
import threading
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from playwright.sync_api import expect

from t2r_agents.browser import server as server_module
from t2r_agents.browser.lobby import describe_game
from t2r_agents.browser.players import Wish
from t2r_agents.browser.table import Table
from t2r_env import VARIANTS, configure
from t2r_env.variants import load_variant
from tests.pages.serving import Look, Served, play


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_deck_and_switch_is_described_in_a_sentence(variant: str) -> None:
    game = describe_game(load_variant(variant))
    for described in (game, *game["decks"], *game["switches"]):
        assert re.fullmatch(r"[A-Z0-9].{20,200}\.", described["line"]), described
        assert "_" not in described["name"]
    assert not game["short"].startswith("Ticket to Ride")


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_a_picture_of_a_game_is_an_svg_that_runs_and_loads_nothing(server: Served, variant: str) -> None:
    status, content, headers = server.ask("GET", f"/{server.service.token}/pictures/{variant}.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert ET.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    assert (b"prefers-color-scheme" in content) == (variant != "card_game")
    assert b"script" not in content
    assert b"href" not in content
    assert server.ask("GET", f"/{server.service.token}/pictures/{variant}.svg")[1] == content
    for path in ("/x/pictures/usa.svg", *(f"/{server.service.token}/pictures/{it}.svg" for it in ("x", "..%2f"))):
        assert server.ask("GET", path)[0] == 404


@pytest.mark.release
def test_a_game_is_begun_with_names_colours_and_levels(server: Served, look: Look) -> None:
    page = look(server.lobby, may_be_refused=True)
    page.get_by_role("button", name="United Kingdom").click()
    page.get_by_role("radio", name="3").check()
    page.get_by_label("Advanced technologies").check()
    page.get_by_label("Name at seat 1").fill("Anna")
    expect(page.locator("small[data-level=medium]").first).to_have_text("long_routes")
    page.get_by_label("Seat 2", exact=True).select_option("A person")
    page.get_by_label("Name at seat 2").fill("Anna")
    page.get_by_label("Seat 3", exact=True).select_option("Other agent…")
    page.get_by_label("Agent at seat 3").fill("no_agent")
    page.get_by_label("Colour of seat 1: blue").click()
    page.get_by_label("red", exact=True).click()
    begin = page.get_by_role("button", name="Begin")
    begin.click()
    expect(page.get_by_role("status")).to_have_text(re.compile("Each player must have another name"))
    page.get_by_label("Name at seat 2").fill("Ben")
    begin.click()
    expect(page.get_by_role("status")).to_have_text(re.compile("'no_agent' is no agent here; allowed are"))
    page.get_by_label("Seat 3", exact=True).select_option("Strong")
    page.get_by_label("Each person has a window").check()
    begin.click()
    expect(page.get_by_role("dialog")).to_contain_text("Anna")
    expect(page.get_by_role("dialog").locator("li")).to_have_count(2)
    page.get_by_label("Close").and_(page.locator(":visible")).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#games li")).to_contain_text("United Kingdom Anna and Ben against Strong")
    for name in ("Anna", "Ben"):
        link = page.get_by_role("link", name=f"Go on as {name}")
        expect(link).to_have_attribute("href", re.compile("/table/[^/]{32}/"))
    (table,) = server.service.tables._open.values()
    assert table.configuration.options["advanced_technologies"]
    assert [(it.name, it.colour, it.agent, it.level) for it in table.players] == [
        ("Anna", 1, None, None),
        ("Ben", 0, None, None),
        ("Strong", 2, "planner", "strong"),
    ]


def test_kept_games_are_listed_in_words_and_agents_are_watched_with_keys_alone(server: Served, look: Look) -> None:
    ended = server.service.tables.begin(
        "new_york", configure("new_york", 2), [Wish(name="Anna"), Wish("greedy", "easy")], seed=1
    )
    play(ended)
    page = look(server.lobby, 390, 844)
    standing = ended.standing()
    winners = " and ".join(ended.players[seat].name for seat in standing["winners"])
    result = f"won by {winners} {' : '.join(map(str, standing['scores']))}"
    expect(page.locator("#games li")).to_contain_text(f"{result} · today at ")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".tile[data-variant=new_york]").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Seat 1", exact=True).focus()
    page.keyboard.type("Easy")
    expect(page.get_by_role("button", name="Watch")).to_be_visible()
    page.get_by_role("button", name="Watch").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/**")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_a_game_is_deleted_in_the_list_once_that_is_confirmed(server: Served, look: Look) -> None:
    for name in ("Anna", "Ben"):
        server.service.tables.begin("new_york", configure("new_york", 2), [Wish(name=name), "greedy"])
    page = look(server.lobby)
    games = page.locator("#games li")
    expect(games).to_have_count(2)
    page.get_by_label("Delete New York: Anna against greedy").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Delete New York: Anna against greedy")).to_be_focused()
    assert len(server.service.tables.names()) == 2
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Ben against greedy")
    assert server.service.tables.names() == ["new_york-2"]


def test_while_rules_are_compiled_the_page_says_so(server: Served, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a server with a filled cache nothing would be seen: the count of a cold one is put in its place."""
    begun, functions = threading.Event(), itertools.count(100, 20)
    begin = server.service.tables._begin

    def begin_slowly(*arguments: Any) -> Table:
        assert begun.wait(60)
        return begin(*arguments)

    monkeypatch.setattr(server.service.tables, "_begin", begin_slowly)
    monkeypatch.setattr(server_module, "functions_compiled", lambda: next(functions))
    page = look(server.lobby)
    page.get_by_role("button", name="New York").click()
    page.get_by_role("button", name="Begin").click()
    status = page.get_by_role("status")
    expect(status).to_have_text(re.compile(r"being compiled, the first time only: 20 functions, \d+ s"))
    expect(status).to_have_text(re.compile("40 functions"))
    expect(page.get_by_role("progressbar", name="Compiling the rules")).to_be_visible()
    begun.set()
    page.wait_for_url("**/table/**")
