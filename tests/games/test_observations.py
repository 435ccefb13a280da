"""Observations and global states say what the states say, wherever they are written and whatever was there before."""

import itertools
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.core.bits import write_bits
from t2r_env.core.compiled import cached
from t2r_env.core.layout import Segments
from t2r_env.rules import batch as core
from t2r_env.rules.map_game.records import NEUTRAL
from t2r_env.rules.names import PHASES
from tests.helpers.playing import Options, every_deck, fewest_and_most
from tests.helpers.situations import configuration

MARGIN = 64
"""Bytes on each side of a vector that nobody may write to: as many as the widest stores write."""

SHOWN_TO_ALL = {"discard", "deck", "deck_count", "ticket_deck_count", "last_turns_left", "revealed", "set_aside"}
SHOWN_TO_ALL |= {"passes", "claims", "scoring_round", "face_up", "subject_route", "subject_technology", "bought"}
SHOWN_TO_ALL |= {"placed", "subject_set", "subject_city"}
SHOWN_OF_SEATS = {"known", "hand_count", "ticket_count", "trains", "claimed", "technologies", "shares", "on_track"}
SHOWN_OF_SEATS |= {"completed_tickets"}
SHOWN_OF_TEAMS = {"rack_known", "rack_count", "rack_ticket_count"}
OF_THE_SEAT = {"hand", "tickets", "completing"}
OF_ITS_TEAM = {"rack", "rack_tickets"}
"""Segments that show a field of the states as it is, as a set, or as one of several things."""
FIELDS = {"ticket_deck_count": "queue_count", "subject_route": "route", "subject_technology": "technology"}
FIELDS |= {"subject_set": "set_colour", "subject_city": "city"}
"""The names of these fields where they are other than the segments' names."""
TOLD_ELSEWHERE = {"next_turn", "subject_ticket", "offered", "kept", "completed", "ticket_deck", "subject_payment"}
TOLD_ELSEWHERE |= {"subject_cards", "drawn", "rack_completed", "to_share", "sharing", "technologies_left"}
"""Segments that only golden games and tests of rules look at."""


def written_by(write: Any, size: int, background: int) -> NDArray[np.uint8]:
    """A vector of this size, a row, over a background of the same bytes all over, around which nothing is written."""
    memory = np.full(MARGIN + size + MARGIN, background, np.uint8)
    write(memory[None, MARGIN:-MARGIN])
    assert np.all(memory[:MARGIN] == background)
    assert np.all(memory[-MARGIN:] == background)
    return memory[MARGIN:-MARGIN]


@cached
def _write_word(words: NDArray[Any], size: int, vectors: NDArray[Any]) -> None:
    write_bits(words[0], size, 0, vectors[0])


def bits_of(words: NDArray[Any], size: int) -> NDArray[np.uint8]:
    """Sets of 64-bit words as zeros and ones: the words are the last axis."""
    return np.unpackbits(words.astype("<u8", order="C").view(np.uint8), axis=-1, count=size, bitorder="little")


def test_the_lowest_bits_of_a_word_are_written_as_zeros_and_ones() -> None:
    """As many as are asked for, and nothing beside them."""
    words = np.random.default_rng(0).integers(2**64, size=20, dtype=np.uint64)
    for size, word in itertools.product(range(65), (*words, np.uint64(0), np.uint64(2**64 - 1))):
        given = np.array([word])
        vector = written_by(partial(_write_word, given, size), size, 7)
        assert vector.tolist() == bits_of(given, size).tolist()


@every_deck
def test_vectors_say_what_the_states_say_and_are_written_whole_and_nothing_beside_them(
    variant: str, players: int, options: Options
) -> None:
    """C20: for every seat, numbers, sets and one-hots are those that NumPy makes of the states.

    Nothing is left of what was in their memory before.
    """
    games = Games(configuration(variant, players, **options), batch=40, seed=3)
    rules, layout = games.configuration.rules, games.layout
    for seed in range(4):
        games.play_random(25, seed=seed)
        for seat in range(players):
            check_segments(games, layout.observation, games.observe(None, [seat] * games.batch), seat)
        check_segments(games, layout.global_state, games.global_state(), 0)
        for row in range(12):
            rows, seats = np.array([row]), np.array([row % players])
            observe = partial(core.observe_seats, games.states, rules, rows, seats)
            write_all = partial(core.write_global_states, games.states, rules, rows)
            for write, segments in ((observe, layout.observation), (write_all, layout.global_state)):
                one, other = (written_by(write, segments.size, background) for background in (0, 0xAA))
                assert np.array_equal(one, other)


