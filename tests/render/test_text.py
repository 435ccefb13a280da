"""The text of a game, from its snapshot."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.render.shared_text import WIDTH
from t2r_env.render.signs import SIGNS, count_signs
from t2r_env.render.text import SnapshotError, render_text
from t2r_env.variants import COLOURS
from tests.playing import Options, decisions_of_every_phase, every_configuration, every_variant_once
from tests.situations import Table, configuration, deal, end, situation


def lines_of(table: Table) -> list[str]:
    return render_text(table.snapshot, table.games.configuration).splitlines()


def line_of(table: Table, beginning: str) -> str:
    """The first line that begins so, without spaces and the mark of the acting player."""
    return next(line for line in lines_of(table) if line.lstrip("> ").startswith(beginning))


def cells(table: Table, beginning: str) -> str:
    """The cells of that line after the first one, with single spaces."""
    return " ".join(line_of(table, beginning).removeprefix(">").split()[1:])


def ended(players: int = 3, variant: str = "usa", turn_limit: int = 1000) -> Games:
    games = Games(variant, players, autoreset=False, turn_limit=turn_limit)
    games.play_random(10_000)
    return games


# The heading


def test_the_heading_names_the_configuration() -> None:
    table = deal(3, tickets="mega")
    assert lines_of(table)[0] == "Ticket to Ride (usa), 3 players, tickets mega, turn_limit 1000"


def test_the_heading_names_the_acting_player_and_the_decision() -> None:
    table = situation(3, to_move=2, turn=17, hands=["", "", "4 blue, 4 red"])
    assert lines_of(table)[1:3] == ["Turn 17. player_2 to act: turn", ""]
    assert line_of(table, "player_2").startswith("> player_2")
    assert line_of(table, "player_1").startswith("  player_1")


def test_the_heading_names_the_route_to_be_paid() -> None:
    table = situation(hands=["2 blue, 2 red"])
    table.play("claim boston-montreal")
    assert lines_of(table)[1:3] == [
        "Turn 1. player_0 to act: pay Boston-Montréal (gray, 2)",
        "So far: claim Boston-Montréal (gray, 2)",
    ]


def test_the_heading_names_the_first_card_of_a_draw() -> None:
    table = situation(face_up="purple, blue, orange, white, green")
    table.play("draw_face_up 1")
    assert lines_of(table)[1:3] == ["Turn 1. player_0 to act: second card", "So far: draw face up blue"]
    table = situation()
    table.play("draw_deck")
    assert lines_of(table)[2] == "So far: draw deck"


def test_the_heading_names_the_ticket_on_offer_and_the_actions_so_far() -> None:
    table = situation(ticket_deck=["boston-miami", "dallas-new_york", "new_york-seattle"])
    table.play("draw_tickets", "refuse_ticket")
    assert lines_of(table)[1:3] == [
        "Turn 1. player_0 to act: keep ticket Dallas-New York (11)",
        "So far: draw tickets, refuse ticket Boston-Miami (12)",
    ]
    assert line_of(table, "on offer") == "  on offer (2): Dallas-New York (11), New York-Seattle (20)"


def test_the_heading_counts_the_turns_of_the_last_round() -> None:
    assert lines_of(situation(last_turns_left=2))[2] == "Turns left, this one included: 2"


# Cards, routes and tickets


def test_cards_are_counted_by_colour() -> None:
    table = situation(hands=["3 blue, 1 locomotive"], face_up="red, -, red, black, locomotive", discard="2 green")
    assert line_of(table, "Face-up cards") == "Face-up cards: red, -, red, black, locomotive"
    assert cells(table, "trains") == "score cards purple blue orange white green yellow black red locomotive"
    assert cells(table, "player_0") == "45 0 4 · 3 · · · · · · 1"
    assert cells(table, "player_1") == "45 0 0 · · · · · · · · ·"
    assert cells(table, "deck") == "100 12 9 12 12 10 12 11 10 12"  # trains and score are blank
    assert cells(table, "discard") == "2 · · · · 2 · · · ·"
    assert line_of(table, "Ticket deck") == "Ticket deck: 69 tickets"


def test_routes_are_named_with_their_owner() -> None:
    table = situation(routes=[["boston-montreal", "montreal-new_york"], ["boston-montreal 1"]], players=4)
    lines = lines_of(table)
    assert lines[lines.index("player_0") + 1] == "  routes (2): Boston-Montréal (gray, 2), Montréal-New York (blue, 3)"
    assert lines[lines.index("player_1") + 1] == "  routes (1): Boston-Montréal (gray, 2)"
    assert lines[lines.index("player_2") + 1] == "  routes (0): none"
    assert cells(table, "player_0").startswith("40 6 ")


def test_c16_a_ticket_is_marked_once_its_cities_are_joined() -> None:
    table = situation(4, routes=[["montreal-toronto", "montreal-new_york", "dallas-houston"], ["dallas-houston 1"]])
    snapshot = table.snapshot
    held = [["new_york", "toronto", 3], ["houston", "toronto", 10], ["montreal", "toronto", 1]]
    snapshot["players"][0]["tickets"] = snapshot["players"][1]["tickets"] = held
    text = render_text(snapshot, table.games.configuration)
    assert "  tickets (3): ✓ New York-Toronto (3), · Houston-Toronto (10), ✓ Montréal-Toronto (1)\n" in text
    assert "  tickets (3): · New York-Toronto (3), · Houston-Toronto (10), · Montréal-Toronto (1)\n" in text


def test_c16_any_city_of_a_group_meets_a_ticket_and_its_cities_are_not_joined() -> None:
    table = situation(routes=[["montreal-toronto", "dallas-houston"]])
    configuration = table.games.configuration
    group = {"new_york", "toronto", "dallas"}
    cities = tuple(
        replace(city, region="the_group" if city.id in group else "") for city in configuration.variant.cities
    )
    snapshot = table.snapshot
    snapshot["players"][0]["tickets"] = [
        ["the_group", "montreal", 5],
        ["the_group", "boston", 6],
        ["montreal", "houston", 7],
    ]
    text = render_text(snapshot, replace(configuration, variant=replace(configuration.variant, cities=cities)))
    assert "  tickets (3): ✓ The Group-Montréal (5), · The Group-Boston (6), · Montréal-Houston (7)\n" in text


# Other widths


@every_variant_once
def test_every_text_keeps_to_the_width_that_is_asked_for(variant: str, players: int) -> None:
    games = Games(variant, players, seed=9, autoreset=False)
    for moves in range(12):
        snapshot, chosen = games.snapshot(), games.configuration
        for width in (80, 100, 160):
            assert max(map(len, render_text(snapshot, chosen, width).splitlines())) <= width
        assert render_text(snapshot, chosen, WIDTH) == render_text(snapshot, chosen)
        if games.terminated[0]:
            break
        games.play_random(40 if moves < 10 else 10_000, seed=moves)
    assert games.terminated[0]


def test_on_narrow_lines_colours_are_headed_by_their_signs() -> None:
    table = situation(hands=["3 blue, 1 locomotive"])
    narrow = render_text(table.snapshot, table.games.configuration, 80)
    assert re.search(r"cards +P +B +O +W +G +Y +K +R +L\n", narrow)
    assert re.search(r"cards +purple +blue ", render_text(table.snapshot, table.games.configuration))


def test_a_result_that_is_too_wide_has_a_column_for_each_player() -> None:
    games = ended(3, "legendary_asia")
    rows = render_text(games.snapshot(), games.configuration, 60).rpartition("\n\n")[2].splitlines()
    final = games.snapshot()["final"]
    seats = sorted(range(3), key=lambda seat: final[seat]["rank"])
    assert rows[0].split() == ["Result", *(f"player_{seat}" for seat in seats)]
    assert next(row.split()[1:] for row in rows if row.startswith("score")) == [
        str(final[seat]["score"]) for seat in seats
    ]


def test_signs_count_cards() -> None:
    assert count_signs({"blue": 2, "red": 0, "locomotive": 1}) == "2B 1L"
    assert len(set(SIGNS.values())) == len(SIGNS)


# The end


@pytest.mark.parametrize(
    ("variant", "parts"), [("usa", "routes tickets longest path"), ("card_game", "tickets big cities")]
)
def test_an_ended_game_has_a_table_of_results_by_rank(variant: str, parts: str) -> None:
    """C18, CG13, CG14."""
    games = ended(variant=variant)
    snapshot = games.snapshot()
    lines = render_text(snapshot, games.configuration).splitlines()
    assert lines[1] == f"Turn {snapshot['turn']}. The game is over: finished"
    table = lines[lines.index("") :][-4:]
    assert " ".join(table[0].split()) == f"Result rank score {parts} completed failed"
    seats = np.argsort([entry["rank"] for entry in snapshot["final"]], kind="stable")
    for line, seat in zip(table[1:], seats, strict=True):
        entry = snapshot["final"][seat]
        numbers = [entry["rank"], entry["score"], *entry["breakdown"].values()]
        numbers += [len(entry["completed"]), len(entry["failed"])]
        assert line.split() == [f"player_{seat}", *map(str, numbers)]


def test_the_marks_of_an_ended_game_are_its_completed_tickets() -> None:
    for players in (2, 3, 4, 5):
        games = ended(players)
        snapshot = games.snapshot()
        text = render_text(snapshot, games.configuration)
        for mark, tickets in (("✓", "completed"), ("·", "failed")):
            assert len(re.findall(rf"{mark} \w", text)) == sum(len(entry[tickets]) for entry in snapshot["final"])


def test_c19_a_truncated_game_has_no_results() -> None:
    games = ended(turn_limit=12)
    text = render_text(games.snapshot(), games.configuration)
    assert "The game is over: truncated\n" in text
    assert "Result" not in text


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_text_comes_from_the_snapshot_alone_and_keeps_to_its_width(players: int) -> None:
    games = Games("usa", players, seed=3)
    for _ in range(20):
        snapshot = games.snapshot()
        text = render_text(snapshot, games.configuration)
        assert text == render_text(json.loads(json.dumps(snapshot)), games.configuration)
        assert max(map(len, text.splitlines())) <= WIDTH
        assert text.endswith("\n")
        assert "\0" not in text
        games.play_random(17)


# Parts that only some games have


def words(text: str) -> str:
    """The words and numbers of a text, without anything between them."""
    return " ".join(re.findall(r"\w+", text))


def of_seat(table: Table, seat: int) -> str:
    """The words of a seat's part of the text."""
    text = "\n".join(lines_of(table))
    return words(next(part for part in text.split("\n\n") if part.startswith(f"player_{seat}\n")))


