"""The rules of the United Kingdom (UK1, UK4-UK12).

All payments with exchanges are tried in `test_exchange`. UK2 is tested in `test_nordic_and_switzerland`, UK3 and UK13
in `test_set_up`.
"""

import functools
import itertools
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.variants import Route
from tests.helpers import situations
from tests.helpers.maps import ROUTE_POINTS
from tests.helpers.situations import CARDS, Table, configuration, count, end
from tests.rules.test_exchange import EXAMPLES, OPENERS, PRICES, ROUTES, VARIANT
from tests.rules.test_set_up import doubles

deal = functools.partial(situations.deal, variant="united_kingdom")
situation = functools.partial(situations.situation, variant="united_kingdom")
advanced = functools.partial(situation, advanced_technologies=True)
ended = functools.partial(situations.ended, variant="united_kingdom", advanced_technologies=True)

REGIONS = {city.id: city.region for city in VARIANT.cities}

ADVANCED = {"thermocompressor", "water_tenders", "risky_contracts", "equalising_beam", "diesel_power"}
"""UK12."""

OTHERS = PRICES.keys() - ADVANCED
"""UK8."""

COPIES = dict.fromkeys(PRICES, 4) | dict.fromkeys({"right_of_way", *ADVANCED}, 1) | {"water_tenders": 2}
"""UK8, UK12."""

CONCESSIONS = {
    "wales": "wales_concession",
    "scotland": "scotland_concession",
    "ireland": "ireland_france_concession",
    "france": "ireland_france_concession",
}
"""UK6."""

STOKER, BOILER, PROPELLERS = "mechanical_stoker", "superheated_steam_boiler", "propellers"

NEW_YORK = "new_york-southampton"
SINGLE_PAIR = {"penzance-plymouth", "penzance-plymouth 1"}

NO_FACE_UP = "-, -, -, -, -"


def purchases(table: Table) -> set[str]:
    """The technologies that may be bought."""
    return {action.removeprefix("buy ") for action in table.legal if action.startswith("buy")}


def owners(table: Table, name: str) -> list[int]:
    """The seats that own a route."""
    return [seat for seat in range(table.games.num_players) if name in table.routes(seat)]


def needed(route: Route) -> set[str]:
    """The technologies that a route needs (UK6, UK7)."""
    ends = {REGIONS[route.a], REGIONS[route.b]}
    if "new_york" in ends:
        return set()
    technologies = {CONCESSIONS[region] for region in ends - {"england"}}
    if route.length == 3:
        technologies.add(STOKER)
    if 4 <= route.length <= 6:
        technologies.add(BOILER)
    if route.ferry:
        technologies.add(PROPELLERS)
    return technologies


def test_uk1_one_of_the_five_cards_is_a_locomotive_and_the_others_are_random() -> None:
    """UK1: in 300 deals every hand has at least one locomotive, and some have more."""
    states = Games(configuration("united_kingdom", 4), batch=300, seed=1).states
    locomotives = states["hand"][:, :4, CARDS.index("locomotive")]
    assert locomotives.min() == 1
    assert 0.3 < (locomotives > 1).mean() < 0.6
    assert np.all(states["hand"][:, :4, :-1].sum(axis=(0, 1)) > 300)


def test_uk1_all_know_everybodys_first_locomotive_until_it_is_spent() -> None:
    """UK1, C20: and no other card."""
    table = deal()
    table.play_all("keep_ticket")
    assert (table.known(1, 0), table.known(0, 1)) == ("1 locomotive", "1 locomotive")
    table.play("buy wales_concession")
    if table.phase == "pay":
        table.play("pay 1 locomotive")
    assert (table.known(1, 0), table.known(0, 1)) == ("", "1 locomotive")


@pytest.mark.parametrize("players", [2, 4])
def test_uk4_penzance_and_plymouth_are_joined_by_two_separate_routes(players: int) -> None:
    """UK4 (ruling): after a claim of one, anybody may claim the other, the same player too."""
    assert len(doubles("united_kingdom")) == 2 * 18
    for claimed, seat in itertools.product(sorted(SINGLE_PAIR), (0, 1)):
        table = situation(
            players, hands=["9 locomotive"] * 2, routes=[[claimed]], technologies=[OPENERS] * 2, to_move=seat
        )
        (other,) = SINGLE_PAIR & table.claims
        assert other != claimed
        table.play(f"claim {other}")
        assert other in table.routes(seat)


