"""Pages of recorded games in a real browser: opened from the disk, stepped by keys, clicks, slider and play."""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from t2r_env.agents import find_agent
from t2r_env.render.replay_page import content_of, render_replay_html, save_replay_html
from tests.helpers.chromium import opened
from tests.helpers.recorded import forfeited, game_of, made_up_review

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ACTIONS = 40


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the beginning of a game of three, with opinions."""
    path = tmp_path_factory.mktemp("pages") / "game.html"
    replay = game_of("planner", "usa", 3, actions=ACTIONS)
    save_replay_html(
        path, replay, names=("anna", "<b>bert</b>", "cleo"), agent=find_agent("random"), agent_name="random"
    )
    return path


@pytest.fixture
def page(file: Path, chromium: "Browser") -> "Iterator[Page]":
    with opened(chromium, file.as_uri()) as shown:
        shown.wait_for_selector("#picture svg")
        yield shown


def step_of(page: "Page") -> int:
    """The step that is shown, which slider, log and status agree on."""
    step = int(page.locator("#slider").input_value())
    assert page.locator("#log [aria-current=step]").get_attribute("data-step") == str(step)
    assert page.locator("#here").inner_text().startswith(f"Step {step} of")
    return step


def wait_until(page: "Page", is_there: Callable[[int], bool]) -> None:
    """Wait for a step that the page plays up to."""
    for _ in range(200):
        if is_there(int(page.locator("#slider").input_value())):
            return
        page.wait_for_timeout(50)
    raise TimeoutError("the page does not play on")


def titles(page: "Page") -> str:
    return page.locator("#picture > svg > title").text_content() or ""


def test_it_loads_nothing_but_itself(file: Path, chromium: "Browser") -> None:
    with opened(chromium) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.wait_for_selector("#picture svg")
        page.keyboard.press("End")
        assert [address for address in asked if not address.startswith("data:")] == [file.as_uri()]


def test_keys_buttons_and_the_slider_step_through_the_game(page: "Page") -> None:
    assert step_of(page) == 0
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", ACTIONS), ("Home", 0)):
        page.keyboard.press(key)
        assert step_of(page) == expected
    turns = content_of(page.content())["views"][0]["turns"]
    page.keyboard.press("Shift+ArrowRight")
    first = turns.index(1)
    assert step_of(page) == first
    page.keyboard.press("PageDown")
    assert step_of(page) == turns.index(2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    assert step_of(page) == turns.index(2)
    page.keyboard.press("Shift+ArrowLeft")
    assert step_of(page) == first
    page.get_by_role("button", name="Last step").click()
    assert step_of(page) == ACTIONS
    page.get_by_role("button", name="Step back").click()
    assert step_of(page) == ACTIONS - 1
    page.get_by_role("slider", name="Step").fill("17")
    assert step_of(page) == 17
    page.get_by_role("slider", name="Step").press("ArrowRight")
    assert step_of(page) == 18
    page.get_by_role("button", name="First step").press("Enter")
    assert step_of(page) == 0


def test_what_was_done_who_is_to_act_and_the_picture_are_those_of_the_step_and_names_are_text(page: "Page") -> None:
    content = content_of(page.content())
    view = content["views"][0]
    before = titles(page)
    for step in (12, 25):
        page.locator(f"#log button[data-step='{step}']").click()
        assert step_of(page) == step
        assert titles(page) != before
        status = page.locator("#status").inner_text()
        assert all(line in status for line in view["lines"][step])
        assert content["names"][view["current"][step]] in (page.locator("#status .unseen").text_content() or "")
    assert "<b>bert</b>" in page.locator("#players").inner_text()
    assert "player_1" not in page.locator("body").inner_text()
    assert page.locator("b").count() == 0


def test_each_step_has_an_address_which_is_followed(file: Path, chromium: "Browser") -> None:
    with opened(chromium, f"{file.as_uri()}#step=12&seat=1") as page:
        page.wait_for_selector("#picture svg")
        assert step_of(page) == 12
        assert page.get_by_label("View").input_value() == "2"
        page.evaluate("location.hash = '#step=7'")
        wait_until(page, lambda step: step == 7)
        assert page.get_by_label("View").input_value() == "0"
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**#step=8")
        assert page.locator("#here").get_attribute("href") == "#step=8"
        length = page.evaluate("history.length")
        page.keyboard.press("End")
        page.wait_for_url(f"**#step={ACTIONS}")
        assert page.evaluate("history.length") == length
        for wrong in ("step=x", "seat=9", "step=-1", "step=1e3"):
            page.evaluate(f"location.hash = '#{wrong}'")
            page.wait_for_timeout(50)
            assert step_of(page) == ACTIONS
        page.evaluate("location.hash = '#step=999999'")
        assert step_of(page) == ACTIONS


def test_it_plays_and_pauses_at_a_chosen_speed(page: "Page") -> None:
    page.get_by_label("Speed").select_option("very fast")
    page.locator("#title").click()
    page.keyboard.press("Space")
    assert page.locator("#play").inner_text().endswith("Pause")
    wait_until(page, lambda step: step >= 3)
    page.keyboard.press("Space")
    stopped = step_of(page)
    page.wait_for_timeout(300)
    assert step_of(page) == stopped
    page.get_by_role("slider", name="Step").fill(str(ACTIONS - 1))
    page.get_by_role("button", name="Play", exact=True).click()
    wait_until(page, lambda step: step == ACTIONS)
    assert page.locator("#play").inner_text().endswith("Play")


def test_the_view_of_a_seat_shows_what_it_knows(page: "Page") -> None:
    content = content_of(page.content())
    kept = re.findall(r"anna keeps ([A-Z].*?) \(", " ".join(map(str, content["views"][0]["lines"])))
    tickets = [ticket.replace("-", "–") for ticket in kept]
    page.get_by_role("slider", name="Step").fill("14")
    assert tickets
    assert all(ticket in page.locator("#picture").inner_text() for ticket in tickets)
    page.get_by_label("View").select_option("what cleo knows")
    view = content["views"][3]
    assert view["seat"] == 2
    assert view["positions"][step_of(page)] == 14
    assert not any(ticket in page.locator("#picture").inner_text() for ticket in tickets)
    assert page.locator("#log button").count() == len(view["turns"])
    told = page.locator("#log").inner_text()
    assert not re.search(r"(anna|bert</b>) (keeps [A-Z]|gets|refuses)", told)
    assert re.search(r"cleo keeps [A-Z]", told)
    page.keyboard.press("End")
    page.get_by_label("View").select_option("everything")
    assert step_of(page) == ACTIONS


def test_beside_a_decision_is_what_the_agent_would_do(page: "Page") -> None:
    opinions = content_of(page.content())["views"][0]["opinions"]
    page.get_by_role("slider", name="Step").fill("20")
    panel = page.get_by_role("region", name="What random would do")
    assert opinions[20][0]["action"]["text"] in panel.inner_text()
    assert "Its policy probabilities" in panel.inner_text()
    assert panel.locator("li").count() == len(opinions[20][0]["weights"])
    assert panel.locator("li.chosen").inner_text().startswith(opinions[20][0]["action"]["text"])
    page.get_by_label("View").select_option("what cleo knows")
    view = content_of(page.content())["views"][3]
    other = next(step for step, opinion in enumerate(view["opinions"][:-1]) if opinion is None)
    page.get_by_role("slider", name="Step").fill(str(other))
    assert "another player's" in panel.inner_text()


def test_curves_show_scores_and_a_click_goes_there(page: "Page") -> None:
    curves = page.locator("#curves svg")
    assert curves.count() == 3
    box = curves.first.bounding_box()
    assert box
    curves.first.click(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
    assert ACTIONS * 0.4 < step_of(page) < ACTIONS * 0.8
    page.keyboard.press("End")
    scores = content_of(page.content())["views"][0]["scores"][-1]
    labels = [it.bounding_box() for it in page.locator("#curves rect").all()]
    heights = [sorted(box["y"] for box in labels[first : first + 3] if box) for first in (0, 3, 6)]
    assert all(upper + 11 < lower for of in heights for upper, lower in itertools.pairwise(of))
    cells = page.locator("#numbers tbody tr").all_inner_texts()
    assert [row.split("\t")[1].strip() for row in cells] == [str(score) for score in scores]


@pytest.mark.parametrize(("width", "widest"), [(1280, "0 0 1200 "), (600, "0 0 600 ")])
def test_it_fits_the_width_and_takes_the_picture_laid_out_for_it(
    width: int, widest: str, file: Path, chromium: "Browser"
) -> None:
    with opened(chromium, file.as_uri(), width=width) as page:
        page.wait_for_selector("#picture svg")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert (page.locator("#picture > svg").get_attribute("viewBox") or "").startswith(widest)


def test_everything_can_be_reached_by_tab_and_has_a_name_and_of_the_log_the_line_of_the_step(page: "Page") -> None:
    names = []
    for _ in range(11):
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        names.append(
            page.evaluate(
                "document.activeElement.labels?.[0]?.innerText || document.activeElement.ariaLabel"
                " || document.activeElement.innerText"
            )
        )
    assert [name.split("\n")[0].strip() for name in names[:10]] == [
        "View", f"Step 0 of {ACTIONS}",
        "First step", "Turn back", "Step back", "Play", "Step forward", "Turn forward", "Last step", "Speed",
    ]  # fmt: skip
    assert names[10] == "Step"
    page.get_by_role("slider", name="Step").fill("7")
    page.get_by_role("slider", name="Step").press("Tab")
    assert page.evaluate("document.activeElement.dataset.step") == "7"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.step") is None


def test_the_page_of_a_seat_offers_no_other_view_and_says_so(tmp_path: Path, chromium: "Browser") -> None:
    path = tmp_path / "seat.html"
    path.write_text(render_replay_html(game_of("planner", "usa", 3, actions=20), seat=1), encoding="utf-8")
    with opened(chromium, path.as_uri()) as page:
        page.wait_for_selector("#picture svg")
        assert not page.get_by_label("View").is_visible()
        assert "what player_1 knew of the game, and nothing else" in page.locator("#contains").inner_text()
        page.keyboard.press("End")
        assert step_of(page) == len(content_of(page.content())["views"][0]["turns"]) - 1


@pytest.mark.parametrize("game", ["card_game", "forfeited"])
def test_the_end_says_how_the_game_ended(game: str, tmp_path: Path, chromium: "Browser") -> None:
    replay: Any = forfeited() if game == "forfeited" else game_of("planner", game, 2)
    path = tmp_path / "end.html"
    save_replay_html(path, replay, each_seat=False, reason="took more than 5 s")
    with opened(chromium, path.as_uri()) as page:
        page.wait_for_selector("#picture svg")
        page.keyboard.press("End")
        end = page.locator("#status.end").inner_text()
        if game == "forfeited":
            assert re.search(r"player_\d forfeits the game: took more than 5 s\.", end)
        else:
            assert re.search(r"player_\d wins \d+ : \d+", end.lower())
            assert page.get_by_role("region", name="The count").locator("li").last.inner_text() in end


def test_a_line_of_the_log_lights_its_routes_under_the_pointer(tmp_path: Path, chromium: "Browser") -> None:
    path = tmp_path / "game.html"
    save_replay_html(path, game_of("greedy", "new_york", 2, actions=ACTIONS), each_seat=False)
    with opened(chromium, path.as_uri()) as page:
        page.wait_for_selector("#picture svg")
        line = page.locator("#log button", has_text="claim").first
        line.hover()
        lit = page.locator("#picture .lit")
        assert lit.count() > 0
        ends = str(lit.first.get_attribute("data-route")).split(" ")[:2]
        names = [page.locator(f"#picture [data-city='{city}'] > title").first.text_content() for city in ends]
        assert "–".join(map(str, names)) in line.inner_text()
        page.locator("#title").hover()
        assert lit.count() == 0


# Reviews


def test_a_review_shows_chances_marks_mistakes_and_leads_from_one_to_the_next(
    tmp_path: Path, chromium: "Browser"
) -> None:
    path, replay = tmp_path / "review.html", game_of("planner", "new_york", 2, actions=ACTIONS)
    review = made_up_review(replay)
    save_replay_html(path, replay, names=["anna", "bert"], review=review)
    mistakes = np.flatnonzero(review.reviewers[0].mistakes).tolist()
    with opened(chromium, path.as_uri()) as page:
        page.wait_for_selector("#picture svg")
        page.keyboard.press("m")
        assert step_of(page) == mistakes[1]
        page.keyboard.press("m")
        page.keyboard.press("Shift+M")
        assert step_of(page) == mistakes[1]
        page.get_by_role("button", name="Next mistake").click()
        assert step_of(page) == mistakes[2]
        share = round(100 * review.chances[mistakes[2], 0])
        told = page.locator("#chance").inner_text()
        assert f"anna {share} %" in told
        believed = page.locator("#believed").inner_text()
        assert "What others probably hold" in believed
        assert believed.count("✓") >= 2  # of a ticket that is held, and what it means
        assert re.search(r"estimated; where such a network told about (25|75) %, (30|70) % won", told)
        assert page.locator("#ticks button").count() == len(mistakes)
        assert page.locator("#chance-curve .mistake").count() == len(mistakes)
        lines = page.locator("#log .mistake button")
        assert lines.count() == len(mistakes)
        lines.nth(3).click()
        assert step_of(page) == mistakes[3]
        differing = next(
            step
            for step in mistakes
            if not content_of(page.content())["views"][0]["opinions"][step][0]["agrees"] and step > 20
        )
        page.get_by_role("slider", name="Step").fill(str(differing))
        assert "costs 10.0 (8.0 to 12.0) points of 100" in page.locator("#opinion-loss").inner_text()
        assert page.locator("#opinion-reason").inner_text() == "It is the first."
        for kind in ("played", "better"):
            assert page.locator(f"#picture .{kind}").count() == 1
            assert page.locator(f"#marks .{kind}").count() == 1
        assert page.locator("#picture .weighed").count() > 1
        assert page.locator("#agents tbody tr").count() == 2
        assert page.locator("#agents tr.differ").inner_text().startswith("last")
        costliest = page.locator("#costliest li")
        assert costliest.count() == 5
        assert re.match(r"−10\.0 ± 2\.0 (anna|bert): .*; first would ", costliest.nth(2).inner_text())
        for number, lists in ((2, "#costliest"), (0, "#luckiest")):
            link = page.locator(f"{lists} a").nth(number)
            link.click()
            page.wait_for_function(f"location.hash === '{link.get_attribute('href')}'")
            assert page.locator("#here").get_attribute("href") == link.get_attribute("href")
        assert page.locator("#parts tbody tr").nth(1).locator("td").all_inner_texts() == ["10.0 ± 2.0", "−10.0 ± 2.0"]
        page.get_by_label("View").select_option("2")
        assert page.locator("#parts tbody tr").nth(1).locator("td").all_inner_texts() == ["−5.0 ± 1.0"]
        known = review.known[:, 1, 0]
        shown = page.locator("#chance-bar").get_attribute("aria-label") or ""
        assert int(re.findall(r"anna (\d+) %", shown)[0]) in {round(100 * share) for share in known}
        assert {*page.locator("#ticks button").evaluate_all("all => all.map((it) => it.title.split(':')[0])")} == {
            "bert"
        }
