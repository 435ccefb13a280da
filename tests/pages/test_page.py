"""What the page of a game shows and says: reasons, hints, moves one by one, roles and names, sizes, zoom, tickets."""

import itertools
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.chromium import opened
from tests.pages.serving import Served
from tests.pages.telling import FAILING
from tests.pages.test_playing import decide_by_clicks, middle, set_up, wait_until_asked


def opened_game(
    server: Served,
    chromium: Browser,
    players: Sequence[str | None],
    variant: str = "usa",
    width: int = 1280,
    *,
    height: int = 900,
    may_be_refused: bool = False,
) -> AbstractContextManager[Page]:
    """The page of a new game's first screen."""
    table = server.begin(variant, players, seed=3)
    address = server.address(f"/table/{table.screens[0].key}/")
    return opened(chromium, address, width, height, may_be_refused=may_be_refused)


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
        page.mouse.click(*middle(page, "portland salt_lake_city 0"))
        expect(page.locator("#notice")).to_have_text(re.compile(r"You lack the cards for it: .* \(C9\)\."))
        page.locator("[data-city=omaha] circle").click(force=True)
        expect(page.locator("#notice")).to_have_text("Nothing is built in cities: point at a route to claim it (C9).")
        assert page.evaluate("shown.number") == number


def test_what_cannot_be_taken_back_is_confirmed_however_it_is_chosen_unless_that_is_turned_off(
    server: Served, chromium: Browser
) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        number = page.evaluate("shown.number")
        route = page.locator("#board [data-route].can").first
        in_list = page.locator(f"#actions [data-action='{route.get_attribute('data-action')}']")
        name = in_list.get_attribute("data-text")
        for where, pressed, asked in (
            (route, "Enter", name),
            (in_list, "Enter", name),
            (page.locator("#decision"), "t", "Draw tickets"),
        ):
            where.press(pressed)
            expect(page.locator("#chosen strong")).to_have_text(f"{asked}?")
            page.keyboard.press("Escape")
            expect(page.locator("#chosen")).to_be_hidden()
            assert page.evaluate("shown.number") == number
        page.locator("#set").click()
        page.locator("#confirm").uncheck()
        page.keyboard.press("Escape")
        in_list.click()
        page.wait_for_function("number => shown.number > number", arg=number)


def test_eu6_a_city_on_the_map_builds_a_station_once_that_is_confirmed(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "europe") as page:
        keep_tickets(page)
        city = page.locator("[data-city=paris] circle")
        city.click(force=True)
        assert page.evaluate("shown.decision.phase") == "turn"
        page.get_by_role("button", name="Yes").click()
        page.wait_for_function("() => shown.decision?.phase === 'pay' || shown.view.players[0].stations === 2")
        if page.evaluate("shown.decision?.phase") == "pay":
            decide_by_clicks(page)
        wait_until_asked(page)
        expect(page.locator("#players [data-seat='0'] [data-key=stations]")).to_have_text("2")
        page.locator("[data-city=paris] circle").click(force=True)
        expect(page.locator("#notice")).to_have_text("You have a station there (EU6).")


def test_the_moves_of_agents_are_shown_one_by_one(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "planner", "planner", "planner", "planner"]) as page:
        page.locator("#set").click()
        page.select_option("#speed", "step")
        page.locator("#settled").click()
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
        set_up(page)
        wait_until_asked(page)
        assert page.evaluate("shown.decision !== null")


