"""The tables of a map's folder: what cities, routes, tickets, companies, technologies, teams and stations may be."""

from pathlib import Path

import numpy as np
import pytest

from t2r_env import Games, configure
from t2r_env.variants import Offer, Ticket
from t2r_env.variants.variant import REFUSED, Company, Technology
from tests.helpers.maps import load_map, map_configuration
from tests.variants.folders import LONG_TICKETS, TICKET, add_column, add_keys, change, refusal


def test_c16_ny5_a_ticket_may_name_a_region_and_a_city_have_an_attraction(full_folder: Path) -> None:
    """A city may be a region of its own."""
    change(full_folder / "cities.csv", "bern,Bern,0.20,0.30,", "bern,Bern,0.20,0.30,bern")
    variant = load_map(full_folder)
    assert Ticket("zurich", "italy", 4) in variant.ticket_decks["main"].tickets
    assert [city.region for city in variant.cities] == ["bern", "", "", "", "italy", "italy"]
    assert [city.id for city in variant.cities if city.attraction] == ["bern", "milan"]


# Routes


def test_c14_la5_pa4_ta9_uk4_uk7_a_route_has_symbols_xs_companies_and_marks(full_folder: Path) -> None:
    routes = load_map(full_folder).routes
    assert [number for number, route in enumerate(routes) if route.stays_open] == [1, 2]
    assert [number for number, route in enumerate(routes) if route.separate] == [3]
    assert [number for number, route in enumerate(routes) if route.no_technology] == [8]
    assert [route.companies for route in routes[2:5]] == [("sbb", "fs"), ("fs", "sbb"), ()]
    assert [(route.ferry, route.mountain, route.exchange) for route in routes[2:5]] == [(0, 1, 3), (2, 0, 3), (0, 2, 3)]
    rules = configure(full_folder).rules[0]
    assert rules.route_trains[:9].tolist() == [2, 2, 3, 4, 5, 1, 1, 1, 4]
    assert [np.bitwise_count(routes).sum() for routes in rules.up_to_trains[:7]] == [0, 3, 5, 6, 8, 9, 9]


