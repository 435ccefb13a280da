"""What a game tells in sentences, as far as a seat may know it: a log, and the line over the board."""

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games, Replay
from t2r_env.render.headline import headline
from t2r_env.render.narration import Chronicler, Narrator
from t2r_env.rules.text import Description
from tests.helpers.hidden import with_other_secrets
from tests.helpers.maps import load_map
from tests.helpers.playing import choose
from tests.helpers.situations import Table, action_name, deal, ended, situation

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Fred")

SWEEP = "Three locomotives lie face up: all five cards are replaced."
RESHUFFLE = "The deck is used up: the discard is shuffled into a new deck."


def known(games: Games, seat: int | None = 0) -> dict[str, Any]:
    """What a seat knows; for None everything."""
    return games.snapshot() if seat is None else games.configuration.snapshot(games.views([0], [seat])[0])


def told(
    table: Table, *actions: str, seat: int | None = 0, kind: type[Narrator] = Narrator, named: bool = True
) -> list[str]:
    """The lines for a seat after each of these actions."""
    chosen = table.games.configuration
    narrator = kind(chosen, seat, NAMES[: chosen.num_players] if named else ())
    lines: list[str] = []
    for choice in actions:
        before = known(table.games, seat)
        legal = [(int(it), table.games.describe(it)) for it in np.flatnonzero(table.games.masks[0])]
        action, description = next(it for it in legal if choice in (str(it[1]), action_name(it[1])))
        table.games.step([action])
        lines += narrator.narrate(before, known(table.games, seat), description)
    return lines


# Cards and tickets


def test_the_actions_of_others_are_told_and_how_many_tickets_they_keep_once_their_choice_is_complete() -> None:
    """C6, C12, C20. Without names a player is named by its seat."""
    table = situation(to_move=1, hands=["", "3 blue, 2 red"], face_up="red, green, blue, black, white")
    lines = ["player_1 takes the green card.", "player_1 draws a card from the deck."]
    assert told(table, "take the green card", "draw_deck", named=False) == lines
    assert told(table, "take the blue card") == ["You take the blue card."]
    table = situation(to_move=1, ticket_deck=["boston-miami", "dallas-new_york", "new_york-seattle"])
    assert told(table, "draw tickets", "keep Boston-Miami (12)", "refuse Dallas-New York (11)") == [
        "Ben draws three tickets."
    ]
    assert told(table, "keep New York-Seattle (20)") == ["Ben keeps two tickets."]


def test_a_seat_is_told_what_it_draws_and_keeps_and_a_log_of_everything_what_all_do() -> None:
    tickets = ["boston-miami", "dallas-new_york", "new_york-seattle"]
    choices = ("draw_tickets", "keep Boston-Miami (12)", "refuse Dallas-New York (11)", "keep New York-Seattle (20)")
    kept = "Boston–Miami (12) and New York–Seattle (20)"
    assert told(situation(ticket_deck=tickets), *choices) == ["You draw three tickets.", f"You keep {kept}."]
    by_anna = ["Anna draws three tickets.", f"Anna keeps {kept}."]
    assert told(situation(ticket_deck=tickets), *choices, seat=None) == by_anna
    assert told(situation(ticket_deck=tickets), *choices, kind=Chronicler) == [
        by_anna[0],
        "Anna chooses to keep Boston–Miami (12).",
        "Anna chooses to refuse Dallas–New York (11).",
        by_anna[1],
    ]
    assert told(situation(deck="9 orange"), "draw_deck", "draw_deck") == ["You draw an orange card from the deck."] * 2
    assert told(situation(deck="9 locomotive"), "draw_deck", seat=None) == ["Anna draws a locomotive from the deck."]
    assert told(situation(deck="9 orange"), "draw_deck", seat=1) == ["Anna draws a card from the deck."]


