"""Games copied and saved in the middle of play, and the errors for damaged bytes."""

import copy
import json
import pickle
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.rules.map_game.records import NEUTRAL
from t2r_env.rules.names import ENDED, PHASES, TURN_OVER, parts, phases
from t2r_env.saving import MAX_SAVED_BYTES
from tests.maps import load_map
from tests.playing import LOADED_VARIANTS, Options, decisions_of_every_phase, every_configuration, every_variant_once
from tests.situations import (
    CARDS,
    NOTHING,
    Table,
    cards_text,
    changed_variant,
    configuration,
    count,
    deal,
    route_name,
    situation,
)

DECISION = ("states", "masks", "observations", "current")
"""The arrays of a game that waits for a decision."""
EVERYTHING = (*DECISION, "rewards", "terminated", "truncated", "seeds", "finished", "final_observations")


def by_pickle(games: Games) -> Games:
    other: Games = pickle.loads(pickle.dumps(games))
    return other


every_copy = pytest.mark.parametrize("duplicate", [Games.clone, copy.deepcopy, by_pickle])


def play(games: Games, decisions: int, seed: int = 0) -> Games:
    """Play on by `step`, at random, until the end at most; the same seed makes the same choices."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if not games.masks.any():
            break
        games.step([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in games.masks])
    return games


def row_of(games: Games, row: int = 0, names: tuple[str, ...] = EVERYTHING) -> dict[str, Any]:
    return {name: getattr(games, name)[row].copy() for name in names}


# Copies


@every_copy
@every_variant_once
def test_a_copy_goes_on_as_the_original_does(duplicate: Callable[[Games], Games], variant: str, players: int) -> None:
    threads = 1 if variant == "united_kingdom" else 2  # each thread has scratch memory, which a copy must not share
    games = play(Games(variant, players, batch=4, threads=threads, reward="score", record=True), 70)
    other = duplicate(games)
    assert other.configuration == games.configuration
    before = [row_of(games, row) for row in range(4)]
    play(games, 500)
    np.testing.assert_equal([row_of(other, row) for row in range(4)], before)  # stepping one does not change the other
    play(other, 500)
    for row in range(4):
        np.testing.assert_equal(row_of(other, row), row_of(games, row))
        for ended in (False, True):
            assert other.history(row, ended=ended) == games.history(row, ended=ended)


# States


@every_configuration
@pytest.mark.parametrize("decisions", [0, 1, 33, 120])
def test_a_saved_game_goes_on_in_any_row_as_it_would_have(
    variant: str, players: int, options: Options, decisions: int
) -> None:
    games = play(Games(variant, players, **options), decisions)
    other = Games(variant, players, batch=3, seed=50, reward="win", **options)
    others = [row_of(other, row) for row in (0, 2)]
    other.set_state(games.get_state(), row=1)
    assert other.get_state(1) == games.get_state()
    np.testing.assert_equal(row_of(other, 1, DECISION), row_of(games, 0, DECISION))
    np.testing.assert_equal([row_of(other, row) for row in (0, 2)], others)
    other.step([np.flatnonzero(mask)[0] for mask in other.masks])
    games.step([np.flatnonzero(games.masks[0])[0]])
    assert other.get_state(1) == games.get_state()


@every_variant_once
def test_a_saved_game_goes_on_with_the_random_numbers_it_had(variant: str, players: int) -> None:
    games = Games(variant, players, autoreset=False)
    saved = play(games, 40).get_state()
    ended = play(games, 500, seed=1).get_state()
    games.set_state(saved)
    assert play(games, 500, seed=2).get_state() != ended
    games.set_state(saved)
    assert play(games, 500, seed=1).get_state() == ended


@every_variant_once
@pytest.mark.parametrize("turn_limit", [1000, 20])
def test_an_ended_game_comes_with_its_end(variant: str, players: int, turn_limit: int) -> None:
    games = play(Games(variant, players, autoreset=False, turn_limit=turn_limit), 700)
    other = play(Games(variant, players, autoreset=False, turn_limit=turn_limit), 20)
    other.set_state(games.get_state())
    end = ("terminated", "truncated", "finished", "final_observations")
    np.testing.assert_equal(row_of(other, 0, (*DECISION, *end)), row_of(games, 0, (*DECISION, *end)))
    assert other.terminated[0] == (turn_limit == 1000)
    assert other.truncated[0] == (turn_limit == 20)
    assert other.results.of(0, 2) == games.results.of(0, 2)
    assert bool(other.results.of(0, 2)) == (turn_limit == 1000)
    assert other.snapshot() == games.snapshot()
    assert not other.rewards.any()


def test_a_note_travels_with_a_state() -> None:
    games = play(Games("usa"), 20)
    assert games.set_state(games.get_state()) is None
    note = {"who": ["Ann", "Ben"], "round": 7}
    assert games.set_state(games.get_state(note=note)) == note


@pytest.mark.parametrize("note", [float("nan"), [float("inf")], {"a": 10**200}, "\ud800", {"a": object()}])
def test_a_note_that_could_not_be_read_again_is_not_saved(note: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"JSON|digits|surrogate"):
        Games("usa").get_state(note=note)


@pytest.mark.parametrize(("variant", "players"), [(variant.id, variant.max_players) for variant in LOADED_VARIANTS])
def test_a_game_is_copied_and_saved_at_every_kind_of_decision(variant: str, players: int) -> None:
    chosen = configuration(variant, players)
    games = Games(chosen, batch=60, autoreset=False)
    games.set_states(None, decisions_of_every_phase(variant, players, False, 60))
    assert set(games.states["phase"].tolist()) == set(np.flatnonzero(chosen.rules[0].phase_slot >= 0))
    restored = Games(chosen, batch=60, autoreset=False, seed=70)
    for row in range(60):
        restored.set_state(games.get_state(row), row)
    copies = [games.clone(), copy.deepcopy(games), by_pickle(games), restored]
    for decisions in (0, 1, 20):
        games.play_random(decisions, seed=8)
        for other in copies:
            other.play_random(decisions, seed=8)
            for name in DECISION:
                assert np.array_equal(getattr(other, name), getattr(games, name))


# Damage


@pytest.fixture(scope="module")
def saved() -> bytes:
    return play(Games("usa", 3), 60).get_state()


def assert_refused(damaged: Any, message: str) -> None:
    """Check that the bytes are refused and change nothing."""
    games = play(Games("usa", 3, batch=2, record=True, seed=4), 11)
    before = [row_of(games, row) for row in range(2)]
    history = games.history(1)
    with pytest.raises(ValueError, match=message):
        games.set_state(damaged, row=1)
    np.testing.assert_equal([row_of(games, row) for row in range(2)], before)
    assert games.history(1) == history


def test_bytes_that_are_cut_off_anywhere_are_refused(saved: bytes) -> None:
    games = Games("usa", 3)
    for length in range(len(saved)):
        with pytest.raises(ValueError, match="saved must be the bytes that get_state"):
            games.set_state(saved[:length])


def test_bytes_with_any_byte_changed_are_refused(saved: bytes) -> None:
    games = Games("usa", 3)
    for place in range(len(saved)):
        damaged = bytearray(saved)
        damaged[place] ^= 1 << place % 8
        with pytest.raises(ValueError, match="saved must be the bytes that get_state"):
            games.set_state(bytes(damaged))


@pytest.mark.parametrize(
    "damage",
    [
        lambda saved: b"",
        lambda saved: b"t2r_env state 1\n",
        lambda saved: saved + b"\0",
        lambda saved: saved + saved,
        lambda saved: saved[:700] + saved[701:],
        lambda saved: saved.replace(b"\n", b"\r\n"),
        lambda saved: pickle.dumps(saved),
        lambda saved: saved.decode("latin-1"),
        lambda saved: None,
        lambda saved: 5,
    ],
)
def test_bytes_that_are_not_a_saved_state_change_nothing(damage: Callable[[bytes], Any], saved: bytes) -> None:
    assert_refused(damage(saved), "saved must be the bytes that get_state")


def test_the_state_of_another_configuration_changes_nothing(tmp_path: Path) -> None:
    other_map = changed_variant(tmp_path, {"variant.toml": ('id = "usa"', 'id = "lakes"')})
    assert_refused(Games(other_map, 3).get_state(), "the saved state has variant 'lakes', but this game has 'usa'")
    assert_refused(Games("usa", 2).get_state(), "the saved state has num_players")
    assert_refused(Games("usa", 3, tickets="classic").get_state(), "the saved state has options")
    assert_refused(
        Games("usa", 3, turn_limit=999).get_state(),
        r"the saved state has options \{'tickets': 'anniversary', 'turn_limit': 999\}",
    )


@pytest.mark.parametrize("row", [-1, 1, 1.5, "0"])
def test_a_row_outside_the_batch_is_refused(row: Any, saved: bytes) -> None:
    games = Games("usa", 3)
    with pytest.raises(ValueError, match="row must be an integer from 0 to 0"):
        games.get_state(row)
    with pytest.raises(ValueError, match="row must be an integer from 0 to 0"):
        games.set_state(saved, row)


# Histories


def test_a_game_put_in_a_row_begins_its_history() -> None:
    games = play(Games("usa", 3, batch=2, record=True, seed=8), 25)
    assert [games.history(row)[0] for row in range(2)] == [8, 9]
    games.set_states([1], games.determinize([1], [3]))
    start, actions = games.history(1)
    assert start == games.get_state(1)
    assert actions == []
    assert games.history(0)[0] == 8
    games.set_state(games.get_state(0), row=1)
    assert games.history(1) == (games.get_state(0), [])


def test_a_game_that_has_not_ended_or_was_not_recorded_has_no_history() -> None:
    for autoreset in (True, False):
        games = play(Games("usa", record=True, autoreset=autoreset), 9)
        with pytest.raises(ValueError, match="no game of row 0 has ended yet"):
            games.history(ended=True)
        assert len(games.history()[1]) == 9
    with pytest.raises(ValueError, match="no actions are recorded"):
        Games("usa").history()


def test_seeds_must_be_one_for_each_row() -> None:
    games = Games("usa", batch=3)
    before = games.get_state(2)
    with pytest.raises(ValueError, match="seeds must hold one seed for each of the 3 rows, not 1"):
        games.reset(seeds=[1])
    with pytest.raises(ValueError, match="seeds must hold one seed for each of the 2 rows, not 3"):
        games.reset([1, 2], seeds=[1, 2, 3])
    assert games.get_state(2) == before


# States from outside


def foreign_states() -> dict[str, Any]:
    five = Games("usa", 5, batch=2)
    five.play_random(150)
    broken = {}
    for field, value in {
        "current": 2,
        "route": 100,
        "face_up": 9,
        "phase": ENDED + 1,
        "offer_index": 6,
        "deck_count": 0,
    }.items():
        states = Games("usa", 2, batch=2).states
        states[field] = value
        broken[field] = states
    for name, phase in {
        "nothing to draw": phases.SECOND_CARD,
        "nothing to pay": phases.PAY,
        "ended while it runs": ENDED,
    }.items():
        states = Games("usa", 2, batch=2).states
        states["phase"] = phase
        for empty in ("deck", "deck_count", "hand", "hand_count", "known"):
            states[empty] = 0
        states["face_up"] = -1
        states["route"] = 0
        broken[name] = states
    every_route = Games("usa", 2, batch=2).states
    every_route["claimed"] = every_route["open"]
    return broken | {
        "every route claimed": every_route,
        "of five players": five.states,
        "too few": Games("usa", 2).states,
        "no states": np.zeros(2),
        "a number": 0,
        "nothing": None,
        "known states": Games("usa", 2, batch=2).views(),
    }


@pytest.mark.parametrize("name", foreign_states())
def test_states_that_cannot_be_played_are_refused_and_nothing_changes(name: str) -> None:
    games = Games("usa", 2, batch=2)
    before = games.states.tobytes()
    with pytest.raises(
        ValueError, match=r"states must be playable states of usa, 2 players: |states must be an array of shape \(2,\)"
    ):
        games.set_states(None, foreign_states()[name])
    assert games.states.tobytes() == before


@every_configuration
def test_states_of_play_are_taken(variant: str, players: int, options: Options) -> None:
    games, other = Games(variant, players, batch=40, seed=9, **options), Games(variant, players, batch=40, **options)
    for decisions in (0, 1, 5, 50, 60, 60):
        games.play_random(decisions)
        other.set_states(None, games.states)
        assert other.states.tobytes() == games.states.tobytes()
        assert np.array_equal(other.masks, games.masks)


def with_tickets(variant: str) -> Table:
    """The first seat holds tickets 0 and 1, the second 2 and 20; the other regular ones are the deck, 3 on top."""
    names = ticket_names(variant, 2)
    return situation(2, holds=[names[:2], [names[2], names[20]]], variant=variant)


def ticket_names(variant: str, players: int) -> list[str]:
    """The regular tickets, by number."""
    return [route_name(ticket.a, ticket.b) for ticket in configuration(variant, players).deck.regular]


def with_shares(players: int) -> Table:
    """The first seat has share 0 of all, the second share 15 (B&O's first), the others are left."""
    names = ticket_names("pennsylvania", players)
    routes = [route_name(it.a, it.b, it.track) for it in load_map("pennsylvania").routes]
    return situation(
        players,
        hands=["5 red, 1 locomotive"],
        routes=[[routes[PRR]], [routes[BO]]],
        shares=[["prr 1"], ["bo 1"]],
        holds=[names[4 * seat : 4 * seat + 4] for seat in range(players)],
        variant="pennsylvania",
    )


def of_teams(*actions: str) -> Table:
    """Team Asia: the first seat has ticket 0, its team ticket 1 and three cards; a tunnel would demand 4."""
    names = ticket_names("team_asia", 4)
    here = {
        "hands": ["7 white"],
        "racks": ["2 blue, 1 white", "1 green"],
        "variant": "team_asia",
        "face_up": "red, blue, orange, yellow, green",
    }
    rest = situation(4, **here).games.states[0].deck - count("4 white, 1 red")  # type: ignore[arg-type]  # as they are
    table = situation(
        4,
        **here,  # type: ignore[arg-type]
        deck="4 white, 1 red",
        discard=cards_text(dict(zip(CARDS, rest.tolist(), strict=True))),
        holds=[[names[0], *names[50:53]], names[53:56], names[44:47], names[47:50]],
        rack_tickets=[[names[1], names[56]], names[57:59]],
    )
    table.play(*actions)
    return table


def of_teams_start() -> Table:
    """The first seat has chosen a ticket for the rack, and the second is to act."""
    table = deal(4, variant="team_asia")
    table.play_all("keep_ticket")
    table.play(min(table.legal))
    return table


def of_technologies(*actions: str) -> Table:
    """United Kingdom: the first seat has the Booster (technology 6)."""
    table = situation(
        2,
        variant="united_kingdom",
        hands=["7 blue, 2 red, 3 locomotive"],
        technologies=[["booster"]],
        holds=[ticket_names("united_kingdom", 2)[:5], ticket_names("united_kingdom", 2)[5:10]],
    )
    table.play(*actions)
    return table


def of_cards(*actions: str, is_scoring: bool = False) -> Table:
    """The Card Game: the first seat can complete its tickets 0 (a yellow card) and 1 (a blue one) with its pile.

    The second seat has a row of red cards and ticket 2, the other cards and tickets are the decks.
    """
    table = deal(2, variant="card_game")
    table.play_all("keep_ticket")
    state = table.games.states[0]
    state.known[:] = 0
    state.hand[:2] = [count("3 blue, 1 red, 2 locomotive"), count("1 purple")]
    state.hand_count[:2] = [6, 1]
    state.on_track[0] = count("1 yellow, 1 locomotive")
    state.yard_owner[RED], state.yard_cards[RED], state.yard_locomotives[RED] = 1, 2, 1
    state.deck = table.games.configuration.rules[0].deck - state.hand.sum(axis=0) - state.on_track[0]
    state.deck -= count("2 red, 1 locomotive") + np.bincount(state.face_up, minlength=len(CARDS))
    state.deck_count = state.deck.sum()
    state.tickets[:2, 0] = [0b011, 0b100]
    state.ticket_count[:2] = [2, 1]
    state.ticket_queue[:] = [*range(3, 46), *[NOTHING] * (len(state.ticket_queue) - 43)]
    state.queue_head, state.queue_count = 0, 43
    if is_scoring:
        state.discard, state.discard_count = state.deck.copy(), state.deck_count
        state.deck[:] = state.deck_count = 0
        state.phase, state.resuming = PHASES.index("complete"), 1
    table.games.set_states([0], table.games.states[:1].copy())
    table.play(*actions)
    return table


RED = CARDS.index("red")
TUNNEL = "claim junction_west-lahore"
FIRST_LONG = 30
FERRY = [route.ferry for route in load_map("pennsylvania").routes].index(2)
PRR = [route.companies for route in load_map("pennsylvania").routes].index(("prr",))
BO = [route.companies for route in load_map("pennsylvania").routes].index(("bo",))
ALL_SHARES, ALL_PRR = (1 << 60) - 1, (1 << 15) - 1

Change = tuple[str, tuple[Any, ...], Any]
"""A field of a state, what of it, and the value to put there."""

SET_UP: dict[str, Callable[[], Table]] = {
    "usa": partial(with_tickets, "usa"),
    "asia": partial(with_tickets, "legendary_asia"),
    "asia's start": partial(deal, 2, variant="legendary_asia"),
    "pennsylvania": partial(with_shares, 2),
    "pennsylvania for 3": partial(with_shares, 3),
    "teams": of_teams,
    "teams' start": of_teams_start,
    "teams, placing": partial(of_teams, "draw_deck"),
    "teams, drawing": partial(of_teams, "draw_deck", "place hand"),
    "teams, sharing": partial(of_teams, "draw_tickets", *["keep_ticket"] * 4),
    "teams, taking from the rack": partial(of_teams, TUNNEL),
    "teams, at a tunnel": partial(of_teams, TUNNEL, "from_rack nothing"),
    "teams, paying at a tunnel": partial(of_teams, TUNNEL, "from_rack nothing", "pay_more 4 cards"),
    "technologies": of_technologies,
    "technologies, spending": partial(of_technologies, "buy wales_concession", "spend blue"),
    "cards": of_cards,
    "cards' start": partial(deal, 2, variant="card_game"),
    "cards, playing a set": partial(of_cards, "play_set blue"),
    "cards, adding locomotives": partial(of_cards, "play_set blue", "set_cards 2"),
    "cards, scoring": partial(of_cards, "complete chicago-new_york", is_scoring=True),
}

NO_USE = "[a-z_]* must be as at first in a game that has no use for it"
NOT_THE_SEATS = "route must be one of the acting seat's once it is paid, and not before"
CARDS_LOST = "the train cards of all places together must be those of the game"
WRONG_DECISION = "phase must be one that this game has"
NO_DECISION = "phase must be that of a decision, or the game must have ended"
TICKET_TWICE = "each ticket must lie in one place"
LONG_IN_HAND = "tickets must hold no more than 1 long ones for each seat"
LONG_ELSEWHERE = "long tickets must be held, or be the first ones on offer at the start"
SHARE_TWICE = "each share must lie in one place"

ALL_OR_KEPT = "to_share must name all tickets of the acting seat, or those that it has kept"
TO_SHARE = "to_share must name tickets of the acting seat"
SHARING = "sharing must name a ticket of each seat that has chosen one"
COPIES = "each copy of a technology must lie in one place"
NO_PURCHASE = "in phase pay either route or one of technology, city must be set"
WRONG_PAYMENT = "payment must be one for the route that is claimed"
DUE = "due and extra must be what a tunnel demands and how it is paid"
APART = "set_aside and revealed must belong to a payment under way"
NO_ACTIONS_GIVEN = "the acting seat must have a legal action"


def needed(field: str) -> str:
    """The error for a field that the decision needs, or that it does not use."""
    return f"{field} must be set if the decision is about it, and only then"


def follows(field: str) -> str:
    """The error for a field that does not follow from the rest."""
    return f"{field} must be what follows from the rest of the game"


def first_of(block: str) -> int:
    """The first action of a block in Team Asia."""
    return configuration("team_asia", 4).layout.actions[block].start


YARD = "yard_owner must name a seat where cards lie, and nobody elsewhere"
SET_CARDS = "set_cards must be coloured cards of the hand in phase set_locomotives, and none otherwise"
KEPT_TOO_FEW = "kept must name as many tickets as must be kept, or leave enough to be kept"
DECIDED = "offer_index and kept must be about tickets on offer that have been decided"
NOT_CHOSEN = "completing must name tickets of seats that have chosen them"

NO_RED_LEFT: list[Change] = [("deck", (RED,), 0), ("deck_count", (), 4)]
"""In Team Asia: the deck without its red card."""
EMPTY_DECK: list[Change] = [("ticket_queue", (...,), NOTHING), ("queue_count", (), 0)]

FAULTS: dict[str, tuple[str, list[Change], str]] = {
    "a ticket in two hands": ("usa", [("tickets", (1, 0), 0b101), ("ticket_count", (1,), 2)], TICKET_TWICE),
    "a ticket held and in the deck": ("usa", [("ticket_queue", (0,), 1)], TICKET_TWICE),
    "a ticket twice in the deck": ("usa", [("ticket_queue", (0,), 4)], TICKET_TWICE),
    "a ticket held and on offer": (
        "usa",
        [("offered", (0, 0), 2), ("offered_count", (0,), 1), ("phase", (), phases.KEEP_TICKET)],
        TICKET_TWICE,
    ),
    "a ticket offered twice": ("asia's start", [("offered", (slice(2), 1), 3)], TICKET_TWICE),
    "a count of more tickets than are held": ("usa", [("ticket_count", (1,), 3)], "ticket_count must be the number"),
    "a count of fewer tickets than are held": ("usa", [("ticket_count", (0,), 1)], "ticket_count must be the number"),
    "more known cards than there are in the hand": ("usa", [("known", (1, 8), 1)], "known must be cards of the hand"),
    "a deck that begins elsewhere": ("usa", [("queue_head", (), 1)], "ticket_queue must have no gaps"),
    "a deck with a gap": (
        "usa",
        [("ticket_queue", (1,), NOTHING), ("queue_count", (), 64)],
        "ticket_queue must have no",
    ),
    "tickets on offer to all in a turn": (
        "cards' start",
        [("turn", (), 5)],
        "each seat must hold as many tickets as it must keep at the start",
    ),
    "tickets on offer when a turn is asked": (
        "cards' start",
        [("phase", (), phases.TURN)],
        "phase must be that of the starting choice before the first turn",
    ),
    "a ticket kept before it is asked about": ("cards' start", [("kept", (0,), 1)], DECIDED),
    "a ticket in decision in a turn": ("usa", [("offer_index", (), 3)], DECIDED),
    "tickets kept in a turn": ("usa", [("kept", (0,), 15)], DECIDED),
    "a gap among the tickets on offer": (
        "asia's start",
        [("offered", (1, 1), NOTHING), ("offered_count", (1,), 3)],
        "offered must have no gaps",
    ),
    "two long tickets in a hand": (
        "asia",
        [("tickets", (0, 0), 0b11 << FIRST_LONG), ("ticket_count", (0,), 2)],
        LONG_IN_HAND,
    ),
    "a long ticket in the deck": ("asia", [("ticket_queue", (0,), FIRST_LONG)], LONG_ELSEWHERE),
    "a long ticket on offer in a turn": (
        "asia",
        [("offered", (0, 0), FIRST_LONG), ("offered_count", (0,), 1), ("phase", (), phases.KEEP_TICKET)],
        LONG_ELSEWHERE,
    ),
    "two long tickets on offer": (
        "asia's start",
        [*EMPTY_DECK, ("offered", (0, slice(4)), [30, 31, 0, 1]), ("offered", (1, slice(4)), [32, 2, 3, 4])],
        LONG_ELSEWHERE,
    ),
    "no long ticket on offer": (
        "asia's start",
        [*EMPTY_DECK, ("offered", (0, slice(4)), [0, 1, 5, 6]), ("offered", (1, slice(4)), [32, 2, 3, 4])],
        LONG_ELSEWHERE,
    ),
    "a share with two holders": ("pennsylvania", [("shares", (1,), 1 << 15 | 1)], SHARE_TWICE),
    "a share of a seat's and of the neutral player's": ("pennsylvania", [("shares", (NEUTRAL,), 1)], SHARE_TWICE),
    "a share held and left": ("pennsylvania", [("shares_left", (), ALL_SHARES)], SHARE_TWICE),
    "a share that is gone": ("pennsylvania", [("shares", (0,), 0)], SHARE_TWICE),
    "a share that there is not": ("pennsylvania", [("shares", (0,), 1 << 60)], SHARE_TWICE),
    "a share in a game without": ("usa", [("shares_left", (), 1)], NO_USE),
    "no decision": ("usa", [("phase", (), TURN_OVER)], NO_DECISION),
    "an end that has no outcome": ("pennsylvania", [("phase", (), ENDED)], NO_DECISION),
    "a share to take in a game without": (
        "usa",
        [("phase", (), phases.TAKE_SHARE), ("route", (), 0)],
        WRONG_DECISION,
    ),
    "the neutral player's share in a game without him": (
        "pennsylvania for 3",
        [("phase", (), phases.NEUTRAL_SHARE), ("route", (), PRR)],
        WRONG_DECISION,
    ),
    "a share to take, but no route": ("pennsylvania", [("phase", (), phases.TAKE_SHARE)], needed("route")),
    "the neutral player's share, but no route": (
        "pennsylvania",
        [("phase", (), phases.NEUTRAL_SHARE)],
        needed("route"),
    ),
    "the neutral player's share for a route without companies": (
        "pennsylvania",
        [("phase", (), phases.NEUTRAL_SHARE), ("route", (), 0)],
        NOT_THE_SEATS,
    ),
    "a share to take for a route without companies": (
        "pennsylvania",
        [("phase", (), phases.TAKE_SHARE), ("route", (), 0)],
        NOT_THE_SEATS,
    ),
    "the neutral player's share of a company sold out": (
        "pennsylvania",
        [
            ("phase", (), phases.NEUTRAL_SHARE),
            ("route", (), PRR),
            ("shares", (0,), ALL_PRR),
            ("shares_left", (), ALL_SHARES & ~ALL_PRR & ~(1 << 15)),
        ],
        "shares must be no more than the claims for which they were taken",
    ),
    "more cards on a rack than are counted": (
        "teams",
        [("rack", (0, RED), 1), *NO_RED_LEFT],
        "rack_count must be the number",
    ),
    "fewer tickets on a rack than are counted": (
        "teams",
        [("rack_ticket_count", (0,), 3)],
        "rack_ticket_count must be the number",
    ),
    "a ticket in a hand and on a rack": (
        "teams",
        [("rack_tickets", (1, 0), 1), ("rack_ticket_count", (1,), 1)],
        TICKET_TWICE,
    ),
    "a ticket on a rack and in the deck": (
        "teams",
        [("rack_tickets", (1, 0), 1 << 40), ("rack_ticket_count", (1,), 1)],
        TICKET_TWICE,
    ),
    "a rack of a team that does not play": (
        "teams",
        [("rack", (2, RED), 1), ("rack_count", (2,), 1), *NO_RED_LEFT],
        "racks must be those of the teams",
    ),
    "a rack in a game without teams": (
        "usa",
        [("rack", (0, 0), 1), ("rack_count", (0,), 1)],
        NO_USE,
    ),
    "tickets on a rack in a game without teams": (
        "usa",
        [*EMPTY_DECK, ("rack_tickets", (0, 0), 1 << 40), ("rack_ticket_count", (0,), 1)],
        NO_USE,
    ),
    "more known cards than a rack has": (
        "teams",
        [("rack_known", (0, 0), 100)],
        "rack_known must be cards of the rack",
    ),
    "tickets to share in a turn": ("teams", [("to_share", (0,), 1)], TO_SHARE),
    "a ticket to share that the seat does not hold": ("teams, sharing", [("to_share", (0,), 0b10)], TO_SHARE),
    "no ticket to share": ("teams, sharing", [("to_share", (0,), 0), ("to_share_count", (), 0)], ALL_OR_KEPT),
    "a ticket chosen for the rack in a turn": ("teams", [("sharing", (0,), 0)], SHARING),
    "a seat that has chosen no ticket": ("teams' start", [("sharing", (0,), NOTHING)], SHARING),
    "a seat that has chosen too early": ("teams' start", [("sharing", (2,), 0)], SHARING),
    "a technology of somebody who does not play": (
        "technologies",
        [("technologies", (2,), 1), ("technologies_left", (0,), 3)],
        "technologies must be as at first for seats that are empty",
    ),
    "a technology too many in the supply": ("technologies", [("technologies_left", (0,), 5)], COPIES),
    "a technology that is gone": ("technologies", [("technologies", (0,), 0)], COPIES),
    "a technology that only the advanced game has": (
        "technologies",
        [("technologies", (0,), 1 << 6 | 1 << 11)],
        COPIES,
    ),
    "a technology in a game without": ("usa", [("technologies", (0,), 1)], NO_USE),
    "a ticket in decision that is not on offer": (
        "asia's start",
        [("offer_index", (), 4)],
        "the ticket to decide on must be on offer",
    ),
    "nothing to pay for": ("technologies", [("phase", (), phases.PAY)], NO_PURCHASE),
    "two things to pay for": ("technologies, spending", [("route", (), 0)], NO_PURCHASE),
    "a route in decision in a turn": ("usa", [("route", (), 0)], needed("route")),
    "no route at a tunnel": ("teams, at a tunnel", [("route", (), -1)], needed("route")),
    "a technology in decision in a turn": ("technologies", [("technology", (), 0)], needed("technology")),
    "a card to place in a turn": ("teams", [("unplaced", (), RED), *NO_RED_LEFT], needed("unplaced")),
    "no card to place": ("teams, placing", [("unplaced", (), NOTHING)], CARDS_LOST),
    "a card placed in a turn": ("teams", [("placed", (), 0)], needed("placed")),
    "a first card that was not placed": ("teams, drawing", [("placed", (), -1)], needed("placed")),
    "a company in a turn": ("pennsylvania", [("company", (), 0)], needed("company")),
    "a tunnel paid in a turn": ("teams", [("extra", (), 0)], needed("extra")),
    "a payment in a turn": ("teams", [("payment", (), 0)], needed("payment")),
    "no payment at a tunnel": ("teams, at a tunnel", [("payment", (), -1)], needed("payment")),
    "no payment of which cards come from the rack": (
        "teams, taking from the rack",
        [("payment", (), -1)],
        needed("payment"),
    ),
    "a payment that is no payment": ("teams, at a tunnel", [("payment", (), 0)], WRONG_PAYMENT),
    "a payment of more locomotives than the route has spaces": (
        "teams, at a tunnel",
        [("payment", (), first_of("pay") + 3)],
        WRONG_PAYMENT,
    ),
    "a tunnel that demands nothing": ("teams, at a tunnel", [("due", (), 0)], DUE),
    "more paid at a tunnel than it demands": ("teams, paying at a tunnel", [("due", (), 0)], DUE),
    "more locomotives paid at a tunnel than it demands": (
        "teams, paying at a tunnel",
        [("extra", (), first_of("pay_more") + 6)],
        DUE,
    ),
    "something else paid at a tunnel": ("teams, paying at a tunnel", [("extra", (), 0)], DUE),
    "a tunnel that demands more than it can": ("teams, at a tunnel", [("due", (), 9)], "due must lie between 0 and 8"),
    "cards laid out in a turn": ("teams", [("set_aside", (0, RED), 1), *NO_RED_LEFT], APART),
    "cards laid out from a rack in a turn": ("teams", [("set_aside", (1, RED), 1), *NO_RED_LEFT], APART),
    "cards turned up in a turn": ("teams", [("revealed", (RED,), 1), *NO_RED_LEFT], APART),
    "cards turned up before the payment is laid out": (
        "teams, taking from the rack",
        [("revealed", (RED,), 1), *NO_RED_LEFT],
        APART,
    ),
    "cards spent in a game without exchanges": ("usa", [("set_aside", (0, 0), 1)], CARDS_LOST),
    "a locomotive spent": ("technologies, spending", [("set_aside", (0, 8), 1)], CARDS_LOST),
    "more cards spent than the price takes": ("technologies, spending", [("set_aside", (0, 1), 9)], CARDS_LOST),
    "an exchange half made that can't be completed": (
        "technologies, spending",
        [("hand", (0,), 0), ("hand_count", (0,), 0)],
        CARDS_LOST,
    ),
    "a tunnel where the rack can't hold what was chosen": (
        "teams, taking from the rack",
        [("hand", (0,), 0), ("hand_count", (0,), 0), ("rack", (0,), 0), ("rack_count", (0,), 0)],
        CARDS_LOST,
    ),
    "a payment that pays for nothing": (
        "pennsylvania",
        [("phase", (), phases.TAKE_SHARE), ("route", (), PRR), ("payment", (), 0)],
        WRONG_PAYMENT,
    ),
    "a ferry to pay with too few locomotives": (
        "pennsylvania",
        [("phase", (), phases.PAY), ("route", (), FERRY)],
        NO_ACTIONS_GIVEN,
    ),
    "a deck that is gone": ("cards", [("deck", (...,), 0), ("deck_count", (), 0)], CARDS_LOST),
    "a card too many in the discard": ("cards", [("discard", (0,), 1), ("discard_count", (), 1)], CARDS_LOST),
    "a card gone from the row": ("cards", [("face_up", (0,), NOTHING)], CARDS_LOST),
    "a card too few in a hand": ("cards", [("hand", (1,), 0), ("hand_count", (1,), 0)], CARDS_LOST),
    "a card too many on a pile": ("cards", [("on_track", (1, 0), 1)], CARDS_LOST),
    "a card gone from a rail yard": ("cards", [("yard_cards", (RED,), 1)], CARDS_LOST),
    "a locomotive gone from a rail yard": ("cards", [("yard_locomotives", (RED,), 0)], CARDS_LOST),
    "a row of nobody": ("cards", [("yard_owner", (RED,), NOTHING)], YARD),
    "a row without cards": ("cards", [("yard_owner", (0,), 0)], YARD),
    "a row of somebody who does not play": (
        "cards",
        [("yard_owner", (RED,), 2)],
        "yard_owner must lie between -1 and 1",
    ),
    "a ticket held and completed": ("cards", [("completed_tickets", (0, 0), 0b100)], TICKET_TWICE),
    "a ticket completed and in the deck": ("cards", [("completed_tickets", (0, 0), 1 << 40)], TICKET_TWICE),
    "a ticket completed that there is not": (
        "cards",
        [("completed_tickets", (0, 0), 1 << 46)],
        "completed_tickets must name no more than 46",
    ),
    "a ticket chosen that there is not": (
        "cards, scoring",
        [("completing", (0, 1), 1)],
        "completing must name no more than 46",
    ),
    "a set in decision in a turn": ("cards", [("set_colour", (), 1)], needed("set_colour")),
    "no set in decision": ("cards, playing a set", [("set_colour", (), NOTHING)], needed("set_colour")),
    "no set that locomotives are added to": (
        "cards, adding locomotives",
        [("set_colour", (), NOTHING)],
        needed("set_colour"),
    ),
    "a set of a colour that there is not": (
        "cards, playing a set",
        [("set_colour", (), 8)],
        "set_colour must lie between -1 and 7",
    ),
    "a set of a colour that the hand has not": ("cards, playing a set", [("set_colour", (), 0)], NO_ACTIONS_GIVEN),
    "a set of a colour that the seat has in its rail yard": (
        "cards, playing a set",
        [("yard_owner", (RED,), 0), ("set_colour", (), RED)],
        NO_ACTIONS_GIVEN,
    ),
    "a set that can not be large enough to rob": ("cards, playing a set", [("set_colour", (), RED)], NO_ACTIONS_GIVEN),
    "cards of a set before they are chosen": ("cards, playing a set", [("set_cards", (), 1)], SET_CARDS),
    "cards of a set in a turn": ("cards", [("set_cards", (), 1)], SET_CARDS),
    "no cards of the set that locomotives are added to": (
        "cards, adding locomotives",
        [("set_cards", (), 0)],
        SET_CARDS,
    ),
    "more cards in the set than in the hand": ("cards, adding locomotives", [("set_cards", (), 4)], SET_CARDS),
    "a ticket chosen that the seat does not hold": ("cards, scoring", [("completing", (0, 0), 0b101)], NOT_CHOSEN),
    "a ticket chosen by a seat that is asked later": ("cards, scoring", [("completing", (1, 0), 0b100)], NOT_CHOSEN),
    "a ticket chosen in a turn": ("cards", [("completing", (0, 0), 1)], NOT_CHOSEN),
    "tickets chosen for which the pile does not suffice": (
        "cards, scoring",
        [("completing", (0, 0), 0b11), ("on_track", (0, 8), 0), ("hand", (1, 8), 1), ("hand_count", (1,), 2)],
        "completing must name tickets for which the pile suffices",
    ),
    "a second scoring of two players": ("cards", [("scoring_round", (), 2)], "scoring_round must lie between 1 and 1"),
    "no scoring to come": ("cards", [("scoring_round", (), 0)], "scoring_round must lie between 1 and 1"),
    "a seat that can not resume": ("cards", [("resuming", (), 2)], "resuming must lie between 0 and 1"),
    "more cards in a hand than there are": ("usa", [("hand", (1, 0), 100), ("hand_count", (1,), 100)], CARDS_LOST),
    "cards that add up only modulo 256": (
        "usa",
        [
            ("hand", (slice(2), 1), 127),
            ("hand_count", (slice(2),), 127),
            ("discard", (1,), 2),
            ("discard_count", (), 2),
        ],
        CARDS_LOST,
    ),
    "another seat that chooses at the start": ("asia's start", [("current", (), 1)], KEPT_TOO_FEW),
    "a turn before the start is over": ("asia's start", [("passes", (), 1)], "passes must be as at first before"),
    "a ticket that is gone": (
        "usa",
        [("tickets", (0, 0), 1), ("ticket_count", (0,), 1)],
        "no tickets may be missing but those that were refused at the start and left the game",
    ),
    "more tickets kept at the start than decided": ("asia's start", [("kept", (0,), 8)], DECIDED),
    "a seat that is not offered enough": (
        "asia's start",
        [("offered", (1, 3), NOTHING), ("offered_count", (1,), 3)],
        "no tickets may be missing but those that were refused at the start and left the game",
    ),
    "another seat's turn": ("usa", [("current", (), 1)], "current must be the seat whose turn it is"),
    "a turn of another seat": ("usa", [("turn", (), 2)], "current must be the seat whose turn it is"),
    "a turn after the limit": ("usa", [("turn", (), 20_001)], "turn must lie between 0 and"),
    "a pass while there are cards": ("usa", [("passes", (), 1)], "passes must be 0 while there is something to draw"),
    "a last round for no reason": ("usa", [("last_turns_left", (), 2)], "last_turns_left must be set if a team"),
    "trains that are gone": ("usa", [("trains", (0,), 40)], follows("trains")),
    "points for nothing": ("usa", [("score", (0,), 7)], follows("score")),
    "points for routes not claimed": (
        "usa",
        [("score", (0,), 7), ("breakdown", (0, parts.ROUTES), 7)],
        "breakdown must have the points of the routes claimed",
    ),
    "points for tickets before the end": ("usa", [("breakdown", (0, parts.TICKETS), 7)], follows("breakdown")),
    "a route claimed without trains": ("usa", [("claimed", (0, 0), 1)], "breakdown must have the points of the routes"),
    "a route that is open to one seat alone": ("usa", [("open", (1, 0), 1)], follows("open")),
    "cities joined by no route": ("usa", [("component", (0, 3), 4)], follows("component")),
    "a label that is no city": ("pennsylvania", [("component", (0, 60), 61)], follows("component")),
    "a rank before the end": ("usa", [("rank", (0,), 1)], follows("rank")),
    "something of a seat that is empty": ("usa", [("trains", (3,), 1)], "trains must be as at first for seats that"),
    "a card drawn in a turn": ("usa", [("drawn_slot", (), 5)], "drawn_slot must be set if another card may be drawn"),
    "a card drawn from no slot": ("usa", [("drawn", (), 3)], "drawn must be a card if it was drawn from a slot"),
    "a slot that is empty beside a deck": (
        "usa",
        [("face_up", (0,), NOTHING), ("discard", (0,), 1), ("discard_count", (), 1)],
        "the deck and the slots of face-up cards must be filled while there are cards",
    ),
    "shares taken out of order": (
        "pennsylvania",
        [("shares", (0,), 2), ("shares_left", (), (1 << 60) - 1 & ~2 & ~(1 << 15))],
        "shares must be taken in the order of their numbers",
    ),
    "a technology that was not bought by who acts": (
        "technologies",
        [("bought", (), 0)],
        "bought must be a technology that the acting seat holds",
    ),
    "a technology paid for twice": (
        "technologies, spending",
        [("technology", (), 6)],
        "technology must be one that is left and that the acting seat does not hold",
    ),
    "another demand of a tunnel": (
        "teams, at a tunnel",
        [("due", (), 3)],
        "revealed must be the cards turned up for the tunnel, and due what they demand",
    ),
    "another payment than was laid out": (
        "teams, at a tunnel",
        [("payment", (), first_of("pay") + 8 * configuration("team_asia", 4).rules[0].pay_width + 1)],
        "set_aside must be the payment for the tunnel",
    ),
    "a second ticket to share in a turn": ("teams", [("moved", (), 1)], "moved must be set if a second ticket"),
    "a scoring before the deck is empty": (
        "cards",
        [("last_turns_left", (), 1)],
        "last_turns_left must be set once the deck is empty, and only then",
    ),
    "tickets completed before the first scoring": (
        "cards",
        [("tickets", (0, 0), 0b001), ("completed_tickets", (0, 0), 0b010), ("ticket_count", (0,), 1)],
        "completed_tickets must be empty before the first scoring",
    ),
    "a decision about trains in a game without": ("cards", [("phase", (), 6)], "phase must lie between -2 and 5"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_state_is_named(name: str) -> None:
    """C14, C20, LA2, PA4, PA8."""
    set_up, changes, message = FAULTS[name]
    games = SET_UP[set_up]().games
    states = games.states.copy()
    games.set_states(None, states)
    for field, place, value in changes:
        states[field][0, *place] = value
    with pytest.raises(ValueError, match=f"states must be playable states of .* players: {message}"):
        games.set_states(None, states)


def test_a_forged_state_with_a_right_checksum_is_refused() -> None:
    games = Games("usa", 2)
    saved = games.get_state()
    mark, _, heading, _ = saved.split(b"\n", 3)
    body = bytes([0x7F]) * (len(saved) - len(mark) - len(heading) - 11)
    content = heading + b"\n" + body
    forged = mark + b"\n%08x\n" % zlib.crc32(content) + content
    with pytest.raises(ValueError, match="states must be playable states of usa"):
        games.set_state(forged)
    assert games.get_state() == saved


@pytest.mark.parametrize("heading", [b"", b"[]", b"{}", b"{nothing"])
def test_a_damaged_heading_is_refused(heading: bytes) -> None:
    content = heading + b"\n"
    with pytest.raises(ValueError, match=r"saved must be the bytes that get_state\(\) returned, but their"):
        Games("usa", 2).set_state(b"t2r_env state 1\n%08x\n" % zlib.crc32(content) + content)


def with_heading(saved: bytes, **changes: Any) -> bytes:
    """Bytes of a game with other entries in their heading, and a right checksum."""
    mark, _, heading, body = saved.split(b"\n", 3)
    content = json.dumps(json.loads(heading) | changes).encode() + b"\n" + body
    return mark + b"\n%08x\n" % zlib.crc32(content) + content


@pytest.mark.parametrize("seed", [7, None, "", "x", "-1", "1.0", str(2**64), "9" * 5000, ["7"], True])
def test_a_seed_that_is_no_64_bit_number_is_refused_and_nothing_changes(saved: bytes, seed: Any) -> None:
    assert_refused(with_heading(saved, seed=seed), "the seed of a saved game must be a 64-bit number in a string")


def test_bytes_beyond_the_limit_are_neither_read_nor_written(saved: bytes) -> None:
    assert_refused(saved + bytes(MAX_SAVED_BYTES), f"a saved game must have at most {MAX_SAVED_BYTES:,} bytes, not")
    with pytest.raises(ValueError, match=f"a saved game must have at most {MAX_SAVED_BYTES:,} bytes, not"):
        Games("usa").get_state(note="x" * MAX_SAVED_BYTES)


def test_a_heading_nested_too_deeply_is_refused() -> None:
    content = b"[" * 100_000 + b"\n"
    assert_refused(b"t2r_env state 1\n%08x\n" % zlib.crc32(content) + content, "but their heading is missing")


@every_configuration
def test_games_that_are_over_are_taken_with_their_results_and_with_no_others(
    variant: str, players: int, options: Options
) -> None:
    games = Games(variant, players, batch=4, seed=3, autoreset=False, **options)
    games.play_random(5000)
    other = Games(variant, players, batch=4, autoreset=False, **options)
    other.set_states(None, games.states)
    assert other.results.scores.tolist() == games.results.scores.tolist()
    for field in ("score", "breakdown", "completed", "failed", "rank"):
        states = games.states.copy()
        states[field][1, 0] += 1
        with pytest.raises(ValueError, match=r"must be what follows from the rest|breakdown must have the points"):
            other.set_states(None, states)


@every_variant_once
def test_games_forfeited_at_any_decision_are_taken(variant: str, players: int) -> None:
    games = Games(variant, players, batch=12, autoreset=False, illegal_action="terminate")
    games.set_states(None, decisions_of_every_phase(variant, players, False, 12))
    games.step([-1] * 12)
    other = Games(variant, players, batch=12, autoreset=False)
    other.set_states(None, games.states)
    assert other.terminated.all()
    states = games.states.copy()
    states["deck_count"] += 1
    with pytest.raises(ValueError, match="a forfeited game must have been at a decision of the game"):
        other.set_states(None, states)


def test_no_states_are_taken_for_no_rows() -> None:
    games = Games("usa")
    before = games.states.tobytes()
    games.set_states([], games.states[:0])
    assert games.states.tobytes() == before


def test_an_array_that_hides_its_values_is_checked_all_the_same() -> None:
    games = Games("usa")
    states = games.states.copy()
    states["hand"][0, 0, 0] += 100
    with pytest.raises(ValueError, match="states must be playable states"):
        games.set_states(None, np.ma.MaskedArray(states, np.ones(1, bool)))


def test_a_state_that_random_seats_forbid_changes_nothing() -> None:
    games = Games("usa", 2)
    before, states = games.states.tobytes(), Games("usa", 2, seed=9).states
    games.random_seats[:] = True
    with pytest.raises(ValueError, match="random_seats must leave out one seat"):
        games.set_states(None, states)
    assert games.states.tobytes() == before


def test_a_restored_game_is_followed_by_the_same_next_game() -> None:
    source, games = Games("usa", 2, seed=7), Games("usa", 2, seed=100)
    games.set_state(source.get_state())
    for one in (source, games):
        one.reset()
    assert source.states.tobytes() == games.states.tobytes()


def test_a_game_forfeited_while_tickets_are_completed_loads_again() -> None:
    games = Games("card_game", 2, illegal_action="terminate", autoreset=False, record=True)
    complete = games.layout.actions["complete"]
    rng = np.random.default_rng(0)
    while not games.masks[0, complete.slice].any():
        games.step([rng.choice(np.flatnonzero(games.masks[0]))])
    games.step([complete.start + games.masks[0, complete.slice].argmax()])
    games.step([complete.start - 1])
    assert games.snapshot()["outcome"] == "forfeited"
    saved, snapshot = games.get_state(), games.snapshot()
    games.reset()
    games.set_state(saved)
    assert games.snapshot() == snapshot


def test_an_ended_game_put_in_leaves_the_history_alone() -> None:
    source = Games("usa", 2, autoreset=False)
    source.play_random(5000)
    games = Games("usa", 2, 2, record=True)
    games.set_state(source.get_state(), 0)
    before = games.history(0)
    for _ in range(5):
        games.step([0, int(np.flatnonzero(games.masks[1])[0])])
    assert games.history(0) == before
    assert len(games.history(1)[1]) == 5


# Arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"autoreset": "no"}, "autoreset must be one of True, False, not 'no'"),
        ({"observe": 1}, "observe must be one of True, False, not 1"),
        ({"record": None}, "record must be one of True, False, not None"),
        ({"reward": "points"}, "reward must be one of rank, win, score, margin, not 'points'"),
        ({"illegal_action": "ignore"}, "illegal_action must be one of raise, terminate, not 'ignore'"),
        ({"batch": 0}, "batch must be an integer, at least 1, not 0"),
        ({"threads": 1.5}, "threads must be an integer, at least 1, not 1.5"),
        ({"seed": -1}, "a seed must be an integer from 0 to"),
        ({"tickets": np.array(["classic"])}, "usa has no tickets"),
    ],
)
def test_an_argument_that_is_not_allowed_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Games("usa", **arguments)


@pytest.mark.parametrize("action", [1.5, "162", True, None, [162]])
def test_only_integers_are_described(action: Any) -> None:
    with pytest.raises(ValueError, match="an action must be an integer, not"):
        Games("usa").describe(action)


def test_payments_that_do_not_pay_are_not_described() -> None:
    """C9."""
    table = situation(hands=["2 blue, 1 locomotive"])
    table.play("claim atlanta-nashville")
    pay = table.games.layout.actions["pay"].start
    with pytest.raises(ValueError, match="does not pay the price of 1 cards"):
        table.games.describe(pay + 5)