def test_tickets_are_chosen_together_and_lit_on_the_map(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        wait_until_asked(page)
        boxes = page.locator("#offer input")
        button = page.locator("#offer .main")
        offered = boxes.evaluate_all("them => them.map(it => it.dataset.ticket)")
        assert len(offered) > 2
        expect(button).to_be_disabled()
        page.locator("#offer li").nth(1).hover()
        cities = page.locator("#board [data-city].lit").evaluate_all("them => them.map(it => it.dataset.city)")
        assert set(cities) == set(page.evaluate("shown.view.tickets[1].cities"))
        assert page.locator("#board [data-route].lit").count() == page.evaluate("shown.view.tickets[1].routes.length")
        boxes.nth(0).check()
        boxes.nth(2).check()
        expect(button).to_have_text("Keep 2 tickets")
        button.click()
        page.wait_for_function("() => shown.decision?.phase === 'turn'")
        assert page.evaluate("shown.view.tickets.map(it => it.ticket)") == sorted([offered[0], offered[2]])


def test_cg7_a_set_is_played_by_choosing_its_cards(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "card_game") as page:
        keep_tickets(page)
        colour = page.evaluate("choices(shown).find(({ then }) => then?.set_cards === 2).action.plan.colour")
        card = page.locator(f"#hand button[data-card={colour}]")
        card.click()
        expect(page.locator("#cards .main")).to_be_disabled()
        card.click()
        page.locator("#cards .main").click()
        expect(page.locator("#log")).to_contain_text(re.compile(f"You play 2 {colour}"))


def test_the_map_is_made_larger_and_moved_by_wheel_drag_and_keys(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        whole = page.evaluate("scale()")
        box = page.locator("#picture").bounding_box()
        assert box
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.move(*middle)
        page.mouse.wheel(0, -500)
        page.wait_for_function("whole => scale() > 1.5 * whole", arg=whole)
        before = page.evaluate("map.x")
        number = page.evaluate("shown.number")
        page.mouse.down()
        page.mouse.move(middle[0] - 80, middle[1])
        page.mouse.up()
        assert page.evaluate("map.x") > before
        assert page.evaluate("[shown.number, selected]") == [number, None]
        page.locator("#picture").focus()
        page.keyboard.press("0")
        assert abs(page.evaluate("scale()") - whole) < 0.01
        page.keyboard.press("+")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("scale()") > whole
        assert page.evaluate("map.x") > 0.5


def test_watchers_pause_agents_and_look_through_the_eyes_of_a_seat(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, ["planner", "random"]) as page:
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Go on")).to_be_visible()
        page.wait_for_function("() => shown.opinion")
        expect(page.locator("#opinion")).to_contain_text("planner will")
        step = page.evaluate("shown.step")
        page.get_by_role("button", name="Step").click()
        page.wait_for_function("step => shown.step > step", arg=step)
        page.get_by_label("View").select_option("1")
        page.wait_for_function("() => shown.seat === 1")
        expect(page.locator("#hand .card").first).to_be_visible()


def test_a_hint_shows_how_the_agent_weighs_the_actions(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "new_york", may_be_refused=True) as page:
        keep_tickets(page)
        page.locator("#set").click()
        for agent, weighs in (("planner", False), ("ismcts:50", True), ("policy", True)):
            page.fill("#adviser", agent)
            page.locator("#settled").click()
            page.locator("#hint").click()
            expect(page.locator("#notice")).to_have_text(re.compile(f"{agent} would: .*"))
            assert bool(page.locator("#actions small").count()) == weighs
            page.locator("#set").click()
        page.fill("#adviser", "os:system")
        page.locator("#settled").click()
        page.locator("#hint").click()
        expect(page.locator("#notice")).to_have_text(re.compile("'os:system' is no agent here; allowed are"))


def test_parts_of_the_page_have_roles_and_names_for_screen_readers(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, None]) as page:
        dialog = page.get_by_role("dialog", name="Player 1 is to decide")
        expect(dialog.get_by_role("button", name="I am Player 1: show my cards")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name=re.compile("Choose tickets"))).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Keep .*"))).to_be_visible()
        assert page.get_by_role("checkbox").count() > 2
        expect(page.get_by_role("log")).to_be_visible()
        expect(page.get_by_role("region", name="The board").get_by_role("group").first).to_be_visible()
        for name in ("Hint (h)", "Keys (?)"):
            expect(page.get_by_role("button", name=name)).to_be_visible()
        page.get_by_role("button", name="Settings").click()
        for name in ("Moves of agents", "Ask for hints", "Sound"):
            expect(page.get_by_role("dialog", name="Settings").get_by_label(name)).to_be_visible()
        unnamed = page.locator("button:visible, input:visible, select:visible, #picture [role=button]").evaluate_all(
            "them => them.filter(it => !(it.ariaLabel || it.innerText || it.labels?.length)).length"
        )
        assert unnamed == 0