def test_pa4_shares_are_named_with_their_holder() -> None:
    table = situation(3, variant="pennsylvania", shares=[["prr 1", "prr 2", "bo 3"], [], ["brp 1"]])
    assert of_seat(table, 0).endswith("shares prr 1 2 bo 3")
    assert of_seat(table, 1).endswith("shares none")
    assert of_seat(table, 2).endswith("shares brp 1")


def test_pa4_the_shares_left_are_named() -> None:
    table = situation(3, variant="pennsylvania", shares=[["wm 1", "wm 2", "wm 3", "wm 4", "jcl 1"]])
    assert "nyc 1 2 3 4 5 jcl 2 3 brp 1 2" in words("\n".join(lines_of(table)))
    assert "neutral" not in "\n".join(lines_of(table))


def test_pa8_the_neutral_players_shares_are_named_and_at_the_end_those_that_count() -> None:
    table = situation(variant="pennsylvania", neutral_shares=["prr 1", "bo 2", "brp 1"], last_turns_left=1)
    assert "neutral player prr 1 bo 2 brp 1" in words("\n".join(lines_of(table)))
    table.play("draw_deck", "draw_deck")
    text = words("\n".join(lines_of(table)))
    assert "neutral player prr 1 bo 2 brp 1" in text
    first, second = (share for share in ("prr 1", "bo 2", "brp 1") if share in table.revealed_shares)
    assert f"that count {first} {second}" in text
    assert words(line_of(table, "Result")) == ("Result rank score routes tickets globetrotter shares completed failed")