def test_uk5_four_cards_of_any_colours_count_as_a_locomotive_in_a_claim() -> None:
    """UK5: three do not."""
    assert "london-reading" not in situation(hands=["1 blue, 1 white, 1 red"]).claims
    table = situation(hands=["1 blue, 1 white, 1 black, 1 red"])
    table.play("claim london-reading")
    assert table.legal == {"spend blue", "spend white", "spend black", "spend red"}
    table.play("spend white", "spend red", "spend blue")  # black is the only card left, and is spent automatically
    assert table.routes(0) == {"london-reading"}
    assert (table.hand(0), table.discard) == ("", "1 blue, 1 white, 1 black, 1 red")


def test_uk5_cards_of_one_payment_lie_apart_until_they_are_discarded_together() -> None:
    """UK5, C2: only then are an empty deck renewed and empty slots filled."""
    table = situation(hands=["4 blue, 2 red, 1 locomotive"], deck="", face_up="red, red, -, red, red")
    table.play("claim london-southampton")
    for spent in range(1, 5):
        table.play("spend blue")
        assert (table.deck, table.discard, table.face_up) == ("", "", "red, red, -, red, red")
        assert table.snapshot["set_aside"]["blue"] == spent
        assert table.hand(0) == (f"{4 - spent} blue, " if spent < 4 else "") + "2 red, 1 locomotive"
    table.play("pay 1 red, 1 locomotive")
    assert (count(table.deck) + count(table.face_up_cards)).tolist() == count("4 blue, 5 red").tolist()
    assert "-" not in table.face_up
    assert table.hand(0) == "1 red, 1 locomotive"


def test_uk6_the_regions_have_as_many_cities_as_the_rulebook_says() -> None:
    """UK6: France has two ports."""
    numbers = {region: list(REGIONS.values()).count(region) for region in CONCESSIONS}
    assert numbers == {"wales": 5, "scotland": 10, "ireland": 10, "france": 2}


def test_uk6_a_route_needs_the_technologies_of_its_ends_its_length_and_its_symbols() -> None:
    """UK6: each route of the map, with each set of technologies. Those of others open nothing."""
    for number in range(len(OPENERS) + 1):
        for technologies in itertools.combinations(OPENERS, number):
            table = situation(hands=["12 locomotive"], technologies=[technologies, OPENERS])
            assert table.claims == {name for name, route in ROUTES.items() if needed(route) <= set(technologies)}


@pytest.mark.parametrize("hand", ["7 red, 3 locomotive", "11 red, 2 locomotive"])
def test_uk7_southampton_new_york_needs_no_technology(hand: str) -> None:
    """UK7: it takes 10 trains and 10 cards, 3 of them locomotives, one by exchange here (UK5), and earns 40 points."""
    assert NEW_YORK not in situation(hands=["10 locomotive"], trains=[9]).claims
    table = situation(hands=[hand], trains=[10], reward="score")
    table.play(f"claim {NEW_YORK}")
    assert (table.routes(0), table.trains(0), table.score(0)) == ({NEW_YORK}, 0, 40)
    assert table.games.rewards.tolist() == [[40, 0]]
    assert (table.hand(0), table.discard) == ("", hand)
    for less in ("8 red, 2 locomotive", "6 red, 3 locomotive", "6 red, 1 blue, 3 locomotive", "9 red, 1 locomotive"):
        assert NEW_YORK not in situation(hands=[less]).claims


@pytest.mark.parametrize("name", sorted(COPIES.keys() - {"right_of_way"}))
def test_uk8_a_technology_is_bought_for_its_price_from_a_limited_supply(name: str) -> None:
    """UK8, UK12."""
    price = PRICES[name]
    if price > 1:
        assert name not in purchases(advanced(hands=[f"{price - 1} locomotive"]))
    table = advanced(hands=[f"{price} locomotive"])
    assert table.copies_left(name) == COPIES[name]
    table.play(f"buy {name}")
    assert table.technologies(0) == {name}
    assert table.copies_left(name) == COPIES[name] - 1
    assert (table.hand(0), table.discard) == ("", f"{price} locomotive")


