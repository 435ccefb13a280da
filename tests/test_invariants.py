"""What holds at every decision of every game, checked along random play by a slow second opinion (tests/referee.py)."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from t2r_env import Games
from t2r_env.boxes import LOCOMOTIVE, Box
from tests import referee
from tests.situations import CARDS, answer_in_words, configuration

Snapshot = dict[str, Any]

DECKS = ["anniversary", "classic", "1910", "mega", "big_cities"]
CONFIGURATIONS = [(2, deck) for deck in DECKS] + [(players, "anniversary") for players in (3, 4, 5)]
"""Every ticket deck with two players, and the other numbers of players."""

STYLES = {"any": (), "hoard": ("draw_row", "draw_deck"), "build": ("claim",)}
"""What players do whenever they can, and at random otherwise: hoarders empty the deck, builders run out of trains."""


def play(players: int, tickets: str, style: str, seed: int) -> Iterator[tuple[Games, Snapshot]]:
    """A random game, decision by decision, its end included."""
    games = Games(configuration("usa", players, tickets=tickets), seed=seed, autoreset=False)
    chance = random.Random(seed)
    yield games, games.snapshot()
    while games.masks.any():
        legal = np.flatnonzero(games.masks[0])
        preferred = [action for action in legal if games.layout.actions.name_of(int(action)) in STYLES[style]]
        games.step(np.array([chance.choice(preferred or legal)]))
        yield games, games.snapshot()


# At every decision


@settings(max_examples=14)
@given(st.sampled_from(CONFIGURATIONS), st.sampled_from(sorted(STYLES)), st.integers(0, 2**64 - 1))
def test_at_every_decision(configured: tuple[int, str], style: str, seed: int) -> None:
    """Of whole games: nothing is lost, all counts agree, and what is legal is what the rules allow."""
    last_decision = -1
    for games, snapshot in play(*configured, style, seed):
        box = games.configuration.box
        check_cards(box, snapshot)
        check_deck_and_row(snapshot)
        check_trains(box, snapshot)
        check_tickets(box, snapshot)
        check_lanes(box, snapshot)
        check_counts(games, snapshot)
        check_answers(games, snapshot)
        check_running_scores(box, snapshot)
        assert (last_decision := last_decision + 1) == games.states[0].decisions
    check_end(games, snapshot)


def check_cards(box: Box, snapshot: Snapshot) -> None:
    """Each train card lies in one place (C1)."""
    everywhere = Counter(card for card in snapshot["row"] if card)
    for cards in (snapshot["deck"], snapshot["discard"], *(player["hand"] for player in snapshot["players"])):
        assert all(number >= 0 for number in cards.values())
        everywhere.update(cards)
    assert everywhere == {**box.colours, LOCOMOTIVE: box.locomotives}


def check_deck_and_row(snapshot: Snapshot) -> None:
    """An empty deck means an empty discard (C2), an empty slot an empty deck (C3); the row has been swept (C4)."""
    left = sum(snapshot["deck"].values()) + sum(snapshot["discard"].values())
    if not any(snapshot["deck"].values()):
        assert left == 0
    if None in snapshot["row"]:
        assert left == 0
    in_play = (
        Counter(card for card in snapshot["row"] if card) + Counter(snapshot["deck"]) + Counter(snapshot["discard"])
    )
    coloured = in_play.total() - in_play[LOCOMOTIVE]
    too_few = in_play.total() < 5 or coloured < 3
    # five cards of the row and five of the deck would take turns for ever
    never_ends = in_play.total() == 10 and snapshot["deck"][LOCOMOTIVE] >= 3
    assert snapshot["row"].count(LOCOMOTIVE) < 3 or too_few or never_ends


def check_trains(box: Box, snapshot: Snapshot) -> None:
    """A player's trains are in his supply or on his lanes."""
    for seat, player in enumerate(snapshot["players"]):
        placed = sum(lane.length for lane in referee.lanes_of(box, snapshot, seat))
        assert player["trains"] + placed == box.trains
        assert player["trains"] >= 0


def check_tickets(box: Box, snapshot: Snapshot) -> None:
    """Each ticket lies in one place: in the deck, held, offered, or answered and kept aside (C6)."""
    answered = [answer["ticket"] for answer in snapshot["decision"] if "ticket" in answer]
    lying = [player[place] for player in snapshot["players"] for place in ("tickets", "offered")]
    everywhere = [tuple(ticket) for place in (snapshot["ticket_deck"], answered, *lying) for ticket in place]
    deck = box.ticket_decks[snapshot["options"]["tickets"]].tickets
    assert sorted(everywhere) == sorted((ticket.a, ticket.b, ticket.points) for ticket in deck)


def check_lanes(box: Box, snapshot: Snapshot) -> None:
    """A lane has one owner at most, a connection no more than C11 allows."""
    owners: dict[tuple[str, str], list[int]] = {}
    for claims in snapshot["lanes"]:
        assert len(claims["owners"]) <= 1
        owners.setdefault((claims["a"], claims["b"]), []).extend(claims["owners"])
    for seats in owners.values():
        assert len(set(seats)) == len(seats)
        assert len(seats) <= 1 or snapshot["num_players"] > box.double_connections_closed_up_to


