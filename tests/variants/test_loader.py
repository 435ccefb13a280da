"""Folders of data: what the shipped ones hold, how a map is added, and what is said of a broken one."""

import csv
import pickle
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from t2r_env import configure
from t2r_env.variants import BONUSES, CARD_TIE_BREAKS, COLOURS, LOCOMOTIVE, TIE_BREAKS, VARIANTS, BonusCard, CardVariant, City, Company, MapVariant, Offer, Route, Ticket, TicketDeck, VariantError, card_variant, every_game, load_variant, loader, map_variant
from t2r_env.variants.reading import Names
from t2r_env.variants.variant import EFFECTS, REFUSED, RULESETS, Technology
from tests.example_map import DOCUMENTATION, write_example_card_game, write_example_map
from tests.maps import MAP_GAMES, load_map

SHIPPED = Path(loader.__file__).parent
FILES = ("variant.toml", "cities.csv", "routes.csv", "tickets.csv", "companies.csv", "technologies.csv")
"""Of which a map's folder may lack the last two."""
CARD_FILES = ("variant.toml", "cities.csv", "tickets.csv", "bonus_cards.csv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The map of docs/variants.md, as its reader would type it."""
    return write_example_map(tmp_path)


@pytest.fixture
def card_folder(tmp_path: Path) -> Path:
    """The card game of docs/variants.md."""
    return write_example_card_game(tmp_path)


ROUTE_MARKS = {
    "stays_open": ["", "1", "1", "", "", "", "", "", "0"],
    "separate": ["", "0", "", "1", "", "", "", "", ""],
    "no_technology": ["", "", "", "", "", "", "", "0", "1"],
    "confidence": ["", "low", "", "", "", "", "", "", "seen twice"],
}
TECHNOLOGIES = """\
id,name,price,copies,advanced,regions,lengths,ferries,effect
visa,Visa,1,3,0,italy,,,
steam,Steam Engine,2,2,,,3;4,1,booster
diesel,Diesel Engine,9,1,1,,,0,diesel_power
"""


@pytest.fixture
def team_folder(folder: Path) -> Path:
    """The example as a game of two teams, with tunnels."""
    change(folder / "variant.toml", "min_players = 2", "min_players = 4")
    change(folder / "variant.toml", "max_players = 3", "max_players = 4\nteam_size = 2")
    change(folder / "variant.toml", "starting = { offered = 2, keep = 1 }", "starting = { offered = 1, keep = 1 }")
    add_column(folder / "routes.csv", "tunnel", ["3", "0", "0", "8", "0", "0", "0", "0", "0"])
    return folder


@pytest.fixture
def full_folder(folder: Path) -> Path:
    """The example with nearly all that a folder may say besides: what can't stand with it has tests of its own."""
    change(
        folder / "variant.toml",
        "trains = 15",
        "trains = 15\nneutral_shareholder_up_to = 2\nmountain_points = 3\nlast_round_trains = 1\n"
        "starting_locomotives = 1\nexchange = 3\ntriple_route_claims = 2",
    )
    change(folder / "variant.toml", '["completed_tickets"]', '["completed_tickets", "mountain_routes"]')
    change(
        folder / "variant.toml",
        'rows = "main"',
        'rows = "main"\nlong = { rows = "long", offered = 1 }\nstarting_refused = "leave"',
    )
    change(folder / "variant.toml", "{ longest_path = 5 }", "{ explorer = 6, attractions = 2 }")
    add_column(folder / "cities.csv", "attraction", ["1", "0", "", "", "", "1"])
    add_column(folder / "routes.csv", "ferry", ["0", "0", "0", "2", "0", "1", "0", "0", "0"])
    add_column(folder / "routes.csv", "mountain", ["0", "0", "1", "0", "2", "0", "0", "0", "0"])
    add_column(folder / "routes.csv", "companies", ["sbb", "", "sbb;fs", "fs;sbb", "", "", "", "fs", ""])
    for column, marks in ROUTE_MARKS.items():
        add_column(folder / "routes.csv", column, marks)
    (folder / "technologies.csv").write_text(TECHNOLOGIES)
    (folder / "companies.csv").write_text("id,name,shares,points\nsbb,Swiss Railways,5,9;4\nfs,Italian Railways,3,6\n")
    with (folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("long,bern,como,11\nlong,geneva,italy,12\nlong,zurich,milan,13\n")
    return folder


def add_column(file: Path, name: str, cells: Sequence[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{cell}" for line, cell in zip(lines, [name, *cells], strict=True)]
    file.write_text("\n".join([*rows, ""]), encoding="utf-8")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} must stand once in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def refusal(folder: Path) -> str:
    """What is said of a broken folder, without the path to it."""
    with pytest.raises(VariantError) as caught:
        load_variant(folder)
    message = str(caught.value)
    assert message.startswith(str(folder))
    return message[len(str(folder)) + 1 :]


# The shipped variants


def test_every_shipped_folder_is_a_variant_of_its_own_name() -> None:
    assert sorted(VARIANTS) == sorted(file.parent.name for file in SHIPPED.glob("*/variant.toml"))
    assert [load_variant(name).id for name in VARIANTS] == list(VARIANTS)


def test_us1_the_variant_holds_110_train_cards_and_45_trains_for_each_of_2_to_5_players() -> None:
    usa = load_map("usa")
    assert usa.colours == dict.fromkeys(COLOURS, 12)
    assert usa.locomotives == 14
    assert (usa.min_players, usa.max_players, usa.trains, usa.starting_hand) == (2, 5, 45, 4)


def test_us1_the_common_rules_hold() -> None:
    usa = load_map("usa")
    assert usa.face_up_sweep  # C4
    assert usa.last_round_trains == 2  # C15
    assert usa.turn_limit == 1000  # C19


def test_us3_a_claimed_route_closes_a_double_connection_with_up_to_3_players() -> None:
    assert load_map("usa").double_routes_closed_up_to == 3


def test_us4_the_last_tie_break_is_the_longest_path() -> None:
    assert load_map("usa").tie_breaks == ("completed_tickets", "longest_path")


def test_c10_routes_of_1_to_6_spaces_score_1_2_4_7_10_15() -> None:
    assert load_map("usa").points == (0, 1, 2, 4, 7, 10, 15)


@pytest.mark.parametrize(
    ("deck", "number", "starting", "later", "bonuses"),
    [
        ("anniversary", 69, Offer(3, 2), Offer(3, 1), {"longest_path": 10}),
        ("classic", 30, Offer(3, 2), Offer(3, 1), {"longest_path": 10}),
        ("1910", 35, Offer(3, 2), Offer(3, 1), {"globetrotter": 15}),
        ("mega", 69, Offer(5, 3), Offer(4, 1), {"longest_path": 10, "globetrotter": 15}),
        ("big_cities", 35, Offer(4, 2), Offer(4, 1), {}),
    ],
)
def test_us5_each_ticket_deck_has_its_tickets_offers_and_bonuses(
    deck: str, number: int, starting: Offer, later: Offer, bonuses: dict[str, int]
) -> None:
    found = load_map("usa").ticket_decks[deck]
    assert found.name == deck
    assert len(found.tickets) == number
    assert len({(ticket.a, ticket.b) for ticket in found.tickets}) == number
    assert (found.starting, found.later, found.bonuses) == (starting, later, bonuses)


def test_us5_there_are_five_ticket_decks_and_anniversary_is_the_default() -> None:
    usa = load_map("usa")
    assert set(usa.ticket_decks) == {"anniversary", "classic", "1910", "mega", "big_cities"}
    assert usa.default_ticket_deck == "anniversary"


def test_us5_anniversary_and_mega_are_made_of_the_same_tickets_with_revised_values() -> None:
    decks = load_map("usa").ticket_decks
    assert decks["anniversary"].tickets == decks["mega"].tickets
    assert Ticket("new_york", "seattle", 22) in decks["classic"].tickets
    assert Ticket("new_york", "seattle", 20) in decks["anniversary"].tickets


def test_ny1_the_variant_holds_44_train_cards_of_six_colours_and_15_taxis_for_each_of_2_to_4_players() -> None:
    new_york = load_map("new_york")
    assert new_york.colours == dict.fromkeys(["purple", "blue", "orange", "green", "black", "red"], 6)
    assert new_york.locomotives == 8
    assert (new_york.min_players, new_york.max_players) == (2, 4)
    assert (new_york.trains, new_york.starting_hand) == (15, 2)


def test_ny2_there_are_18_tickets_and_each_offer_is_of_two() -> None:
    deck = only_ticket_deck("new_york")
    assert (len(deck.regular), len(set(deck.regular)), deck.long) == (18, 18, ())
    assert (deck.starting, deck.later, deck.starting_refused) == (Offer(2, 1), Offer(2, 1), "under")


def test_ny3_a_claimed_route_closes_a_double_connection_with_2_players() -> None:
    assert load_map("new_york").double_routes_closed_up_to == 2


def test_ny4_routes_of_1_to_4_spaces_score_1_2_4_7() -> None:
    assert load_map("new_york").points == (0, 1, 2, 4, 7)


def test_ny5_nine_attractions_are_the_only_bonus() -> None:
    attractions = [city.name for city in load_map("new_york").cities if city.attraction]
    assert attractions == [
        "Brooklyn",
        "Central Park",
        "Chelsea",
        "Chinatown",
        "Empire State Building",
        "Greenwich Village",
        "Times Square",
        "United Nations",
        "Wall Street",
    ]
    assert only_ticket_deck("new_york").bonuses == {"attractions": 1}


def test_ny6_two_taxis_bring_the_last_round_and_completed_tickets_are_the_only_tie_break() -> None:
    new_york = load_map("new_york")
    assert (new_york.last_round_trains, new_york.tie_breaks) == (2, ("completed_tickets",))


@pytest.mark.parametrize("variant", ["legendary_asia", "pennsylvania"])
def test_la1_pa1_the_cards_trains_and_players_are_those_of_the_base_game(variant: str) -> None:
    loaded, usa = load_map(variant), load_map("usa")
    assert (loaded.colours, loaded.locomotives) == (usa.colours, usa.locomotives)
    assert (loaded.min_players, loaded.max_players, loaded.trains, loaded.starting_hand) == (2, 5, 45, 4)


@pytest.mark.parametrize("variant", ["legendary_asia", "pennsylvania"])
def test_la3_pa1_a_claimed_route_closes_a_double_connection_with_up_to_3_players(variant: str) -> None:
    assert load_map(variant).double_routes_closed_up_to == 3


def test_la2_there_are_30_regular_and_6_long_tickets_and_refused_starting_tickets_leave() -> None:
    deck = only_ticket_deck("legendary_asia")
    assert (len(deck.regular), len(deck.long), len(set(deck.tickets))) == (30, 6, 36)
    assert (deck.long_offered, deck.starting, deck.starting_refused) == (1, Offer(3, 2), "leave")
    assert deck.later == Offer(3, 1)
    assert max(ticket.points for ticket in deck.regular) < min(ticket.points for ticket in deck.long)


def test_la4_there_are_15_ferries_with_a_locomotive_symbol_each() -> None:
    assert Counter(route.ferry for route in load_map("legendary_asia").routes) == {0: 85, 1: 15}


def test_la5_there_are_31_mountain_routes_with_39_xs_of_2_points() -> None:
    asia = load_map("legendary_asia")
    assert Counter(route.mountain for route in asia.routes) == {0: 69, 1: 23, 2: 8}
    assert sum(route.mountain for route in asia.routes) == 39
    assert asia.mountain_points == 2


def test_la5_a_gray_route_beside_one_of_a_colour_does_not_cross_the_mountains() -> None:
    asia = load_map("legendary_asia")
    beside = {(route.a, route.b) for route in asia.routes if route.colour != "gray"}
    gray = [route for route in asia.routes if route.colour == "gray" and (route.a, route.b) in beside]
    assert len(gray) == 5
    assert not any(route.mountain for route in gray)


def test_la6_the_only_bonus_is_10_points_for_the_explorer() -> None:
    assert only_ticket_deck("legendary_asia").bonuses == {"explorer": 10}


def test_la7_the_last_tie_break_is_the_number_of_mountain_routes() -> None:
    assert load_map("legendary_asia").tie_breaks == ("completed_tickets", "mountain_routes")


def test_pa2_there_are_50_tickets_of_which_5_are_offered_at_the_start_and_4_later() -> None:
    deck = only_ticket_deck("pennsylvania")
    assert (len(deck.regular), len(set(deck.regular)), deck.long) == (50, 50, ())
    assert (deck.starting, deck.later, deck.starting_refused) == (Offer(5, 3), Offer(4, 1), "under")


def test_pa3_two_double_ferries_lead_to_two_ports_of_ontario_that_nothing_joins() -> None:
    pennsylvania = load_map("pennsylvania")
    ferries = [(route.a, route.b, route.track, route.ferry) for route in pennsylvania.routes if route.ferry]
    assert ferries == [
        ("buffalo", "ontario_buffalo", 0, 1),
        ("buffalo", "ontario_buffalo", 1, 1),
        ("erie", "ontario_erie", 0, 2),
        ("erie", "ontario_erie", 1, 2),
    ]
    ports = [city.id for city in pennsylvania.cities if city.region == "ontario"]
    assert ports == ["ontario_buffalo", "ontario_erie"]
    assert [route.ferry > 0 for route in pennsylvania.routes if {route.a, route.b} & {*ports}] == [True] * 4


def test_pa3_three_tickets_lead_to_ontario() -> None:
    tickets = only_ticket_deck("pennsylvania").tickets
    assert [ticket.b for ticket in tickets if ticket.a == "ontario"] == ["pittsburgh", "syracuse", "warren"]


def test_pa4_there_are_60_shares_of_nine_companies() -> None:
    shares = {company.id: company.shares for company in load_map("pennsylvania").companies}
    assert shares == {"prr": 15, "bo": 10, "erl": 8, "rdg": 7, "lv": 6, "nyc": 5, "wm": 4, "jcl": 3, "brp": 2}
    assert sum(shares.values()) == 60


def test_pa4_seven_routes_show_no_company() -> None:
    routes = [f"{route.a}-{route.b}" for route in load_map("pennsylvania").routes if not route.companies]
    assert routes == [
        "albany-binghamton",
        "altoona-lewiston",
        "chambersburg-gettysburg",
        "dubois-oil_city",
        "dubois-williamsport",
        "morgantown-pittsburgh",
        "scranton_wilkes_barre-williamsport",
    ]


def test_pa4_the_rulebooks_example_offers_three_companies_between_oil_city_and_warren() -> None:
    (route,) = [route for route in load_map("pennsylvania").routes if (route.a, route.b) == ("oil_city", "warren")]
    assert route.companies == ("prr", "bo", "erl")


def test_pa4_the_companies_are_shown_on_so_many_routes() -> None:
    shown = Counter(company for route in load_map("pennsylvania").routes for company in route.companies)
    assert shown == {
        "prr": 56,
        "erl": 32,
        "nyc": 24,
        "bo": 23,
        "rdg": 18,
        "lv": 14,
        "jcl": 12,
        "wm": 9,
        "brp": 7,
    }


def test_pa5_each_company_pays_its_places() -> None:
    assert {company.id: company.points for company in load_map("pennsylvania").companies} == {
        "prr": (30, 21, 14, 9, 6),
        "bo": (20, 14, 9, 5, 2),
        "erl": (16, 10, 5, 1),
        "rdg": (14, 9, 5),
        "lv": (12, 7, 3),
        "nyc": (10, 6, 3),
        "wm": (9, 5),
        "jcl": (8, 5),
        "brp": (7, 4),
    }


def test_pa6_the_only_bonus_is_15_points_for_the_globetrotter() -> None:
    assert only_ticket_deck("pennsylvania").bonuses == {"globetrotter": 15}


def test_pa7_the_only_route_of_7_spaces_scores_18() -> None:
    pennsylvania = load_map("pennsylvania")
    assert pennsylvania.points == (0, 1, 2, 4, 7, 10, 15, 18)
    assert [(route.a, route.b) for route in pennsylvania.routes if route.length == 7] == [("baltimore", "cumberland")]


def test_pa8_a_neutral_player_holds_shares_with_2_players() -> None:
    pennsylvania = load_map("pennsylvania")
    assert pennsylvania.neutral_shareholder_up_to == 2


def test_pa9_the_last_tie_break_is_the_longest_path() -> None:
    assert load_map("pennsylvania").tie_breaks == ("completed_tickets", "longest_path")


def test_uk1_the_variant_holds_116_train_cards_and_35_trains_for_each_of_2_to_4_players() -> None:
    variant = load_map("united_kingdom")
    assert (variant.colours, variant.locomotives) == (dict.fromkeys(COLOURS, 12), 20)
    assert (list(variant.player_numbers), variant.trains) == ([2, 3, 4], 35)
    assert (variant.starting_hand, variant.starting_locomotives) == (4, 1)


def test_uk2_three_locomotives_in_the_row_stay() -> None:
    assert not load_map("united_kingdom").face_up_sweep


def test_uk3_there_are_57_tickets_of_which_5_are_offered_at_the_start_and_3_later() -> None:
    deck = only_ticket_deck("united_kingdom")
    assert (len(deck.regular), len(set(deck.regular)), deck.long) == (57, 57, ())
    assert (deck.starting, deck.later, deck.starting_refused) == (Offer(5, 3), Offer(3, 1), "under")


def test_uk4_a_claimed_route_closes_a_double_connection_with_2_players() -> None:
    assert load_map("united_kingdom").double_routes_closed_up_to == 2


def test_uk4_only_penzance_plymouth_is_two_connections() -> None:
    separate = [route for route in load_map("united_kingdom").routes if route.separate]
    assert separate == [
        Route("penzance", "plymouth", 0, 2, "black", separate=True),
        Route("penzance", "plymouth", 1, 3, "gray", ferry=1, separate=True),
    ]


def test_uk5_four_coloured_cards_stand_for_a_locomotive() -> None:
    assert load_map("united_kingdom").exchange == 4


def test_uk6_every_place_lies_in_a_region() -> None:
    regions = Counter(city.region for city in load_map("united_kingdom").cities)
    assert regions == {"england": 21, "scotland": 10, "ireland": 10, "wales": 5, "france": 2, "new_york": 1}


def test_uk6_there_are_30_ferries_all_gray() -> None:
    routes = load_map("united_kingdom").routes
    assert Counter(route.ferry for route in routes) == {0: 95, 1: 27, 2: 2, 3: 1}
    assert {route.colour for route in routes if route.ferry} == {"gray"}


def test_uk6_so_many_routes_take_so_many_technologies() -> None:
    variant = load_map("united_kingdom")
    needed = Counter(
        sum(technology.opens(route, variant.regions_of(route)) for technology in variant.all_technologies)
        for route in variant.routes
    )
    assert needed == {0: 43, 1: 39, 2: 23, 3: 13, 4: 7}


@pytest.mark.parametrize(
    ("a", "b", "needed"),
    [
        ("londonderry", "stranraer", "ireland_france_concession scotland_concession mechanical_stoker propellers"),
        ("edinburgh", "newcastle", "scotland_concession mechanical_stoker"),
        ("new_york", "southampton", ""),
    ],
)
def test_uk6_uk7_the_technologies_of_the_rulebooks_examples(a: str, b: str, needed: str) -> None:
    variant = load_map("united_kingdom")
    routes = [route for route in variant.routes if (route.a, route.b) == (a, b)]
    assert routes
    for route in routes:
        opening = [it.id for it in variant.all_technologies if it.opens(route, variant.regions_of(route))]
        assert opening == needed.split()


def test_uk7_only_southampton_new_york_is_claimed_without_technology_whatever_it_is() -> None:
    variant = load_map("united_kingdom")
    assert [route for route in variant.routes if route.no_technology] == [
        Route("new_york", "southampton", 0, 10, "gray", ferry=3, no_technology=True)
    ]
    assert variant.points == (0, 1, 2, 4, 7, 10, 15, 0, 0, 0, 40)


def test_uk8_uk12_there_are_16_technologies_five_of_them_advanced() -> None:
    variant = load_map("united_kingdom")
    assert [(it.id, it.price, it.copies) for it in variant.technologies(advanced=False)] == [
        ("wales_concession", 1, 4),
        ("ireland_france_concession", 1, 4),
        ("scotland_concession", 1, 4),
        ("mechanical_stoker", 1, 4),
        ("superheated_steam_boiler", 2, 4),
        ("propellers", 2, 4),
        ("booster", 2, 4),
        ("boiler_lagging", 2, 4),
        ("steam_turbines", 2, 4),
        ("double_heading", 4, 4),
        ("right_of_way", 4, 1),
    ]
    assert [(it.id, it.price, it.copies) for it in variant.technologies(advanced=True)[11:]] == [
        ("thermocompressor", 1, 1),
        ("water_tenders", 2, 2),
        ("risky_contracts", 2, 1),
        ("equalising_beam", 2, 1),
        ("diesel_power", 3, 1),
    ]
    assert variant.has_advanced_technologies


def test_uk8_a_technology_either_opens_routes_or_has_the_effect_of_its_name() -> None:
    for technology in load_map("united_kingdom").all_technologies:
        opens = bool(technology.regions or technology.lengths or technology.ferries)
        assert technology.effect == ("" if opens else technology.id)


def test_uk10_uk13_there_is_no_bonus_and_the_last_tie_break_is_the_longest_path() -> None:
    assert only_ticket_deck("united_kingdom").bonuses == {}
    assert load_map("united_kingdom").tie_breaks == ("completed_tickets", "longest_path")


def test_uk11_three_tickets_lead_to_france_which_has_two_ports() -> None:
    tickets = only_ticket_deck("united_kingdom").tickets
    assert [ticket.b for ticket in tickets if ticket.a == "france"] == ["glasgow", "leeds", "london"]
    assert not any("new_york" in (ticket.a, ticket.b) for ticket in tickets)


def test_ta1_ta3_4_or_6_players_in_teams_of_two_have_27_trains_and_4_cards_each() -> None:
    variant, usa = load_map("team_asia"), load_map("usa")
    assert (variant.colours, variant.locomotives) == (usa.colours, usa.locomotives)
    assert (list(variant.player_numbers), variant.team_size) == ([4, 6], 2)
    assert (variant.trains, variant.starting_hand) == (27, 4)


def test_ta4_ta7_there_are_60_tickets_of_which_5_are_offered_at_the_start_and_4_later() -> None:
    deck = only_ticket_deck("team_asia")
    assert (len(deck.regular), len(set(deck.regular)), deck.long) == (60, 60, ())
    assert (deck.starting, deck.later, deck.starting_refused) == (Offer(5, 3), Offer(4, 1), "under")


def test_ta9_four_connections_have_three_routes_and_with_4_players_two_of_them_may_be_claimed() -> None:
    variant = load_map("team_asia")
    routes = Counter((route.a, route.b) for route in variant.routes)
    assert Counter(routes.values()) == {1: 58, 2: 28, 3: 4}
    assert (variant.double_routes_closed_up_to, variant.triple_route_claims) == (4, 2)


def test_ta9_only_hong_kong_canton_stays_open() -> None:
    open_routes = [route for route in load_map("team_asia").routes if route.stays_open]
    assert [(route.a, route.b, route.track) for route in open_routes] == [
        ("canton", "hong_kong", 0),
        ("canton", "hong_kong", 1),
    ]


def test_ta10_ten_tunnels_turn_up_4_to_6_cards() -> None:
    assert Counter(route.tunnel for route in load_map("team_asia").routes) == {0: 116, 4: 3, 5: 3, 6: 4}


def test_ta11_four_trains_of_a_team_bring_the_last_round() -> None:
    assert load_map("team_asia").last_round_trains == 4


def test_ta12_the_bonuses_are_the_asian_express_and_the_globetrotter() -> None:
    assert only_ticket_deck("team_asia").bonuses == {"longest_path": 10, "globetrotter": 10}
    assert load_map("team_asia").tie_breaks == ("completed_tickets", "longest_path")


def test_ta13_the_only_route_of_7_spaces_scores_18_and_no_ticket_names_a_junction() -> None:
    variant = load_map("team_asia")
    assert variant.points == (0, 1, 2, 4, 7, 10, 15, 18)
    assert sum(route.length == 7 for route in variant.routes) == 1
    junctions = {city.id for city in variant.cities if city.id.startswith("junction")}
    assert len(junctions) == 3
    assert not any({ticket.a, ticket.b} & junctions for ticket in only_ticket_deck("team_asia").tickets)


@pytest.mark.parametrize(
    ("file", "sure"), [("routes.csv", {"low": 95, "medium": 31}), ("tickets.csv", {"medium": 15, "reconstructed": 45})]
)
def test_the_tables_of_team_asia_say_how_sure_their_rows_are(file: str, sure: dict[str, int]) -> None:
    with (SHIPPED / "team_asia" / file).open(encoding="utf-8") as rows:
        assert Counter(row["confidence"] for row in csv.DictReader(rows)) == sure


def test_cg1_the_variant_holds_96_train_cards_46_tickets_and_6_bonus_cards_for_2_to_4_players() -> None:
    variant = load_card_variant("card_game")
    assert (variant.colours, variant.locomotives) == (dict.fromkeys(COLOURS, 10), 16)
    assert sum(variant.colours.values()) + variant.locomotives == 96
    assert (list(variant.player_numbers), variant.team_size) == ([2, 3, 4], 1)
    assert (len(variant.cities), len(only_ticket_deck("card_game").tickets), len(variant.bonus_cards)) == (34, 46, 6)
    assert not variant.has_advanced_technologies


def test_cg2_cg8_each_starts_with_7_cards_a_locomotive_and_6_tickets_and_later_may_keep_none_of_4() -> None:
    variant, deck = load_variant("card_game"), only_ticket_deck("card_game")
    assert (variant.starting_hand, variant.starting_locomotives) == (7, 1)
    assert (deck.starting, deck.later, deck.starting_refused) == (Offer(6, 1), Offer(4, 0), "shuffled")
    assert (deck.bonuses, deck.long, deck.long_offered) == ({}, (), 0)


def test_cg12_with_4_players_a_second_deck_is_played_for_which_4_cards_are_dealt() -> None:
    variant = load_card_variant("card_game")
    assert (variant.second_deck_players, variant.second_deck_hand) == (4, 4)


def test_cg13_six_big_cities_have_a_bonus_card() -> None:
    assert {card.city: card.points for card in load_card_variant("card_game").bonus_cards} == {
        "new_york": 15,
        "los_angeles": 12,
        "chicago": 12,
        "dallas": 10,
        "seattle": 8,
        "miami": 8,
    }


def test_cg14_completed_tickets_and_then_bonus_cards_are_the_tie_breaks() -> None:
    assert load_variant("card_game").tie_breaks == ("completed_tickets", "bonus_cards")


def test_cg10_the_tickets_take_so_many_cards_of_each_colour() -> None:
    tickets = only_ticket_deck("card_game").tickets
    cards = sum((Counter(ticket.cards) for ticket in tickets), Counter[str]())
    assert [cards[colour] for colour in COLOURS] == [16, 18, 16, 17, 16, 17, 16, 16]
    assert Counter(sum(ticket.cards.values()) for ticket in tickets) == {1: 2, 2: 17, 3: 14, 4: 11, 5: 2}
    assert all(number > 0 for ticket in tickets for number in ticket.cards.values())


@pytest.mark.parametrize(
    ("a", "b", "points", "cards"),
    [
        ("chicago", "new_york", 5, {"yellow": 1}),
        ("new_york", "chicago", 5, {"blue": 1}),
        ("los_angeles", "pittsburgh", 18, {"purple": 1, "blue": 2, "white": 1}),
        ("seattle", "miami", 22, {"orange": 1, "white": 1, "black": 1, "red": 2}),
    ],
)
def test_cg10_a_ticket_states_its_cards(a: str, b: str, points: int, cards: dict[str, int]) -> None:
    assert Ticket(a, b, points, cards) in only_ticket_deck("card_game").tickets


def test_only_chicago_new_york_has_two_tickets() -> None:
    ends = Counter(frozenset((ticket.a, ticket.b)) for ticket in only_ticket_deck("card_game").tickets)
    assert [pair for pair, number in ends.items() if number > 1] == [{"chicago", "new_york"}]


def test_cg13_every_ticket_names_a_big_city_and_is_worth_the_shortest_way_on_the_map_of_the_usa() -> None:
    usa, variant = load_map("usa"), load_card_variant("card_game")
    big_cities = {card.city for card in variant.bonus_cards}
    for ticket in only_ticket_deck("card_game").tickets:
        assert {ticket.a, ticket.b} & big_cities
        assert ticket.points == trains_between(usa, ticket.a, ticket.b)
    assert {(city.id, city.x, city.y) for city in variant.cities} <= {(city.id, city.x, city.y) for city in usa.cities}


@pytest.mark.parametrize(
    ("variant", "cities", "groups", "routes", "spaces"),
    [
        ("usa", 36, 78, 100, 309),
        ("new_york", 15, 30, 41, 84),
        ("legendary_asia", 39, 70, 100, 268),
        ("team_asia", 46, 90, 126, 289),
        ("pennsylvania", 36, 71, 95, 322),
        ("united_kingdom", 49, 106, 125, 274),
    ],
)
def test_each_map_has_the_cities_connections_routes_and_spaces_of_its_board(
    variant: str, cities: int, groups: int, routes: int, spaces: int
) -> None:
    loaded = load_map(variant)
    assert len(loaded.cities) == cities
    assert len({(route.a, route.b) for route in loaded.routes}) == groups
    assert len(loaded.routes) == routes
    assert sum(route.length for route in loaded.routes) == spaces


@pytest.mark.parametrize(
    ("variant", "gray", "coloured"),
    [
        ("usa", 44, [7, 7, 7, 7, 7, 7, 7, 7]),
        ("new_york", 10, [5, 6, 5, 0, 5, 0, 5, 5]),
        ("legendary_asia", 28, [9, 9, 9, 9, 9, 9, 9, 9]),
        ("team_asia", 24, [13, 13, 11, 13, 13, 12, 13, 14]),
        ("pennsylvania", 18, [9, 9, 9, 9, 11, 11, 11, 8]),
        ("united_kingdom", 40, [10, 10, 12, 10, 10, 11, 10, 12]),
    ],
)
def test_each_map_has_so_many_routes_of_each_colour(variant: str, gray: int, coloured: list[int]) -> None:
    routes = Counter(route.colour for route in load_map(variant).routes)
    assert (routes["gray"], [routes[colour] for colour in COLOURS]) == (gray, coloured)


@pytest.mark.parametrize("variant", MAP_GAMES)
def test_a_connections_routes_are_equally_long(variant: str) -> None:
    routes = [route for route in load_map(variant).routes if not route.separate]
    assert len({(route.a, route.b, route.length) for route in routes}) == len({(route.a, route.b) for route in routes})


@pytest.mark.parametrize(
    ("variant", "symbols"),
    [
        ("usa", set()),
        ("new_york", {"attraction"}),
        ("legendary_asia", {"ferry", "mountain"}),
        ("team_asia", {"tunnel", "stays_open"}),
        ("pennsylvania", {"ferry", "companies"}),
        ("united_kingdom", {"ferry", "separate", "technologies"}),
    ],
)
def test_a_map_has_no_symbols_of_other_games(variant: str, symbols: set[str]) -> None:
    loaded = load_map(variant)
    found = {
        "ferry": any(route.ferry for route in loaded.routes),
        "mountain": any(route.mountain for route in loaded.routes),
        "companies": any(route.companies for route in loaded.routes) or bool(loaded.companies),
        "attraction": any(city.attraction for city in loaded.cities),
        "tunnel": any(route.tunnel for route in loaded.routes),
        "stays_open": any(route.stays_open for route in loaded.routes),
        "separate": any(route.separate for route in loaded.routes),
        "technologies": bool(loaded.all_technologies),
    }
    assert {name for name, present in found.items() if present} == symbols


DEARER_TICKETS = {
    "usa": {Ticket("chicago", "los_angeles", 16), Ticket("las_vegas", "miami", 21)},
    "pennsylvania": {Ticket("baltimore", "pittsburgh", 13)},
}
"""Tickets printed with a point more than the shortest way takes trains."""


@pytest.mark.parametrize("variant", [variant for variant in MAP_GAMES if variant != "united_kingdom"])
def test_a_ticket_is_worth_the_trains_of_its_shortest_way(variant: str) -> None:
    """So a slip in a route's length, in its X's or in a ticket is noticed."""
    loaded = load_map(variant)
    dearer = {
        ticket
        for ticket in loaded.ticket_decks[loaded.default_ticket_deck].tickets
        if ticket.points != trains_between(loaded, ticket.a, ticket.b)
    }
    assert dearer == DEARER_TICKETS.get(variant, set())
    assert all(ticket.points == trains_between(loaded, ticket.a, ticket.b) + 1 for ticket in dearer)


def test_in_the_united_kingdom_many_tickets_are_worth_more_than_the_shortest_way() -> None:
    """None is worth less; so many are worth so much more."""
    variant = load_map("united_kingdom")
    more = Counter(
        ticket.points - trains_between(variant, ticket.a, ticket.b) for ticket in only_ticket_deck(variant.id).tickets
    )
    assert more == {0: 20, 1: 3, 2: 17, 3: 5, 4: 6, 5: 4, 6: 2}


def only_ticket_deck(variant: str) -> TicketDeck:
    loaded = load_variant(variant)
    (deck,) = loaded.ticket_decks.values()
    assert deck.name == loaded.default_ticket_deck
    return deck


def load_card_variant(name_or_path: str | Path) -> CardVariant:
    variant = load_variant(name_or_path)
    assert isinstance(variant, CardVariant)
    return variant


def trains_between(variant: MapVariant, a: str, b: str) -> int:
    """How many trains the shortest way between two places takes."""
    trains = {city.id: 0 if a in (city.id, city.region) else 1000 for city in variant.cities}
    for _ in variant.cities:
        for route in variant.routes:
            trains[route.a] = min(trains[route.a], trains[route.b] + route.trains)
            trains[route.b] = min(trains[route.b], trains[route.a] + route.trains)
    return min(trains[city.id] for city in variant.cities if b in (city.id, city.region))


# The loader


def test_the_example_of_the_documentation_is_a_complete_map(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes", "Lakes of the Alps", "map_game")
    assert variant.colours == {"blue": 8, "green": 8, "red": 8}
    assert variant.locomotives == 6
    assert variant.points == (0, 1, 2, 4, 7)
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.routes[2] == Route("bern", "zurich", 1, 2, "green")
    assert variant.ticket_decks["main"].bonuses == {"longest_path": 5}


def test_a_key_left_out_means_the_common_rule(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.face_up_sweep, variant.last_round_trains, variant.turn_limit) == (True, 2, 1000)  # C4, C15, C19
    assert (variant.neutral_shareholder_up_to, variant.mountain_points) == (0, 2)  # PA8, LA5
    assert (variant.team_size, variant.triple_route_claims) == (1, 1)  # TA1, C11
    assert (variant.starting_locomotives, variant.exchange) == (0, 0)  # UK1, UK5
    deck = variant.ticket_decks["main"]
    assert (deck.long, deck.long_offered, deck.starting_refused) == ((), 0, "under")  # C5, LA2


def test_a_column_left_out_means_that_there_is_none(folder: Path) -> None:
    variant = load_map(folder)
    assert not any(city.attraction for city in variant.cities)
    assert {(route.ferry, route.mountain, route.companies) for route in variant.routes} == {(0, 0, ())}
    assert {(route.tunnel, route.stays_open, route.separate, route.no_technology) for route in variant.routes} == {
        (0, False, False, False)
    }
    assert (variant.companies, variant.all_technologies) == ((), ())


def test_c14_la5_pa4_a_route_has_locomotive_symbols_xs_and_companies(full_folder: Path) -> None:
    routes = load_map(full_folder).routes
    assert routes[2] == Route("bern", "zurich", 1, 2, "green", mountain=1, companies=("sbb", "fs"), stays_open=True)
    assert routes[3] == Route("bern", "lugano", 0, 4, "gray", ferry=2, companies=("fs", "sbb"), separate=True)
    assert routes[4] == Route("zurich", "lugano", 0, 3, "green", mountain=2)
    assert [route.trains for route in routes] == [2, 2, 3, 4, 5, 1, 1, 1, 4]


def test_ta9_uk4_uk7_a_routes_marks_are_read(full_folder: Path) -> None:
    routes = load_map(full_folder).routes
    assert [number for number, route in enumerate(routes) if route.stays_open] == [1, 2]
    assert [number for number, route in enumerate(routes) if route.separate] == [3]
    assert [number for number, route in enumerate(routes) if route.no_technology] == [8]


def test_ta10_a_route_may_be_a_tunnel(team_folder: Path) -> None:
    assert [route.tunnel for route in load_map(team_folder).routes] == [3, 0, 0, 8, 0, 0, 0, 0, 0]


def test_ta1_as_many_play_as_make_complete_teams(team_folder: Path) -> None:
    variant = load_map(team_folder)
    assert (variant.team_size, list(variant.player_numbers)) == (2, [4])
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    assert list(load_map(team_folder).player_numbers) == [4, 6]


def test_without_teams_any_number_of_players_within_the_limits_may_play(folder: Path) -> None:
    assert list(load_map(folder).player_numbers) == [2, 3]


def test_ta9_uk1_uk5_the_numbers_of_triple_connections_locomotives_and_exchanges_are_read(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert (variant.triple_route_claims, variant.starting_locomotives, variant.exchange) == (2, 1, 3)


def test_uk8_the_technologies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    visa = Technology("visa", "Visa", 1, 3, False, ("italy",), (), False, "")
    steam = Technology("steam", "Steam Engine", 2, 2, False, (), (3, 4), True, "booster")
    diesel = Technology("diesel", "Diesel Engine", 9, 1, True, (), (), False, "diesel_power")
    variant = load_map(full_folder)
    assert variant.all_technologies == variant.technologies(advanced=True) == (visa, steam, diesel)
    assert variant.technologies(advanced=False) == (visa, steam)


def test_uk6_uk7_a_technology_opens_routes_by_region_length_and_symbol_but_for_those_marked(full_folder: Path) -> None:
    variant = load_map(full_folder)
    opened = {
        technology.id: [
            n for n, route in enumerate(variant.routes) if technology.opens(route, variant.regions_of(route))
        ]
        for technology in variant.all_technologies
    }
    assert opened == {"visa": [5, 6, 7], "steam": [3, 4, 5], "diesel": []}


def test_uk12_the_option_of_advanced_technologies_exists_where_there_are_some(full_folder: Path) -> None:
    assert configure(full_folder, 2, advanced_technologies=True).options["advanced_technologies"] is True
    assert configure(full_folder, 2).options["advanced_technologies"] is False
    change(full_folder / "technologies.csv", "diesel,Diesel Engine,9,1,1", "diesel,Diesel Engine,9,1,0")
    assert not load_map(full_folder).has_advanced_technologies
    with pytest.raises(TypeError, match="lakes has no option 'advanced_technologies'"):
        configure(full_folder, 2, advanced_technologies=True)


def test_uk8_the_columns_of_what_a_technology_does_may_be_left_out(full_folder: Path) -> None:
    (full_folder / "technologies.csv").write_text("id,name,price,copies\nvisa,Visa,1,3\n")
    (visa,) = load_map(full_folder).all_technologies
    assert visa == Technology("visa", "Visa", 1, 3, False, (), (), False, "")


def test_a_note_on_how_sure_a_row_is_changes_nothing(folder: Path) -> None:
    before = load_map(folder)
    add_column(folder / "routes.csv", "confidence", ["low"] * 9)
    add_column(folder / "tickets.csv", "confidence", ["asked twice"] * 7)
    assert replace(load_map(folder), digest=before.digest) == before


def test_la5_the_points_of_an_x_may_be_others(full_folder: Path) -> None:
    assert load_map(full_folder).mountain_points == 3


def test_pa4_pa5_the_companies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    assert load_map(full_folder).companies == (
        Company("sbb", "Swiss Railways", 5, (9, 4)),
        Company("fs", "Italian Railways", 3, (6,)),
    )


def test_pa8_a_neutral_player_holds_shares_up_to_the_number_of_players_named(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert variant.neutral_shareholder_up_to == 2


def test_ny5_a_city_may_have_an_attraction(full_folder: Path) -> None:
    assert [city.id for city in load_map(full_folder).cities if city.attraction] == ["bern", "milan"]


def test_la2_long_tickets_come_after_the_regular_ones(full_folder: Path) -> None:
    deck = load_map(full_folder).ticket_decks["main"]
    assert deck.long == (
        Ticket("bern", "como", 11),
        Ticket("geneva", "italy", 12),
        Ticket("zurich", "milan", 13),
    )
    assert (len(deck.regular), deck.tickets) == (7, deck.regular + deck.long)
    assert (deck.long_offered, deck.starting_refused) == (1, "leave")


def test_la2_as_many_starting_tickets_may_have_to_be_kept_as_are_offered_of_both_kinds(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting = { offered = 2, keep = 1 }", "starting = { offered = 2, keep = 3 }")
    assert load_map(full_folder).ticket_decks["main"].starting == Offer(2, 3)


def test_the_bonuses_and_tie_breaks_are_read_by_their_names(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert variant.ticket_decks["main"].bonuses == {"explorer": 6, "attractions": 2}
    assert variant.tie_breaks == ("completed_tickets", "mountain_routes")


@pytest.mark.parametrize("refused", REFUSED)
def test_a_map_game_may_say_where_refused_starting_tickets_go(folder: Path, refused: str) -> None:
    change(folder / "variant.toml", 'rows = "main"', f'rows = "main"\nstarting_refused = "{refused}"')
    assert load_map(folder).ticket_decks["main"].starting_refused == refused


@pytest.mark.parametrize("refused", ["under", "shuffled"])
def test_with_long_tickets_refused_starting_tickets_leave_the_game(full_folder: Path, refused: str) -> None:
    change(full_folder / "variant.toml", 'starting_refused = "leave"', f'starting_refused = "{refused}"')
    assert refusal(full_folder) == (
        f"variant.toml: ticket_decks.main.starting_refused must be leave with long tickets,"
        f" as no rule has them in the ticket deck, not {refused!r}"
    )


def test_teams_must_keep_a_ticket_which_they_share(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "later = { offered = 2, keep = 1 }", "later = { offered = 2, keep = 0 }")
    assert refusal(team_folder) == (
        "variant.toml: ticket_decks.main must have 1 ticket or more to keep, of which teams share one"
    )


def test_c16_a_ticket_may_name_a_region(folder: Path) -> None:
    variant = load_map(folder)
    assert Ticket("zurich", "italy", 4) in variant.ticket_decks["main"].tickets
    assert [city.id for city in variant.cities if city.region == "italy"] == ["como", "milan"]


def test_a_city_may_be_a_region_of_its_own(folder: Path) -> None:
    change(folder / "cities.csv", "bern,Bern,0.20,0.30,", "bern,Bern,0.20,0.30,bern")
    assert load_map(folder).cities[0].region == "bern"


DOCUMENTED = {
    "variant.toml": every_game.VARIANT_KEYS,
    "Map games have these keys besides:": map_variant.MAP_KEYS,
    "Card games have these keys besides:": card_variant.CARD_KEYS,
    "Each ticket deck holds:": every_game.TICKET_DECK_KEYS,
    "Ticket decks of map games hold besides:": map_variant.MAP_TICKET_DECK_KEYS,
    "cities.csv": every_game.CITY_COLUMNS,
    "The cities of map games may have besides:": map_variant.MAP_CITY_COLUMNS,
    "routes.csv": map_variant.ROUTE_COLUMNS,
    "tickets.csv": every_game.TICKET_COLUMNS,
    "Tickets of card games have besides:": card_variant.CARD_TICKET_COLUMNS,
    "bonus_cards.csv": card_variant.BONUS_CARD_COLUMNS,
    "companies.csv": map_variant.COMPANY_COLUMNS,
    "technologies.csv": map_variant.TECHNOLOGY_COLUMNS,
}


def documented(title: str) -> dict[str, list[str]]:
    """The first table of the documentation under a title: by name, the cells beside it."""
    _, text = re.split(rf"^(?:## )?{re.escape(title)}$", DOCUMENTATION, flags=re.MULTILINE)
    table = re.search(r"^\| --- .*\n((?:\|.*\n?)+)", text, re.MULTILINE)
    assert table
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]
    return {name: cells for first, *cells in rows for name in re.findall(r"`(\w+)`", first)}


@pytest.mark.parametrize(("title", "names"), DOCUMENTED.items(), ids=DOCUMENTED)
def test_the_documentation_explains_every_key_and_column_and_no_other(title: str, names: Names) -> None:
    assert sorted(documented(title)) == sorted([*names.required, *names.defaults])


@pytest.mark.parametrize(("title", "names"), DOCUMENTED.items(), ids=DOCUMENTED)
def test_the_documentation_says_what_holds_if_one_is_left_out(title: str, names: Names) -> None:
    left_out = {name: cells[2] for name, cells in documented(title).items() if len(cells) > 2}
    assert [name for name, meaning in left_out.items() if meaning] == [
        name for name in left_out if name in names.defaults
    ]
    assert left_out.keys() >= names.defaults.keys()


@pytest.mark.parametrize("title", list(DOCUMENTED)[:3])
def test_the_documentation_names_the_default_of_each_key(title: str) -> None:
    defaults = {name: cells[2].strip("`") for name, cells in documented(title).items() if cells[2]}
    assert {name: tomllib.loads(f"it = {value}")["it"] for name, value in defaults.items()} == (
        DOCUMENTED[title].defaults
    )


def test_the_documentation_names_every_bonus_and_tie_break() -> None:
    assert list(documented("| bonus | for what |")) == list(BONUSES)
    assert re.findall(r"`(\w+)`", documented("variant.toml")["tie_breaks"][1]) == [*TIE_BREAKS, *CARD_TIE_BREAKS]


def test_the_documentation_names_every_kind_of_game_and_every_way_of_refused_tickets() -> None:
    assert re.findall(r"`(\w+)`", documented("variant.toml")["ruleset"][1]) == list(RULESETS)
    assert re.findall(r"`(\w+)`", documented("Each ticket deck holds:")["starting_refused"][1]) == list(REFUSED)


def test_the_documentation_names_every_effect_of_a_technology() -> None:
    assert list(documented("| effect | what it does |")) == list(EFFECTS)


def test_the_documentation_names_the_keys_of_offers() -> None:
    cells = documented("Each ticket deck holds:") | documented("Ticket decks of map games hold besides:")
    offer, long = every_game.OFFER_KEYS, map_variant.LONG_KEYS
    for key, names in (("starting", offer), ("later", offer), ("long", long)):
        assert set(names.required) <= set(re.findall(r"`(\w+)`", " ".join(cells[key])))


def test_a_shipped_variant_is_read_once() -> None:
    assert load_variant("usa") is load_variant("usa")


def test_the_path_to_a_shipped_folder_gives_the_same_variant() -> None:
    assert load_variant(SHIPPED / "usa") == load_variant("usa") == load_variant(str(SHIPPED / "usa"))


def test_a_variant_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(load_variant("usa"))) == load_variant("usa")


def test_a_folder_is_read_anew_after_a_change(folder: Path) -> None:
    before = load_map(folder)
    change(folder / "tickets.csv", "bern,milan,6", "bern,milan,7")
    after = load_map(folder)
    assert Ticket("bern", "milan", 7) in after.ticket_decks["main"].tickets
    assert after.digest != before.digest


@pytest.mark.parametrize("file", FILES)
def test_the_digest_and_the_variant_ignore_how_lines_end(full_folder: Path, file: str) -> None:
    before = load_map(full_folder)
    content = (full_folder / file).read_bytes()
    (full_folder / file).write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert load_map(full_folder) == before


@pytest.mark.parametrize("file", FILES)
def test_the_digest_tells_folders_apart_by_each_file(full_folder: Path, file: str) -> None:
    before = load_map(full_folder)
    changes = {
        "variant.toml": ("Lakes of the Alps", "Lakes"),
        "cities.csv": ("Milano", "Milan"),
        "routes.csv": ("como,milan,0,1", "como,milan,0,2"),
        "tickets.csv": ("bern,como,11", "bern,como,10"),
        "companies.csv": ("9;4", "9;5"),
        "technologies.csv": ("visa,Visa,1", "visa,Visa,2"),
    }
    change(full_folder / file, *changes[file])
    assert load_map(full_folder).digest != before.digest


def test_the_digest_ignores_where_the_folder_lies_and_what_else_it_holds(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("elsewhere") / "map")
    (copy / "SOURCES.md").write_text("Drawn from memory.\n")
    assert load_map(copy).digest == load_map(folder).digest


def test_columns_may_stand_in_any_order_and_blank_rows_are_skipped(folder: Path) -> None:
    before = load_map(folder)
    rows = [line.split(",") for line in (folder / "routes.csv").read_text().splitlines()]
    (folder / "routes.csv").write_text("\n\n,,,,\n".join(",".join(reversed(row)) for row in rows))
    assert replace(load_map(folder), digest=before.digest) == before


def test_the_column_of_regions_may_be_left_out(folder: Path) -> None:
    cities = (folder / "cities.csv").read_text(encoding="utf-8")
    (folder / "cities.csv").write_text(re.sub(",[^,]*$", "", cities, flags=re.MULTILINE), encoding="utf-8")
    change(folder / "tickets.csv", "main,zurich,italy,4\n", "")
    change(folder / "tickets.csv", "bern,italy", "bern,como")
    assert {city.region for city in load_map(folder).cities} == {""}


# A card game of one's own


def test_the_second_example_of_the_documentation_is_a_complete_card_game(card_folder: Path) -> None:
    variant = load_card_variant(card_folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes_cards", "Cards of the Alps", "card_game")
    assert (variant.colours, variant.locomotives) == ({"blue": 8, "green": 8, "red": 8}, 6)
    assert (variant.second_deck_players, variant.second_deck_hand) == (3, 2)
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.ticket_decks["main"].tickets[0] == Ticket("bern", "milan", 6, {"blue": 1, "red": 1})
    assert variant.bonus_cards == (BonusCard("milan", 8), BonusCard("zurich", 5))


def test_a_key_left_out_of_a_card_game_means_what_it_means_elsewhere(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'starting_refused = "shuffled"\n', "")
    variant = load_card_variant(card_folder)
    assert (variant.starting_locomotives, variant.turn_limit, variant.team_size) == (0, 1000, 1)
    deck = variant.ticket_decks["main"]
    assert (deck.starting_refused, deck.bonuses, deck.long) == ("under", {}, ())


def test_a_card_game_must_say_that_it_is_one(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'ruleset = "card_game"\n', "")
    assert refusal(card_folder).startswith("variant.toml: unknown key 'second_deck_players'; allowed are id, name,")


def test_only_tickets_that_take_the_same_cards_are_one_in_a_set() -> None:
    cards: tuple[dict[str, int], ...] = ({"blue": 1}, {"blue": 1}, {"red": 1}, {})
    assert len({Ticket("bern", "milan", 6, it) for it in cards}) == 3


def test_a_shipped_card_game_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(load_variant("card_game"))) == load_variant("card_game")


@pytest.mark.parametrize("refused", REFUSED)
def test_a_card_game_may_say_where_refused_starting_tickets_go(card_folder: Path, refused: str) -> None:
    change(card_folder / "variant.toml", '"shuffled"', f'"{refused}"')
    assert load_variant(card_folder).ticket_decks["main"].starting_refused == refused


@pytest.mark.parametrize("players", [2, 7])
def test_cg12_a_second_deck_may_always_be_played_or_never(card_folder: Path, players: int) -> None:
    change(card_folder / "variant.toml", "second_deck_players = 3", f"second_deck_players = {players}")
    assert load_card_variant(card_folder).second_deck_players == players


def test_the_most_bonus_cards_and_cards_of_a_ticket_are_allowed(card_folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(16)]
    with (card_folder / "cities.csv").open("a", encoding="utf-8") as file:
        file.write("\n".join([*cities, ""]))
    rows = [f"c{number},100" for number in range(16)]
    (card_folder / "bonus_cards.csv").write_text("\n".join(["city,points", *rows]))
    change(card_folder / "tickets.csv", TICKET_OF_CARDS, "main,geneva,milan,5,0,0,127")
    variant = load_card_variant(card_folder)
    assert (len(variant.bonus_cards), variant.ticket_decks["main"].tickets[3].cards) == (16, {"red": 127})


@pytest.mark.parametrize("file", CARD_FILES)
def test_the_digest_tells_card_games_apart_by_each_file(card_folder: Path, file: str) -> None:
    before = load_variant(card_folder)
    changes = {
        "variant.toml": ("Cards of the Alps", "Cards"),
        "cities.csv": ("Milano", "Milan"),
        "tickets.csv": (TICKET_OF_CARDS, "main,geneva,milan,5,1,0,0"),
        "bonus_cards.csv": ("milan,8", "milan,9"),
    }
    change(card_folder / file, *changes[file])
    assert load_variant(card_folder).digest != before.digest


@pytest.mark.parametrize("file", CARD_FILES)
def test_a_missing_file_of_a_card_game_is_refused(card_folder: Path, file: str) -> None:
    (card_folder / file).unlink()
    assert refusal(card_folder) == f"{file}: must be a file that can be read (No such file or directory)"


@pytest.mark.parametrize("file", CARD_FILES[1:])
def test_an_empty_table_of_a_card_game_is_refused(card_folder: Path, file: str) -> None:
    header = (card_folder / file).read_text(encoding="utf-8").splitlines()[0]
    (card_folder / file).write_text(header)
    assert refusal(card_folder) == f"{file}:1: at least one row must follow the columns' names"


TICKET_OF_CARDS = "main,geneva,milan,5,2,0,0"
CARD_KEYS = (
    "id, name, environment_version, min_players, max_players, starting_hand, tie_breaks, default_ticket_deck,"
    " train_cards, ticket_decks, second_deck_players, second_deck_hand, ruleset, starting_locomotives, turn_limit"
)
CARD_DECK_KEYS = "rows, starting, later, starting_refused"
CARD_TICKET_COLUMNS = f"deck, a, b, points, confidence, {', '.join(COLOURS)}"
CARD_TIE_BREAKS_ALLOWED = (
    "tie_breaks must be a list that names each at most once of completed_tickets, bonus_cards, not"
)
CARD_CASES = {
    "a key of map games": (
        "variant.toml",
        "starting_hand = 3",
        "starting_hand = 3\ntrains = 15",
        f"unknown key 'trains'; allowed are {CARD_KEYS}",
    ),
    "a missing key of card games": (
        "variant.toml",
        "second_deck_hand = 2\n",
        "",
        f"key 'second_deck_hand' is missing; allowed are {CARD_KEYS}",
    ),
    "a second deck for one": (
        "variant.toml",
        "second_deck_players = 3",
        "second_deck_players = 1",
        "second_deck_players must be an integer from 2 to 7, not 1",
    ),
    "a second deck for too many": (
        "variant.toml",
        "second_deck_players = 3",
        "second_deck_players = 8",
        "second_deck_players must be an integer from 2 to 7, not 8",
    ),
    "no card dealt of the second deck": (
        "variant.toml",
        "second_deck_hand = 2",
        "second_deck_hand = 0",
        "second_deck_hand must be an integer from 1 to 127, not 0",
    ),
    "too many cards dealt of the second deck": (
        "variant.toml",
        "second_deck_hand = 2",
        "second_deck_hand = 128",
        "second_deck_hand must be an integer from 1 to 127, not 128",
    ),
    "more cards dealt than there are": (
        "variant.toml",
        "starting_hand = 3",
        "starting_hand = 11",
        "train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30",
    ),
    "a tie-break of map games": (
        "variant.toml",
        '"completed_tickets", "bonus_cards"',
        '"longest_path"',
        f"{CARD_TIE_BREAKS_ALLOWED} ['longest_path']",
    ),
    "bonuses of a ticket deck": (
        "variant.toml",
        'rows = "main"',
        'rows = "main"\nbonuses = {}',
        f"unknown key 'ticket_decks.main.bonuses'; allowed are {CARD_DECK_KEYS}",
    ),
    "long tickets": (
        "variant.toml",
        'rows = "main"',
        'rows = "main"\nlong = { rows = "long", offered = 1 }',
        f"unknown key 'ticket_decks.main.long'; allowed are {CARD_DECK_KEYS}",
    ),
    "another place for refused starting tickets": (
        "variant.toml",
        '"shuffled"',
        '"burnt"',
        "ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burnt'",
    ),
    "starting offers of more tickets than there are": (
        "variant.toml",
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 3, keep = 1 }",
        "ticket_decks.main.starting.offered must be at most 2, as 3 players share 6 tickets, not 3",
    ),
    "a default deck that does not exist": (
        "variant.toml",
        'default_ticket_deck = "main"',
        'default_ticket_deck = "other"',
        "default_ticket_deck must be one of main, not 'other'",
    ),
    "regions": (
        "cities.csv:1",
        "id,name,x,y",
        "id,name,x,region",
        "unknown column 'region'; allowed are id, name, x, y",
    ),
    "attractions": (
        "cities.csv:1",
        "id,name,x,y",
        "id,name,x,attraction",
        "unknown column 'attraction'; allowed are id, name, x, y",
    ),
    "a city twice": (
        "cities.csv:5",
        "milan,Milano",
        "bern,Milano",
        "id must be an id that no other city has, not 'bern'",
    ),
    "a column of locomotives": (
        "tickets.csv:1",
        "points,blue,green,red",
        f"points,blue,green,{LOCOMOTIVE}",
        f"unknown column '{LOCOMOTIVE}'; allowed are {CARD_TICKET_COLUMNS}",
    ),
    "a ticket of a deck that is not used": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "mian,geneva,milan,5,2,0,0",
        "deck must be one that a ticket deck of variant.toml uses (main), not 'mian'",
    ),
    "a ticket to an unknown city": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,rome,5,2,0,0",
        "b must be the id of a city in cities.csv, not 'rome'",
    ),
    "a ticket from a city to itself": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,milan,milan,5,2,0,0",
        "b must be another city than a, not 'milan'",
    ),
    "a ticket of no points": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,0,2,0,0",
        "points must be an integer from 1 to 100, not '0'",
    ),
    "a ticket of fewer than no cards": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,5,2,-1,0",
        "green must be an integer from 0 to 127, not '-1'",
    ),
    "cards left blank": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,5,2,,0",
        "green must be an integer from 0 to 127, not ''",
    ),
    "too many cards of a colour": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,5,128,0,0",
        "blue must be an integer from 0 to 127, not '128'",
    ),
    "too many cards of all colours": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,5,126,1,1",
        "the ticket's cards must add up to 1 to 127, not 128",
    ),
    "a ticket without cards": (
        "tickets.csv:5",
        TICKET_OF_CARDS,
        "main,geneva,milan,5,0,0,0",
        "the ticket's cards must add up to 1 to 127, not 0",
    ),
    "a colour without train cards": (
        "tickets.csv:2",
        "points,blue,green,red\n",
        "points,blue,green,black\n",
        "black must be 0, as variant.toml has no train cards of this colour, not '1'",
    ),
    "too many tickets": (
        "tickets.csv:74",
        TICKET_OF_CARDS,
        TICKET_OF_CARDS + ("\n" + TICKET_OF_CARDS) * 67,
        "at most 72 tickets of one deck are allowed",
    ),
    "an unknown column of bonus cards": (
        "bonus_cards.csv:1",
        "city,points",
        "city,bonus",
        "unknown column 'bonus'; allowed are city, points",
    ),
    "a missing column of bonus cards": (
        "bonus_cards.csv:1",
        "city,points\nmilan,8\nzurich,5",
        "city\nmilan\nzurich",
        "column 'points' is missing; allowed are city, points",
    ),
    "a bonus card of an unknown city": (
        "bonus_cards.csv:3",
        "zurich,5",
        "rome,5",
        "city must be the id of a city in cities.csv, not 'rome'",
    ),
    "two bonus cards of one city": (
        "bonus_cards.csv:3",
        "zurich,5",
        "milan,5",
        "city must be a city that no other bonus card has, not 'milan'",
    ),
    "a bonus card of no points": (
        "bonus_cards.csv:3",
        "zurich,5",
        "zurich,0",
        "points must be an integer from 1 to 100, not '0'",
    ),
    "a bonus card of too many points": (
        "bonus_cards.csv:3",
        "zurich,5",
        "zurich,101",
        "points must be an integer from 1 to 100, not '101'",
    ),
    "too many bonus cards": (
        "bonus_cards.csv:18",
        "zurich,5",
        "zurich,5\n" * 16,
        "at most 16 bonus cards are allowed",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "message"), CARD_CASES.values(), ids=CARD_CASES)
