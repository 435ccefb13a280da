"""The racks of a team, one for train cards and one for tickets, which both teammates see and use (TA2, TA5, TA6)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import PHASES
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, bitset, int8, int64
from t2r_env.rules import hooks, ticket_queue, train_cards
from t2r_env.rules.cards import CARD_TYPES, CARDS, EMPTY, LOCOMOTIVE
from t2r_env.rules.check import (
    CARDS_LIMIT,
    check_conditions,
    find_fault_of_count,
    find_fault_of_drawn_card,
    of_current,
    single_cards,
)
from t2r_env.rules.drawing import drawing_phases, go_on_to_second_card
from t2r_env.rules.information import clear, draw_unknown, see, take_unknown
from t2r_env.rules.map_game import network, paying
from t2r_env.rules.map_game.board import BoardScratch, claim_phases
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, follow_payment, pick_payment
from t2r_env.rules.map_game.paying import HAND, RACK, PayingRules, PayingState, coloured_due, locomotives_due
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import BLOCKS, SEGMENTS
from t2r_env.rules.names import phases as shared_phases
from t2r_env.rules.observe import write_cards, write_number, write_set
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import FROM_DECK, TICKET_WORDS, SharedScratch
from t2r_env.rules.text import Description, Text, check_decision, count_cards
from t2r_env.sizes import MAX_RACKS
from t2r_env.variants import MapVariant
from t2r_env.variants.declared import Entries
from t2r_env.variants.reading import Row, Table

NOWHERE = -1


class _Phases(NamedTuple):
    PLACE: int
    FROM_RACK: int


class _Blocks(NamedTuple):
    PLACE: int
    FROM_RACK: int


class _Segments(NamedTuple):
    RACK_COUNT: int
    RACK_KNOWN: int
    RACK_TICKET_COUNT: int
    PLACED: int
    DRAWN: int
    RACK: int
    RACK_TICKETS: int
    RACK_COMPLETED: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
claim_phases[phases.FROM_RACK] = True
drawing_phases.add(phases.PLACE)


class RackState(PayingState):
    """What lies on the racks, by team, and the card that goes there or to the hand."""

    rack: Array = int8(MAX_RACKS, CARD_TYPES)  # the open cards (TA2)
    rack_known: Array = int8(MAX_RACKS, CARD_TYPES)  # those of them that opponents know of too (C20)
    rack_count: Array = int8(MAX_RACKS)
    rack_tickets: Array = bitset(MAX_RACKS, TICKET_WORDS)  # the open tickets (TA2)
    rack_ticket_count: Array = int8(MAX_RACKS)
    unplaced: int = int64()  # the card drawn that goes to hand or rack, or EMPTY (TA5)
    placed: int = int64()  # where this turn's first card went: HAND, RACK or NOWHERE


class RackRules(PayingRules):
    """How many teams have racks."""

    num_racks: int = int64()  # 0 if there are no teams
    rack_width: int = int64()  # numbers of cards of one type that an action may take from a rack, from 0


@inlined
def held(state: RackState, rules: RackRules, seat: int, card: int) -> int:
    """How many cards of a type the seat may pay with: those of its hand and, with teams, of its rack (TA6)."""
    if rules.num_racks > 0:
        return state.hand[seat, card] + state.rack[rules.team[seat], card]
    return state.hand[seat, card]


@inlined
def place_card(state: RackState, rules: RackRules, seat: int, card: int, where: int, is_seen: bool) -> None:
    """Put a card that the seat has drawn into its hand or on its rack; all know of one that lay face up (C20)."""
    if where == HAND:
        train_cards.give(state, seat, card, is_seen)
    else:
        team = rules.team[seat]
        state.rack[team, card] += 1
        state.rack_count[team] += 1
        if is_seen:
            state.rack_known[team, card] += 1


@inlined
def put_ticket(state: RackState, rules: RackRules, seat: int, ticket: int) -> None:
    """Put a ticket of the seat's hand on its team's rack."""
    bits.remove(state.tickets[seat], ticket)
    state.ticket_count[seat] -= 1
    team = rules.team[seat]
    bits.add(state.rack_tickets[team], ticket)
    state.rack_ticket_count[team] += 1


@inlined
def _lay_out_from_rack(state: RackState, team: int, card: int, number: int) -> None:
    """Lay cards of a team's rack apart; those that opponents know of go first (C20)."""
    state.rack[team, card] -= number
    state.rack_count[team] -= number
    state.rack_known[team, card] = max(0, state.rack_known[team, card] - number)
    state.set_aside[RACK, card] += number


