"""What the page of a game shows, says and asks: on the map, beside it, in a first game, at the end; whole games."""

import itertools
import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from t2r_agents.browser.table import Pace, Table
from t2r_env import Replay
from tests.pages.serving import FAILING, Look, Served, after

ASKED = "shown && (shown.kind === 'cover' || (shown.decision && !shown.decision.isSent))"


def wait_until_asked(page: Page) -> None:
    """Wait for a decision of the person at this page, or for the end."""
    page.wait_for_function(f"() => {ASKED} || shown?.is_over")


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


def opened_table(server: Served, table: Table, look: Look) -> Page:
    """The page of a game's first screen, which has been set up."""
    page = look(server.page(table))
    set_up(page)
    return page


def opened_game(
    server: Served, look: Look, players: Sequence[str | None] = (None, "random"), variant: str = "usa", **size: int
) -> Page:
    """The page of a new game's first screen, whose person has decided on the starting tickets."""
    page = look(server.page(server.begin(variant, players, seed=3)), **size)
    decide_until(page, "shown.decision && shown.decision.phase !== 'keep_ticket'")
    return page


def decide_until(page: Page, condition: str) -> int:
    """Decide by clicks until this holds; the number of decisions."""
    wait_until_asked(page)
    for decisions in range(2000):
        page.wait_for_function(f"() => {condition} || {ASKED}")
        if page.evaluate(condition):
            return decisions
        decide_by_clicks(page)
    pytest.fail("2000 decisions do not lead there")


def told_of(page: Page, selector: str, what: str) -> list[Any]:
    """What a script knows of each of these elements."""
    told: list[Any] = page.locator(selector).evaluate_all(f"them => them.map((it) => it.{what})")
    return told


def point_at(page: Page, route: str) -> None:
    x, y = middle(page, route)
    page.mouse.move(x, y)
    page.mouse.move(x + 1, y)


def boxes_apart(page: Page, selector: str) -> list[Any]:
    """The boxes of these elements, of which none lies on another one."""
    boxes = told_of(page, selector, "getBoundingClientRect().toJSON()")
    assert all(box["width"] and box["height"] for box in boxes)
    for one, other in itertools.permutations(boxes, 2):
        is_beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
        assert is_beside or one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
    return boxes


def test_the_page_says_why_not_and_its_numbers_lead_to_the_rules(server: Served, look: Look) -> None:
    page = opened_game(server, look)
    number, notice = page.evaluate("shown.number"), page.locator("#notice")
    page.mouse.click(*middle(page, "portland salt_lake_city 0"))
    expect(notice).to_have_text(re.compile(r"You lack the cards for it: .* \(C9\)\."))
    page.get_by_role("button", name="Rules").click()
    rules = page.get_by_role("dialog", name="How to play Ticket to Ride, 2 players")
    expect(rules.locator("#aim")).to_contain_text("Collect cards")
    assert rules.locator("#sentences li").count() > 10
    expect(rules.locator("#points tr", has_text="a route of 6")).to_contain_text("15")
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    page.locator("[data-city=omaha] circle").click(force=True)
    expect(notice).to_have_text("Nothing is built in cities: point at a route to claim it (C9).")
    notice.locator("a").click()
    expect(rules.locator("#rule-C9")).to_be_focused()
    expect(rules.locator("#rule-C9")).to_contain_text("Claim a route.")
    assert page.evaluate("shown.number") == number
    plain = page.evaluate("['Montréal–New York', 'Tromsø', 'Århus', 'Göteborg', '−15'].map(plain)")
    assert plain == ["montreal-new york", "tromso", "arhus", "goteborg", "-15"]


def test_what_cannot_be_taken_back_is_confirmed_unless_that_is_turned_off(server: Served, look: Look) -> None:
    page = opened_game(server, look)
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


def test_eu6_a_city_on_the_map_builds_a_station_once_that_is_confirmed(server: Served, look: Look) -> None:
    page = opened_game(server, look, variant="europe")
    city = page.locator("[data-city=paris] circle")
    city.click(force=True)
    assert page.evaluate("shown.decision.phase") == "turn"
    page.get_by_role("button", name="Yes").click()
    page.wait_for_function("() => shown.decision?.phase === 'pay' || shown.view.players[0].stations === 2")
    if page.evaluate("shown.decision?.phase") == "pay":
        decide_by_clicks(page)
    wait_until_asked(page)
    expect(page.locator("#players [data-seat='0'] [data-key=stations]")).to_have_text("2")
    city.click(force=True)
    expect(page.locator("#notice")).to_have_text("You have a station there (EU6).")


