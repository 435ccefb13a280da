"""The rules of Team Asia (TA1-TA13). Its tunnels (TA10) are tested in `test_tunnels`."""

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from t2r_env.variants import COLOURS, LOCOMOTIVE
from tests.helpers.maps import load_map
from tests.helpers.referee import legal_actions
from tests.helpers.situations import (
    CARDS,
    Table,
    action_name,
    assert_seen_alike,
    cards_text,
    count,
    deal,
    end,
    route_name,
    situation,
)

VARIANT = load_map("team_asia")

every_number_of_players = pytest.mark.parametrize("players", [4, 6])


def game(players: int = 4, *, points: Sequence[int] = (), **more: Any) -> Table:
    """A game at the beginning of a turn; `points` are those of the teams."""
    by_seat = [number for number in points for _ in range(2)]
    return situation(players, variant="team_asia", points=by_seat, **more)


def scored(players: int = 4, **more: Any) -> Table:
    """A game that has just ended."""
    return end(game(players, last_turns_left=1, **more))


def draw(table: Table, first: str = "draw_deck", where: str = "hand", second: str = "draw_deck") -> None:
    """A turn of drawing two train cards."""
    table.play(first, f"place {where}", second)


def after_choice(players: int = 4, **more: Any) -> Table:
    """A game just dealt, in which all have kept all starting tickets: the first seat decides which one it shares."""
    table = deal(players, variant="team_asia", **more)
    table.play_all("keep_ticket")
    return table


