"""What a person can type besides an action, and how claims are listed."""

import io
import re
from pathlib import Path

import numpy as np
import pytest

from t2r_agents.human import PROMPT, HumanAgent
from t2r_agents.human.commands import COMMANDS
from t2r_env import Games
from t2r_env.agents import decisions_of, find_agent
from t2r_env.render.signs import SIGNS
from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants.variant import GRAY
from tests.agents.test_human import (
    BY_EXCHANGES,
    CARDS_ALONE,
    FOR_TICKETS,
    WITH_LOCOMOTIVES,
    decided,
    listed,
    shown,
)
from tests.playing import every_variant_once
from tests.situations import Table, deal, situation

SCREEN = 80

JOINING = ["atlanta-raleigh", "new_york-pittsburgh", "pittsburgh-raleigh"]
"""Routes that join Atlanta and New York."""


def reply(table: Table, typed: str) -> str:
    """What is shown after a line is typed."""
    _, screen = shown(table.games, f"{typed}\n1\n")
    return screen.split(PROMPT)[1].partition("\n")[2]


# Claims


def test_claims_are_grouped_by_what_the_hand_can_pay() -> None:
    """C9: coloured cards alone first; what each route takes is told where its colour does not say it."""
    groups = listed(situation(hands=["2 red, 1 black, 1 locomotive"]))
    assert "Boston-New York 2/2 R2" in groups[CARDS_ALONE]
    assert "Atlanta-Charleston A2: R" in groups[CARDS_ALONE]
    assert "Atlanta-Nashville A1: K/R" in groups[CARDS_ALONE]
    assert "Chicago-Duluth R3: 2R + 1L" in groups[WITH_LOCOMOTIVES]
    assert "New York-Washington 2/2 K2: 1K + 1L" in groups[WITH_LOCOMOTIVES]
    assert FOR_TICKETS not in groups
    assert BY_EXCHANGES not in groups
    assert not set(groups[CARDS_ALONE]) & set(groups[WITH_LOCOMOTIVES])


def test_every_claim_is_listed_once() -> None:
    table = situation(hands=["3 red, 2 black, 2 white, 1 locomotive"], holds=[["boston-miami"]])
    claims = [it for it in np.flatnonzero(table.games.masks[0]) if table.games.describe(it)["action"] == "claim"]
    assert sum(map(len, listed(table).values())) == len(claims) > 50


def test_parallel_routes_are_told_apart_by_track_and_colour() -> None:
    groups = listed(situation(hands=["2 red, 2 yellow"]))
    assert {"Boston-New York 1/2 Y2", "Boston-New York 2/2 R2"} <= set(groups[CARDS_ALONE])
    assert {"Boston-Montréal 1/2 A2: Y/R", "Boston-Montréal 2/2 A2: Y/R"} <= set(groups[CARDS_ALONE])
    games = situation(hands=["2 red, 2 yellow"]).games
    tracks = [shown(games, f"boston-montreal {track}/2\n")[0][0] for track in (1, 2)]
    assert tracks[1] == tracks[0] + 1
    assert decided(games, "boston-new york 2/2\n") == "claim Boston-New York (red, 2)"


def test_ta9_a_triple_route_has_three_tracks() -> None:
    groups = listed(situation(4, variant="team_asia", hands=["6 red, 6 white, 6 yellow, 3 locomotive"]))
    assert [cell for cells in groups.values() for cell in cells if " 3/3 " in cell]


def test_the_routes_of_ones_tickets_come_first_and_are_marked() -> None:
    table = situation(hands=["3 blue, 1 locomotive"], holds=[["montreal-new_orleans"]])
    groups = listed(table)
    assert next(iter(groups)) == FOR_TICKETS
    assert "*Montréal-New York B3" in groups[FOR_TICKETS]
    assert all(cell.startswith("*") for cell in groups[FOR_TICKETS])
    assert not any(cell.startswith("*") for name, cells in groups.items() if name != FOR_TICKETS for cell in cells)
    _, screen = shown(table.games, "1\n")
    assert re.search(r"For your tickets, not yet: .*missing", screen)


def test_a_completed_ticket_marks_nothing() -> None:
    table = situation(hands=["6 blue"], routes=[JOINING], holds=[["atlanta-new_york"]], tickets="classic")
    assert FOR_TICKETS not in listed(table)


def test_pa2_a_ferry_takes_its_locomotives() -> None:
    groups = listed(situation(variant="pennsylvania", hands=["4 red, 1 locomotive"]))
    assert "Buffalo-Ontario 1/2 A1 f1 prr erl nyc: 1L" in groups[WITH_LOCOMOTIVES]


def test_uk5_what_only_exchanges_pay_is_a_group_of_its_own() -> None:
    groups = listed(situation(variant="united_kingdom", hands=["4 green"]))
    assert "Liverpool-Manchester 2/2 P1: exchange" in groups[BY_EXCHANGES]
    assert "Brighton-London A1: G" in groups[CARDS_ALONE]