def test_what_only_card_games_have_is_checked_too(
    card_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    change(card_folder / where.split(":")[0], old, new)
    assert refusal(card_folder) == f"{where}: {message}"


# Broken folders


def test_an_unknown_variant_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(VariantError) as caught:
        load_variant("atlantis")
    assert str(caught.value) == (
        f"unknown variant 'atlantis': must be one of {', '.join(VARIANTS)}, or the path to a folder"
    )


@pytest.mark.parametrize("file", FILES[:4])
def test_a_missing_file_is_refused(folder: Path, file: str) -> None:
    (folder / file).unlink()
    assert refusal(folder) == f"{file}: must be a file that can be read (No such file or directory)"


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_not_utf_8_is_refused(full_folder: Path, file: str) -> None:
    lines = (full_folder / file).read_bytes().splitlines()
    (full_folder / file).write_bytes(b"\r\n".join([*lines[:3], "Zürich".encode("latin-1"), *lines[3:]]))
    assert refusal(full_folder) == f"{file}:4: must be UTF-8 text"


@pytest.mark.parametrize("file", FILES[1:])
def test_an_empty_table_is_refused(full_folder: Path, file: str) -> None:
    header = (full_folder / file).read_text(encoding="utf-8").splitlines()[0]
    (full_folder / file).write_text(header)
    assert refusal(full_folder) == f"{file}:1: at least one row must follow the columns' names"


VARIANT_KEYS = (
    "id, name, environment_version, min_players, max_players, starting_hand, tie_breaks, default_ticket_deck,"
    " train_cards, ticket_decks, aspect, trains, double_routes_closed_up_to, points,"
    " ruleset, starting_locomotives, turn_limit, team_size, exchange, face_up_sweep, last_round_trains,"
    " triple_route_claims, neutral_shareholder_up_to, mountain_points"
)
TIE_BREAKS_ALLOWED = (
    "tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes, not"
)
VARIANT_CASES = {
    "an unknown key": (
        "trains = 15",
        "trains = 15\nferries = 2",
        f"unknown key 'ferries'; allowed are {VARIANT_KEYS}",
    ),
    "a missing key": (
        "trains = 15\n",
        "",
        f"key 'trains' is missing; allowed are {VARIANT_KEYS}",
    ),
    "an unknown key of a deck": (
        'rows = "main"',
        'row = "main"',
        "unknown key 'ticket_decks.main.row'; allowed are rows, starting, later, bonuses, starting_refused, long",
    ),
    "a missing key of an offer": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 2 }",
        "key 'ticket_decks.main.starting.keep' is missing; allowed are offered, keep",
    ),
    "a number that is text": (
        "trains = 15",
        'trains = "15"',
        "trains must be an integer from 1 to 64, not '15'",
    ),
    "a number that is true": (
        "trains = 15",
        "trains = true",
        "trains must be an integer from 1 to 64, not True",
    ),
    "a number with a fraction": (
        "trains = 15",
        "trains = 1.5",
        "trains must be an integer from 1 to 64, not 1.5",
    ),
    "too many trains": (
        "trains = 15",
        "trains = 65",
        "trains must be an integer from 1 to 64, not 65",
    ),
    "unknown rules": (
        "trains = 15",
        'trains = 15\nruleset = "ships"',
        "ruleset must be one of map_game, card_game, not 'ships'",
    ),
    "a list of rules": (
        "trains = 15",
        'trains = 15\nruleset = ["map_game"]',
        "ruleset must be one of map_game, card_game, not ['map_game']",
    ),
    "bonus cards as a tie-break of a map game": (
        '["completed_tickets"]',
        '["bonus_cards"]',
        f"{TIE_BREAKS_ALLOWED} ['bonus_cards']",
    ),
    "an id with a capital": (
        'id = "lakes"',
        'id = "Lakes"',
        "id must be an id of lowercase letters a-z, digits and _, not 'Lakes'",
    ),
    "an id that is a number": (
        'id = "lakes"',
        "id = 1910",
        "id must be an id of lowercase letters a-z, digits and _, not 1910",
    ),
    "a blank name": (
        'name = "Lakes of the Alps"',
        'name = " "',
        "name must be one line of text, not ' '",
    ),
    "a negative version": (
        "environment_version = 0",
        "environment_version = -1",
        "environment_version must be an integer from 0 to 999, not -1",
    ),
    "an endless map": (
        "aspect = 1.3",
        "aspect = inf",
        "aspect must be a number from 0.1 to 10, not inf",
    ),
    "a game for one": (
        "min_players = 2",
        "min_players = 1",
        "min_players must be an integer from 2 to 6, not 1",
    ),
    "fewer players at most than at least": (
        "max_players = 3",
        "max_players = 1",
        "max_players must be an integer from 2 to 6, not 1",
    ),
    "a game for seven": (
        "max_players = 3",
        "max_players = 7",
        "max_players must be an integer from 2 to 6, not 7",
    ),
    "a starting hand of nothing": (
        "starting_hand = 3",
        "starting_hand = 0",
        "starting_hand must be an integer from 1 to 127, not 0",
    ),
    "a deck too small for the starting hands": (
        "starting_hand = 3",
        "starting_hand = 11",
        "train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30",
    ),
    "too many train cards": (
        "red = 8",
        "red = 106",
        "train_cards must add up to 9 cards (max_players times starting_hand and starting_locomotives) to 127, not 128",
    ),
    "train cards of an unknown colour": (
        "red = 8",
        "pink = 8",
        "unknown key 'train_cards.pink'; allowed are"
        " purple, blue, orange, white, green, yellow, black, red, locomotive",
    ),
    "a negative number of train cards": (
        "red = 8",
        "red = -8",
        "train_cards.red must be an integer from 0 to 127, not -8",
    ),
    "a rule neither on nor off": (
        "trains = 15",
        "trains = 15\nface_up_sweep = 1",
        "face_up_sweep must be true or false, not 1",
    ),
    "a negative number of last trains": (
        "trains = 15",
        "trains = 15\nlast_round_trains = -1",
        "last_round_trains must be an integer from 0 to 64, not -1",
    ),
    "double connections for too many": (
        "double_routes_closed_up_to = 2",
        "double_routes_closed_up_to = 7",
        "double_routes_closed_up_to must be an integer from 0 to 6, not 7",
    ),
    "no turns": (
        "trains = 15",
        "trains = 15\nturn_limit = 0",
        "turn_limit must be an integer from 1 to 30000, not 0",
    ),
    "an unknown tie-break": (
        '["completed_tickets"]',
        '["beauty"]',
        f"{TIE_BREAKS_ALLOWED} ['beauty']",
    ),
    "a tie-break twice": (
        '["completed_tickets"]',
        '["longest_path", "longest_path"]',
        f"{TIE_BREAKS_ALLOWED} ['longest_path', 'longest_path']",
    ),
    "tie-breaks that are no list": (
        '["completed_tickets"]',
        '"completed_tickets"',
        f"{TIE_BREAKS_ALLOWED} 'completed_tickets'",
    ),
    "points for too long a route": (
        "4 = 7",
        "4 = 7\n16 = 90",
        "unknown key 'points.16'; allowed are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ),
    "too many points": (
        "4 = 7",
        "4 = 101",
        "points.4 must be an integer from 0 to 100, not 101",
    ),
    "no points": (
        "1 = 1\n2 = 2\n3 = 4\n4 = 7\n",
        "",
        "points must be a table with an entry for each length of a route, not {}",
    ),
    "a default deck that does not exist": (
        'default_ticket_deck = "main"',
        'default_ticket_deck = "other"',
        "default_ticket_deck must be one of main, not 'other'",
    ),
    "a deck's name with a capital": (
        "[ticket_decks.main]",
        "[ticket_decks.Main]",
        "ticket_decks must name its tables by lowercase letters a-z, digits and _, not 'Main'",
    ),
    "a deck that is no table": (
        "[ticket_decks.main]",
        "[ticket_decks]",
        "ticket_decks.rows must be a table, not 'main'",
    ),
    "a deck of no rows": (
        'rows = "main"',
        'rows = "other"',
        "ticket_decks.main.rows must be a deck of tickets.csv (main), not 'other'",
    ),
    "more to keep than offered": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 2, keep = 3 }",
        "ticket_decks.main.starting.keep must be an integer from 0 to 2, not 3",
    ),
    "too large an offer": (
        "later = { offered = 2, keep = 1 }",
        "later = { offered = 7, keep = 1 }",
        "ticket_decks.main.later.offered must be an integer from 1 to 6, not 7",
    ),
    "starting offers of more tickets than there are": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 3, keep = 1 }",
        "ticket_decks.main.starting.offered must be at most 2, as 3 players share 7 tickets, not 3",
    ),
    "an offer that is no table": (
        "later = { offered = 2, keep = 1 }",
        "later = 2",
        "ticket_decks.main.later must be a table, not 2",
    ),
    "an unknown bonus": (
        "{ longest_path = 5 }",
        "{ beauty = 5 }",
        "unknown key 'ticket_decks.main.bonuses.beauty'; allowed are longest_path, globetrotter, explorer, attractions",
    ),
    "a bonus of nothing": (
        "{ longest_path = 5 }",
        "{ longest_path = 0 }",
        "ticket_decks.main.bonuses.longest_path must be an integer from 1 to 100, not 0",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), VARIANT_CASES.values(), ids=VARIANT_CASES)