@compiled
def take_back(state: RackState, rules: RackRules, seat: int) -> None:
    """Take what was laid out from a rack back to it; all have seen it (TA10, C20)."""
    team = rules.team[seat]
    for card in range(CARD_TYPES):
        number = state.set_aside[RACK, card]
        if number > 0:
            state.rack[team, card] += number
            state.rack_known[team, card] += number
            state.rack_count[team] += number
            state.set_aside[RACK, card] = 0


# Phase `place`: does the first card drawn go to the hand or to the team's rack? (TA5)


@inlined
def enter_place(state: RackState, card: int) -> None:
    """Decide where a card goes that lies apart; the face-up cards are not refilled before."""
    state.unplaced = card
    state.phase = phases.PLACE


@inlined
def _list_place(state: RackState, rules: RackRules, scratch: SharedScratch) -> int:
    """Either."""
    scratch.legal[0] = rules.first_action[blocks.PLACE]
    scratch.legal[1] = rules.first_action[blocks.PLACE] + 1
    return 2


@inlined
def _apply_place(state: RackState, rules: RackRules, scratch: SharedScratch, action: int) -> None:
    """Put it there; the second card will go to the other."""
    state.placed = action - rules.first_action[blocks.PLACE]
    place_card(state, rules, state.current, state.unplaced, state.placed, state.drawn_slot != FROM_DECK)
    state.unplaced = EMPTY
    train_cards.restore(state, rules)
    go_on_to_second_card(state)


# Phase `from_rack`: which cards of the payment come from the team's rack? (TA6)


@inlined
def enter_from_rack(state: RackState) -> None:
    """Decide on that; the payment, or what a tunnel demands besides, has been chosen."""
    state.phase = phases.FROM_RACK


@inlined
def _list_from_rack(state: RackState, rules: RackRules, scratch: SharedScratch) -> int:
    """Every number of either type that the rack has and that leaves no more than the hand has."""
    seat = state.current
    team = rules.team[seat]
    colour = paying.colour_of(rules, state.payment)
    coloured, locomotives = coloured_due(state, rules), locomotives_due(state, rules)
    in_hand, on_rack = 0, 0
    if colour != LOCOMOTIVE:
        in_hand, on_rack = state.hand[seat, colour], state.rack[team, colour]
    count = 0
    for cards in range(max(0, coloured - in_hand), min(coloured, on_rack) + 1):
        least = max(0, locomotives - state.hand[seat, LOCOMOTIVE])
        for wild in range(least, min(locomotives, state.rack[team, LOCOMOTIVE]) + 1):
            scratch.legal[count] = rules.first_action[blocks.FROM_RACK] + cards * rules.rack_width + wild
            count += 1
    return count


@inlined
def _apply_from_rack(state: RackState, rules: RackRules, scratch: SharedScratch, action: int) -> None:
    """Lay the cards out. At a tunnel, cards are then turned up; else the claim is complete."""
    seat = state.current
    team = rules.team[seat]
    colour = paying.colour_of(rules, state.payment)
    coloured, locomotives = coloured_due(state, rules), locomotives_due(state, rules)
    chosen = action - rules.first_action[blocks.FROM_RACK]
    cards, wild = chosen // rules.rack_width, chosen % rules.rack_width
    _lay_out_from_rack(state, team, colour, cards)
    paying.lay_out(state, seat, colour, coloured - cards)
    _lay_out_from_rack(state, team, LOCOMOTIVE, wild)
    paying.lay_out(state, seat, LOCOMOTIVE, locomotives - wild)
    if not follow_payment(state, rules):
        paying.complete_claim(state, rules)


@inlined
def _depends_on_cards(state: RackState, rules: RackRules) -> bool:
    return state.phase == phases.FROM_RACK


