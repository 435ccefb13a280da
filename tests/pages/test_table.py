"""The playing page beside the map: what is listed and asked first, the guide, and the end."""

import re

from playwright.sync_api import expect

from t2r_env import Games
from tests.pages.serving import Look, Served
from tests.pages.test_playing import middle, opened_table, set_up, wait_until_asked


def has_cards(games: Games) -> bool:
    """Whether it is a turn of the first player, with many cards in the hand."""
    snapshot = games.snapshot()
    return snapshot["phase"] == "turn" and games.current[0] == 0 and sum(snapshot["players"][0]["hand"].values()) > 14


def test_claims_for_tickets_come_first_and_a_route_tells_what_is_missing_and_is_paid_beside_it(
    server: Served, look: Look
) -> None:
    page = opened_table(server, server.begin("usa", [None, "planner"], seed=5, until=has_cards), look)
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
    missing = page.evaluate("shown.decision.routes.find(({ note }) => note.startsWith('You lack')).route.join(' ')")
    for dx in (0, 1):
        page.mouse.move(*(it + dx for it in middle(page, missing)))
    expect(page.locator("#tip")).to_contain_text(re.compile(r"\+\d+You lack the cards for it: .* \(C9\)"))
    assert not page.locator(f"#board [data-route='{missing}'] > title").count()
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
    wait_until_asked(page)
    page.keyboard.press("d")
    expect(page.locator("#log")).to_contain_text(re.compile("You draw an? .* from the deck"))


def test_a_first_game_is_guided_with_the_planners_reasons(server: Served, look: Look) -> None:
    page = look(server.lobby)
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


def test_at_the_end_the_tickets_of_all_have_a_mark_and_what_they_brought_or_cost(server: Served, look: Look) -> None:
    table = server.begin("usa", [None, "random"], seed=2, until=lambda games: False)
    page = opened_table(server, table, look)
    page.get_by_text("Save the replay").wait_for()
    expect(page.locator("#tickets_title")).to_have_text("Everybody’s tickets")
    told = page.locator("#tickets li").evaluate_all(
        "them => them.map(it => [it.querySelector('.seat').textContent, it.querySelector('.mark').ariaLabel,"
        " it.querySelector('b').textContent])"
    )
    assert told == [
        [str(seat), mark, f"{sign}{ticket[2]}"]
        for seat, it in enumerate(table.games.snapshot()["final"])
        for mark, sign in (("completed", "+"), ("failed", "−"))
        for ticket in it[mark]
    ]
    assert {mark for _, mark, _ in told} == {"completed", "failed"}


def test_cg10_all_tickets_that_the_cards_complete_are_completed_at_once(server: Served, look: Look) -> None:
    def completes(games: Games) -> bool:
        return bool(games.snapshot()["phase"] == "complete" and games.current[0] == 0 and games.masks[0].sum() > 2)

    table = server.begin("card_game", [None, "random"], seed=2, until=completes)
    page = opened_table(server, table, look)
    wait_until_asked(page)
    page.get_by_role("button", name="Complete all that I can").click()
    page.wait_for_function("() => shown.is_over")
    assert len(table.games.snapshot()["final"][0]["completed"]) > 1


def test_the_rack_has_its_own_prompt_and_partners_share_a_mark_and_an_empty_slot_is_no_card(
    server: Served, look: Look
) -> None:
    def takes(games: Games) -> bool:
        return bool(games.snapshot()["phase"] == "from_rack" and games.current[0] == 0)

    page = opened_table(server, server.begin("team_asia", [None, *["planner"] * 3], seed=5, until=takes), look)
    wait_until_asked(page)
    expect(page.locator("#cards")).to_have_text(re.compile("from your team’s rack"))
    assert [it[0] for it in page.locator("#players .seat").all_text_contents()] == ["▲", "▲", "●", "●"]
    page.evaluate("() => { shown.view.face_up[1] = null; showMarket(shown); }")
    expect(page.locator("#market [data-slot='1']")).to_have_class(re.compile("empty"))