def test_a_wrong_key_names_itself_and_what_is_allowed(folder: Path, old: str, new: str, message: str) -> None:
    change(folder / "variant.toml", old, new)
    assert refusal(folder) == f"variant.toml: {message}"


@pytest.mark.parametrize(("wrong", "line"), [("trains 15", 7), ("trains = 15\ntrains = 15", 8)])
def test_a_syntax_error_names_its_line(folder: Path, wrong: str, line: int) -> None:
    change(folder / "variant.toml", "trains = 15", wrong)
    assert re.fullmatch(rf"variant\.toml: must be valid TOML: .*\(at line {line}, .*\)", refusal(folder))


def test_a_variant_without_ticket_decks_is_refused(folder: Path) -> None:
    text = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(text[: text.index("[ticket_decks.main]")] + "[ticket_decks]\n")
    assert refusal(folder) == "variant.toml: ticket_decks must be at least one table, not {}"


CITY = "zurich,Zürich,0.50,0.10,"
ROUTE = "bern,zurich,1,2,green"
TICKET = "main,geneva,como,5"
COLOUR_ALLOWED = "colour must be gray or a colour with train cards in variant.toml (blue, green, red), not"
ROUTE_COLUMNS = (
    "a, b, track, length, colour, ferry, mountain, companies, tunnel, stays_open, separate, no_technology, confidence"
)
ROW_CASES = {
    "a missing column of cities": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,region",
        "column 'y' is missing; allowed are id, name, x, y, region, attraction",
    ),
    "an unknown column of cities": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,y,z",
        "unknown column 'z'; allowed are id, name, x, y, region, attraction",
    ),
    "a column twice": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,y,y",
        "each column must stand only once in id, name, x, y, y",
    ),
    "a cell too few": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,0.50",
        "must have 5 cells (id, name, x, y, region), not 3",
    ),
    "a cell too many": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,Switzerland,0.50,0.10,",
        "must have 5 cells (id, name, x, y, region), not 6",
    ),
    "a quotation without end": (
        "cities.csv:4",
        CITY,
        'zurich,"Zürich,0.50,0.10,',
        "must be valid CSV: unexpected end of data",
    ),
    "a row below a blank one": (
        "cities.csv:6",
        CITY,
        "\n,,,,\nzurich,Zürich,0.50,2,",
        "y must be a number from 0 to 1, not '2'",
    ),
    "a city's id with a capital": (
        "cities.csv:4",
        CITY,
        "Zurich,Zürich,0.50,0.10,",
        "id must be an id of lowercase letters a-z, digits and _, not 'Zurich'",
    ),
    "a city twice": (
        "cities.csv:4",
        CITY,
        "bern,Zürich,0.50,0.10,",
        "id must be an id that no other city has, not 'bern'",
    ),
    "a city without a name": (
        "cities.csv:4",
        CITY,
        "zurich,,0.50,0.10,",
        "name must be one line of text, not ''",
    ),
    "a city's name of two lines": (
        "cities.csv:4",
        CITY,
        'zurich,"Zür\nich",0.50,0.10,',
        "name must be one line of text, not 'Zür\\nich'",
    ),
    "a place that is no number": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,left,0.10,",
        "x must be a number from 0 to 1, not 'left'",
    ),
    "a place that is not a number": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,nan,0.10,",
        "x must be a number from 0 to 1, not 'nan'",
    ),
    "a place off the map": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,0.50,-0.10,",
        "y must be a number from 0 to 1, not '-0.10'",
    ),
    "a region with a blank": (
        "cities.csv:4",
        CITY,
        CITY + "north east",
        "region must be an id of lowercase letters a-z, digits and _, not 'north east'",
    ),
    "a region called like a city": (
        "cities.csv:4",
        CITY,
        CITY + "bern",
        "region must be a name that is no other city's id, not 'bern'",
    ),
    "too many cities": (
        "cities.csv:66",
        CITY,
        CITY + "\nx,y,0,0," * 59,
        "at most 64 cities are allowed",
    ),
    "a missing column of routes": (
        "routes.csv:1",
        "a,b,track,length,colour",
        "a,b,track,length",
        f"column 'colour' is missing; allowed are {ROUTE_COLUMNS}",
    ),
    "an unknown column of routes": (
        "routes.csv:1",
        "a,b,track,length,colour",
        "a,b,track,length,color",
        f"unknown column 'color'; allowed are {ROUTE_COLUMNS}",
    ),
    "a route from an unknown city": (
        "routes.csv:4",
        ROUTE,
        "berne,zurich,1,2,green",
        "a must be the id of a city in cities.csv, not 'berne'",
    ),
    "a route to a region": (
        "routes.csv:4",
        ROUTE,
        "bern,italy,0,2,green",
        "b must be the id of a city in cities.csv, not 'italy'",
    ),
    "a route from a city to itself": (
        "routes.csv:4",
        ROUTE,
        "bern,bern,0,2,green",
        "b must be another city than a, not 'bern'",
    ),
    "a route twice": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,0,2,green",
        "track must be 1, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '0'",
    ),
    "a route's number left out": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,2,2,green",
        "track must be 1, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '2'",
    ),
    "a connection without route 0": (
        "routes.csv:2",
        "bern,geneva,0,2,red",
        "bern,geneva,1,2,red",
        "track must be 0, as the rows of parallel routes are numbered 0, 1, 2 in their order, not '1'",
    ),
    "a fourth route": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,3,2,green",
        "track must be an integer from 0 to 2, not '3'",
    ),
    "a connection under both orders": (
        "routes.csv:4",
        ROUTE,
        "zurich,bern,0,2,green",
        "a and b must be 'bern' and 'zurich', as in the first row of these parallel routes, not 'zurich' and 'bern'",
    ),
    "a route of no spaces": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,0,green",
        "length must be an integer from 1 to 15, not '0'",
    ),
    "a negative length": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,-2,green",
        "length must be an integer from 1 to 15, not '-2'",
    ),
    "too great a length": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,16,green",
        "length must be an integer from 1 to 15, not '16'",
    ),
    "a length that is no number": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,two,green",
        "length must be an integer from 1 to 15, not 'two'",
    ),
    "a length without points": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,5,green",
        "length must be a length with points in variant.toml (1, 2, 3, 4), not '5'",
    ),
    "an unknown colour": ("routes.csv:4", ROUTE, "bern,zurich,1,2,pink", f"{COLOUR_ALLOWED} 'pink'"),
    "a colour without train cards": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,2,black",
        f"{COLOUR_ALLOWED} 'black'",
    ),
    "the locomotive as a route's colour": (
        "routes.csv:4",
        ROUTE,
        "bern,zurich,1,2,locomotive",
        f"{COLOUR_ALLOWED} 'locomotive'",
    ),
    "too many routes": (
        "routes.csv:130",
        ROUTE,
        ROUTE + ("\n" + ROUTE) * 120,
        "at most 128 routes are allowed",
    ),
    "a missing column of tickets": (
        "tickets.csv:1",
        "deck,a,b,points",
        "a,b,points",
        "column 'deck' is missing; allowed are deck, a, b, points, confidence",
    ),
    "an unknown column of tickets": (
        "tickets.csv:1",
        "deck,a,b,points",
        "deck,a,b,points,by",
        "unknown column 'by'; allowed are deck, a, b, points, confidence",
    ),
    "a ticket of a deck that is not used": (
        "tickets.csv:4",
        TICKET,
        "mian,geneva,como,5",
        "deck must be one that a ticket deck of variant.toml uses (main), not 'mian'",
    ),
    "a ticket's deck with a capital": (
        "tickets.csv:4",
        TICKET,
        "Main,geneva,como,5",
        "deck must be an id of lowercase letters a-z, digits and _, not 'Main'",
    ),
    "a ticket to an unknown city": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,rome,5",
        "b must be the id of a city or a region of cities.csv, not 'rome'",
    ),
    "a ticket from a city to itself": (
        "tickets.csv:4",
        TICKET,
        "main,como,como,5",
        "b must be a place apart from a, not 'como'",
    ),
    "a ticket from a city to its own region": (
        "tickets.csv:4",
        TICKET,
        "main,italy,como,5",
        "b must be a place apart from a, not 'como'",
    ),
    "a ticket of no points": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,0",
        "points must be an integer from 1 to 100, not '0'",
    ),
    "a ticket with a fraction of a point": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,5.5",
        "points must be an integer from 1 to 100, not '5.5'",
    ),
    "a ticket of too many points": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,101",
        "points must be an integer from 1 to 100, not '101'",
    ),
    "too many tickets": (
        "tickets.csv:74",
        TICKET,
        TICKET + ("\n" + TICKET) * 66,
        "at most 72 tickets of one deck are allowed",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "message"), ROW_CASES.values(), ids=ROW_CASES)
