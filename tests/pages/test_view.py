"""What a page is sent beside the map: hands, piles, players and tickets, as one seat knows them."""

from pathlib import Path
from typing import Any

import numpy as np

from t2r_agents.browser.messages import moment_message
from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import Tables
from t2r_env import configure


def begun(folder: Path, variant: str, players: int = 2) -> Table:
    """A game of people with windows of their own."""
    return Tables(folder).begin(variant, configure(variant, players), [None] * players, own_windows=True, seed=3)


def act(table: Table, rng: np.random.Generator) -> None:
    """Take a random action."""
    table.take(table.number, int(rng.choice(np.flatnonzero(table.games.masks[0]))))


def sent(table: Table, seat: int) -> Any:
    """The last message to a seat."""
    return moment_message(table, seat, len(table.steps[seat]) - 1, (1200, 800), whole_log=False)


def test_a_seat_sees_its_own_tickets_and_what_they_need_while_others_move(tmp_path: Path) -> None:
    table, rng = begun(tmp_path, "usa", 3), np.random.default_rng(0)
    seen = 0
    while table.number < 60:
        act(table, rng)
        for seat in range(3):
            view = sent(table, seat)["view"]
            held = table.games.snapshot()["players"][seat]["tickets"]
            own = [it for it in view["tickets"] if not it["where"]]
            assert len(own) == len(held) == view["players"][seat]["tickets"]
            assert all(it["is_done"] or it["needs"] for it in own)
            seen += bool(own) and seat != table.current
    assert seen > 20


def test_of_the_cards_and_tickets_of_others_a_seat_is_sent_the_number_until_the_game_is_over(tmp_path: Path) -> None:
    table, rng = begun(tmp_path, "new_york"), np.random.default_rng(0)
    hidden = 0
    while not table.is_over:
        other = sent(table, 0)["view"]["players"][1]
        hidden += other["hand"].get("unknown", 0)
        assert other["held"] == []
        assert other["cards"] == sum(table.games.snapshot()["players"][1]["hand"].values())
        act(table, rng)
    assert hidden > 20
    message, final = sent(table, 0), table.games.snapshot()
    assert message["stages"][-1]["totals"] == [it["score"] for it in final["final"]]
    for player, entry in zip(message["view"]["players"], final["players"], strict=True):
        assert player["hand"] == {card: number for card, number in entry["hand"].items() if number}
        assert len(player["held"]) == len(entry["tickets"])


def test_routes_that_have_been_claimed_since_the_last_message_are_named(tmp_path: Path) -> None:
    table, rng = begun(tmp_path, "new_york"), np.random.default_rng(0)
    named = []
    while not table.is_over:
        act(table, rng)
        message = sent(table, 0)
        named += [tuple(route) for route in message["changed"]] if message["log"] else []
    claimed = {(it["a"], it["b"], it["track"]) for it in table.games.snapshot()["routes"] if it["owners"]}
    assert set(named) == claimed


def test_cg10_no_ticket_left_at_the_end_of_the_card_game_is_completed(tmp_path: Path) -> None:
    table, rng = begun(tmp_path, "card_game"), np.random.default_rng(0)
    while table.current is not None:
        act(table, rng)
    left = [ticket for seat in range(2) for ticket in sent(table, seat)["view"]["tickets"]]
    assert left
    assert not any(ticket["is_done"] for ticket in left)


def test_who_watches_through_the_eyes_of_a_seat_is_not_told_that_it_is_their_turn(tmp_path: Path) -> None:
    for people, line in ((None, "Your turn"), ("random", "’s turn")):
        table = Tables(tmp_path).begin("new_york", configure("new_york", 2), [people, people], seed=3)
        rng = np.random.default_rng(0)
        while table.games.snapshot()["phase"] != "turn":
            act(table, rng)
        assert sent(table, table.games.current[0])["headline"].endswith(line)
