"""The playing page beside the map: what is listed and asked first, the rules and the guide, and the end."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, expect

from t2r_agents.browser.table import Table
from t2r_agents.playing.planner import PlannerAgent
from tests.helpers.chromium import opened
from tests.pages.serving import Served
from tests.pages.test_page import keep_tickets, opened_game
from tests.pages.test_playing import middle, opened_table, set_up, wait_until_asked


def play_until(table: Table, is_there: Callable[[dict[str, Any]], bool]) -> None:
    """Let the planner decide for all, until a person is asked what is wanted, or the game ends."""
    planner = PlannerAgent()
    while table.current is not None:
        given = table.decision()
        if table.current in table.people and is_there(table.configuration.snapshot(given.views[0])):
            return
        table.take(table.number, int(planner.act(given)[0]))


def has_cards(snapshot: dict[str, Any]) -> bool:
    """Whether it is a turn with many cards in the hand."""
    hand = snapshot["players"][snapshot["current_player"]]["hand"]
    return bool(snapshot["phase"] == "turn" and sum(hand.values()) > 14)


def test_claims_for_tickets_come_first_and_draws_are_folded_into_the_cards(server: Served, chromium: Browser) -> None:
    table = server.begin("usa", [None, "planner"], seed=5)
    play_until(table, has_cards)
    with opened_table(server, table, chromium) as page:
        wait_until_asked(page)
        first = page.locator("#actions .group").first
        expect(first.locator("h3")).to_have_text("Claims for your tickets")
        expect(first.locator("button").first).to_contain_text(re.compile(r"^1.*\+\d+.*(for|completes) "))
        draw = page.locator("#actions button", has_text="Draw tickets")
        expect(draw).to_be_hidden()
        page.keyboard.press("/")
        page.keyboard.type("draw tick")
        expect(draw).to_be_visible()
        page.keyboard.press("Escape")
        number = page.evaluate("shown.number")
        page.keyboard.press("d")
        page.wait_for_function("number => shown.number > number", arg=number)
        expect(page.locator("#log")).to_contain_text(re.compile("You draw an? .* from the deck"))


def test_cities_are_found_without_their_accents(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        plain = page.evaluate("['Montréal–New York', 'Tromsø', 'Århus', 'Göteborg', '−15'].map(plain)")
        assert plain == ["montreal-new york", "tromso", "arhus", "goteborg", "-15"]


def test_a_route_tells_its_points_and_what_is_missing_and_is_confirmed_and_paid_beside_it(
    server: Served, chromium: Browser
) -> None:
    table = server.begin("usa", [None, "planner"], seed=5)
    play_until(table, has_cards)
    with opened_table(server, table, chromium) as page:
        wait_until_asked(page)
        missing = page.evaluate("shown.decision.routes.find(({ note }) => note.startsWith('You lack')).route.join(' ')")
        halo = page.locator(f"#board [data-route='{missing}'] .halo")
        for dx in (0, 1):
            page.mouse.move(*(it + dx for it in middle(page, missing)))
        expect(page.locator("#tip")).to_contain_text(re.compile(r"\+\d+You lack the cards for it: .* \(C9\)"))
        assert not halo.locator("xpath=../*[name()='title']").count()
        claim = page.evaluate("shown.decision.actions.find(({ name, points }) => name === 'claim' && points > 2)")
        page.mouse.click(*middle(page, " ".join(map(str, claim["target"]["route"]))))
        beside = page.locator("#beside")
        expect(beside.locator("#chosen strong")).to_have_text(f"{claim['text']}?")
        expect(beside.locator(".gain")).to_have_text(f"+{claim['points']}")
        page.keyboard.press("Escape")
        expect(beside).to_be_hidden()
        act = "claim => act(shown.decision.actions.find(({ action }) => action === claim), true)"
        page.evaluate(act, claim["action"])
        page.wait_for_function("() => shown.decision?.phase === 'pay'")
        buttons = beside.get_by_role("button")
        assert buttons.count() == min(6, page.evaluate("shown.decision.actions.length"))
        paid = page.evaluate("shown.decision.actions.map(({ cards }) => cards.locomotive ?? 0)")
        assert paid == sorted(paid)
        buttons.first.click()
        expect(page.locator("#log")).to_contain_text(re.compile(f"You claim .* for {claim['points']} points?"))
        expect(beside).to_be_hidden()


def test_the_rules_are_told_and_their_numbers_lead_to_them(server: Served, chromium: Browser) -> None:
    with opened_game(server, chromium, [None, "random"]) as page:
        keep_tickets(page)
        page.get_by_role("button", name="Rules").click()
        rules = page.get_by_role("dialog", name="How to play Ticket to Ride, 2 players")
        expect(rules.locator("#aim")).to_contain_text("Collect cards")
        assert rules.locator("#sentences li").count() > 10
        expect(rules.locator("#points tr", has_text="a route of 6")).to_contain_text("15")
        page.keyboard.press("Escape")
        page.locator("[data-city=omaha] circle").click(force=True)
        page.locator("#notice a").click()
        expect(rules.locator("#rule-C9")).to_be_focused()
        expect(rules.locator("#rule-C9")).to_contain_text("Claim a route.")


def test_a_first_game_is_guided_with_the_planners_reasons(server: Served, chromium: Browser) -> None:
    with opened(chromium, server.address(f"/{server.service.token}/")) as page:
        page.get_by_role("button", name="Play a short one with a guide").click()
        page.wait_for_url("**/table/*/")
        set_up(page)
        wait_until_asked(page)
        guide = page.locator("#guiding")
        expect(guide).to_contain_text(re.compile("A ticket names two places.*The planner would keep .*Of all choices"))
        kept = page.locator("#offer li.hint").evaluate_all("them => them.map(it => it.dataset.offered)")
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


def test_at_the_end_the_tickets_of_all_have_a_mark_and_what_they_brought_or_cost(
    server: Served, chromium: Browser
) -> None:
    table = server.begin("usa", [None, "random"], seed=2)
    play_until(table, lambda _: False)
    final = table.games.snapshot()["final"]
    with opened_table(server, table, chromium) as page:
        page.get_by_text("Save the replay").wait_for()
        expect(page.locator("#tickets_title")).to_have_text("Everybody’s tickets")
        told = page.locator("#tickets li").evaluate_all(
            "them => them.map(it => [it.querySelector('.seat').textContent, it.querySelector('.mark').ariaLabel,"
            " it.querySelector('b').textContent])"
        )
        expected = [
            [str(seat), mark, f"{sign}{ticket[2]}"]
            for seat, it in enumerate(final)
            for mark, sign in (("completed", "+"), ("failed", "−"))
            for ticket in it[mark]
        ]
        assert told == expected
        assert {mark for _, mark, _ in told} == {"completed", "failed"}


def test_cg10_all_tickets_that_the_cards_complete_are_completed_at_once(server: Served, chromium: Browser) -> None:
    table = server.begin("card_game", [None, "random"], seed=2)
    play_until(table, lambda it: it["phase"] == "complete" and table.games.masks[0].sum() > 2)
    with opened_table(server, table, chromium) as page:
        wait_until_asked(page)
        page.get_by_role("button", name="Complete all that I can").click()
        page.wait_for_function("() => shown.is_over")
        completed = table.games.snapshot()["final"][0]["completed"]
        assert len(completed) > 1


def test_an_empty_slot_is_no_card_and_the_rack_has_its_own_prompt_and_partners_share_a_mark(
    server: Served, chromium: Browser
) -> None:
    table = server.begin("team_asia", [None, "planner", "planner", "planner"], seed=5)
    play_until(table, lambda it: it["phase"] == "from_rack")
    with opened_table(server, table, chromium) as page:
        wait_until_asked(page)
        expect(page.locator("#cards")).to_have_text(re.compile("from your team’s rack"))
        marks = page.locator("#players .seat").all_text_contents()
        assert [it[0] for it in marks] == ["▲", "▲", "●", "●"]
        page.evaluate("() => { shown.view.face_up[1] = null; showMarket(shown); }")
        slot = page.locator("#market [data-slot='1']")
        expect(slot).to_have_class(re.compile("empty"))
        expect(slot).not_to_have_class(re.compile("back"))


def test_who_watches_reads_which_agent_plays(server: Served, chromium: Browser) -> None:
    wish = [{"level": "strong"}, {"level": "easy"}]
    status, game, _ = server.ask(
        "POST", f"/{server.service.token}/new", {"variant": "new_york", "options": {}, "players": wish}
    )
    assert status == 200
    with opened(chromium, server.address(game["screens"][0]["path"])) as page:
        expect(page.locator("#players [data-seat='0']")).to_contain_text("Strong planner")
        page.wait_for_function("() => shown.opinion")
        expect(page.locator("#opinion")).to_contain_text(re.compile(r"(Strong \(planner\)|Easy \(one_plan\)) will"))