def known_on_rack(table: Table, observer: int, team: int) -> str:
    """The cards that the observer knows to be on the rack of a team."""
    ahead = (team - observer // 2) % (table.games.num_players // 2)
    known = table.sees("rack_known", observer)[ahead].tolist()
    return cards_text(dict(zip(CARDS, known, strict=True)))


def assert_seen_differently(one: Table, other: Table, seats: Iterable[int]) -> None:
    """Check that each of these seats observes different things in both games."""
    for seat in seats:
        assert one.games.observe([0], [seat]).tolist() != other.games.observe([0], [seat]).tolist()


@every_number_of_players
def test_ta1_teammates_sit_side_by_side(players: int) -> None:
    """TA1, C7: seats 0 and 1 are team 0, and so on; play goes round by seats. Points count for the team."""
    for seat in range(players):
        table = game(players, hands=[*[""] * seat, "1 black"], to_move=seat)
        assert len(table.snapshot["teams"]) == players // 2
        table.play("claim karachi-sukkur")
        assert table.to_move == (seat + 1) % players
        assert [team["score"] for team in table.snapshot["teams"]] == [
            int(it == seat // 2) for it in range(players // 2)
        ]
        assert [table.score(it) for it in range(players)] == [int(it // 2 == seat // 2) for it in range(players)]


def test_ta1_trains_are_never_pooled() -> None:
    """TA1, C9: the claimer needs the trains himself, and only his are placed."""
    few = game(hands=["3 purple", "3 purple"], trains=[2, 27, 27, 27])
    assert "claim chengdu-xian" not in few.legal
    few.play("draw_deck", "place hand", "draw_deck")
    assert "claim chengdu-xian" in few.legal
    few.play("claim chengdu-xian")
    assert [few.trains(seat) for seat in range(4)] == [2, 24, 27, 27]


@every_number_of_players
def test_ta1_points_and_rank_are_those_of_the_team(players: int) -> None:
    """TA1, C18: each teammate's."""
    table = scored(players, points=[20, 30, 10][: players // 2])
    assert table.scores == [20, 20, 30, 30, 10, 10][:players]
    assert table.ranks == [2, 2, 1, 1, 3, 3][:players]
    for seat in range(0, players, 2):
        assert table.final(seat) == table.final(seat + 1)


@every_number_of_players
def test_ta2_opponents_see_only_the_counts_of_a_rack(players: int) -> None:
    """TA2 (ruling): both teammates see the cards and tickets."""
    one = game(players, racks=["2 red"], rack_tickets=[["delhi-sukkur", "mukden-xian"]])
    other = game(players, racks=["1 blue, 1 locomotive"], rack_tickets=[["dacca-jiuquan", "karachi-kunming"]])
    assert_seen_differently(one, other, (0, 1))
    assert_seen_alike(one, other, range(2, players))
    assert one.sees("rack_count", 3).tolist() == [0] * (players // 2 - 1) + [2]


def test_ta2_neither_a_teammates_hand_nor_an_opponents_rack_pays() -> None:
    """TA2, TA6: only the claimer's hand and the rack do."""
    hands = ["1 purple, 1 red", "2 purple, 1 red", "9 locomotive"]
    table = game(hands=hands, racks=["1 purple", "5 purple, 3 locomotive"])
    routes = ["chengdu-xian", "bangalore-hyderabad", "hyderabad-nagpur", "harbin-mukden"]
    assert table.claims.intersection(routes) == {*routes[2:]}


@pytest.mark.parametrize(("where", "who_sees"), [("hand", {0}), ("rack", {0, 1})])
def test_ta2_a_card_drawn_blind_is_seen_by_the_teammate_if_it_goes_to_the_rack(where: str, who_sees: set[int]) -> None:
    """TA2: opponents never see it, nor the second one, but all know where it went."""
    one, other = (game(deck=f"9 {card}") for card in ("red", "locomotive"))
    for table in (one, other):
        table.play("draw_deck", f"place {where}")
        assert (table.sees("hand_count", 2)[2], table.sees("rack_count", 2)[1]) == (
            (1, 0) if where == "hand" else (0, 1)
        )
    assert_seen_differently(one, other, who_sees)
    assert_seen_alike(one, other, {0, 1, 2, 3} - who_sees)
    for table in (one, other):
        table.play("draw_deck")
        assert (table.known(2, seat=0), known_on_rack(table, 2, team=0)) == ("", "")


def test_ta2_memory_is_kept_for_hand_and_rack_separately() -> None:
    """TA2, C20: a payment from one does not change what is known of the other; known cards are spent first."""
    table = game(
        hands=["2 purple"],
        racks=["1 purple"],
        face_up="purple, purple, red, red, red",
        deck="50 yellow",
        discard="1 white",
    )
    draw(table, "draw_face_up 0", "hand", "draw_face_up 1")
    for _ in range(3):
        draw(table)
    assert (table.hand(0), table.known(3, seat=0)) == ("3 purple", "1 purple")
    assert (table.rack(0), known_on_rack(table, 3, team=0)) == ("2 purple, 1 yellow", "1 purple")
    table.play("claim delhi-karachi", "from_rack 1 cards")
    assert (table.hand(0), table.known(3, seat=0), table.known(1, seat=0)) == ("1 purple", "", "")
    assert (table.rack(0), known_on_rack(table, 3, team=0)) == ("1 purple, 1 yellow", "")


@every_number_of_players
def test_ta4_each_shares_one_of_its_kept_tickets(players: int) -> None:
    """TA4: seat by seat; exactly one, which may be any of the kept tickets.

    C6 (ruling): it takes effect when the last seat has chosen. Until then every count stays as before, for everybody.
    """
    table, teams = after_choice(players), range(players // 2)
    chosen = []
    for seat in range(players):
        assert (table.phase, table.to_move, table.snapshot["turn"]) == ("share", seat, 0)
        assert table.legal == {f"share_ticket {ticket}" for ticket in table.tickets(seat)}
        for other in range(players):
            assert len(table.tickets(other)) == 5
            assert table.sees("ticket_count", other).tolist() == [5] * players
            assert table.sees("rack_ticket_count", other).tolist() == [0] * len(teams)
        assert all(table.rack_tickets(team) == set() for team in teams)
        chosen.append(sorted(table.tickets(seat))[seat % 5])
        table.play(f"share_ticket {chosen[-1]}")
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 0, 1)
    assert table.sees("ticket_count", 0).tolist() == [4] * players
    assert table.sees("rack_ticket_count", 0).tolist() == [2] * len(teams)
    for team in teams:
        assert table.rack_tickets(team) == {*chosen[2 * team : 2 * team + 2]}
    for seat in range(players):
        assert len(table.tickets(seat)) == 4
        assert chosen[seat] not in table.tickets(seat)


@pytest.mark.parametrize(("where", "hand", "rack"), [("hand", "1 blue", "1 red"), ("rack", "1 red", "1 blue")])
def test_ta2_ta5_one_card_goes_to_the_hand_and_the_other_to_the_rack(where: str, hand: str, rack: str) -> None:
    """TA5: the player decides where the first goes; the second brings no decision.

    TA2, C20: all see where face-up cards go.
    """
    table = game(face_up="blue, red, white, green, black", deck="9 yellow")
    table.play("draw_face_up 0")
    assert (table.phase, table.to_move) == ("place", 0)
    assert table.legal == {"place hand", "place rack"}
    table.play(f"place {where}")
    assert (table.phase, table.to_move) == ("second_card", 0)
    table.play("draw_face_up 1")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert (table.hand(0), table.rack(0), table.hand(1), table.rack(1)) == (hand, rack, "", "")
    for observer in range(4):
        assert [table.known(observer, seat) for seat in (0, 1)] == [hand, ""]
        assert [known_on_rack(table, observer, team) for team in (0, 1)] == [rack, ""]


@pytest.mark.parametrize("seat", range(4))
def test_ta5_the_rack_is_that_of_ones_own_team(seat: int) -> None:
    """TA5, TA1."""
    table = game(to_move=seat, deck="9 yellow")
    draw(table, where="rack")
    assert [table.rack(team) for team in (0, 1)] == (["1 yellow", ""] if seat < 2 else ["", "1 yellow"])
    assert [table.hand(it) for it in range(4)] == ["1 yellow" if it == seat else "" for it in range(4)]


def test_ta5_the_player_sees_the_card_before_deciding_where_it_goes() -> None:
    """TA5, C2: even one drawn blind, which is neither in the hand nor on the rack yet, nor among those reshuffled.

    Nobody else sees it, not even the teammate (TA2).
    """
    table = game(deck="1 red", discard="6 white")
    table.play("draw_deck")
    assert (table.phase, table.snapshot["drawn"], table.deck) == ("place", "red", "6 white")
    assert table.sees("drawn", 0).tolist() == count("1 red").tolist()
    assert [table.sees("drawn", seat).sum() for seat in range(4)] == [1, 0, 0, 0]
    assert (table.hand(0), table.rack(0)) == ("", "")
    table.play("place rack")
    assert (table.phase, table.snapshot["drawn"], table.rack(0)) == ("second_card", None, "1 red")
    table.play("draw_deck")
    assert (table.hand(0), table.rack(0), table.deck) == ("1 white", "1 red", "5 white")


def test_ta5_slots_are_refilled_and_locomotives_swept_after_the_placement() -> None:
    """TA5 (ruling), C3, C4: before the second card is chosen."""
    table = game(face_up="blue, locomotive, locomotive, green, black", deck="1 locomotive", discard="20 yellow")
    table.play("draw_face_up 0")
    assert table.face_up == "-, locomotive, locomotive, green, black"
    table.play("place rack")
    assert (table.phase, table.face_up) == ("second_card", "yellow, yellow, yellow, yellow, yellow")
    assert table.discard == "1 green, 1 black, 3 locomotive"


def test_ta5_a_face_up_locomotive_goes_to_the_rack() -> None:
    """TA5, TA2, C8: it is the only card and brings no decision; all know that it is there."""
    table = game(face_up="blue, locomotive, white, green, black", deck="9 yellow")
    table.play("draw_face_up 1")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert (table.hand(0), table.rack(0)) == ("", "1 locomotive")
    assert table.face_up == "blue, yellow, white, green, black"
    assert [known_on_rack(table, observer, team=0) for observer in range(4)] == ["1 locomotive"] * 4


@pytest.mark.parametrize(
    ("face_up", "left"), [("red, -, -, -, -", "-, -, -, -, -"), ("red, locomotive, -, -, -", "-, locomotive, -, -, -")]
)
@pytest.mark.parametrize(("where", "hand", "rack"), [("hand", "1 red", ""), ("rack", "", "1 red")])
def test_ta5_without_a_second_card_the_first_stays_where_it_was_put(
    face_up: str, left: str, where: str, hand: str, rack: str
) -> None:
    """TA5 (ruling), C8: the player decides where it goes all the same."""
    table = game(face_up=face_up, deck="")
    table.play("draw_face_up 0")
    assert table.legal == {"place hand", "place rack"}
    table.play(f"place {where}")
    assert (table.phase, table.to_move, table.face_up) == ("turn", 1, left)
    assert (table.hand(0), table.rack(0)) == (hand, rack)


def test_ta5_the_only_second_card_is_taken_automatically() -> None:
    """TA5, C8: it can't be declined, and goes where the first did not."""
    table = game(face_up="-, -, -, -, -", deck="2 green")
    table.play("draw_deck", "place rack")
    assert (table.to_move, table.hand(0), table.rack(0)) == (1, "1 green", "1 green")


def random_cards(rng: random.Random, colours: Sequence[str], most: int) -> str:
    """A few cards, of these colours and locomotives."""
    return cards_text(Counter(rng.choices([*colours, LOCOMOTIVE], k=rng.randint(0, most))))


WITHOUT_TUNNELS = [route for route in VARIANT.routes if not route.tunnel and route.length <= 4]


@pytest.mark.parametrize("number", range(60))
def test_ta6_any_cards_of_hand_and_rack_pay_and_leave_them_as_the_player_chooses(number: int) -> None:
    """TA6: the decisions, taken at random, are those of the referee."""
    rng = random.Random(number)
    route = rng.choice(WITHOUT_TUNNELS)
    at_hand = [*(rng.sample(COLOURS, 2) if route.colour == "gray" else [route.colour]), rng.choice(COLOURS)]
    hand, rack = random_cards(rng, at_hand, 6), random_cards(rng, at_hand, 6)
    seat, name = rng.randrange(4), route_name(route.a, route.b, route.track)
    hands, racks = ["" if it != seat else hand for it in range(4)], ["" if it != seat // 2 else rack for it in (0, 1)]
    table = game(hands=hands, racks=racks, to_move=seat)
    assert table.legal == legal_actions(VARIANT, table.snapshot)
    if name not in table.claims:
        return
    table.play(f"claim {name}")
    taken: dict[str, str] = {}
    for phase in ("pay", "from_rack"):
        if table.phase == phase:
            assert table.legal == legal_actions(VARIANT, table.snapshot)
            taken[phase] = rng.choice(sorted(table.legal))
            table.play(taken[phase])
    from_hand, from_rack = count(hand) - count(table.hand(seat)), count(rack) - count(table.rack(seat // 2))
    assert (from_hand + from_rack).tolist() == count(table.discard).tolist()
    assert taken.get("pay", f"pay {table.discard}") == f"pay {table.discard}"
    split = {"action": "from_rack", "cards": from_rack[:-1].sum(), "locomotives": from_rack[-1]}
    assert taken.get("from_rack", action_name(split)) == action_name(split)
    assert (table.routes(seat), count(table.discard).sum()) == ({name}, route.length)


def test_ta7_the_shared_ticket_is_one_of_those_just_kept() -> None:
    """TA7: not one held before and not one of the teammate's; one, not two."""
    table = game(holds=[["delhi-sukkur"], ["mukden-xian"]], rack_tickets=[["dacca-karachi"]])
    top = table.ticket_deck[:4]
    table.play("draw_tickets", "keep_ticket", "refuse_ticket", "keep_ticket", "keep_ticket")
    assert table.legal == {f"share_ticket {top[index]}" for index in (0, 2, 3)}
    table.play(f"share_ticket {top[2]}")
    assert table.to_move == 1
    assert table.tickets(0) == {"delhi-sukkur", top[0], top[3]}
    assert table.rack_tickets(0) == {"dacca-karachi", top[2]}


@pytest.mark.parametrize("left", [1, 2, 3])
def test_ta7_fewer_are_drawn_when_fewer_are_left(left: int) -> None:
    """TA7, C12: and one of them goes to the rack."""
    tickets = ["delhi-sukkur", "mukden-xian", "dacca-karachi"][:left]
    table = game(ticket_deck=tickets)
    table.play("draw_tickets")
    table.play_all("keep_ticket")
    if left > 1:
        table.play(f"share_ticket {tickets[0]}")
    assert (table.to_move, table.ticket_deck) == (1, [])
    assert (table.rack_tickets(0), table.tickets(0)) == ({tickets[0]}, set(tickets[1:]))


def test_ta8_a_turn_may_be_used_to_share_one_ticket_or_two() -> None:
    """TA8: of the player's own hand; without a ticket in hand nothing can be shared."""
    holds = [["delhi-sukkur", "mukden-xian"], ["dacca-karachi"], [], ["canton-peking", "delhi-peking", "dihua-sukkur"]]
    table = game(holds=holds, rack_tickets=[["karachi-kunming"]])
    assert {it for it in table.legal if "share" in it} == {"share_ticket delhi-sukkur", "share_ticket mukden-xian"}
    table.play("share_ticket mukden-xian")
    assert (table.phase, table.to_move) == ("share", 0)
    assert table.legal == {"share_ticket delhi-sukkur", "stop"}
    table.play("stop")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == {"delhi-sukkur"}
    assert (table.rack_tickets(0), table.rack_tickets(1)) == ({"karachi-kunming", "mukden-xian"}, set())
    table.play("share_ticket dacca-karachi")  # the only one: the turn ends automatically
    assert (table.phase, table.to_move, table.tickets(1)) == ("turn", 2, set())
    assert not any("share" in action for action in table.legal)
    draw(table)
    table.play("share_ticket dihua-sukkur", "share_ticket canton-peking")  # no more than two
    assert (table.phase, table.to_move, table.tickets(3)) == ("turn", 0, {"delhi-peking"})
    assert table.rack_tickets(1) == {"dihua-sukkur", "canton-peking"}


def test_ta8_a_player_who_can_share_a_ticket_may_not_pass() -> None:
    """TA8, C13: sharing is an action, and interrupts a succession of passes."""
    nothing: dict[str, Any] = {"face_up": "-, -, -, -, -", "deck": "", "ticket_deck": []}
    assert game(**nothing).legal == {"pass"}
    table = game(holds=[[], [], [], ["delhi-sukkur"]], **nothing)
    table.play("pass", "pass", "pass")
    assert table.legal == {"share_ticket delhi-sukkur"}
    table.play("share_ticket delhi-sukkur", "pass", "pass", "pass")
    assert table.outcome == "running"
    table.play("pass")
    assert table.outcome == "finished"


ROUTES_BETWEEN = Counter((route.a, route.b) for route in VARIANT.routes)
DOUBLES = ["-".join(cities) for cities, number in ROUTES_BETWEEN.items() if number == 2]
TRIPLES = ["-".join(cities) for cities, number in ROUTES_BETWEEN.items() if number == 3]
HONG_KONG = "canton-hong_kong"


@every_number_of_players
@pytest.mark.parametrize("pair", [*DOUBLES, *TRIPLES])
def test_ta9_with_four_players_one_of_the_parallel_routes_stays_free(players: int, pair: str) -> None:
    """TA9, C11: any one, except from Hong Kong to Canton; with six players all may be claimed.

    No player claims two, but teammates may claim one each. Each order and many owners are tried.
    """
    routes = [route_name(it.a, it.b, it.track) for it in VARIANT.routes if f"{it.a}-{it.b}" == pair]
    most = len(routes) - 1 if players == 4 and pair != HONG_KONG else len(routes)
    orders = [order for number in range(1, len(routes)) for order in itertools.permutations(routes, number)]
    for index, claimed in enumerate(orders):
        owners = [(index + place * (1 + index % 2)) % players for place in range(len(claimed))]
        own = [[route for owner, route in zip(owners, claimed, strict=True) if owner == it] for it in range(players)]
        for seat in range(players):
            table = game(players, racks=["7 locomotive"] * (players // 2), deck="", routes=own, to_move=seat)
            is_barred = seat in owners or len(claimed) == most
            assert table.claims.intersection(routes) == (set() if is_barred else set(routes) - set(claimed))


@every_number_of_players
def test_ta11_four_trains_of_a_team_together_trigger_one_more_turn_for_each_seat(players: int) -> None:
    """TA11, C15: starting with the next seat, ending with the one that triggered it."""
    for seat in (0, 1, 2):
        first = seat - seat % 2
        trains = [27] * players
        trains[first], trains[first + 1] = (2, 3) if seat % 2 == 0 else (3, 2)
        table = game(players, hands=[*[""] * seat, "1 black"], trains=trains, to_move=seat)
        table.play("claim karachi-sukkur")
        for turn in range(players):
            assert table.to_move == (seat + 1 + turn) % players
            assert table.snapshot["last_turns_left"] == players - turn
            draw(table)
        assert table.outcome == "finished"


@pytest.mark.parametrize(
    ("trains", "left"), [([3, 3], None), ([6, 0], None), ([1, 5], None), ([3, 0], 4), ([1, 0], 4), ([3, 2], 4)]
)
def test_ta11_five_trains_of_a_team_together_do_not_trigger_it(trains: list[int], left: int | None) -> None:
    """TA11: whoever has them; one player may have none left. Fewer than four trigger it, too."""
    table = game(hands=["1 black"], trains=[*trains, 27, 27])
    table.play("claim karachi-sukkur")
    assert table.snapshot["last_turns_left"] == left


def test_ta11_only_the_trains_of_the_team_that_ends_a_turn_count() -> None:
    """TA11, C15: at the end of an opponent's turn they are not looked at."""
    table = game(trains=[27, 27, 1, 3])
    for seat in (0, 1):
        assert table.to_move == seat
        draw(table)
        assert table.snapshot["last_turns_left"] is None
    draw(table)
    assert table.snapshot["last_turns_left"] == 4


DELHI_SUKKUR = [["karachi-sukkur"], ["delhi-karachi"]]
"""A path from Delhi to Sukkur, of which each teammate has a part."""


@pytest.mark.parametrize("where", ["first hand", "second hand", "rack"])
def test_ta12_a_ticket_counts_over_the_routes_of_both_teammates(where: str) -> None:
    """TA12 (ruling), TA1, C16: wherever the ticket is; opponents' routes complete none."""
    tickets = [["delhi-sukkur"], ["mukden-xian"]]
    holds = [own * (where == hand) for own in tickets for hand in ("first hand", "second hand")]
    table = scored(routes=DELHI_SUKKUR, holds=holds, rack_tickets=[own * (where == "rack") for own in tickets])
    assert table.parts("tickets") == [4, 4, -5, -5]
    for seat in (0, 1):
        assert table.final(seat)["completed"] == [["delhi", "sukkur", 4]]
        assert table.final(2 + seat)["failed"] == [["mukden", "xian", 5]]
    assert table.games.results.completed.tolist() == [[1, 1, 0, 0]]
    mixed = scored(routes=[["karachi-sukkur"], [], ["delhi-karachi"]], holds=[["delhi-sukkur"]])
    assert mixed.parts("tickets") == [-4, -4, 0, 0]


def test_ta12_the_teammates_see_that_a_ticket_is_completed_by_their_routes_together() -> None:
    """TA12 (ruling), C20: each sees it of his own tickets and of those on the rack."""
    holds = [["delhi-sukkur", "mukden-xian"], ["karachi-rangoon"]]
    table = game(routes=DELHI_SUKKUR, holds=holds)
    assert [table.sees("completed", seat).sum() for seat in range(4)] == [1, 0, 0, 0]
    on_rack = game(routes=DELHI_SUKKUR, rack_tickets=[["delhi-sukkur"], ["mukden-xian"]])
    assert [on_rack.sees("rack_completed", seat).sum() for seat in range(4)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("routes", "bonus"),
    [
        # nine spaces in one path beat six and five that do not meet
        ([["dihua-kashgar"], ["dihua-jiuquan"], ["harbin-ulan_bator"], ["calcutta-madras"]], [10, 0]),
        # both routes of a double route, each of them once
        ([[HONG_KONG], [f"{HONG_KONG} 1"], ["karachi-sukkur"], ["delhi-lahore"]], [10, 0]),
        # all tied teams get it
        ([[], ["rawalpindi-sukkur"], [], ["hankow-xian"], [], ["harbin-peking"]], [10, 0, 10]),
    ],
)
def test_ta12_the_asian_express_is_the_longest_path_over_the_routes_of_both_teammates(
    routes: list[list[str]], bonus: list[int]
) -> None:
    """TA12, C17 (ruling)."""
    assert scored(len(routes), routes=routes).parts("longest_path") == [points for points in bonus for _ in range(2)]


@pytest.mark.parametrize(
    ("holds", "rack", "bonus", "points"),
    [
        # one in each of the three beats two in one hand
        (
            [["delhi-sukkur"], ["bombay-cawnpore"], ["mandalay-nanning", "chungking-lanchow"]],
            ["mukden-xian"],
            [10, 0],
            4 + 4 + 5,
        ),
        # all tied teams get it; failed ones do not count
        ([["delhi-sukkur"], [], ["mandalay-nanning", "karachi-rangoon"]], [], [10, 10], 4),
    ],
)
def test_ta12_the_globetrotter_counts_the_tickets_of_rack_and_both_hands(
    holds: list[list[str]], rack: list[str], bonus: list[int], points: int
) -> None:
    """TA12, C17 (ruling): their values count for the team once."""
    routes = [
        ["karachi-sukkur", "delhi-karachi", "baroda-bombay"],
        ["baroda-cawnpore", "mukden-peking", "peking-xian"],
        ["kunming-mandalay", "kunming-nanning", "chengdu-chungking", "chengdu-lanchow"],
    ]
    table = scored(routes=routes, holds=holds, rack_tickets=[rack])
    assert table.parts("globetrotter") == [points for points in bonus for _ in range(2)]
    assert table.parts("tickets")[:2] == [points, points]


@pytest.mark.parametrize(
    ("points", "routes", "holds", "score", "ranks"),
    [
        # more completed tickets of the whole team decide before the longer path
        ([36, 40], [["karachi-sukkur"], ["delhi-karachi"], ["harbin-ulan_bator"]], [["delhi-sukkur"]], 50, [1, 2]),
        # the longer path over both teammates' routes together
        ([10, 20], [["dihua-kashgar"], ["dihua-jiuquan"], ["harbin-ulan_bator"], ["calcutta-madras"]], [], 20, [1, 2]),
        ([20, 20], [["karachi-sukkur"], [], ["delhi-lahore"]], [], 30, [1, 1]),
    ],
)
def test_ta12_ties_go_by_the_completed_tickets_of_the_team_and_then_by_its_longer_path(
    points: list[int], routes: list[list[str]], holds: list[list[str]], score: int, ranks: list[int]
) -> None:
    """TA12, TA1, C18: teams equal in everything share the rank."""
    table = scored(points=points, routes=routes, holds=holds)
    assert table.scores == [score] * 4
    assert table.ranks[::2] == table.ranks[1::2] == ranks


def test_ta13_the_route_of_seven_spaces_scores_18() -> None:
    """TA13 (ruling): it takes seven cards and seven trains."""
    table = game(hands=["4 red"], racks=["3 red"])
    table.play("claim dihua-ulan_bator")
    assert (table.score(0), table.trains(0), table.trains(1)) == (18, 20, 27)
    assert table.discard == "7 red"
    assert [route.length for route in VARIANT.routes].count(7) == max(route.length for route in VARIANT.routes) - 6 == 1


def test_ta13_routes_that_meet_at_a_junction_are_joined() -> None:
    """TA13 (ruling): for tickets and for paths, by the routes of both teammates; not those to different junctions.

    No ticket names one.
    """
    routes = [
        ["dihua-junction_west", "lahore-sukkur"],
        ["junction_west-lahore"],
        ["harbin-ulan_bator", "jiuquan-ulan_bator"],
        ["junction_east-lanchow"],
    ]
    table = scored(routes=routes, holds=[["dihua-lanchow"]], rack_tickets=[["dihua-sukkur"]])
    assert table.parts("tickets") == [9 - 7, 9 - 7, 0, 0]
    assert table.parts("longest_path") == [10, 10, 0, 0]
    named = {city for ticket in VARIANT.ticket_decks["regular"].tickets for city in (ticket.a, ticket.b)}
    assert not [city.id for city in VARIANT.cities if city.id in named and city.id.startswith("junction")]