def test_the_moves_of_agents_are_shown_one_by_one(server: Served, look: Look) -> None:
    page = look(server.page(server.begin("usa", [None, *["planner"] * 4], seed=3)))
    page.locator("#set").click()
    page.select_option("#speed", "step")
    page.locator("#settled").click()
    decide_until(page, "$('next').checkVisibility()")
    step = page.evaluate("shown.step")
    page.wait_for_timeout(300)
    assert page.evaluate("shown.step") == step
    page.keyboard.press("n")
    page.wait_for_function("step => shown.step === step + 1", arg=step)
    set_up(page)
    assert page.evaluate("shown.decision !== null")


def test_tickets_also_equal_ones_are_chosen_together_and_ticks_outlast_loading(server: Served, look: Look) -> None:
    page = look(server.page(server.begin("switzerland", [None, "random"], seed=18)))
    wait_until_asked(page)
    boxes, button = page.locator("#offer input"), page.locator("#offer .main")
    offered = told_of(page, "#offer input", "dataset.ticket")
    assert offered[0] == offered[1] != offered[2]
    expect(button).to_be_disabled()
    page.locator("#offer li").nth(1).hover()
    assert {*told_of(page, "#board [data-city].lit", "dataset.city")} == {
        *page.evaluate("shown.view.tickets[1].cities")
    }
    assert page.locator("#board [data-route].lit").count() == page.evaluate("shown.view.tickets[1].routes.length")
    boxes.nth(2).check()
    page.reload()
    wait_until_asked(page)
    assert told_of(page, "#offer input", "checked")[:3] == [False, False, True]
    boxes.nth(0).check()
    expect(button).to_have_text("Keep 2 tickets")
    button.click()
    page.wait_for_function("() => shown.decision?.phase === 'turn'")
    assert page.evaluate("shown.view.tickets.map(it => it.ticket)") == sorted([offered[0], offered[2]])


def test_cg7_a_set_is_played_by_choosing_its_cards(server: Served, look: Look) -> None:
    page = opened_game(server, look, variant="card_game")
    colour = page.evaluate("choices(shown).find(({ then }) => then?.set_cards === 2).action.plan.colour")
    card = page.locator(f"#hand button[data-card={colour}]")
    card.click()
    expect(page.locator("#cards .main")).to_be_disabled()
    card.click()
    page.locator("#cards .main").click()
    expect(page.locator("#log")).to_contain_text(re.compile(f"You play 2 {colour}"))


def test_watchers_read_which_agents_play_pause_them_and_look_through_a_seat(server: Served, look: Look) -> None:
    players = [{"level": "strong"}, {"agent": "random"}]
    _, game = server.wish("new", {"variant": "new_york", "players": players})
    server.service.tables.open(game["name"]).pace = Pace(milliseconds=60_000)
    page = look(server.address(game["screens"][0]["path"]))
    expect(page.locator("#players [data-seat='0']")).to_contain_text("Strong planner")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.wait_for_function("() => shown.opinion")
    expect(page.locator("#opinion")).to_contain_text(re.compile(r"(Strong \(planner\)|random) will"))
    step = page.evaluate("shown.step")
    page.get_by_role("button", name="Step").click()
    page.wait_for_function("step => shown.step > step", arg=step)
    page.get_by_label("View").select_option("1")
    page.wait_for_function("() => shown.seat === 1")
    expect(page.locator("#hand .card").first).to_be_visible()


