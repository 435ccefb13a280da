"""The rules of the Nordic Countries (NO2, NO3, NO6, NO8-NO11), and what an own map may take from this game.

What they share with Switzerland is tested in `test_nordic_and_switzerland`. NO2, and what NO1 and NO3 say of the start,
is tested in `test_set_up`.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from t2r_env.rules.names import PHASES
from t2r_env.variants import GRAY, LOCOMOTIVE, Route
from tests.helpers import situations
from tests.helpers.maps import load_map
from tests.helpers.situations import CARDS, Table, action_name, cards_text, changed_variant, count, knowing, route_name
from tests.rules.test_nordic_and_switzerland import (
    EMPTY,
    NORDIC,
    Cards,
    claim_of,
    colours_of,
    games_from,
    games_with,
    random_hands,
    rate,
)
from tests.variants.folders import add_column

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
        ("stockholm-turku", "6 red, 1 locomotive"),
        ("stockholm-turku", "9 red"),
        ("stockholm-turku", "5 blue"),
        # any four cards count as one of the colour paid, locomotives among them or not
        (LONGEST, "12 red"),
        (LONGEST, "8 blue, 4 locomotive"),
        (LONGEST, "8 blue, 1 white, 2 red, 1 locomotive"),
        (LONGEST, "7 blue, 4 red, 4 locomotive"),
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


@pytest.mark.parametrize(
    ("route", "hand"),
    [
        ("honningsvag-tromso", "1 purple, 1 blue, 1 green, 1 red, 1 locomotive"),
        ("honningsvag-tromso", "2 purple, 1 blue, 1 green, 1 locomotive"),
        ("honningsvag-tromso", "1 purple, 3 blue, 2 white, 3 black"),
        (LONGEST, "2 purple, 6 blue, 3 white, 3 yellow, 3 red"),
        # a locomotive is never among the three, and stands in for nothing on the route of nine spaces (NO5)
        ("umea-vaasa", "2 red"),
        ("stockholm-turku", "5 red, 1 locomotive"),
        ("stockholm-turku", "4 blue"),
        (LONGEST, "8 blue, 3 locomotive"),
        (LONGEST, "8 blue, 3 red"),
        (LONGEST, "7 blue, 7 red"),
        (LONGEST, "6 blue, 3 white, 3 green, 3 red"),
        (LONGEST, "5 blue, 4 red"),
    ],
)
def test_no6_no8_too_few_cards_do_not_pay(route: str, hand: str) -> None:
    """NO6, NO8, NO5: one of the cards needed is missing."""
    assert route not in situation(hands=[hand], **EMPTY).claims


def test_no8_while_four_cards_are_being_spent_nothing_else_can_be_done() -> None:
    """NO8: `pay` counts cards of the colour, and the exchanges made as locomotives."""
    table = situation(hands=["9 blue, 3 red, 2 locomotive"], face_up="white, white, white, white, white")
    table.play(f"claim {LONGEST}")
    assert table.legal == {"pay 9 blue", "spend blue", "spend red", "spend locomotive"}
    table.play("spend locomotive", "spend red", "spend blue")
    assert (table.phase, table.legal) == ("pay", {"spend red", "spend locomotive"})  # eight blue cards must be left
    assert pending(table) == [f"claim {LONGEST}", "spend blue", "spend red", "spend locomotive"]
    assert table.laid_out == "1 blue, 1 red, 1 locomotive"
    table.play("spend red")
    assert (table.routes(0), table.hand(0)) == ({LONGEST}, "1 red, 1 locomotive")
    assert table.discard == "9 blue, 2 red, 1 locomotive"


def test_no8_a_payment_uses_all_exchanges_made() -> None:
    """NO8 (ruling): eight of them and a card of the colour, or nine of them."""
    hand = "8 purple, 8 blue, 8 white, 8 green, 4 red"
    table = situation(hands=[f"{hand}, 1 locomotive"], face_up="red, red, red, red, red")
    table.play(f"claim {LONGEST}")
    for colour in ("red", "purple", "blue", "white"):
        for _ in range(8 if colour != "red" else 4):
            table.play(f"spend {colour}")
    assert table.laid_out == "8 purple, 8 blue, 8 white, 4 red"
    assert table.legal == {"pay 2 green, 7 locomotive", "spend green", "spend locomotive"}
    table.play(*["spend green"] * 4)
    assert table.legal == {"pay 1 green, 8 locomotive", "spend green", "spend locomotive"}
    table.play("spend locomotive")  # and three green cards, the only ones left
    assert (table.routes(0), table.hand(0)) == ({LONGEST}, "1 green")
    assert table.discard == "8 purple, 8 blue, 8 white, 7 green, 4 red, 1 locomotive"


# NO6, NO8: all payments, compared with a slow enumeration

MANY = 1500
"""A hand with this number of subsets takes too long to enumerate."""


@dataclass(frozen=True)
class Way:
    """A way to pay."""

    text: str
    """The payment as it is chosen when all exchanges have been made."""
    exchanged: Cards
    """The cards that are exchanged."""
    spent: Cards
    """All cards that it takes."""


def ways(hand: Cards, route: Route) -> Iterator[Way]:
    """All ways to pay for a ferry or Lieksa-Murmansk: every choice of cards to exchange, locomotives and cards."""
    most = hand if route.length == 9 else (*hand[:-1], 0)
    for exchanged in itertools.product(*(range(number + 1) for number in most)):
        exchanges, half_made = divmod(sum(exchanged), rate(route))
        for locomotives in range(hand[-1] + 1 if route.ferry else 1):
            units = exchanges + locomotives
            cards = route.length - units
            if half_made or cards < 0 or units < route.ferry:
                continue
            for colour in colours_of(route) if cards else [LOCOMOTIVE]:
                spent = [*exchanged]
                spent[-1] += locomotives
                spent[CARDS.index(colour)] += cards
                if spent[CARDS.index(colour)] <= hand[CARDS.index(colour)]:
                    text = f"pay {cards_text({colour: cards, LOCOMOTIVE: units})}"
                    yield Way(text, exchanged, tuple(spent))


KINDS = {(ROUTES[name].colour == GRAY, ROUTES[name].length, ROUTES[name].ferry): name for name in [*FERRIES, LONGEST]}
"""A ferry of each kind, coloured or gray, of each length and number of symbols, and Lieksa-Murmansk."""


@pytest.mark.parametrize("name", KINDS.values())
def test_no6_no8_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(name: str) -> None:
    """NO6, NO8: the decisions lead to each set of cards that pays for the route, and to no other.

    A card may be spent if some way to pay exchanges it and all cards spent so far. A payment may be made if some way
    exchanges exactly the cards spent so far.
    """
    route = ROUTES[name]
    sizes = range(route.length, 2 * route.length + 8) if route.ferry else range(9, 24)
    hands = [
        hand
        for hand in random_hands(400, sizes, seed=route.length, favourite=route.colour)
        if np.prod(np.array(hand) + 1) < MANY
    ]
    found = ((hand, some) for hand in hands if len(some := list(ways(hand, route))) > 1)
    payable = list(itertools.islice(found, 8))
    assert len(payable) == 8
    check_every_decision(name, [hand for hand, _ in payable], [some for _, some in payable])


def check_every_decision(name: str, hands: Sequence[Cards], all_ways: Sequence[Sequence[Way]]) -> None:
    """Claim a route with each hand, and check every decision that can follow until it is paid for."""
    towards = [
        {part for way in some for part in itertools.product(*(range(number + 1) for number in way.exchanged))}
        for some in all_ways
    ]
    reached: list[set[Cards]] = [set() for _ in hands]
    games = games_with(NORDIC, hands)
    games.step(np.full(len(hands), claim_of(NORDIC, games, name)))
    origins, states = np.arange(len(hands)), games.states.copy()
    while True:
        spent = np.array(hands)[origins] - states["hand"][:, 0]
        paying = states["phase"] == PHASES.index("pay")
        for origin, cards in zip(origins[~paying].tolist(), spent[~paying].tolist(), strict=True):
            reached[origin].add(tuple(cards))
        origins, states, spent = origins[paying], states[paying], spent[paying]
        if not len(origins):
            break
        games = games_from(NORDIC, states)
        for row, (origin, cards) in enumerate(zip(origins.tolist(), spent.tolist(), strict=True)):
            legal = {action_name(games.describe(int(action), row)) for action in np.flatnonzero(games.masks[row])}
            assert legal == expected_actions(all_ways[origin], towards[origin], tuple(cards))
        rows, actions = np.nonzero(games.masks)
        games = games_from(NORDIC, states[rows])
        games.step(actions)
        origins, states = origins[rows], games.states
        keys = np.column_stack([origins, states["phase"] == PHASES.index("pay"), states["hand"][:, 0]])
        _, new = np.unique(keys, axis=0, return_index=True)
        origins, states = origins[new], states[new]
    for cards_taken, some in zip(reached, all_ways, strict=True):
        assert cards_taken == {way.spent for way in some}


def expected_actions(some: Sequence[Way], towards: set[Cards], spent: Cards) -> set[str]:
    """The actions that the ways to pay allow after some cards have been spent."""
    expected = {way.text for way in some if way.exchanged == spent}
    for number, card in enumerate(CARDS):
        if (*spent[:number], spent[number] + 1, *spent[number + 1 :]) in towards:
            expected.add(f"spend {card}")
    return expected


# NO9: Globetrotter

KOBENHAVN_OSLO = ["goteborg-kobenhavn", "goteborg-oslo"]
OSLO_STOCKHOLM = ["orebro-oslo", "orebro-stockholm"]
TALLINN_TAMPERE = ["helsinki-tallinn", "helsinki-tampere"]
MURMANSK_NARVIK = ["kirkenes-murmansk", "honningsvag-kirkenes", "honningsvag-tromso", "narvik-tromso"]
"""Each completes the ticket between its ends, of 4, 4, 3 and 12 points."""


def test_no9_the_parts_of_the_score_are_routes_tickets_and_globetrotter() -> None:
    """NO9: there is no bonus for the longest path."""
    table = ended(routes=[KOBENHAVN_OSLO, [LONGEST]], holds=[["kobenhavn-oslo"], ["helsinki-lieksa"]])
    assert table.final(0)["breakdown"] == {"routes": 4, "tickets": 4, "globetrotter": 10}
    assert table.final(1)["breakdown"] == {"routes": 27, "tickets": -5, "globetrotter": 0}
    assert table.scores == [18, 22]


@pytest.mark.parametrize(
    ("routes", "holds", "bonus"),
    [
        # the most, by number and not by value: two of 4 points against one of 12
        (
            [[*KOBENHAVN_OSLO, *OSLO_STOCKHOLM], MURMANSK_NARVIK, []],
            [["kobenhavn-oslo", "oslo-stockholm"], ["murmansk-narvik"], []],
            [10, 0, 0],
        ),
        # all who tie get it; failed ones don't count
        (
            [KOBENHAVN_OSLO, TALLINN_TAMPERE, [LONGEST]],
            [["kobenhavn-oslo", "goteborg-oulu"], ["tallinn-tampere"], ["helsinki-lieksa"]],
            [10, 10, 0],
        ),
        # nobody has completed one
        ([KOBENHAVN_OSLO, [LONGEST]], [["goteborg-oulu"], ["helsinki-lieksa"]], [0, 0]),
    ],
)
def test_no9_the_most_completed_tickets_earn_10_points(
    routes: list[list[str]], holds: list[list[str]], bonus: list[int]
) -> None:
    """NO9, C17."""
    assert ended(len(routes), routes=routes, holds=holds).parts("globetrotter") == bonus


# NO10: ties


@pytest.mark.parametrize(
    ("routes", "holds", "points", "scores", "ranks"),
    [
        # completed tickets decide before the longer path
        ([KOBENHAVN_OSLO, ["kirkenes-rovaniemi"]], [["kobenhavn-oslo"]], [1, 15], [1 + 4 + 10, 15], [1, 2]),
        # of as many tickets the longer path decides: 4 spaces against 5
        (
            [KOBENHAVN_OSLO, [*TALLINN_TAMPERE, "kirkenes-rovaniemi"]],
            [["kobenhavn-oslo"], ["tallinn-tampere"]],
            [10, 11],
            [24, 24],
            [2, 1],
        ),
        # all else being equal, they share the rank
        ([["bergen-oslo"], ["helsinki-stockholm"], ["alborg-arhus"]], [], [7, 7, 7], [7, 7, 7], [1, 1, 3]),
    ],
)
def test_no10_ties_go_by_completed_tickets_then_the_longer_path(
    routes: list[list[str]], holds: list[list[str]], points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """NO10 (ruling), C18."""
    table = ended(len(points), routes=routes, holds=holds, points=points)
    assert (table.scores, table.ranks) == (scores, ranks)


# NO11: what all know


def test_no11_all_see_the_cards_spent() -> None:
    """NO11, C20: on a ferry and on Lieksa-Murmansk, locomotives too; `pending` has them by colour."""
    table = situation(3, hands=["4 blue, 2 red, 1 white, 1 locomotive"])
    table.play("claim stockholm-turku", "spend red", "spend white")
    assert pending(table) == ["claim stockholm-turku", "spend white", "spend red"]
    for seat in range(3):
        assert table.sees("set_aside", seat).tolist() == [count("1 white, 1 red").tolist(), [0] * 9]
        assert table.sees("hand_count", seat)[-seat] == 6
    table = situation(3, hands=["8 blue, 6 red, 2 locomotive"])
    table.play(f"claim {LONGEST}", "spend locomotive", "spend red")
    for seat in range(3):
        assert table.sees("set_aside", seat).tolist() == [count("1 red, 1 locomotive").tolist(), [0] * 9]


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


def with_exchanges(folder: Path, exchange: Mapping[str, int], key: str = "") -> Path:
    """The USA with a column of exchanges, in which most routes have no entry, and a key of variant.toml."""
    changed_variant(folder, {"variant.toml": ("trains = 45", f"{key}\ntrains = 45")})
    names = [route_name(route.a, route.b, route.track) for route in load_map("usa").routes]
    add_column(folder / "routes.csv", "exchange", [str(exchange.get(name, "")) for name in names])
    return folder


def test_no6_on_an_own_map_each_route_has_its_own_exchange(tmp_path: Path) -> None:
    """NO6, UK5: by the column `exchange`, and by the key of the same name for a route whose cell is empty."""
    folder = with_exchanges(tmp_path, {"montreal-new_york": 2, "boston-montreal": 0}, key="exchange = 3")

    def claims(hand: str) -> set[str]:
        return situations.situation(variant=folder, hands=[hand], **EMPTY).claims

    assert "montreal-new_york" in claims("2 blue, 2 red")  # three blue spaces, two cards for one
    assert "montreal-new_york" not in claims("2 blue, 1 red")
    assert "boston-montreal" not in claims("1 blue, 1 white, 1 green, 1 red")  # two gray spaces, no exchange
    assert "boston-montreal 1" in claims("1 blue, 1 white, 1 green, 1 red")
    assert "new_york-washington" in claims("1 orange, 1 red, 1 green, 1 white")  # two spaces, three cards for one
    assert "new_york-washington" not in claims("1 orange, 1 red, 1 green")


def test_no6_without_the_key_only_routes_with_a_number_have_exchanges(tmp_path: Path) -> None:
    """NO6, NO8: by default no cards stand for others."""
    folder = with_exchanges(tmp_path, {"montreal-new_york": 2})
    table = situations.situation(variant=folder, hands=["2 blue, 2 red"], **EMPTY)
    usual = situations.situation(hands=["2 blue, 2 red"], **EMPTY).claims
    assert table.claims == usual | {"montreal-new_york"}
    table.play("claim montreal-new_york")  # the red cards are the only ones that can be spent
    assert (table.routes(0), table.hand(0)) == ({"montreal-new_york"}, "")
