"""The rules of Switzerland (SW7-SW9).

What it shares with the Nordic Countries is tested in `test_nordic_and_switzerland`. SW2, and what SW1 and SW3 say of
the start, is tested in `test_set_up`.
"""

import functools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers import situations
from tests.helpers.example_map import write_example_map
from tests.helpers.maps import load_map
from tests.helpers.networks import random_network
from tests.helpers.referee import is_completed, ticket_points
from tests.helpers.situations import Table, route_name, ticket_name

situation = functools.partial(situations.situation, variant="switzerland")
ended = functools.partial(situations.ended, variant="switzerland")

VARIANT = load_map("switzerland")

STATIONS = {"deutschland": 5, "italia": 5, "france": 4, "osterreich": 3}
"""SW7: the countries, and how many border stations each has."""

COUNTRY_TICKETS = {
    "bern-deutschland;france;italia;osterreich": [6, 5, 8, 11],
    "chur-deutschland;france;italia;osterreich": [6, 12, 5, 3],
    "lugano-deutschland;france;italia;osterreich": [12, 14, 2, 13],
    "zurich-deutschland;france;italia;osterreich": [3, 7, 11, 7],
    "deutschland-france;italia;osterreich": [5, 13, 5],
    "france-deutschland;italia;osterreich": [5, 11, 14],
    "italia-deutschland;france;osterreich": [13, 11, 6],
    "osterreich-deutschland;france;italia": [5, 14, 6],
}
"""SW8: the tickets to several countries, and their values in the same order."""

BERN, CHUR, LUGANO, ZURICH, DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH = COUNTRY_TICKETS


def as_listed(name: str) -> list[Any]:
    """A ticket to several countries as snapshots have it."""
    start, countries = name.split("-")
    return [start, countries.split(";"), COUNTRY_TICKETS[name]]


def test_sw7_four_countries_have_so_many_border_stations() -> None:
    """SW7: each is the end of one route; no other city belongs to a country."""
    assert Counter(city.region for city in VARIANT.cities if city.region) == STATIONS
    ends = Counter(city for route in VARIANT.routes for city in (route.a, route.b))
    assert {ends[city.id] for city in VARIANT.cities if city.region} == {1}
    assert len(VARIANT.cities) == 34 + 17


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        ("basel-st_gallen", ["basel-deutschland_basel", "deutschland_st_gallen-st_gallen"], 8),
        ("geneve-sion", ["france_geneve-geneve", "france_martigny-martigny", "martigny-sion"], 10),
        ("vaduz-zurich", ["osterreich_vaduz-vaduz", "osterreich_st_gallen-st_gallen", "st_gallen-zurich"], 6),
        ("bern-lugano", ["bern-interlaken", "brig-interlaken", "brig-italia_brig", "italia_lugano-lugano"], 12),
    ],
)
def test_sw7_no_path_leads_through_a_country(ticket: str, routes: list[str], points: int) -> None:
    """SW7 (ruling), C16: its stations are not joined to each other."""
    assert ended(routes=[routes], holds=[[ticket]]).parts("tickets") == [-points, 0]


TO_FRANCE = ["bern-neuchatel", "la_chaux_de_fonds-neuchatel", "france_la_chaux_de_fonds-la_chaux_de_fonds"]
TO_ITALIA = ["bern-interlaken", "brig-interlaken", "brig-italia_brig"]
"""Both from Bern."""

CHUR_VADUZ = ["chur-sargans", "sargans-vaduz"]
VADUZ_OSTERREICH = ["osterreich_vaduz-vaduz"]
VADUZ_DEUTSCHLAND = ["st_gallen-vaduz", "deutschland_st_gallen-st_gallen"]

DEUTSCHLAND_FRANCE = ["basel-deutschland_basel", "basel-delemont", "delemont-france_delemont"]
FRANCE_ITALIA = ["france_martigny-martigny", "martigny-sion", "brig-sion", "brig-italia_brig"]
DEUTSCHLAND_ITALIA = [*VADUZ_DEUTSCHLAND, *CHUR_VADUZ, "chur-davos", "davos-italia_davos"]
KREUZLINGEN = ["deutschland_kreuzlingen_east-kreuzlingen", "deutschland_kreuzlingen_west-kreuzlingen"]


