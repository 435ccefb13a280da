"""Whether states that come from outside can be played on: the core itself trusts its records."""

from typing import Any

import numpy as np

from t2r_env.boxes.box import (
    MAX_CITIES,
    MAX_OFFER,
    MAX_SEATS,
    MAX_TICKETS,
    MAX_TRAIN_CARDS,
    MAX_TRAINS,
    MAX_TUNNEL,
    MAX_TURN_LIMIT,
)
from t2r_env.rules.map_game.actions import PAY as PAY_BLOCK
from t2r_env.rules.map_game.actions import PAY_MORE
from t2r_env.rules.map_game.batch import count_answers
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    FROM_RACK,
    KEEP_TICKET,
    MAX_EDGES,
    NEUTRAL,
    NEUTRAL_SHARE,
    NO_ANSWER,
    NO_COMPANY,
    NO_LANE,
    NO_TECHNOLOGY,
    NOWHERE,
    PAY,
    PLACE,
    RACK,
    SECOND_CARD,
    SECOND_CLAIM,
    SHARE,
    TAKE_SHARE,
    TICKET_WORDS,
    TUNNEL,
    TURN_OVER,
    new_scratch,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, OUTCOMES, RUNNING
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, LOCOMOTIVE

States = np.ndarray[Any, Any]

_PAYS_FOR_LANE = (FROM_RACK, TUNNEL, TAKE_SHARE, NEUTRAL_SHARE)
"""Phases that come after the payment of a lane has been chosen."""


def find_fault(states: States, rules_array: States) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    rules = rules_array[0]
    for field, (least, most) in _limits(rules).items():
        if np.any((states[field] < least) | (states[field] > most)):
            return f"{field} must lie between {least} and {most}"
    sets = {
        **dict.fromkeys(("open", "claimed"), rules.num_lanes),
        **dict.fromkeys(("tickets", "rack_tickets", "to_share"), rules.num_tickets),
    }
    for field, number in sets.items():
        for word in range(states[field].shape[-1]):
            allowed = (1 << int(number)) - 1 >> 64 * word & (1 << 64) - 1
            if np.any(states[field][..., word] & ~np.uint64(allowed)):
                return f"{field} must name no more than {number}"
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "rack_count": states["rack"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(-1),
        "rack_ticket_count": np.bitwise_count(states["rack_tickets"]).sum(-1),
    }
    for field, counted in counts.items():
        if np.any(states[field] != counted):
            return f"{field} must be the number of what it counts"
    if np.any(np.bitwise_count(states["claimed"]).sum(-1) > MAX_EDGES):
        return f"claimed must name no more than {MAX_EDGES}"
    if np.any((states["phase"] == ENDED) != (states["outcome"] != RUNNING)) or np.any(states["phase"] == TURN_OVER):
        return "a question must be asked, or the game have ended"
    running = np.ascontiguousarray(states[states["outcome"] == RUNNING])
    return (
        _find_fault_of_tickets(states, rules)
        or _find_fault_of_racks(running, rules)
        or _find_fault_of_technologies(states, rules)
        or _find_fault_of_shares(states, rules)
        or _find_fault_of_question(running, rules)
        or _find_fault_of_payment(running, rules)
        or _find_fault_of_answers(running, rules_array)
    )


def _find_fault_of_tickets(states: States, rules: Record) -> str:
    """Where a ticket lies twice, or a long one where none can lie, there is no deal that a player could expect."""
    rows, number = len(states), 64 * TICKET_WORDS
    lying = _members(states["tickets"]).sum(1) + _members(states["rack_tickets"]).sum(1)
    for field in ("ticket_queue", "offered"):
        tickets = states[field].reshape(rows, -1)
        row, place = np.nonzero(tickets != NO_TICKET)
        lying += np.bincount(row * number + tickets[row, place], minlength=rows * number).reshape(rows, number)
    if np.any(lying > 1):
        return "each ticket must lie in one place"
    is_long = np.arange(number) >= rules.num_regular
    if np.any(_members(states["tickets"])[..., is_long].sum(-1) > rules.long_offer):
        return f"tickets must hold no more than {rules.long_offer} long ones for each seat"
    is_starting_choice = (states["turn"] == 0)[:, None, None]
    may_be_long = is_starting_choice & (np.arange(MAX_OFFER) < rules.long_offer)
    on_offer = states["offered"] != NO_TICKET
    wrong = on_offer & ((states["offered"] >= rules.num_regular) != may_be_long)
    if np.any(wrong) or np.any(states["ticket_queue"] >= rules.num_regular):
        return "long tickets must be held, or be the first ones on offer at the start"
    return ""


