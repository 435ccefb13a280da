"""Mistakes in the files of a game's folder: each is one error that says where it is and what is allowed."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.variants.folders import TICKET, change, refusal

OF_FOLDER = r"""
variant.toml | trains = 15 | trains = 15\nferries = 2 | unknown key 'ferries'; allowed are id, name, ...
| trains = 15\n |  | key 'trains' is missing; allowed are id, name, ...
| trains = 15 | trains = <"15"/true/65> | trains must be an integer from 1 to 64, not <'15'/True/65>
| = 15 | = 15\nruleset = <"ships"/["map_game"]> | ruleset must be one of map_game, card_game, not <'ships'/['map_game']>
| ["completed_tickets"] | ["bonus_cards"] |
    tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,
    stations_left, not ['bonus_cards']
| id = "lakes" | id = <"Lakes"/1910> | id must be an id of lowercase letters a-z, digits and _, not <'Lakes'/1910>
| name = "Lakes of the Alps" | name = " " | name must be one line of text, not ' '
| environment_version = 0 | environment_version = -1 | environment_version must be an integer from 0 to 999, not -1
| aspect = 1.3 | aspect = inf | aspect must be a number from 0.1 to 10, not inf
| min_players = 2 | min_players = 1 | min_players must be an integer from 2 to 6, not 1
| max_players = 3 | max_players = <1/7> | max_players must be an integer from 2 to 6, not <1/7>
| starting_hand = 3 | starting_hand = 0 | starting_hand must be an integer from 1 to 127, not 0
| starting_hand = 3 | starting_hand = 11 |
    train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30