def test_uk8_technologies_are_public() -> None:
    """UK8, C20: everybody sees how many are left; who has which, is looked at with all observations."""
    table = situation(3, technologies=[["booster"], [], ["booster", "right_of_way"]])
    for seat in range(3):
        left = dict(zip(table.snapshot["technologies"], table.sees("technologies_left", seat).tolist(), strict=True))
        assert left == {name: COPIES[name] for name in OTHERS} | {"booster": 2, "right_of_way": 0}


def test_uk8_a_turn_allows_one_purchase_before_the_action() -> None:
    """UK8: it does not end the turn. The next turn allows another."""
    table = situation(hands=["9 locomotive", "9 locomotive"])
    table.play("buy mechanical_stoker")
    assert (table.phase, table.to_move, table.snapshot["turn"], purchases(table)) == ("turn", 0, 1, set())
    assert {"draw_deck", "draw_tickets", "draw_face_up 0"} <= table.legal
    table.play("draw_deck", "draw_deck", "draw_deck")
    assert (table.to_move, table.phase, table.snapshot["turn"], purchases(table)) == (1, "second_card", 2, set())
    table.play("draw_deck")
    assert {"propellers", "double_heading"} <= purchases(table)


def test_uk8_a_player_has_one_of_each_kind_and_one_sold_out_is_not_for_sale() -> None:
    """UK8 (ruling), UK12: there are two copies of the Water Tenders, and one of each other advanced technology."""
    table = situation(hands=["9 locomotive"], technologies=[["booster", "wales_concession"]])
    assert purchases(table) == OTHERS - {"booster", "wales_concession", "right_of_way"}
    table = advanced(3, hands=["9 locomotive"], technologies=[[], ["water_tenders"]])
    assert {"water_tenders", "diesel_power", "thermocompressor"} <= purchases(table)
    table = advanced(3, hands=["9 locomotive"], technologies=[[], ["water_tenders", "diesel_power"], ["water_tenders"]])
    assert purchases(table).isdisjoint({"water_tenders", "diesel_power"})
    assert table.copies_left("water_tenders") == table.copies_left("diesel_power") == 0


def test_uk8_with_the_booster_three_cards_count_as_a_locomotive() -> None:
    """UK8: from then on, but not for its own price, and not for other players."""
    assert "booster" not in purchases(situation(hands=["4 blue, 2 red, 1 white"]))
    table = situation(hands=["2 blue, 1 red, 2 locomotive", "2 blue, 1 red"])
    assert "london-reading" in table.claims
    table.play("buy booster")
    assert table.hand(0) == "2 blue, 1 red"
    table.play("claim london-reading", "spend red")
    assert table.routes(0) == {"london-reading"}
    assert table.discard == "2 blue, 1 red, 2 locomotive"
    assert "cambridge-ipswich" not in table.claims


def test_uk8_the_payment_is_discarded_before_the_action() -> None:
    """UK8, C2, C3: an empty deck is renewed and empty slots are filled."""
    table = situation(hands=["2 locomotive"], deck="", face_up="red, -, red, red, red")
    table.play("buy booster")
    assert (table.face_up, table.deck) == ("red, locomotive, red, red, red", "1 locomotive")
    assert "draw_deck" in table.legal


def test_uk8_c13_a_player_who_can_only_buy_may_pass() -> None:
    """C13 (ruling): a purchase is not an action; after one, the cards paid can be drawn.

    When all have passed the game ends, even if some could have bought.
    """
    nothing: dict[str, Any] = {"deck": "", "face_up": NO_FACE_UP, "ticket_deck": [], "trains": [0, 0], "points": [3, 5]}
    table = situation(hands=["1 locomotive", "1 locomotive"], **nothing)
    cheap = {"mechanical_stoker", "wales_concession", "scotland_concession", "ireland_france_concession"}
    assert table.legal == {"pass", *(f"buy {name}" for name in cheap)}
    table.play("pass")
    assert (table.outcome, table.to_move) == ("running", 1)
    table.play("pass")
    assert (table.outcome, table.scores) == ("finished", [3, 5])
    table = situation(hands=["1 locomotive"], **nothing)
    table.play("buy mechanical_stoker")
    assert table.legal == {"draw_face_up 0"}