@inlined
def _pick_payment(state: RackState, rules: RackRules, scratch: BoardScratch) -> bool:
    if state.phase != phases.FROM_RACK:
        return False
    scratch.payment[0] = paying.colour_of(rules, state.payment)
    scratch.payment[1] = coloured_due(state, rules)
    scratch.payment[2] = locomotives_due(state, rules)
    return True


@inlined
def _forget_turn(state: RackState, rules: RackRules) -> None:
    state.placed = NOWHERE


# Observations


@inlined
def _write_public(state: RackState, rules: RackRules, at: Array, viewer: int, vector: Array) -> None:
    team = rules.team[viewer]
    for distance in range(rules.num_racks):
        write_number(state.rack_count[team], at[segments.RACK_COUNT] + distance, vector)
        write_number(state.rack_ticket_count[team], at[segments.RACK_TICKET_COUNT] + distance, vector)
        write_cards(state.rack_known[team], at[segments.RACK_KNOWN] + distance * CARD_TYPES, vector)
        team = team + 1 if team + 1 < rules.num_racks else 0
    if state.placed != NOWHERE:
        write_number(1, at[segments.PLACED] + state.placed, vector)


@inlined
def _write_team(state: RackState, rules: RackRules, at: Array, team: int, row: int, vector: Array) -> None:
    write_cards(state.rack[team], at[segments.RACK] + row * CARD_TYPES, vector)
    tickets, start = state.rack_tickets[team], row * rules.num_tickets
    write_set(tickets, rules.num_tickets, at[segments.RACK_TICKETS] + start, vector)
    network.write_completed(state, rules, tickets, team, at[segments.RACK_COMPLETED] + start, vector)


@inlined
def _write_drawn(state: RackState, rules: RackRules, at: Array, is_acting: bool, vector: Array) -> None:
    if state.unplaced != EMPTY and (is_acting or state.drawn_slot != FROM_DECK):
        write_number(1, at[segments.DRAWN] + state.unplaced, vector)


# What a seat can't know


@inlined
def _blank(state: RackState, rules: RackRules, seat: int) -> None:
    if _is_drawn_hidden(state, seat):
        state.unplaced = EMPTY
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for card in range(CARD_TYPES):
                state.rack[team, card] = state.rack_known[team, card]
            clear(state.rack_tickets[team])


@inlined
def _is_drawn_hidden(state: RackState, seat: int) -> bool:
    """Whether the card that lies apart was drawn blind by another seat."""
    return state.current != seat and state.phase == phases.PLACE and state.drawn_slot == FROM_DECK


@compiled
def _lacks_cards(state: RackState, rules: RackRules) -> bool:
    for team in range(rules.num_racks):
        if state.rack_count[team] > train_cards.count(state.rack[team]):
            return True
    return False


@compiled
def _see_cards(state: RackState, rules: RackRules) -> None:
    for team in range(rules.num_racks):
        for card in range(CARD_TYPES):
            see(state, card, state.rack[team, card])
    if state.unplaced != EMPTY:
        see(state, state.unplaced, 1)


@compiled
def _take_unknown(state: RackState, rules: RackRules, seat: int) -> None:
    if _is_drawn_hidden(state, seat) and state.unplaced != EMPTY:
        state.deck[state.unplaced] += 1
        state.deck_count += 1
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            take_unknown(state, state.rack[team], state.rack_known[team])


@compiled
def _draw_unknown(state: RackState, rules: RackRules, seat: int) -> None:
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            draw_unknown(state, state.rack[team], state.rack_count[team])
    if _is_drawn_hidden(state, seat):
        state.unplaced = train_cards.top_card(state)


@compiled
def _see_tickets(state: RackState, rules: RackRules, scratch: SharedScratch, seat: int) -> None:
    for word in range(TICKET_WORDS):
        scratch.open_tickets[word] |= state.rack_tickets[rules.team[seat], word]
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            clear(state.rack_tickets[team])


@compiled
def _deal_tickets(state: RackState, rules: RackRules, seat: int) -> None:
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for _ in range(state.rack_ticket_count[team]):
                bits.add(state.rack_tickets[team], ticket_queue.draw_ticket(state))