@pytest.mark.parametrize(
    ("variant", "width", "height"),
    [
        ("usa", 1280, 720),
        ("usa", 390, 844),
        ("card_game", 844, 390),
    ],
)
def test_map_hand_and_decision_are_in_sight_and_cover_nothing(
    server: Served, chromium: Browser, variant: str, width: int, height: int
) -> None:
    with opened_game(server, chromium, [None, "random", "random"], variant, width, height=height) as page:
        keep_tickets(page)
        boxes = [page.locator(it).bounding_box() for it in ("#picture", "#hand", "#market", "#decision", "#seats")]
        found = [box for box in boxes if box]
        assert len(found) == len(boxes)
        for one, other in itertools.combinations(found, 2):
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or above
        assert all(box["x"] + box["width"] <= width + 1 and box["y"] + box["height"] <= height + 1 for box in found)
        assert found[0]["width"] >= (0.7 if height > 500 else 0.55) * width
        assert found[0]["height"] >= 0.28 * height
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            height,
        ]
        if width > 900 and height > 600:
            assert page.locator("#log").is_visible()
            assert page.locator("#tickets").is_visible()


def test_an_agent_that_fails_is_told_without_what_it_has_raised(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, FAILING]) as page:
        wait_until_asked(page)
        while not page.evaluate("shown.fault"):
            if page.evaluate("Boolean(shown.decision)"):
                decide_by_clicks(page)
            page.wait_for_timeout(20)
        expect(page.locator("#notice")).to_have_text(
            re.compile(r".* failed: where the server was started, the error is shown")
        )


def test_a_route_is_meant_by_its_middle_however_many_lie_over_it(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"], "switzerland", 390, height=844) as page:
        keep_tickets(page)
        others = page.evaluate(
            """[...document.querySelectorAll("[data-route] > .halo")].filter((halo) => {
                const { x, y } = halo.getPointAtLength(halo.getTotalLength() / 2).matrixTransform(halo.getScreenCTM());
                const target = document.elementFromPoint(x, y);
                return aimed({ target, clientX: x, clientY: y, pointerType: "touch" }) !== halo.parentNode;
            }).length"""
        )
        assert others == 0


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (844, 390)])
def test_cards_of_hand_and_rack_do_not_lie_on_each_other(
    server: Served, chromium: Browser, width: int, height: int
) -> None:
    """With cards of all colours in both."""
    players = [None, "random", "random", "random"]
    with opened_game(server, chromium, players, "team_asia", width, height=height) as page:
        keep_tickets(page)
        page.evaluate(
            """() => {
                const all = Object.fromEntries(Object.keys(table.signs).map((card) => [card, 2]));
                shown.view.players[shown.seat].hand = shown.view.rack = all;
                showHand(shown);
            }"""
        )
        boxes = [it.bounding_box() for it in page.locator("#hand .card").all()]
        assert len(boxes) == 18
        for one, other in itertools.combinations([box for box in boxes if box], 2):
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            assert beside or one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1