def test_pa8_the_heading_says_whose_share_is_chosen_and_how_the_route_was_paid() -> None:
    table = situation(variant="pennsylvania", hands=["2 orange"])
    table.play("claim oil_city-warren")
    assert lines_of(table)[1:3] == [
        "Turn 1. player_0 to act: take share Oil City-Warren (orange, 2)",
        "So far: claim Oil City-Warren (orange, 2), pay 2 orange",
    ]
    table.play("take_share erl")
    assert lines_of(table)[1:3] == [
        "Turn 1. player_0 to act: neutral share Oil City-Warren (orange, 2)",
        "So far: claim Oil City-Warren (orange, 2), pay 2 orange, take share erl",
    ]


def test_pa3_ferries_bear_their_symbols_and_either_port_meets_a_ticket_to_ontario() -> None:
    routes = ["erie-ontario_erie", "erie-warren", "buffalo-ontario_buffalo 1"]
    holds = ["ontario-pittsburgh", "ontario-warren"]
    table = situation(variant="pennsylvania", routes=[routes], holds=[holds])
    lines = lines_of(table)
    ferries = "Buffalo-Ontario (gray, 1, ferry 1), Erie-Ontario (gray, 3, ferry 2)"
    assert f"  routes (3): {ferries}, Erie-Warren (blue, 3)" in lines
    assert "  tickets (2): · Ontario-Pittsburgh (10), ✓ Ontario-Warren (5)" in lines


