"""Pages of recorded games in a real browser: opened from the disk, stepped by keys, clicks, slider and play."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from t2r_env.agents import find_agent
from t2r_env.render.replay_page import content_of, save_replay_html
from tests.helpers.recorded import forfeited, game_of, made_up_review
from tests.pages.serving import Look

ACTIONS = 40


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the beginning of a game of three, with opinions."""
    path = tmp_path_factory.mktemp("pages") / "game.html"
    names, agent = ("anna", "<b>bert</b>", "cleo"), find_agent("random")
    save_replay_html(path, game_of("planner", "usa", 3, actions=ACTIONS), names=names, agent=agent, agent_name="random")
    return path


def opened_page(look: Look, address: str) -> Page:
    """A page of a game that shows a picture."""
    page = look(address)
    page.wait_for_selector("#picture svg")
    return page


@pytest.fixture
def page(file: Path, look: Look) -> Page:
    return opened_page(look, file.as_uri())


def go(page: Page, step: int) -> None:
    page.get_by_role("slider", name="Step").fill(str(step))


def step_of(page: Page) -> int:
    """The step that is shown, which slider, log and status agree on."""
    step = int(page.locator("#slider").input_value())
    assert page.locator("#log [aria-current=step]").get_attribute("data-step") == str(step)
    assert page.locator("#here").inner_text().startswith(f"Step {step} of")
    return step


def test_keys_buttons_and_the_slider_step_through_the_game(page: Page) -> None:
    turns = content_of(page.content())["views"][0]["turns"]
    assert step_of(page) == 0
    for key, expected in (
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", ACTIONS), ("Home", 0)),
        *(("Shift+ArrowRight", turns.index(1)), ("PageDown", turns.index(2)), ("ArrowRight", turns.index(2) + 1)),
        *(("PageUp", turns.index(2)), ("Shift+ArrowLeft", turns.index(1))),
    ):
        page.keyboard.press(key)
        assert step_of(page) == expected
    for button, expected in (("Last step", ACTIONS), ("Step back", ACTIONS - 1), ("First step", 0)):
        page.get_by_role("button", name=button).click()
        assert step_of(page) == expected
    go(page, 17)
    page.get_by_role("slider", name="Step").press("ArrowRight")
    assert step_of(page) == 18
    page.get_by_label("Speed").select_option("very fast")
    page.locator("#title").click()
    page.keyboard.press("Space")
    assert page.locator("#play").inner_text().endswith("Pause")
    page.wait_for_function("(step) => Number(document.querySelector('#slider').value) >= step", arg=21)
    page.keyboard.press("Space")
    stopped = step_of(page)
    page.wait_for_timeout(300)
    assert step_of(page) == stopped
    go(page, ACTIONS - 1)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#slider")).to_have_value(str(ACTIONS))
    assert page.locator("#play").inner_text().endswith("Play")


def test_what_was_done_who_is_to_act_and_the_picture_are_those_of_the_step_and_names_are_text(page: Page) -> None:
    content = content_of(page.content())
    view, title = content["views"][0], page.locator("#picture > svg > title")
    before = title.text_content()
    for step in (12, 25):
        page.locator(f"#log button[data-step='{step}']").click()
        assert step_of(page) == step
        assert title.text_content() != before
        status = page.locator("#status").inner_text()
        assert all(line in status for line in view["lines"][step])
        assert content["names"][view["current"][step]] in (page.locator("#status .unseen").text_content() or "")
    assert "<b>bert</b>" in page.locator("#players").inner_text()
    assert "player_1" not in page.locator("body").inner_text()
    assert page.locator("b").count() == 0


def test_each_step_has_an_address_which_is_followed(file: Path, look: Look) -> None:
    page = opened_page(look, f"{file.as_uri()}#step=12&seat=1")
    assert step_of(page) == 12
    assert page.get_by_label("View").input_value() == "2"
    page.evaluate("location.hash = '#step=7'")
    expect(page.locator("#slider")).to_have_value("7")
    assert page.get_by_label("View").input_value() == "0"
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#step=8")
    assert page.locator("#here").get_attribute("href") == "#step=8"
    length = page.evaluate("history.length")
    page.keyboard.press("End")
    page.wait_for_url(f"**#step={ACTIONS}")
    assert page.evaluate("history.length") == length
    go(page, 9)
    for wrong in ("step=x", "seat=9", "step=-1", "step=1e3"):
        page.evaluate(f"location.hash = '#{wrong}'")
        page.wait_for_timeout(50)
        assert step_of(page) == 9
    page.evaluate("location.hash = '#step=999999'")
    expect(page.locator("#slider")).to_have_value(str(ACTIONS))