def test_c6_the_starting_tickets_of_all_are_told_when_the_last_has_chosen() -> None:
    table = deal(3)
    keep = ["keep_ticket"] * 2 + ["refuse_ticket"]
    assert told(table, *keep, *keep) == []
    own = r"You keep [^()]+–[^()]+ \(\d+\) and [^()]+–[^()]+ \(\d+\)\."
    assert re.fullmatch(rf"{own} Ben keeps two tickets\. Cleo keeps two tickets\.", " ".join(told(table, *keep)))


def test_c4_sweeps_each_once_and_c2_reshuffles_are_told() -> None:
    table = situation(face_up="locomotive, locomotive, red, blue, black", deck="1 locomotive", discard="9 green")
    assert told(table, "take the red card") == ["You take the red card.", RESHUFFLE, SWEEP]
    assert table.face_up_cards == "5 green"
    table = situation(deck="1 red", discard="2 green")
    assert told(table, "draw_deck", seat=1) == ["Anna draws a card from the deck.", RESHUFFLE]
    assert told(situation(deck="2 red", discard="2 green"), "draw_deck") == ["You draw a red card from the deck."]
    for seed in range(12):
        table = situation(face_up="locomotive, locomotive, red, blue, black", deck="30 locomotive, 40 red", seed=seed)
        lines = told(table, "take the red card", seat=1)
        sweeps = sum(table.snapshot["discard"].values()) // 5
        assert sum("three locomotives" in line.lower() for line in lines) == sweeps


# Routes


def test_a_claim_is_told_with_what_was_paid_and_what_it_brings() -> None:
    claim, hands = "claim montreal-new_york", ["", "3 blue, 2 locomotive"]
    line = "Ben claims Montréal–New York (2 blue and 1 locomotive) for 4 points."
    assert told(situation(to_move=1, hands=hands), claim, "pay 2 blue, 1 locomotive") == [line]
    line = "You claim Montréal–New York (1 blue and 2 locomotives) for 4 points."
    assert told(situation(to_move=1, hands=hands), claim, "pay 1 blue, 2 locomotive", seat=1) == [line]
    table = situation(to_move=1, hands=hands, deck="", discard="")  # what is paid becomes the deck at once
    assert told(table, claim, "pay 3 blue") == ["Ben claims Montréal–New York (three cards) for 4 points.", RESHUFFLE]


def tunnel(hand: str, deck: str) -> Table:
    """Seat 1 may claim Madrid-Pamplona, a black tunnel of 3 spaces."""
    return situation(variant="europe", to_move=1, hands=["", hand], deck=deck)


def test_eu5_the_cards_turned_up_for_a_tunnel_are_told_also_when_nothing_more_is_due() -> None:
    route = "claim madrid-pamplona"
    table = tunnel("3 black", "5 red")
    assert told(table, route) == [
        "Turned up for the tunnel Madrid–Pamplona: 3 red. Nothing more is due.",
        "Ben claims Madrid–Pamplona (3 black) for 4 points.",
    ]
    for seat, lays, withdraws in ((1, "You lay", "You withdraw"), (None, "Ben lays", "Ben withdraws")):
        assert told(tunnel("6 black", "5 black"), route, "withdraw", seat=seat) == [
            f"{lays} out 3 black for the tunnel Madrid–Pamplona.",
            "Turned up for the tunnel Madrid–Pamplona: 3 black. 3 more are due.",
            f"{withdraws} from the tunnel Madrid–Pamplona.",
        ]
    table = tunnel("6 black", "5 black")
    assert told(table, route) == []
    assert told(table, "pay_more 3 cards") == [
        "Turned up for the tunnel Madrid–Pamplona: 3 black. 3 more are due.",
        "Ben claims Madrid–Pamplona (6 black) for 4 points.",
    ]


