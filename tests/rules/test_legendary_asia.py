"""The rules of Legendary Asia (LA1-LA7). How its ferries (LA4) are paid is tested with the common rules, as C14."""

import itertools
from typing import Any

import numpy as np
import pytest

from t2r_env import configure
from t2r_env.variants import COLOURS
from tests.maps import load_map
from tests.situations import CARDS, Table, count, end, route_name
from tests.situations import deal as deal_any
from tests.situations import situation as situation_any

VARIANT = load_map("legendary_asia")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

LONG = {
    "ankara-colombo",
    "astrakhan-hanoi",
    "calcutta-moscow",
    "karachi-khabarovsk",
    "kobe-omsk",
    "krasnoyarsk-singapore",
}
REGULAR = [name for it in VARIANT.ticket_decks["regular"].tickets if (name := route_name(it.a, it.b)) not in LONG]

FERRIES = {
    "astrakhan-samarkand",
    "astrakhan-tehran",
    "bombay-colombo",
    "bombay-colombo 1",
    "calcutta-colombo",
    "kobe-seoul",
    "kobe-shanghai",
    "kobe-taipei",
    "kobe-taipei 1",
    "macau-taipei",
    "mecca-shiraz",
    "peking-seoul",
    "saigon-singapore",
    "seoul-vladivostok",
    "shanghai-taipei",
}
"""Each has one locomotive symbol."""

MOUNTAINS = {
    "agra-kathmandu": 1,
    "agra-rawalpindi": 1,
    "ankara-tbilisi": 1,
    "bangkok-hanoi": 1,
    "chita-irkutsk 1": 1,
    "hanoi-mandalay": 2,
    "irkutsk-krasnoyarsk 1": 1,
    "irkutsk-ulan_bator": 2,
    "karachi-rawalpindi": 1,
    "karachi-samarkand": 1,
    "karachi-shiraz": 2,
    "karachi-shiraz 1": 2,
    "kathmandu-mandalay": 2,
    "kathmandu-rawalpindi": 1,
    "khabarovsk-vladivostok 1": 1,
    "krasnoyarsk-omsk 1": 1,
    "lhasa-mandalay": 2,
    "lhasa-xian": 1,
    "mandalay-rangoon": 1,
    "mandalay-xian": 1,
    "moscow-perm 1": 1,
    "omsk-perm 1": 1,
    "omsk-samarkand": 1,
    "peking-ulan_bator": 1,
    "peking-ulan_bator 1": 1,
    "rawalpindi-samarkand": 1,
    "samarkand-tehran": 1,
    "shiraz-tehran": 2,
    "shiraz-tehran 1": 2,
    "tbilisi-tehran": 1,
    "tbilisi-tehran 1": 1,
}
"""The mountain routes, and how many X symbols each bears."""

GRAY_BESIDE_COLOURED = {
    "chita-irkutsk": "white",
    "irkutsk-krasnoyarsk": "blue",
    "krasnoyarsk-omsk": "purple",
    "moscow-perm": "red",
    "omsk-perm": "white",
}
"""Gray routes, and the colour of the mountain route beside each."""

EVERY_COLOUR = ", ".join(f"6 {colour}" for colour in COLOURS)
"""Enough cards for every route but the ferries."""


def deal(players: int = 2, **more: Any) -> Table:
    """A game of Legendary Asia just dealt."""
    return deal_any(players, variant="legendary_asia", **more)


def situation(players: int = 2, **more: Any) -> Table:
    """A position on the map of Legendary Asia."""
    return situation_any(players, variant="legendary_asia", **more)


def ended(players: int = 2, **more: Any) -> Table:
    """A game of Legendary Asia that has just ended."""
    return end(situation(players, last_turns_left=1, **more))


def claims(table: Table) -> set[str]:
    """The routes that may be claimed."""
    return {action.removeprefix("claim ") for action in table.legal if action.startswith("claim")}


def parts(table: Table, name: str) -> list[int]:
    """A part of every seat's score."""
    return [final["breakdown"][name] for final in table.snapshot["final"]]


# LA1: players, trains, cards