@pytest.mark.parametrize(
    ("technologies", "more", "more_for_ferries"),
    [([], 0, 0), (["boiler_lagging"], 1, 1), (["steam_turbines"], 0, 2), (["boiler_lagging", "steam_turbines"], 1, 3)],
)
def test_uk8_uk10_technologies_add_points_to_the_route_claimed(
    technologies: list[str], more: int, more_for_ferries: int
) -> None:
    """UK8, UK10, C10: Boiler Lagging 1 for any, Steam Turbines 2 for a ferry (to New York too); others' add nothing."""
    for name in EXAMPLES.values():
        route = ROUTES[name]
        table = situation(
            hands=["10 locomotive"],
            technologies=[[*OPENERS, *technologies], ["boiler_lagging", "steam_turbines", "double_heading"]],
            points=[5, 7],
            reward="score",
        )
        table.play(f"claim {name}")
        gained = ROUTE_POINTS[route.length] + (more_for_ferries if route.ferry else more)
        assert (table.score(0), table.score(1)) == (5 + gained, 7)
        assert table.games.rewards.tolist() == [[gained, 0]]
        assert table.trains(0) == 35 - route.length


def test_uk10_technologies_change_nothing_for_routes_claimed_before() -> None:
    """UK10: not when they are bought and not at the end."""
    routes = ["london-reading", "bristol-cardiff"]
    for technology in ("boiler_lagging", "steam_turbines"):
        table = situation(hands=["2 locomotive"], routes=[routes], last_turns_left=1)
        assert table.score(0) == 2
        table.play(f"buy {technology}")
        assert table.score(0) == 2
        assert end(table).scores == [2, 0]


def test_uk8_double_heading_earns_two_points_for_each_completed_ticket() -> None:
    """UK8: at the end; not for failed tickets, and not for other players."""
    routes = [["leeds-manchester", "ipswich-norwich"], ["dover-london"]]
    holds = [["leeds-manchester", "ipswich-norwich", "france-leeds"], ["brighton-london"]]
    without = ended(routes=routes, holds=holds)
    table = ended(routes=routes, holds=holds, technologies=[["double_heading"]])
    assert table.parts("tickets") == without.parts("tickets") == [1 + 1 - 10, -3]
    assert table.parts("technologies") == [4, 0]
    assert table.scores == [without.scores[0] + 4, without.scores[1]]


def test_uk9_right_of_way_is_followed_by_the_claim_of_a_route_that_another_owns() -> None:
    """UK9: nothing else is legal; both then own the route, and the card is back in the supply.

    UK10, C15: points count and trains leave the supply as for any claim; here they trigger the last round.
    """
    table = situation(
        hands=["1 green, 1 black, 4 locomotive"],
        routes=[["cambridge-ipswich"], ["london-reading"]],
        technologies=[["boiler_lagging"], ["steam_turbines"]],
        trains=[3, 34],
    )
    assert table.copies_left("right_of_way") == 1
    table.play("buy right_of_way")
    assert (table.technologies(0), table.copies_left("right_of_way")) == ({"boiler_lagging", "right_of_way"}, 0)
    assert table.legal == {"claim london-reading"}
    table.play("claim london-reading")
    assert owners(table, "london-reading") == [0, 1]
    assert (table.trains(0), table.trains(1), table.snapshot["last_turns_left"]) == (2, 34, 2)
    assert (table.score(0), table.score(1)) == (1 + 1 + 1, 1)
    assert (table.hand(0), table.discard) == ("1 black", "1 green, 4 locomotive")
    assert (table.technologies(0), table.copies_left("right_of_way")) == ({"boiler_lagging"}, 1)
    assert (table.phase, table.to_move) == ("turn", 1)


LONDONDERRY = ["scotland_concession", "ireland_france_concession", STOKER, PROPELLERS]


