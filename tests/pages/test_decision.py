"""What a page tells of a decision: actions, reasons why not, what tickets need and the shortest ways, advice."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx
import numpy as np
import pytest

from t2r_agents.browser.advice import reason_of, told_together
from t2r_agents.browser.decision import Decision, MapDecision, decision_of
from t2r_agents.browser.messages import decision_message, moment_message
from t2r_agents.browser.reasons import route_notes, why_not
from t2r_agents.browser.table import Table as BrowserTable
from t2r_agents.browser.tables import Tables
from t2r_agents.browser.view import ticket_name
from t2r_agents.browser.ways import Way, find_missing, find_ways
from t2r_agents.playing.planner import PlannerAgent
from t2r_env import Games, configure
from t2r_env.agents import decisions_of
from t2r_env.render.words import listed
from t2r_env.rules.snapshot import members
from tests.helpers.maps import load_map, map_variant
from tests.helpers.recorded import game_of
from tests.helpers.situations import Table, route_name, situation
from tests.pages.serving import after, play

JOINING = ["atlanta-raleigh", "new_york-pittsburgh", "pittsburgh-raleigh"]
"""Routes that join Atlanta and New York."""


def decision_in(games: Games) -> Decision:
    """The decision of a game of one row."""
    return decision_of(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


def by_heading(table: Table) -> dict[str, list[str]]:
    groups, shown = defaultdict(list), decision_in(table.games)
    for it in shown.actions:
        groups[shown.heading(*it)].append(shown.action_text(*it))
    return groups


def ticket_states(table: Table) -> list[tuple[str, str, bool, str]]:
    """Each ticket with its points, whether it is completed, and what it still needs."""
    return [(it.name, it.points, it.is_done, it.needs) for it in decision_in(table.games).outlook.states()]


def offered(table: Table) -> dict[str, dict[str, int]]:
    """The cards that a page lets a person choose, by the text of the action."""
    source: Any = SimpleNamespace(decision=lambda: decision_in(table.games).given, players=())
    return {it["text"]: it["cards"] for it in decision_message(source)["actions"]}


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


def test_uk8_turbines_bring_points_for_ferries_and_lagging_for_all_routes() -> None:
    def points(*held: str) -> list[int]:
        table = situation(variant="united_kingdom", technologies=[held])
        return [it["points"] for it in route_notes(decision_in(table.games), ())]

    routes = map_variant(situation(variant="united_kingdom").games.configuration).routes
    assert points("steam_turbines") == [it + 2 * bool(route.ferry) for it, route in zip(points(), routes, strict=True)]
    assert points("boiler_lagging") == [it + 1 for it in points()]


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
    compared = completed = 0
    for moves, games in enumerate(game_of("random", "card_game", 2, seed=1).games()):
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
    table = situation(face_up="blue, red, red, red, red", holds=[["montreal-new_orleans"]], tickets="classic")
    shown = decision_in(table.games)
    blue = next(number for number, it in shown.actions if it.get("card") == "blue")
    assert re.fullmatch(r"Its plan lacks \d+ blue\.", reason_of(shown, blue))
    table = situation(hands=["3 blue"], routes=[JOINING[:2]], holds=[["atlanta-new_york"]], tickets="classic")
    shown = decision_in(table.games)
    claim = next(number for number, it in shown.actions if str(it).startswith("claim Pittsburgh-Raleigh"))
    assert reason_of(shown, claim) == "It completes Atlanta–New York: 2 points."
    assert told_together(shown) == {}  # no tickets are chosen


# Why something can't be done now


SWITZERLAND, NORDIC, EUROPE = ({"variant": name} for name in ("switzerland", "nordic", "europe"))
UK = {"variant": "united_kingdom", "technologies": [["scotland_concession"]]}
LOCOMOTIVE: dict[str, Any] = {"face_up": "locomotive, red, red, blue, blue", "plays": ["draw_deck"]}
THREE_STATIONS = ["london", "wien", "roma"]
LACKS, SECOND = "You lack the cards for it:", "Not now: Choose a second card"
TWO_CARDS = "You lack the cards for a station: 2 cards of one colour (EU6)."
CLOSED = "It is closed by a claim of a parallel route (C11)."
NOT_FILLED = "The slot is empty: the deck had no card to fill it (C3)."
NOT_PAID = "Locomotives can't be paid for it (NO5, SW5)."
THREE = "3 coloured cards stand for a locomotive (UK5, NO6)."
ANY_FOUR = "Any 4 cards stand for one of the colour paid, a locomotive alone for none (NO5, NO8)."


@pytest.mark.parametrize(
    ("position", "target", "reason"),
    [
        ({"routes": [["calgary-seattle"]]}, "calgary seattle 0", "You have claimed this route already (C9)."),
        ({"routes": [[], ["calgary-seattle"]]}, "calgary seattle 0", "player_1 has claimed this route (C9)."),
        ({"routes": [[], ["boston-montreal"]]}, "boston montreal 1", CLOSED),
        ({"hands": ["3 blue"], "plays": ["draw_deck"]}, "montreal new_york 0", SECOND),
        ({"trains": [3]}, "calgary seattle 0", "It takes 4 trains, and you have 3 (C9)."),
        ({"trains": [4]}, "calgary seattle 0", f"{LACKS} 4 of one colour (C9)."),
        (SWITZERLAND | {"hands": ["9 locomotive"]}, "baden olten 0", f"{LACKS} 2 purple (C9). {NOT_PAID}"),
        (SWITZERLAND | {"hands": ["8 red"]}, "baden olten 0", f"{LACKS} 2 purple (C9)."),
        (SWITZERLAND | {"hands": ["1 locomotive"]}, "basel olten 0", f"{LACKS} 1 orange (C9)."),
        (NORDIC | {"hands": ["1 blue"]}, "alborg goteborg 0", f"{LACKS} 1 locomotive (C9). {THREE}"),
        (NORDIC | {"hands": ["8 locomotive"]}, "lieksa murmansk 0", f"{LACKS} 9 of one colour (C9). {ANY_FOUR}"),
        (UK, "aberdeen inverness 0", "It takes a technology that you lack: Mechanical Stoker (UK6)."),
        ({}, {"city": "boston"}, "Nothing is built in cities: point at a route to claim it (C9)."),
        (EUROPE | {"stations": [["paris"]]}, {"city": "paris"}, "You have a station there (EU6)."),
        (EUROPE | {"stations": [[], ["paris"]]}, {"city": "paris"}, "player_1 has a station there (EU6)."),
        (EUROPE | {"stations": [THREE_STATIONS]}, {"city": "paris"}, "You have no station left (EU6)."),
        (EUROPE, {"city": "paris"}, "You lack the cards for a station: 1 card of one colour (EU6)."),
        (EUROPE | {"stations": [["wien"]], "hands": ["1 red"]}, {"city": "paris"}, TWO_CARDS),
        (EUROPE | {"hands": ["1 red"], "plays": ["draw_deck"]}, {"city": "paris"}, SECOND),
        (LOCOMOTIVE, {"slot": 0}, "A face-up locomotive can't be the second card (C8)."),
        (LOCOMOTIVE | SWITZERLAND, {"slot": 0}, SECOND),  # SW4
        (LOCOMOTIVE | NORDIC, {"slot": 0}, SECOND),  # NO4
        ({"deck": "", "face_up": "-, red, red, blue, blue"}, {"slot": 0}, NOT_FILLED),
        ({"deck": ""}, {"pile": "deck"}, "The deck is empty (C2)."),
        ({"ticket_deck": []}, {"pile": "tickets"}, "No tickets are left to draw (C12)."),
        ({"plays": ["draw_deck"]}, {"pile": "tickets"}, SECOND),
        ({}, {"pile": "discard"}, "Nobody takes cards from the discard (C2)."),
    ],
)
def test_what_cannot_be_done_has_its_reason(position: dict[str, Any], target: Any, reason: str) -> None:
    """C2, C3, C8, C9, C11, C12, EU6, NO4, NO5, NO6, NO8, SW4, SW5, UK5, UK6."""
    table = situation(**{name: it for name, it in position.items() if name != "plays"})
    table.play(*position.get("plays", ()))
    if isinstance(target, str):
        a, b, track = target.split()
        target = {"route": [a, b, int(track)]}
    assert why_not(decision_in(table.games), target) == reason


# The shortest ways left on a map


def way(table: Table, a: str, b: str) -> Way:
    (found,) = find_ways(table.games.configuration, table.games.views([0]), [(a, b)])
    return found


@pytest.mark.parametrize(
    ("variant", "players"), [("usa", 2), ("usa", 4), ("new_york", 3), ("legendary_asia", 2), ("pennsylvania", 5)]
)
def test_a_way_takes_the_fewest_trains_over_open_routes_and_the_seats_own(variant: str, players: int) -> None:
    """C9, C11, C16: also which routes lie on some such way, and which cities stand for a region."""
    games = Games(variant, players, seed=7, autoreset=False)
    loaded, rng, seen = map_variant(games.configuration), random.Random(1), set()
    ends = [it.id for it in loaded.cities] + sorted({it.region for it in loaded.cities if it.region})
    for moves in (0, 40, 80, 120, 160):
        games.play_random(moves, seed=moves)
        if games.terminated[0]:
            break
        position = decision_in(games).given.position(0)
        trains = position.trains[position.seat]
        is_open = [it for it in position.routes if it.is_open and it.trains <= trains]
        graph = networkx.MultiGraph((it.a, it.b, {"weight": it.trains}) for it in is_open)
        graph.add_edges_from((it.a, it.b, {"weight": 0}) for it in position.routes if it.is_own)
        graph.add_nodes_from(it.id for it in loaded.cities)
        pairs = [(a, b) for a, b in (rng.sample(ends, 2) for _ in range(12))]
        pairs += [(it.a, it.b) for it in position.routes if it.is_own][:1]
        for (a, b), found in zip(pairs, find_ways(games.configuration, games.views([0]), pairs), strict=True):
            starts, goals = position.cities(a), position.cities(b)
            there, back = (networkx.multi_source_dijkstra_path_length(graph, it) for it in (starts, goals))
            shortest = min((there[city] for city in goals if city in there), default=None)
            assert (found.is_possible, found.is_complete) == (shortest is not None, shortest == 0)
            seen.add((found.is_possible, found.is_complete))
            if shortest is not None:
                assert found.trains == shortest == sum(position.routes[it].trains for it in found.routes)
                reached = [it for it in is_open if it.a in there and it.a in back]
                on_ways = {
                    it.number
                    for it in reached
                    if min(there[it.a] + back[it.b], there[it.b] + back[it.a]) + it.trains == shortest
                }
                assert found.choices == on_ways
                assert on_ways.issuperset(found.routes)
    assert {(True, False), (True, True)} <= seen


def test_the_missing_cards_are_counted_by_the_colour_of_the_route_each_card_once() -> None:
    """C9: locomotives stand for the colours of which most is missing."""
    table = situation(hands=["1 blue, 2 red"])
    assert way(table, "montreal", "new_york").missing == {"blue": 2}
    assert way(table, "atlanta", "charleston").missing == {}  # two red pay the gray route
    table = situation(hands=["1 blue, 1 locomotive"])
    assert way(table, "montreal", "new_york").missing == {"blue": 1}
    assert way(table, "atlanta", "charleston").missing == {}
    assert way(situation(), "atlanta", "charleston").missing == {"gray": 2}
    table = situation(variant="pennsylvania", hands=["5 red"])
    assert way(table, "ontario", "buffalo").missing == {"locomotive": 1}
    table = situation(hands=["3 white"])
    white = {number: it.length for number, it in enumerate(load_map("usa").routes) if it.colour == "white"}
    missing = find_missing(table.games.configuration, table.games.views([0]), [*white])
    assert missing == {"white": sum(white.values()) - 3}


def test_ta2_the_cards_of_the_rack_are_not_missing_and_the_teammates_routes_are_the_seats_own() -> None:
    table = situation(4, variant="team_asia", racks=["9 white, 9 purple"], routes=[[], ["bangalore-bombay"]])
    assert way(table, "bangalore", "bombay").is_complete
    assert way(table, "delhi", "karachi").missing == {}
    assert way(situation(4, variant="team_asia"), "delhi", "karachi").missing == {"purple": 3}
    assert way(situation(4, variant="team_asia", racks=["9 purple"], to_move=1), "delhi", "karachi").missing == {}


def test_uk6_the_technologies_that_a_way_needs_take_locomotives() -> None:
    table = situation(variant="united_kingdom", technologies=[["scotland_concession"]], hands=["9 purple"])
    assert way(table, "aberdeen", "inverness").missing == {"locomotive": 1}


# Beside the map: hands, piles, players and tickets, as one seat knows them


def played(folder: Path, variant: str, players: int = 2) -> Iterator[BrowserTable]:
    """A game of people with windows of their own, before each of random actions and at the end."""
    table = Tables(folder).begin(variant, configure(variant, players), [None] * players, own_windows=True, seed=3)
    rng = np.random.default_rng(0)
    yield table
    while not table.is_over:
        table.take(table.number, int(rng.choice(np.flatnonzero(table.games.masks[0]))))
        yield table


def sent(table: BrowserTable, seat: int) -> Any:
    """The last message to a seat."""
    return moment_message(table, seat, len(table.steps[seat]) - 1, (1200, 800), whole_log=False)


def test_of_the_cards_and_tickets_of_others_a_seat_is_sent_the_number_until_the_game_is_over(tmp_path: Path) -> None:
    """Its own it sees always, with what tickets need. A message names the routes claimed since the one before."""
    hidden, named = 0, []
    for table in played(tmp_path, "new_york"):
        message, snapshot = sent(table, 0), table.games.snapshot()
        named += [tuple(route) for route in message["changed"]] if message["log"] else []
        if not table.is_over:
            own = [it for it in message["view"]["tickets"] if not it["where"]]
            assert len(own) == len(snapshot["players"][0]["tickets"]) == message["view"]["players"][0]["tickets"]
            assert all(it["is_done"] or it["needs"] for it in own)
            other = message["view"]["players"][1]
            hidden += other["hand"].get("unknown", 0)
            assert other["held"] == []
            assert other["cards"] == sum(snapshot["players"][1]["hand"].values())
            assert other["tickets"] == len(snapshot["players"][1]["tickets"])
    assert hidden > 20
    assert message["stages"][-1]["totals"] == [it["score"] for it in snapshot["final"]]
    for player, entry in zip(message["view"]["players"], snapshot["players"], strict=True):
        assert player["hand"] == {card: number for card, number in entry["hand"].items() if number}
        assert len(player["held"]) == len(entry["tickets"])
    assert set(named) == {(it["a"], it["b"], it["track"]) for it in snapshot["routes"] if it["owners"]}


def test_cg10_no_ticket_left_at_the_end_of_the_card_game_is_completed(tmp_path: Path) -> None:
    *_, table = played(tmp_path, "card_game")
    left = [ticket for seat in range(2) for ticket in sent(table, seat)["view"]["tickets"]]
    assert left
    assert not any(ticket["is_done"] for ticket in left)


def test_who_watches_through_the_eyes_of_a_seat_is_not_told_that_it_is_their_turn(tmp_path: Path) -> None:
    for people, line in ((None, "Your turn"), ("random", "’s turn")):
        table = Tables(tmp_path).begin("new_york", configure("new_york", 2), [people, people], seed=3)
        play(table, until=after(1))
        assert sent(table, table.games.current[0])["headline"].endswith(line)
