"""Games in a real browser, by clicks and by keys alone, to their ends."""

import re

import pytest
from playwright.sync_api import Page

from t2r_agents.browser.table import Table
from t2r_env import Replay
from tests.pages.serving import Look, Served, after


def wait_until_asked(page: Page) -> None:
    """Wait for a decision of the person at this page, or for the end."""
    page.wait_for_function("() => shown && (shown.kind === 'cover' || shown.decision || shown.is_over)")


def decide_by_clicks(page: Page) -> None:
    """Do by clicks what an agent would: on the map where it is there, cards one by one, else by a button."""
    if page.locator("#cover").is_visible():
        page.locator("#look").click()
        page.wait_for_function("() => shown.kind === 'moment'")
        return
    number = page.evaluate("shown.number")
    page.locator("#hint").click()
    page.locator("#actions button.hint").first.wait_for(state="attached")
    wanted = page.locator("#actions button.hint").get_attribute("data-action")
    cards = page.evaluate(WANTED_CARDS, wanted)
    if page.locator("#board .hint").count():
        for part in page.locator("#board .hint .halo, #board .hint rect, #board .hint circle").all():
            part.click(force=True)  # a city may lie on it
            if page.evaluate("String(selected?.action)") == wanted:
                break
        else:
            raise AssertionError(f"no click on the map has chosen the action {wanted}")
    elif page.locator("#cards").is_visible() and cards:
        for card in cards:
            page.locator(f"#hand button[data-card={card}]").first.click()
        if not page.evaluate("n => shown.number !== n || !shown.decision || shown.decision.isSent", number):
            page.locator("#cards .main").click()
    elif page.locator("#market .hint").count():
        page.locator("#market .hint").click()
    else:
        page.locator("#actions button.hint").click()
    if page.locator("#chosen").is_visible():
        page.locator("#chosen .main").click()
    page.wait_for_function("(number) => shown.kind === 'cover' || shown.number > number", arg=number)


def middle(page: Page, route: str) -> tuple[float, float]:
    """The point of the page in the middle of a route."""
    x, y = page.locator(f"[data-route='{route}'] > .halo").evaluate(
        """(halo) => {
            const { x, y } = halo.getPointAtLength(halo.getTotalLength() / 2).matrixTransform(halo.getScreenCTM());
            return [x, y];
        }"""
    )
    return x, y


WANTED_CARDS = """(hinted) => {
    const wanted = choices(shown).find(({ action }) => String(action.action) === hinted);
    return wanted && Object.entries(wanted.cards).flatMap(([card, number]) => Array(number).fill(card));
}"""


def set_up(page: Page) -> None:
    """Let the moves of agents take no time, and the count of the end neither; wait for a decision or the end."""
    page.evaluate("() => { $('speed').value = '0'; $('moving').checked = false; hurry(); }")
    wait_until_asked(page)


def play(page: Page) -> None:
    """Play by clicks to the end."""
    decisions = 0
    while not page.get_by_text("Save the replay").is_visible():
        if page.evaluate("shown?.kind === 'cover' || Boolean(shown?.decision && !shown.decision.isSent)"):
            decide_by_clicks(page)
            decisions += 1
        assert decisions < 2000
        page.wait_for_timeout(5)
    assert decisions > 5


def opened_table(server: Served, table: Table, look: Look) -> Page:
    """The page of a game's first screen, which has been set up."""
    page = look(server.page(table))
    set_up(page)
    return page


def saved(table: Table) -> Replay:
    """The replay of an ended game in its folder."""
    replay = Replay.load(table.folder / "replay.json")
    assert replay.final().terminated[0]
    return replay


def test_a_person_plays_the_usa_map_by_clicks_against_an_agent(server: Served, look: Look) -> None:
    table = server.begin("usa", [None, "planner"], seed=11, tickets="classic", until=after(60, seat=0))
    page = opened_table(server, table, look)
    play(page)
    assert re.search("The game is over", page.inner_text("#question"))
    assert "In the hand:" in page.inner_text("#players")
    with page.expect_download() as download:
        page.get_by_text("Save the replay").click()
    assert Replay.load(download.value.path()) == saved(table)
    with page.expect_popup() as popup:
        page.get_by_text("Watch the replay").click()
    popup.value.locator("#picture svg").first.wait_for()


@pytest.mark.release
def test_two_people_play_team_asia_at_one_screen_which_hides_their_cards(server: Served, look: Look) -> None:
    table = server.begin("team_asia", [None, "planner", None, "planner"], seed=5, until=after(90, seat=0))
    page = opened_table(server, table, look)
    assert page.locator("#cover").is_visible()
    assert page.inner_text("#cover_title") == "Player 1 is to decide"
    assert not page.locator("#board *, #hand *, #tickets li, #players td").count()
    play(page)
    seat = page.evaluate("shown.seat")
    page.get_by_role("button", name=f"What Player {3 - seat} had").click()
    page.wait_for_function("seat => shown.seat === seat", arg=2 - seat)
    saved(table)


@pytest.mark.release
def test_a_game_that_the_lobby_leads_to_is_played_by_keys_alone(server: Served, look: Look) -> None:
    table = server.begin("new_york", [None, "planner"], seed=4)
    page = look(server.lobby)
    page.get_by_role("link", name="Go on").press("Enter")
    page.wait_for_url("**/table/*/")
    set_up(page)
    while not page.evaluate("shown.is_over"):
        number = page.evaluate("shown.number")
        page.keyboard.press("h")
        page.locator("#actions button.hint").first.wait_for()
        while not page.evaluate("document.activeElement.matches('#actions button.hint')"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        if page.locator("#chosen").is_visible():
            page.keyboard.press("Enter")
        page.wait_for_function("(number) => shown.number > number", arg=number)
        wait_until_asked(page)
    saved(table)