def test_a_wrong_row_names_its_line_and_what_is_allowed(
    folder: Path, where: str, old: str, new: str, message: str
) -> None:
    change(folder / where.split(":")[0], old, new)
    assert refusal(folder) == f"{where}: {message}"


FULL_ROUTE = "bern,zurich,1,2,green,0,1,sbb;fs"
STEAM = "steam,Steam Engine,2,2,,,3;4,1,booster"
REGIONS_ALLOWED = "regions must be regions of cities.csv with semicolons between (italy), not"
SHARES = "sbb,Swiss Railways,5,9;4"
LONG = 'long = { rows = "long", offered = 1 }'
STARTING = "starting = { offered = 2, keep = 1 }"
COMPANIES_ALLOWED = "companies must be ids of companies.csv with semicolons between (sbb, fs), not"
PLACES_ALLOWED = "points must be the points of 1 to 7 places with semicolons between them, not"
TECHNOLOGY_COLUMNS = "id, name, price, copies, advanced, regions, lengths, ferries, effect"
FULL_CASES = {
    "two attractions": (
        "cities.csv:2",
        "bern,Bern,0.20,0.30,,1",
        "bern,Bern,0.20,0.30,,2",
        "attraction must be 1, 0 or nothing, not '2'",
    ),
    "an attraction that is a word": (
        "cities.csv:3",
        "geneva,Genève,0.05,0.60,,0",
        "geneva,Genève,0.05,0.60,,no",
        "attraction must be 1, 0 or nothing, not 'no'",
    ),
    "more locomotive symbols than spaces": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,3,1,sbb;fs",
        "ferry must be an integer from 0 to 2, not '3'",
    ),
    "fewer than no locomotive symbols": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,-1,1,sbb;fs",
        "ferry must be an integer from 0 to 2, not '-1'",
    ),
    "locomotive symbols that are no number": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,yes,1,sbb;fs",
        "ferry must be an integer from 0 to 2, not 'yes'",
    ),
    "locomotive symbols left blank": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,,1,sbb;fs",
        "ferry must be an integer from 0 to 2, not ''",
    ),
    "fewer than no x": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,-1,sbb;fs",
        "mountain must be an integer from 0 to 13, not '-1'",
    ),
    "more spaces and x's than a route may take trains": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,14,sbb;fs",
        "mountain must be an integer from 0 to 13, not '14'",
    ),
    "an x that is no number": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,X,sbb;fs",
        "mountain must be an integer from 0 to 13, not 'X'",
    ),
    "an unknown company": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,1,sbb;db",
        f"{COMPANIES_ALLOWED} 'db'",
    ),
    "companies with commas between": (
        "routes.csv:4",
        FULL_ROUTE,
        'bern,zurich,1,2,green,0,1,"sbb,fs"',
        f"{COMPANIES_ALLOWED} 'sbb,fs'",
    ),
    "companies with a blank between": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,1,sbb; fs",
        f"{COMPANIES_ALLOWED} ' fs'",
    ),
    "a semicolon after the last company": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,1,sbb;",
        f"{COMPANIES_ALLOWED} ''",
    ),
    "a company twice on a route": (
        "routes.csv:4",
        FULL_ROUTE,
        "bern,zurich,1,2,green,0,1,sbb;sbb",
        "companies must be ids that stand only once each, not 'sbb;sbb'",
    ),
    "a missing column of companies": (
        "companies.csv:1",
        "id,name,shares,points",
        "id,name,shares",
        "column 'points' is missing; allowed are id, name, shares, points",
    ),
    "an unknown column of companies": (
        "companies.csv:1",
        "id,name,shares,points",
        "id,name,shares,points,colour",
        "unknown column 'colour'; allowed are id, name, shares, points",
    ),
    "a company's id with a capital": (
        "companies.csv:2",
        SHARES,
        "SBB,Swiss Railways,5,9;4",
        "id must be an id of lowercase letters a-z, digits and _, not 'SBB'",
    ),
    "two companies with one id": (
        "companies.csv:3",
        "fs,Italian Railways",
        "sbb,Italian Railways",
        "id must be an id that no other company has, not 'sbb'",
    ),
    "a company without a name": (
        "companies.csv:2",
        SHARES,
        "sbb,,5,9;4",
        "name must be one line of text, not ''",
    ),
    "a company without shares": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,0,9;4",
        "shares must be an integer from 1 to 64, not '0'",
    ),
    "too many shares of one company": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,65,9;4",
        "shares must be an integer from 1 to 64, not '65'",
    ),
    "too many shares of all companies": (
        "companies.csv:3",
        SHARES,
        "sbb,Swiss Railways,62,9;4",
        "the shares of all companies must be at most 64, not 65",
    ),
    "a company that pays nobody": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,5,",
        f"{PLACES_ALLOWED} ''",
    ),
    "a company that pays too many": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,5,8;7;6;5;4;3;2;1",
        f"{PLACES_ALLOWED} '8;7;6;5;4;3;2;1'",
    ),
    "a place without points": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,5,9;;4",
        "points must be an integer from 0 to 100, not ''",
    ),
    "a place of fewer than no points": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,5,9;-4",
        "points must be an integer from 0 to 100, not '-4'",
    ),
    "a place of too many points": (
        "companies.csv:2",
        SHARES,
        "sbb,Swiss Railways,5,101;4",
        "points must be an integer from 0 to 100, not '101'",
    ),
    "too many companies": (
        "companies.csv:18",
        SHARES,
        SHARES + "".join(f"\nc{number},Cable Car,1,1" for number in range(15)),
        "at most 16 companies are allowed",
    ),
    "a route that is often open": (
        "routes.csv:4",
        f"{FULL_ROUTE},1,,",
        f"{FULL_ROUTE},often,,",
        "stays_open must be 1, 0 or nothing, not 'often'",
    ),
    "a route that is separate twice": (
        "routes.csv:3",
        "bern,zurich,0,2,blue,0,0,,1,0,",
        "bern,zurich,0,2,blue,0,0,,1,2,",
        "separate must be 1, 0 or nothing, not '2'",
    ),
    "a route that may take no technology": (
        "routes.csv:9",
        "como,milan,0,1,blue,0,0,fs,,,0",
        "como,milan,0,1,blue,0,0,fs,,,maybe",
        "no_technology must be 1, 0 or nothing, not 'maybe'",
    ),
    "a missing column of technologies": (
        "technologies.csv:1",
        "id,name,price,copies,advanced",
        "id,name,price,advanced,regions",
        f"column 'copies' is missing; allowed are {TECHNOLOGY_COLUMNS}",
    ),
    "an unknown column of technologies": (
        "technologies.csv:1",
        "lengths",
        "spaces",
        f"unknown column 'spaces'; allowed are {TECHNOLOGY_COLUMNS}",
    ),
    "a technology's id with a capital": (
        "technologies.csv:3",
        STEAM,
        "Steam,Steam Engine,2,2,,,3;4,1,booster",
        "id must be an id of lowercase letters a-z, digits and _, not 'Steam'",
    ),
    "two technologies with one id": (
        "technologies.csv:3",
        STEAM,
        "visa,Steam Engine,2,2,,,3;4,1,booster",
        "id must be an id that no other technology has, not 'visa'",
    ),
    "a technology without a name": (
        "technologies.csv:3",
        STEAM,
        "steam,,2,2,,,3;4,1,booster",
        "name must be one line of text, not ''",
    ),
    "a technology for nothing": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,0,2,,,3;4,1,booster",
        "price must be an integer from 1 to 9, not '0'",
    ),
    "too dear a technology": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,10,2,,,3;4,1,booster",
        "price must be an integer from 1 to 9, not '10'",
    ),
    "no copy of a technology": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,0,,,3;4,1,booster",
        "copies must be an integer from 1 to 6, not '0'",
    ),
    "too many copies of a technology": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,7,,,3;4,1,booster",
        "copies must be an integer from 1 to 6, not '7'",
    ),
    "a technology that is very advanced": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,2,very,,3;4,1,booster",
        "advanced must be 1, 0 or nothing, not 'very'",
    ),
    "a technology of an unknown region": (
        "technologies.csv:2",
        "visa,Visa,1,3,0,italy",
        "visa,Visa,1,3,0,italy;france",
        f"{REGIONS_ALLOWED} 'france'",
    ),
    "a technology of a city": (
        "technologies.csv:2",
        "visa,Visa,1,3,0,italy",
        "visa,Visa,1,3,0,bern",
        f"{REGIONS_ALLOWED} 'bern'",
    ),
    "a technology of regions with a blank between": (
        "technologies.csv:2",
        "visa,Visa,1,3,0,italy",
        "visa,Visa,1,3,0,italy; italy",
        f"{REGIONS_ALLOWED} ' italy'",
    ),
    "a technology for routes of no spaces": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,2,,,0;4,1,booster",
        "lengths must be an integer from 1 to 15, not '0'",
    ),
    "a technology for too long routes": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,2,,,3;16,1,booster",
        "lengths must be an integer from 1 to 15, not '16'",
    ),
    "a technology for two ferries": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,2,,,3;4,2,booster",
        "ferries must be 1, 0 or nothing, not '2'",
    ),
    "a technology of an unknown effect": (
        "technologies.csv:3",
        STEAM,
        "steam,Steam Engine,2,2,,,3;4,1,whistle",
        f"effect must be nothing or one of {', '.join(EFFECTS)}, not 'whistle'",
    ),
    "two technologies with one effect": (
        "technologies.csv:4",
        STEAM,
        "steam,Steam Engine,2,2,,,3;4,1,diesel_power",
        "effect must be an effect that no other technology has, not 'diesel_power'",
    ),
    "too many technologies": (
        "technologies.csv:18",
        STEAM,
        STEAM + "".join(f"\nt{number},Whistle,1,1,,,,," for number in range(14)),
        "at most 16 technologies are allowed",
    ),
    "fewer than no locomotives to start with": (
        "variant.toml",
        "starting_locomotives = 1",
        "starting_locomotives = -1",
        "starting_locomotives must be an integer from 0 to 2, not -1",
    ),
    "more locomotives to start with than there are for all": (
        "variant.toml",
        "starting_locomotives = 1",
        "starting_locomotives = 3",
        "starting_locomotives must be an integer from 0 to 2, not 3",
    ),
    "too many cards for a locomotive": (
        "variant.toml",
        "exchange = 3",
        "exchange = 10",
        "exchange must be an integer from 0 to 9, not 10",
    ),
    "technologies that cards can't be exchanged for": (
        "variant.toml",
        "exchange = 3",
        "exchange = 0",
        "exchange must be 2 to 9 with the technologies of technologies.csv, not 0",
    ),
    "no route of three to be claimed": (
        "variant.toml",
        "triple_route_claims = 2",
        "triple_route_claims = 0",
        "triple_route_claims must be an integer from 1 to 3, not 0",
    ),
    "more than all routes of three to be claimed": (
        "variant.toml",
        "triple_route_claims = 2",
        "triple_route_claims = 4",
        "triple_route_claims must be an integer from 1 to 3, not 4",
    ),
    "a neutral player for too many": (
        "variant.toml",
        "neutral_shareholder_up_to = 2",
        "neutral_shareholder_up_to = 7",
        "neutral_shareholder_up_to must be an integer from 0 to 6, not 7",
    ),
    "fewer than no points for an x": (
        "variant.toml",
        "mountain_points = 3",
        "mountain_points = -1",
        "mountain_points must be an integer from 0 to 100, not -1",
    ),
    "too many points for an x": (
        "variant.toml",
        "mountain_points = 3",
        "mountain_points = 101",
        "mountain_points must be an integer from 0 to 100, not 101",
    ),
    "long tickets that are no table": (
        "variant.toml",
        LONG,
        'long = "long"',
        "ticket_decks.main.long must be a table, not 'long'",
    ),
    "a missing key of the long tickets": (
        "variant.toml",
        LONG,
        'long = { rows = "long" }',
        "key 'ticket_decks.main.long.offered' is missing; allowed are rows, offered",
    ),
    "an unknown key of the long tickets": (
        "variant.toml",
        LONG,
        'long = { rows = "long", offered = 1, keep = 1 }',
        "unknown key 'ticket_decks.main.long.keep'; allowed are rows, offered",
    ),
    "long tickets of no rows": (
        "variant.toml",
        LONG,
        'long = { rows = "far", offered = 1 }',
        "ticket_decks.main.long.rows must be a deck of tickets.csv (main, long), not 'far'",
    ),
    "no long ticket offered": (
        "variant.toml",
        LONG,
        'long = { rows = "long", offered = 0 }',
        "ticket_decks.main.long.offered must be an integer from 1 to 5, not 0",
    ),
    "too many long tickets offered": (
        "variant.toml",
        LONG,
        'long = { rows = "long", offered = 6 }',
        "ticket_decks.main.long.offered must be an integer from 1 to 5, not 6",
    ),
    "more long tickets offered than there are": (
        "variant.toml",
        LONG,
        'long = { rows = "long", offered = 2 }',
        "ticket_decks.main.long.offered must be at most 1, as 3 players share 3 tickets, not 2",
    ),
    "long tickets that no ticket deck uses": (
        "tickets.csv:9",
        "long,bern,como,11",
        "far,bern,como,11",
        "deck must be one that a ticket deck of variant.toml uses (main, long), not 'far'",
    ),
    "too large an offer together with the long tickets": (
        "variant.toml",
        STARTING,
        "starting = { offered = 6, keep = 1 }",
        "ticket_decks.main.starting.offered must be an integer from 1 to 5, not 6",
    ),
    "more to keep than offered of both kinds": (
        "variant.toml",
        STARTING,
        "starting = { offered = 2, keep = 4 }",
        "ticket_decks.main.starting.keep must be an integer from 0 to 3, not 4",
    ),
    "another place for refused starting tickets": (
        "variant.toml",
        '"leave"',
        '"burn"',
        "ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burn'",
    ),
    "an explorer's bonus of nothing": (
        "variant.toml",
        "explorer = 6",
        "explorer = 0",
        "ticket_decks.main.bonuses.explorer must be an integer from 1 to 100, not 0",
    ),
    "too many points for an attraction": (
        "variant.toml",
        "attractions = 2",
        "attractions = 101",
        "ticket_decks.main.bonuses.attractions must be an integer from 1 to 100, not 101",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "message"), FULL_CASES.values(), ids=FULL_CASES)