def test_eu5_what_was_paid_for_a_gray_tunnel_is_told_from_what_was_turned_up_where_that_can_be_known() -> None:
    """C20: three red and three blue cards are discarded. If the red ones lay face up, all have seen who took them."""
    table = tunnel("3 red", "9 blue")
    assert told(table, "claim paris-zurich") == [
        "Paid and turned up for the tunnel Paris–Zürich: 3 blue and 3 red. Nothing more is due.",
        "Ben claims Paris–Zürich (three cards) for 4 points.",
    ]
    table = situation(variant="europe", to_move=1, hands=["", "2 red"], face_up="red, red, white, green, black")
    table.play("draw_face_up 0", "draw_face_up 1")
    table.games.states["deck"][0, :] = 0
    table.games.states["deck"][0, 1] = table.games.states["deck_count"][0]
    table.play("draw_deck", "draw_deck")
    assert told(table, "claim paris-zurich", *(["pay 3 red"] if table.phase == "pay" else [])) == [
        "Turned up for the tunnel Paris–Zürich: 3 blue. Nothing more is due.",
        "Ben claims Paris–Zürich (3 red) for 4 points.",
    ]


def test_c20_who_withdraws_from_a_tunnel_does_not_tell_whether_it_could_have_paid() -> None:
    for hand, more in (("3 black", ()), ("6 black", ("withdraw",))):
        assert told(tunnel(hand, "5 black"), "claim madrid-pamplona", *more) == [
            "Turned up for the tunnel Madrid–Pamplona: 3 black.",
            "Ben withdraws from the tunnel Madrid–Pamplona.",
        ]


def test_no8_cards_spent_towards_exchanges_are_told_with_the_claim() -> None:
    table = situation(variant="nordic", hands=["8 blue, 6 red, 2 locomotive"])
    actions = ["claim lieksa-murmansk", *["spend red"] * 4, "pay 8 blue, 1 locomotive"]
    assert told(table, *actions, kind=Chronicler) == [
        "Anna chooses the route Lieksa–Murmansk.",
        *["Anna spends 1 red towards an exchange."] * 4,
        "Anna claims Lieksa–Murmansk (8 blue and 4 red) for 27 points.",
    ]


# What only some games have


def test_eu6_uk8_stations_and_technologies_are_told_when_they_are_paid_ones_own_too() -> None:
    for seat, who in ((0, "You build"), (1, "Anna builds"), (None, "Anna builds")):
        table = situation(variant="europe", hands=["1 red"])
        assert told(table, "build paris", seat=seat) == [f"{who} a station in Paris (1 red)."]
    table = situation(variant="united_kingdom", hands=["1 locomotive"])
    assert told(table, "buy mechanical_stoker") == ["You buy Mechanical Stoker (1 locomotive)."]


def test_uk9_right_of_way_is_told_with_the_claim_that_it_allows() -> None:
    table = situation(
        variant="united_kingdom", hands=["1 green, 4 locomotive"], routes=[["cambridge-ipswich"], ["london-reading"]]
    )
    chosen = table.games.configuration
    assert told(table, "buy right_of_way", seat=1) == ["Anna buys Right of Way (4 locomotives)."]
    assert headline(known(table.games), chosen, 0) == "Claim a route that another player has"
    assert headline(known(table.games, 1), chosen, 1, NAMES[:2]) == "Anna’s turn"
    with pytest.raises(ValueError, match="the reader's seat must be an integer from 0 to 1, not 2"):
        headline(known(table.games, 1), chosen, 2)
    assert told(table, "claim london-reading", seat=1) == ["Anna claims London–Reading (1 green) for 1 point."]


def test_pa4_pa8_shares_are_told_also_when_none_is_taken() -> None:
    table = situation(variant="pennsylvania", hands=["2 yellow"])
    table.play("claim altoona-johnstown")
    twin = Table(table.games.clone())
    first, *others = told(table, next(it for it in table.legal if "none" not in it), seat=1)
    assert re.fullmatch(r"Anna takes share 1 of [A-Z][A-Za-z& ]+\.", first)
    assert all(re.fullmatch(r"The neutral player gets share \d of [A-Z][A-Za-z& ]+\.", line) for line in others)
    assert told(twin, "take_share none", seat=1) == ["Anna takes no share."]


