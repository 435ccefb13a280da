"""The racks of a team, one for train cards and one for tickets, which both teammates see and use (TA2, TA5, TA6)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.cards import CARD_TYPES, EMPTY, LOCOMOTIVE
from t2r_env.rules.map_game import payments
from t2r_env.rules.map_game.records import HAND, RACK, MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import FROM_DECK, SharedScratch


@inlined
def place_card(state: MapState, rules: MapRules, seat: int, card: int, where: int, is_seen: bool) -> None:
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
def put_ticket(state: MapState, rules: MapRules, seat: int, ticket: int) -> None:
    """Put a ticket of the seat's hand on its team's rack."""
    bits.remove(state.tickets[seat], ticket)
    state.ticket_count[seat] -= 1
    team = rules.team[seat]
    bits.add(state.rack_tickets[team], ticket)
    state.rack_ticket_count[team] += 1


@inlined
def _lay_out_from_rack(state: MapState, team: int, card: int, number: int) -> None:
    """Lay out cards of a team's rack; those that opponents know of go first (C20)."""
    state.rack[team, card] -= number
    state.rack_count[team] -= number
    state.rack_known[team, card] = max(0, state.rack_known[team, card] - number)
    state.set_aside[RACK, card] += number


@compiled
def take_back(state: MapState, rules: MapRules, seat: int) -> None:
    """Take what was laid out from a rack back to it; all have seen it (TA10, C20)."""
    team = rules.team[seat]
    for card in range(CARD_TYPES):
        number = state.set_aside[RACK, card]
        if number > 0:
            state.rack[team, card] += number
            state.rack_known[team, card] += number
            state.rack_count[team] += number
            state.set_aside[RACK, card] = 0


# Phase `place`: the first card drawn goes to the hand or to the team's rack (TA5)


@inlined
def list_places(rules: MapRules, scratch: SharedScratch) -> int:
    """List the hand and the rack."""
    scratch.legal[0] = rules.first_action[blocks.PLACE]
    scratch.legal[1] = rules.first_action[blocks.PLACE] + 1
    return 2


@inlined
def place_first_card(state: MapState, rules: MapRules, action: int) -> None:
    """Put the first card there; the second will go to the other."""
    state.placed = action - rules.first_action[blocks.PLACE]
    place_card(state, rules, state.current, state.unplaced, state.placed, state.drawn_slot != FROM_DECK)
    state.unplaced = EMPTY


# Phase `from_rack`: which cards of the payment come from the team's rack (TA6)


@inlined
def list_splits(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List every number of either type that the rack has and that leaves no more than the hand has."""
    seat = state.current
    team = rules.team[seat]
    colour = payments.colour_of(rules, state.payment)
    coloured, locomotives = payments.coloured_due(state, rules), payments.locomotives_due(state, rules)
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
def split_payment(state: MapState, rules: MapRules, action: int) -> None:
    """Lay the cards out, from the rack and from the hand."""
    seat = state.current
    team = rules.team[seat]
    colour = payments.colour_of(rules, state.payment)
    coloured, locomotives = payments.coloured_due(state, rules), payments.locomotives_due(state, rules)
    chosen = action - rules.first_action[blocks.FROM_RACK]
    cards, wild = chosen // rules.rack_width, chosen % rules.rack_width
    _lay_out_from_rack(state, team, colour, cards)
    payments.lay_out(state, seat, colour, coloured - cards)
    _lay_out_from_rack(state, team, LOCOMOTIVE, wild)
    payments.lay_out(state, seat, LOCOMOTIVE, locomotives - wild)