def test_the_view_of_a_seat_shows_what_it_knows_and_opinions_on_its_own_decisions_alone(page: Page) -> None:
    content = content_of(page.content())
    whole, view = content["views"][0], content["views"][3]
    kept = re.findall(r"anna keeps ([A-Z].*?) \(", " ".join(map(str, whole["lines"])))
    assert kept
    tickets = [ticket.replace("-", "–") for ticket in kept]
    go(page, 14)
    assert all(ticket in page.locator("#picture").inner_text() for ticket in tickets)
    go(page, 20)
    panel, opinion = page.get_by_role("region", name="What random would do"), whole["opinions"][20][0]
    assert opinion["action"]["text"] in panel.inner_text()
    assert "Its policy probabilities" in panel.inner_text()
    assert panel.locator("li").count() == len(opinion["weights"])
    assert panel.locator("li.chosen").inner_text().startswith(opinion["action"]["text"])
    go(page, 14)
    page.get_by_label("View").select_option("what cleo knows")
    assert (view["seat"], view["positions"][step_of(page)]) == (2, 14)
    assert not any(ticket in page.locator("#picture").inner_text() for ticket in tickets)
    assert page.locator("#log button").count() == len(view["turns"])
    told = page.locator("#log").inner_text()
    assert not re.search(r"(anna|bert</b>) (keeps [A-Z]|gets|refuses)", told)
    assert re.search(r"cleo keeps [A-Z]", told)
    go(page, next(step for step, opinion in enumerate(view["opinions"][:-1]) if opinion is None))
    assert "another player's" in panel.inner_text()
    page.keyboard.press("End")
    page.get_by_label("View").select_option("everything")
    assert step_of(page) == ACTIONS