def _find_fault_of_shares(states: States, rules: Record) -> str:
    everywhere = np.concatenate([states["shares"], states["shares_left"][:, None]], axis=1)
    all_shares = np.bitwise_or.reduce(rules.company_shares)
    is_everywhere_one = np.bitwise_count(everywhere).sum(-1) == rules.num_shares
    holders = np.append(np.arange(MAX_SEATS) < rules.num_seats, rules.neutral_shareholder != 0)
    if np.any(states["shares"][:, ~holders]):
        return "shares must be held by who plays"
    if not np.all(is_everywhere_one & (np.bitwise_or.reduce(everywhere, axis=-1) == all_shares)):
        return "each share must lie in one place"
    is_finished = states["outcome"] == FINISHED
    if np.any(states["revealed_shares"] & ~np.where(is_finished, states["shares"][:, NEUTRAL], np.uint64(0))):
        return "revealed_shares must be some of the neutral player's, and none before the end"
    return ""


def _members(words: Any) -> np.ndarray[Any, Any]:
    """Sets of bits as rows of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), axis=-1, bitorder="little").astype(np.int64)


def _find_fault_of_racks(states: States, rules: Record) -> str:
    teams = int(rules.num_teams)
    if np.any(states["rack_count"][:, teams:]) or np.any(states["rack_ticket_count"][:, teams:]):
        return "racks must be those of the teams"
    rows, current = np.arange(len(states)), states["current"]
    shares = states["phase"] == SHARE
    to_share = states["to_share"]
    if np.any(to_share & ~np.where(shares[:, None], states["tickets"][rows, current], np.uint64(0))):
        return "to_share must name tickets of the seat that is asked"
    seats = np.arange(MAX_SEATS)
    has_chosen = (shares & (states["turn"] == 0))[:, None] & (seats < current[:, None])
    chosen = np.maximum(states["sharing"], 0)
    holds = states["tickets"][rows[:, None], seats, chosen >> 6] >> (chosen & 63).astype(np.uint64) & np.uint64(1) == 1
    if np.any(np.where(has_chosen, ~holds, states["sharing"] != NO_TICKET)):
        return "sharing must name a ticket of each seat that has chosen one"
    return ""


def _find_fault_of_technologies(states: States, rules: Record) -> str:
    held = _members(states["technologies"].astype(np.uint64)[..., None])
    if np.any(held[:, int(rules.num_seats) :]):
        return "technologies must be held by who plays"
    number = len(rules.technology_copies)
    if np.any(held[..., number:]) or np.any(
        held[..., :number].sum(1) + states["technologies_left"] != rules.technology_copies
    ):
        return "each copy of a technology must lie in one place"
    return ""


def _find_fault_of_question(states: States, rules: Record) -> str:
    """What only some questions need must be there for them, and for no others."""
    phase, rows = states["phase"], np.arange(len(states))
    if np.any(rules.phase_slot[phase] < 0):
        return "a question must be asked that this game has"
    if np.any((phase == KEEP_TICKET) & (states["asked"] >= states["offered_count"][rows, states["current"]])):
        return "the ticket in question must be on offer"
    is_paying = phase == PAY
    has_lane, has_technology = states["lane"] != NO_LANE, states["technology"] != NO_TECHNOLOGY
    if np.any(is_paying & (has_lane == has_technology)):
        return "a lane or a technology that is to be paid must be there"
    needed = {
        "lane": (has_lane, is_paying, np.isin(phase, _PAYS_FOR_LANE)),
        "technology": (has_technology, is_paying, False),
        "unplaced": (states["unplaced"] != EMPTY, False, phase == PLACE),
        "placed": (states["placed"] != NOWHERE, False, (phase == SECOND_CARD) & bool(rules.num_teams)),
        "company": (states["company"] != NO_COMPANY, phase == NEUTRAL_SHARE, False),
        "extra": (states["extra"] != NO_ANSWER, phase == FROM_RACK, False),
        "payment": (states["payment"] != NO_ANSWER, phase >= TAKE_SHARE, np.isin(phase, (FROM_RACK, TUNNEL))),
    }
    for field, (is_there, may_be, must_be) in needed.items():
        if np.any((is_there & ~(may_be | must_be)) | (~is_there & must_be)):
            return f"{field} must be there if the question is about it, and only then"
    if np.any((phase == SECOND_CLAIM) & (states["claims"] != 1)):
        return "claims must be 1 when a second claim is in question"
    if np.any((phase == TAKE_SHARE) & (states["shares_left"] & rules.lane_shares[states["lane"]] == 0)):
        return "a share of the lane's companies must be there to be taken"
    return ""


def _find_fault_of_payment(states: States, rules: Record) -> str:
    """The payment chosen must pay for the lane, and what lies apart must have been laid out for it."""
    phase, lane, payment = states["phase"], states["lane"], states["payment"]
    length = rules.lane_length[lane].astype(np.int64)
    colour, column = np.divmod(payment - rules.first_action[PAY_BLOCK], rules.pay_width)
    cards = np.where(colour == LOCOMOTIVE, column + 1, column)
    fits = (colour >= 0) & (colour <= LOCOMOTIVE) & (cards <= length) & ((colour < LOCOMOTIVE) | (cards >= length - 1))
    if np.any((payment != NO_ANSWER) & ~fits):
        return "payment must be one for the lane that is claimed"
    pays_more = (phase == TUNNEL) | (states["extra"] != NO_ANSWER)
    extra = states["extra"] - rules.first_action[PAY_MORE]
    if np.any(pays_more & (states["due"] < 1)) or np.any(
        (states["extra"] != NO_ANSWER) & ((extra < 0) | (extra > states["due"]))
    ):
        return "due and extra must be what a tunnel demands and how it is paid"
    apart = states["set_aside"].sum((-1, -2))
    spends = (phase == PAY) & bool(rules.exchange) & (states["set_aside"][:, :, LOCOMOTIVE].sum(-1) == 0)
    if np.any((apart > 0) & ~(pays_more | spends)) or np.any((states["revealed"].sum(-1) > 0) & ~pays_more):
        return "set_aside and revealed must belong to a payment under way"
    return ""


def _find_fault_of_answers(states: States, rules: States) -> str:
    """Each question must have an answer: the core would wait for it for ever, or deal hands that can't be."""
    if states.size and not count_answers(states, rules, new_scratch()):
        return "the question asked must have an answer (as cards to draw or to pay with)"
    return ""