@pytest.mark.parametrize(
    ("own", "others", "technologies", "trains", "claims"),
    [
        # others own nothing; the player's own routes do not count
        ([], [], OPENERS, 30, []),
        (["london-reading"], [], OPENERS, 30, []),
        # every technology that the route needs (UK6)
        *(([], ["londonderry-stranraer"], [it for it in OPENERS if it != lacking], 30, []) for lacking in LONDONDERRY),
        ([], ["londonderry-stranraer", "dundee-edinburgh"], LONDONDERRY[:1], 30, ["dundee-edinburgh"]),
        # a train for each space
        ([], ["london-southampton"], [], 2, ["london-southampton"]),
        ([], ["london-southampton"], [], 1, []),
        # not two parallel routes (C11), but both of Penzance and Plymouth (UK4)
        (["london-southampton"], ["london-southampton 1", "london-reading"], [], 30, ["london-reading"]),
        (["penzance-plymouth 1"], ["penzance-plymouth"], [], 30, ["penzance-plymouth"]),
    ],
)
def test_uk9_right_of_way_is_for_sale_only_if_such_a_claim_is_possible(
    own: list[str], others: list[str], technologies: list[str], trains: int, claims: list[str]
) -> None:
    """UK9 (ruling)."""
    routes = [own, others]
    table = situation(3, hands=["9 locomotive"], routes=routes, technologies=[technologies], trains=[trains])
    assert ("right_of_way" in purchases(table)) == bool(claims)
    if claims:
        table.play("buy right_of_way")
        assert table.legal == {f"claim {name}" for name in claims}


def test_uk9_right_of_way_opens_new_york_without_technologies() -> None:
    """UK9, UK7: the cards for the claim are kept."""
    table = situation(hands=["7 red, 7 locomotive"], routes=[[], [NEW_YORK]])
    table.play("buy right_of_way")  # paid with locomotives: with an exchange too few red cards would be left
    assert table.hand(0) == "7 red, 3 locomotive"
    table.play(f"claim {NEW_YORK}")
    assert owners(table, NEW_YORK) == [0, 1]
    assert (table.score(0), table.trains(0)) == (40, 25)


@pytest.mark.parametrize("players", [2, 3])
def test_uk9_the_route_parallel_to_a_joined_one_stays_closed_to_its_owners(players: int) -> None:
    """UK9, C11: another player can claim it, with three or more; with two it is closed, before and after (UK4)."""
    hands = ["9 locomotive", "", "9 locomotive"][:players]
    table = situation(players, hands=hands, routes=[[], ["london-southampton"]])
    assert ("london-southampton 1" in table.claims) == (players == 3)
    table.play("buy right_of_way")
    assert table.claims == {"london-southampton"}
    table.play("claim london-southampton", "draw_deck", "draw_deck")
    if players == 3:
        assert "london-southampton 1" in table.claims
        table.play("draw_deck", "draw_deck")
    assert table.to_move == 0
    assert table.claims.isdisjoint({"london-southampton", "london-southampton 1"})


def test_uk9_all_owners_own_the_route_for_tickets_and_paths() -> None:
    """UK9, C16, C17: it completes a ticket of each, and a path of 2 for both."""
    table = advanced(
        hands=["9 locomotive"],
        routes=[["hull-leeds"], ["leeds-manchester", "liverpool-manchester"]],
        holds=[["leeds-manchester"], ["leeds-manchester"]],
        technologies=[["equalising_beam"], []],
        last_turns_left=1,
    )
    table.play("buy right_of_way", "claim leeds-manchester")
    assert table.outcome == "finished"
    assert [len(table.final(seat)["completed"]) for seat in (0, 1)] == [1, 1]
    assert table.parts("technologies") == [15, 0]


def test_uk9_the_card_can_be_bought_again() -> None:
    """UK9: by the same player or another; three may own a route."""
    table = situation(3, hands=["12 locomotive", "", "6 locomotive"], routes=[[], ["london-reading", "hull-leeds"]])
    table.play("buy right_of_way", "claim london-reading", "draw_deck", "draw_deck")
    table.play("buy right_of_way", "claim london-reading")
    assert owners(table, "london-reading") == [0, 1, 2]
    table.play("buy right_of_way")
    assert table.claims == {"hull-leeds"}
    table.play("claim hull-leeds")
    assert (owners(table, "hull-leeds"), table.copies_left("right_of_way")) == ([0, 1], 1)


