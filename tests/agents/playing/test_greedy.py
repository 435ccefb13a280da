"""The greedy agent in small positions: what a sensible person would do."""

from typing import Any

from t2r_agents.playing.planner import GreedyAgent
from tests.helpers.acting import action, actions
from tests.helpers.situations import deal, situation

GREEDY = GreedyAgent()

TO_EL_PASO: dict[str, Any] = {"routes": [["denver-santa_fe"]], "holds": [["denver-el_paso"]], "tickets": "classic"}
"""One route is missing: el_paso-santa_fe, gray, of two spaces."""

DONE = TO_EL_PASO | {"routes": [["denver-santa_fe", "el_paso-santa_fe"]]}

TO_SALT_LAKE = TO_EL_PASO | {"routes": [["calgary-helena"]], "holds": [["calgary-salt_lake_city"]]}
"""One route is missing: helena-salt_lake_city, purple, of three spaces."""


def test_it_claims_the_last_route_of_a_ticket_when_it_can_pay_before_it_claims_for_points() -> None:
    assert action(GREEDY, situation(hands=["2 red"], **TO_EL_PASO)) == "claim el_paso-santa_fe"
    assert action(GREEDY, situation(hands=["6 green"], **TO_EL_PASO)) == "claim el_paso-santa_fe"


def test_it_plans_a_path_round_what_others_have_claimed() -> None:
    taken = TO_EL_PASO | {"routes": [["denver-santa_fe"], ["el_paso-santa_fe"]]}
    table = situation(hands=["3 red"], trains=[9], **taken)
    assert action(GREEDY, table) in ("claim phoenix-santa_fe", "claim el_paso-phoenix")


def test_it_draws_the_face_up_card_that_its_ticket_lacks_or_from_the_deck() -> None:
    table = situation(hands=["1 purple"], face_up="red, blue, purple, white, green", trains=[3], **TO_SALT_LAKE)
    assert "draw_face_up 2" in actions(GREEDY, table.games, 2)
    table = situation(hands=["1 purple"], face_up="red, blue, orange, white, green", trains=[3], **TO_SALT_LAKE)
    assert action(GREEDY, table) == "draw_deck"


def test_c8_it_draws_two_cards_that_it_lacks_rather_than_a_face_up_locomotive_which_would_be_the_only_one() -> None:
    face_up = "locomotive, purple, purple, white, green"
    table = situation(hands=["1 purple"], face_up=face_up, trains=[3], **TO_SALT_LAKE)
    assert actions(GREEDY, table.games, 2) == ["draw_face_up 1", "draw_face_up 2"]


def test_no4_it_draws_the_free_locomotive_that_its_ferry_lacks_as_its_second_card() -> None:
    """Alborg-Oslo: three white spaces, one of them with a symbol. The blind card comes first, as it tells more."""
    table = situation(
        variant="nordic",
        hands=["2 white"],
        face_up="blue, locomotive, orange, red, green",
        routes=[["alborg-arhus", "lillehammer-oslo"]],
        holds=[["arhus-lillehammer"]],
        trains=[3],
    )
    assert actions(GREEDY, table.games, 2) == ["draw_deck", "draw_face_up 1"]


def test_it_pays_no_locomotives_when_its_colour_suffices_and_gray_routes_with_what_its_plan_does_not_need() -> None:
    table = situation(hands=["3 purple, 3 locomotive"], **TO_SALT_LAKE)
    assert action(GREEDY, table) == "claim helena-salt_lake_city"
    table.play("claim helena-salt_lake_city")
    assert action(GREEDY, table) == "pay 3 purple"
    table = situation(hands=["4 purple, 4 red"], holds=[["calgary-salt_lake_city"]], tickets="classic")
    table.play("claim calgary-helena")
    assert action(GREEDY, table) == "pay 4 red"


def test_with_its_tickets_completed_it_draws_more_while_opponents_have_trains_or_claims_the_most_points() -> None:
    """C15: the fewer trains they have, the fewer turns are left for more tickets."""
    assert action(GREEDY, situation(hands=["6 green"], **DONE)) == "draw_tickets"
    assert action(GREEDY, situation(hands=["6 green"], trains=[45, 19], **DONE)) != "draw_tickets"
    table = situation(hands=["6 green, 2 red"], trains=[6], **DONE | {"holds": []})
    before = table.score(0)
    actions(GREEDY, table.games)
    assert table.score(0) == before + 15


def test_it_keeps_the_near_ticket_and_refuses_those_for_which_its_trains_do_not_suffice_as_far_as_it_may() -> None:
    """US2."""
    offered = ["los_angeles-miami", "denver-el_paso", "new_york-seattle"]
    table = situation(routes=[["denver-santa_fe"]], trains=[8], ticket_deck=offered, tickets="classic")
    table.play("draw_tickets")
    assert actions(GREEDY, table.games, 3) == ["refuse_ticket", "keep_ticket", "refuse_ticket"]
    table = deal(2)
    actions(GREEDY, table.games, 6)
    assert all(len(table.tickets(seat)) >= 2 for seat in range(2))


def test_sw8_of_several_countries_it_makes_for_the_one_that_is_worth_most() -> None:
    """Zürich-Österreich 7, Zürich-Deutschland 3: St. Gallen is next to both, and nearer to Deutschland."""
    table = situation(
        variant="switzerland",
        hands=["8 red"],
        routes=[["st_gallen-zurich"]],
        holds=[["zurich-deutschland;france;italia;osterreich"]],
        trains=[6],
    )
    assert action(GREEDY, table) == "claim osterreich_st_gallen-st_gallen"


def test_no8_it_exchanges_what_its_plan_does_not_need_for_the_route_that_four_cards_help_with() -> None:
    table = situation(variant="nordic", hands=["6 blue, 4 red, 4 green, 4 white"], trains=[9])
    chosen = []
    while table.to_move == 0:
        chosen += actions(GREEDY, table.games)
    assert chosen[0] == "claim lieksa-murmansk"
    assert set(chosen[1:]) == {"spend green", "spend red", "spend white"}
    assert (table.trains(0), table.score(0), table.hand(0)) == (0, 27, "")
