"""What completed tickets bring (CG10), the end of the game and its bonuses (CG13), ranks (CG14)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.core.game import outcomes
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, bitset, int8, int16, int64
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.card_game.completing import CompletingRules, CompletingScratch, CompletingState, count_needed
from t2r_env.rules.card_game.completing import phases as completing_phases
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.check import took_the_last_turn
from t2r_env.rules.drawing import drawing_phases
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import PARTS, SEGMENTS
from t2r_env.rules.observe import write_number
from t2r_env.rules.ranking import add_points, clear_points, has_most, rank_teams
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import TICKET_WORDS, ScoringScratch
from t2r_env.sizes import MAX_BONUS_CARDS
from t2r_env.variants.variant import card_tie_breaks


class _Segments(NamedTuple):
    SCORING_ROUND: int


class _Parts(NamedTuple):
    TICKETS: int
    BIG_CITIES: int


segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)


class ScoringState(CompletingState):
    """Where the scorings stand (CG10-CG12)."""

    scoring_round: int = int8()  # the number of the scoring that comes next, or is under way
    resuming: int = int64()  # the seat after the one that took the last turn


class ScoringRules(CompletingRules):
    """Scorings (CG11, CG12) and Big City cards (CG13)."""

    scorings: int = int8()
    second_deck_hand: int = int8()
    num_bonus_cards: int = int64()
    naming: Array = bitset(MAX_BONUS_CARDS, TICKET_WORDS)  # the tickets that name each one's city
    bonus_points: Array = int16(MAX_BONUS_CARDS)


@compiled
def settle_completions(state: ScoringState, rules: ScoringRules, scratch: CompletingScratch) -> None:
    """Let the choices of all seats take effect together (C6): points, and the cards used are discarded (CG10)."""
    for seat in range(rules.num_seats):
        count_needed(state, rules, scratch, seat)
        missing = 0
        for colour in range(NUM_COLOURS):
            used = min(scratch.needed[colour], state.on_track[seat, colour])
            missing += scratch.needed[colour] - used
            _use(state, seat, colour, used)
        _use(state, seat, LOCOMOTIVE, missing)
        add_points(state, seat, parts.TICKETS, _points_of(rules, state.completing[seat]))
        for word in range(TICKET_WORDS):
            chosen = state.completing[seat, word]
            state.ticket_count[seat] -= count_bits(chosen)
            state.tickets[seat, word] &= ~chosen
            state.completed_tickets[seat, word] |= chosen
            state.completing[seat, word] = bits.NONE


@inlined
def _use(state: ScoringState, seat: int, card: int, number: int) -> None:
    """Discard cards of a pile."""
    state.on_track[seat, card] -= number
    train_cards.discard(state, card, number)


@compiled
def _points_of(rules: ScoringRules, tickets: Array) -> int:
    """What the tickets of a set are worth together."""
    points = 0
    for word in range(TICKET_WORDS):
        left = tickets[word]
        while left != bits.NONE:
            points += rules.ticket_points[64 * word + lowest_bit(left)]
            left = bits.without_lowest(left)
    return points


@compiled
def score_game(state: ScoringState, rules: ScoringRules, scoring: ScoringScratch) -> None:
    """Subtract the tickets that are not completed, give the Big City cards (CG13), rank the players (CG14)."""
    for seat in range(rules.num_seats):
        add_points(state, seat, parts.TICKETS, -_points_of(rules, state.tickets[seat]))
        completed = bits.count(state.completed_tickets[seat])
        state.completed[seat] = completed
        state.failed[seat] = state.ticket_count[seat]
        scoring.standing[card_tie_breaks.COMPLETED_TICKETS, seat] = completed
        scoring.standing[card_tie_breaks.BONUS_CARDS, seat] = 0
    for city in range(rules.num_bonus_cards):
        _give_bonus_card(state, rules, scoring, city)
    rank_teams(state, rules, scoring)


@compiled
def _give_bonus_card(state: ScoringState, rules: ScoringRules, scoring: ScoringScratch, city: int) -> None:
    """To the player with the most completed tickets that name the city; who ties for it gets its points too (CG13)."""
    for seat in range(rules.num_seats):
        scoring.value[seat] = 0
        for word in range(TICKET_WORDS):
            scoring.value[seat] += count_bits(state.completed_tickets[seat, word] & rules.naming[city, word])
    for seat in range(rules.num_seats):
        if has_most(rules, scoring.value, seat):
            add_points(state, seat, parts.BIG_CITIES, rules.bonus_points[city])
            scoring.standing[card_tie_breaks.BONUS_CARDS, seat] += 1


@compiled
def derive(
    state: ScoringState, rules: ScoringRules, opening: ScoringState, scoring: ScoringScratch, given: ScoringState
) -> None:
    """Score the tickets completed again, and a finished game."""
    clear_points(state)
    for seat in range(rules.num_seats):
        add_points(state, seat, parts.TICKETS, _points_of(rules, state.completed_tickets[seat]))
    if given.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)


@inlined
def _write_public(state: ScoringState, rules: ScoringRules, at: Array, viewer: int, vector: Array) -> None:
    write_number(state.scoring_round, at[segments.SCORING_ROUND], vector)


def outcome_of_tickets(snapshot: Snapshot, seat: int) -> tuple[list[int], list[int]]:
    """The tickets that a seat has completed, and those that it has failed; by number."""
    return members(snapshot.state.completed_tickets[seat]), snapshot.held[seat]


# What is declared


def _public_segments(configuration: CardConfiguration) -> list[Part]:
    meaning = "the number of the next scoring, or of the one under way (CG12)"
    return [(segments.SCORING_ROUND, (1,), meaning)]


def _write_rules(record: Any, configuration: CardConfiguration) -> None:
    variant = configuration.variant
    record.scorings = configuration.scorings
    record.second_deck_hand = variant.second_deck_hand
    record.num_bonus_cards = len(variant.bonus_cards)
    for number, card in enumerate(variant.bonus_cards):
        tickets = enumerate(configuration.deck.tickets)
        naming = [it for it, ticket in tickets if card.city in (ticket.a, ticket.b)]
        record.naming[number] = bitset_of(naming, TICKET_WORDS)
        record.bonus_points[number] = card.points


def _write_opening(state: Any, rules: Any) -> None:
    state.scoring_round = 1


def _limits(rules: Any) -> Limits:
    return {"scoring_round": (1, int(rules.scorings)), "resuming": (0, int(rules.num_seats) - 1)}


def _find_fault(states: States, rules: Any) -> str:
    """The last round begins when the deck is empty, and a scoring ends it (CG9, CG11, CG12)."""
    phase, outcome, last = states["phase"], states["outcome"], states["last_turns_left"]
    is_scoring = phase == completing_phases.COMPLETE
    is_finished, is_truncated = outcome == outcomes.FINISHED, outcome == outcomes.TRUNCATED
    is_over = is_scoring | is_finished
    is_empty, is_first = states["deck_count"] == 0, states["scoring_round"] == 1
    if np.any(np.where(is_over, ~is_empty | (last > 0), (last > 0) & ~is_empty)):
        return "last_turns_left must be set once the deck is empty, and only then"
    may_just_have_emptied_it = np.isin(phase, list(drawing_phases))
    if np.any(is_empty & (last == 0) & ~is_over & ~may_just_have_emptied_it):
        return "last_turns_left must be set once the deck is empty, and only then"
    resumes = states["resuming"] == states["turn"] % rules.num_seats
    follows = took_the_last_turn(states, rules) | (
        is_truncated & ~is_first & resumes & (states["current"] == rules.num_seats - 1)
    )
    if np.any((states["turn"] > 0) & ~is_over & ~follows) or np.any(is_over & ~resumes):
        return "current must be the seat whose turn it is, and resuming the one after it in a scoring"
    if np.any(is_finished & ((states["scoring_round"] < rules.scorings) | (states["current"] < rules.num_seats - 1))):
        return "a game must not have ended before its last scoring"
    if np.any(is_first & ~is_over & (states["resuming"] > 0)) or np.any((states["reshuffled"] > 0) == is_first):
        return "resuming and reshuffled must be as at first before the first scoring"
    if np.any(states["completed_tickets"][is_first & ~is_finished]):
        return "completed_tickets must be empty before the first scoring"
    return ""


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {"scoring_round": int(snapshot.state.scoring_round)}


SCORING = RuleModule(
    hooks={hooks.write_public: _write_public},
    public_segments=_public_segments,
    parts_at_end=lambda configuration: [parts.TICKETS, parts.BIG_CITIES],
    write_rules=_write_rules,
    write_opening=_write_opening,
    limits=_limits,
    find_fault=_find_fault,
    snapshot=_snapshot,
)
"""Scorings."""