def test_la5_mountain_routes_bear_their_symbols_and_are_counted() -> None:
    routes = ["agra-kathmandu", "astrakhan-tehran", "bangkok-hanoi"]
    table = situation(variant="legendary_asia", routes=[routes], ticket_deck=["agra-samarkand"])
    assert of_seat(table, 0).endswith("mountain routes 2")
    assert of_seat(table, 1).endswith("mountain routes 0")
    text = " ".join(" ".join(lines_of(table)).split())
    assert "Agra-Kathmandu (purple, 2, mountain 1), Astrakhan-Tehran (gray, 3, ferry 1), Bangkok-Hanoi (white" in text


def test_la2_a_long_ticket_on_offer_is_named() -> None:
    table = deal(variant="legendary_asia")
    offered = table.snapshot["players"][0]["offered"]
    assert offered[0][2] > 15
    place = table.games.configuration.text.city
    tickets = [f"{place(a)}-{place(b)} ({points})" for a, b, points in offered]
    assert " ".join(lines_of(table)).count("  on offer (4): " + tickets[0]) == 1


def test_ny1_new_york_has_columns_for_its_six_colours_and_its_attractions() -> None:
    table = situation(variant="new_york", routes=[["brooklyn-chinatown"]], last_turns_left=1)
    assert cells(table, "trains") == "score cards purple blue orange green black red locomotive"
    table.play("draw_deck", "draw_deck")
    assert words(line_of(table, "Result")) == "Result rank score routes tickets attractions completed failed"


@every_configuration
def test_every_game_has_its_text_to_the_end(variant: str, players: int, options: Options) -> None:
    games = Games(variant, players, seed=5, autoreset=False, **options)
    asked = set()
    while games.masks.any():
        snapshot = games.snapshot()
        asked.add(snapshot["phase"])
        text = render_text(json.loads(json.dumps(snapshot)), games.configuration)
        assert max(map(len, text.splitlines())) <= WIDTH
        assert f"Turn {snapshot['turn']}. player_{games.current[0]} to act: {snapshot['phase'].split('_')[0]}" in text
        games.play_random(7, seed=len(asked) + snapshot["turn"])
    text = render_text(games.snapshot(), games.configuration)
    assert "The game is over: finished\n" in text
    assert "\nResult " in text
    assert ("take_share" in asked) is (variant == "pennsylvania")
    assert ("neutral_share" in asked) is (variant == "pennsylvania" and players == 2)


