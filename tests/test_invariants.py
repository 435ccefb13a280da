"""What holds at every decision of every game, checked along random play by a slow second opinion (tests/referee.py)."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.boxes import LOCOMOTIVE, Box, load_box
from t2r_env.boxes.box import LEAVE
from tests import referee
from tests.playing import DECKS, every_configuration, every_deck, every_variant
from tests.situations import CARDS, answer_in_words, configuration

Snapshot = dict[str, Any]

LANE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 10: 40}
"""C10."""

STYLES = {"any": (), "hoard": ("draw_row", "draw_deck"), "build": ("claim",)}
"""What players do whenever they can, and at random otherwise: hoarders empty the deck, builders run out of trains."""


def play(variant: str, players: int, tickets: str, style: str, seed: int) -> Iterator[tuple[Games, Snapshot]]:
    """A random game, decision by decision, its end included."""
    games = Games(configuration(variant, players, tickets=tickets), seed=seed, autoreset=False)
    chance = random.Random(seed)
    yield games, games.snapshot()
    while games.masks.any():
        legal = np.flatnonzero(games.masks[0])
        preferred = [action for action in legal if games.layout.actions.name_of(int(action)) in STYLES[style]]
        games.step(np.array([chance.choice(preferred or legal)]))
        yield games, games.snapshot()


@every_variant
def test_lanes_are_worth_what_the_table_of_points_says(variant: str) -> None:
    """C10."""
    box = load_box(variant)
    assert {lane.length: box.points[lane.length] for lane in box.lanes}.items() <= LANE_POINTS.items()


# At every decision


@every_deck
@pytest.mark.parametrize("style", STYLES)
def test_at_every_decision(variant: str, players: int, tickets: str, style: str) -> None:
    """Of whole games: nothing is lost, all counts agree, and what is legal is what the rules allow."""
    last_decision = -1
    before = None
    for games, snapshot in play(variant, players, tickets, style, seed=DECKS.index((variant, players, tickets))):
        box = games.configuration.box
        check_cards(box, snapshot)
        check_deck_and_row(box, snapshot)
        check_trains(box, snapshot)
        check_tickets(box, snapshot)
        check_lanes(box, snapshot)
        check_shares(box, snapshot)
        check_counts(games, snapshot)
        check_answers(games, snapshot)
        check_running_scores(box, snapshot)
        if before:
            check_what_leaves_the_game(box, before, snapshot)
        before = snapshot
        assert (last_decision := last_decision + 1) == games.states[0].decisions
    check_end(games, snapshot)


def check_cards(box: Box, snapshot: Snapshot) -> None:
    """Each train card lies in one place (C1)."""
    everywhere = Counter(card for card in snapshot["row"] if card)
    for cards in (snapshot["deck"], snapshot["discard"], *(player["hand"] for player in snapshot["players"])):
        assert all(number >= 0 for number in cards.values())
        everywhere.update(cards)
    assert everywhere == {**box.colours, LOCOMOTIVE: box.locomotives}


def check_deck_and_row(box: Box, snapshot: Snapshot) -> None:
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
    assert snapshot["row"].count(LOCOMOTIVE) < 3 or too_few or never_ends or not box.row_sweep


def check_trains(box: Box, snapshot: Snapshot) -> None:
    """A player's trains are in his supply, on his lanes or given up to the mountains (LA5)."""
    for seat, player in enumerate(snapshot["players"]):
        lanes = referee.lanes_of(box, snapshot, seat)
        assert player["trains"] + sum(lane.length + lane.mountain for lane in lanes) == box.trains
        assert player["trains"] >= 0
        assert player.get("mountain_lanes", 0) == sum(lane.mountain > 0 for lane in lanes)


def tickets_in_play(snapshot: Snapshot) -> list[tuple[str, str, int]]:
    """All tickets that lie somewhere: in the deck, held, offered, or answered and kept aside (C6)."""
    answered = [answer["ticket"] for answer in snapshot["decision"] if "ticket" in answer]
    lying = [player[place] for player in snapshot["players"] for place in ("tickets", "offered")]
    everywhere = [*snapshot["ticket_deck"], *answered, *(ticket for tickets in lying for ticket in tickets)]
    return sorted((a, b, points) for a, b, points in everywhere)


def check_tickets(box: Box, snapshot: Snapshot) -> None:
    """Each ticket lies in one place; a long one only where its owner kept it, or is asked at the start (LA2)."""
    deck = referee.deck_of(box, snapshot)
    all_tickets = {(ticket.a, ticket.b, ticket.points) for ticket in deck.tickets}
    long = {(ticket.a, ticket.b, ticket.points) for ticket in deck.long}
    in_play = tickets_in_play(snapshot)
    assert len(set(in_play)) == len(in_play)
    choosing = snapshot["turn"] == 0
    if choosing:
        assert len(long.intersection(in_play)) == deck.long_offered * snapshot["num_players"]
    if choosing or deck.starting_refused != LEAVE:
        assert set(in_play) >= all_tickets - long
    assert set(in_play) <= all_tickets
    for player in snapshot["players"]:
        assert len(long.intersection(map(tuple, player["tickets"]))) <= deck.long_offered
        assert len(player["tickets"]) >= (0 if choosing else deck.starting.keep)
        assert choosing or long.isdisjoint(map(tuple, player["offered"]))
    assert long.isdisjoint(map(tuple, snapshot["ticket_deck"]))


