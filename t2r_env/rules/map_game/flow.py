"""The turn of a map game, from top to bottom: who decides what, in which order, and what follows (C7-C15).

`play` takes an action and goes on to the next decision. For each phase, `list_legal` says which actions are legal and
`_apply` what an action does. Rules that only some games have are called by name, behind their flag in `rules`.
"""

from typing import Any

import numpy as np

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import ticket_choice, ticket_queue, train_cards
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.map_game import (
    exchange,
    payments,
    purchases,
    racks,
    right_of_way,
    routes,
    shares,
    sharing,
    stations,
    technologies,
    tunnels,
)
from t2r_env.rules.map_game.records import (
    HAND,
    NEUTRAL,
    NO_COMPANY,
    NO_ROUTE,
    NO_TECHNOLOGY,
    NOWHERE,
    RACK,
    MapRules,
    MapScoringScratch,
    MapState,
)
from t2r_env.rules.map_game.scoring import score_game
from t2r_env.rules.names import NO_ACTION, TURN_OVER, blocks, outcomes, phases
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.turns import begin_turn, end_game, is_starting_choice, next_seat
from t2r_env.variants.variant import effects


@compiled
def play(state: MapState, rules: MapRules, scratch: SharedScratch, scoring: MapScoringScratch, action: Any) -> int:
    """Take a legal action, or `NO_ACTION` to learn what is to be decided, and go on to the next decision.

    A decision with one legal action is taken for the player, but for the one that opens a turn. Returns the number of
    legal actions of the decision that is left, listed in `scratch.legal`; 0 after the end, which is then scored.
    """
    is_running = state.outcome == outcomes.RUNNING
    while True:
        if action != NO_ACTION:
            _apply(state, rules, action)
            if state.phase == TURN_OVER:
                _end_turn(state, rules)
        count = list_legal(state, rules, scratch)
        if count != 1 or state.phase == phases.TURN:
            break
        action = np.int64(scratch.legal[0])
    if is_running and state.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)
    return count