@pytest.mark.parametrize(
    "routes", [["dover-london", "dover-france_east"], ["london-southampton", "france_west-southampton 1"]]
)
def test_uk11_either_port_of_france_meets_a_ticket(routes: list[str]) -> None:
    """UK11 (ruling), C16."""
    table = ended(routes=[routes], holds=[["france-london"], ["france-leeds"]])
    assert table.final(0)["completed"] == [["france", "london", 7]]
    assert table.final(1)["failed"] == [["france", "leeds", 10]]


def test_uk11_the_two_ports_of_france_are_not_joined() -> None:
    """UK11 (ruling): not for tickets and not for paths."""
    routes = [["dover-london", "dover-france_east", "france_west-southampton"], ["plymouth-southampton"]]
    table = ended(routes=routes, holds=[["london-southampton"]], technologies=[["equalising_beam"]])
    assert table.final(0)["failed"] == [["london", "southampton", 4]]
    assert table.parts("technologies") == [-15, 0]


def test_uk12_there_are_advanced_technologies_only_with_the_option() -> None:
    """UK12: it is off by default."""
    hands = ["9 locomotive"]
    for table in (situation(hands=hands), situation(hands=hands, advanced_technologies=False)):
        assert table.snapshot["technologies"] == {name: COPIES[name] for name in OTHERS}
        assert purchases(table) == OTHERS - {"right_of_way"}
    table = advanced(hands=hands)
    assert table.snapshot["technologies"] == COPIES
    assert purchases(table) == COPIES.keys() - {"right_of_way"}


def test_uk12_in_the_turn_of_the_thermocompressor_a_second_claim_may_follow() -> None:
    """UK12: each is paid and scored by itself; then the card is back in the supply."""
    table = advanced(hands=["1 green, 2 red, 1 locomotive"], reward="score")
    table.play("buy thermocompressor")
    assert (table.technologies(0), table.copies_left("thermocompressor")) == ({"thermocompressor"}, 0)
    table.play("claim london-reading")
    assert (table.phase, table.to_move, table.score(0), table.trains(0)) == ("second_claim", 0, 1, 34)
    assert (table.hand(0), table.discard) == ("2 red", "1 green, 1 locomotive")
    assert table.games.rewards.tolist() == [[1, 0]]
    assert table.technologies(0) == {"thermocompressor"}
    assert {"claim london-southampton", "claim brighton-london", "stop"} <= table.legal
    assert table.legal == {"stop", *(f"claim {name}" for name in table.claims)}
    table.play("claim london-southampton")
    assert (table.phase, table.to_move, table.score(0), table.trains(0)) == ("turn", 1, 3, 32)
    assert table.routes(0) == {"london-reading", "london-southampton"}
    assert (table.hand(0), table.discard) == ("", "1 green, 2 red, 1 locomotive")
    assert (table.technologies(0), table.copies_left("thermocompressor")) == (set(), 1)


def test_uk12_there_is_a_second_claim_only_after_the_thermocompressor_and_if_one_can_be_paid() -> None:
    """UK12, C9: not with another technology, and not in a later turn."""
    for hand, technology in (("1 green, 1 locomotive", "thermocompressor"), ("9 locomotive", "booster")):
        table = advanced(hands=[hand])
        table.play(f"buy {technology}", "claim london-reading")
        assert (table.phase, table.to_move, table.copies_left("thermocompressor")) == ("turn", 1, 1)
    table = advanced(hands=["12 locomotive"])
    table.play("buy thermocompressor", "claim london-reading", "claim hull-leeds", "draw_deck", "draw_deck")
    table.play("claim cambridge-ipswich")
    assert (table.phase, table.to_move) == ("turn", 1)