def test_ta5_cards_go_to_the_hand_or_onto_the_rack() -> None:
    table = situation(4, variant="team_asia", face_up="red, green, blue, black, white", deck="20 orange")
    assert told(table, "take the red card", "place rack", "take the green card", seat=2) == [
        "Anna takes the red card.",
        "Anna puts the red card onto the rack.",
        "Anna takes the green card into the hand.",
    ]
    assert told(table, "draw_deck", "place rack", seat=0) == [
        "Ben draws a card from the deck.",
        "Ben puts the orange card onto the rack.",
    ]
    table = situation(4, variant="team_asia", deck="20 orange")
    assert told(table, "draw_deck", "place rack", seat=2)[1:] == ["Anna puts the card onto the rack."]


def test_ta10_the_turned_up_cards_of_a_withdrawal_are_told_with_it() -> None:
    route = next(it for it in load_map("team_asia").routes if it.tunnel and it.colour != "gray")
    table = situation(
        4, variant="team_asia", to_move=1, hands=["", f"{route.length} {route.colour}"], deck=f"9 {route.colour}"
    )
    turned_up, withdrawn = told(table, f"claim {route.a}-{route.b}", seat=2)
    assert turned_up.endswith(f": {route.tunnel} {route.colour}.")
    assert withdrawn.startswith("Ben withdraws from the tunnel ")


def test_cg7_sets_and_the_rows_that_they_rob_are_told() -> None:
    games = deal(variant="card_game").games
    before, after, row = known(games) | {"current_player": 1}, known(games), {"cards": 1, "locomotives": 0}
    before["players"][0]["yard"] = {"blue": row}
    before["players"][1]["yard"] = {"red": row}
    after["players"][1]["yard"] = {"red": row, "blue": {"cards": 2, "locomotives": 1}}
    after["players"][0]["on_track"]["white"] += 2
    assert list(Narrator(games.configuration, 0).narrate(before, after, {"action": "set_locomotives"})) == [
        "player_1 plays 2 blue and 1 locomotive.",
        "You lose 1 blue from the rail yard.",
        "You move 2 white onto the track.",
    ]


# The end


def test_c15_the_last_round_and_who_has_won_are_told() -> None:
    """TA11: the trains of a team count together."""
    table = situation(trains=[4, 45], hands=["2 red"])
    assert told(table, "claim atlanta-raleigh", seat=1) == [
        "Anna claims Atlanta–Raleigh (2 red) for 2 points.",
        "Anna has two trains left: the last round begins, two turns left.",
    ]
    table.play("draw_deck", "draw_deck", "draw_deck")
    assert told(table, "draw_deck", seat=1)[1:] == ["Anna wins 12 : 0."]
    for points, result in (([3, 7], "You win 7 : 3."), ([3, 3], "You and Anna share the victory 3 : 3.")):
        table = situation(last_turns_left=1, points=points, tickets="1910")
        assert told(table, "draw_deck", "draw_deck", seat=1)[-1] == result
    table = situation(4, variant="team_asia", trains=[2, 2, 27, 27], deck="20 orange")
    assert told(table, "draw_deck", "place rack", "draw_deck", seat=1)[-1] == (
        "You and Anna have four trains left: the last round begins, four turns left."
    )


def test_c13_c19_a_game_that_ends_otherwise_says_so() -> None:
    table = situation(face_up="-, -, -, -, -", deck="", ticket_deck=[], points=[3, 2], tickets="1910")
    assert told(table, "pass", "pass") == [
        "You can do nothing and pass.",
        "Ben passes.",
        "Nobody can do anything any more: the game ends.",
        "You win 3 : 2.",
    ]
    table = situation(turn=1000)
    assert told(table, "draw_deck", "draw_deck")[-1] == "The game was broken off after 1000 turns."


# The line over the board: whose turn it is, what is asked, and how the game ended