def check_counts(games: Games, snapshot: Snapshot) -> None:
    """The counts that every seat sees are those of the cards, tickets and trains that lie there (C20)."""
    players = snapshot["players"]
    for seat in range(games.num_players):
        seen = {name: games.observe([0], [seat])[0, part.slice] for name, part in games.layout.observation.items()}
        in_turn = [*players[seat:], *players[:seat]]
        assert seen["hand_count"].tolist() == [sum(player["hand"].values()) for player in in_turn]
        assert seen["trains"].tolist() == [player["trains"] for player in in_turn]
        assert seen["ticket_count"].tolist() == [len(player["tickets"]) for player in in_turn]
        assert seen["deck_count"].tolist() == [sum(snapshot["deck"].values())]
        assert seen["discard"].tolist() == [snapshot["discard"][card] for card in CARDS]
        assert seen["ticket_deck_count"].tolist() == [len(snapshot["ticket_deck"])]
        assert seen["hand"].tolist() == [players[seat]["hand"][card] for card in CARDS]
        assert seen["score"].tolist() == [min(max(player["score"], 0), 255) for player in in_turn]


def check_answers(games: Games, snapshot: Snapshot) -> None:
    """There is an answer until the game ends; the legal ones are those of the rules (C8, C9, C11-C13), in words."""
    legal = np.flatnonzero(games.masks[0])
    if snapshot["phase"] == "ended":
        assert len(legal) == 0
        return
    assert games.current[0] == snapshot["current_player"]
    descriptions = [games.describe(action) for action in legal]
    assert all(str(description) for description in descriptions)
    answers = [answer_in_words(description) for description in descriptions]
    assert len(set(answers)) == len(answers) >= (1 if snapshot["phase"] == "turn" else 2)
    if snapshot["phase"] == "keep_ticket":
        assert set(answers) == {"keep_ticket", "refuse_ticket"}
    else:
        assert set(answers) == referee.legal_answers(games.configuration.box, snapshot)


def check_running_scores(box: Box, snapshot: Snapshot) -> None:
    """Before the end the points are those for lanes (C10)."""
    if snapshot["phase"] != "ended":
        for seat, player in enumerate(snapshot["players"]):
            points = [referee.LANE_POINTS[lane.length] for lane in referee.lanes_of(box, snapshot, seat)]
            assert player["score"] == sum(points)


def check_end(games: Games, snapshot: Snapshot) -> None:
    """Scores, their parts and ranks are those counted anew (C16-C18), everywhere that they are told."""
    assert snapshot["outcome"] == "finished"
    expected = referee.final(games.configuration.box, snapshot)
    assert snapshot["final"] == expected
    results = games.results
    for seat, final in enumerate(expected):
        assert snapshot["players"][seat]["score"] == final["score"] == results.scores[0, seat]
        assert sum(final["breakdown"].values()) == final["score"]
        assert results.ranks[0, seat] == final["rank"]
        assert {name: points[0, seat] for name, points in results.breakdown.items() if name in final["breakdown"]} == (
            final["breakdown"]
        )
        assert results.completed[0, seat] == len(final["completed"])
        assert results.failed[0, seat] == len(final["failed"])
    assert results.turns[0] == snapshot["turn"]


# Over many games


@pytest.mark.parametrize(("players", "tickets"), CONFIGURATIONS)
def test_points_and_ranks_are_those_counted_anew(players: int, tickets: str) -> None:
    """C10, C16-C18: of a batch of games played at random inside the core."""
    games = Games(configuration("usa", players, tickets=tickets), batch=100, seed=12, autoreset=False, observe=False)
    ended = 0
    while games.masks.any():
        ended += games.play_random(100, seed=ended)
    assert ended == 100
    for row in range(100):
        snapshot = games.snapshot(row)
        assert snapshot["final"] == referee.final(games.configuration.box, snapshot)
        assert games.results.scores[row].tolist() == [final["score"] for final in snapshot["final"]]
        check_cards(games.configuration.box, snapshot)
        check_trains(games.configuration.box, snapshot)
        check_tickets(games.configuration.box, snapshot)
        check_lanes(games.configuration.box, snapshot)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_points_as_they_come_add_up_to_the_score(players: int) -> None:
    """The reward `score`: of three games one after the other in one row."""
    games = Games(configuration("usa", players), seed=3, reward="score", observe=False)
    chance = random.Random(players)
    ended = 0
    total: Any = np.zeros(players)
    while ended < 3:
        games.step([chance.choice(np.flatnonzero(games.masks[0]))])
        total += games.rewards[0]
        if games.terminated[0]:
            assert total.tolist() == games.results.scores[0].tolist()
            total[:] = 0
            ended += 1


@pytest.mark.parametrize(("players", "steps"), [(2, [1, -1]), (3, [1, 0, -1]), (5, [1, 0.5, 0, -0.5, -1])])
def test_places_are_rewarded_at_the_end(players: int, steps: list[float]) -> None:
    """The reward `rank`: nothing before; then from +1 for the first to -1 for the last, ties averaged (C18)."""
    games = Games(configuration("usa", players), batch=50, autoreset=False, observe=False)
    running = games.states["outcome"] == 0
    while running.any():
        legal = [np.flatnonzero(mask) for mask in games.masks]
        games.step([actions[len(actions) // 2] if len(actions) else 0 for actions in legal])
        ended = running & (games.states["outcome"] != 0)
        assert not games.rewards[~ended].any()
        for row in np.flatnonzero(ended):
            ranks = games.results.ranks[row].tolist()
            shared = {rank: np.mean(steps[rank - 1 : rank - 1 + ranks.count(rank)]) for rank in ranks}
            assert games.rewards[row].tolist() == pytest.approx([shared[rank] for rank in ranks])
        running &= ~ended
