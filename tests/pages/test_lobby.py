"""The lobby: what it tells of games and their rules, pictures, and dialogs that begin a game or score one."""

import itertools
import re
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

import t2r_agents.browser
from t2r_agents.browser import server as server_module
from t2r_agents.browser.how_to_play import how_to_play, numbered_rules
from t2r_agents.browser.lobby import describe_game
from t2r_agents.browser.players import Wish
from t2r_agents.browser.scoring import form_message
from t2r_env import VARIANTS, configure
from t2r_env.score_sheet import player_keys
from t2r_env.text import rules_text
from t2r_env.variants import BONUSES
from tests.helpers.example_map import write_example_map
from tests.pages.serving import Look, Served
from tests.variants.folders import change


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_a_picture_of_a_game_is_an_svg_that_runs_and_loads_nothing(server: Served, variant: str) -> None:
    status, content, headers = server.ask("GET", f"/{server.service.token}/pictures/{variant}.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert all(it in headers["content-security-policy"] for it in ("sandbox", "default-src 'none'"))
    assert ET.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    assert (b"prefers-color-scheme" in content) == (variant != "card_game")
    assert not any(word in content for word in (b"script", b"href"))
    assert server.ask("GET", f"/{server.service.token}/pictures/{variant}.svg")[1] == content
    for path in ("/x/pictures/usa.svg", *(f"/{server.service.token}/pictures/{it}.svg" for it in ("x", "..%2f"))):
        assert server.ask("GET", path)[0] == 404


@pytest.mark.release
def test_a_game_is_begun_with_names_colours_and_levels(server: Served, look: Look) -> None:
    page = look(server.lobby, may_be_refused=True)
    page.get_by_role("button", name="United Kingdom").click()
    page.get_by_role("radio", name="3").check()
    page.get_by_label("Advanced technologies").check()
    page.get_by_label("Name at seat 1").fill("Anna")
    expect(page.locator("small[data-level=medium]").first).to_have_text("long_routes")
    page.get_by_label("Seat 2", exact=True).select_option("A person")
    page.get_by_label("Name at seat 2").fill("Anna")
    page.get_by_label("Seat 3", exact=True).select_option("Other agent…")
    page.get_by_label("Agent at seat 3").fill("no_agent")
    page.get_by_label("Colour of seat 1: blue").click()
    page.get_by_label("red", exact=True).click()
    begin = page.get_by_role("button", name="Begin")
    begin.click()
    expect(page.get_by_role("status")).to_have_text(re.compile("Each player must have another name"))
    page.get_by_label("Name at seat 2").fill("Ben")
    begin.click()
    expect(page.get_by_role("status")).to_have_text(re.compile("'no_agent' is no agent here; allowed are"))
    page.get_by_label("Seat 3", exact=True).select_option("Strong")
    page.get_by_label("Each person has a window").check()
    begin.click()
    expect(page.get_by_role("dialog").locator("li")).to_contain_text(["Anna", "Ben"])
    page.get_by_label("Close").and_(page.locator(":visible")).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#games li")).to_contain_text("United Kingdom Anna and Ben against Strong")
    for name in ("Anna", "Ben"):
        link = page.get_by_role("link", name=f"Go on as {name}")
        expect(link).to_have_attribute("href", re.compile("/table/[^/]{32}/"))
    (table,) = server.service.tables._open.values()
    assert table.configuration.options["advanced_technologies"]
    assert [(it.name, it.colour, it.agent, it.level) for it in table.players] == [
        ("Anna", 1, None, None),
        ("Ben", 0, None, None),
        ("Strong", 2, "planner", "strong"),
    ]


def test_kept_games_are_listed_in_words_and_agents_are_watched_with_keys_alone(server: Served, look: Look) -> None:
    players = [Wish(name="Anna"), Wish("greedy", "easy")]
    ended = server.begin("new_york", players, seed=1, until=lambda games: False)
    page = look(server.lobby, 390, 844)
    standing = ended.standing()
    winners = " and ".join(ended.players[seat].name for seat in standing["winners"])
    scores = " : ".join(map(str, standing["scores"]))
    expect(page.locator("#games li")).to_contain_text(f"won by {winners} {scores} · today at ")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".tile[data-variant=new_york]").press("Enter")
    page.get_by_label("Seat 1", exact=True).focus()
    page.keyboard.type("Easy")
    page.get_by_role("button", name="Watch").press("Enter")
    page.wait_for_url("**/table/**")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_a_game_is_deleted_in_the_list_once_that_is_confirmed(server: Served, look: Look) -> None:
    for name in ("Anna", "Ben"):
        server.service.tables.begin("new_york", configure("new_york", 2), [Wish(name=name), "greedy"])
    page = look(server.lobby)
    games = page.locator("#games li")
    expect(games).to_have_count(2)
    page.get_by_label("Delete New York: Anna against greedy").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Delete New York: Anna against greedy")).to_be_focused()
    assert len(server.service.tables.names()) == 2
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Ben against greedy")
    assert server.service.tables.names() == ["new_york-2"]


