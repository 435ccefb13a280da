"""Games copied and saved in the middle of play, and the errors for damaged bytes."""

import json
import pickle
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.core.records import GAP
from t2r_env.history.saving import MAX_SAVED_BYTES
from t2r_env.rules.check import bounds
from t2r_env.rules.names import ENDED, PHASES, TURN_OVER, phases
from t2r_env.variants import load_variant
from tests.helpers.environments import choose
from tests.helpers.maps import map_configuration
from tests.helpers.playing import COPIES, Options, decisions_of_every_phase, every_variant_once, fewest_and_most
from tests.helpers.situations import changed_variant, configuration, differing_fields, situation

DECISION = ("states", "masks", "observations", "current")
"""The arrays of a game that waits for a decision."""
EVERYTHING = (*DECISION, "rewards", "terminated", "truncated", "seeds", "finished", "final_observations")


def play(games: Games, decisions: int) -> Games:
    """Play on by `step`, at random; nothing happens after the end."""
    rng = np.random.default_rng(0)
    for _ in range(decisions):
        games.step(choose(games.masks, rng))
    return games


def assert_same(games: Games, expected: Games, names: tuple[str, ...] = EVERYTHING) -> None:
    for name in names:
        np.testing.assert_array_equal(getattr(games, name), getattr(expected, name))


@fewest_and_most
def test_a_game_is_copied_and_saved_at_every_kind_of_decision(variant: str, players: int, options: Options) -> None:
    """It goes on in any row as it would have, and so does the next game; other rows stay."""
    chosen = configuration(variant, players, **options)
    games, restored = (Games(chosen, batch=60, threads=2, autoreset=False, seed=seed) for seed in (0, 70))
    games.set_states(None, decisions_of_every_phase(variant, players, bool(options), 60))
    assert set(games.states["phase"].tolist()) == set(np.flatnonzero(chosen.rules[0].phase_slot >= 0))
    for row in range(60):
        others = restored.states[restored.seeds >= 70]
        restored.set_state(games.get_state(row), row)
        assert restored.get_state(row) == games.get_state(row)
        assert np.array_equal(restored.states[restored.seeds >= 70], others[1:])
    copies = [*(duplicate(games) for duplicate in COPIES), restored]
    for decisions in (0, 1, 20, None):
        for it in (games, *copies):
            it.reset() if decisions is None else it.play_random(decisions, seed=8)
        for other in copies:
            assert_same(other, games, DECISION if other is restored else EVERYTHING)


@every_variant_once
@pytest.mark.parametrize("turn_limit", [1000, 20])
def test_an_ended_game_comes_with_its_end(variant: str, players: int, turn_limit: int) -> None:
    games, other = (Games(variant, players, autoreset=False, turn_limit=turn_limit, seed=0) for _ in range(2))
    play(games, 700)
    play(other, 20)
    other.set_state(games.get_state())
    assert_same(other, games, (*DECISION, "terminated", "truncated", "finished", "final_observations"))
    assert other.terminated[0] == (turn_limit == 1000)
    assert other.truncated[0] == (turn_limit == 20)
    assert not other.rewards.any()


def test_a_note_travels_with_a_state() -> None:
    games = play(Games("usa", seed=0), 20)
    assert games.set_state(games.get_state()) is None
    note = {"who": ["Ann", "Ben"], "round": 7}
    assert games.set_state(games.get_state(note=note)) == note


