"""The rules of the Nordic Countries (NO2, NO3, NO6, NO8, NO11), and what an own map may take from this game.

What they share with Switzerland is tested in `test_nordic_and_switzerland`. NO2, and what NO1 and NO3 say of the start,
is tested in `test_set_up`.
"""

import functools
from pathlib import Path

import pytest

from t2r_env.variants import GRAY
from tests.helpers import situations
from tests.helpers.payments import check_every_decision, games_with, hands_that_can_pay, small_hands
from tests.helpers.situations import Table, action_name, changed_variant, count, knowing
from tests.rules.test_nordic_and_switzerland import EMPTY, NORDIC, claim_of, due_for
from tests.variants.folders import mark

situation = functools.partial(situations.situation, variant="nordic")
ended = functools.partial(situations.ended, variant="nordic")

ROUTES = NORDIC.routes

LONGEST = "lieksa-murmansk"
"""The route of 9 spaces."""

ONE_SYMBOL = (
    "alborg-goteborg, alborg-kristiansand, alborg-oslo, andalsnes-trondheim, arhus-kobenhavn, bergen-stavanger,"
    " goteborg-kobenhavn, helsinki-stockholm 1, helsinki-tallinn, honningsvag-kirkenes, karlskrona-kobenhavn,"
    " karlskrona-kobenhavn 1, kirkenes-murmansk, kristiansand-stavanger 1, narvik-tromso, stockholm-turku,"
    " sundsvall-vaasa, umea-vaasa"
)
TWO_SYMBOLS = (
    "andalsnes-bergen, helsinki-stockholm, honningsvag-tromso, mo_i_rana-narvik, mo_i_rana-trondheim 1,"
    " stockholm-tallinn"
)
FERRIES = [*ONE_SYMBOL.split(", "), *TWO_SYMBOLS.split(", ")]
"""NO6."""


def pending(table: Table) -> list[str]:
    """The actions of the move under way."""
    return list(map(action_name, table.snapshot["pending"]))


def test_no3_the_two_routes_of_three_double_routes_differ() -> None:
    """NO3: spaces, symbols and whether it is a tunnel. Those of all others are alike."""

    def of(name: str) -> tuple[int, int, bool]:
        return ROUTES[name].length, ROUTES[name].ferry, ROUTES[name].tunnel > 0

    pairs = {name: (of(name), of(f"{name} 1")) for name in NORDIC.doubles.split(", ")}
    assert {name: pair for name, pair in pairs.items() if pair[0] != pair[1]} == {
        "kristiansand-stavanger": ((2, 0, True), (3, 1, False)),
        "mo_i_rana-trondheim": ((5, 0, True), (6, 2, False)),
        "helsinki-stockholm": ((4, 2, False), (4, 1, False)),
    }


# NO6, NO8: ferries and Lieksa-Murmansk


def test_no6_no8_the_map_has_these_ferries_and_one_route_of_nine_spaces() -> None:
    """NO6, NO8: it is gray, and neither ferry nor tunnel."""
    for symbols, ferries in ((1, ONE_SYMBOL), (2, TWO_SYMBOLS)):
        assert sorted(name for name, route in ROUTES.items() if route.ferry == symbols) == ferries.split(", ")
    assert len(FERRIES) == sum(route.ferry > 0 for route in ROUTES.values())
    (longest,) = [name for name, route in ROUTES.items() if route.length == 9]
    assert (longest, ROUTES[longest].colour, ROUTES[longest].tunnel) == (LONGEST, GRAY, 0)


@pytest.mark.parametrize(
    ("route", "hand"),
    [
        # the examples of the rules: four purple spaces with two symbols, nine gray ones
        ("honningsvag-tromso", "2 purple, 1 blue, 1 green, 1 red, 1 locomotive"),
        ("honningsvag-tromso", "1 purple, 3 blue, 2 white, 3 black, 1 red"),
        (LONGEST, "2 purple, 6 blue, 3 white, 3 yellow, 4 red"),
        # three blue spaces with one symbol: three cards stand for a space without a symbol, too
        ("stockholm-turku", "1 blue, 3 red, 1 locomotive"),
        # any four cards count as one of the colour paid, locomotives among them or not
        (LONGEST, "12 red"),
        (LONGEST, "8 blue, 4 locomotive"),
        # even all nine spaces
        (LONGEST, "5 purple, 5 blue, 5 orange, 5 white, 5 green, 5 yellow, 4 black, 2 locomotive"),
    ],
)
def test_no6_no8_other_cards_stand_for_spaces_as_often_as_the_player_likes(route: str, hand: str) -> None:
    """NO6, NO8 (rulings): here all cards are spent."""
    table = situation(hands=[hand])
    table.play(f"claim {route}")
    while table.phase == "pay":
        table.play(next(action for action in sorted(table.legal) if action.startswith("spend")))
    assert (table.routes(0), table.hand(0), table.discard) == ({route}, "", hand)


# NO6, NO8: all payments, compared with a slow enumeration


KINDS = {(ROUTES[name].colour == GRAY, ROUTES[name].length, ROUTES[name].ferry): name for name in [*FERRIES, LONGEST]}
"""A ferry of each kind, coloured or gray, of each length and number of symbols, and Lieksa-Murmansk."""