def test_what_is_chosen_and_advised_stays_when_the_map_is_laid_out_for_another_size(
    server: Served, chromium: Browser
) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        page.locator("#hint").click()
        page.locator("#actions button.hint").wait_for(state="attached")
        number, laid_out = page.evaluate("[shown.number, map.size]")
        route = page.locator("#board [data-route].can").first.get_attribute("data-route")
        assert route
        page.mouse.click(*middle(page, route))
        for width, height in ((1440, 900), (1000, 700)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function("size => map.size !== size", arg=laid_out)
            laid_out = page.evaluate("map.size")
            expect(page.locator("#beside #chosen")).to_be_visible()
            assert page.locator("#board .selected").get_attribute("data-route") == route
            assert page.locator("#actions button.hint").count() == 1
        page.locator("#chosen .main").click()
        page.wait_for_function("number => shown.number > number && shown.decision", arg=number)
        assert (
            "claim" in page.evaluate("shown.log.map(({ text }) => text).join()")
            or page.evaluate("shown.decision.phase") == "pay"
        )


def test_a_route_that_was_pointed_at_still_has_its_words_at_the_next_decision(
    server: Served, chromium: Browser
) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        for dx in (0, 1):
            x, y = middle(page, "portland salt_lake_city 0")
            page.mouse.move(x + dx, y)
        expect(page.locator("#tip")).to_be_visible()
        number = page.evaluate("shown.number")
        page.keyboard.press("d")
        page.wait_for_function("number => shown.number > number", arg=number)
        wait_until_asked(page)
        label = page.locator("[data-route='portland salt_lake_city 0']").get_attribute("aria-label")
        assert label
        assert label.startswith("Portland to Salt Lake City, blue, length 6, ")


def test_ticks_on_offered_tickets_outlast_loading_the_page_again(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        wait_until_asked(page)
        page.locator("#offer input").nth(1).check()
        page.reload()
        wait_until_asked(page)
        assert page.locator("#offer input").evaluate_all("them => them.map(it => it.checked)")[:3] == [
            False,
            True,
            False,
        ]


def test_the_map_marks_what_helps_a_ticket_and_says_everything_once(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        assert page.evaluate("getComputedStyle(document.querySelector('#board .halo')).transitionDuration") == "0s"
        helps, can = page.evaluate(
            """() => {
                const marked = (kind) => [...document.querySelectorAll(`#board [data-route].${kind}`)];
                const names = (kind) => marked(kind).map((it) => it.dataset.route);
                return [names("helps"), names("can")];
            }"""
        )
        choices = page.evaluate("shown.view.tickets.flatMap((it) => it.choices.map((way) => way.join(' ')))")
        assert set(helps) == set(can) & set(choices)
        assert set(can) - set(helps)
        plain = page.locator("#board [data-route].can:not(.helps) > .halo").first
        assert plain.evaluate("it => getComputedStyle(it).stroke") == "none"
        labels = page.locator("#board [data-route]").evaluate_all("them => them.map((it) => it.ariaLabel)")
        assert all(re.fullmatch(r".+ to .+, \w+, length \d.*, free(; you can claim it)?", it) for it in labels)
        assert sum(it.endswith("you can claim it") for it in labels) == len(can)
        stops = page.locator("[data-action]").evaluate_all(
            "them => them.filter((it) => it.tabIndex >= 0).map((it) => it.dataset.action)"
        )
        assert not page.locator("#board [data-action]").evaluate_all("them => them.filter((it) => it.tabIndex >= 0)")
        assert {str(it) for it in page.evaluate("shown.decision.actions.map((it) => it.action)")} <= set(stops)
        page.locator("#decision").evaluate("it => { it.scrollTop = 500; }")
        number = page.evaluate("shown.number")
        page.evaluate("act(shown.decision.actions.find(({ name }) => name === 'claim'), true)")
        page.wait_for_function("number => shown.number > number && shown.decision", arg=number)
        assert page.evaluate("$('decision').scrollTop") == 0
        if page.evaluate("shown.decision.phase") == "pay":
            decide_by_clicks(page)
            wait_until_asked(page)
        page.locator("#log li[tabindex]", has_text="You claim").first.focus()
        assert page.locator("#board [data-route].lit").count() >= 1