def _limits(rules: Record) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of each field."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    cards = dict.fromkeys(
        ("deck", "discard", "hand", "known", "rack", "rack_known", "set_aside", "revealed"), (0, MAX_TRAIN_CARDS)
    )
    cards |= dict.fromkeys(("deck_count", "discard_count", "hand_count", "rack_count"), (0, MAX_TRAIN_CARDS))
    return cards | {
        "component": (0, MAX_CITIES - 1),
        "row": (EMPTY, CARD_KINDS - 1),
        "drawn": (EMPTY, CARD_KINDS - 1),
        "drawn_slot": (EMPTY, FROM_DECK),
        "ticket_count": (0, tickets),
        "ticket_queue": (NO_TICKET, tickets - 1),
        "queue_head": (0, MAX_TICKETS - 1),
        "queue_count": (0, tickets),
        "offered": (NO_TICKET, tickets - 1),
        "offered_count": (0, MAX_OFFER),
        "kept": (0, (1 << MAX_OFFER) - 1),
        "asked": (0, MAX_OFFER - 1),
        "trains": (0, MAX_TRAINS),
        "rank": (0, seats),
        "phase": (0, ENDED),
        "current": (0, seats - 1),
        "lane": (NO_LANE, int(rules.num_lanes) - 1),
        "payment": (NO_ANSWER, int(rules.num_actions) - 1),
        "extra": (NO_ANSWER, int(rules.num_actions) - 1),
        "due": (0, MAX_TUNNEL),
        "technology": (NO_TECHNOLOGY, int(rules.num_technologies) - 1),
        "bought": (NO_TECHNOLOGY, int(rules.num_technologies) - 1),
        "technologies_left": (0, MAX_SEATS),
        "claims": (0, 2),
        "moved": (0, 1),
        "unplaced": (EMPTY, CARD_KINDS - 1),
        "placed": (NOWHERE, RACK),
        "sharing": (NO_TICKET, tickets - 1),
        "rack_ticket_count": (0, tickets),
        "company": (NO_COMPANY, int(rules.num_companies) - 1),
        "turn": (0, MAX_TURN_LIMIT),
        "last_turns_left": (0, seats),
        "passes": (0, seats),
        "outcome": (0, len(OUTCOMES) - 1),
    }