@compiled
def list_legal(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List the legal actions of the present decision in `scratch.legal`; return how many there are, 0 after the end."""
    if state.phase == phases.TURN:
        return _list_turn(state, rules, scratch)
    if state.phase == phases.SECOND_CARD:
        return train_cards.list_draws(state, rules, scratch, True)
    if state.phase == phases.PAY and rules.num_exchanges == 0:
        return payments.list_payments(state, rules, scratch, 0)
    if state.phase == phases.PAY:
        return list_payments_and_spends(state, rules, scratch)
    if state.phase == phases.KEEP_TICKET:
        return ticket_choice.list_legal(state, rules, scratch)
    if state.phase == phases.TUNNEL:
        return tunnels.list_legal(state, rules, scratch)
    if state.phase == phases.PLACE:
        return racks.list_places(rules, scratch)
    if state.phase == phases.FROM_RACK:
        return racks.list_splits(state, rules, scratch)
    if state.phase == phases.SHARE:
        return sharing.list_legal(state, rules, scratch)
    if state.phase == phases.SECOND_CLAIM:
        scratch.legal[0] = rules.first_action[blocks.STOP]
        return _list_claims(state, rules, scratch, 1)
    if state.phase == phases.TAKE_SHARE:
        return shares.list_takes(state, rules, scratch)
    if state.phase == phases.NEUTRAL_SHARE:
        return shares.list_companies(state, rules, scratch, rules.first_action[blocks.NEUTRAL_SHARE])
    return 0


@inlined
def _apply(state: MapState, rules: MapRules, action: int) -> None:
    """Do what a legal action does, up to the next decision or the end of the turn."""
    if state.phase == phases.TURN:
        _begin_action(state, rules, action)
    elif state.phase == phases.SECOND_CARD:
        _draw_second_card(state, rules, action)
    elif state.phase == phases.PAY:
        _pay(state, rules, action)
    elif state.phase == phases.KEEP_TICKET:
        _decide_on_ticket(state, rules, action)
    elif state.phase == phases.TUNNEL:
        _meet_demand(state, rules, action)
    elif state.phase == phases.PLACE:
        racks.place_first_card(state, rules, action)
        _follow_first_card(state, rules)
    elif state.phase == phases.FROM_RACK:
        racks.split_payment(state, rules, action)
        _follow_payment(state, rules)
    elif state.phase == phases.SHARE:
        _share_ticket(state, rules, action)
    elif state.phase == phases.SECOND_CLAIM:
        _claim_second(state, rules, action)
    elif state.phase == phases.TAKE_SHARE:
        is_neutral_next = shares.take_for_claim(state, rules, action)
        state.phase = phases.NEUTRAL_SHARE if is_neutral_next else TURN_OVER
    elif state.phase == phases.NEUTRAL_SHARE:
        shares.take(state, rules, NEUTRAL, action - rules.first_action[blocks.NEUTRAL_SHARE])
        state.phase = TURN_OVER


# A turn is one of these actions


@inlined
def _list_turn(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List what a turn may be: draw cards or tickets, claim, what else the game has; a pass only if that is nothing."""
    if rules.num_technologies > 0 and right_of_way.was_bought(state, rules):
        low, high = right_of_way.claimable(state, rules)
        count = routes.list_routes(rules, scratch, low, high, 0)
        if count > 0:  # always so in play; a state from outside may lack the cards for any such claim
            return count
    count = train_cards.list_draws(state, rules, scratch, False)
    count = _list_claims(state, rules, scratch, count)
    if rules.num_racks > 0:
        count = sharing.list_tickets(rules, scratch, state.tickets[state.current], count)
    if rules.num_technologies > 0:
        count = technologies.list_draw_three(state, rules, scratch, count)
    if rules.num_stations > 0:
        count = stations.list_sites(state, rules, scratch, count)
    if count == 0:  # C13
        scratch.legal[0] = rules.first_action[blocks.PASS]
        count = 1
    if rules.num_technologies > 0:  # a purchase is no action: it leaves the pass legal
        count = purchases.list_purchases(state, rules, scratch, count)
    return count


@inlined
def _list_claims(state: MapState, rules: MapRules, scratch: SharedScratch, count: int) -> int:
    """List the claims that the acting seat may make and pay, after `count` other actions; return how many in all."""
    low, high = routes.within_reach(state, rules, state.current)
    payable_low, payable_high = payments.payable(state, rules, state.current)
    return routes.list_routes(rules, scratch, low & payable_low, high & payable_high, count)


@inlined
def _begin_action(state: MapState, rules: MapRules, action: int) -> None:
    """Begin the chosen action of a turn."""
    first = rules.first_action
    if rules.num_technologies > 0 and 0 <= action - first[blocks.BUY] < rules.num_technologies:
        state.technology = action - first[blocks.BUY]
        state.phase = phases.PAY
    elif action == first[blocks.PASS]:
        state.passes += 1
        state.phase = TURN_OVER
    else:
        state.passes = 0
        if action < first[blocks.DRAW_TICKETS]:
            _draw_first_card(state, rules, action)
        elif action == first[blocks.DRAW_TICKETS]:
            ticket_queue.offer(state, state.current, rules.later_offer)
            state.phase = phases.KEEP_TICKET
        elif action < first[blocks.PASS]:
            state.route = action - first[blocks.CLAIM]
            state.phase = phases.PAY
        elif rules.num_racks > 0:
            _share_in_turn(state, rules, action)
        elif rules.num_stations > 0:
            state.city = action - first[blocks.BUILD]
            state.phase = phases.PAY
        else:
            technologies.draw_three(state, rules)
            state.phase = TURN_OVER


# Draw train cards (C8)


@inlined
def _draw_first_card(state: MapState, rules: MapRules, action: int) -> None:
    """Draw the first card; in team games it lies apart until the seat has decided where it goes (TA5)."""
    card = train_cards.draw_first(state, rules, action)
    if rules.num_racks > 0 and not train_cards.is_only_card(state, rules):
        state.unplaced = card
        state.phase = phases.PLACE
        return
    if rules.num_racks > 0:
        racks.place_card(state, rules, state.current, card, RACK, True)
    else:
        train_cards.give(state, state.current, card, state.drawn != EMPTY)
    _follow_first_card(state, rules)


@inlined
def _follow_first_card(state: MapState, rules: MapRules) -> None:
    """Refill the face-up cards; a second card follows, unless the first was a face-up locomotive or none is left."""
    train_cards.restore(state, rules)
    state.phase = phases.SECOND_CARD if train_cards.may_draw_second(state, rules) else TURN_OVER


@inlined
def _draw_second_card(state: MapState, rules: MapRules, action: int) -> None:
    """Draw the second card; in team games it goes where the first did not (TA5)."""
    is_seen = action != rules.first_action[blocks.DRAW_DECK]
    card = train_cards.draw_second(state, rules, action)
    if rules.num_racks > 0:
        racks.place_card(state, rules, state.current, card, HAND + RACK - state.placed, is_seen)
    else:
        train_cards.give(state, state.current, card, is_seen)
    train_cards.restore(state, rules)
    state.phase = TURN_OVER


# Claim a route: pay, (tunnel), place trains, points, discard, share (C9); or pay for what else is bought


@inlined
def list_payments_and_spends(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List all payments that the cards allow, and the cards that may be spent towards an exchange (UK5)."""
    for_one, spent = exchange.rate_now(state, rules), exchange.spent(state)
    if for_one == 0:
        return payments.list_payments(state, rules, scratch, 0)
    count = 0
    if spent % for_one == 0:  # no exchange is half made
        count = payments.list_payments(state, rules, scratch, spent // for_one)
    if state.technology != NO_TECHNOLOGY and state.technology == rules.technology_with[effects.RIGHT_OF_WAY]:
        return right_of_way.list_spends(state, rules, scratch, count)
    price, symbols, colour = payments.price(state, rules)
    return exchange.list_spends(state, rules, scratch, price, symbols, colour, count)


@inlined
def _pay(state: MapState, rules: MapRules, action: int) -> None:
    """Pay, or spend a card towards an exchange; in team games the next decision is which cards the rack gives."""
    if rules.num_exchanges > 0 and action >= rules.first_action[blocks.SPEND]:
        payments.lay_out(state, state.current, action - rules.first_action[blocks.SPEND], 1)
        return
    if rules.num_racks > 0:
        state.payment = action
        state.phase = phases.FROM_RACK
        return
    payments.pay(state, rules, action)
    if state.route == NO_ROUTE:
        _complete_purchase(state, rules)
    else:
        state.payment = action
        _follow_payment(state, rules)


@inlined
def _complete_purchase(state: MapState, rules: MapRules) -> None:
    """Take the technology, and the turn goes on (UK8); or put up the station, and it is over (EU6)."""
    if state.technology != NO_TECHNOLOGY:
        purchases.complete(state)
        state.phase = phases.TURN
    else:
        stations.build(state)
        state.phase = TURN_OVER
    payments.discard_all(state)
    train_cards.restore(state, rules)


@inlined
def _follow_payment(state: MapState, rules: MapRules) -> None:
    """Go on once cards are laid out: a tunnel may demand more (TA10), else the claim is complete."""
    if rules.has_tunnels and tunnels.follow_payment(state, rules):
        state.phase = phases.TUNNEL
    else:
        _complete_claim(state, rules)


@inlined
def _meet_demand(state: MapState, rules: MapRules, action: int) -> None:
    """Pay what a tunnel demands, or take all back, and the turn is over (TA10)."""
    if action == rules.first_action[blocks.WITHDRAW]:
        payments.take_back(state, state.current)
        if rules.num_racks > 0:
            racks.take_back(state, rules, state.current)
        payments.discard_all(state)
        train_cards.restore(state, rules)
        state.phase = TURN_OVER
    elif rules.num_racks > 0:
        state.extra = action
        state.phase = phases.FROM_RACK
    else:
        tunnels.pay_more(state, rules, action)
        _complete_claim(state, rules)


@compiled
def _complete_claim(state: MapState, rules: MapRules) -> None:
    """Place trains and score; discard what was paid and turned up (C2-C4); a share may be taken (PA4)."""
    seat = state.current
    routes.claim(state, rules, seat, state.route)
    if rules.num_technologies > 0:
        technologies.score_claim(state, rules, seat, state.route)
        technologies.give_back(state, seat, rules.technology_with[effects.RIGHT_OF_WAY])
        if rules.technology_with[effects.THERMOCOMPRESSOR] != NO_TECHNOLOGY:
            state.claims += 1
    if rules.lays_out:
        payments.discard_all(state)
    train_cards.restore(state, rules)
    has_shares = rules.num_companies > 0 and shares.are_offered(state, rules)
    state.phase = phases.TAKE_SHARE if has_shares else TURN_OVER


@inlined
def _claim_second(state: MapState, rules: MapRules, action: int) -> None:
    """Begin a second claim, or end the turn (UK12)."""
    if action == rules.first_action[blocks.STOP]:
        state.phase = TURN_OVER
    else:
        state.route = action - rules.first_action[blocks.CLAIM]
        state.phase = phases.PAY


# Choose tickets (C5, C6, C12), and share them with a teammate (TA4, TA7, TA8)


@inlined
def _decide_on_ticket(state: MapState, rules: MapRules, action: int) -> None:
    """Keep or refuse a ticket; all decisions on an offer take effect together, those of the start for all seats."""
    seat = state.current
    if not ticket_choice.decide(state, rules, action):
        return
    if not is_starting_choice(state):
        if rules.num_racks > 0:
            sharing.offer_kept(state, seat)
        ticket_choice.settle(state, rules, seat)
        state.phase = phases.SHARE if rules.num_racks > 0 else TURN_OVER
    elif seat + 1 < rules.num_seats:
        state.current += 1
    else:
        ticket_choice.settle_start(state, rules)
        if rules.num_racks > 0:
            sharing.offer_all(state, 0)
            state.phase = phases.SHARE
        else:
            begin_turn(state, rules, 0)


@inlined
def _share_ticket(state: MapState, rules: MapRules, action: int) -> None:
    """Put a ticket on the rack; at the start all seats' choices take effect together (TA4)."""
    if is_starting_choice(state):
        if sharing.note_starting_choice(state, rules, action):
            begin_turn(state, rules, 0)
    else:
        sharing.share(state, rules, action)
        sharing.forget_offer(state)
        state.phase = TURN_OVER


@inlined
def _share_in_turn(state: MapState, rules: MapRules, action: int) -> None:
    """Put a ticket on the rack as a turn's action; a second one may follow (TA8)."""
    seat = state.current
    sharing.share(state, rules, action)
    state.moved = 1
    if state.ticket_count[seat] > 0:
        sharing.offer_all(state, seat)
        state.phase = phases.SHARE
    else:
        state.phase = TURN_OVER


# The end of a turn


@compiled
def _end_turn(state: MapState, rules: MapRules) -> None:
    """Go on to the next seat's turn, or end the game; before that a turn may go on with a second claim (UK12)."""
    if rules.num_technologies > 0 and technologies.lets_claim_again(state, rules):
        _forget_claim(state)
        state.phase = phases.SECOND_CLAIM
        return
    _forget_claim(state)
    state.placed = NOWHERE
    state.moved = 0
    if rules.num_technologies > 0:
        state.bought = NO_TECHNOLOGY
        technologies.give_back(state, state.current, rules.technology_with[effects.THERMOCOMPRESSOR])
        state.claims = 0
    if state.passes == rules.num_seats:  # C13
        end_game(state, outcomes.FINISHED)
        return
    if state.last_turns_left > 0:
        state.last_turns_left -= 1
        if state.last_turns_left == 0:
            end_game(state, outcomes.FINISHED)
            return
    else:
        trains = 0
        for seat in range(rules.num_seats):
            if rules.team[seat] == rules.team[state.current]:
                trains += state.trains[seat]
        if trains <= rules.last_round_trains:  # C15, TA11
            state.last_turns_left = rules.num_seats
    begin_turn(state, rules, next_seat(state, rules))


@inlined
def _forget_claim(state: MapState) -> None:
    """Forget what belongs to one claim alone."""
    state.route = NO_ROUTE
    state.payment = NO_ACTION
    state.extra = NO_ACTION
    state.due = 0
    state.company = NO_COMPANY
