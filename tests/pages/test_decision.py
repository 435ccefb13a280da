"""A decision as a page lists it: the order and the headings of actions, and what tickets still need."""

import numpy as np

from t2r_agents.browser.decision import Decision, decision_of
from t2r_env import Games
from t2r_env.agents import decisions_of
from tests.situations import Table, situation

JOINING = ["atlanta-raleigh", "new_york-pittsburgh", "pittsburgh-raleigh"]
"""Routes that join Atlanta and New York."""


def decision(games: Games) -> Decision:
    return decision_of(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


def listed(table: Table) -> dict[str, list[str]]:
    """The actions by their heading."""
    groups: dict[str, list[str]] = {}
    shown = decision(table.games)
    for action, description in shown.actions:
        groups.setdefault(shown.heading(action, description), []).append(shown.action_text(action, description))
    return groups


def test_the_claims_for_ones_tickets_come_first_until_these_are_completed() -> None:
    groups = listed(situation(hands=["3 blue, 1 locomotive"], holds=[["montreal-new_orleans"]]))
    assert list(groups) == ["Draw", "Claims for your tickets", "Other claims"]
    assert "claim Montréal-New York (blue, 3)" in groups["Claims for your tickets"]
    assert "Claims for your tickets" not in listed(situation(hands=["3 blue, 1 locomotive"]))
    table = situation(hands=["6 blue"], routes=[JOINING], holds=[["atlanta-new_york"]], tickets="classic")
    assert "Claims for your tickets" not in listed(table)


def test_parallel_routes_are_told_apart_by_their_track() -> None:
    claims = listed(situation(hands=["2 red, 2 yellow"]))["Other claims"]
    assert {"claim Boston-Montréal (gray, 2) 1/2", "claim Boston-Montréal (gray, 2) 2/2"} <= set(claims)
    assert "claim Atlanta-Charleston (gray, 2)" in claims


def test_uk8_a_technology_is_listed_with_its_price_and_what_it_opens_and_eu6_stations_come_last() -> None:
    texts = listed(situation(variant="united_kingdom", hands=["4 locomotive"]))["Technologies"]
    assert "buy Wales Concession (1L, opens Wales)" in texts
    assert "buy Mechanical Stoker (1L, opens routes of 3)" in texts
    assert "buy Propellers (2L, opens ferries)" in texts
    assert list(listed(situation(variant="europe", hands=["3 blue"])))[-1] == "Stations"


def test_tickets_have_their_state_and_what_they_still_need() -> None:
    taken = [["boston-new_york"], ["miami-new_orleans", "atlanta-miami", "charleston-miami"]]
    holds = ["boston-miami", "los_angeles-new_york"]
    table = situation(holds=[holds], routes=taken, trains=[12])
    assert decision(table.games).ticket_states() == [
        ("", "· Boston-Miami (12)", "no way is left"),
        ("", "· Los Angeles-New York (20)", "20 trains, you have 12"),
    ]
    table = situation(holds=[["atlanta-new_york"]], routes=[JOINING], tickets="classic")
    assert decision(table.games).ticket_states() == [("", "✓ Atlanta-New York (6)", "")]
    table = situation(hands=["3 white, 1 red"], holds=[["atlanta-new_york"]], tickets="classic")
    assert decision(table.games).ticket_states() == [("", "· Atlanta-New York (6)", "6 trains, missing 2A")]


def test_cg10_the_tickets_of_the_card_game_say_which_cards_are_missing() -> None:
    games = Games("card_game", seed=3, autoreset=False)
    compared = 0
    for moves in range(12):
        games.play_random(9, seed=moves)
        if games.terminated[0]:
            break
        player = games.snapshot()["players"][games.current[0]]
        pile = player["on_track"]
        tickets = player["tickets"] + player["offered"]
        for (_, _, _, cards), (_, text, state) in zip(tickets, decision(games).ticket_states(), strict=True):
            missing = sum(max(0, number - pile[colour]) for colour, number in cards.items()) - pile["locomotive"]
            assert text.startswith("✓") is (missing <= 0)
            numbers = [int(it[:-1]) for it in state.removeprefix("missing ").split()]
            assert sum(numbers) == max(0, missing)
            compared += missing > 0
    assert compared > 3