def check_segments(games: Games, layout: Segments, vectors: NDArray[np.uint8], seat: int) -> None:
    """What a seat sees; or the global state, which shows what is each seat's, too."""
    seats, teams = games.num_players, games.configuration.num_teams
    own = 1 if layout is games.layout.observation else None
    in_turn = np.roll(np.arange(seats), -seat)
    teams_in_turn = np.roll(np.arange(teams), -games.configuration.rules[0].team[seat])
    rows: dict[str, Any] = dict.fromkeys(SHOWN_TO_ALL, slice(None))
    rows |= dict.fromkeys(SHOWN_OF_SEATS, in_turn) | dict.fromkeys(OF_THE_SEAT, in_turn[:own])
    rows |= dict.fromkeys(SHOWN_OF_TEAMS, teams_in_turn) | dict.fromkeys(OF_ITS_TEAM, teams_in_turn[:own])
    if "shares" in layout and layout["shares"].shape[0] > seats:
        rows["shares"] = [*in_turn, NEUTRAL]
    shown = [name for name in layout if name in rows]
    assert len(shown) >= 10
    for name in shown:
        segment, field = layout[name], games.states[FIELDS.get(name, name)]
        seen = vectors[:, segment.slice].reshape(games.batch, *segment.shape)
        if field.ndim > 1:
            field = field[:, rows[name]]
        if field.dtype == np.uint64 or name == "technologies":
            expected = bits_of(field.reshape(games.batch, len(rows[name]), -1), segment.shape[-1])
        elif np.any(field < 0) or field[0].size < seen[0].size:
            expected = field[..., None] == np.arange(segment.shape[-1])
        else:
            expected = field
        assert np.array_equal(seen, expected.reshape(seen.shape)), name
    made = made_of_fields(games, in_turn)
    missing = layout.keys() - {*shown, *made} - TOLD_ELSEWHERE
    assert not missing, f"{missing} must be in a list above, or in made_of_fields"
    for name, expected in made.items():
        assert np.array_equal(vectors[:, layout[name].slice].reshape(expected.shape), expected), name


def made_of_fields(games: Games, in_turn: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What segments show that is no field, as points (TA1), rail yards (CG3), stations (EU6) and shares (PA4, PA8)."""
    states, rules, layout = games.states, games.configuration.rules[0], games.layout.observation
    made = {"score": np.clip(states["score"][:, rules.team[in_turn]], 0, 255)}
    made["phase"] = states["phase"][:, None] == [PHASES.index(name) for name in games.configuration.phases]
    made["to_move"] = (states["current"][:, None] == in_turn) & (states["phase"][:, None] >= 0)
    made["turns_left"] = np.minimum(rules.turn_limit - states["turn"], 255)
    if "yard" in layout:
        is_there = states["yard_owner"][:, None] == in_turn[:, None]
        made |= {"yard": is_there * states["yard_cards"][:, None], "subject_cards": states["set_cards"]}
        made["yard_locomotives"] = is_there * states["yard_locomotives"][:, None]
    if "stations" in layout:
        built = states["stations"][:, in_turn]
        made["stations"] = (built[..., None] == np.arange(layout["stations"].shape[1])).any(axis=2)
        made["stations_left"] = 3 - (built >= 0).sum(axis=2)
    if "shares" in layout:
        companies, holders = rules.company_shares[: layout["shares_left"].size], [*in_turn, NEUTRAL]
        held = states["shares"][:, holders[: layout["shares"].shape[0]], None]
        made["share_count"] = np.bitwise_count(held & companies)
        made["shares_left"] = np.bitwise_count(states["shares_left"][:, None] & companies)
    return made


@fewest_and_most
def test_what_stepping_writes_is_what_the_acting_seat_sees(variant: str, players: int, options: Options) -> None:
    """After steps, ends of games, resets, states put in, in copies, and with seats that play inside the core."""
    games = Games(configuration(variant, players, **options), batch=16, seed=5)
    for turn in range(12):
        games.play_random(70, seed=turn)
        check_written(games)
        games.random_seats[:, -1] = turn % 2
        for _ in range(3):
            last = games.masks.shape[1] - 1 - games.masks[:, ::-1].argmax(axis=1)
            games.step(last)
            check_written(games)
        other = games.clone()
        other.reset([0, 3])
        other.set_states([1, 2, 4], games.states[[7, 8, 9]])
        check_written(other)
        check_written(games)
    assert np.any(games.finished["decisions"] > 0)


def check_written(games: Games) -> None:
    """The observations are what is written into new memory: of the acting seats, and of all at the ends of games."""
    assert np.array_equal(games.observations, games.observe())
    ended = np.flatnonzero(games.finished["decisions"] > 0)
    for seat in range(games.num_players):
        vectors = np.zeros((len(ended), games.observations.shape[1]), np.uint8)
        seats = np.full(len(ended), seat)
        core.observe_seats(games.finished, games.configuration.rules, ended, seats, vectors)
        assert np.array_equal(games.final_observations[ended, seat], vectors)
