"""routes.csv: what it may hold, and the errors for a wrong row."""

from pathlib import Path

import numpy as np

from t2r_env import configure
from tests.helpers.maps import load_map
from tests.variants.folders import change, check_refusal, refusal, refusals


def test_c14_la5_pa4_a_route_has_locomotive_symbols_xs_and_companies(full_folder: Path) -> None:
    routes = load_map(full_folder).routes
    assert [route.companies for route in routes[2:5]] == [("sbb", "fs"), ("fs", "sbb"), ()]
    assert [(route.ferry, route.mountain, route.exchange) for route in routes[2:5]] == [(0, 1, 3), (2, 0, 3), (0, 2, 3)]
    rules = configure(full_folder).rules[0]
    assert rules.route_trains[:9].tolist() == [2, 2, 3, 4, 5, 1, 1, 1, 4]
    assert [np.bitwise_count(routes).sum() for routes in rules.up_to_trains[:7]] == [0, 3, 5, 6, 8, 9, 9]


def test_ta9_uk4_uk7_a_routes_marks_are_read(full_folder: Path) -> None:
    routes = load_map(full_folder).routes
    assert [number for number, route in enumerate(routes) if route.stays_open] == [1, 2]
    assert [number for number, route in enumerate(routes) if route.separate] == [3]
    assert [number for number, route in enumerate(routes) if route.no_technology] == [8]


def test_ta10_a_route_may_be_a_tunnel(team_folder: Path) -> None:
    assert [route.tunnel for route in load_map(team_folder).routes] == [3, 0, 0, 8, 0, 0, 0, 0, 0]


ROUTE = "bern,zurich,1,2,green"


WRONG_ROUTES = r"""
routes.csv:1 | a,b,track,length,colour | a,b,track,length
    column 'colour' is missing; allowed are a, b, track, length, colour, stays_open, separate, ferry, mountain,
    tunnel, companies, no_technology, exchange, confidence
routes.csv:1 | a,b,track,length,colour | a,b,track,length,color
    unknown column 'color'; allowed are a, b, track, length, colour, stays_open, separate, ferry, mountain, tunnel,
    companies, no_technology, exchange, confidence
routes.csv:4 | bern,zurich,1,2,green | berne,zurich,1,2,green
    a must be the id of a city in cities.csv, not 'berne'
routes.csv:4 | bern,zurich,1,2,green | bern,italy,0,2,green
    b must be the id of a city in cities.csv, not 'italy'
routes.csv:4 | bern,zurich,1,2,green | bern,bern,0,2,green
    b must be another city than a, not 'bern'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,0,2,green
    track must be 1, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '0'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,2,2,green
    track must be 1, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '2'
routes.csv:2 | bern,geneva,0,2,red | bern,geneva,1,2,red
    track must be 0, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '1'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,3,2,green
    track must be an integer from 0 to 2, not '3'
routes.csv:4 | bern,zurich,1,2,green | zurich,bern,0,2,green
    a and b must be 'bern' and 'zurich', as in the first row of these parallel routes, not 'zurich' and 'bern'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,0,green
    length must be an integer from 1 to 15, not '0'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,-2,green
    length must be an integer from 1 to 15, not '-2'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,16,green
    length must be an integer from 1 to 15, not '16'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,two,green
    length must be an integer from 1 to 15, not 'two'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,5,green
    length must be a length with points in variant.toml (1, 2, 3, 4), not '5'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,2,pink
    colour must be gray or a colour with train cards in variant.toml (blue, green, red), not 'pink'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,2,black
    colour must be gray or a colour with train cards in variant.toml (blue, green, red), not 'black'
routes.csv:4 | bern,zurich,1,2,green | bern,zurich,1,2,locomotive
    colour must be gray or a colour with train cards in variant.toml (blue, green, red), not 'locomotive'
"""


@refusals(WRONG_ROUTES, ("routes.csv:130", ROUTE, ROUTE + ("\n" + ROUTE) * 120, "at most 128 routes are allowed"))
def test_a_wrong_route_is_refused(folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(folder, where, old, new, message)


WRONG_SYMBOLS = r"""
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,3,1,sbb;fs
    ferry must be an integer from 0 to 2, not '3'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,-1,1,sbb;fs
    ferry must be an integer from 0 to 2, not '-1'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,yes,1,sbb;fs
    ferry must be an integer from 0 to 2, not 'yes'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,,1,sbb;fs
    ferry must be an integer from 0 to 2, not ''
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,-1,sbb;fs
    mountain must be an integer from 0 to 13, not '-1'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,14,sbb;fs
    mountain must be an integer from 0 to 13, not '14'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,X,sbb;fs
    mountain must be an integer from 0 to 13, not 'X'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,1,sbb;db
    companies must be ids of companies.csv with semicolons between (sbb, fs), not 'db'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,1,"sbb,fs"
    companies must be ids of companies.csv with semicolons between (sbb, fs), not 'sbb,fs'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,1,sbb; fs
    companies must be ids of companies.csv with semicolons between (sbb, fs), not ' fs'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,1,sbb;
    companies must be ids of companies.csv with semicolons between (sbb, fs), not ''
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs | bern,zurich,1,2,green,0,1,sbb;sbb
    companies must be ids that stand only once each, not 'sbb;sbb'
routes.csv:4 | bern,zurich,1,2,green,0,1,sbb;fs,1,, | bern,zurich,1,2,green,0,1,sbb;fs,often,,
    stays_open must be 1, 0 or nothing, not 'often'
routes.csv:3 | bern,zurich,0,2,blue,0,0,,1,0, | bern,zurich,0,2,blue,0,0,,1,2,
    separate must be 1, 0 or nothing, not '2'
routes.csv:9 | como,milan,0,1,blue,0,0,fs,,,0 | como,milan,0,1,blue,0,0,fs,,,maybe
    no_technology must be 1, 0 or nothing, not 'maybe'
"""


@refusals(WRONG_SYMBOLS)
def test_a_wrong_symbol_of_a_route_is_refused(full_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(full_folder, where, old, new, message)


WRONG_TUNNELS = r"""
routes.csv:5 | bern,lugano,0,4,gray,8 | bern,lugano,0,4,gray,-1
    tunnel must be an integer from 0 to 8, not '-1'
routes.csv:5 | bern,lugano,0,4,gray,8 | bern,lugano,0,4,gray,9
    tunnel must be an integer from 0 to 8, not '9'
routes.csv:5 | bern,lugano,0,4,gray,8 | bern,lugano,0,4,gray,long
    tunnel must be an integer from 0 to 8, not 'long'
"""


@refusals(WRONG_TUNNELS)
def test_a_wrong_tunnel_is_refused(team_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(team_folder, where, old, new, message)


def test_a_route_longer_than_a_players_trains_is_refused(folder: Path) -> None:
    change(folder / "variant.toml", "trains = 15", "trains = 3")
    assert refusal(folder) == (
        "routes.csv:5: length must be at most 3, the trains of a player in variant.toml, not '4'"
    )


def test_a_mountain_route_that_takes_more_than_a_players_trains_is_refused(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "trains = 15", "trains = 4")
    assert refusal(full_folder) == (
        "routes.csv:6: mountain must be at most 1, the trains that a player has left, not '2'"
    )


def test_a_ferry_of_more_symbols_than_there_are_locomotives_is_refused(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting_locomotives = 1\n", "")
    change(full_folder / "variant.toml", "locomotive = 6", "locomotive = 1")
    assert refusal(full_folder) == "routes.csv:5: ferry must be an integer from 0 to 1, not '2'"