def test_a_ferry_of_more_symbols_than_there_are_locomotives_is_refused(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting_locomotives = 1\n", "")
    change(full_folder / "variant.toml", "locomotive = 6", "locomotive = 1")
    assert refusal(full_folder) == "routes.csv:5: ferry must be an integer from 0 to 1, not '2'"


# Locomotives and exchanges


def test_no6_no8_a_route_has_an_exchange_of_its_own_or_that_of_all_routes(folder: Path) -> None:
    add_keys(folder, "exchange = 4")
    add_column(folder / "routes.csv", "exchange", ["3", "", "0", *["2"] * 6])
    assert [route.exchange for route in load_map(folder).routes] == [3, 4, 0, *[2] * 6]


def test_no5_sw5_locomotives_pay_for_the_routes_that_the_key_lists(folder: Path) -> None:
    add_column(folder / "routes.csv", "ferry", [*"100000000"])
    add_column(folder / "routes.csv", "tunnel", [*"030000000"])
    add_keys(folder, 'locomotives_pay_for = ["ferries", "tunnels"]')
    variant = load_map(folder)
    assert [variant.takes_locomotives(route) for route in variant.routes] == [True, True, *[False] * 7]
    change(folder / "variant.toml", '["ferries", "tunnels"]', '["ferries"]')
    variant = load_map(folder)
    assert [variant.takes_locomotives(route) for route in variant.routes] == [True, *[False] * 8]


@pytest.mark.parametrize(
    ("fixture", "column", "cells", "message"),
    [
        ("folder", "ferry", "010000000", "3: ferry must be 0 where locomotives_pay_for of variant.toml lets no"),
        ("folder", "exchange", "234556000", "7: exchange must be one of at most 4 on a map, not '6'"),
        ("full_folder", "exchange", "330333333", "4: exchange must be 3 as in variant.toml, or empty, in a game with"),
        ("full_folder", "tunnel", "030000000", "3: exchange must be 0 on a route with a tunnel, not 3"),
        ("team_folder", "exchange", "003000000", "4: exchange must be 0 in a game of teams, not 3"),
    ],
)
def test_a_column_of_routes_that_no_rule_allows_is_refused(
    fixture: str, column: str, cells: str, message: str, request: pytest.FixtureRequest
) -> None:
    """NO5, UK5, NO7."""
    folder = request.getfixturevalue(fixture)
    add_column(folder / "routes.csv", column, cells)
    if column == "ferry":
        add_keys(folder, 'locomotives_pay_for = ["tunnels"]')
    assert refusal(folder).startswith(f"routes.csv:{message}")


# Tickets


def test_sw8_a_ticket_to_several_countries_has_a_value_for_each(folder: Path) -> None:
    change(folder / "tickets.csv", TICKET, "main,geneva,zurich;italy;bern,5;9;3")
    ticket = next(it for it in load_map(folder).ticket_decks["main"].tickets if it.others)
    assert ticket.destinations == (("zurich", 5), ("italy", 9), ("bern", 3))
    assert ticket.failure == 3


def test_no_rule_has_stations_with_tickets_to_several_countries(folder: Path) -> None:
    change(folder / "tickets.csv", TICKET, "main,geneva,como;bern,5;9")
    add_keys(folder, "stations = { prices = { 1 = 1 }, points = 4 }")
    assert refusal(folder) == "variant.toml: stations must be left out where tickets lead to several countries"


def test_la2_long_tickets_come_after_the_regular_ones(full_folder: Path) -> None:
    deck = load_map(full_folder).ticket_decks["main"]
    assert deck.long == (Ticket("bern", "como", 11), Ticket("geneva", "italy", 12), Ticket("zurich", "milan", 13))
    assert (len(deck.regular), deck.tickets) == (7, deck.regular + deck.long)
    assert (deck.long_offered, deck.starting_refused) == (1, "leave")


def test_la2_as_many_starting_tickets_may_have_to_be_kept_as_are_offered_of_both_kinds(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting = { offered = 2, keep = 1 }", "starting = { offered = 2, keep = 3 }")
    assert load_map(full_folder).ticket_decks["main"].starting == Offer(2, 3)


@pytest.mark.parametrize("refused", REFUSED)
def test_a_map_game_may_say_where_refused_starting_tickets_go(folder: Path, refused: str) -> None:
    change(folder / "variant.toml", 'rows = "main"', f'rows = "main"\nstarting_refused = "{refused}"')
    assert load_map(folder).ticket_decks["main"].starting_refused == refused


def test_a_variant_without_ticket_decks_is_refused(folder: Path) -> None:
    text = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(text.partition("[ticket_decks.main]")[0] + "[ticket_decks]\n")
    assert refusal(folder) == "variant.toml: ticket_decks must be at least one table, not {}"


def test_long_tickets_are_others_than_the_regular_ones(full_folder: Path) -> None:
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("long,", "main,"))
    change(full_folder / "variant.toml", 'long = { rows = "long"', 'long = { rows = "main"')
    message = "variant.toml: ticket_decks.main.long.rows must be others than those of the deck itself, not 'main'"
    assert refusal(full_folder) == message


def test_more_than_72_regular_and_long_tickets_together_are_refused(full_folder: Path) -> None:
    change(full_folder / "tickets.csv", TICKET, "\n".join([TICKET] * 63))
    assert len(load_map(full_folder).ticket_decks["main"].tickets) == 72
    change(full_folder / "tickets.csv", "main,bern,milan,6", "main,bern,milan,6\nmain,bern,milan,6")
    message = "variant.toml: ticket_decks.main.long.rows must bring the tickets to 72 at most, not 73"
    assert refusal(full_folder) == message


# Companies


def test_pa4_pa5_the_companies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    swiss, italian = Company("sbb", "Swiss Railways", 5, (9, 4)), Company("fs", "Italian Railways", 3, (6,))
    assert load_map(full_folder).companies == (swiss, italian)


def test_the_most_companies_shares_ranks_symbols_and_trains_are_allowed(full_folder: Path) -> None:
    companies = [f"c{number},Company {number},4,100;6;5;4;3;2;0" for number in range(15)]
    companies[0] = "fs,Italian Railways,7,100;6;5;4;3;2;0"
    rows = ["id,name,shares,points", "sbb,Swiss Railways,1,9", *companies]
    (full_folder / "companies.csv").write_text("\n".join(rows))
    shown = ";".join(["sbb", "fs", *(f"c{number}" for number in range(1, 15))])
    change(full_folder / "routes.csv", "bern,lugano,0,4,gray,2,0,fs;sbb", f"bern,lugano,0,4,gray,4,11,{shown}")
    variant = load_map(full_folder)
    assert (len(variant.companies), sum(company.shares for company in variant.companies)) == (16, 64)
    assert {len(company.points) for company in variant.companies} == {1, 7}
    assert (variant.routes[3].ferry, variant.routes[3].length + variant.routes[3].mountain) == (4, 15)


def test_the_companies_on_routes_need_a_file_of_companies(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    change(full_folder / "variant.toml", "neutral_shareholder_up_to = 2", "neutral_shareholder_up_to = 0")
    assert refusal(full_folder) == "routes.csv:2: companies must be empty without a file companies.csv, not 'sbb'"


# Technologies


def test_uk8_the_technologies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    visa = Technology("visa", "Visa", 1, 3, False, ("italy",), (), False, "")
    steam = Technology("steam", "Steam Engine", 2, 2, False, (), (3, 4), True, "booster")
    diesel = Technology("diesel", "Diesel Engine", 9, 1, True, (), (), False, "diesel_power")
    assert load_map(full_folder).all_technologies == (visa, steam, diesel)
    for advanced, technologies in ((True, (visa, steam, diesel)), (False, (visa, steam))):
        chosen = map_configuration(configure(full_folder, advanced_technologies=advanced))
        assert chosen.technologies == technologies


def test_uk6_uk7_a_technology_opens_routes_by_region_length_and_symbol_but_for_those_marked(full_folder: Path) -> None:
    variant = load_map(full_folder)
    regions = [variant.regions_of(route) for route in variant.routes]
    for technology, opened in zip(variant.all_technologies, ([5, 6, 7], [3, 4, 5], []), strict=True):
        opens = list(map(technology.opens, variant.routes, regions))
        assert np.flatnonzero(opens).tolist() == opened


def test_uk12_the_option_of_advanced_technologies_exists_where_there_are_some(full_folder: Path) -> None:
    assert configure(full_folder, 2, advanced_technologies=True).options["advanced_technologies"] is True
    assert configure(full_folder, 2).options["advanced_technologies"] is False
    change(full_folder / "technologies.csv", "diesel,Diesel Engine,9,1,1", "diesel,Diesel Engine,9,1,0")
    assert not load_map(full_folder).switches
    with pytest.raises(TypeError, match="lakes has no option 'advanced_technologies'"):
        configure(full_folder, 2, advanced_technologies=True)


def test_uk8_the_columns_of_what_a_technology_does_may_be_left_out(full_folder: Path) -> None:
    (full_folder / "technologies.csv").write_text("id,name,price,copies\nvisa,Visa,1,3\n")
    (visa,) = load_map(full_folder).all_technologies
    assert visa == Technology("visa", "Visa", 1, 3, False, (), (), False, "")


# Teams


def test_ta1_as_many_play_as_make_complete_teams(team_folder: Path) -> None:
    variant = load_map(team_folder)
    assert (variant.team_size, list(variant.player_numbers)) == (2, [4])
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    assert list(load_map(team_folder).player_numbers) == [4, 6]


def test_ta10_a_route_may_be_a_tunnel_and_the_largest_teams_and_tunnels_are_allowed(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "trains = 15", "trains = 32")
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    variant = load_map(team_folder)
    assert (variant.trains, [route.tunnel for route in variant.routes]) == (32, [3, 0, 0, 8, 0, 0, 0, 0, 0])


def test_teams_with_long_tickets_are_refused(team_folder: Path) -> None:
    change(team_folder / "variant.toml", 'rows = "main"', f'rows = "main"\n{LONG_TICKETS}')
    with (team_folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("long,bern,como,11\n" * 4)
    assert refusal(team_folder) == "variant.toml: team_size must be 1 in a game with companies or long tickets, not 2"


# Stations


def test_eu6_eu8_number_prices_and_points_of_stations_are_read(station_folder: Path) -> None:
    stations = load_map(station_folder).stations
    assert stations
    assert (stations.prices, stations.points) == ((2, 5), 7)
    assert map_configuration(configure(station_folder)).largest_payment == 5  # more than any route takes


def test_eu6_eu8_a_map_of_your_own_is_played_with_its_stations(station_folder: Path) -> None:
    """Games end by the rules, and nobody has more stations than there are, nor other points for those left."""
    games = Games(station_folder, 3, 200, seed=3, autoreset=False)
    games.play_random(100_000)
    built = []
    for row in range(200):
        snapshot = games.snapshot(row)
        for player, final in zip(snapshot["players"], snapshot["final"], strict=True):
            built.append(len(player["stations"]))
            assert final["breakdown"]["stations"] == 7 * (2 - built[-1])
            assert [city for city, _ in final["station_routes"]] == player["stations"]
    assert set(built) == {1, 2}