@pytest.mark.parametrize("players", [2, 3])
def test_uk12_the_second_claim_follows_all_the_rules(players: int) -> None:
    """UK12: C11 between the two, and technologies and trains."""
    table = advanced(players, hands=["9 locomotive"], trains=[3])
    table.play("buy thermocompressor", "claim london-southampton")
    assert {(ROUTES[name].length, REGIONS[ROUTES[name].a], ROUTES[name].ferry) for name in table.claims} == {
        (1, "england", 0)
    }
    table = advanced(players, hands=["9 locomotive"])
    table.play("buy thermocompressor", "claim london-southampton")
    assert table.claims.isdisjoint({"london-southampton", "london-southampton 1"})


@pytest.mark.parametrize(
    ("actions", "routes"),
    [
        (["claim london-reading", "pay 1 green", "stop"], {"london-reading"}),
        (["draw_deck", "draw_deck"], set()),
        (["draw_face_up 0", "draw_deck"], set()),
        (["draw_tickets", *["keep_ticket"] * 3], set()),
    ],
)
def test_uk12_without_a_second_claim_the_thermocompressor_returns_all_the_same(
    actions: list[str], routes: set[str]
) -> None:
    """UK12: at the end of the turn, in which it may be declined or wasted by another action. It can be bought again."""
    table = advanced(hands=["1 green, 2 red, 2 locomotive"])
    table.play("buy thermocompressor", *actions)
    assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, routes)
    assert (table.technologies(0), table.copies_left("thermocompressor")) == (set(), 1)
    table.play("draw_deck", "draw_deck")
    assert "thermocompressor" in purchases(table)


def test_uk12_the_last_round_is_triggered_or_ended_only_after_the_second_claim() -> None:
    """UK12 (ruling), C15: then each has one more turn."""
    table = advanced(hands=["9 locomotive"], trains=[3, 30])
    table.play("buy thermocompressor", "claim london-reading")
    assert (table.phase, table.trains(0), table.snapshot["last_turns_left"]) == ("second_claim", 2, None)
    table.play("claim hull-leeds")
    assert (table.trains(0), table.snapshot["last_turns_left"], table.to_move) == (1, 2, 1)
    table = advanced(hands=["9 locomotive"], last_turns_left=1)
    table.play("buy thermocompressor", "claim london-reading")
    assert (table.phase, table.outcome) == ("second_claim", "running")
    table.play("claim hull-leeds")
    assert (table.outcome, table.scores) == ("finished", [2, 0])


def test_uk12_boiler_lagging_and_diesel_power_count_for_both_claims() -> None:
    """UK12, UK10."""
    table = advanced(
        hands=["1 red, 1 black, 1 locomotive"], technologies=[["boiler_lagging", "diesel_power"]], trains=[30]
    )
    table.play("buy thermocompressor", "claim london-southampton", "claim hull-nottingham")
    assert (table.score(0), table.trains(0), table.hand(0)) == (3 + 3, 26, "")


@pytest.mark.parametrize(
    ("deck", "discard", "hand", "left"),
    [
        ("9 yellow", "", "3 yellow", "6 yellow"),
        # fewer if no more are left
        ("2 red", "", "2 red", ""),
        ("1 red", "", "1 red", ""),
        # the discard is reshuffled as soon as one of the three cards empties the deck (C2)
        ("1 red", "5 blue", "2 blue, 1 red", "3 blue"),
        ("2 red", "5 blue", "1 blue, 2 red", "4 blue"),
        ("3 red", "5 blue", "3 red", "5 blue"),
    ],
)
def test_uk12_with_water_tenders_three_cards_may_be_drawn_blind(deck: str, discard: str, hand: str, left: str) -> None:
    """UK12: instead of two; the face-up cards stay."""
    table = advanced(deck=deck, discard=discard, technologies=[["water_tenders"]])
    face_up = table.face_up
    assert {"draw_three", "draw_deck", "draw_face_up 0"} <= table.legal
    table.play("draw_three")
    assert (table.hand(0), table.deck, table.discard, table.face_up) == (hand, left, "", face_up)
    assert (table.phase, table.to_move, table.known(1, 0)) == ("turn", 1, "")
    assert table.snapshot["reshuffled"] == bool(discard)
    assert "draw_three" not in table.legal