def test_sw8_the_ticket_deck_has_these_tickets_to_several_countries() -> None:
    """SW8: two from each country, alike, and one each from four cities; 34 join two cities."""
    deck = situation().snapshot["ticket_deck"]
    several = [ticket for ticket in deck if not isinstance(ticket[1], str)]
    expected = [as_listed(name) for name in COUNTRY_TICKETS]
    expected += [as_listed(name) for name in (DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH)]
    assert sorted(several) == sorted(expected)
    cities = {city.id for city in VARIANT.cities if not city.region}
    others = [ticket for ticket in deck if ticket not in several]
    assert len(others) == 34
    assert all({a, b} <= cities and isinstance(points, int) for a, b, points in others)
    assert json.loads(json.dumps(deck)) == deck


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        # the example of the rules
        (BERN, [*TO_FRANCE, *TO_ITALIA], 8),
        (BERN, ["bern-solothurn"], -5),
        # the highest value among those joined, not the sum, nor the last; not that of a country that is not joined
        (CHUR, [*CHUR_VADUZ, *VADUZ_DEUTSCHLAND, *VADUZ_OSTERREICH], 6),
        # otherwise the lowest is subtracted
        (LUGANO, ["locarno-lugano"], -2),
        # a country as start is met by any of its stations
        (DEUTSCHLAND, DEUTSCHLAND_FRANCE, 5),
        # different stations for different countries, in parts of the network that don't meet
        (FRANCE, [*DEUTSCHLAND_FRANCE, *FRANCE_ITALIA], 11),
        # but France is not joined to Italia by way of Deutschland (SW7)
        (FRANCE, [*DEUTSCHLAND_FRANCE, *DEUTSCHLAND_ITALIA], 5),
    ],
)
def test_sw8_a_ticket_adds_the_highest_value_joined_or_costs_the_lowest(
    ticket: str, routes: list[str], points: int
) -> None:
    table = ended(routes=[routes], holds=[[ticket]])
    assert table.parts("tickets") == [points, 0]
    assert table.final(0)["completed" if points > 0 else "failed"] == [as_listed(ticket)]


def test_sw8_two_equal_tickets_may_be_kept_by_one_player() -> None:
    """SW8, SW2: one of two equal ones may be refused, too; then one is left."""
    for keep, left in (("keep_ticket", 2), ("refuse_ticket", 1)):
        table = situation(ticket_deck=[ITALIA, ITALIA, "basel-bern", "luzern-zurich"])
        table.play("draw_tickets")
        assert table.offered(0) == [ITALIA, ITALIA, "basel-bern"]
        table.play("keep_ticket", keep, "refuse_ticket")
        assert table.every_ticket(0) == [ITALIA] * left
        assert table.ticket_deck == ["luzern-zurich"]


def test_sw8_a_ticket_to_several_countries_is_one_ticket() -> None:
    """SW8: in every count, also when it is joined to three countries."""
    table = ended(routes=[["davos-italia_davos", "davos-osterreich_davos", "chur-davos"]], holds=[[CHUR, BERN]])
    assert table.sees("ticket_count", 1).tolist() == [0, 2]
    assert table.games.results.completed.tolist() == table.games.results.failed.tolist() == [[1, 0]]


def test_sw8_actions_name_all_its_countries_and_values() -> None:
    """SW8: as snapshots do."""
    table = situation(ticket_deck=[CHUR, "basel-bern"])
    table.play("draw_tickets")
    described = [table.games.describe(int(action)) for action in np.flatnonzero(table.games.masks[0])]
    assert json.loads(json.dumps(described)) == [
        {"action": action, "ticket": as_listed(CHUR)} for action in ("keep_ticket", "refuse_ticket")
    ]
    assert json.loads(json.dumps(table.snapshot["players"][0]["offered"][0])) == as_listed(CHUR)
    table.play("keep_ticket")
    assert table.snapshot["pending"][-1]["ticket"] == as_listed(CHUR)


def test_sw8_its_owner_sees_that_it_is_completed_once_a_country_is_joined() -> None:
    """SW8, C20: whatever the country's value; tickets are numbered in the order of the table."""
    numbers = situation().ticket_deck
    holds = [[CHUR, BERN, LUGANO]]
    table = situation(routes=[[*CHUR_VADUZ, *VADUZ_OSTERREICH, "italia_lugano-lugano"]], holds=holds)
    assert {numbers[number] for number in np.flatnonzero(table.sees("tickets", 0))} == {CHUR, BERN, LUGANO}
    assert {numbers[number] for number in np.flatnonzero(table.sees("completed", 0))} == {CHUR, LUGANO}