@pytest.mark.parametrize("name", KINDS.values())
def test_no6_no8_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(name: str) -> None:
    """NO6, NO8: the decisions lead to each set of cards that pays for the route, and to no other."""
    route = ROUTES[name]
    sizes = range(route.length, 2 * route.length + 8) if route.ferry else range(9, 24)
    hands = small_hands(400, sizes, seed=route.length, favourite=route.colour)
    all_ways = hands_that_can_pay(due_for(route), hands, 8)
    games = games_with(situation(ticket_deck=[], **EMPTY), [*all_ways])
    check_every_decision(games, claim_of(NORDIC, games, name), [*all_ways.values()])


# NO11: what all know


def test_no11_all_see_the_cards_spent() -> None:
    """NO11, C20: on Lieksa-Murmansk locomotives, too; `pending` has them by colour."""
    table = situation(3, hands=["8 blue, 6 red, 2 locomotive"])
    table.play(f"claim {LONGEST}", "spend locomotive", "spend red")
    assert pending(table) == [f"claim {LONGEST}", "spend red", "spend locomotive"]
    for seat in range(3):
        assert table.sees("set_aside", seat).tolist() == [count("1 red, 1 locomotive").tolist(), [0] * 9]
        assert table.sees("hand_count", seat)[-seat] == 14


@pytest.mark.parametrize(
    ("hand", "known", "route", "after"),
    [
        ("4 red", "2 red", "umea-vaasa", ""),
        ("4 red", "4 red", "umea-vaasa", "1 red"),
        ("8 blue, 2 red, 2 locomotive", "3 blue, 1 locomotive", LONGEST, ""),
    ],
)
def test_no11_spending_takes_from_the_known_cards_first(hand: str, known: str, route: str, after: str) -> None:
    """NO11, C20: the cards that an exchange took are no longer in the hand."""
    table = knowing(known, situation(3, hands=[hand], face_up="white, white, white, green, green"))
    table.play(f"claim {route}")
    while table.phase == "pay":
        table.play(min(table.legal))
    assert table.routes(0) == {route}
    for observer in range(3):
        assert table.known(observer, seat=0) == after


@pytest.mark.parametrize("seat", [0, 1])
def test_no11_for_all_that_a_player_knows_a_refused_ticket_may_still_be_in_the_deck(seat: int) -> None:
    """NO11, C20: over 150 determinizations every ticket that the seat does not hold lies in the deck at times."""
    table = situation(holds=[["kobenhavn-oslo"], ["oslo-stockholm"]])
    deck = table.ticket_deck
    table.play("draw_tickets", "refuse_ticket", "refuse_ticket")
    while table.to_move != seat:
        table.play("draw_deck")
    assert table.ticket_deck == deck[3:]
    own, lying = table.tickets(seat), set[str]()
    copy = table.games.clone()
    for seed in range(150):
        copy.states[:] = table.games.determinize([0], [seed])
        drawn = Table(copy)
        assert drawn.tickets(seat) == own
        assert len(drawn.ticket_deck) == len(deck) - 3
        lying |= set(drawn.ticket_deck)
    assert lying == {*deck, "kobenhavn-oslo", "oslo-stockholm"} - own


# The same rules on an own map: that of the USA, changed


LATER = "later = { offered = 3, keep = 1 }"


@pytest.mark.parametrize(("start", "later"), [("under", "leave"), ("leave", "under")])
def test_no2_on_an_own_map_refused_tickets_of_the_start_or_later_ones_may_leave_the_game(
    tmp_path: Path, start: str, later: str
) -> None:
    """NO2, C5, C12: by the keys `starting_refused` and `later_refused`; the others go under the deck."""
    keys = f'{LATER}\nstarting_refused = "{start}"\nlater_refused = "{later}"'
    table = situations.deal(variant=changed_variant(tmp_path, {"variant.toml": (LATER, keys)}))
    below, refused = table.ticket_deck, [table.offered(seat)[0] for seat in (0, 1)]
    table.play("refuse_ticket", "refuse_ticket")
    below += refused if start == "under" else []
    assert table.ticket_deck == below
    table.play("draw_tickets", "refuse_ticket", "keep_ticket", "refuse_ticket")
    assert table.ticket_deck == below[3:] + ([below[0], below[2]] if later == "under" else [])
    assert below[1] in table.tickets(0)


def test_no6_on_an_own_map_each_route_has_its_own_exchange(tmp_path: Path) -> None:
    """NO6, UK5: by the column `exchange`, and by the key of the same name for a route whose cell is empty."""
    changed_variant(tmp_path, {"variant.toml": ("trains = 45", "exchange = 3\ntrains = 45")})
    mark(tmp_path / "routes.csv", "exchange", {"montreal,new_york,0": 2, "boston,montreal,0": 0})

    def claims(hand: str) -> set[str]:
        return situations.situation(variant=tmp_path, hands=[hand], **EMPTY).claims

    assert "montreal-new_york" in claims("2 blue, 2 red")  # three blue spaces, two cards for one
    assert "montreal-new_york" not in claims("2 blue, 1 red")
    assert "boston-montreal" not in claims("1 blue, 1 white, 1 green, 1 red")  # two gray spaces, no exchange
    assert "boston-montreal 1" in claims("1 blue, 1 white, 1 green, 1 red")
    assert "new_york-washington" in claims("1 orange, 1 red, 1 green, 1 white")  # two spaces, three cards for one
    assert "new_york-washington" not in claims("1 orange, 1 red, 1 green")