@pytest.mark.parametrize("note", [float("nan"), [float("inf")], {"a": 10**200}, "\ud800", {"a": object()}])
def test_a_note_that_could_not_be_read_again_is_not_saved(note: Any) -> None:
    with pytest.raises(ValueError, match=r"JSON|digits|surrogate"):
        Games("usa", seed=0).get_state(note=note)


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_equal_states_are_equal_to_the_byte_wherever_they_were_copied(variant: str) -> None:
    """So they can be hashed: no byte of a record belongs to no field, as NumPy copies fields alone."""
    games = play(Games(variant, batch=4, seed=0), 40)
    dtype = games.states.dtype
    assert sum(field.itemsize for field, *_ in dtype.fields.values()) == dtype.itemsize
    for other in [duplicate(games) for duplicate in COPIES]:
        assert other.states.tobytes() == games.states[np.arange(4)].tobytes() == games.states.copy().tobytes()
        assert other.determinize(None, range(4)).tobytes() == games.determinize(None, range(4)).tobytes()
    foreign = games.states.copy()
    foreign[GAP] = 255
    games.set_states(None, foreign)
    assert games.states.tobytes() == other.states.tobytes()


@pytest.mark.parametrize("name", ["states", "_rows"])
def test_games_pickled_with_other_records_are_refused(name: str) -> None:
    games = Games("usa", seed=0)
    setattr(games, name, np.zeros(1, [("turn", "i8")]))
    with pytest.raises(ValueError, match="pickled by a version of t2r_env with other records"):
        pickle.loads(pickle.dumps(games))


@pytest.fixture(scope="module")
def saved() -> bytes:
    return play(Games("usa", 3, seed=0), 60).get_state()


def assert_refused(damaged: Any, message: str) -> None:
    """Check that the bytes are refused and change nothing."""
    games = play(Games("usa", 3, batch=2, record=True, seed=4), 11)
    before = games.clone()
    with pytest.raises(ValueError, match=message):
        games.set_state(damaged, row=1)
    assert_same(games, before)
    assert games.history(1) == before.history(1)


def sealed(heading: bytes, body: bytes = b"") -> bytes:
    """Return bytes of a saved game with a right checksum."""
    content = heading + b"\n" + body
    return b"t2r_env state 1\n%08x\n" % zlib.crc32(content) + content


def test_bytes_that_are_not_a_saved_state_change_nothing(saved: bytes) -> None:
    """Too short or too long, of another kind, or with a checksum that is right but nothing else."""
    _, _, heading, body = saved.split(b"\n", 3)
    others: list[Any] = [b"", b"t2r_env state 1\n", saved + b"\0", saved + saved, saved[:700] + saved[701:], None, 5]
    others += [saved.replace(b"\n", b"\r\n"), pickle.dumps(saved), saved.decode("latin-1")]
    others += map(sealed, (b"", b"[]", b"{}", b"{nothing", b"[" * 100_000))
    for damaged in others:
        assert_refused(damaged, "saved must be the bytes that get_state")
    for seed in (7, None, "", "x", "-1", "1.0", str(2**64), "9" * 5000, ["7"], True):
        other = json.dumps(json.loads(heading) | {"seed": seed}).encode()
        assert_refused(sealed(other, body), "the seed of a saved game must be a 64-bit number in a string")
    assert_refused(sealed(heading, b"\x7f" * len(body)), "states must be playable states of usa")
    too_large = f"a saved game must have at most {MAX_SAVED_BYTES:,} bytes, not"
    assert_refused(saved + bytes(MAX_SAVED_BYTES), too_large)
    with pytest.raises(ValueError, match=too_large):
        Games("usa", seed=0).get_state(note="x" * MAX_SAVED_BYTES)


def test_bytes_that_are_cut_off_or_changed_anywhere_are_refused(saved: bytes) -> None:
    games = Games("usa", 3, seed=0)
    for place in range(len(saved)):
        changed = saved[:place] + bytes([saved[place] ^ 1 << place % 8]) + saved[place + 1 :]
        for damaged in (saved[:place], changed):
            with pytest.raises(ValueError, match="saved must be the bytes that get_state"):
                games.set_state(damaged)


def test_the_state_of_another_configuration_changes_nothing(tmp_path: Path) -> None:
    other_map = changed_variant(tmp_path, {"variant.toml": ('id = "usa"', 'id = "lakes"')})
    for other, difference in (
        (Games(other_map, 3, seed=0), "variant 'lakes', but this game has 'usa'"),
        (Games("usa", 2, seed=0), "num_players"),
        (Games("usa", 3, turn_limit=999, seed=0), r"options \{.*'turn_limit': 999\}, but this game has"),
    ):
        assert_refused(other.get_state(), f"the saved state has {difference}")