def test_uk12_water_tenders_work_in_the_turn_they_are_bought_and_need_a_deck() -> None:
    """UK12 (ruling), UK8: even if cards lie face up."""
    table = advanced(hands=["2 locomotive"])
    assert "draw_three" not in table.legal
    table.play("buy water_tenders", "draw_three")
    assert count(table.hand(0)).sum() == 3
    table = advanced(deck="", technologies=[["water_tenders"]])
    assert "draw_face_up 0" in table.legal
    assert "draw_three" not in table.legal


@pytest.mark.parametrize(
    ("completed", "points"),
    [([2, 1, 1], 20), ([1, 1, 0], 20), ([1, 1, 1], 20), ([1, 0, 2], -20), ([0, 1, 0], -20), ([0, 0, 0], -20)],
)
def test_uk12_risky_contracts_pay_for_the_most_completed_tickets(completed: list[int], points: int) -> None:
    """UK12 (rulings): a tie is enough; no completed ticket is not; failed tickets do not count."""
    tickets = [["leeds-manchester", "ipswich-norwich"], ["brighton-london", "cambridge-london"]]
    tickets += [["bristol-southampton", "london-southampton"]]
    routes = [own[:number] for own, number in zip(tickets, completed, strict=True)]
    table = ended(3, routes=routes, holds=tickets, technologies=[["risky_contracts"]])
    assert [len(table.final(seat)["completed"]) for seat in range(3)] == completed
    assert table.parts("technologies") == [points, 0, 0]


@pytest.mark.parametrize(
    ("routes", "points"),
    [
        ([["london-southampton", "london-reading"], ["hull-nottingham"]], 15),
        ([["london-southampton", "london-reading"], ["hull-nottingham", "hull-leeds"]], 15),
        ([["london-southampton", "london-reading"], ["hull-nottingham", "leeds-nottingham"]], -15),
        ([["london-southampton", "hull-leeds"], ["barrow-leeds", "leeds-manchester"]], -15),
        ([[], ["hull-leeds"]], -15),
        ([[], []], -15),
    ],
)
def test_uk12_the_equalising_beam_pays_for_the_longest_path(routes: list[list[str]], points: int) -> None:
    """UK12 (rulings): a tie is enough, no path is not."""
    table = ended(routes=routes, technologies=[["equalising_beam"]])
    assert table.parts("technologies") == [points, 0]


WAGERS = ["risky_contracts", "equalising_beam"]


@pytest.mark.parametrize("wager", WAGERS)
def test_uk12_wagers_leave_the_game_when_the_train_cards_are_first_reshuffled(wager: str) -> None:
    """UK12: until then they can be bought; the other technologies stay."""
    table = advanced(hands=["", "9 locomotive"], deck="3 red", discard="9 yellow")
    table.play("draw_face_up 0", "draw_face_up 1")
    assert wager in purchases(table)
    table = advanced(hands=["", "9 locomotive"], deck="2 red", discard="9 yellow")
    table.play("draw_face_up 0", "draw_face_up 1")
    assert table.snapshot["reshuffled"]
    assert table.copies_left(wager) == 0
    assert purchases(table) == COPIES.keys() - {"right_of_way", *WAGERS}
    table = advanced(hands=["1 locomotive", "9 locomotive"], deck="")
    table.play("claim london-reading")  # whose payment is reshuffled
    assert table.snapshot["reshuffled"]
    assert wager not in purchases(table)


@pytest.mark.parametrize(("wager", "other"), [WAGERS, WAGERS[::-1]])
def test_uk12_the_buyer_keeps_a_wager_when_the_cards_are_reshuffled(wager: str, other: str) -> None:
    """UK12 (ruling): also if they are those that he paid. The other one leaves the game."""
    table = advanced(hands=["2 locomotive", "9 locomotive"], deck="", last_turns_left=2)
    table.play(f"buy {wager}")
    assert table.snapshot["reshuffled"]
    assert (table.technologies(0), table.deck) == ({wager}, "2 locomotive")
    assert table.copies_left(other) == 0
    table.play("draw_face_up 0", "draw_face_up 1")
    assert purchases(table).isdisjoint(WAGERS)
    table.play("draw_face_up 0")  # a locomotive
    assert table.parts("technologies") == [-20 if wager == "risky_contracts" else -15, 0]