def test_la1_two_to_five_may_play() -> None:
    """LA1."""
    for players in (2, 3, 4, 5):
        assert deal(players).games.num_players == players
    for players in (1, 6):
        with pytest.raises(ValueError, match="from 2 to 5"):
            configure("legendary_asia", players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_la1_each_player_begins_with_45_trains_4_cards_and_no_points(players: int) -> None:
    """LA1, C5."""
    table = deal(players)
    for seat in range(players):
        assert table.trains(seat) == 45
        assert count(table.hand(seat)).sum() == 4
        assert table.score(seat) == 0


@pytest.mark.parametrize("players", [2, 5])
def test_la1_there_are_12_cards_of_each_colour_and_14_locomotives(players: int) -> None:
    """LA1, US1."""
    table = deal(players)
    hands = sum(count(table.hand(seat)) for seat in range(players))
    everywhere = hands + count(table.deck) + count(table.discard) + count(table.face_up_cards)
    assert dict(zip(CARDS, everywhere, strict=True)) == dict.fromkeys(COLOURS, 12) | {"locomotive": 14}


# LA2: tickets


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_la2_one_long_and_three_regular_starting_tickets_are_offered_to_every_player(players: int) -> None:
    """LA2: the long one first. The ticket deck holds the other regular ones and no long ones."""
    assert (len(REGULAR), len(LONG)) == (30, 6)
    for seed in range(10):
        table = deal(players, seed=seed)
        offered = [table.offered(seat) for seat in range(players)]
        assert [len(tickets) for tickets in offered] == [4] * players
        assert len({tickets[0] for tickets in offered} & LONG) == players
        regular = [name for tickets in offered for name in tickets[1:]]
        assert sorted([*regular, *table.ticket_deck]) == sorted(REGULAR)


def test_la2_starting_tickets_are_dealt_from_two_shuffled_decks() -> None:
    """LA2, C5: in 200 deals every seat is offered every long and every regular ticket."""
    offered = [[deal(seed=seed).offered(seat) for seed in range(200)] for seat in (0, 1)]
    for deals in offered:
        assert {tickets[0] for tickets in deals} == LONG
        assert {name for tickets in deals for name in tickets[1:]} == set(REGULAR)


@pytest.mark.parametrize("kept", [kept for kept in itertools.product([True, False], repeat=4) if sum(kept) >= 2])
def test_la2_two_or_more_of_the_four_starting_tickets_are_kept(kept: tuple[bool, ...]) -> None:
    """LA2: any of them; after two refusals the others are kept automatically."""
    table = deal()
    offered = table.offered(0)
    for keep in kept:
        if table.to_move == 0:
            assert {"keep_ticket", "refuse_ticket"} == table.legal
            table.play("keep_ticket" if keep else "refuse_ticket")
    assert table.to_move == 1
    table.play_all("keep_ticket")
    assert table.tickets(0) == set(itertools.compress(offered, kept))
    assert len(table.tickets(1)) == 4


def test_la2_no_more_than_two_starting_tickets_are_refused() -> None:
    """LA2: whichever of the four they are."""
    for refused in itertools.combinations(range(4), 2):
        table = deal()
        kept = [name for index, name in enumerate(table.offered(0)) if index not in refused]
        for index in range(refused[1] + 1):
            table.play("refuse_ticket" if index in refused else "keep_ticket")
        assert table.to_move == 1
        table.play_all("keep_ticket")
        assert table.tickets(0) == set(kept)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_la2_refused_starting_tickets_and_the_long_ones_not_dealt_leave_the_game(players: int) -> None:
    """LA2: the ticket deck stays as it was dealt; drawn to the end, it has only its regular tickets."""
    table = deal(players)
    deck = table.ticket_deck
    offered = [table.offered(seat) for seat in range(players)]
    while table.phase == "keep_ticket":
        table.play("keep_ticket", "refuse_ticket", "refuse_ticket")
    assert [table.tickets(seat) for seat in range(players)] == [{tickets[0], tickets[3]} for tickets in offered]
    assert len(deck) == 30 - 3 * players
    assert table.ticket_deck == deck
    assert table.sees("ticket_deck_count", 1).tolist() == [len(deck)]
    while table.ticket_deck:
        table.play("draw_tickets")
        table.play_all("keep_ticket")
        while table.to_move:
            table.play("draw_deck")
    assert table.tickets(0) == {offered[0][0], offered[0][3], *deck}
    assert "draw_tickets" not in table.legal


def test_la2_refused_starting_tickets_stay_where_they_are_until_all_have_chosen() -> None:
    """LA2, C6."""
    table = deal(2)
    deck = table.ticket_deck
    table.play("refuse_ticket", "refuse_ticket")
    assert (table.to_move, table.ticket_deck, table.tickets(0)) == (1, deck, set())


@pytest.mark.parametrize(
    ("actions", "kept"),
    [
        (["keep_ticket", "keep_ticket", "keep_ticket"], [0, 1, 2]),
        (["keep_ticket", "refuse_ticket", "keep_ticket"], [0, 2]),
        (["refuse_ticket", "keep_ticket", "refuse_ticket"], [1]),
        (["refuse_ticket", "refuse_ticket"], [2]),
    ],
)
def test_la2_later_three_regular_tickets_are_drawn_and_one_or_more_kept(actions: list[str], kept: list[int]) -> None:
    """LA2, C12: the refused ones go under the deck, in the order drawn."""
    table = deal()
    table.play_all("keep_ticket")
    deck, held = table.ticket_deck, table.tickets(0)
    table.play("draw_tickets")
    assert table.offered(0) == deck[:3]
    table.play(*actions)
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == held | {deck[index] for index in kept}
    assert table.ticket_deck == [*deck[3:], *(deck[index] for index in range(3) if index not in kept)]


def test_la2_no_long_ticket_is_ever_drawn_later() -> None:
    """LA2: through many draws, in which refused tickets come up again."""
    table = deal(3, seed=2)
    table.play_all("keep_ticket")
    while len(table.ticket_deck) >= 3:
        assert LONG.isdisjoint(table.ticket_deck)
        seat = table.to_move
        table.play("draw_tickets")
        assert len(table.offered(seat)) == 3
        assert LONG.isdisjoint(table.offered(seat))
        table.play("refuse_ticket", "refuse_ticket")
    assert [len(table.tickets(seat) & LONG) for seat in range(3)] == [1, 1, 1]


def test_la2_a_long_ticket_counts_like_any_other() -> None:
    """LA2, C16: its value is added or subtracted."""
    routes = ["kobe-seoul", "seoul-vladivostok", "khabarovsk-vladivostok", "chita-khabarovsk", "chita-irkutsk"]
    routes += ["irkutsk-krasnoyarsk", "krasnoyarsk-omsk"]
    table = ended(routes=[routes], holds=[["kobe-omsk", "chita-shanghai"], ["calcutta-moscow"]])
    assert table.final(0)["completed"] == [["kobe", "omsk", 16]]
    assert table.final(1)["failed"] == [["calcutta", "moscow", 16]]
    assert parts(table, "tickets") == [16 - 8, -16]


# LA3: double routes


DOUBLES = sorted(name.removesuffix(" 1") for name in ROUTES if name.endswith(" 1"))


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_la3_with_two_or_three_players_one_claimed_route_closes_a_double_route(players: int, is_open: bool) -> None:
    """LA3: either route of every double route; in larger games another player may claim the other."""
    hand = f"{EVERY_COLOUR}, 1 locomotive"
    for double in DOUBLES:
        for claimed, other in ((double, f"{double} 1"), (f"{double} 1", double)):
            table = situation(players, hands=["", hand], routes=[[claimed]], to_move=1)
            assert claimed not in claims(table)
            assert (other in claims(table)) is is_open


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_la3_no_player_claims_both_routes_of_a_double_route(players: int) -> None:
    """LA3, C11."""
    for double in DOUBLES:
        for claimed in (double, f"{double} 1"):
            table = situation(players, hands=[f"{EVERY_COLOUR}, 1 locomotive"], routes=[[claimed]])
            assert claims(table).isdisjoint({double, f"{double} 1"})


@pytest.mark.parametrize(("gray", "colour"), GRAY_BESIDE_COLOURED.items())
def test_la3_a_gray_route_may_be_paid_in_the_colour_of_its_neighbour(gray: str, colour: str) -> None:
    """LA3: or in any other, which does not pay the neighbour."""
    hand = f"{ROUTES[gray].length} {colour}"
    table = situation(hands=[hand])
    assert {gray, f"{gray} 1"} <= claims(table)
    table.play(f"claim {gray}")
    assert table.routes(0) == {gray}
    assert table.discard == hand
    table = situation(hands=["3 orange"])
    assert claims(table) & {gray, f"{gray} 1"} == {gray}


# LA4: ferries


def test_la4_only_the_ferries_take_a_locomotive() -> None:
    """LA4, C14: the hand has enough other cards for every route."""
    assert claims(situation(hands=[EVERY_COLOUR])) == set(ROUTES) - FERRIES
    assert claims(situation(hands=[f"{EVERY_COLOUR}, 1 locomotive"])) == set(ROUTES)


def test_la4_the_other_spaces_of_a_ferry_are_paid_as_usual() -> None:
    """LA4, C14: an orange ferry of four spaces and a gray one of three, each with one symbol."""
    table = situation(hands=["4 orange, 4 red, 2 locomotive"])
    table.play("claim kobe-shanghai")
    assert table.legal == {"pay 3 orange, 1 locomotive", "pay 2 orange, 2 locomotive"}
    table = situation(hands=["3 orange, 2 red, 1 black, 2 locomotive"])
    table.play("claim peking-seoul")
    assert table.legal == {
        "pay 2 orange, 1 locomotive",
        "pay 1 orange, 2 locomotive",
        "pay 2 red, 1 locomotive",
        "pay 1 red, 2 locomotive",
        "pay 1 black, 2 locomotive",
    }


# LA5: mountain routes


POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
"""C10."""


@pytest.mark.parametrize("name", ROUTES)
def test_la5_a_route_takes_a_train_for_each_space_and_each_x_and_earns_two_points_for_each_x(name: str) -> None:
    """LA5, C9, C10: at once, the X's apart from the points for the route; cards are paid for the spaces alone."""
    length, symbols = ROUTES[name].length, MOUNTAINS.get(name, 0)
    table = situation(hands=["", "9 locomotive"], points=[3, 5], trains=[40, 30], to_move=1, reward="score")
    table.play(f"claim {name}")
    gained = POINTS[length] + 2 * symbols
    assert (table.trains(0), table.trains(1)) == (40, 30 - length - symbols)
    assert (table.score(0), table.score(1)) == (3, 5 + gained)
    assert table.games.rewards.tolist() == [[0, gained]]
    assert (table.hand(1), table.discard) == (f"{9 - length} locomotive", f"{length} locomotive")


@pytest.mark.parametrize("name", MOUNTAINS)
def test_la5_a_mountain_route_cannot_be_claimed_without_trains_for_spaces_and_x_symbols(name: str) -> None:
    """LA5: they may be the player's last trains."""
    needed = ROUTES[name].length + MOUNTAINS[name]
    hand = f"{EVERY_COLOUR}, 1 locomotive"
    for trains in range(needed):
        assert name not in claims(situation(hands=[hand], trains=[trains]))
    table = situation(hands=["6 locomotive"], trains=[needed])
    table.play(f"claim {name}")
    assert table.trains(0) == 0
    assert table.routes(0) == {name}


def test_la5_of_two_parallel_routes_only_the_one_through_the_mountains_takes_more_trains() -> None:
    """LA5, and the rulebook: the gray route does not cross the mountains."""
    assert claims(situation(hands=["2 white"], trains=[2])) >= {"chita-irkutsk"}
    assert "chita-irkutsk 1" not in claims(situation(hands=["2 white"], trains=[2]))
    table = situation(hands=["2 white"], trains=[3])
    table.play("claim chita-irkutsk")
    assert (table.trains(0), table.score(0)) == (1, 2)
    table = situation(hands=["2 white"], trains=[3])
    table.play("claim chita-irkutsk 1")
    assert (table.trains(0), table.score(0)) == (0, 4)


@pytest.mark.parametrize(("trains", "is_last_round"), [(4, True), (5, True), (6, True), (7, False)])
def test_la5_trains_given_up_to_the_mountains_may_trigger_the_last_round(trains: int, is_last_round: bool) -> None:
    """LA5, C15: two spaces and two X's."""
    table = situation(hands=["2 red"], trains=[trains])
    table.play("claim hanoi-mandalay")
    assert table.trains(0) == trains - 4
    assert table.snapshot["last_turns_left"] == (2 if is_last_round else None)


def test_la5_points_for_x_symbols_are_listed_apart_from_those_for_routes_at_the_end() -> None:
    """LA5: they count once; routes without an X earn none."""
    routes = [["hanoi-mandalay", "lhasa-mandalay", "agra-kathmandu", "agra-bombay"], ["dihua-peking"]]
    table = ended(routes=routes)
    assert table.final(0)["breakdown"] == {"routes": 8, "mountains": 10, "tickets": 0, "explorer": 10}
    assert table.final(1)["breakdown"] == {"routes": 15, "mountains": 0, "tickets": 0, "explorer": 0}


def test_la5_everybody_sees_the_numbers_of_mountain_routes() -> None:
    """LA5, LA7: routes, not X's."""
    table = situation(routes=[["hanoi-mandalay", "agra-kathmandu", "agra-bombay"], ["dihua-peking"]])
    assert [player["mountain_routes"] for player in table.snapshot["players"]] == [2, 0]


# LA6: the Asian Explorer


def explorers(*routes: list[str]) -> list[bool]:
    """For each seat, whether it gets the bonus."""
    bonuses = parts(ended(max(2, len(routes)), routes=routes), "explorer")
    assert set(bonuses) <= {0, 10}
    return [bonus == 10 for bonus in bonuses]


FOUR_CITIES = ["agra-bombay", "agra-calcutta", "calcutta-mandalay"]
"""A path."""


def test_la6_the_most_cities_in_one_network_earn_10_points() -> None:
    """LA6."""
    table = ended(routes=[["dihua-peking"], FOUR_CITIES])
    assert parts(table, "explorer") == [0, 10]
    assert table.scores == [15, 5 + 10]


def test_la6_cities_are_counted_not_spaces_or_routes() -> None:
    """LA6: four cities beat three that lie 11 spaces apart; five cities tie with five joined by five routes."""
    assert explorers(FOUR_CITIES, ["dihua-peking", "dihua-xian"]) == [True, False]
    loops = ["hanoi-macau", "hanoi-saigon", "bangkok-hanoi", "bangkok-saigon", "macau-taipei"]
    assert explorers(["agra-rawalpindi", *FOUR_CITIES], loops) == [True, True]


def test_la6_a_city_in_a_loop_counts_once() -> None:
    """LA6: three routes join three cities in a loop, or four in a path."""
    loop = ["bangkok-hanoi", "bangkok-saigon", "hanoi-saigon"]
    assert explorers(loop, FOUR_CITIES) == [False, True]
    assert explorers(loop, FOUR_CITIES[:2]) == [True, True]
    assert explorers([*loop, "hanoi-macau"], FOUR_CITIES) == [True, True]


def test_la6_a_network_may_branch() -> None:
    """LA6: a star of five cities, of which no path passes more than three."""
    star = ["dihua-krasnoyarsk", "dihua-omsk", "dihua-samarkand", "dihua-xian"]
    assert explorers(star, FOUR_CITIES) == [True, False]
    assert explorers(star[:3], FOUR_CITIES) == [True, True]


def test_la6_the_cities_lie_in_one_network() -> None:
    """LA6: two networks of three cities don't beat one of four."""
    parts_apart = ["dihua-krasnoyarsk", "dihua-omsk", "bangkok-hanoi", "bangkok-saigon"]
    assert explorers(parts_apart, FOUR_CITIES) == [False, True]
    assert explorers([*parts_apart, "saigon-singapore"], FOUR_CITIES) == [True, True]


def test_la6_a_route_that_joins_two_networks_makes_them_one() -> None:
    """LA6."""
    one = ["dihua-xian", "macau-xian", "hanoi-macau", "hanoi-saigon"]
    for route in one[1:3]:
        assert explorers([other for other in one if other != route], FOUR_CITIES) == [False, True]
    assert explorers(one, FOUR_CITIES) == [True, False]


def test_la6_mountain_routes_and_ferries_join_cities() -> None:
    """LA6."""
    assert explorers(["agra-kathmandu", "agra-rawalpindi", "karachi-rawalpindi"], ["dihua-peking"]) == [True, False]
    assert explorers(["kobe-seoul", "peking-seoul", "seoul-vladivostok"], ["dihua-peking", "dihua-xian"])[0]


def test_la6_all_who_tie_get_the_bonus() -> None:
    """LA6."""
    assert explorers(FOUR_CITIES, ["dihua-peking"], ["hanoi-macau", "macau-xian", "dihua-xian"]) == [True, False, True]
    assert explorers(["dihua-peking"], ["hanoi-macau"]) == [True, True]


def test_la6_both_routes_of_a_double_connection_join_the_same_cities() -> None:
    """LA6: each for its owner."""
    routes = [["bombay-calcutta", "agra-bombay"], ["bombay-calcutta 1"], ["dihua-peking"], []]
    assert explorers(*routes) == [True, False, False, False]


def test_la6_nobody_without_a_route_gets_the_bonus() -> None:
    """LA6, C17 (ruling): a maximum of zero earns nothing."""
    assert explorers([], []) == [False, False]
    assert explorers([], ["dihua-peking"]) == [False, True]


def test_la6_there_is_no_longest_path_bonus() -> None:
    """LA6 (ruling): only routes, mountains, tickets and the Asian Explorer count."""
    table = ended(routes=[FOUR_CITIES, ["dihua-peking", "dihua-xian"]], holds=[["bombay-xian"]])
    assert table.final(0)["breakdown"] == {"routes": 5, "mountains": 0, "tickets": -9, "explorer": 10}
    assert table.final(1)["breakdown"] == {"routes": 25, "mountains": 0, "tickets": 0, "explorer": 0}
    assert table.scores == [6, 25]


def most_cities(routes: list[str]) -> int:
    """The number of cities of the largest network, found by adding one route after another."""
    networks: list[set[str]] = []
    for route in routes:
        joined = {ROUTES[route].a, ROUTES[route].b}
        apart = [network for network in networks if network.isdisjoint(joined)]
        networks = [*apart, joined.union(*(network for network in networks if network not in apart))]
    return max(map(len, networks), default=0)


def test_la6_the_most_cities_of_random_networks_are_found() -> None:
    """LA6: four players with up to nine routes each, mostly in one part of the map."""
    rng = np.random.default_rng(6)
    winners = []
    for _ in range(30):
        x, y = rng.random(2)
        corner = [city.id for city in VARIANT.cities if np.hypot(city.x - x, city.y - y) < 0.6]
        near = [name for name, route in ROUTES.items() if route.a in corner and route.b in corner and route.length < 4]
        routes: list[list[str]] = [[], [], [], []]
        for name in rng.permutation(near).tolist():
            seat = int(rng.integers(4))
            groups = {own.removesuffix(" 1") for own in routes[seat]}
            if len(routes[seat]) < 9 and name.removesuffix(" 1") not in groups:
                routes[seat].append(name)  # nine routes take at most five trains each
        cities = [most_cities(own) for own in routes]
        winners.append([number == max(cities) > 0 for number in cities])
        assert explorers(*routes) == winners[-1]
    assert {1, 2} <= set(map(sum, winners))


# LA7: ties


def test_la7_with_equal_points_more_completed_tickets_win() -> None:
    """LA7, C18: they decide before mountain routes."""
    routes = [
        ["hanoi-macau", "hanoi-saigon", "saigon-singapore"],
        ["agra-kathmandu", "kathmandu-rawalpindi", "agra-bombay", "astrakhan-tbilisi"],
    ]
    table = ended(routes=routes, holds=[["macau-singapore"]])
    assert table.scores == [7 + 6 + 10, 9 + 4 + 10]
    assert table.ranks == [1, 2]


def test_la7_with_equally_many_tickets_more_mountain_routes_win() -> None:
    """LA7: three with one X each against two with two."""
    routes = [["hanoi-mandalay", "karachi-shiraz"], ["agra-kathmandu", "bangkok-hanoi", "karachi-rawalpindi"]]
    table = ended(routes=routes)
    assert table.scores == [4 + 8 + 10, 6 + 6 + 10]
    assert table.ranks == [2, 1]


def test_la7_only_mountain_routes_count() -> None:
    """LA7: one of them against three other routes of as many points."""
    routes = [["hanoi-macau", "astrakhan-tbilisi", "baghdad-tehran"], ["mandalay-rangoon"]]
    table = ended(routes=routes)
    assert table.scores == [3 + 10, 1 + 2 + 10]
    assert table.ranks == [2, 1]


def test_la7_players_still_tied_share_the_rank() -> None:
    """LA7, C18: a longer path does not decide; the same criteria decide the lower ranks."""
    routes = [
        ["agra-kathmandu", "agra-bombay"],
        ["ankara-tbilisi", "astrakhan-tbilisi", "baghdad-tehran"],
        ["dihua-xian", "hanoi-macau", "chita-ulan_bator", "saigon-singapore", "bangkok-rangoon"],
        ["mandalay-xian", "kathmandu-rawalpindi", "dihua-peking"],
    ]
    table = ended(4, routes=routes, holds=[[], [], [], ["kobe-macau", "bombay-rawalpindi"]])
    assert table.scores == [4 + 2 + 10, 4 + 2 + 10, 16, 26 + 4 - 12]
    assert table.ranks == [2, 2, 4, 1]