@pytest.mark.parametrize(
    ("variant", "players", "advanced"),
    [("team_asia", 4, False), ("united_kingdom", 3, False), ("united_kingdom", 3, True)],
)
def test_every_decision_has_its_text(variant: str, players: int, advanced: bool) -> None:
    """UK5, UK8, UK12, TA5, TA6, TA10."""
    options = {"advanced_technologies": True} if advanced else {}
    chosen = configuration(variant, players, **options)
    states = decisions_of_every_phase(variant, players, advanced, 80)
    games = Games(chosen, batch=len(states))
    games.set_states(None, states)
    asked = set()
    for row in range(games.batch):
        snapshot = games.snapshot(row)
        text = render_text(json.loads(json.dumps(snapshot)), chosen)
        assert max(map(len, text.splitlines())) <= WIDTH
        asked.add(snapshot["phase"])
        decision = snapshot["phase"].replace("_", " ")
        assert f"Turn {snapshot['turn']}. player_{games.current[row]} to act: {decision}" in text
        drawn, apart = snapshot["drawn"], snapshot["set_aside"]
        assert ("\n  drawn " in text) == bool(drawn)
        assert ("\n  revealed " in text) == any(snapshot["revealed"].values())
        is_laid_out = any(any(cards.values()) for cards in (apart.values() if "hand" in apart else [apart]))
        assert ("\n  set aside" in text) == is_laid_out
    assert asked == {*chosen.phases}


def test_uk8_technologies_are_named_with_their_holder_and_the_supply() -> None:
    table = situation(
        3, variant="united_kingdom", technologies=[["booster", "propellers"], ["right_of_way"]], hands=["", "1 blue"]
    )
    assert "technologies Propellers Booster" in of_seat(table, 0)
    assert "technologies Right of Way" in of_seat(table, 1)
    assert of_seat(table, 2).endswith("technologies none")
    supply = words(" ".join(lines_of(table)).partition("Technologies left:")[2].partition("trains")[0])
    assert "Propellers 3 Booster 3 Boiler Lagging 4" in supply
    assert "Right of Way" not in supply


def test_ta2_racks_and_the_tickets_on_them_are_shown_once_for_a_team() -> None:
    names = [[ticket.a, ticket.b] for ticket in configuration("team_asia", 4).deck.regular]
    table = situation(4, variant="team_asia", racks=["3 red", "2 blue"], rack_tickets=[["-".join(names[0])]])
    assert cells(table, "rack of team 0") == "of team 0 3 · · · · · · · 3 ·"
    assert cells(table, "rack of team 1") == "of team 1 2 · 2 · · · · · · ·"
    assert "tickets on the team s rack 1" in of_seat(table, 0)
    assert "rack" not in of_seat(table, 1)
    assert "tickets on the team s rack 0" in of_seat(table, 2)


# The Card Game


def card_game(players: int = 2, seat: int = 0, **changes: Any) -> str:
    """The text of a Card Game on its first turn, with some entries of `seat` changed."""
    table = deal(players, variant="card_game")
    table.play_all("keep_ticket")
    snapshot = table.snapshot
    snapshot["players"][seat] |= changes
    return render_text(snapshot, table.games.configuration)


def test_cg1_the_card_game_has_cards_and_scores_but_no_trains_and_routes() -> None:
    table = deal(3, variant="card_game")
    hand = table.snapshot["players"][1]["hand"]
    assert cells(table, "score") == f"cards {' '.join(COLOURS)} locomotive"
    assert cells(table, "player_1") == " ".join(["0", "8", *(str(number or "·") for number in hand.values())])
    assert cells(table, "deck").startswith("67 ")
    assert not re.search("trains|routes", "\n".join(lines_of(table)))


def test_cg3_cg4_rows_of_a_rail_yard_and_the_pile_are_named_by_colour() -> None:
    yard = {"blue": {"cards": 2, "locomotives": 0}, "green": {"cards": 0, "locomotives": 3}}
    yard["red"] = {"cards": 1, "locomotives": 1}
    pile = dict.fromkeys(COLOURS, 0) | {"purple": 4, "red": 1, "locomotive": 2}
    text = card_game(3, seat=1, yard=yard, on_track=pile)
    lines = text.splitlines()
    assert lines[lines.index("player_1") + 1 :][:2] == [
        "  rail yard (3): blue 2, green 0 + 3 locomotives, red 1 + 1 locomotive",
        "  on track (7): 4 purple, 1 red, 2 locomotives",
    ]
    assert lines[lines.index("player_2") + 1 :][:2] == ["  rail yard (0): none", "  on track (0): none"]


