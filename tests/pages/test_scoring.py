"""The lobby's dialog that scores a game played at a table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from t2r_agents.browser.scoring import form_message
from t2r_env import VARIANTS, configure
from t2r_env.score_sheet import player_keys
from tests.pages.serving import Look, Served


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_form_of_a_game_offers_something_for_each_list_of_a_player(variant: str) -> None:
    form = form_message({"variant": variant, "num_players": None, "options": {}})
    assert list(form["keys"]) == list(player_keys(configure(variant)))
    for key, told in form["keys"].items():
        assert bool(told["choices"]) == (key not in ("name", "technology_points"))
    assert form["neutral_shares"] == (variant == "pennsylvania")
    if companies := getattr(configure(variant).variant, "companies", ()):
        assert len(form["keys"]["shares"]["choices"]) == sum(company.shares for company in companies)


def test_a_game_can_be_scored_as_soon_as_the_page_knows_the_games(server: Served, look: Look) -> None:
    held: list[Route] = []
    page = look()
    page.route("**/games", lambda route: held.append(route))
    with page.expect_request("**/games"):
        page.goto(server.lobby)
    button = page.get_by_role("button", name="Score a game")
    expect(button).to_be_disabled()
    held.pop().continue_()
    button.click()
    expect(page.get_by_label("Game", exact=True)).to_be_visible()


def test_a_game_is_entered_and_scored_in_the_lobby(server: Served, look: Look) -> None:
    page = look(server.lobby, may_be_refused=True)
    page.get_by_role("button", name="Score a game").click()
    page.get_by_label("Game", exact=True).select_option("pennsylvania")
    expect(page.get_by_label("shares of player 1", exact=True)).to_be_visible()
    page.get_by_label("name of player 1").fill("Ann")
    for route in ("Erie - Nowhere", "Albany - Syracuse"):
        page.get_by_label("routes of player 1", exact=True).fill(route)
        page.get_by_label("routes of player 1", exact=True).press("Enter")
    for whose, share in (("player 1", "prr 1"), ("player 2", "prr 3"), ("neutral player", "prr 2")):
        page.get_by_label(f"shares of {whose}", exact=True).fill(share)
        page.get_by_label(f"shares of {whose}", exact=True).press("Enter")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Ann: route 'Erie - Nowhere': there is no city 'Nowhere'")
    page.get_by_label("Remove Erie - Nowhere").click()
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("Longest path of Ann, 6: ")
    assert page.get_by_role("row", name="routes").inner_text().split() == ["routes", "15", "0"]


def test_what_can_not_be_scored_is_refused_in_a_sentence(server: Served) -> None:
    wishes: list[tuple[str, Any]] = [
        ("score", {"variant": "/tmp", "players": [{}, {}]}),
        ("score", {"variant": "usa", "players": [{}, {}], "tickets": []}),
        ("score", [1]),
        ("score_form", {"variant": "usa", "num_players": 9}),
        ("score_form", {"variant": ["usa"]}),
        ("score_form", {"variant": "usa", "options": 1}),
    ]
    for request, wish in wishes:
        status, answer = server.wish(request, wish)
        assert status == 409
        assert re.search("must be|it has: ", answer["error"])