def test_what_only_some_games_have_is_checked_too(
    full_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    change(full_folder / where.split(":")[0], old, new)
    assert refusal(full_folder) == f"{where}: {message}"


TUNNEL = "bern,lugano,0,4,gray,8"
TEAM_CASES = {
    "a tunnel of fewer than no cards": (
        "routes.csv:5",
        TUNNEL,
        "bern,lugano,0,4,gray,-1",
        "tunnel must be an integer from 0 to 8, not '-1'",
    ),
    "a tunnel of too many cards": (
        "routes.csv:5",
        TUNNEL,
        "bern,lugano,0,4,gray,9",
        "tunnel must be an integer from 0 to 8, not '9'",
    ),
    "a tunnel that is a word": (
        "routes.csv:5",
        TUNNEL,
        "bern,lugano,0,4,gray,long",
        "tunnel must be an integer from 0 to 8, not 'long'",
    ),
    "no players of a team": (
        "variant.toml",
        "team_size = 2",
        "team_size = 0",
        "team_size must be an integer from 1 to 2, not 0",
    ),
    "teams of three": (
        "variant.toml",
        "team_size = 2",
        "team_size = 3",
        "team_size must be an integer from 1 to 2, not 3",
    ),
    "an odd number of players at least": (
        "variant.toml",
        "min_players = 4",
        "min_players = 3",
        "team_size must be such that 3 and 4 players make two teams or more, not 2",
    ),
    "an odd number of players at most": (
        "variant.toml",
        "max_players = 4",
        "max_players = 5",
        "team_size must be such that 4 and 5 players make two teams or more, not 2",
    ),
    "a single team": (
        "variant.toml",
        "min_players = 4",
        "min_players = 2",
        "team_size must be such that 2 and 4 players make two teams or more, not 2",
    ),
    "too many trains of a team": (
        "variant.toml",
        "trains = 15",
        "trains = 33",
        "trains must be an integer from 1 to 32, not 33",
    ),
    "exchanges on a map with tunnels": (
        "variant.toml",
        "trains = 15",
        "trains = 15\nexchange = 4",
        "exchange must be 0 on a map with tunnels, not 4",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "message"), TEAM_CASES.values(), ids=TEAM_CASES)
def test_what_only_games_of_teams_have_is_checked_too(
    team_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    change(team_folder / where.split(":")[0], old, new)
    assert refusal(team_folder) == f"{where}: {message}"


def test_teams_with_exchanges_are_refused(team_folder: Path) -> None:
    text = (team_folder / "routes.csv").read_text()
    (team_folder / "routes.csv").write_text(re.sub(",[38]$", ",0", text, flags=re.MULTILINE))
    change(team_folder / "variant.toml", "trains = 15", "trains = 15\nexchange = 4")
    assert refusal(team_folder) == "variant.toml: exchange must be 0 in a game of teams, not 4"


def test_teams_with_long_tickets_are_refused(team_folder: Path) -> None:
    change(
        team_folder / "variant.toml",
        'rows = "main"',
        'rows = "main"\nlong = { rows = "long", offered = 1 }\nstarting_refused = "leave"',
    )
    with (team_folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("long,bern,como,11\n" * 4)
    assert refusal(team_folder) == "variant.toml: team_size must be 1 in a game with companies or long tickets, not 2"


def test_tunnels_with_exchanges_are_refused_without_teams_too(full_folder: Path) -> None:
    add_column(full_folder / "routes.csv", "tunnel", ["3", *["0"] * 8])
    assert refusal(full_folder) == "variant.toml: exchange must be 0 on a map with tunnels, not 3"


def test_the_largest_teams_and_tunnels_are_allowed(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "trains = 15", "trains = 32")
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    variant = load_map(team_folder)
    assert (variant.trains, max(route.tunnel for route in variant.routes)) == (32, 8)


def test_a_map_without_regions_has_no_technology_of_a_region(full_folder: Path) -> None:
    cities = (full_folder / "cities.csv").read_text(encoding="utf-8")
    (full_folder / "cities.csv").write_text(cities.replace(",italy,", ",,"), encoding="utf-8")
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("italy", "lugano"))
    assert refusal(full_folder) == (
        "technologies.csv:2: regions must be regions of cities.csv with semicolons between (), not 'italy'"
    )


def test_the_starting_locomotives_are_cards_of_the_deck_too(folder: Path) -> None:
    change(folder / "variant.toml", "starting_hand = 3", "starting_hand = 9\nstarting_locomotives = 1")
    assert load_map(folder).starting_hand == 9
    change(folder / "variant.toml", "starting_locomotives = 1", "starting_locomotives = 2")
    assert refusal(folder).startswith("variant.toml: train_cards must add up to 33 cards")


def test_no_card_at_all_never_stands_for_a_locomotive(full_folder: Path) -> None:
    """Where one card stands for a locomotive already, the Booster could not take one less (UK8)."""
    change(full_folder / "variant.toml", "exchange = 3", "exchange = 1")
    assert refusal(full_folder).startswith("variant.toml: exchange must be ")


def test_the_companies_on_routes_need_a_file_of_companies(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    change(full_folder / "variant.toml", "neutral_shareholder_up_to = 2", "neutral_shareholder_up_to = 0")
    assert refusal(full_folder) == ("routes.csv:2: companies must be empty without a file companies.csv, not 'sbb'")


def test_a_neutral_player_needs_a_file_of_companies(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    assert refusal(full_folder) == (
        "variant.toml: neutral_shareholder_up_to must be 0 without a file companies.csv, not 2"
    )


def test_a_company_that_no_route_shows_is_refused(full_folder: Path) -> None:
    with (full_folder / "companies.csv").open("a") as file:
        file.write("xyz,Nowhere,3,5\n")
    assert refusal(full_folder) == "routes.csv:10: companies must name 'xyz' of companies.csv in one row at least"


def test_a_ferry_that_all_locomotives_can_not_pay_is_refused(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting_locomotives = 1\n", "")
    change(full_folder / "variant.toml", "locomotive = 6", "locomotive = 1")
    assert refusal(full_folder) == "routes.csv:5: ferry must be an integer from 0 to 1, not '2'"


def test_long_tickets_are_others_than_the_regular_ones(full_folder: Path) -> None:
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("long,", "main,"))
    text = (full_folder / "variant.toml").read_text()
    (full_folder / "variant.toml").write_text(text.replace('long = { rows = "long"', 'long = { rows = "main"'))
    assert refusal(full_folder) == (
        "variant.toml: ticket_decks.main.long.rows must be others than those of the deck itself, not 'main'"
    )


def test_a_file_of_companies_that_can_not_be_read_is_not_taken_for_none(full_folder: Path) -> None:
    (full_folder / "companies.csv").unlink()
    (full_folder / "companies.csv").mkdir()
    assert refusal(full_folder) == "companies.csv: must be a file that can be read (Is a directory)"


def test_a_mountain_route_that_takes_more_than_a_players_trains_is_refused(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "trains = 15", "trains = 4")
    assert refusal(full_folder) == (
        "routes.csv:6: mountain must be at most 1, the trains that a player has left, not '2'"
    )


def test_more_than_72_regular_and_long_tickets_together_are_refused(full_folder: Path) -> None:
    change(full_folder / "tickets.csv", TICKET, "\n".join([TICKET] * 63))
    assert len(load_map(full_folder).ticket_decks["main"].tickets) == 72
    change(full_folder / "tickets.csv", "main,bern,milan,6", "main,bern,milan,6\nmain,bern,milan,6")
    assert refusal(full_folder) == (
        "variant.toml: ticket_decks.main.long.rows must bring the tickets to 72 at most, not 73"
    )


def test_the_most_companies_shares_places_symbols_and_trains_are_allowed(full_folder: Path) -> None:
    companies = [f"c{number},Company {number},4,100;6;5;4;3;2;0" for number in range(15)]
    (full_folder / "companies.csv").write_text(
        "\n".join(["id,name,shares,points", "sbb,Swiss Railways,1,9", *companies])
    )
    shown = ";".join(["sbb", "fs", *(f"c{number}" for number in range(1, 15))])
    change(full_folder / "companies.csv", "c0,Company 0,4", "fs,Italian Railways,7")
    change(full_folder / "routes.csv", "bern,lugano,0,4,gray,2,0,fs;sbb", f"bern,lugano,0,4,gray,4,11,{shown}")
    variant = load_map(full_folder)
    assert (len(variant.companies), sum(company.shares for company in variant.companies)) == (16, 64)
    assert {len(company.points) for company in variant.companies} == {1, 7}
    assert (variant.routes[3].ferry, variant.routes[3].trains) == (4, 15)


def test_a_route_longer_than_a_players_trains_is_refused(folder: Path) -> None:
    change(folder / "variant.toml", "trains = 15", "trains = 3")
    assert refusal(folder) == (
        "routes.csv:5: length must be at most 3, the trains of a player in variant.toml, not '4'"
    )


def test_the_most_cities_routes_and_tickets_are_allowed(folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(64)]
    routes = [f"c{number // 3},c{number // 3 + 1},{number % 3},1,gray" for number in range(128)]
    (folder / "cities.csv").write_text("\n".join(["id,name,x,y", *cities]))
    (folder / "routes.csv").write_text("\n".join(["a,b,track,length,colour", *routes]))
    (folder / "tickets.csv").write_text("\n".join(["deck,a,b,points", *["main,c0,c9,9"] * 72]))
    variant = load_map(folder)
    assert (len(variant.cities), len(variant.routes), len(variant.ticket_decks["main"].tickets)) == (64, 128, 72)
