"""Whole games in a real browser, by clicks and by keys alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from t2r_env import Replay
from tests.chromium import opened
from tests.pages.serving import Served, served

DECIDING = "#decision[aria-busy=false] #actions button, #look"
"""What is there when a person is to do something, or when the game is over."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server of games of a folder of its own."""
    with served(tmp_path / "games") as running:
        yield running


def is_over(page: Page) -> bool:
    """Whether the page says that the game has ended."""
    return page.get_by_text("Save the replay").is_visible()


def wait_until_asked(page: Page) -> None:
    """Wait for a decision of the person at this page, or for the end."""
    page.wait_for_function(
        "() => ready() && (!document.getElementById('cover').hidden || shown.decision && !shown.decision.isSent"
        " || shown.is_over)"
        .replace("ready()", "shown && !queue.length")
    )


def decide_by_clicks(page: Page) -> None:
    """Do by clicks what an agent would: in the picture where it is there, cards one by one, else by a button."""
    if page.locator("#cover").is_visible():
        page.locator("#look").click()
        page.wait_for_function("() => shown.kind === 'moment'")
        return
    number = page.evaluate("shown.number")
    page.locator("#hint").click()
    page.locator("button.hint").first.wait_for()
    in_picture = page.locator("#picture .hint")
    if in_picture.count():
        in_picture.first.locator("rect").first.click(force=True)
        if page.locator("#chosen").is_visible():
            page.locator("#chosen .main").click()
    elif page.locator("#cards").is_visible() and page.evaluate(WANTED_CARDS) is not None:
        for card in page.evaluate(WANTED_CARDS):
            page.locator(f"#cards [data-card={card}]").click()
        if page.evaluate("shown.number") == number and page.locator("#cards .main").count():
            page.locator("#cards .main").click()
    else:
        page.locator("button.hint").click()
    page.wait_for_function("(number) => shown.kind === 'cover' || shown.number > number", arg=number)


WANTED_CARDS = """() => {
    const hinted = document.querySelector("button.hint").dataset.action;
    const { cards } = shown.decision.actions.find(({ action }) => String(action) === hinted);
    return cards && Object.entries(cards).flatMap(([card, number]) => Array(number).fill(card));
}"""


def decide_by_keys(page: Page) -> None:
    """Do by keys alone what an agent would."""
    number = page.evaluate("shown.number")
    page.keyboard.press("h")
    page.locator("button.hint").first.wait_for()
    while not page.evaluate("document.activeElement.matches('button.hint')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("(number) => shown.number > number", arg=number)


def play(*pages: Page, limit: int = 2000) -> int:
    """Play by clicks to the end; return the number of decisions."""
    decisions = 0
    while not all(is_over(page) for page in pages):
        for page in pages:
            if page.evaluate("shown?.kind === 'cover' || Boolean(shown?.decision && !shown.decision.isSent)"):
                decide_by_clicks(page)
                decisions += 1
        assert decisions < limit
        pages[0].wait_for_timeout(5)
    return decisions


def check_saved(server: Served, name: str) -> Replay:
    """The replay of an ended game is in the folder."""
    replay = Replay.load(server.service.tables.folder / name / "replay.json")
    assert replay.final().terminated[0]
    return replay


def test_a_person_plays_the_usa_map_by_clicks_against_an_agent(server: Served, chromium: Browser) -> None:
    table = server.begin("usa", [None, "planner"], seed=11, tickets="classic")
    with opened(chromium, server.address(f"/table/{table.screens[0].key}/")) as page:
        page.select_option("#speed", "0")
        assert play(page) > 60
        assert re.search("The game is over", page.inner_text("#question"))
        with page.expect_download() as download:
            page.get_by_text("Save the replay").click()
        assert Replay.load(download.value.path()) == check_saved(server, table.name)