def test_rows_outside_the_batch_and_seeds_that_are_not_one_for_each_row_are_refused(saved: bytes) -> None:
    games = Games("usa", 3, batch=3, seed=0)
    before = games.get_state(2)
    row: Any
    for row in (-1, 3, 1.5, "0"):
        for use in (games.get_state, partial(games.set_state, saved)):
            with pytest.raises(ValueError, match="row must be an integer from 0 to 2"):
                use(row)
    for rows, seeds, expected in ((None, [1], "3 rows, not 1"), ([1, 2], [1, 2, 3], "2 rows, not 3")):
        with pytest.raises(ValueError, match=f"seeds must hold one seed for each of the {expected}"):
            games.reset(rows, seeds=seeds)
    assert games.get_state(2) == before


def test_a_game_put_in_a_row_begins_its_history_but_an_ended_one_has_none() -> None:
    games = play(Games("usa", 3, batch=2, record=True, seed=8), 25)
    assert [games.history(row)[0] for row in range(2)] == [8, 9]
    games.set_states([1], games.determinize([1], [3]))
    assert games.history(1) == (games.get_state(1), [])
    assert games.history(0)[0] == 8
    games.set_state(games.get_state(0), row=1)
    assert games.history(1) == (games.get_state(0), [])
    ended = Games("usa", 3, autoreset=False, seed=0)
    ended.play_random(5000)
    games.set_state(ended.get_state(), row=0)
    before = games.history(0)
    play(games, 5)
    assert games.history(0) == before
    assert len(games.history(1)[1]) == 5


@pytest.mark.parametrize("duplicate", COPIES)
def test_an_ended_game_keeps_its_history_when_another_takes_its_row(duplicate: Callable[[Games], Games]) -> None:
    """Copies have it, too, and go on with their own."""
    games = Games("new_york", 2, record=True, autoreset=False, reward="score", seed=8)
    while games.masks.any():
        games.step(games.masks.argmax(axis=1))
    ended = games.history()
    other, started = duplicate(games), Games("new_york", 2, seed=3).states
    games.reset()
    assert games.history() == (int(games.seeds[0]), [])
    assert other.history() == ended
    other.set_states([0], started)
    play(other, 3)
    assert games.history(ended=True) == other.history(ended=True) == ended
    assert (len(games.history()[1]), len(other.history()[1])) == (0, 3)


def test_a_game_that_has_not_ended_or_was_not_recorded_has_no_history() -> None:
    for autoreset in (True, False):
        games = play(Games("usa", record=True, autoreset=autoreset, seed=0), 9)
        with pytest.raises(ValueError, match="no game of row 0 has ended yet"):
            games.history(ended=True)
        assert len(games.history()[1]) == 9
    with pytest.raises(ValueError, match="no actions are recorded"):
        Games("usa", seed=0).history()


@fewest_and_most
def test_what_follows_from_the_rest_is_written_whatever_it_was(variant: str, players: int, options: Options) -> None:
    """C10, C11, C16: points, results, open routes, labels of cities, trains; within games and at their end.

    States of play are taken, then, and become what they were.
    """
    games, other = (Games(variant, players, batch=4, autoreset=False, seed=0, **options) for _ in range(2))
    rng, limits = np.random.default_rng(0), bounds(games.configuration)
    derived = {"score", "completed", "failed", "rank", "open", "component", "trains", "station_routes"}
    derived |= {"breakdown"} if variant != "united_kingdom" else set()
    for decisions in (0, 1, 5, 90, 5000):
        games.play_random(decisions)
        states = games.states.copy()
        for field in derived & {*(states.dtype.names or ())}:
            playing = states[field][:, :players]
            playing[:] = rng.integers(-(field == "component"), limits.get(field, (0, 60))[1] + 1, playing.shape)
        other.set_states(None, states)
        assert not differing_fields(other.states, games.states)
        assert np.array_equal(other.masks, games.masks)
        assert np.array_equal(other.results.scores[other.terminated], games.results.scores[games.terminated])


