"""What the shipped folders hold that no test of a rule shows: whole tables, counted."""

import csv
import pickle
from collections import Counter

import pytest

from t2r_env.variants import COLOURS, VARIANTS, MapVariant, Offer, Route, Ticket, TicketDeck, load_variant
from tests.maps import MAP_GAMES, load_map
from tests.variants.folders import SHIPPED, load_card_variant, marks


def test_every_shipped_folder_is_a_variant_of_its_own_name() -> None:
    assert sorted(VARIANTS) == sorted(file.parent.name for file in SHIPPED.glob("*/variant.toml"))
    assert [load_variant(name).id for name in VARIANTS] == list(VARIANTS)


def test_a_shipped_variant_is_read_once() -> None:
    assert load_variant("usa") is load_variant("usa")


def test_the_path_to_a_shipped_folder_gives_the_same_variant() -> None:
    assert load_variant(SHIPPED / "usa") == load_variant("usa") == load_variant(str(SHIPPED / "usa"))


def test_a_variant_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(load_variant("usa"))) == load_variant("usa")


def test_a_shipped_card_game_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(load_variant("card_game"))) == load_variant("card_game")


DEARER_TICKETS = {
    "usa": {Ticket("chicago", "los_angeles", 16), Ticket("las_vegas", "miami", 21)},
    "pennsylvania": {Ticket("baltimore", "pittsburgh", 13)},
}
"""Tickets worth a point more than the trains of their shortest path."""


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
        Route("penzance", "plymouth", 0, 2, "black", separate=True, marks=marks()),
        Route("penzance", "plymouth", 1, 3, "gray", separate=True, marks=marks(ferry=1)),
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
        Route("new_york", "southampton", 0, 10, "gray", marks=marks(ferry=3, no_technology=True))
    ]
    assert variant.points == (0, 1, 2, 4, 7, 10, 15, 0, 0, 0, 40)


def test_uk8_uk12_there_are_16_technologies_five_of_them_advanced() -> None:
    variant = load_map("united_kingdom")
    assert [(it.id, it.price, it.copies) for it in variant.all_technologies if not it.advanced] == [
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
    assert [(it.id, it.price, it.copies) for it in variant.all_technologies[11:]] == [
        ("thermocompressor", 1, 1),
        ("water_tenders", 2, 2),
        ("risky_contracts", 2, 1),
        ("equalising_beam", 2, 1),
        ("diesel_power", 3, 1),
    ]
    assert variant.switches == ("advanced_technologies",)


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
    assert not variant.switches


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


def trains_between(variant: MapVariant, a: str, b: str) -> int:
    """How many trains the shortest way between two places takes."""
    trains = {city.id: 0 if a in (city.id, city.region) else 1000 for city in variant.cities}
    for _ in variant.cities:
        for route in variant.routes:
            trains[route.a] = min(trains[route.a], trains[route.b] + route.length + route.mountain)
            trains[route.b] = min(trains[route.b], trains[route.a] + route.length + route.mountain)
    return min(trains[city.id] for city in variant.cities if b in (city.id, city.region))