def test_uk8_a_technology_is_listed_with_its_price_and_what_it_opens() -> None:
    table = situation(variant="united_kingdom", hands=["4 locomotive"])
    _, screen = shown(table.games, "1\n")
    assert "buy Wales Concession (1L, opens Wales)" in screen
    assert "buy Mechanical Stoker (1L, opens routes of 3)" in screen
    assert "buy Propellers (2L, opens ferries)" in screen
    assert decided(table.games, "propellers\n") == "buy Propellers"


# Commands


@every_variant_once
def test_help_lists_every_command(variant: str, players: int) -> None:
    table = Table(Games(variant, players))
    for typed in ("help", "?", "HELP"):
        text = reply(table, typed)
        assert all(command.usage in text for command in COMMANDS.values())
        assert "undo" not in text
        assert max(map(len, text.splitlines())) <= SCREEN


@every_variant_once
def test_everything_fits_the_width_of_the_screen(variant: str, players: int) -> None:
    games = Games(variant, players, seed=4, autoreset=False)
    typed = "help\nlist\nboard\nmap\ntickets\nhint\nhistory\n1\n"
    for decisions in range(8):
        games.play_random(20, seed=decisions)
        if games.terminated[0]:
            return
        _, screen = shown(games, typed)
        assert [line for line in screen.splitlines() if len(line) > SCREEN] == []


def test_the_board_has_everything_that_is_known() -> None:
    text = reply(situation(routes=[["boston-new_york"]], holds=[["montreal-new_orleans"]]), "board")
    assert "routes (1): Boston-New York (yellow, 2)" in text
    assert "tickets (1): · Montréal-New Orleans (13)" in text


def test_list_shows_the_position_and_the_actions_again() -> None:
    table = situation(hands=["3 blue"])
    _, screen = shown(table.games, "list\n1\n")
    first, again = (part.strip() for part in screen.split(PROMPT)[:2])
    assert again == f"list\n{first}"


def test_tickets_have_their_state_and_their_shortest_way() -> None:
    holds = ["boston-miami", "montreal-new_orleans", "los_angeles-new_york"]
    taken = [["boston-new_york"], ["miami-new_orleans", "atlanta-miami", "charleston-miami"]]
    text = reply(situation(holds=[holds], routes=taken, hands=["3 blue"], trains=[12]), "tickets")
    assert "· Boston-Miami (12): no way is left\n" in text
    assert "· Los Angeles-New York (20)\n    20 trains, you have 12" in text
    assert "· Montréal-New Orleans (13)\n" in text


def test_a_completed_ticket_is_marked() -> None:
    table = situation(holds=[["atlanta-new_york"]], routes=[JOINING], tickets="classic")
    assert reply(table, "tickets").startswith("✓ Atlanta-New York (6)\n")


def test_path_shows_the_shortest_way_with_its_cost() -> None:
    table = situation(hands=["1 blue"])
    assert reply(table, "path montreal new york").startswith(
        "Montréal to New York:\n    3 trains, missing 2B, 1 turn: Montréal-New York B3\n"
    )


@pytest.mark.parametrize(
    "typed", ["path san f new y", "PATH San Francisco New York", "path new york, san francisco", "path york,francisco"]
)
def test_cities_are_named_by_parts_of_their_names(typed: str) -> None:
    cities = {"San Francisco", "New York"}
    assert set(reply(situation(), typed).partition(":")[0].split(" to ")) == cities


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("path", "Name two cities, by parts of their names: path CITY CITY, or path CITY, CITY."),
        ("path boston", "Name two cities, by parts of their names: path CITY CITY, or path CITY, CITY."),
        ("path boston,", "Name two cities: path CITY, CITY."),
        ("path atlantis boston", "No city contains 'atlantis': map lists them."),
        ("path boston, zeppelin city", "No city contains 'zeppelin city': map lists them."),
        ("path san boston", "Several cities contain 'san': San Francisco, Santa Fe."),
        ("path a b c d", "'a b c d' are not two cities; put a comma between them: path CITY, CITY."),
        ("map atlantis", "No city contains 'atlantis': map shows all of them."),
        ("history yesterday", "Type history, or history all, not history yesterday."),
    ],
)
def test_a_wrong_command_gets_one_line_that_says_what_is_allowed(typed: str, message: str) -> None:
    assert reply(situation(), typed).splitlines()[0] == message


def test_cities_that_are_joined_and_cities_out_of_reach_are_told() -> None:
    taken = [["boston-new_york"], ["miami-new_orleans", "atlanta-miami", "charleston-miami"]]
    table = situation(routes=taken)
    assert reply(table, "path boston new york").startswith("Boston to New York: your routes join them already.")
    assert reply(table, "path boston miami").startswith("Boston to Miami: no way is left for you.")
    assert reply(table, "path dallas dallas").startswith("Dallas to Dallas: that is the same city.")


def test_a_region_is_an_end_of_a_path() -> None:
    """C16."""
    table = situation(variant="united_kingdom")
    assert reply(table, "path london france").startswith("London to France:\n    4 trains")
    france = [line for line in reply(table, "map").splitlines() if line.startswith("France:")]
    assert france == ["France: Dover A2 f1, Southampton A3 f1 / A3 f1"]