def check_what_leaves_the_game(box: Box, before: Snapshot, after: Snapshot) -> None:
    """No ticket, but where the rules say so the refused ones of the start (C5, LA2)."""
    left = set(tickets_in_play(before)) - set(tickets_in_play(after))
    assert set(tickets_in_play(after)) <= set(tickets_in_play(before))
    if before["turn"] == 0 < after["turn"] and referee.deck_of(box, after).starting_refused == LEAVE:
        assert after["ticket_deck"] == before["ticket_deck"]
    else:
        assert not left


def check_shares(box: Box, snapshot: Snapshot) -> None:
    """Each share lies in one place; they are taken in the order of their numbers (PA4), the neutral's too (PA8)."""
    neutral = snapshot.get("neutral_shares", {})
    held = [player["shares"] for player in snapshot["players"] if box.companies]
    for company in box.companies:
        numbers = range(1, company.shares + 1)
        left = snapshot["companies"][company.id]
        taken = [number for shares in (*held, neutral) for number in shares.get(company.id, [])]
        assert sorted(taken) + left == [*numbers]
    given = sum(map(len, neutral.values()))
    assert given <= sum(len(numbers) for shares in held for numbers in shares.values())
    assert ("neutral_shares" in snapshot) == (snapshot["num_players"] <= box.neutral_shareholder_up_to)
    if revealed := snapshot.get("revealed_shares"):
        assert sum(map(len, revealed.values())) == (given + 1) // 2
        assert all(set(numbers) <= set(neutral[company]) for company, numbers in revealed.items())


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
        (vector,) = games.observe([0], [seat])
        seen = {name: vector[part.slice] for name, part in games.layout.observation.items()}
        in_turn = [*players[seat:], *players[:seat]]
        assert seen["hand_count"].tolist() == [sum(player["hand"].values()) for player in in_turn]
        assert seen["trains"].tolist() == [player["trains"] for player in in_turn]
        assert seen["ticket_count"].tolist() == [len(player["tickets"]) for player in in_turn]
        assert seen["deck_count"].tolist() == [sum(snapshot["deck"].values())]
        assert seen["discard"].tolist() == [snapshot["discard"].get(card, 0) for card in CARDS]
        assert seen["ticket_deck_count"].tolist() == [len(snapshot["ticket_deck"])]
        assert seen["hand"].tolist() == [players[seat]["hand"].get(card, 0) for card in CARDS]
        assert seen["score"].tolist() == [min(max(player["score"], 0), 255) for player in in_turn]
        if "companies" in snapshot:
            check_share_counts(snapshot, seen, in_turn)


def check_share_counts(snapshot: Snapshot, seen: dict[str, Any], players: list[Any]) -> None:
    """The same of shares, the neutral player's coming last (PA4, PA8)."""
    left = snapshot["companies"]
    holdings = [player["shares"] for player in players]
    if "neutral_shares" in snapshot:
        holdings.append(snapshot["neutral_shares"])
    assert seen["shares_left"].tolist() == [len(numbers) for numbers in left.values()]
    assert seen["share_count"].tolist() == [len(shares[company]) for shares in holdings for company in left]
    number = {company: sum(len(place[company]) for place in (*holdings, left)) for company in left}
    each = [(shares[company], share) for shares in holdings for company in left for share in range(number[company])]
    assert seen["shares"].tolist() == [share + 1 in held for held, share in each]


def check_answers(games: Games, snapshot: Snapshot) -> None:
    """There is an answer until the game ends; the legal ones are those of the rules (C5, C8, C9, C11-C14), in words."""
    legal = np.flatnonzero(games.masks[0])
    if snapshot["phase"] == "ended":
        assert len(legal) == 0
        return
    assert games.current[0] == snapshot["current_player"]
    descriptions = [games.describe(action) for action in legal]
    assert all(str(description) for description in descriptions)
    answers = [answer_in_words(description) for description in descriptions]
    assert len(set(answers)) == len(answers) >= (1 if snapshot["phase"] == "turn" else 2)
    assert set(answers) == referee.legal_answers(games.configuration.box, snapshot)


def check_running_scores(box: Box, snapshot: Snapshot) -> None:
    """Before the end the points are those for lanes (C10, LA5)."""
    if snapshot["phase"] != "ended":
        for seat, player in enumerate(snapshot["players"]):
            points = referee.lane_points(box, referee.lanes_of(box, snapshot, seat))
            assert player["score"] == sum(points.values())


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


@every_deck
def test_points_and_ranks_are_those_counted_anew(variant: str, players: int, tickets: str) -> None:
    """C10, C16-C18: of a batch of games played at random inside the core."""
    chosen = configuration(variant, players, tickets=tickets)
    games = Games(chosen, batch=50, seed=12, autoreset=False, observe=False)
    ended = 0
    while games.masks.any():
        ended += games.play_random(100, seed=ended)
    assert ended == 50
    for row in range(50):
        snapshot = games.snapshot(row)
        assert snapshot["final"] == referee.final(chosen.box, snapshot)
        assert games.results.scores[row].tolist() == [final["score"] for final in snapshot["final"]]
        check_cards(chosen.box, snapshot)
        check_trains(chosen.box, snapshot)
        check_tickets(chosen.box, snapshot)
        check_lanes(chosen.box, snapshot)
        check_shares(chosen.box, snapshot)


@every_configuration
def test_points_as_they_come_add_up_to_the_score(variant: str, players: int) -> None:
    """The reward `score`: of three games one after the other in one row."""
    games = Games(configuration(variant, players), seed=3, reward="score", observe=False)
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


@every_configuration
def test_places_are_rewarded_at_the_end(variant: str, players: int) -> None:
    """The reward `rank`: nothing before; then from +1 for the first to -1 for the last, ties averaged (C18)."""
    steps = np.linspace(1, -1, players)
    games = Games(configuration(variant, players), batch=30, autoreset=False, observe=False)
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