| red = 8 | red = 106 | train_cards must add up to 9 cards (max_players times starting_hand and ...
| red = 8 | pink = 8 | unknown key 'train_cards.pink'; allowed are purple, blue, ...
| red = 8 | red = -8 | train_cards.red must be an integer from 0 to 127, not -8
| trains = 15 | trains = 15\nstations = <3/false> | stations must be a table, not <3/False>
| trains = 15 | trains = 15\nface_up_sweep = 1 | face_up_sweep must be true or false, not 1
| trains = 15 | trains = 15\nlocomotives_pay_for = ["ships"] | locomotives_pay_for must be a list that names each ...
| trains = 15 | trains = 15\ngrand_tour = [] | grand_tour must be a table, not []
| trains = 15 | trains = 15\ngrand_tour = { 2 = 5 } | grand_tour must be a table with an entry for one ticket, two ...
| trains = 15 | trains = 15\ngrand_tour = { 1 = 101 } | grand_tour.1 must be an integer from 0 to 100, not 101
| trains = 15 | trains = 15\nlast_round_trains = -1 | last_round_trains must be an integer from 0 to 64, not -1
| to = 2 | to = 7 | double_routes_closed_up_to must be an integer from 0 to 6, not 7
| trains = 15 | trains = 15\nturn_limit = 0 | turn_limit must be an integer from 1 to 30000, not 0
| ["completed_tickets"] | <["longest_path", "longest_path"]/"longest_path"> | tie_breaks must be a list that names ...
| 4 = 7 | 4 = 7\n16 = 90 | unknown key 'points.16'; allowed are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
| 4 = 7 | 4 = 101 | points.4 must be an integer from 0 to 100, not 101
| 1 = 1\n2 = 2\n3 = 4\n4 = 7\n |  | points must be a table with an entry for each length of a route, not {}
cities.csv:1 | y,region | region | column 'y' is missing; allowed are id, name, x, y, ...
| region | z | unknown column 'z'; allowed are id, name, x, y, ...
| region | y | each column must stand only once in id, name, x, y, y
cities.csv:4 | 0.50,0.10, | 0.50 | must have 5 cells (id, name, x, y, region), not 3
| 0.50 | Switzerland,0.50 | must have 5 cells (id, name, x, y, region), not 6
| Zürich | "Zürich | must be valid CSV: unexpected end of data
cities.csv:6 | zurich,Zürich,0.50,0.10, | \n,,,,\nzurich,Zürich,0.50,2, | y must be a number from 0 to 1, not '2'
cities.csv:4 | zurich | Zurich | id must be an id of lowercase letters a-z, digits and _, not 'Zurich'
| zurich | bern | id must be an id that no other city has, not 'bern'
| Zürich |  | name must be one line of text, not ''
| Zürich | "Zür\nich" | name must be one line of text, not 'Zür\nich'
| 0.50 | <left/nan> | x must be a number from 0 to 1, not <'left'/'nan'>
| 0.10 | -0.10 | y must be a number from 0 to 1, not '-0.10'
| 0.10, | 0.10,north east | region must be an id of lowercase letters a-z, digits and _, not 'north east'
| 0.10, | 0.10,bern | region must be a name that is no other city's id, not 'bern'
routes.csv:1 | length,colour | length | column 'colour' is missing; allowed are a, b, ...
routes.csv:4 | bern,zurich,1 | berne,zurich,1 | a must be the id of a city in cities.csv, not 'berne'
| zurich,1 | italy,0 | b must be the id of a city in cities.csv, not 'italy'
| zurich,1 | bern,0 | b must be another city than a, not 'bern'
| zurich,1 | zurich,0 | track must be 1, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '0'
routes.csv:2 | geneva,0 | geneva,1 | track must be 0, ...
routes.csv:4 | zurich,1 | zurich,3 | track must be an integer from 0 to 2, not '3'
| bern,zurich,1 | zurich,bern,0 | a and b must be 'bern' and 'zurich', as in the first row of these parallel routes, ...
| 1,2 | 1,<0/16/two> | length must be an integer from 1 to 15, not <'0'/'16'/'two'>
| 1,2 | 1,5 | length must be a length with points in variant.toml (1, 2, 3, 4), not '5'
| 2,green | 2,pink | colour must be gray or a colour with train cards in variant.toml (blue, green, red), not 'pink'
| 2,green | 2,locomotive | colour must be gray or a colour with train cards in variant.toml (blue, green, red), ...
tickets.csv:1 | deck,a | a | column 'deck' is missing; allowed are deck, a, b, points, confidence
tickets.csv:4 | main,geneva,c | mian,geneva,c | deck must be one that a ticket deck of variant.toml uses (main), not ...
| main,geneva,como | Main,geneva,como | deck must be an id of lowercase letters a-z, digits and _, not 'Main'
| como | rome | b must be the id of a city or a region of cities.csv, not 'rome'
| main,geneva,como | main,<como/italy>,como | b must be a place apart from a, not 'como'
| como,5 | como,<0/5.5/101> | points must be an integer from 1 to 100, not <'0'/'5.5'/'101'>
variant.toml | rows | row | unknown key 'ticket_decks.main.row'; allowed are rows, starting, ...
| starting = { offered = 2, keep = 1 | starting = { offered = 2 | key 'ticket_decks.main.starting.keep' is missing; ...
| default_ticket_deck = "main" | default_ticket_deck = "other" | default_ticket_deck must be one of main, not 'other'
| [ticket_decks.main] | [ticket_decks.Main] | ticket_decks must name its tables by lowercase letters a-z, digits ...
| [ticket_decks.main] | [ticket_decks] | ticket_decks.rows must be a table, not 'main'
| rows = "main" | rows = "other" | ticket_decks.main.rows must be a deck of tickets.csv (main), not 'other'
| 2, keep = 1 }\nl | 2, keep = 3 }\nl | ticket_decks.main.starting.keep must be an integer from 0 to 2, not 3
| later = { offered = 2 | later = { offered = 7 | ticket_decks.main.later.offered must be an integer from 1 to 6, not 7
| starting = { offered = 2 | starting = { offered = 3 | ticket_decks.main.starting.offered must be at most 2, ...
| later = { offered = 2, keep = 1 } | later = 2 | ticket_decks.main.later must be a table, not 2
| longest_path | beauty | unknown key 'ticket_decks.main.bonuses.beauty'; allowed are longest_path, globetrotter, ...
| longest_path = 5 | longest_path = 0 | ticket_decks.main.bonuses.longest_path must be an integer from 1 to 100, not 0
tickets.csv:4 | como | como;bern | points must be 2 numbers, as there are places in b, not '5'
| como,5 | como,5;6 | points must be 1 numbers, as there are places in b, not '5;6'
| como,5 | como;<geneva/como>,5;6 | b must be places apart from a and each other, not 'como;<geneva/como>'
| como,5 | como;rome,5;6 | b must be the id of a city or a region of cities.csv, not 'rome'
| como,5 | como;bern,5;0 | points must be an integer from 1 to 100, not '0'
variant.toml -> routes.csv:5 | trains = 15 | trains = 3 |
    length must be at most 3, the trains of a player in variant.toml, not '4'
variant.toml | = 15 | = 15\nneutral_shareholder_up_to = 2 | neutral_shareholder_up_to must be 0 without a file ...
"""

OF_FULL_FOLDER = r"""
variant.toml -> routes.csv:6 | trains = 15 | trains = 4 |
    mountain must be at most 1, the trains that a player has left, not '2'
variant.toml | trains = 15 | trains = 15\nlocomotives_pay_for = <["ferries"]/[]> |
    locomotives_pay_for must be ["routes"] with the technologies of technologies.csv, not <['ferries']/[]>
| trains = 15 | trains = 15\nstations = { prices = { 1 = 1 }, points = 4 } | stations must be left out where there ...
companies.csv -> routes.csv:10 | 3,6 | 3,6\nxyz,Nowhere,3,5 | companies must name 'xyz' of companies.csv in one row ...
variant.toml | locomotives = 1 | locomotives = <-1/3> | starting_locomotives must be an integer from 0 to 2, not <-1/3>
| exchange = 3 | exchange = 10 | exchange must be an integer from 0 to 9, not 10
| route_claims = 2 | route_claims = <0/4> | triple_route_claims must be an integer from 1 to 3, not <0/4>
| up_to = 2\nm | up_to = 7\nm | neutral_shareholder_up_to must be an integer from 0 to 6, not 7
| mountain_points = 3 | mountain_points = 101 | mountain_points must be an integer from 0 to 100, not 101
cities.csv:2 | 0.30,,1 | 0.30,,2 | attraction must be 1, 0 or nothing, not '2'
routes.csv:4 | 2,green,0 | 2,green,<3/-1/> | ferry must be an integer from 0 to 2, not <'3'/'-1'/''>
| green,0,1 | green,0,<-1/14> | mountain must be an integer from 0 to 13, not <'-1'/'14'>
| sbb;fs | sbb;<db// fs> | companies must be ids of companies.csv with semicolons between (sbb, fs), not <'db'/''/' fs'>
| sbb;fs | sbb;sbb | companies must be ids that stand only once each, not 'sbb;sbb'
| fs,1 | fs,often | stays_open must be 1, 0 or nothing, not 'often'
routes.csv:3 | 0,,1,0 | 0,,1,2 | separate must be 1, 0 or nothing, not '2'
routes.csv:9 | fs,,,0 | fs,,,maybe | no_technology must be 1, 0 or nothing, not 'maybe'
companies.csv:1 | shares,points | shares | column 'points' is missing; allowed are id, name, shares, points
companies.csv:2 | sbb | SBB | id must be an id of lowercase letters a-z, digits and _, not 'SBB'
companies.csv:3 | fs | sbb | id must be an id that no other company has, not 'sbb'
companies.csv:2 | Swiss Railways |  | name must be one line of text, not ''
| 5 | <0/65> | shares must be an integer from 1 to 64, not <'0'/'65'>
companies.csv:3 | 5 | 62 | the shares of all companies must be at most 64, not 65
companies.csv:2 | 9;4 |  | points must be the points of 1 to 7 places with semicolons between them, not ''
| 9;4 | 8;7;6;5;4;3;2;1 | points must be the points of 1 to 7 places with semicolons between them, not '8;7;6;5;4;3;2;1'
| 4 | <;4/-4> | points must be an integer from 0 to 100, not <''/'-4'>
| 9 | 101 | points must be an integer from 0 to 100, not '101'
technologies.csv:1 | copies,advanced | advanced,regions | column 'copies' is missing; allowed are id, name, ...
technologies.csv:3 | steam | Steam | id must be an id of lowercase letters a-z, digits and _, not 'Steam'
| steam | visa | id must be an id that no other technology has, not 'visa'
| Steam Engine |  | name must be one line of text, not ''
| Engine,2 | Engine,<0/10> | price must be an integer from 1 to 9, not <'0'/'10'>
| 2,2 | 2,<0/7> | copies must be an integer from 1 to 6, not <'0'/'7'>
| 2,2, | 2,2,very | advanced must be 1, 0 or nothing, not 'very'
technologies.csv:2 | italy | italy;france | regions must be regions of cities.csv with semicolons between (italy), ...
technologies.csv:3 | 2,,,3 | 2,,,0 | lengths must be an integer from 1 to 15, not '0'
| 4 | 16 | lengths must be an integer from 1 to 15, not '16'
| 4,1 | 4,2 | ferries must be 1, 0 or nothing, not '2'
| booster | whistle | effect must be nothing or one of booster, boiler_lagging, ...
technologies.csv:4 | booster | diesel_power | effect must be an effect that no other technology has, not 'diesel_power'
variant.toml | exchange = 3 | exchange = 1 | exchange must be 2 to 9 with the technologies of technologies.csv, not 1
| long = { rows = "long", offered = 1 } | long = "long" | ticket_decks.main.long must be a table, ...
| "long", offered = 1 | "long" | key 'ticket_decks.main.long.offered' is missing; allowed are rows, offered
| offered = 1 | offered = 1, keep = 1 | unknown key 'ticket_decks.main.long.keep'; allowed are rows, offered
| rows = "long" | rows = "far" | ticket_decks.main.long.rows must be a deck of tickets.csv (main, long), not 'far'
| offered = 1 | offered = <0/6> | ticket_decks.main.long.offered must be an integer from 1 to 5, not <0/6>
| offered = 1 | offered = 2 | ticket_decks.main.long.offered must be at most 1, as 3 players share 3 tickets, not 2
tickets.csv:9 | long,bern | far,bern | deck must be one that a ticket deck of variant.toml uses (main, long), not 'far'
variant.toml | ing = { offered = 2 | ing = { offered = 6 |
    ticket_decks.main.starting.offered must be an integer from 1 to 5, not 6
| 2, keep = 1 }\nl | 2, keep = 4 }\nl | ticket_decks.main.starting.keep must be an integer from 0 to 3, not 4
| "leave" | <"under"/"shuffled"> | ticket_decks.main.starting_refused must be leave with long tickets, as no rule ...
| "leave" | "burn" | ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burn'
| explorer = 6 | explorer = 0 | ticket_decks.main.bonuses.explorer must be an integer from 1 to 100, not 0
| attractions = 2 | attractions = 101 | ticket_decks.main.bonuses.attractions must be an integer from 1 to 100, not 101
"""

OF_TEAM_FOLDER = r"""
variant.toml | trains = 15 | trains = 15\nstations = { prices = { 1 = 1 }, points = 4 } |
    stations must be left out where there are teams or exchanges
| team_size = 2 | team_size = <0/3> | team_size must be an integer from 1 to 2, not <0/3>
| min_players = 4 | min_players = <3/2> | team_size must be such that <3/2> and 4 players make two teams or more, not 2
| max_players = 4 | max_players = 5 | team_size must be such that 4 and 5 players make two teams or more, not 2
| trains = 15 | trains = 33 | trains must be an integer from 1 to 32, not 33
| trains = 15 | trains = 15\nexchange = 4 | exchange must be 0 in a game of teams, not 4
| later = { offered = 2, keep = 1 | later = { offered = 2, keep = 0 | ticket_decks.main must have 1 ticket or more ...
routes.csv:5 | 8 | <-1/9> | tunnel must be an integer from 0 to 8, not <'-1'/'9'>
"""

OF_STATION_FOLDER = r"""
variant.toml | prices = { 1 = 2, 2 = 5 }\n |  | key 'stations.prices' is missing; allowed are prices, points
| points = 7\n |  | key 'stations.points' is missing; allowed are prices, points
| { 1 = 2, 2 = 5 } | {} | stations.prices must be a table with an entry for the first station, the second and so on, ...
| 1 = 2, 2 | 2 | stations.prices must be a table with an entry for the first station, the second and so on, not {'2': 5}
| 2 = 5 | 2 = 5, 3 = 5, 4 = 5 | unknown key 'stations.prices.4'; allowed are 1, 2, 3
| 1 = 2 | 1 = 0 | stations.prices.1 must be an integer from 1 to 9, not 0
| 2 = 5 | 2 = 10 | stations.prices.2 must be an integer from 1 to 9, not 10
| points = 7 | points = 101 | stations.points must be an integer from 0 to 100, not 101
"""

OF_CARD_FOLDER = r"""
variant.toml | starting_hand = 3 | starting_hand = 3\ntrains = 15 | unknown key 'trains'; allowed are id, name, ...
| second_deck_hand = 2\n |  | key 'second_deck_hand' is missing; allowed are id, name, ...
| deck_players = 3 | deck_players = <1/8> | second_deck_players must be an integer from 2 to 7, not <1/8>
| second_deck_hand = 2 | second_deck_hand = <0/128> | second_deck_hand must be an integer from 1 to 127, not <0/128>
| "completed_tickets", "bonus_cards" | "longest_path" | tie_breaks must be a list that names each at most once of ...
| rows = "main" | rows = "main"\nbonuses = {} | unknown key 'ticket_decks.main.bonuses'; allowed are rows, starting, ...
| "shuffled" | "burnt" | ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burnt'
| starting = { offered = 2 | starting = { offered = 3 | ticket_decks.main.starting.offered must be at most 2, ...
cities.csv:1 | y | region | unknown column 'region'; allowed are id, name, x, y
tickets.csv:5 | geneva,milan | geneva,rome | b must be the id of a city in cities.csv, not 'rome'
| main,geneva,milan | main,milan,milan | b must be another city than a, not 'milan'
| geneva,milan,5 | geneva,milan,0 | points must be an integer from 1 to 100, not '0'
| 5,2,0 | 5,2,<-1/> | green must be an integer from 0 to 127, not <'-1'/''>
| 5,2 | 5,128 | blue must be an integer from 0 to 127, not '128'
| 2,0,0 | 126,1,1 | the ticket's cards must add up to 1 to 127, not 128
| 5,2 | 5,0 | the ticket's cards must add up to 1 to 127, not 0
tickets.csv:2 | red | black | black must be 0, as variant.toml has no train cards of this colour, not '1'
bonus_cards.csv:1 | ,points\nmilan,8\nzurich,5 | \nmilan\nzurich | column 'points' is missing; allowed are city, points
bonus_cards.csv:3 | zurich | rome | city must be the id of a city in cities.csv, not 'rome'
| zurich | milan | city must be a city that no other bonus card has, not 'milan'
| 5 | <0/101> | points must be an integer from 1 to 100, not <'0'/'101'>
"""

ROUTE, SHARES, STEAM = "bern,zurich,1,2,green", "sbb,Swiss Railways,5,9;4", "steam,Steam Engine,2,2,,,3;4,1,booster"
CARDS, CITY, FULL_DECK = (
    "main,geneva,milan,5,2,0,0",
    "zurich,Zürich,0.50,0.10,",
    "at most 72 tickets of one deck are allowed",
)
TOO_LONG = "must be valid TOML: an integer must have at most 100 digits"
MANY = [
    ("folder", "cities.csv:66", CITY, CITY + "\nx,y,0,0," * 59, "at most 64 cities are allowed"),
    ("folder", "routes.csv:130", ROUTE, ROUTE + ("\n" + ROUTE) * 120, "at most 128 routes are allowed"),
    ("folder", "tickets.csv:74", TICKET, TICKET + ("\n" + TICKET) * 66, FULL_DECK),
    ("full_folder", "companies.csv:18", SHARES, SHARES + "\nc,Cable Car,1,1" * 15, "at most 16 companies are allowed"),
    ("full_folder", "technologies.csv:18", STEAM, STEAM + "\nt,T,1,1,,,,," * 14, "at most 16 technologies are allowed"),
    ("card_folder", "tickets.csv:74", CARDS, CARDS + ("\n" + CARDS) * 67, FULL_DECK),
    ("card_folder", "bonus_cards.csv:18", "zurich,5", "zurich,5\n" * 16, "at most 16 bonus cards are allowed"),
    ("folder", "variant.toml", "trains = 15", f"trains = 0x{'f' * 5000}", TOO_LONG),
]
"""Too many rows, and digits."""


def rows(fixture: str, table: str) -> Iterator[Sequence[str]]:
    r"""Yield the name of the fixture with the folder, and the other arguments of the test, for each line of a table.

    A line has these with bars between; `\n` stands for the end of a line. Without the first it is that of the line
    before. A long message goes on in the indented lines below. With `<a/b>` in it a line stands for two: with a, and
    with b.
    """
    where = ""
    for several in table.replace("\n    ", " ").strip().splitlines():
        for line in each_choice(several):
            place, old, new, message = (part.strip() for part in line.split("|"))
            where = place or where
            yield fixture, where, old.replace("\\n", "\n"), new.replace("\\n", "\n"), message


def each_choice(line: str) -> list[str]:
    texts = enumerate(re.split("<(.*?)>", line))  # every second one lies between such brackets
    parts = [text.split("/") if number % 2 else [text] for number, text in texts]
    return ["".join(part[number % len(part)] for part in parts) for number in range(max(map(len, parts)))]


@pytest.mark.parametrize(
    ("fixture", "where", "old", "new", "message"),
    [
        *rows("folder", OF_FOLDER),
        *rows("full_folder", OF_FULL_FOLDER),
        *rows("team_folder", OF_TEAM_FOLDER),
        *rows("station_folder", OF_STATION_FOLDER),
        *rows("card_folder", OF_CARD_FOLDER),
        *MANY,
    ],
)
def test_what_is_wrong_in_a_folder_is_refused(
    fixture: str, where: str, old: str, new: str, message: str, request: pytest.FixtureRequest
) -> None:
    """After a change of one file: `where` is the file, of a table with the line.

    The place of the error follows after an arrow if it is another one. The message begins like this if it ends with
    three dots here.
    """
    folder: Path = request.getfixturevalue(fixture)
    change(folder / where.split(" -> ")[0].split(":")[0], old, new)
    told, expected = refusal(folder), f"{where.split(' -> ')[-1]}: {message}"
    is_as_expected = told == expected or (expected.endswith("...") and told.startswith(expected.removesuffix("...")))
    assert is_as_expected, f"{told!r}, not {expected!r}"