@pytest.mark.parametrize("shape", ["short", "cycles", "compact", "spurs", "scattered"])
def test_sw8_tickets_of_random_networks_are_worth_what_a_slow_search_finds(shape: str) -> None:
    """SW8, SW7: for all tickets to several countries, each start and each country by itself."""
    rng, seen = random.Random(shape), set[tuple[str, int]]()
    every = [*COUNTRY_TICKETS, DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH]
    for _ in range(8):
        routes = [VARIANT.routes[number] for number in random_network(shape, VARIANT, 40, False, rng)]
        table = ended(routes=[[route_name(it.a, it.b, it.track) for it in routes]], holds=[every])
        worth = {name: ticket_points(VARIANT, routes, as_listed(name)) for name in COUNTRY_TICKETS}
        assert table.parts("tickets") == [sum(worth[name] for name in every), 0]
        completed = sorted(name for name in every if is_completed(VARIANT, routes, as_listed(name)))
        assert sorted(map(ticket_name, table.final(0)["completed"])) == completed
        seen.update(worth.items())
    assert {points > 0 for _, points in seen} == {True, False}


def test_sw8_for_all_that_a_player_knows_the_other_one_of_two_equal_tickets_may_lie_anywhere() -> None:
    """SW8, C20: over 150 determinizations in the deck or in the other's hand, but never twice."""
    table = situation(holds=[[FRANCE], [FRANCE, BERN, CHUR, "basel-bern"]])
    copy, lying, held = table.games.clone(), set[int](), set[int]()
    for seed in range(150):
        copy.states[:] = table.games.determinize([0], [seed])
        drawn = Table(copy)
        assert drawn.every_ticket(0) == [FRANCE]
        everywhere = Counter([*drawn.every_ticket(0), *drawn.every_ticket(1), *drawn.ticket_deck])
        assert everywhere.total() == 46
        assert everywhere[FRANCE] == everywhere[ITALIA] == 2
        assert everywhere[BERN] == 1
        lying.add(drawn.ticket_deck.count(FRANCE))
        held.add(drawn.every_ticket(1).count(FRANCE))
    assert lying == held == {0, 1}


def test_sw8_an_own_map_may_have_tickets_to_several_cities_or_groups(tmp_path: Path) -> None:
    """SW8: by lists in the columns `b` and `points`."""
    folder = write_example_map(tmp_path)
    with (folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("main,bern,italy;zurich,9;4\nmain,italy,zurich;geneva,3;8\n")
    more: dict[str, Any] = {"variant": folder, "face_up": "red, red, red, blue, blue"}
    holds = [["bern-italy;zurich", "italy-zurich;geneva"]]
    for routes, points in (
        ([], -4 - 3),
        (["bern-zurich"], 4 - 3),
        (["bern-zurich", "zurich-lugano", "lugano-como"], 9 + 3),
        (["geneva-milan"], -4 + 8),
        (["geneva-milan", "bern-zurich"], 4 + 8),
        (["geneva-milan", "bern-geneva", "bern-zurich"], 9 + 8),
    ):
        assert ended(routes=[routes], holds=holds, **more).parts("tickets") == [points, 0]


def test_sw9_routes_to_border_stations_count_for_the_longest_path() -> None:
    """SW9, SW7: as its ends, since no path leads through a country."""
    # three spaces to Italia and three to Sion
    assert ended(routes=[["brig-italia_brig", "brig-sion"], ["geneve-yverdon"]]).parts("longest_path") == [10, 10]
    # two routes of two spaces to Italia are no path of four
    lakes = ["italia_locarno-locarno", "italia_lugano-lugano"]
    assert ended(routes=[lakes, ["olten-zurich"]]).parts("longest_path") == [0, 10]
    # from Deutschland to Deutschland by way of Kreuzlingen, whose two routes are not parallel (C11)
    assert ended(routes=[KREUZLINGEN, ["basel-delemont"]]).parts("longest_path") == [10, 10]