def test_parts_of_the_page_have_roles_and_names_for_screen_readers(server: Served, look: Look) -> None:
    page = look(server.page(server.begin("usa", [None, None])))
    dialog = page.get_by_role("dialog", name="Player 1 is to decide")
    expect(dialog.get_by_role("button", name="I am Player 1: show my cards")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=re.compile("Choose tickets"))).to_be_visible()
    assert page.get_by_role("checkbox").count() > 2
    expect(page.get_by_role("log")).to_be_visible()
    expect(page.get_by_role("region", name="The board").get_by_role("group").first).to_be_visible()
    for button in (re.compile("Keep .*"), "Hint (h)", "Keys (?)"):
        expect(page.get_by_role("button", name=button)).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    for name in ("Moves of agents", "Ask for hints", "Sound"):
        expect(page.get_by_role("dialog", name="Settings").get_by_label(name)).to_be_visible()
    shown = "button:visible, input:visible, select:visible, #picture [role=button]"
    assert all(told_of(page, shown, "ariaLabel || it.innerText || it.labels?.length"))


@pytest.mark.parametrize(
    ("variant", "width", "height"),
    [("usa", 1280, 720), ("usa", 390, 844), ("card_game", 844, 390), ("team_asia", 844, 390), ("team_asia", 1024, 768)],
)
def test_parts_of_the_page_are_seen_apart(server: Served, look: Look, variant: str, width: int, height: int) -> None:
    players = [None, *["random"] * (3 if variant == "team_asia" else 2)]
    page = opened_game(server, look, players, variant, width=width, height=height)
    found = boxes_apart(page, "#picture, #hand, #market, #decision, #seats")
    assert all(box["x"] + box["width"] <= width + 1 and box["y"] + box["height"] <= height + 1 for box in found)
    if variant != "team_asia":
        (picture,) = boxes_apart(page, "#picture")
        assert picture["width"] >= (0.7 if height > 500 else 0.55) * width
        assert picture["height"] >= 0.28 * height
    scrolled = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert scrolled == [width, height]
    assert width < 1280 or (page.locator("#log").is_visible() and page.locator("#tickets").is_visible())
    page.evaluate(
        """() => {
            const all = Object.fromEntries(Object.keys(table.signs).map((card) => [card, 2]));
            shown.view.players[shown.seat].hand = all;
            if (table.players.length === 4) shown.view.rack = all;
            showHand(shown);
        }"""
    )
    assert len(boxes_apart(page, "#hand .card")) == (18 if variant == "team_asia" else 9)


def test_an_agent_that_fails_is_told_without_what_it_has_raised(server: Served, look: Look) -> None:
    page = look(server.page(server.begin("usa", [None, FAILING])))
    decide_until(page, "shown.fault")
    told = re.compile(r".* failed: where the server was started, the error is shown")
    expect(page.locator("#notice")).to_have_text(told)


def test_a_route_is_meant_by_its_middle_however_many_lie_over_it(server: Served, look: Look) -> None:
    page = opened_game(server, look, variant="switzerland", width=390, height=844)
    others = page.evaluate(
        """[...document.querySelectorAll("[data-route] > .halo")].filter((halo) => {
            const { x, y } = halo.getPointAtLength(halo.getTotalLength() / 2).matrixTransform(halo.getScreenCTM());
            const target = document.elementFromPoint(x, y);
            return aimed({ target, clientX: x, clientY: y, pointerType: "touch" }) !== halo.parentNode;
        }).length"""
    )
    assert others == 0


def test_the_map_is_made_larger_and_moved_and_what_is_chosen_stays_in_another_size(server: Served, look: Look) -> None:
    page = opened_game(server, look)
    whole, number = page.evaluate("[scale(), shown.number]")
    (box,) = boxes_apart(page, "#picture")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -500)
    page.wait_for_function("whole => scale() > 1.5 * whole", arg=whole)
    before = page.evaluate("map.x")
    page.mouse.down()
    page.mouse.move(x - 80, y)
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
    page.keyboard.press("0")
    page.locator("#hint").click()
    page.locator("#actions button.hint").wait_for(state="attached")
    laid_out = page.evaluate("map.size")
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
    assert page.evaluate("shown.decision.phase === 'pay' || shown.log.some(({ text }) => text.includes('claim'))")


