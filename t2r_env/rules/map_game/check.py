"""Whether states of a map game that come from outside can be played on."""

import numpy as np

from t2r_env.rules.check import (
    CARDS_LIMIT,
    Limits,
    States,
    count_tickets,
    find_fault_of_count,
    find_fault_of_subject,
    find_shared_fault,
    members,
    running,
)
from t2r_env.rules.map_game.actions import PAY as PAY_BLOCK
from t2r_env.rules.map_game.actions import PAY_MORE
from t2r_env.rules.map_game.state import (
    FROM_RACK,
    MAX_EDGES,
    NEUTRAL,
    NEUTRAL_SHARE,
    NO_COMPANY,
    NO_ROUTE,
    NO_TECHNOLOGY,
    NOWHERE,
    PAY,
    PLACE,
    RACK,
    SECOND_CARD,
    SECOND_CLAIM,
    SHARE,
    TAKE_SHARE,
    TUNNEL,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED
from t2r_env.rules.state import NO_ACTION
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY, LOCOMOTIVE
from t2r_env.variants.variant import (
    MAX_CITIES,
    MAX_OFFER,
    MAX_SEATS,
    MAX_TRAINS,
    MAX_TUNNEL,
)

_PAYS_FOR_ROUTE = (FROM_RACK, TUNNEL, TAKE_SHARE, NEUTRAL_SHARE)
"""Phases that come after the payment of a route has been chosen."""


def find_fault(states: States, rules: Record) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    routes, tickets = dict.fromkeys(("open", "claimed"), rules.num_routes), ("tickets", "rack_tickets", "to_share")
    sets = routes | dict.fromkeys(tickets, rules.num_tickets)
    if fault := find_shared_fault(states, rules, _limits(rules), sets):
        return fault
    if np.any(np.bitwise_count(states["claimed"]).sum(-1) > MAX_EDGES):
        return f"claimed must name no more than {MAX_EDGES}"
    asking = running(states)
    return (
        find_fault_of_count(states, "rack_count", states["rack"].sum(-1))
        or find_fault_of_count(states, "rack_ticket_count", np.bitwise_count(states["rack_tickets"]).sum(-1))
        or _find_fault_of_tickets(states, rules)
        or _find_fault_of_racks(asking, rules)
        or _find_fault_of_technologies(states, rules)
        or _find_fault_of_shares(states, rules)
        or find_fault_of_subject(asking, rules)
        or _find_fault_of_subject(asking, rules)
        or _find_fault_of_payment(asking, rules)
    )


def _find_fault_of_tickets(states: States, rules: Record) -> str:
    """Where a ticket lies twice, or a long one where none can lie, there is no deal that a player could expect."""
    lying = count_tickets(states, "tickets", "rack_tickets")
    if np.any(lying > 1):
        return "each ticket must lie in one place"
    is_long = np.arange(lying.shape[1]) >= rules.num_regular
    if np.any(members(states["tickets"])[..., is_long].sum(-1) > rules.long_offer):
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


def _find_fault_of_racks(states: States, rules: Record) -> str:
    teams = int(rules.num_racks)
    if np.any(states["rack_count"][:, teams:]) or np.any(states["rack_ticket_count"][:, teams:]):
        return "racks must be those of the teams"
    if np.any(states["rack_known"] > states["rack"]):
        return "rack_known must be cards of the rack"
    rows, current = np.arange(len(states)), states["current"]
    shares = states["phase"] == SHARE
    to_share = states["to_share"]
    if np.any(to_share & ~np.where(shares[:, None], states["tickets"][rows, current], np.uint64(0))):
        return "to_share must name tickets of the acting seat"
    seats = np.arange(MAX_SEATS)
    has_chosen = (shares & (states["turn"] == 0))[:, None] & (seats < current[:, None])
    chosen = np.maximum(states["sharing"], 0)
    holds = states["tickets"][rows[:, None], seats, chosen >> 6] >> (chosen & 63).astype(np.uint64) & np.uint64(1) == 1
    if np.any(np.where(has_chosen, ~holds, states["sharing"] != NO_TICKET)):
        return "sharing must name a ticket of each seat that has chosen one"
    return ""


def _find_fault_of_technologies(states: States, rules: Record) -> str:
    held = members(states["technologies"].astype(np.uint64)[..., None])
    if np.any(held[:, int(rules.num_seats) :]):
        return "technologies must be held by who plays"
    number = len(rules.technology_copies)
    if np.any(held[..., number:]) or np.any(
        held[..., :number].sum(1) + states["technologies_left"] != rules.technology_copies
    ):
        return "each copy of a technology must lie in one place"
    return ""


def _find_fault_of_subject(states: States, rules: Record) -> str:
    """What only some decisions need must be there for them, and for no others."""
    phase = states["phase"]
    is_paying = phase == PAY
    has_route, has_technology = states["route"] != NO_ROUTE, states["technology"] != NO_TECHNOLOGY
    if np.any(is_paying & (has_route == has_technology)):
        return "in phase pay either route or technology must be set"
    needed = {
        "route": (has_route, is_paying, np.isin(phase, _PAYS_FOR_ROUTE)),
        "technology": (has_technology, is_paying, False),
        "unplaced": (states["unplaced"] != EMPTY, False, phase == PLACE),
        "placed": (states["placed"] != NOWHERE, False, (phase == SECOND_CARD) & bool(rules.num_racks)),
        "company": (states["company"] != NO_COMPANY, phase == NEUTRAL_SHARE, False),
        "extra": (states["extra"] != NO_ACTION, phase == FROM_RACK, False),
        "payment": (states["payment"] != NO_ACTION, phase >= TAKE_SHARE, np.isin(phase, (FROM_RACK, TUNNEL))),
    }
    for field, (is_there, may_be, must_be) in needed.items():
        if np.any((is_there & ~(may_be | must_be)) | (~is_there & must_be)):
            return f"{field} must be set if the decision is about it, and only then"
    if np.any((phase == SECOND_CLAIM) & (states["claims"] != 1)):
        return "claims must be 1 in phase second_claim"
    if np.any((phase == TAKE_SHARE) & (states["shares_left"] & rules.route_shares[states["route"]] == 0)):
        return "a share of the route's companies must be there to be taken"
    return ""


def _find_fault_of_payment(states: States, rules: Record) -> str:
    """The payment chosen must pay for the route, and what lies apart must have been laid out for it."""
    phase, route, payment = states["phase"], states["route"], states["payment"]
    length = rules.route_length[route].astype(np.int64)
    colour, column = np.divmod(payment - rules.first_action[PAY_BLOCK], rules.pay_width)
    cards = np.where(colour == LOCOMOTIVE, column + 1, column)
    fits = (colour >= 0) & (colour <= LOCOMOTIVE) & (cards <= length) & ((colour < LOCOMOTIVE) | (cards >= length - 1))
    if np.any((payment != NO_ACTION) & ~fits):
        return "payment must be one for the route that is claimed"
    pays_more = (phase == TUNNEL) | (states["extra"] != NO_ACTION)
    extra = states["extra"] - rules.first_action[PAY_MORE]
    if np.any(pays_more & (states["due"] < 1)) or np.any(
        (states["extra"] != NO_ACTION) & ((extra < 0) | (extra > states["due"]))
    ):
        return "due and extra must be what a tunnel demands and how it is paid"
    apart = states["set_aside"].sum((-1, -2))
    spends = (phase == PAY) & bool(rules.exchange) & (states["set_aside"][:, :, LOCOMOTIVE].sum(-1) == 0)
    if np.any((apart > 0) & ~(pays_more | spends)) or np.any((states["revealed"].sum(-1) > 0) & ~pays_more):
        return "set_aside and revealed must belong to a payment under way"
    return ""


def _limits(rules: Record) -> Limits:
    """The least and the greatest value of each field."""
    tickets = int(rules.num_tickets)
    cards = dict.fromkeys(("rack", "rack_known", "rack_count", "set_aside", "revealed"), CARDS_LIMIT)
    return cards | {
        "component": (0, MAX_CITIES - 1),
        "trains": (0, MAX_TRAINS),
        "passes": (0, int(rules.num_seats)),
        "route": (NO_ROUTE, int(rules.num_routes) - 1),
        "payment": (NO_ACTION, int(rules.num_actions) - 1),
        "extra": (NO_ACTION, int(rules.num_actions) - 1),
        "due": (0, MAX_TUNNEL),
        "technology": (NO_TECHNOLOGY, int(rules.num_technologies) - 1),
        "bought": (NO_TECHNOLOGY, int(rules.num_technologies) - 1),
        "technologies_left": (0, MAX_SEATS),
        "claims": (0, 2),
        "moved": (0, 1),
        "unplaced": (EMPTY, CARD_TYPES - 1),
        "placed": (NOWHERE, RACK),
        "sharing": (NO_TICKET, tickets - 1),
        "rack_ticket_count": (0, tickets),
        "company": (NO_COMPANY, int(rules.num_companies) - 1),
    }