def test_cg10_a_ticket_is_marked_if_the_pile_suffices_for_it_alone() -> None:
    pile = dict.fromkeys(COLOURS, 0) | {"blue": 1, "red": 3, "locomotive": 1}
    needs = [{"blue": 1}, {"blue": 2}, {"blue": 1, "white": 1, "red": 2}, {"blue": 2, "white": 1}, {"red": 5}]
    text = card_game(on_track=pile, tickets=[["miami", "boston", points, it] for points, it in enumerate(needs, 5)])
    assert re.findall(r"([✓·]) Miami-Boston \((\d): ([^)]*)\)", text) == [
        ("✓", "5", "1 blue"),
        ("✓", "6", "2 blue"),
        ("✓", "7", "1 blue, 1 white and 2 red"),
        ("·", "8", "2 blue and 1 white"),
        ("·", "9", "5 red"),
    ]


def test_cg12_completed_tickets_are_named_apart_from_those_in_hand() -> None:
    text = card_game(4, seat=3, tickets=[], completed=[["chicago", "new_york", 5, {"yellow": 1}]])
    assert text.endswith("  tickets (0): none\n  completed (1): Chicago-New York (5: 1 yellow)\n")


@pytest.mark.parametrize(("players", "is_told"), [(2, False), (3, False), (4, True)])
def test_cg12_the_scoring_round_is_shown_if_there_are_two(players: int, is_told: bool) -> None:
    assert ("\nScoring round: 1 of 2\n" in card_game(players)) is is_told


def test_cg2_the_ticket_in_decision_is_named_with_the_cards_that_it_takes() -> None:
    table = deal(variant="card_game")
    texts = [table.games.configuration.text.ticket_text(*it) for it in table.snapshot["players"][0]["offered"]]
    assert lines_of(table)[1] == f"Turn 0. player_0 to act: keep ticket {texts[0]}"
    assert line_of(table, "on offer").startswith(f"  on offer (6): {texts[0]}, ")
    table.play("keep_ticket", "refuse_ticket")
    text = " ".join(" ".join(lines_of(table)).split())
    assert f"So far: keep ticket {texts[0]}, refuse ticket {texts[1]} Face-up cards" in text