def test_the_map_marks_what_helps_a_ticket_and_says_everything_once(server: Served, look: Look) -> None:
    page = opened_game(server, look)
    assert page.evaluate("getComputedStyle(document.querySelector('#board .halo')).transitionDuration") == "0s"
    helps, can = (told_of(page, f"#board [data-route].{kind}", "dataset.route") for kind in ("helps", "can"))
    choices = page.evaluate("shown.view.tickets.flatMap((it) => it.choices.map((way) => way.join(' ')))")
    assert set(helps) == set(can) & set(choices)
    assert set(can) - set(helps)
    plain = page.locator("#board [data-route].can:not(.helps) > .halo").first
    assert plain.evaluate("it => getComputedStyle(it).stroke") == "none"
    labels = told_of(page, "#board [data-route]", "ariaLabel")
    assert all(re.fullmatch(r".+ to .+, \w+, length \d.*, free(; you can claim it)?", it) for it in labels)
    assert sum(it.endswith("you can claim it") for it in labels) == len(can)
    stops = told_of(page, "[data-action]", "tabIndex >= 0 && it.dataset.action")
    assert not any(told_of(page, "#board [data-action]", "tabIndex >= 0"))
    assert {str(it) for it in page.evaluate("shown.decision.actions.map((it) => it.action)")} <= set(stops)
    point_at(page, "portland salt_lake_city 0")
    expect(page.locator("#tip")).to_be_visible()
    page.locator("#decision").evaluate("it => { it.scrollTop = 500; }")
    number = page.evaluate("shown.number")
    page.evaluate("act(shown.decision.actions.find(({ name }) => name === 'claim'), true)")
    page.wait_for_function("number => shown.number > number && shown.decision", arg=number)
    assert page.evaluate("$('decision').scrollTop") == 0
    if page.evaluate("shown.decision.phase") == "pay":
        decide_by_clicks(page)
    wait_until_asked(page)
    claims = page.evaluate("shown.decision.actions.filter(({ name }) => name === 'claim').map((it) => it.target.route)")
    can = told_of(page, "#board [data-route].can", "dataset.route")
    assert sorted(can) == sorted(" ".join(map(str, it)) for it in claims)  # not those of the decision before
    label = page.locator("[data-route='portland salt_lake_city 0']").get_attribute("aria-label") or ""
    assert label.startswith("Portland to Salt Lake City, blue, length 6, ")
    page.locator("#log li[tabindex]", has_text="You claim").first.focus()
    assert page.locator("#board [data-route].lit").count() >= 1


def test_claims_for_tickets_come_first_and_a_route_tells_what_it_lacks_and_is_paid(server: Served, look: Look) -> None:
    page = opened_table(server, server.begin("usa", [None, "planner"], seed=5, until=after(13, seat=0)), look)
    first = page.locator("#actions .group").first
    expect(first.locator("h3")).to_have_text("Claims for your tickets")
    expect(first.locator("button").first).to_contain_text(re.compile(r"^1.*\+\d+.*(for|completes) "))
    draw = page.locator("#actions button", has_text="Draw tickets")
    expect(draw).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("draw tick")
    expect(draw).to_be_visible()
    page.keyboard.press("Escape")
    missing = page.evaluate("shown.decision.routes.find(({ note }) => note.startsWith('You lack')).route.join(' ')")
    point_at(page, missing)
    expect(page.locator("#tip")).to_contain_text(re.compile(r"\+\d+You lack the cards for it: .* \(C9\)"))
    assert not page.locator(f"#board [data-route='{missing}'] > title").count()
    claim = page.evaluate("shown.decision.actions.find(({ name, points }) => name === 'claim' && points > 2)")
    page.mouse.click(*middle(page, " ".join(map(str, claim["target"]["route"]))))
    beside = page.locator("#beside")
    expect(beside.locator("#chosen strong")).to_have_text(f"{claim['text']}?")
    expect(beside.locator(".gain")).to_have_text(f"+{claim['points']}")
    page.keyboard.press("Escape")
    expect(beside).to_be_hidden()
    page.evaluate("claim => act(shown.decision.actions.find(({ action }) => action === claim), true)", claim["action"])
    page.wait_for_function("() => shown.decision?.phase === 'pay'")
    buttons = beside.get_by_role("button")
    assert buttons.count() == min(6, page.evaluate("shown.decision.actions.length"))
    paid = page.evaluate("shown.decision.actions.map(({ cards }) => cards.locomotive ?? 0)")
    assert paid == sorted(paid)
    buttons.first.click()
    expect(page.locator("#log")).to_contain_text(re.compile(f"You claim .* for {claim['points']} points?"))
    expect(beside).to_be_hidden()
    wait_until_asked(page)
    page.keyboard.press("d")
    expect(page.locator("#log")).to_contain_text(re.compile("You draw an? .* from the deck"))


