"""Reviews in the browser: at the end of a game, while agents are watched, and in hints."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from playwright.sync_api import expect

from t2r_agents.browser.advice import plan_routes
from t2r_agents.browser.background import Background
from t2r_agents.browser.decision import decision_of
from t2r_agents.browser.table import Pace, Table
from t2r_agents.playing.values import Judge
from t2r_env.agents import find_agent, opinions
from t2r_env.render.replay_page import content_of
from tests.pages.serving import Look, Served, after


def ended(server: Served, **options: Any) -> Table:
    return server.begin("new_york", [None, "planner"], until=lambda games: False, **options)


def test_a_game_that_is_over_is_reviewed_in_the_background_and_its_page_opens(server: Served, look: Look) -> None:
    table = ended(server)
    path = f"/table/{table.screens[0].key}/review/"
    assert server.ask("GET", path)[0] == 409
    page = look(server.page(table))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator("#review")).to_contain_text(re.compile("decisions judged|pictures drawn|See the review"))
    with page.expect_popup() as popup:
        page.get_by_text("See the review").click()
    popup.value.locator("#picture svg").first.wait_for()
    assert "Chance to win: Player 1" in popup.value.locator("#chance").inner_text()
    popup.value.get_by_role("slider", name="Step").fill("30")
    popup.value.get_by_text("Play on from here").click()
    position = next(step for step, it in enumerate(table.steps[0]) if it.position >= 30)
    expect(popup.value.locator("#question")).to_contain_text(f"Step {position} of")
    expect(popup.value.locator("#play_on")).to_contain_text("as Player 1")
    popup.value.get_by_text("Let agents finish it 100 times").click()
    rows = popup.value.locator("#finished li")
    expect(rows).to_have_count(2)
    won = [int(re.findall(r"(\d+) % \(", row)[0]) for row in rows.all_inner_texts()]
    assert sum(won) in (99, 100, 101)
    content = content_of(server.ask("GET", path)[1].decode())
    assert content["agents"] == ["policy", "planner"]
    assert [view["seat"] for view in content["views"]] == [None, 0, 1]


def test_a_game_without_a_network_of_values_or_under_way_is_not_reviewed(server: Served, look: Look) -> None:
    under_way = server.begin("new_york", [None, "planner"])
    told = {"error": "a review shows everything: there can be one when the game is over"}
    assert server.send(under_way, "review", {}) == (409, told)
    table = ended(server, turn_limit=1)
    page = look(server.page(table))
    expect(page.locator("#review")).to_contain_text("No review: there is no network of values for")
    assert server.send(table, "review", {})[0] == 409
    wishes: tuple[Any, ...] = ({"step": 0, "from_knowledge": 1}, {"step": 10**6}, {"step": len(table.steps[0]) - 1}, {})
    assert [server.send(table, "finish", wish)[0] for wish in wishes] == [409] * 4
    status, answer = server.send(under_way, "finish", {"step": 0})
    assert (status, answer["error"]) == (409, "a game can be played on from its steps when it is over")


def test_two_requests_at_once_begin_one_review() -> None:
    class Slow:
        def __hash__(self) -> int:
            time.sleep(0.05)  # so that both requests look before one has begun
            return 1

    background, key = Background(), Slow()
    with ThreadPoolExecutor(2) as requests:
        first, second = requests.map(lambda _: background.ask(key, lambda tell: "a page"), range(2))
    assert first is second


def test_watchers_see_the_chances_to_win_and_through_a_seat_those_that_it_knows(server: Served, look: Look) -> None:
    table = server.begin("new_york", ["random", "greedy"], until=after(8))
    table.pace = Pace(paused=True)
    judge = Judge(table.configuration)
    page = look(server.page(table))
    known = judge.judge(table.games.views([0], [1]), np.ones(1, np.int64), sees_all=False)
    for seat, judged in ((None, judge.judge(table.games.states, sees_all=True)), (1, known)):
        page.get_by_label("View").select_option("" if seat is None else "1")
        share = round(100 * judged.chances[0, 0])
        expect(page.locator("#chance .chances")).to_have_attribute("aria-label", re.compile(rf" random {share} %"))
        expect(page.locator("#chance")).to_contain_text(re.compile(r"where such a network told about \d+ %, \d+ % won"))
    page = look(server.page(server.begin("usa", ["random"] * 3)))
    expect(page.locator("#watching")).to_contain_text("Chances to win are not known: there is no network of values")


def test_a_hint_tells_three_actions_with_weights_and_chances_and_lights_the_plan(server: Served, look: Look) -> None:
    table = server.begin("new_york", [None, "greedy"], until=after(5, seat=0))
    given = table.decision()
    judge, seat = Judge(table.configuration), np.zeros(1, np.int64)
    values = judge.look_ahead(given, 4).values(seat)[0]
    without_seed = judge.look_ahead(replace(given, seeds=np.zeros(1, np.uint64)), 4)
    (told,) = opinions(find_agent("policy"), given)
    assert told.probabilities is not None
    page = look(server.page(table))
    page.locator("#hint:enabled").click()
    advised = page.locator("#advised li")
    expect(advised).to_have_count(3)
    chosen = find_agent("planner").act(given)
    value = float(without_seed.values(seat)[0][chosen[0]])
    error = 3.182 * float(without_seed.standard_errors(seat, chosen)[0, chosen[0]])
    assert advised.first.inner_text().endswith(f"→ {round(100 * value)} ± {round(100 * error)} %")
    expect(advised.nth(1)).to_contain_text(re.compile(r"→ \d+ % \([+−]?\d+\.\d ± \d+\.\d\)$"))
    measured = judge.measured(value, sees_all=True)
    assert measured is not None
    sure = f"where such a network told about {round(100 * measured[0])} %, {round(100 * measured[1])} % won"
    expect(page.locator("#advised")).to_contain_text(sure)
    planned = page.locator("#board .planned").evaluate_all("all => all.map((it) => it.dataset.route.split(' '))")
    expected = [[a, b, str(track)] for a, b, track in plan_routes(decision_of(given))]
    assert sorted(planned) == sorted(expected)
    assert len(planned) > 0
    page.locator("#set").click()
    page.locator("#adviser").fill("policy")
    page.locator("#settled").click()
    page.locator("#hint").click()
    share = round(100 * told.probabilities[told.action])
    expect(advised.first).to_contain_text(f"{share} % → {round(100 * values[told.action])} ± ")
    expect(page.locator("#advised")).to_contain_text("where such a network told about")
    expect(page.locator("#actions small").first).to_contain_text(re.compile(r"\d+ %"))
    assert page.locator("#board .planned").count() == 0
