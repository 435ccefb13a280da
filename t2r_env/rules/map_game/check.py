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
    MAX_TURN_LIMIT,
)
from t2r_env.rules.map_game.actions import PAY as PAY_BLOCK
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    GRAY,
    KEEP_TICKET,
    MAX_EDGES,
    NEUTRAL,
    NEUTRAL_SHARE,
    NO_ANSWER,
    NO_COMPANY,
    NO_LANE,
    PAY,
    PHASES,
    SECOND_CARD,
    TAKE_SHARE,
    TICKET_WORDS,
    TURN_OVER,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, OUTCOMES, RUNNING
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, LOCOMOTIVE

States = np.ndarray[Any, Any]


def find_fault(states: States, rules: Record) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    for field, (least, most) in _limits(rules).items():
        if np.any((states[field] < least) | (states[field] > most)):
            return f"{field} must lie between {least} and {most}"
    for field, number in {"open": rules.num_lanes, "claimed": rules.num_lanes, "tickets": rules.num_tickets}.items():
        for word in range(states[field].shape[-1]):
            allowed = (1 << int(number)) - 1 >> 64 * word & (1 << 64) - 1
            if np.any(states[field][..., word] & ~np.uint64(allowed)):
                return f"{field} must name no more than {number}"
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(-1),
    }
    for field, counted in counts.items():
        if np.any(states[field] != counted):
            return f"{field} must be the number of what it counts"
    if np.any(np.bitwise_count(states["claimed"]).sum(-1) > MAX_EDGES):
        return f"claimed must name no more than {MAX_EDGES}"
    return (
        _find_fault_of_tickets(states, rules)
        or _find_fault_of_shares(states, rules)
        or _find_fault_of_question(states, rules)
    )


def _find_fault_of_tickets(states: States, rules: Record) -> str:
    """Where a ticket lies twice, or a long one where none can lie, there is no deal that a player could expect."""
    rows, number = len(states), 64 * TICKET_WORDS
    lying = _members(states["tickets"]).sum(1)
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


def _find_fault_of_question(states: States, rules: Record) -> str:
    """Each question must have an answer: the core would wait for it for ever, or deal hands that can't be."""
    phase, rows = states["phase"], np.arange(len(states))
    asked = (phase < len(PHASES)) & (rules.phase_slot[np.minimum(phase, len(PHASES) - 1)] < 0)
    if np.any(asked | (phase == TURN_OVER) | ((phase == ENDED) != (states["outcome"] != RUNNING))):
        return "a question must be asked, or the game have ended"
    can_draw = (states["deck_count"] > 0) | ((states["row"] != EMPTY) & (states["row"] != LOCOMOTIVE)).any(-1)
    if np.any((phase == SECOND_CARD) & ~can_draw):
        return "a second card must be there to be drawn"
    if np.any((phase == KEEP_TICKET) & (states["asked"] >= states["offered_count"][rows, states["current"]])):
        return "the ticket in question must be on offer"
    hand, lane = states["hand"][rows, states["current"]], states["lane"]
    coloured = hand[:, :LOCOMOTIVE]
    colour = np.minimum(rules.lane_colour[lane], LOCOMOTIVE - 1)
    of_colour = np.where(rules.lane_colour[lane] == GRAY, coloured.max(-1), coloured[rows, colour])
    locomotives = hand[:, LOCOMOTIVE]
    can_pay = (lane != NO_LANE) & (of_colour + locomotives >= rules.lane_length[lane])
    can_pay &= locomotives >= rules.lane_ferry[lane]
    if np.any((phase == PAY) & ~can_pay):
        return "a lane that is to be paid must be there, and the cards for it"
    chooses_share = (phase == TAKE_SHARE) | (phase == NEUTRAL_SHARE)
    payment = states["payment"]
    colour, column = np.divmod(payment - rules.first_action[PAY_BLOCK], rules.pay_width)
    pays = np.where(colour == LOCOMOTIVE, column + 1 == rules.lane_length[lane], column < rules.lane_length[lane])
    pays &= (colour >= 0) & (colour <= LOCOMOTIVE) & chooses_share
    if np.any((payment != NO_ANSWER) & ~pays) or np.any((states["company"] != NO_COMPANY) & (phase != NEUTRAL_SHARE)):
        return "payment and company must be answers given for the lane that is claimed"
    can_take = (lane != NO_LANE) & (states["shares_left"] & rules.lane_shares[lane] != 0)
    if np.any(chooses_share & ~can_take):
        return "a lane whose share is to be taken must be there, and a share of its companies"
    return ""


def _limits(rules: Record) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of each field."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    cards = dict.fromkeys(
        ("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count"), (0, MAX_TRAIN_CARDS)
    )
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
        "company": (NO_COMPANY, int(rules.num_companies) - 1),
        "turn": (0, MAX_TURN_LIMIT),
        "last_turns_left": (0, seats),
        "passes": (0, seats),
        "outcome": (0, len(OUTCOMES) - 1),
    }
