"""What a game tells in sentences, as far as a seat may know it."""

from typing import Any

import numpy as np

from t2r_env import Games
from t2r_env.render.narration import Chronicler, Narrator
from t2r_env.rules.map_game.text import MapText
from tests.situations import Table, action_name, configuration, deal, situation


def known(games: Games) -> dict[str, Any]:
    """What seat 0 knows."""
    return games.configuration.snapshot(games.views([0], [0])[0])


def told(table: Table, *actions: str) -> list[str]:
    """The lines for seat 0 after each of these actions."""
    narrator = Narrator(table.games.configuration, 0)
    lines: list[str] = []
    for choice in actions:
        before = known(table.games)
        action = next(it for it in np.flatnonzero(table.games.masks[0]) if str(table.games.describe(it)) == choice)
        description = table.games.describe(action)
        table.games.step([action])
        lines += narrator.narrate(before, known(table.games), description)
    return lines


def test_the_actions_of_others_are_told_as_sentences_and_how_many_tickets_they_keep_once_their_choice_is_complete() -> (
    None
):
    """C6, C12, C20."""
    table = situation(to_move=1, hands=["", "3 blue, 2 red"], face_up="red, green, blue, black, white")
    assert told(table, "take the green card", "draw a card from the deck") == [
        "player_1 takes the green card.",
        "player_1 draws a card from the deck.",
    ]
    assert told(table, "take the blue card") == ["You get 1 blue."]
    told(table, "take the red card")
    assert told(table, "claim Montréal-New York (blue, 3)")[-1] == "player_1 claims Montréal-New York (blue, 3)."
    table = situation(to_move=1, ticket_deck=["boston-miami", "dallas-new_york", "new_york-seattle"])
    assert told(table, "draw tickets", "keep Boston-Miami (12)", "refuse Dallas-New York (11)") == [
        "player_1 draws tickets."
    ]
    assert told(table, "keep New York-Seattle (20)") == ["player_1 keeps 2 tickets."]


def test_ta10_a_withdrawal_from_a_tunnel_is_told() -> None:
    words = configuration("team_asia", 4).text
    assert isinstance(words, MapText)
    route = next(route for route in words.configuration.variant.routes if route.tunnel and route.colour != "gray")
    table = situation(
        4, variant="team_asia", to_move=1, hands=["", f"{route.length} {route.colour}"], deck=f"9 {route.colour}"
    )
    text = words.route_text(route)
    assert told(table, f"claim {text}") == [f"player_1 withdraws from the tunnel {text}."]


def test_cg7_sets_and_the_rows_that_they_rob_are_told() -> None:
    table = deal(variant="card_game")
    narrator = Narrator(table.games.configuration, 0)
    before, after = known(table.games), known(table.games)
    before["current_player"] = 1
    before["players"][0]["yard"] = {"blue": {"cards": 1, "locomotives": 0}}
    before["players"][1]["yard"] = {"red": {"cards": 1, "locomotives": 0}}
    after["players"][1]["yard"] = {"red": {"cards": 1, "locomotives": 0}, "blue": {"cards": 2, "locomotives": 1}}
    assert list(narrator.narrate(before, after, {"action": "set_locomotives"})) == [
        "player_1 plays 2 blue and 1 locomotive.",
        "You lose the blue row.",
    ]


def test_no8_each_card_spent_is_told_once_and_what_is_exchanged_is_no_locomotive() -> None:
    table = situation(variant="nordic", hands=["8 blue, 6 red, 2 locomotive"])
    chronicler, lines = Chronicler(table.games.configuration, None), list[str]()
    for action in ("claim lieksa-murmansk", *["spend red"] * 4, "pay 8 blue, 1 locomotive"):
        before = table.snapshot
        number = next(
            it for it in np.flatnonzero(table.games.masks[0]) if action_name(table.games.describe(it)) == action
        )
        description = table.games.describe(number)
        table.games.step([number])
        lines += chronicler.narrate(before, table.snapshot, description)
    assert lines == [
        "player_0 claims Lieksa-Murmansk (gray, 9).",
        *["player_0 spends 1 red towards an exchange."] * 4,
        "player_0 pays 8 blue and 1 exchanged.",
    ]