def assert_faulty(variant: str, players: int, state: Any, changes: Mapping[str, Any], message: str) -> None:
    """Check that a state is refused once numbers are replaced, by field and indices, and that nothing changes."""
    games, states = Games(configuration(variant, players), seed=0), np.array([state])
    before = games.states.tobytes()
    for place, value in changes.items():
        field, *indices = place.split()
        states[field][0, *map(int, indices)] = value(state) if callable(value) else value
    with pytest.raises(ValueError, match=f"states must be playable states of {variant}, {players} players: {message}"):
        games.set_states(None, states)
    assert games.states.tobytes() == before


def first_of(state: Any, field: str, *place: int) -> str:
    """Return a field and indices: those given, then zeros."""
    return " ".join(map(str, (field, *place, *[0] * (state[field].ndim - len(place)))))


@every_variant_once
def test_numbers_out_of_their_limits_are_refused(variant: str, players: int) -> None:
    chosen = configuration(variant, players)
    state, last = Games(chosen, seed=0).states[0], chosen.num_tickets - 1
    limits = bounds(chosen) | {
        **dict.fromkeys(("deck", "discard", "hand", "known"), (0, 127)),
        **dict.fromkeys(("face_up", "drawn"), (-1, 8)),
        **dict.fromkeys(("ticket_queue", "offered"), (-1, last)),
        "current": (0, players - 1),
        "drawn_slot": (-1, 5),
        "queue_head": (0, 71),
        "offer_index": (0, 5),
        "turn": (0, chosen.turn_limit),
        "outcome": (0, 3),
        "phase": (-2, 13),
        "decisions": (0, 2**30),
    }
    for field, (least, most) in limits.items():
        for value in (least - 1, most + 1):
            if np.can_cast(np.min_scalar_type(value), state[field].dtype):
                place = first_of(state, field)
                assert_faulty(variant, players, state, {place: value}, f"{field} must lie between")


@every_variant_once
def test_sets_of_what_there_is_not_and_things_of_empty_seats_are_refused(variant: str, players: int) -> None:
    state = Games(configuration(variant, players), seed=0).states[0]
    fields = {*(state.dtype.names or ())}
    sets = {"tickets", "rack_tickets", "to_share", "completing", "completed_tickets", "claimed", "shares_left"}
    for field in sets & fields:
        indices = [0] * (state[field].ndim - 1) + [1] * (state[field].ndim > 0)
        changes: dict[str, Any] = {first_of(state, field, *indices): 1 << 63}
        assert_faulty(variant, players, state, changes, f"{field} must name no more than")
    for field in {"hand", "tickets", "offered", "kept", "score", "trains", "on_track"} & fields:
        changes = {first_of(state, field, 5): 1 - abs(int(np.ravel(state[field][5])[0]))}
        assert_faulty(variant, players, state, changes, f"{field} must be as at first for seats that are empty")