def test_curves_show_scores_and_a_click_goes_there(page: Page) -> None:
    curves = page.locator("#curves svg")
    assert curves.count() == 3
    box = curves.first.bounding_box()
    assert box
    curves.first.click(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
    assert ACTIONS * 0.4 < step_of(page) < ACTIONS * 0.8
    page.keyboard.press("End")
    scores = content_of(page.content())["views"][0]["scores"][-1]
    for curve in curves.all():
        heights = sorted(label["y"] for it in curve.locator("rect").all() if (label := it.bounding_box()))
        assert len(heights) == 3
        assert np.diff(heights).min() > 11
    cells = page.locator("#numbers tbody tr").all_inner_texts()
    assert [row.split("\t")[1].strip() for row in cells] == [str(score) for score in scores]


def test_it_fits_the_width_and_everything_can_be_reached_by_tab_and_has_a_name(page: Page) -> None:
    """Of the log the line of the step. The picture is the one that is laid out for the width."""
    names, focused = [], page.locator(":focus")
    for _ in range(11):
        page.keyboard.press("Tab")
        assert focused.evaluate("it => getComputedStyle(it).outlineStyle") == "solid"
        names.append(focused.evaluate("it => it.labels?.[0]?.innerText || it.ariaLabel || it.innerText"))
    assert [name.split("\n")[0].strip() for name in names] == [
        "View", f"Step 0 of {ACTIONS}",
        "First step", "Turn back", "Step back", "Play", "Step forward", "Turn forward", "Last step", "Speed", "Step",
    ]  # fmt: skip
    go(page, 7)
    page.get_by_role("slider", name="Step").press("Tab")
    expect(focused).to_have_attribute("data-step", "7")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.step") is None
    for width, widest in ((1280, 1200), (600, 600)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_selector(f"#picture > svg[viewBox^='0 0 {widest} ']")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_of_a_seat_offers_no_other_view_and_a_line_lights_its_routes(tmp_path: Path, look: Look) -> None:
    path = tmp_path / "seat.html"
    save_replay_html(path, game_of("greedy", "new_york", 2, actions=ACTIONS), seat=1)
    page = opened_page(look, path.as_uri())
    assert not page.get_by_label("View").is_visible()
    assert "what player_1 knew of the game, and nothing else" in page.locator("#contains").inner_text()
    line, lit = page.locator("#log button", has_text="claim").first, page.locator("#picture .lit")
    line.hover()
    assert lit.count() > 0
    ends = str(lit.first.get_attribute("data-route")).split(" ")[:2]
    names = [page.locator(f"#picture [data-city='{city}'] > title").first.text_content() for city in ends]
    assert "–".join(map(str, names)) in line.inner_text()
    page.locator("#title").hover()
    assert lit.count() == 0
    page.keyboard.press("End")
    assert step_of(page) == len(content_of(page.content())["views"][0]["turns"]) - 1


@pytest.mark.parametrize("game", ["card_game", "forfeited"])
def test_the_end_says_how_the_game_ended(game: str, tmp_path: Path, look: Look) -> None:
    replay: Any = forfeited() if game == "forfeited" else game_of("planner", game, 2)
    path = tmp_path / "end.html"
    save_replay_html(path, replay, each_seat=False, reason="took more than 5 s")
    page = opened_page(look, path.as_uri())
    page.keyboard.press("End")
    end = page.locator("#status.end").inner_text()
    if game == "forfeited":
        assert re.search(r"player_\d forfeits the game: took more than 5 s\.", end)
    else:
        assert re.search(r"player_\d wins \d+ : \d+", end.lower())
        assert page.get_by_role("region", name="The count").locator("li").last.inner_text() in end


def test_a_review_shows_chances_marks_mistakes_and_leads_to_the_next(tmp_path: Path, look: Look) -> None:
    path, replay = tmp_path / "review.html", game_of("planner", "new_york", 2, actions=ACTIONS)
    review = made_up_review(replay)
    save_replay_html(path, replay, names=["anna", "bert"], review=review)
    mistakes = np.flatnonzero(review.reviewers[0].mistakes).tolist()
    page = opened_page(look, path.as_uri())
    for key in ("m", "m", "Shift+M"):
        page.keyboard.press(key)
    assert step_of(page) == mistakes[1]
    page.get_by_role("button", name="Next mistake").click()
    assert step_of(page) == mistakes[2]
    told = page.locator("#chance").inner_text()
    assert f"anna {round(100 * review.chances[mistakes[2], 0])} %" in told
    assert re.search(r"estimated; where such a network told about (25|75) %, (30|70) % won", told)
    believed = page.locator("#believed").inner_text()
    assert "What others probably hold" in believed
    assert believed.count("✓") >= 2  # of a ticket that is held, and what it means
    for marks in ("#ticks button", "#chance-curve .mistake", "#log .mistake button"):
        assert page.locator(marks).count() == len(mistakes)
    page.locator("#log .mistake button").nth(3).click()
    assert step_of(page) == mistakes[3]
    opinions = content_of(page.content())["views"][0]["opinions"]
    go(page, next(step for step in mistakes if not opinions[step][0]["agrees"] and step > 20))
    assert "costs 10.0 (8.0 to 12.0) points of 100" in page.locator("#opinion-loss").inner_text()
    assert page.locator("#opinion-reason").inner_text() == "It is the first."
    for kind in ("played", "better"):
        assert page.locator(f"#picture .{kind}").count() == page.locator(f"#marks .{kind}").count() == 1
    assert page.locator("#picture .weighed").count() > 1
    assert page.locator("#agents tbody tr").count() == 2
    assert page.locator("#agents tr.differ").inner_text().startswith("last")
    costliest = page.locator("#costliest li")
    assert costliest.count() == 5
    assert re.match(r"−10\.0 ± 2\.0 (anna|bert): .*; first would ", costliest.nth(2).inner_text())
    for number, lists in ((2, "#costliest"), (0, "#luckiest")):
        link = page.locator(f"{lists} a").nth(number)
        href = link.get_attribute("href")
        link.click()
        page.locator(f"#here[href='{href}']").wait_for(state="attached")
        page.wait_for_function("(href) => location.hash === href", arg=href)
    page.evaluate("location.hash = '#step=5'; history.replaceState(null, '', '#step=3')")  # as if noted in between
    page.locator("#here[href='#step=5']").wait_for(state="attached")
    luck = page.locator("#parts tbody tr").nth(1).locator("td")
    assert luck.all_inner_texts() == ["10.0 ± 2.0", "−10.0 ± 2.0"]
    page.get_by_label("View").select_option("2")
    assert luck.all_inner_texts() == ["−5.0 ± 1.0"]
    shown = page.locator("#chance-bar").get_attribute("aria-label") or ""
    known = {round(100 * share) for share in review.known[:, 1, 0]}
    assert int(re.findall(r"anna (\d+) %", shown)[0]) in known
    ticks = page.locator("#ticks button").evaluate_all("all => all.map((it) => it.title.split(':')[0])")
    assert set(ticks) == {"bert"}