def test_the_map_has_every_route_at_both_its_cities_with_its_owner() -> None:
    table = situation(4, routes=[["boston-new_york"], ["boston-montreal"]])
    text = reply(table, "map")
    joined = " ".join(text.split())
    assert "Boston: Montréal A2=1 / A2, New York Y2=0 / R2x" in joined
    assert joined.count("Y2=0") == 2
    two = " ".join(reply(situation(routes=[[], ["boston-montreal"]]), "map boston").split())
    assert "Boston: Montréal A2=1 / A2x, New York Y2 / R2" in two
    assert "Atlanta" not in two
    cities = {line.partition(":")[0] for line in text.splitlines() if re.match(r"[A-Z]\w", line)}
    assert cities == {city.name for city in table.games.configuration.variant.cities} | {"B3"}


def test_the_map_marks_the_routes_that_tickets_want() -> None:
    text = " ".join(reply(situation(holds=[["montreal-new_orleans"]]), "map montr").split())
    assert "*" in text.partition("Montréal:")[2]


@every_variant_once
def test_a_hint_is_the_action_of_the_agent_for_what_the_seat_knows(variant: str, players: int) -> None:
    games = Games(variant, players, seed=2)
    for moves in range(6):
        games.play_random(11, seed=moves)
        decisions = decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64))
        for typed, name in (("hint", "planner"), ("hint greedy", "greedy")):
            (action,) = find_agent(name).act(decisions.copy())
            text = reply(Table(games), typed)
            assert text.startswith(f"{name} would choose ")
            number = re.search(r"choose (\d+): (.*)", text)
            assert number is not None
            assert shown(games, f"{number[1]}\n")[0] == [action]
            assert number[2] == str(games.describe(action))


def test_an_agent_that_can_give_no_hint_gets_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reply(situation(), "hint nobody").startswith("there is no agent 'nobody'; allowed are ")
    assert reply(situation(), "hint human").startswith("human would ask you: name another agent.\n")
    assert reply(situation(), "hint json:JSONDecoder").startswith("an agent must have a method act(decisions)")
    assert reply(situation(), "hint tests.agents.odd_agents:OutOfRange").startswith(
        "tests.agents.odd_agents:OutOfRange has failed: "
    )


def test_the_page_about_the_terminal_names_every_command() -> None:
    page = Path("docs/terminal.md").read_text(encoding="utf-8")
    for command in COMMANDS.values():
        assert f"| {', '.join(f'`{usage}`' for usage in command.usage.split(', '))} |" in page
    for name, sign in SIGNS.items():
        if name not in (GRAY, UNKNOWN):
            assert f"{sign.letter} {name}" in page


def test_history_has_what_was_told_since_the_last_turn_and_all_of_it() -> None:
    screen = io.StringIO()
    agent = HumanAgent(keyboard=io.StringIO("history\n1\n1\nhistory\n1\nhistory\nhistory all\n1\n"), screen=screen)
    games = Games("usa", seed=1)

    def act() -> list[str]:
        before = len(screen.getvalue())
        agent.act(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
        return [part.partition("\n")[2] for part in screen.getvalue()[before:].split(PROMPT)[1:]]

    assert act()[0].startswith("Nothing has been told of this game so far.\n")
    games.states["turn"] = 1
    agent.tell("player_1 draws tickets.")
    act()
    games.states["turn"] = 3
    agent.tell("player_1 claims a route.")
    assert act()[0].startswith("Turn 1:\n  player_1 claims a route.\n")
    games.states["turn"] = 5
    agent.tell("player_1 passes.")
    since, everything = act()[:2]
    assert since.startswith("Turn 3:\n  player_1 passes.\n")
    assert "claims" not in since
    assert everything.startswith(
        "Turn 0:\n  player_1 draws tickets.\nTurn 1:\n  player_1 claims a route.\nTurn 3:\n  player_1 passes.\n"
    )


def test_the_card_game_has_no_map_and_no_paths() -> None:
    table = deal(variant="card_game")
    for typed in ("map", "map boston", "path boston miami"):
        assert re.match(r"The Card Game has no (map|routes): tickets shows the cards", reply(table, typed))


def test_cg10_the_tickets_of_the_card_game_say_which_cards_are_missing() -> None:
    games = Games("card_game", seed=3, autoreset=False)
    compared = 0
    for moves in range(12):
        games.play_random(9, seed=moves)
        if games.terminated[0]:
            break
        snapshot = games.snapshot()
        player = snapshot["players"][games.current[0]]
        pile = player["on_track"]
        text = reply(Table(games), "tickets")
        for a, b, points, cards in player["tickets"]:
            missing = sum(max(0, number - pile[colour]) for colour, number in cards.items()) - pile["locomotive"]
            names = "-".join(games.configuration.text.city(it) for it in (a, b))
            line = re.search(rf"([✓·]) {re.escape(names)} \({points}: .*\n(?:    missing on track: ([^,]*),)?", text)
            assert line is not None
            assert (line[1] == "✓") is (missing <= 0)
            if missing > 0:
                assert sum(map(int, re.findall(r"\d+", line[2]))) == missing
                compared += 1
    assert compared > 3