@every_variant_once
def test_each_card_and_each_ticket_lies_in_one_place(variant: str, players: int) -> None:
    """C1, C5."""
    state = state_in(variant, "turn", players)
    fields = {*(state.dtype.names or ())}
    places = {"deck", "discard", "hand", "set_aside", "revealed", "rack", "on_track", "yard_cards", "yard_locomotives"}
    changes = [{first_of(state, field): state[field].flat[0] + 1} for field in places & fields]
    for change in (*changes, {"face_up 0": -1}):
        assert_faulty(variant, players, state, change, "the train cards of all places together must be those of the")
    top, head = int(state["ticket_queue"][state["queue_head"]]), int(state["queue_head"])
    twice = [{f"ticket_queue {(head + 1) % 72}": top}]
    for field, count in (("tickets", "ticket_count"), ("rack_tickets", "rack_ticket_count"), ("completed_tickets", "")):
        if field in fields:
            held = {f"{field} 0 {top // 64}": state[field][0, top // 64] | np.uint64(1 << top % 64)}
            twice.append(held | ({f"{count} 0": state[count][0] + 1} if count else {}))
    for change in twice:
        assert_faulty(variant, players, state, change, "each ticket must lie in one place")
    for count in {name for name in fields if name.endswith("_count")}:
        change = {first_of(state, count): abs(int(state[count].flat[0]) - 1)}
        assert_faulty(variant, players, state, change, f"{count} must be the number of what it counts")


def state_in(variant: str, phase: str, players: int = 0, is_start: bool = False) -> Any:
    """Return a state at a decision of this phase, if it can be of the first seat; by default after the start."""
    states = decisions_of_every_phase(variant, players or load_variant(variant).min_players, False, 200)
    states = states[(states["phase"] == PHASES.index(phase)) & ((states["turn"] == 0) == is_start)]
    return states[states["current"].argmin()]


ABOUT = "{} must be set if the decision is about it, and only then"
DECIDED = "offer_index and kept must be about tickets on offer that have been decided"
LONG = "long tickets must be the first ones on offer at the start, and on offer only then"


def discarded(place: str) -> dict[str, Any]:
    """The changes that put the first seat's cards into the discard."""
    return {
        f"{place} 0": 0,
        "discard": lambda it: it["discard"] + it[place][0],
        "discard_count": lambda it: (it["discard"] + it[place][0]).sum(),
    }


FAULTS: list[tuple[str, str, dict[str, Any], str]] = [
    *[("team_asia", "tunnel", {name: -1}, ABOUT.format(name)) for name in ("route", "payment")],
    *[("team_asia", "from_rack", {name: -1}, ABOUT.format(name)) for name in ("route", "payment")],
    *[("team_asia", "turn", {name: 0}, ABOUT.format(name)) for name in ("route", "payment", "extra", "placed")],
    *[("team_asia", "turn", {name: 1}, ABOUT.format(name)) for name in ("due", "moved")],
    ("team_asia", "second_card", {"placed": -1}, ABOUT.format("placed")),
    ("pennsylvania", "take_share", {"route": -1}, ABOUT.format("route")),
    ("united_kingdom", "turn", {"technology": 0}, ABOUT.format("technology")),
    ("europe", "turn", {"city": 0}, ABOUT.format("city")),
    ("card_game", "turn", {"set_colour": 0}, ABOUT.format("set_colour")),
    ("card_game", "set_cards", {"set_colour": -1}, ABOUT.format("set_colour")),
    ("card_game", "set_cards", {"set_cards": 1}, ABOUT.format("set_cards")),
    ("card_game", "set_locomotives", {"set_cards": 0}, ABOUT.format("set_cards")),
    *[("usa", "turn", {"phase": phase}, "phase must be that of a decision") for phase in (TURN_OVER, ENDED)],
    ("usa", "turn", {"outcome": 1}, "phase must be that of a decision, or the game must have ended"),
    ("usa", "turn", {"phase": phases.TAKE_SHARE}, "phase must be one that this game has"),
    ("usa", "turn", {"turn": 0}, "phase must be that of the starting choice before the first turn"),
    ("usa", "start keep_ticket", {"turn": 3}, "tickets must be on offer to the acting seat, or at the start"),
    ("usa", "start keep_ticket", {"offer_index": 5}, "the ticket to decide on must be on offer"),
    *[("usa", "turn", {place: 1}, DECIDED) for place in ("kept 0", "offer_index")],
    ("usa", "start keep_ticket", {"kept 0": 32}, DECIDED),
    ("usa", "start keep_ticket", {"tickets 0 0": 1}, "ticket_count must be the number"),
    ("usa", "turn", {"queue_head": lambda it: it["queue_head"] + 1}, "ticket_queue must have no gaps"),
    ("usa", "turn", {"known 0 0": 100}, "known must be cards of the hand"),
    ("team_asia", "turn", {"rack_known 0 0": 100}, "rack_known must be cards of the rack"),
    ("usa", "turn", {"claimed 0 0": 1, "claimed 1 0": 1}, "claimed must name each route once"),
    ("usa", "turn", {"claimed 0 0": (1 << 64) - 1}, "claimed must name routes that 45 trains are enough for"),
    ("usa", "pay", {"route": -1}, "in phase pay one of route, technology and city must"),
    ("united_kingdom", "pay", {"city": 0}, "in phase pay one of route, technology and city must"),
    ("usa", "pay", {"claimed 1 0": lambda it: 1 << it["route"]}, "route must be one that the acting seat may claim"),
    ("usa", "pay", {"claimed 0 0": lambda it: 1 << it["route"]}, "route must be one that the acting seat may claim"),
    ("usa", "pay", discarded("hand") | {"known 0": 0, "hand_count 0": 0}, "the acting seat must have a legal action"),
    ("team_asia", "from_rack", {"payment": 0}, "payment must be one for the route that is claimed"),
    ("team_asia", "tunnel", {"due": 8}, "due must be what a tunnel that is paid for can demand"),
    ("team_asia", "from_rack", {"extra": 0}, "extra must pay what a tunnel demands"),
    ("team_asia", "share", {"sharing 0": 0}, "sharing must name a ticket of each seat that has chosen one"),
    ("team_asia", "start share", {"current": 1}, "to_share must name tickets of the acting seat"),
    ("team_asia", "start share", {"moved": 1}, "moved must be 0 at the start"),
    ("legendary_asia", "keep_ticket", {"offered 0 0": 35}, LONG),
    ("legendary_asia", "start keep_ticket", {"offered 0": lambda it: it["offered"][0, [1, 0, *range(2, 6)]]}, LONG),
    ("united_kingdom", "turn", {"technologies_left 0": 5}, "each copy of a technology must lie in one place"),
    ("united_kingdom", "turn", {"breakdown 0 0": 900}, "breakdown must have the points of the routes claimed, and"),
    ("pennsylvania", "turn", {"shares_left": (1 << 60) - 1, "shares 0": 1}, "each share must lie in one place"),
    ("pennsylvania", "turn", {"shares_left": 0}, "each share must lie in one place"),
    ("pennsylvania", "turn", {"revealed_shares": (1 << 60) - 1}, "revealed_shares must be some of the"),
    ("europe", "turn", {"stations 0 2": 3}, "stations must be 3 cities of each seat at most, and have no gaps"),
    ("card_game", "turn", {"yard_owner": lambda it: np.where(it["yard_owner"] < 0, 0, -1)}, "yard_owner must name"),
    ("card_game", "set_locomotives", {"set_cards": 40}, "set_cards must be coloured cards of the hand"),
    ("card_game", "complete", {"completing 0 0": lambda it: it["tickets"][1, 0]}, "completing must .* of the seat"),
    ("card_game", "complete", discarded("on_track") | {"completing 0 0": lambda it: it["tickets"][0, 0]}, ".*suffices"),
]


@pytest.mark.parametrize(("variant", "phase", "changes", "message"), FAULTS)
def test_a_fault_of_a_state_is_named(variant: str, phase: str, changes: dict[str, Any], message: str) -> None:
    """C9, C14, C20, CG10, LA2, PA4, PA8."""
    *start, name = phase.split()
    state = state_in(variant, name, is_start=bool(start))
    assert_faulty(variant, load_variant(variant).min_players, state, changes, message)


def test_who_pays_for_a_right_of_way_that_leads_nowhere_has_a_turn() -> None:
    """UK9: play never offers it, a state from outside may."""
    table = situation(2, variant="united_kingdom", hands=["5 locomotive"])
    names = [it.id for it in map_configuration(table.games.configuration).technologies]
    states = table.games.states.copy()
    states["phase"], states["technology"] = phases.PAY, names.index("right_of_way")
    table.games.set_states(None, states)
    assert "right_of_way" in table.technologies(0)
    assert "draw_deck" in table.legal


def test_what_are_no_states_of_the_game_is_refused() -> None:
    games = Games("usa", 2, batch=2, seed=0)
    before = games.states.tobytes()
    message = r"states must be playable states of usa, 2 players: |states must be an array of shape \(2,\)"
    for states in (np.zeros(2), 0, None, games.states[:1], Games("usa", 5, batch=2, seed=0).states, games.views()):
        with pytest.raises(ValueError, match=message):
            games.set_states(None, states)  # type: ignore[arg-type]  # what callers may try
    hidden = np.ma.MaskedArray(games.states.copy(), np.ones(2, bool))
    hidden.data["hand"][0, 0, 0] += 100
    with pytest.raises(ValueError, match="states must be playable states"):
        games.set_states(None, hidden)
    games.set_states([], games.states[:0])
    assert games.states.tobytes() == before


@every_variant_once
def test_games_forfeited_at_any_decision_are_taken(variant: str, players: int) -> None:
    more: Any = {"autoreset": False, "illegal_action": "terminate", "seed": 0}
    games, other = (Games(variant, players, batch=12, **more) for _ in range(2))
    games.set_states(None, decisions_of_every_phase(variant, players, False, 12))
    games.step([-1] * 12)
    other.set_states(None, games.states)
    assert other.terminated.all()
    for row in range(12):
        other.set_state(games.get_state(row), row)
        assert other.snapshot(row) == games.snapshot(row)


def test_where_random_seats_forbid_a_step_a_game_or_its_record_nothing_changes() -> None:
    """All seats may play at random where the step ends with the game."""
    games, alone = (Games("usa", 2, seed=0, autoreset=autoreset) for autoreset in (True, False))
    recorded, before = Games("usa", 2, seed=0, record=True), games.states.tobytes()
    actions, states = games.masks.argmax(axis=1), Games("usa", 2, seed=9).states
    games.random_seats[:] = alone.random_seats[:] = True
    calls = [partial(games.step, actions), partial(games.reset, None, [77]), partial(games.set_states, None, states)]
    for call in calls:
        with pytest.raises(ValueError, match=r"random_seats must leave out one seat .*: a step would never end"):
            call()
    assert (games.states.tobytes(), games.seeds.tolist()) == (before, [0])
    alone.step(actions)
    assert alone.terminated[0]
    recorded.random_seats[0, 1] = True
    with pytest.raises(ValueError, match="can't be recorded"):
        recorded.step(recorded.masks.argmax(axis=1))
    assert recorded.history() == (0, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *[({name: 1}, f"{name} must be one of True, False, not 1") for name in ("autoreset", "observe", "record")],
        ({"record": None}, "record must be one of True, False, not None"),
        ({"batch": 0}, "batch must be an integer, at least 1, not 0"),
        ({"tickets": np.array(["classic"])}, "usa has no tickets"),
    ],
)
def test_an_argument_that_is_not_allowed_is_refused(arguments: dict[str, Any], message: str) -> None:
    """`tests.envs.test_all_environments` has those that environments have, too."""
    with pytest.raises(ValueError, match=message):
        Games("usa", **arguments)


@pytest.mark.parametrize("action", [1.5, "162", True, None, [162]])
def test_only_integers_are_described(action: Any) -> None:
    with pytest.raises(ValueError, match="an action must be an integer, not"):
        Games("usa", seed=0).describe(action)


def test_payments_that_do_not_pay_are_not_described() -> None:
    """C9."""
    table = situation(hands=["2 blue, 1 locomotive"])
    table.play("claim atlanta-nashville")
    pay = table.games.layout.actions["pay"].start
    with pytest.raises(ValueError, match="does not pay the price of 1 cards"):
        table.games.describe(pay + 5)
