"""A decision as a page lists it: the order and headings of actions, what tickets still need, the planner's reasons."""

import itertools
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from t2r_agents.browser.advice import reason_of, told_together
from t2r_agents.browser.decision import Decision, MapDecision, decision_of
from t2r_agents.browser.messages import decision_message
from t2r_agents.browser.reasons import route_notes
from t2r_agents.browser.view import ticket_name
from t2r_agents.playing.planner import PlannerAgent
from t2r_env import Games
from t2r_env.agents import decisions_of
from t2r_env.render.words import listed
from t2r_env.rules.snapshot import members
from tests.helpers.situations import Table, route_name, situation

JOINING = ["atlanta-raleigh", "new_york-pittsburgh", "pittsburgh-raleigh"]
"""Routes that join Atlanta and New York."""


def decision_in(games: Games) -> Decision:
    """The decision of a game of one row."""
    return decision_of(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


def by_heading(table: Table) -> dict[str, list[str]]:
    """The actions by their heading."""
    groups: dict[str, list[str]] = {}
    shown = decision_in(table.games)
    for action, description in shown.actions:
        groups.setdefault(shown.heading(action, description), []).append(shown.action_text(action, description))
    return groups


def ticket_states(table: Table) -> list[tuple[str, str, bool, str]]:
    """Each ticket with its points, whether it is completed, and what it still needs."""
    return [(it.name, it.points, it.is_done, it.needs) for it in decision_in(table.games).outlook.states()]


def offered(table: Table) -> dict[str, dict[str, int]]:
    """The cards that a page lets a person choose, by the text of the action."""
    source: Any = SimpleNamespace(decision=lambda: decision_in(table.games).given, players=())
    return {it["text"]: it["cards"] for it in decision_message(source)["actions"]}


# Actions


def test_the_claims_for_ones_tickets_come_first_until_these_are_completed_and_parallel_routes_have_tracks() -> None:
    groups = by_heading(situation(hands=["3 blue, 1 locomotive"], holds=[["montreal-new_orleans"]]))
    assert list(groups) == ["Claims for your tickets", "Other claims", "Draw"]
    assert "claim Montréal–New York (blue, 3)" in groups["Claims for your tickets"]
    table = situation(hands=["6 blue"], routes=[JOINING], holds=[["atlanta-new_york"]], tickets="classic")
    assert "Claims for your tickets" not in by_heading(table)
    groups = by_heading(situation(hands=["2 red, 2 yellow"]))
    assert "Claims for your tickets" not in groups
    claims = {f"claim Boston–Montréal (gray, 2), track {track} of 2" for track in (1, 2)}
    assert claims | {"claim Atlanta–Charleston (gray, 2)"} <= set(groups["Other claims"])


def test_uk8_a_technology_is_listed_with_its_price_and_what_it_opens_and_eu6_stations_follow_claims() -> None:
    texts = by_heading(situation(variant="united_kingdom", hands=["4 locomotive"]))["Technologies"]
    assert "buy Wales Concession for 1 locomotive: opens routes in Wales to you" in texts
    assert "buy Mechanical Stoker for 1 locomotive: opens routes of 3 spaces to you" in texts
    assert "buy Propellers for 2 locomotives: opens ferries to you" in texts
    assert "buy Booster for 2 locomotives: three cards stand for a locomotive, not four" in texts
    assert list(by_heading(situation(variant="europe", hands=["3 blue"]))) == ["Other claims", "Stations", "Draw"]


def test_a_claim_tells_the_tickets_that_it_serves_and_those_that_it_completes() -> None:
    holds = [["atlanta-new_york", "boston-miami"]]
    table = situation(hands=["6 orange, 6 green"], routes=[JOINING[:2]], holds=holds, tickets="classic")
    shown = decision_in(table.games)
    gains = {str(it): shown.gain(action, it) for action, it in shown.actions if it["action"] == "claim"}
    note = "completes Atlanta–New York; for Boston–Miami"
    assert gains["claim Pittsburgh-Raleigh (gray, 2)"] == {"points": 2, "note": note}
    assert gains["claim Chicago-Saint Louis (green, 2)"] == {"points": 2, "note": ""}


@pytest.mark.parametrize("variant", ["usa", "legendary_asia", "united_kingdom"])
def test_the_points_told_of_a_claim_are_those_that_it_brings(variant: str) -> None:
    """C10, LA5, UK8, UK10."""
    games, rng, compared = Games(variant, 2, seed=1), np.random.default_rng(1), 0
    while compared < 80:
        shown, seat = decision_in(games), int(games.current[0])
        wanted = [it for it in shown.actions if it[1]["action"] in ("claim", "buy")]
        action, description = (wanted or shown.actions)[int(rng.integers(len(wanted or shown.actions)))]
        told, before = shown.gain(action, description).get("points"), games.snapshot()["players"][seat]["score"]
        games.step([action])
        while games.snapshot()["phase"] == "pay":
            games.step([rng.choice(np.flatnonzero(games.masks[0]))])
        if description["action"] == "claim" and not games.terminated[0]:
            assert games.snapshot()["players"][seat]["score"] - before == told
            compared += 1


def test_payments_with_the_fewest_locomotives_come_first_and_then_the_colour_of_which_most_is_held() -> None:
    table = situation(hands=["3 blue, 4 red, 2 locomotive"])
    table.play("claim boston-montreal")
    assert list(offered(table))[:3] == ["Pay 2 red", "Pay 2 blue", "Pay 1 red and 1 locomotive"]


def test_each_route_is_told_with_its_points_and_why_it_cannot_be_claimed() -> None:
    taken, holds = [JOINING[:2], ["montreal-toronto"]], [["atlanta-new_york"]]
    table = situation(hands=["3 blue, 1 locomotive"], routes=taken, holds=holds, tickets="classic")
    notes = {it["text"]: (it["points"], it["note"]) for it in route_notes(decision_in(table.games), ("Anna", "Ben"))}
    assert len(notes) > 60
    assert notes["Pittsburgh–Raleigh (gray, 2)"] == (2, "completes Atlanta–New York")
    assert notes["Montréal–New York (blue, 3)"] == (4, "")
    assert notes["Montréal–Toronto (gray, 3)"] == (4, "Ben has claimed this route (C9).")
    assert notes["Portland–Salt Lake City (blue, 6)"] == (15, "You lack the cards for it: 2 blue (C9).")
    table.play("claim montreal-new_york")
    assert route_notes(decision_in(table.games), ()) == []


def test_no5_no6_and_no8_a_page_offers_the_cards_in_the_hand_and_not_what_they_were_exchanged_for() -> None:
    table = situation(variant="nordic", hands=["8 blue, 6 red, 2 locomotive"])
    table.play("claim lieksa-murmansk", "spend red", "spend red", "spend red")
    assert offered(table)["Spend 1 locomotive towards an exchange (4 of 4)"] == {"locomotive": 1}
    table.play("spend red")
    assert offered(table)["Pay 8 blue and 1 exchanged"] == {"blue": 8}
    table = situation(variant="nordic", hands=["2 purple, 6 red, 1 locomotive"])
    table.play("claim honningsvag-tromso", *["spend red"] * 3)
    assert offered(table)["Pay 2 purple and 2 locomotives"] == {"purple": 2, "locomotive": 1}
    table = situation(variant="nordic", hands=["3 locomotive"], holds=[["bergen-trondheim"]])
    shown = decision_in(table.games)
    assert isinstance(shown, MapDecision)
    names = [route_name(it["a"], it["b"], it["track"]) for it in table.snapshot["routes"]]
    assert shown.missing_cards(names.index("kajaani-lieksa")) == {"blue": 1}  # locomotives can't pay it
    assert shown.missing_cards(names.index("bergen-stavanger")) == {}


# Tickets


def test_tickets_have_their_state_and_what_they_still_need() -> None:
    taken = [["boston-new_york"], ["miami-new_orleans", "atlanta-miami", "charleston-miami"]]
    holds = ["boston-miami", "los_angeles-new_york"]
    assert ticket_states(situation(holds=[holds], routes=taken, trains=[12])) == [
        ("Boston–Miami", "12", False, "no way is left"),
        ("Los Angeles–New York", "20", False, "needs 20 trains, you have 12"),
    ]
    table = situation(holds=[["los_angeles-new_york"]], routes=taken, trains=[20])
    assert ticket_states(table)[0][3].endswith(" · 20 trains")
    table = situation(holds=[["atlanta-new_york"]], routes=[JOINING], tickets="classic")
    assert ticket_states(table) == [("Atlanta–New York", "6", True, "")]
    table = situation(hands=["3 white, 1 red"], holds=[["atlanta-new_york"]], tickets="classic")
    assert ticket_states(table) == [("Atlanta–New York", "6", False, "needs 2 any colour · 6 trains")]


def test_cg10_the_tickets_of_the_card_game_say_which_cards_are_missing_and_the_best_are_completed_first() -> None:
    games = Games("card_game", seed=3, autoreset=False)
    compared = completed = 0
    for moves in itertools.count():
        games.play_random(1, seed=moves)
        if games.terminated[0]:
            break
        shown, player = decision_in(games), games.snapshot()["players"][games.current[0]]
        points = [it["ticket"][2] for _, it in shown.actions if it["action"] == "complete"]
        if points:
            assert points == sorted(points, reverse=True)
            assert shown.actions[-1][1]["action"] == "stop"
            completed = max(completed, len(points))
        if moves % 9:
            continue
        pile = player["on_track"]
        kept = [it["ticket"] for it in shown.snapshot["pending"] if it["action"] == "keep_ticket"]
        tickets = player["tickets"] + kept + player["offered"]
        for (_, _, _, cards), state in zip(tickets, shown.outlook.states(), strict=True):
            missing = sum(max(0, number - pile[colour]) for colour, number in cards.items()) - pile["locomotive"]
            assert state.is_done is (missing <= 0)
            assert sum(map(int, re.findall(r"\d+", state.needs))) == max(0, missing)
            assert state.cards == cards
            compared += missing > 0
    assert compared > 3
    assert completed > 2


def test_sw8_a_ticket_to_several_countries_needs_the_nearest_and_then_tells_its_points() -> None:
    states = []
    for routes in ([], ["schaffhausen-zurich", "deutschland_schaffhausen-schaffhausen"]):
        holds = [["zurich-deutschland;france;italia;osterreich"]]
        states += ticket_states(situation(variant="switzerland", routes=[routes], hands=["1 yellow"], holds=holds))
    ticket = ("Zürich–Deutschland / France / Italia / Österreich", "3 / 7 / 11 / 7")
    assert states == [(*ticket, False, "needs 1 blue, 1 white · 3 trains"), (*ticket, True, "3 points")]


# The planner's reasons: they are those of the choice that it makes, and what they say of the plan is true


@pytest.mark.parametrize("variant", ["nordic", "pennsylvania", "team_asia", "card_game"])
def test_each_choice_of_the_planner_has_a_reason_in_a_sentence(variant: str) -> None:
    games, agent, told = Games(variant, None, seed=2), PlannerAgent(), set()
    for step in range(150):
        shown = decision_in(games)
        (action,) = agent.act(shown.given)
        if step % 4 == 0:
            reason = reason_of(shown, int(action))
            assert re.fullmatch(r"[A-Z][^_{}\[\]]*\.", reason), reason
            told.add(reason)
        games.step([action])
    assert len(told) > 5


@pytest.mark.parametrize("variant", ["usa", "card_game", "switzerland"])
def test_the_tickets_told_together_are_those_that_the_planner_keeps_one_by_one(variant: str) -> None:
    games, agent = Games(variant, 2, seed=4), PlannerAgent()
    first = decision_in(games)
    told = told_together(first)
    while games.current[0] == 0:
        games.step(agent.act(decision_in(games).given))
    kept = members([games.states[0]["kept"][0]])
    names = [ticket_name(first.own["offered"][index], first.configuration) for index in kept]
    assert told["kept"] == names
    assert told["text"] == f"keep {listed(names)}"


def test_a_card_is_drawn_for_the_plan_that_lacks_it_and_a_claim_names_the_ticket() -> None:
    holds, face_up = ["montreal-new_orleans"], "blue, red, red, red, red"
    table = situation(hands=["1 blue"], face_up=face_up, holds=[holds], tickets="classic")
    shown = decision_in(table.games)
    blue = next(number for number, it in shown.actions if it.get("card") == "blue")
    assert re.fullmatch(r"Its plan lacks \d+ blue\.", reason_of(shown, blue))
    table = situation(hands=["3 blue"], routes=[JOINING[:2]], holds=[["atlanta-new_york"]], tickets="classic")
    shown = decision_in(table.games)
    claim = next(number for number, it in shown.actions if str(it).startswith("claim Pittsburgh-Raleigh"))
    assert reason_of(shown, claim) == "It completes Atlanta–New York: 2 points."
    assert told_together(shown) == {}  # no tickets are chosen