def test_cg7_the_heading_names_the_set_that_is_being_played() -> None:
    table = deal(variant="card_game")
    table.play_all("keep_ticket")
    actions, hand = table.games.layout.actions, table.snapshot["players"][0]["hand"]
    colour = max(COLOURS, key=lambda colour: hand[colour])
    table.games.step([actions["play_set"].start + COLOURS.index(colour)])
    assert lines_of(table)[1:3] == [f"Turn 1. player_0 to act: set cards of {colour}", f"So far: play set {colour}"]
    table.games.step([actions["set_cards"].start + hand[colour] - 1])
    assert lines_of(table)[1:3] == [
        f"Turn 1. player_0 to act: set locomotives with {hand[colour]} {colour}",
        f"So far: play set {colour}, set cards {hand[colour]}",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_decision_of_the_card_game_has_its_text(players: int) -> None:
    """CG2, CG5-CG8, CG10: the decision, the actions so far, and the last turns (CG9)."""
    games = Games("card_game", players, seed=2, autoreset=False)
    asked = set()
    while games.masks.any():
        snapshot = games.snapshot()
        asked.add(snapshot["phase"])
        text = render_text(json.loads(json.dumps(snapshot)), games.configuration)
        assert max(map(len, text.splitlines())) <= WIDTH
        decision = snapshot["phase"].replace("_", " ")
        assert f"Turn {snapshot['turn']}. player_{games.current[0]} to act: {decision}" in text
        assert ("\nSo far: " in text) == bool(snapshot["pending"])
        joined = " ".join(text.split())
        assert all(f"{action['action'].replace('_', ' ')}" in joined for action in snapshot["pending"])
        assert (f"Turns left, this one included: {snapshot['last_turns_left']}\n" in text) == (
            snapshot["last_turns_left"] is not None
        )
        games.play_random(1, seed=int(snapshot["turn"]) + len(snapshot["pending"]))
    assert asked == {*games.configuration.phases}


def test_cg10_the_heading_tells_the_tickets_that_were_chosen_to_be_completed() -> None:
    games = Games("card_game", 2, seed=1, autoreset=False)
    while games.snapshot()["phase"] != "complete":
        games.play_random(1, seed=int(games.states["decisions"][0]))
    seat, first = games.current[0], int(np.flatnonzero(games.masks[0])[0])
    ticket = games.configuration.text.ticket_text(*games.describe(first)["ticket"])
    text = render_text(games.snapshot(), games.configuration)
    assert f". player_{seat} to act: complete a ticket\n" in text
    games.step([first])
    text = render_text(games.snapshot(), games.configuration)
    assert f". player_{seat} to act: complete a ticket\nSo far: " in text
    assert f"complete {ticket}" in " ".join(text.split())


# Views


@every_configuration
def test_a_whole_snapshot_has_nothing_unknown(variant: str, players: int, options: Options) -> None:
    games = Games(variant, players, seed=5, autoreset=False, **options)
    while games.masks.any():
        assert "unknown" not in render_text(games.snapshot(), games.configuration)
        games.play_random(9, seed=int(games.states["turn"][0]))
    assert "unknown" not in render_text(games.snapshot(), games.configuration)


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_c20_hidden_cards_and_tickets_are_shown_by_their_number(variant: str) -> None:
    games = Games(variant, 2)
    games.step([games.layout.actions["keep_ticket"].start])
    snapshot, whole = games.configuration.snapshot(games.views([0], [1])[0]), games.snapshot()
    lines = render_text(snapshot, games.configuration).splitlines()
    known = sum(games.states["known"][0, 0].tolist())
    unknown = sum(whole["players"][0]["hand"].values()) - known
    (hidden,) = (line.split() for line in lines if line.startswith("> player_0 "))
    (own,) = (line.split() for line in lines if line.startswith("  player_1 "))
    (deck,) = (line.split() for line in lines if line.startswith("  deck "))
    assert (hidden[-1], own[-1]) == (str(unknown), "·")
    assert deck[1:] == [str(sum(whole["deck"].values())), *"·" * (len(deck) - 3), str(sum(whole["deck"].values()))]
    offered = len(whole["players"][0]["offered"]) + 1
    assert f"  on offer ({offered}): {offered} unknown" in lines
    assert not any(line.startswith("So far") for line in lines)
    assert f"Ticket deck: {len(whole['ticket_deck'])} tickets" in lines
    assert snapshot["players"][1] == whole["players"][1]


# What is no snapshot


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variant": "new_york"}, "a snapshot of usa, 3 players must be an object with the variant 'usa'"),
        ({"num_players": 2}, "a snapshot of usa, 3 players must be an object with the num_players 3"),
        ({"players": None}, "this is not a snapshot of usa, 3 players: TypeError("),
        ({"players": []}, "this is not a snapshot of usa, 3 players: IndexError("),
        ({"phase": []}, "this is not a snapshot of usa, 3 players: AttributeError("),
        ({"routes": [{"a": "nowhere", "b": "boston", "track": 0, "owners": [0]}]}, "RuntimeError("),
        ({"current_player": 10**30}, "this is not a snapshot of usa, 3 players: "),
    ],
)
def test_what_is_no_snapshot_is_refused_with_one_error(changes: dict[str, Any], message: str) -> None:
    games = Games("usa", 3)
    with pytest.raises(SnapshotError, match=re.escape(message)):
        render_text(games.snapshot() | changes, games.configuration)


def test_a_text_is_of_a_snapshot_and_of_no_other_value() -> None:
    games = Games("usa", 3)
    wrong: Any = [games.snapshot()]
    for given in (wrong, games.snapshot() | {"phase": None}):
        with pytest.raises(SnapshotError, match="usa, 3 players"):
            render_text(given, games.configuration)


def test_eu6_eu7_stations_are_named_and_at_the_end_the_routes_that_they_use() -> None:
    table = situation(
        variant="europe",
        holds=[["barcelona-munchen"], ["amsterdam-pamplona"]],
        routes=[["munchen-zurich", "marseille-zurich"], ["barcelona-marseille"]],
        stations=[["wien", "barcelona"]],
        last_turns_left=1,
    )
    text = render_text(table.snapshot, table.games.configuration)
    assert "  stations (1 left): Wien, Barcelona\n" in text
    assert "· Barcelona-München (8)" in text
    end(table)
    text = render_text(table.snapshot, table.games.configuration)
    assert "  stations (1 left): Wien, Barcelona, by Barcelona-Marseille (gray, 4)\n" in text
    assert "✓ Barcelona-München (8)" in text
