"""The tables of the shipped variants: counts and cross-checks that the tests of the rules do not make."""

import pickle
from collections import Counter

import pytest

from t2r_env.variants import COLOURS, VARIANTS, MapVariant, Route, Ticket, TicketDeck, load_variant
from tests.helpers.maps import MAP_GAMES, load_map
from tests.variants.folders import SHIPPED, load_card_variant


def test_every_shipped_folder_is_a_variant_of_its_own_name() -> None:
    assert sorted(VARIANTS) == sorted(file.parent.name for file in SHIPPED.glob("*/variant.toml"))
    assert [load_variant(name).id for name in VARIANTS] == list(VARIANTS)
    for name in ("usa", "card_game"):  # read once; the same by its path and after pickling
        variant = load_variant(name)
        assert load_variant(name) is variant
        assert load_variant(str(SHIPPED / name)) == load_variant(SHIPPED / name) == variant
        assert pickle.loads(pickle.dumps(variant)) == variant


DEARER_TICKETS = {
    "usa": {Ticket("chicago", "los_angeles", 16), Ticket("las_vegas", "miami", 21)},
    "pennsylvania": {Ticket("baltimore", "pittsburgh", 13)},
    "europe": {Ticket("london", "wien", 10), Ticket("athina", "edinburgh", 21)},
}
"""Tickets worth a point more than the trains of their shortest path."""


def test_la2_each_long_ticket_is_worth_more_than_any_regular_one() -> None:
    deck = only_ticket_deck("legendary_asia")
    assert max(ticket.points for ticket in deck.regular) < min(ticket.points for ticket in deck.long)


def test_pa4_seven_routes_show_no_company_and_the_others_so_many() -> None:
    shown = Counter(company for route in load_map("pennsylvania").routes for company in route.companies)
    assert shown == {"prr": 56, "erl": 32, "nyc": 24, "bo": 23, "rdg": 18, "lv": 14, "jcl": 12, "wm": 9, "brp": 7}
    routes = [f"{route.a}-{route.b}" for route in load_map("pennsylvania").routes if not route.companies]
    without = "albany-binghamton altoona-lewiston chambersburg-gettysburg dubois-oil_city dubois-williamsport"
    assert routes == [*without.split(), "morgantown-pittsburgh", "scranton_wilkes_barre-williamsport"]


def test_uk4_uk6_uk7_uk11_what_routes_and_tickets_of_the_united_kingdom_have() -> None:
    """Only two routes are separate, all 30 ferries are gray, and only one route needs no technology."""
    variant = load_map("united_kingdom")
    routes = variant.routes
    assert [route for route in routes if route.separate or route.no_technology] == [
        Route("new_york", "southampton", 0, 10, "gray", ferry=3, no_technology=True, exchange=4),
        Route("penzance", "plymouth", 0, 2, "black", separate=True, exchange=4),
        Route("penzance", "plymouth", 1, 3, "gray", separate=True, ferry=1, exchange=4),
    ]
    assert variant.points == (0, 1, 2, 4, 7, 10, 15, 0, 0, 0, 40)
    assert Counter(route.ferry for route in routes) == {0: 95, 1: 27, 2: 2, 3: 1}
    assert {route.colour for route in routes if route.ferry} == {"gray"}
    needed = Counter(
        sum(it.opens(route, variant.regions_of(route)) for it in variant.all_technologies) for route in routes
    )
    assert needed == {0: 43, 1: 39, 2: 23, 3: 13, 4: 7}
    tickets = only_ticket_deck("united_kingdom").tickets
    assert [ticket.b for ticket in tickets if ticket.a == "france"] == ["glasgow", "leeds", "london"]
    assert not any("new_york" in (ticket.a, ticket.b) for ticket in tickets)


def test_uk8_a_technology_either_opens_routes_or_has_the_effect_of_its_name() -> None:
    for technology in load_map("united_kingdom").all_technologies:
        opens = bool(technology.regions or technology.lengths or technology.ferries)
        assert technology.effect == ("" if opens else technology.id)


def test_ta9_four_pairs_of_cities_have_three_routes() -> None:
    routes = load_map("team_asia").routes
    assert Counter(Counter((route.a, route.b) for route in routes).values()) == {1: 58, 2: 28, 3: 4}


