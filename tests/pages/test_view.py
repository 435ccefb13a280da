"""What a page is sent beside the map: hands, piles, players and tickets, as one seat knows them."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from t2r_agents.browser.messages import moment_message
from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import Tables
from t2r_env import configure
from tests.pages.serving import play


def played(folder: Path, variant: str, players: int = 2) -> Iterator[Table]:
    """A game of people with windows of their own, before each of random actions and at the end."""
    table = Tables(folder).begin(variant, configure(variant, players), [None] * players, own_windows=True, seed=3)
    rng = np.random.default_rng(0)
    yield table
    while not table.is_over:
        table.take(table.number, int(rng.choice(np.flatnonzero(table.games.masks[0]))))
        yield table


def sent(table: Table, seat: int) -> Any:
    """The last message to a seat."""
    return moment_message(table, seat, len(table.steps[seat]) - 1, (1200, 800), whole_log=False)


def test_a_seat_sees_its_own_tickets_and_what_they_need_while_others_move(tmp_path: Path) -> None:
    seen = 0
    for table in itertools.islice(played(tmp_path, "usa", 3), 60):
        for seat in range(3):
            view = sent(table, seat)["view"]
            held = table.games.snapshot()["players"][seat]["tickets"]
            own = [it for it in view["tickets"] if not it["where"]]
            assert len(own) == len(held) == view["players"][seat]["tickets"]
            assert all(it["is_done"] or it["needs"] for it in own)
            seen += bool(own) and seat != table.current
    assert seen > 20


def test_of_the_cards_and_tickets_of_others_a_seat_is_sent_the_number_until_the_game_is_over(tmp_path: Path) -> None:
    """Each message names the routes that have been claimed since the one before."""
    hidden, named = 0, []
    for table in played(tmp_path, "new_york"):
        message, snapshot = sent(table, 0), table.games.snapshot()
        named += [tuple(route) for route in message["changed"]] if message["log"] else []
        if not table.is_over:
            other = message["view"]["players"][1]
            hidden += other["hand"].get("unknown", 0)
            assert other["held"] == []
            assert other["cards"] == sum(snapshot["players"][1]["hand"].values())
            assert other["tickets"] == len(snapshot["players"][1]["tickets"])
    assert hidden > 20
    assert message["stages"][-1]["totals"] == [it["score"] for it in snapshot["final"]]
    for player, entry in zip(message["view"]["players"], snapshot["players"], strict=True):
        assert player["hand"] == {card: number for card, number in entry["hand"].items() if number}
        assert len(player["held"]) == len(entry["tickets"])
    assert set(named) == {(it["a"], it["b"], it["track"]) for it in snapshot["routes"] if it["owners"]}


def test_cg10_no_ticket_left_at_the_end_of_the_card_game_is_completed(tmp_path: Path) -> None:
    *_, table = played(tmp_path, "card_game")
    left = [ticket for seat in range(2) for ticket in sent(table, seat)["view"]["tickets"]]
    assert left
    assert not any(ticket["is_done"] for ticket in left)


def test_who_watches_through_the_eyes_of_a_seat_is_not_told_that_it_is_their_turn(tmp_path: Path) -> None:
    for people, line in ((None, "Your turn"), ("random", "’s turn")):
        table = Tables(tmp_path).begin("new_york", configure("new_york", 2), [people, people], seed=3)
        play(table, until=lambda games: games.snapshot()["phase"] == "turn")
        assert sent(table, table.games.current[0])["headline"].endswith(line)