def headlines(table: Table, *seats: int | None) -> list[str]:
    """The line for each of these seats; for None that of who sees everything."""
    chosen, names = table.games.configuration, NAMES[: table.games.num_players]
    return [headline(known(table.games, seat), chosen, seat, names) for seat in seats]


@pytest.mark.parametrize(
    ("position", "action", "asked"),
    [
        ({}, "", "Your turn"),
        ({}, "draw_deck", "Draw a second card"),
        ({"hands": ["2 blue, 2 red"]}, "claim boston-montreal", "Pay for Boston–Montréal"),
        ({}, "draw_tickets", "Choose your tickets: keep one or more"),
        ({"variant": "europe", "hands": ["2 red, 1 blue"]}, "build paris", "Pay for a station in Paris"),
        (
            {"variant": "europe", "hands": ["6 black"], "deck": "5 black"},
            "claim madrid-pamplona",
            "Pay 3 black more for Madrid–Pamplona, or withdraw",
        ),
    ],
)
def test_the_acting_seat_is_asked_and_others_told_whose_turn(position: dict[str, Any], action: str, asked: str) -> None:
    """C20: what another seat decides on is not told."""
    table = situation(**position)
    table.play(*filter(None, [action]))
    watched = {"": "Anna’s turn", "draw_tickets": "Anna is to choose tickets"}
    is_told = watched.get(action, f"Anna is to {asked[0].lower()}{asked[1:]}")
    assert headlines(table, 0, None, 1) == [asked, is_told, "Anna’s turn"]


def test_c6_at_the_start_all_choose_tickets() -> None:
    asked = "Choose your tickets: keep two or more"
    assert headlines(deal(3), 0, 1, 2) == [asked, *["The others choose their tickets"] * 2]


def test_c15_the_turns_left_of_the_last_round_are_added() -> None:
    table = situation(last_turns_left=2)
    assert headlines(table, 0, 1) == [f"{whose} turn. Last round: two turns left" for whose in ("Your", "Anna’s")]
    table.play("draw_deck", "draw_deck", "draw_deck")
    assert headlines(table, 1) == ["Draw a second card. Last round: one turn left"]


def test_the_end_says_who_has_won_for_each_reader() -> None:
    assert headlines(ended(points=[5, 3], tickets="1910"), 0, 1, None) == ["You win 5 : 3", *["Anna wins 5 : 3"] * 2]
    assert headlines(ended(points=[5, 5], tickets="1910"), 1) == ["You and Anna share the victory 5 : 5"]
    team = ended(4, variant="team_asia", points=[5, 5, 3, 3], routes=[["hanoi-vientiane"]])
    assert headlines(team, 1, 2) == ["You and Anna win 15 : 3", "Anna and Ben win 15 : 3"]


# Whole games


def recorded(variant: str) -> Replay:
    """The game that the documentation shows."""
    return Replay.load(Path(__file__).parents[2] / "docs" / "replays" / f"{variant}.json")


def rich(variant: str, players: int, **options: Any) -> Replay:
    """A random game of players who save cards and then spend them."""
    games = Games(variant, players, seed=4, autoreset=False, record=True, **options)
    rng = random.Random(4)
    while games.masks.any():
        games.step([choose(games, 0, "grow_rich", rng)])
    return Replay.of(games)