def test_while_rules_are_compiled_the_page_says_so(server: Served, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a server with a filled cache nothing would be seen: the count of a cold one is put in its place."""
    begun, functions = threading.Event(), itertools.count(100, 20)
    begin = server.service.tables._begin
    monkeypatch.setattr(server.service.tables, "_begin", lambda *them: begin(*them) if begun.wait(60) else None)
    monkeypatch.setattr(server_module, "functions_compiled", lambda: next(functions))
    page = look(server.lobby)
    page.get_by_role("button", name="New York").click()
    page.get_by_role("button", name="Begin").click()
    status = page.get_by_role("status")
    expect(status).to_have_text(re.compile(r"being compiled, the first time only: 20 functions, \d+ s"))
    expect(status).to_have_text(re.compile("40 functions"))
    expect(page.get_by_role("progressbar", name="Compiling the rules")).to_be_visible()
    begun.set()
    page.wait_for_url("**/table/**")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_form_of_a_game_offers_something_for_each_list_of_a_player(variant: str) -> None:
    form = form_message({"variant": variant, "num_players": None, "options": {}})
    assert list(form["keys"]) == list(player_keys(configure(variant)))
    for key, told in form["keys"].items():
        assert bool(told["choices"]) == (key not in ("name", "technology_points"))
    assert form["neutral_shares"] == (variant == "pennsylvania")
    if companies := getattr(configure(variant).variant, "companies", ()):
        assert len(form["keys"]["shares"]["choices"]) == sum(company.shares for company in companies)


def test_a_game_is_entered_as_soon_as_the_page_knows_the_games_and_scored(server: Served, look: Look) -> None:
    held, page = list[Route](), look(may_be_refused=True)
    page.route("**/games", lambda route: held.append(route))
    with page.expect_request("**/games"):
        page.goto(server.lobby)
    button = page.get_by_role("button", name="Score a game")
    expect(button).to_be_disabled()
    held.pop().continue_()
    button.click()
    page.get_by_label("Game", exact=True).select_option("pennsylvania")
    expect(page.get_by_label("shares of player 1", exact=True)).to_be_visible()
    page.get_by_label("name of player 1").fill("Ann")
    for field, entry in (
        *(("routes of player 1", "Erie - Nowhere"), ("routes of player 1", "Albany - Syracuse")),
        *(("shares of player 1", "prr 1"), ("shares of player 2", "prr 3"), ("shares of neutral player", "prr 2")),
    ):
        page.get_by_label(field, exact=True).fill(entry)
        page.get_by_label(field, exact=True).press("Enter")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Ann: route 'Erie - Nowhere': there is no city 'Nowhere'")
    page.keyboard.press("Escape")
    button.click()
    page.get_by_label("Remove Erie - Nowhere").click()
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("Longest path of Ann, 6: ")
    assert page.get_by_role("row", name="routes").inner_text().split() == ["routes", "15", "0"]
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_label("name of player 1")).to_have_value("Player 1")
    expect(page.get_by_label("Remove Albany - Syracuse")).to_have_count(0)


def test_what_can_not_be_scored_is_refused_in_a_sentence(server: Served) -> None:
    for request, wish in (
        ("score", {"variant": "/tmp", "players": [{}, {}]}),
        ("score", {"variant": "usa", "players": [{}, {}], "tickets": []}),
        ("score", [1]),
        ("score_form", {"variant": "usa", "num_players": 9}),
        ("score_form", {"variant": ["usa"]}),
        ("score_form", {"variant": "usa", "options": 1}),
    ):
        status, answer = server.wish(request, wish)
        assert (status, bool(re.search("must be|it has: ", answer["error"]))) == (409, True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_game_has_its_rules_in_sentences_its_points_its_pages_and_its_lessons(variant: str) -> None:
    """Lessons say only what holds in a game: SW4, SW5, NO4."""
    configuration = configure(variant)
    told = how_to_play(configuration)
    text = " ".join(rules_text(configuration).split())
    assert told["aim"]
    assert all(sentence in text for sentence in told["sentences"])
    assert told["pages"] == ["common", variant]
    points = dict(told["points"])
    lengths = {it.length for it in getattr(configuration.variant, "routes", ())}
    assert lengths == {int(it.removeprefix("a route of ")) for it in points if it.startswith("a route of ")}
    assert {"a completed ticket", "any other ticket"} <= set(points)
    assert len(points) > len(lengths) + 2 or not configuration.deck.bonuses
    lessons = told["lessons"]
    assert ("counted as both" in lessons["second_card"]) == (variant not in ("switzerland", "nordic"))
    assert ("route" in lessons["turn"]) == (variant != "card_game")
    assert "pay" not in lessons or ("any colour" in lessons["pay"]) == (variant not in ("switzerland", "nordic"))


def test_every_bonus_that_a_map_may_give_is_told_in_words(tmp_path: Path) -> None:
    folder = write_example_map(tmp_path)
    bonuses = ", ".join(f"{bonus} = {number}" for number, bonus in enumerate(BONUSES, 21))
    change(folder / "variant.toml", "{ longest_path = 5 }", f"{{ {bonuses} }}")
    configuration = configure(folder)
    sentences = " ".join(rules_text(configuration).split())
    points = dict(how_to_play(configuration)["points"])
    (deck,) = describe_game(configuration.variant)["decks"]
    for number in range(21, 21 + len(BONUSES)):
        assert f"At the end {number} points for " in sentences
        assert str(number) in points.values()
        assert f"{number} points for " in deck["line"]


def test_the_numbered_rules_are_those_of_the_pages_and_all_that_pages_of_games_cite() -> None:
    rules, pages = numbered_rules(), Path(__file__).parents[2] / "docs" / "rules"
    listed = {number for page in rules.values() for number in page}
    written = [page.read_text(encoding="utf-8") for page in pages.glob("*.md")]
    assert listed == {number for page in written for number in re.findall(r"^- \*\*([A-Z]+\d+)", page, re.MULTILINE)}
    source = "".join(path.read_text(encoding="utf-8") for path in Path(*t2r_agents.browser.__path__).glob("*.py"))
    cited = set(re.findall(r"\b(?:C|EU|UK|NO|SW|CG|TA|PA|LA|US|NY|IN)\d+\b", source))
    assert len(cited) > 10
    assert cited <= listed
    assert rules["common"]["C9"].startswith("Claim a route. Any free route")
    assert "\nclassic · the 30 of the 2004 box · 3 keep 2" in rules["usa"]["US5"]
    assert not re.search(r"\*\*|`", str(rules))
