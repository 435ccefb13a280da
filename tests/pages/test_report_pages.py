"""The report of a tournament in a real browser: lists that are sorted and filtered, and games that open by a click."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from t2r_agents.browser.network import LOOPBACK, listen, own_origin
from t2r_agents.browser.report_pages import ReportPages
from t2r_agents.browser.serving import Server
from t2r_agents.comparing.review.page import usual_review
from t2r_agents.comparing.tournament.terminal import write_again
from t2r_env import Replay
from t2r_env.commands import main as t2r
from t2r_env.render.page_review import PageReview
from t2r_env.render.replay_page import content_of
from tests.helpers.chromium import opened
from tests.pages.serving import Look, running


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournaments") / "results"
    command = f"tournament --variant new_york --agents greedy random racer --games 12 --seed 0 --pages 0 --out {folder}"
    assert t2r([*command.split(), "--processes", "1"]) == 0
    return folder


@contextmanager
def served(folder: Path, review: Callable[[Replay], PageReview | None] = lambda replay: None) -> Iterator[str]:
    """The address of the report of a folder."""
    with listen(LOOPBACK, port=0) as listener:
        pages = ReportPages(*write_again(folder, review=review))
        with running(Server(pages, listener)):
            yield f"{own_origin(listener)}/{pages.token}/"


def first_cells(page: Page, name: str, column: int) -> list[str]:
    """What the rows of a list say in a column."""
    return page.locator(f"[data-list={name}] tbody td:nth-child({column})").all_inner_texts()


def test_games_are_filtered_and_sorted_and_a_click_opens_one_and_leads_back(played: Path, chromium: Browser) -> None:
    with served(played) as address, opened(chromium, address) as page:
        games = page.locator("[data-list=games]")
        expect(games.locator("tbody tr")).to_have_count(12)
        games.get_by_label("agent").select_option("greedy")
        expect(games.locator("tbody tr")).to_have_count(8)
        games.get_by_label("against").select_option("random")
        expect(games.locator("tbody tr")).to_have_count(4)
        games.get_by_role("button", name="turns").click()
        turns = first_cells(page, "games", 5)
        assert turns == sorted(turns, key=int, reverse=True)
        games.get_by_role("button", name="turns").click()
        assert first_cells(page, "games", 5) == turns[::-1]
        assert games.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
        expect(games.get_by_role("status")).to_contain_text("4 of 12; won by")
        games.get_by_label("Words in a row").fill("nobody at all")
        expect(games.get_by_role("status")).to_have_text("0 of 12")
        games.get_by_label("Words in a row").fill("")
        chosen = first_cells(page, "games", 1)[0]
        games.locator("tbody a").first.click()
        page.locator("#picture svg").wait_for()
        assert page.url.endswith(f"{chosen.replace(' ', '_')}.html")
        page.locator("#back").click()
        expect(page.locator("[data-list=games] tbody tr")).to_have_count(12)


def test_tickets_are_told_with_their_intervals_and_sorted_by_value(played: Path, look: Look) -> None:
    page = look((played / "report.html").as_uri())
    tickets = page.locator("[data-list=tickets]")
    tickets.get_by_role("button", name="kept", exact=True).click()
    shares = [int(text.partition(" ")[0]) for text in first_cells(page, "tickets", 4)]
    assert shares == sorted(shares, reverse=True)
    assert "–" in first_cells(page, "tickets", 4)[0]
    tickets.get_by_role("button", name="points if kept").click()
    points = first_cells(page, "tickets", 6)
    known = [float(text.partition(" ")[0].replace("−", "-")) for text in points if text != "–"]
    assert known == sorted(known, reverse=True)
    assert all(text == "–" for text in points[len(known) :])  # what is not known comes last


def test_nothing_is_served_without_the_address_and_nothing_but_the_report_and_reviews_asked_for(played: Path) -> None:
    with served(played, usual_review) as address:
        with urlopen(f"{address}figures/tickets.csv") as answer:
            assert answer.headers["content-type"].startswith("text/csv")
        with urlopen(f"{address}replays/game_3.html") as answer:
            content = content_of(answer.read().decode())
        for path in ("figures/..%2Fgames.csv", "games.csv", "figures/nothing.svg", "replays/game_12.html", "replays/"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(address + path)
        with pytest.raises(HTTPError, match="404"):
            urlopen(address.replace(address[-10:-1], "x" * 9))
    assert content["agents"] == ["policy", "planner"]
    assert content["views"][0]["chances"][-1] in ([1, 0], [0, 1], [0.5, 0.5])
