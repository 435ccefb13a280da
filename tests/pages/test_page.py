"""What the page of a game shows and says: reasons, hints, moves one by one, roles and names, narrow windows."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager

from playwright.sync_api import Browser, Page, expect

from tests.chromium import opened
from tests.pages.serving import Served
from tests.pages.telling import FAILING
from tests.pages.test_playing import decide_by_clicks, wait_until_asked


def opened_game(
    server: Served,
    chromium: Browser,
    players: Sequence[str | None],
    variant: str = "usa",
    width: int = 1280,
    *,
    may_be_refused: bool = False,
) -> AbstractContextManager[Page]:
    """The page of a new game's first screen."""
    table = server.begin(variant, players, seed=3)
    address = server.address(f"/table/{table.screens[0].key}/")
    return opened(chromium, address, width, may_be_refused=may_be_refused)


def keep_tickets(page: Page) -> None:
    """Decide on the starting tickets."""
    wait_until_asked(page)
    while page.evaluate("shown.decision?.phase") == "keep_ticket":
        decide_by_clicks(page)
        wait_until_asked(page)


def test_the_page_says_why_something_cannot_be_done_and_changes_nothing(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        number = page.evaluate("shown.number")
        notice = page.get_by_role("status")
        page.locator("[data-route='los_angeles new_york 0'], [data-route='portland salt_lake_city 0']").first.locator(
            "rect"
        ).nth(3).click(force=True)
        expect(notice).to_have_text(re.compile(r"You lack the cards for it: .* \(C9\)\."))
        page.locator("[data-pile=discard]").click(force=True)
        expect(notice).to_have_text("Nobody takes cards from the discard (C2).")
        assert page.evaluate("shown.number") == number


def test_a_claim_in_the_picture_must_be_confirmed(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        number = page.evaluate("shown.number")
        route = page.locator("#picture [data-route].can").first
        name = route.get_attribute("aria-label")
        route.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#chosen strong")).to_have_text(f"{name}?")
        page.keyboard.press("Escape")
        expect(page.locator("#chosen")).to_be_hidden()
        assert page.evaluate("shown.number") == number
        route.focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Yes").click()
        page.wait_for_function("number => shown.number > number", arg=number)


def test_eu6_a_city_in_the_picture_builds_a_station_once_that_is_confirmed(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "europe") as page:
        keep_tickets(page)
        city = page.locator("[data-city=paris] circle")
        city.click(force=True)
        assert page.evaluate("shown.decision.phase") == "turn"
        city.click(force=True)
        page.wait_for_function(
            "() => shown.decision?.phase === 'pay' || document.querySelector('#picture').textContent"
            ".includes('station of player_0 in Paris')"
        )
        if page.evaluate("shown.decision?.phase") == "pay":
            decide_by_clicks(page)
        wait_until_asked(page)
        expect(page.locator("#picture")).to_contain_text("station of player_0 in Paris")
        page.locator("[data-city=paris] circle").click(force=True)
        expect(page.get_by_role("status")).to_have_text("player_0 has a station there (EU6).")


def test_the_moves_of_agents_are_shown_one_by_one(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "planner", "planner", "planner", "planner"]) as page:
        page.select_option("#speed", "step")
        wait_until_asked(page)
        while not page.locator("#next").is_visible():
            if page.evaluate("Boolean(shown.decision)"):
                decide_by_clicks(page)
            page.wait_for_timeout(20)
        step = page.evaluate("shown.step")
        page.wait_for_timeout(300)
        assert page.evaluate("shown.step") == step
        page.keyboard.press("n")
        page.wait_for_function("step => shown.step === step + 1", arg=step)
        page.select_option("#speed", "0")
        wait_until_asked(page)
        assert page.evaluate("shown.decision !== null")


def test_a_hint_shows_how_the_agent_weighs_the_actions(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "new_york", may_be_refused=True) as page:
        keep_tickets(page)
        for agent, weighs in (("planner", False), ("ismcts:50", True), ("policy", True)):
            page.fill("#adviser", agent)
            page.locator("#hint").click()
            expect(page.get_by_role("status")).to_have_text(re.compile(f"{agent} would: .*"))
            assert bool(page.locator("#actions small").count()) == weighs
        page.fill("#adviser", "os:system")
        page.locator("#hint").click()
        expect(page.get_by_role("status")).to_have_text(re.compile("'os:system' is no agent here; allowed are"))


def test_parts_of_the_page_have_roles_and_names_for_screen_readers(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, None]) as page:
        dialog = page.get_by_role("dialog", name="player_0 is to decide")
        expect(dialog.get_by_role("button", name="I am player_0: show my cards")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="player_0: Do you keep this ticket?")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Keep .*-.*"))).to_be_visible()
        expect(page.get_by_role("log")).to_be_visible()
        expect(page.get_by_role("region", name="The game").get_by_role("group").first).to_be_visible()
        for name in ("Hint (h)", "Keys (?)"):
            expect(page.get_by_role("button", name=name)).to_be_visible()
        for name in ("Moves of agents", "Ask"):
            expect(page.get_by_label(name)).to_be_visible()
        unnamed = page.locator("button:visible, input:visible, select:visible, #picture [role=button]").evaluate_all(
            "them => them.filter(it => !(it.ariaLabel || it.innerText || it.labels?.length)).length"
        )
        assert unnamed == 0


def test_in_a_narrow_window_the_decision_stays_in_sight(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], width=600) as page:
        keep_tickets(page)
        expect(page.locator("#picture svg")).to_have_attribute("viewBox", re.compile("^0 0 600 "))
        expect(page.locator("#question")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= 600


def test_an_agent_that_fails_is_told_without_what_it_has_raised(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, FAILING]) as page:
        wait_until_asked(page)
        while not page.evaluate("shown.fault"):
            if page.evaluate("Boolean(shown.decision)"):
                decide_by_clicks(page)
            page.wait_for_timeout(20)
        expect(page.get_by_role("status")).to_have_text(
            re.compile(r"player_1 .* failed: where the server was started, the error is shown")
        )
