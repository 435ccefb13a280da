"""The observation of a seat of a card game, and the global state: each group of segments and its writing (C20)."""

from t2r_env.core.bits import copy_bytes
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules import observe as shared
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.records import NO_COLOUR, NOBODY, NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.names import phases, segments
from t2r_env.rules.observe import distance_to, write_number, write_set
from t2r_env.rules.state import GLOBAL_STATE, OBSERVATION
from t2r_env.rules.turns import next_seat


def lay_out(configuration: CardConfiguration, vector: int) -> list[Part]:
    """Return the segments of the observation or the global state."""
    is_global = vector == GLOBAL_STATE
    players, tickets = configuration.num_players, configuration.num_tickets
    seats = players if is_global else 1
    chosen = "tickets in the hand, chosen to be completed in this scoring (CG10)"
    return [
        *shared.public_segments(configuration),
        (segments.SUBJECT_SET, (NUM_COLOURS,), "one-hot: the colour of the set that is being played (CG7)"),
        (segments.SUBJECT_CARDS, (1,), "coloured cards in the set, once chosen"),
        (segments.SCORING_ROUND, (1,), "the number of the next scoring, or of the one under way (CG12)"),
        (segments.YARD, (players, NUM_COLOURS), "coloured cards in each row of each rail yard"),
        (segments.YARD_LOCOMOTIVES, (players, NUM_COLOURS), "locomotives in each row of each rail yard"),
        (segments.ON_TRACK, (players, CARD_TYPES), "cards on each on-track pile, by colour"),
        (segments.COMPLETED_TICKETS, (players, tickets), "tickets completed in earlier scorings"),
        *shared.private_segments(configuration, seats),
        (segments.COMPLETING, (seats, tickets), chosen),
        *(shared.hidden_segments(configuration) if is_global else ()),
    ]


@compiled
def observe(state: CardState, rules: CardRules, seat: int, vector: Array) -> None:
    """Write what a seat sees into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[OBSERVATION]
    _write_public(state, rules, at, seat, vector)
    _write_private(state, rules, at, seat, 0, vector)


@compiled
def write_global_state(state: CardState, rules: CardRules, vector: Array) -> None:
    """Write all that there is to know into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[GLOBAL_STATE]
    _write_public(state, rules, at, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, at, seat, seat, vector)
    shared.write_hidden(state, at, vector)


@inlined
def _write_public(state: CardState, rules: CardRules, at: Array, viewer: int, vector: Array) -> None:
    """Write what all may see."""
    next_turn = 0 if state.turn == 0 else next_seat(state, rules)
    if state.phase == phases.COMPLETE:  # CG12
        next_turn = state.resuming
    shared.write_public(state, rules, at, viewer, next_turn, vector)
    if state.set_colour != NO_COLOUR:
        write_number(1, at[segments.SUBJECT_SET] + state.set_colour, vector)
    write_number(state.set_cards, at[segments.SUBJECT_CARDS], vector)
    write_number(state.scoring_round, at[segments.SCORING_ROUND], vector)
    for colour in range(NUM_COLOURS):
        if state.yard_owner[colour] != NOBODY:
            offset = distance_to(rules, viewer, state.yard_owner[colour]) * NUM_COLOURS + colour
            write_number(state.yard_cards[colour], at[segments.YARD] + offset, vector)
            write_number(state.yard_locomotives[colour], at[segments.YARD_LOCOMOTIVES] + offset, vector)
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        copy_bytes(state.on_track[seat], CARD_TYPES, at[segments.ON_TRACK] + distance * CARD_TYPES, vector)
        start = at[segments.COMPLETED_TICKETS] + distance * rules.num_tickets
        write_set(state.completed_tickets[seat], rules.num_tickets, start, vector)


@inlined
def _write_private(state: CardState, rules: CardRules, at: Array, seat: int, row: int, vector: Array) -> None:
    """Write what a seat may see of its own, into a row of its segments."""
    shared.write_private(state, rules, at, seat, row, vector)
    write_set(state.completing[seat], rules.num_tickets, at[segments.COMPLETING] + row * rules.num_tickets, vector)