# What is declared


def _check(table: Table, routes: Sequence[Row], variant: MapVariant) -> None:
    """No published game of teams has these rules, and no rule says what they would mean there."""
    if variant.team_size == 1:
        return
    for name, deck in variant.ticket_decks.items():
        if not (deck.starting.keep and deck.later.keep):
            raise table.error(f"ticket_decks.{name} must have 1 ticket or more to keep, of which teams share one")
    if variant.companies or any(deck.long for deck in variant.ticket_decks.values()):
        raise table.wrong("team_size", "1 in a game with companies or long tickets")


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.has_racks


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    if not _is_used(configuration):
        return []
    most = configuration.most_from_rack + 1
    split = "take this many coloured cards of the payment and this many locomotives from the rack (TA6)"
    return [
        (blocks.PLACE, (2,), "put the first card drawn into the hand, or on the rack (TA5)"),
        (blocks.FROM_RACK, (most, most), split),
    ]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    teams = configuration.num_teams
    return [
        (segments.RACK_COUNT, (teams,), "train cards on the rack of each team, one's own first"),
        (segments.RACK_KNOWN, (teams, CARD_TYPES), "cards on each rack that all players know of, by colour"),
        (segments.RACK_TICKET_COUNT, (teams,), "tickets on the rack of each team"),
        (segments.PLACED, (2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
    ]


def _private_segments(configuration: MapConfiguration, seats: int, teams: int) -> list[Part]:
    tickets = configuration.num_tickets
    drawn = "one-hot: the card drawn that goes to the hand or the rack, for seats that may see it (TA5)"
    return [
        (segments.DRAWN, (CARD_TYPES,), drawn),
        (segments.RACK, (teams, CARD_TYPES), "cards on the team's rack, by colour"),
        (segments.RACK_TICKETS, (teams, tickets), "tickets on the team's rack"),
        (segments.RACK_COMPLETED, (teams, tickets), "tickets on the team's rack that are completed"),
    ]


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    record.num_racks = configuration.num_teams if _is_used(configuration) else 0
    record.rack_width = configuration.most_from_rack + 1


def _write_opening(state: Any, rules: Any) -> None:
    state.unplaced = EMPTY
    state.placed = NOWHERE


def _limits(rules: Any) -> Limits:
    return dict.fromkeys(("rack", "rack_known", "rack_count"), CARDS_LIMIT) | {
        "unplaced": (EMPTY, CARD_TYPES - 1),
        "placed": (NOWHERE, RACK),
        "rack_ticket_count": (0, int(rules.num_tickets)),
    }


def _find_fault(states: States, rules: Any) -> str:
    if fault := find_fault_of_count(states, "rack_count", states["rack"].sum(-1)) or find_fault_of_count(
        states, "rack_ticket_count", np.bitwise_count(states["rack_tickets"]).sum(-1)
    ):
        return fault
    teams = int(rules.num_racks)
    if np.any(states["rack_count"][:, teams:]) or np.any(states["rack_ticket_count"][:, teams:]):
        return "racks must be those of the teams"
    if np.any(states["rack_known"] > states["rack"]):
        return "rack_known must be cards of the rack"
    each_has_shared = np.where(states["turn"] > 0, rules.num_seats // max(1, teams), 0)[:, None]
    if np.any(states["rack_ticket_count"][:, :teams] < each_has_shared):
        return "rack_tickets must be one of each seat at least after the start"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    phase = states["phase"]
    second_card = (phase == shared_phases.SECOND_CARD) & bool(rules.num_racks)
    conditions = {
        "unplaced": (states["unplaced"] != EMPTY, False, phase == phases.PLACE),
        "placed": (states["placed"] != NOWHERE, False, second_card),
    }
    if fault := check_conditions(states, conditions):
        return fault
    placing, drawn = states[phase == phases.PLACE], states[second_card]
    is_seen = placing["drawn"] != EMPTY
    emptied = placing["face_up"][np.arange(len(placing)), np.where(is_seen, placing["drawn_slot"], 0)]
    if np.any(is_seen & ((placing["unplaced"] != placing["drawn"]) | (emptied != EMPTY))):
        return "unplaced must be the card drawn from its slot"
    team, on_rack = rules.team[drawn["current"]], drawn["placed"] == RACK
    rows = np.arange(len(drawn))
    hand, rack = of_current(drawn, "known"), drawn["rack_known"][rows, team]
    known = np.where(on_rack[:, None], rack, hand)
    count = np.where(on_rack, drawn["rack_count"][rows, team], of_current(drawn, "hand_count"))
    return find_fault_of_drawn_card(drawn, known, known.sum(-1), count)


def _cards(states: States) -> list[Array]:
    return [states["rack"], single_cards(states["unplaced"])]


def place_text(where: int) -> Description:
    """Where the first card drawn goes."""
    text = "put the card on the rack" if where == RACK else "take the card into the hand"
    return Description({"action": "place", "where": "rack" if where == RACK else "hand"}, text)


def from_rack_text(colour: str, cards: int, locomotives: int) -> Description:
    """Which cards of a payment come from the rack."""
    entries = {"action": "from_rack", "cards": int(cards), "locomotives": int(locomotives)}
    counted = count_cards({colour: cards, CARDS[LOCOMOTIVE]: locomotives})
    return Description(entries, f"take {counted or 'nothing'} from the rack")


def _describe_place(text: Text, state: Any, action: int, offset: int) -> Description:
    return place_text(offset)


def _describe_from_rack(text: Text, state: Any, action: int, offset: int) -> Description:
    is_decided = state.phase == phases.FROM_RACK
    check_decision(action, is_decided, "takes cards from the rack, but no payment is to be divided")
    return from_rack_text(paying.colour_name(text.rules, state.payment), *divmod(offset, text.rules.rack_width))


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    state = snapshot.state
    teams = [
        {
            "rack": snapshot.count(state.rack[team], state.rack_count[team]),
            "tickets": snapshot.tickets(members(state.rack_tickets[team]), state.rack_ticket_count[team]),
            "score": int(state.score[team]),
        }
        for team in range(snapshot.configuration.num_teams)
    ]
    return {"drawn": None if state.unplaced == EMPTY else CARDS[state.unplaced], "teams": teams}


def _subject(snapshot: Snapshot) -> dict[str, Any]:
    if not snapshot.is_in("from_rack"):
        return {}
    state, rules = snapshot.state, snapshot.rules
    return {"cards": int(coloured_due(state, rules)), "locomotives": int(locomotives_due(state, rules))}


def _pending_before(snapshot: Snapshot) -> list[Any]:
    return [snapshot.first_card()] if snapshot.is_in("place") else []


def _pending_after(snapshot: Snapshot) -> list[Any]:
    return [] if snapshot.state.placed == NOWHERE else [place_text(snapshot.state.placed)]


RACKS = RuleModule(
    is_used=_is_used,
    entries=Entries(checks=[_check]),
    phases=[
        Phase(phases.PLACE, _list_place, _apply_place),
        Phase(phases.FROM_RACK, _list_from_rack, _apply_from_rack),
    ],
    hooks={
        depends_on_cards: _depends_on_cards,
        pick_payment: _pick_payment,
        hooks.forget_turn: _forget_turn,
        hooks.write_public: _write_public,
        hooks.write_team: _write_team,
        hooks.write_drawn: _write_drawn,
        hooks.blank: _blank,
        hooks.lacks_cards: _lacks_cards,
        hooks.see_cards: _see_cards,
        hooks.take_unknown: _take_unknown,
        hooks.draw_unknown: _draw_unknown,
        hooks.see_tickets: _see_tickets,
        hooks.deal_tickets: _deal_tickets,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    private_segments=_private_segments,
    write_rules=_write_rules,
    write_opening=_write_opening,
    state=RackState,
    cards=_cards,
    limits=_limits,
    sets=lambda rules: {"rack_tickets": int(rules.num_tickets)},
    tickets=["rack_tickets"],
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
    describe={blocks.PLACE: _describe_place, blocks.FROM_RACK: _describe_from_rack},
    snapshot=_snapshot,
    subject=_subject,
    pending_before=_pending_before,
    pending_after=_pending_after,
)
"""Racks of train cards and tickets."""