def test_cg10_the_tickets_take_so_many_cards_of_each_colour() -> None:
    """Only from Chicago to New York there are two."""
    tickets = only_ticket_deck("card_game").tickets
    cards = sum((Counter(ticket.cards) for ticket in tickets), Counter[str]())
    assert [cards[colour] for colour in COLOURS] == [16, 18, 16, 17, 16, 17, 16, 16]
    assert Counter(sum(ticket.cards.values()) for ticket in tickets) == {1: 2, 2: 17, 3: 14, 4: 11, 5: 2}
    assert all(number > 0 for ticket in tickets for number in ticket.cards.values())
    assert {*tickets} >= {
        Ticket("chicago", "new_york", 5, {"yellow": 1}),
        Ticket("new_york", "chicago", 5, {"blue": 1}),
        Ticket("los_angeles", "pittsburgh", 18, {"purple": 1, "blue": 2, "white": 1}),
        Ticket("seattle", "miami", 22, {"orange": 1, "white": 1, "black": 1, "red": 2}),
    }
    ends = Counter(frozenset((ticket.a, ticket.b)) for ticket in tickets)
    assert [pair for pair, number in ends.items() if number > 1] == [{"chicago", "new_york"}]


def test_cg13_every_ticket_names_a_big_city_and_is_worth_the_shortest_path_on_the_map_of_the_usa() -> None:
    usa, variant = load_map("usa"), load_card_variant("card_game")
    big_cities = {card.city for card in variant.bonus_cards}
    for ticket in only_ticket_deck("card_game").tickets:
        assert {ticket.a, ticket.b} & big_cities
        assert ticket.points == trains_between(usa, ticket.a, ticket.b)
    assert {(city.id, city.x, city.y) for city in variant.cities} <= {(city.id, city.x, city.y) for city in usa.cities}


@pytest.mark.parametrize(
    ("variant", "cities", "pairs", "routes", "spaces", "colours"),
    [
        ("usa", 36, 78, 100, 309, [44, 7, 7, 7, 7, 7, 7, 7, 7]),
        ("new_york", 15, 30, 41, 84, [10, 5, 6, 5, 0, 5, 0, 5, 5]),
        ("legendary_asia", 39, 70, 100, 268, [28, 9, 9, 9, 9, 9, 9, 9, 9]),
        ("team_asia", 46, 90, 126, 289, [24, 13, 13, 11, 13, 13, 12, 13, 14]),
        ("pennsylvania", 36, 71, 95, 322, [18, 9, 9, 9, 9, 11, 11, 11, 8]),
        ("united_kingdom", 49, 106, 125, 274, [40, 10, 10, 12, 10, 10, 11, 10, 12]),
        ("europe", 47, 90, 101, 300, [37, 8, 8, 8, 8, 8, 8, 8, 8]),
    ],
)
def test_each_map_has_the_cities_routes_and_spaces_of_its_board(
    variant: str, cities: int, pairs: int, routes: int, spaces: int, colours: list[int]
) -> None:
    """And the number of gray routes and of routes of each colour."""
    loaded = load_map(variant)
    coloured = Counter(route.colour for route in loaded.routes)
    assert [coloured[colour] for colour in ("gray", *COLOURS)] == colours
    assert len(loaded.cities) == cities
    assert len({(route.a, route.b) for route in loaded.routes}) == pairs
    assert len(loaded.routes) == routes
    assert sum(route.length for route in loaded.routes) == spaces


@pytest.mark.parametrize("variant", [variant for variant in MAP_GAMES if variant != "nordic"])
def test_parallel_routes_are_equally_long(variant: str) -> None:
    """In the Nordic Countries two pairs are not (NO3)."""
    routes = [route for route in load_map(variant).routes if not route.separate]
    assert len({(route.a, route.b, route.length) for route in routes}) == len({(route.a, route.b) for route in routes})


@pytest.mark.parametrize("variant", [variant for variant in MAP_GAMES if variant != "united_kingdom"])
def test_a_ticket_is_worth_the_trains_of_its_shortest_path(variant: str) -> None:
    """This shows a mistake in a route's length, in its X symbols or in a ticket."""
    loaded = load_map(variant)
    tickets = loaded.ticket_decks[loaded.default_ticket_deck].tickets
    dearer = DEARER_TICKETS.get(variant, set())
    assert dearer <= {*tickets}
    for it in tickets:
        assert it.others or it.points == trains_between(loaded, it.a, it.b) + (it in dearer)


def only_ticket_deck(variant: str) -> TicketDeck:
    loaded = load_variant(variant)
    (deck,) = loaded.ticket_decks.values()
    assert deck.name == loaded.default_ticket_deck
    return deck


def trains_between(variant: MapVariant, a: str, b: str) -> int:
    """The trains of the shortest path between two cities or regions."""
    trains = {city.id: 0 if a in (city.id, city.region) else 1000 for city in variant.cities}
    for _ in variant.cities:
        for route in variant.routes:
            trains[route.a] = min(trains[route.a], trains[route.b] + route.length + route.mountain)
            trains[route.b] = min(trains[route.b], trains[route.a] + route.length + route.mountain)
    return min(trains[city.id] for city in variant.cities if b in (city.id, city.region))