def test_a_first_game_is_guided_with_the_planners_reasons(server: Served, look: Look) -> None:
    page = look(server.lobby)
    page.get_by_role("button", name="Play a short one with a guide").click()
    page.wait_for_url("**/table/*/")
    set_up(page)
    guide = page.locator("#guiding")
    expect(guide).to_contain_text(re.compile("A ticket names two places.*The planner would keep .*Of all choices"))
    kept = told_of(page, "#offer li.hint", "dataset.offered")
    assert kept
    for name in kept:
        page.locator(f"#offer input[data-ticket='{name}']").check()
    page.locator("#offer .main").click()
    page.wait_for_function("() => shown.decision?.phase === 'turn'")
    expect(guide).to_contain_text(re.compile("Do one thing in a turn.*The planner would .*[.]"))
    assert page.locator("#actions button.hint").count() == 1
    guide.get_by_role("button", name="Without the guide").click()
    expect(guide).to_be_hidden()
    page.reload()
    wait_until_asked(page)
    expect(guide).to_be_hidden()


def test_at_the_end_the_tickets_of_all_have_a_mark_and_what_they_brought_or_cost(server: Served, look: Look) -> None:
    table = server.begin("usa", [None, "random"], seed=2, until=lambda games: False)
    page = opened_table(server, table, look)
    page.get_by_text("Save the replay").wait_for()
    expect(page.locator("#tickets_title")).to_have_text("Everybody’s tickets")
    seats, points = (page.locator(f"#tickets li {part}").all_text_contents() for part in (".seat", "b"))
    marks = told_of(page, "#tickets li .mark", "ariaLabel")
    assert list(zip(seats, marks, points, strict=True)) == [
        (str(seat), mark, f"{sign}{ticket[2]}")
        for seat, it in enumerate(table.games.snapshot()["final"])
        for mark, sign in (("completed", "+"), ("failed", "−"))
        for ticket in it[mark]
    ]
    assert {*marks} == {"completed", "failed"}


def test_cg10_all_tickets_that_the_cards_complete_are_completed_at_once(server: Served, look: Look) -> None:
    table = server.begin("card_game", [None, "random"], seed=2, until=after(0, seat=0, phase="complete"))
    page = opened_table(server, table, look)
    page.get_by_role("button", name="Complete all that I can").click()
    page.wait_for_function("() => shown.is_over")
    assert len(table.games.snapshot()["final"][0]["completed"]) > 1


def test_the_rack_has_a_prompt_partners_share_a_mark_and_an_empty_slot_is_no_card(server: Served, look: Look) -> None:
    takes = after(0, seat=0, phase="from_rack")
    page = opened_table(server, server.begin("team_asia", [None, *["planner"] * 3], seed=5, until=takes), look)
    expect(page.locator("#cards")).to_have_text(re.compile("from your team’s rack"))
    assert [it[0] for it in page.locator("#players .seat").all_text_contents()] == ["▲", "▲", "●", "●"]
    page.evaluate("() => { shown.view.face_up[1] = null; showMarket(shown); }")
    expect(page.locator("#market [data-slot='1']")).to_have_class(re.compile("empty"))


# Games by clicks and by keys alone, to their ends


def saved(table: Table) -> Replay:
    """The replay of an ended game in its folder."""
    replay = Replay.load(table.folder / "replay.json")
    assert replay.final().terminated[0]
    return replay


def test_a_person_plays_the_usa_map_by_clicks_against_an_agent(server: Served, look: Look) -> None:
    table = server.begin("usa", [None, "planner"], seed=11, tickets="classic", until=after(60, seat=0))
    page = opened_table(server, table, look)
    assert decide_until(page, "shown.is_over") > 5
    expect(page.locator("#question")).to_contain_text("The game is over")
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
    assert decide_until(page, "shown.is_over") > 5
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