@pytest.mark.parametrize(
    "play",
    [
        *[pytest.param(partial(recorded, variant), id=variant) for variant in ("usa", "team_asia", "nordic")],
        pytest.param(partial(rich, "card_game", 4), id="second deck"),
        pytest.param(partial(rich, "pennsylvania", 2), id="neutral player"),
        pytest.param(partial(rich, "united_kingdom", 2, advanced_technologies=True), id="advanced technologies"),
        pytest.param(partial(rich, "europe", 2), id="many tunnels"),
    ],
)
def test_whole_games_are_told_in_plain_words_and_each_event_once(play: Callable[[], Replay]) -> None:
    replay = play()
    chosen = replay.configuration
    names = NAMES[: chosen.num_players]
    seats = (None, *range(chosen.num_players))
    narrators = {seat: Narrator(chosen, seat, names) for seat in seats}
    chronicler = Chronicler(chosen, None, names)
    logs: dict[int | None, list[str]] = {seat: [] for seat in seats}
    others, done = list[str](), Counter[str]()
    before: dict[int | None, dict[str, Any]] = {}
    action: Any = None
    for games, number in zip(replay.games(), (*replay.actions, None), strict=True):
        now = {seat: known(games, seat) for seat in seats}
        others += [headline(snapshot, chosen, seat, names) for seat, snapshot in now.items()]
        if before:
            for seat in seats:
                lines = list(narrators[seat].narrate(before[seat], now[seat], action))
                assert len({*lines}) == len(lines)
                logs[seat] += lines
            chronicle = list(chronicler.narrate(before[None], now[None], action))
            assert chronicle, action
            others += chronicle
            done[action["action"]] += 1
        before, action = now, None if number is None else games.describe(number)
    for line in itertools.chain(others, *logs.values()):
        assert not re.search(r"_|None|unknown|[{}\[\]]|\b0 ", line), line  # words of the code
    for seat, log in logs.items():
        assert_told_once(log, before[None], done, names[seat] if seat is not None else None)


def assert_told_once(log: list[str], final: Mapping[str, Any], done: Counter[str], you: str | None) -> None:
    """Assert that a log tells of each draw, claim, station, technology and share, and of each choice of tickets."""

    def times(verb: str, what: str = "") -> int:
        return sum(bool(re.match(rf"\w+ {verb}s? {what}", line)) for line in log)

    assert times("take", "the ") == done["draw_face_up"]
    assert times("draw") == done["draw_deck"] + done["draw_tickets"] + done["draw_three"]
    if final["routes"]:
        assert times("claim") == sum(len(it["owners"]) for it in final["routes"])
        assert all("(" in line for line in log if re.match(r"\w+ claims? ", line))
    assert times("build") == sum(len(player.get("stations", ())) for player in final["players"])
    assert times("keep") == len(final["players"]) + done["draw_tickets"]
    assert times("buy") >= sum(len(player.get("technologies", ())) for player in final["players"])
    shares = [numbers for player in final["players"] for numbers in player.get("shares", {}).values()]
    assert times("take", "share ") == sum(map(len, shares))
    assert sum("the last round begins" in line for line in log) == final.get("scoring_round", 1)
    assert re.search(r" wins? ", log[-1])
    if you:
        assert not any(re.match(rf"{you} ", line) and " win" not in line for line in log)


@pytest.mark.parametrize("variant", ["pennsylvania", "team_asia", "united_kingdom", "card_game"])
def test_c20_what_a_seat_is_told_does_not_depend_on_what_it_cannot_know(variant: str) -> None:
    """Also not on the others' actions that it does not see. All hidden things are dealt anew, before and after."""
    replay = recorded(variant)
    chosen, seat = replay.configuration, 1
    names = NAMES[: chosen.num_players]
    narrators = Narrator(chosen, seat, names), Chronicler(chosen, seat, names)
    seen = ("draw_", "pass", "place", "take_share", "claim")
    before: tuple[Any, Any] | None = None
    action: Any = None
    for position, (games, number) in enumerate(zip(replay.games(), replay.actions, strict=False)):
        other = games.clone()
        other.states[:] = with_other_secrets(games, seat, position)
        now = known(games, seat), known(other, seat)
        assert headline(now[0], chosen, seat, names) == headline(now[1], chosen, seat, names)
        if before:
            is_seen = before[0]["current_player"] == seat or action["action"].startswith(seen)
            unseen = action if is_seen else Description({"action": "unseen"}, "do something")
            for narrator in narrators:
                lines = list(narrator.narrate(before[0], now[0], action))
                assert list(narrator.narrate(before[1], now[1], unseen)) == lines
        before, action = now, games.describe(number)
