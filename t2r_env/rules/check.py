"""Check whether states from outside can be played on: the core trusts its records.

A state is refused if a number is out of its limits, a set names what the game has not, cards, trains or tickets don't
add up, or if what its decision is about is missing or does not fit. Points, open routes, ranks and what else follows
from the rest are written again from it. Whether play could have led to the state is not asked.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from t2r_env.basics.sizes import MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TUNNEL
from t2r_env.core.records import fields_of
from t2r_env.rules.card_game.records import NO_COLOUR, NOBODY, NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, EMPTY, LOCOMOTIVE
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.map_game.records import NO_CITY, NO_COMPANY, NO_ROUTE, NO_TECHNOLOGY, NOWHERE, RACK
from t2r_env.rules.map_game.technologies import MOST_FOR_A_CLAIM
from t2r_env.rules.names import ENDED, NO_ACTION, OUTCOMES, TURN_OVER, blocks, outcomes, parts, phases
from t2r_env.rules.state import FROM_DECK, NO_TICKET
from t2r_env.variants.variant import effects

Array: TypeAlias = np.ndarray[Any, Any]

_MAX_DECISIONS = 2**30
_TICKET_SETS = ("tickets", "rack_tickets", "to_share", "completing", "completed_tickets")
_PLACES_OF_TICKETS = ("tickets", "rack_tickets", "completed_tickets")
_PLACES_OF_CARDS = ("deck", "discard", "hand", "set_aside", "revealed", "rack", "on_track")
_SINGLE_CARDS = ("face_up", "unplaced")
_LAID_OUT = (phases.FROM_RACK, phases.TUNNEL)
_SHARES = (phases.TAKE_SHARE, phases.NEUTRAL_SHARE)
_ABOUT: dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]] = {
    "route": (NO_ROUTE, (*_LAID_OUT, *_SHARES), (phases.PAY,)),
    "technology": (NO_TECHNOLOGY, (), (phases.PAY,)),
    "city": (NO_CITY, (), (phases.PAY,)),
    "payment": (NO_ACTION, _LAID_OUT, _SHARES),
    "extra": (NO_ACTION, (), (phases.FROM_RACK, *_SHARES)),
    "due": (0, (), (*_LAID_OUT, *_SHARES)),
    "set_aside": (0, (), (phases.PAY, *_LAID_OUT)),
    "revealed": (0, (), _LAID_OUT),
    "unplaced": (EMPTY, (phases.PLACE,), ()),
    "placed": (NOWHERE, (phases.SECOND_CARD,), ()),
    "to_share": (0, (), (phases.SHARE,)),
    "moved": (0, (), (phases.SHARE,)),
    "set_colour": (NO_COLOUR, (phases.SET_CARDS, phases.SET_LOCOMOTIVES), ()),
    "set_cards": (0, (phases.SET_LOCOMOTIVES,), ()),
    "completing": (0, (), (phases.COMPLETE,)),
}
"""The fields that belong to one decision: their empty value, the phases that need them, others that may have them."""


def find_fault(states: Array, configuration: Configuration) -> str:
    """Return what is wrong with the fields of states from outside, or with what lies where; else an empty text."""
    return next(_faults_of_fields(states, configuration), "") or next(_faults_of_things(states, configuration), "")


def find_unfit_decision(states: Array, configuration: Configuration) -> str:
    """Return what is wrong with the decisions of states whose derived fields have been written; else an empty text."""
    return next(_faults_of_decisions(states, configuration), "")


# Field by field


def _faults_of_fields(states: Array, configuration: Configuration) -> Iterator[str]:
    rules, opening = configuration.rules[0], configuration.opening[0]
    for name, (least, most) in bounds(configuration).items():
        if np.any((states[name] < least) | (states[name] > most)):
            yield f"{name} must lie between {least} and {most}"
    sets = dict.fromkeys(_TICKET_SETS, rules.num_tickets)
    if "claimed" in _fields(states):
        sets["claimed"] = rules.num_routes
        for name in ("shares", "shares_left"):
            if np.any(states[name] >> np.uint64(rules.num_shares)):
                yield f"{name} must name no more than {rules.num_shares}"
    for name, number in sets.items():
        if name in _fields(states) and np.any(_members(states[name])[..., number:]):
            yield f"{name} must name no more than {number}"
    for name in _fields(states):
        if states[name].shape[1:2] == (MAX_SEATS,) and np.any(
            states[name][:, rules.num_seats :] != opening[name][rules.num_seats :]
        ):
            yield f"{name} must be as at first for seats that are empty"
    is_running = states["outcome"] == outcomes.RUNNING
    if np.any((states["phase"] == ENDED) == is_running) or np.any(states["phase"] == TURN_OVER):
        yield "phase must be that of a decision, or the game must have ended"
    if np.any(rules.phase_slot[states["phase"][is_running]] < 0):
        yield "phase must be one that this game has"


def _fields(states: Array) -> Iterable[str]:
    return fields_of(states.dtype)


def bounds(configuration: Configuration) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest value of state fields, by name."""
    rules, is_map_game = configuration.rules[0], configuration.variant.ruleset == "map_game"
    return _bounds_of_all_games(rules) | (_bounds_of_map_games if is_map_game else _bounds_of_card_games)(rules)


def _bounds_of_all_games(rules: Any) -> dict[str, tuple[int, int]]:
    cards, tickets = (0, MAX_TRAIN_CARDS), int(rules.num_tickets)
    return {
        **dict.fromkeys(("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count"), cards),
        "face_up": (EMPTY, CARD_TYPES - 1),
        "reshuffled": (0, 1),
        "drawn": (EMPTY, CARD_TYPES - 1),
        "drawn_slot": (EMPTY, FROM_DECK),
        "ticket_count": (0, tickets),
        "ticket_queue": (NO_TICKET, tickets - 1),
        "queue_head": (0, MAX_TICKETS - 1),
        "queue_count": (0, tickets),
        "offered": (NO_TICKET, tickets - 1),
        "offered_count": (0, MAX_OFFER),
        "kept": (0, (1 << MAX_OFFER) - 1),
        "offer_index": (0, MAX_OFFER - 1),
        "phase": (ENDED, len(rules.phase_slot) - 1),
        "current": (0, int(rules.num_seats) - 1),
        "decisions": (0, _MAX_DECISIONS),
        "turn": (0, int(rules.turn_limit)),
        "last_turns_left": (0, int(rules.num_seats)),
        "outcome": (0, len(OUTCOMES) - 1),
    }


def _bounds_of_map_games(rules: Any) -> dict[str, tuple[int, int]]:
    cards, actions, tickets = (0, MAX_TRAIN_CARDS), (NO_ACTION, int(rules.num_actions) - 1), int(rules.num_tickets)
    routes, cities = (NO_ROUTE, int(rules.num_routes) - 1), (NO_CITY, int(rules.num_cities) - 1)
    technologies = (NO_TECHNOLOGY, int(rules.num_technologies) - 1)
    return {
        "trains": (0, int(rules.trains)),
        "passes": (0, int(rules.num_seats)),
        "route": routes,
        "payment": actions,
        "extra": actions,
        "due": (0, MAX_TUNNEL),
        **dict.fromkeys(("set_aside", "revealed", "rack", "rack_known", "rack_count"), cards),
        "unplaced": (EMPTY, CARD_TYPES - 1),
        "placed": (NOWHERE, RACK),
        "rack_ticket_count": (0, tickets),
        "to_share_count": (0, tickets),
        "sharing": (NO_TICKET, tickets - 1),
        "moved": (0, 1),
        "technologies": (0, (1 << int(rules.num_technologies)) - 1),
        "technologies_left": (0, MAX_SEATS),
        "technology": technologies,
        "bought": technologies,
        "claims": (0, 2),
        "company": (NO_COMPANY, int(rules.num_companies) - 1),
        "stations": cities,
        "station_routes": routes,
        "city": cities,
    }


def _bounds_of_card_games(rules: Any) -> dict[str, tuple[int, int]]:
    cards, seats = (0, MAX_TRAIN_CARDS), int(rules.num_seats)
    return {
        "yard_owner": (NOBODY, seats - 1),
        **dict.fromkeys(("yard_cards", "yard_locomotives", "on_track", "set_cards"), cards),
        "set_colour": (NO_COLOUR, NUM_COLOURS - 1),
        "scoring_round": (1, int(rules.scorings)),
        "resuming": (0, seats - 1),
    }


# Each thing lies in one place, and counts are right


def _faults_of_things(states: Array, configuration: Configuration) -> Iterator[str]:
    rules = configuration.rules[0]
    total = np.zeros((len(states), CARD_TYPES), np.int64)
    for name in _PLACES_OF_CARDS:
        if name in _fields(states):
            total += states[name].sum(axis=tuple(range(1, states[name].ndim - 1)), dtype=np.int64)
    for name in _SINGLE_CARDS:
        if name in _fields(states):
            places = states.dtype[name].itemsize // states.dtype[name].base.itemsize
            total += (states[name].reshape(len(states), places, 1) == np.arange(CARD_TYPES)).sum(1)
    if "yard_cards" in _fields(states):
        total[:, :-1] += states["yard_cards"].astype(np.int64)
        total[:, -1] += states["yard_locomotives"].sum(-1, dtype=np.int64)
    if np.any(total != rules.deck):
        yield "the train cards of all places together must be those of the game"
    if "yard_owner" in _fields(states) and np.any(
        (states["yard_owner"] >= 0) != (states["yard_cards"] + states["yard_locomotives"] > 0)
    ):
        yield "yard_owner must name a seat where cards lie, and nobody elsewhere"
    yield from _faults_of_counts(states)
    yield from _faults_of_tickets(states, rules)
    if "claimed" in _fields(states):
        yield from _faults_of_supplies(states, rules)


def _faults_of_counts(states: Array) -> Iterator[str]:
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(-1, dtype=np.int64),
    }
    if "rack" in _fields(states):
        counts["rack_count"] = states["rack"].sum(-1)
        counts["rack_ticket_count"] = np.bitwise_count(states["rack_tickets"]).sum(-1, dtype=np.int64)
        counts["to_share_count"] = np.bitwise_count(states["to_share"]).sum(-1, dtype=np.int64)
    for name, counted in counts.items():
        if np.any(states[name] != counted):
            yield f"{name} must be the number of what it counts"
    for known, cards in (("known", "hand"), ("rack_known", "rack")):
        if cards in _fields(states) and np.any(states[known] > states[cards]):
            yield f"{known} must be cards of the {cards}"
    positions = (states["queue_head"][:, None] + np.arange(MAX_TICKETS)) % MAX_TICKETS
    queue = np.take_along_axis(states["ticket_queue"], positions, axis=1)
    for name, tickets in (("ticket_queue", queue), ("offered", states["offered"])):
        if np.any((tickets[..., :-1] == NO_TICKET) & (tickets[..., 1:] != NO_TICKET)):
            yield f"{name} must have no gaps"


def _faults_of_tickets(states: Array, rules: Any) -> Iterator[str]:
    """Yield faults of tickets: none lies in two places, and those that lie in none have left the game."""
    number = int(rules.num_tickets)
    lying = np.zeros((len(states), number), np.int64)
    for name in _PLACES_OF_TICKETS:
        if name in _fields(states):
            lying += _members(states[name])[..., :number].sum(1, dtype=np.int64)
    for name in ("ticket_queue", "offered"):
        places = states.dtype[name].itemsize // states.dtype[name].base.itemsize
        lying += (states[name].reshape(len(states), places, 1) == np.arange(number)).sum(1)
    if np.any(lying > 1):
        yield "each ticket must lie in one place"
    if np.any(states["ticket_queue"] >= rules.num_regular):
        yield "long tickets must not lie in the ticket deck"
    if number > rules.num_regular:
        held = _members(states["tickets"])[..., rules.num_regular :].sum(-1, dtype=np.int64)
        if np.any(held > rules.long_offer):
            yield f"tickets must hold no more than {rules.long_offer} long ones for each seat"


def _faults_of_supplies(states: Array, rules: Any) -> Iterator[str]:
    """Yield faults of trains, routes, technologies, shares and stations."""
    claimed = _members(states["claimed"])[..., : rules.num_routes].astype(np.int64)
    if np.any(claimed @ rules.route_trains[: rules.num_routes] > rules.trains):
        yield f"claimed must name routes that {rules.trains} trains are enough for"
    if rules.num_technologies:
        most = claimed.sum(-1) * MOST_FOR_A_CLAIM
        lengths = rules.route_length[: rules.num_routes]
        points = states["breakdown"][..., parts.ROUTES] - claimed @ rules.points[lengths].astype(np.int64)
        if np.any((points < 0) | (points > most)):
            yield "breakdown must have the points of the routes claimed, and what technologies add"
    elif np.any(claimed.sum(1) > 1):
        yield "claimed must name each route once"
    held = (states["technologies"][..., None] >> np.arange(len(rules.technology_copies)) & 1).sum(1)
    if np.any(held + states["technologies_left"] != rules.technology_copies):
        yield "each copy of a technology must lie in one place"
    everywhere = np.concatenate([states["shares"], states["shares_left"][:, None]], axis=1)
    is_whole = np.bitwise_or.reduce(everywhere, axis=-1) == np.bitwise_or.reduce(rules.company_shares)
    if not np.all(is_whole & (np.bitwise_count(everywhere).sum(-1) == rules.num_shares)):
        yield "each share must lie in one place"
    if np.any(states["revealed_shares"] & ~states["shares"][:, -1]):
        yield "revealed_shares must be some of the neutral player's"
    stations = states["stations"]
    is_built = stations >= 0
    if np.any(is_built[..., 1:] & ~is_built[..., :-1]) or np.any(is_built[..., int(rules.num_stations) :]):
        yield f"stations must be {rules.num_stations} cities of each seat at most, and have no gaps"


def _members(words: Array) -> Array:
    """Return sets of bits as rows of 0 and 1, uint8."""
    return np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), axis=-1, bitorder="little")


# What a decision is about is there, and nothing else


def _faults_of_decisions(states: Array, configuration: Configuration) -> Iterator[str]:
    rules = configuration.rules[0]
    running = states[states["outcome"] == outcomes.RUNNING]
    for name, (empty, must, may) in _ABOUT.items():
        if name in _fields(running):
            is_set = np.any(running[name] != empty, axis=tuple(range(1, running[name].ndim)))
            must_be, may_be = np.isin(running["phase"], must), np.isin(running["phase"], must + may)
            if name == "placed":
                must_be &= rules.num_racks > 0
            if np.any((is_set & ~may_be) | (must_be & ~is_set)):
                yield f"{name} must be set if the decision is about it, and only then"
    yield from _faults_of_offers(running, rules)
    if "set_colour" in _fields(states):
        yield from _faults_of_sets(running, rules)
    else:
        yield from _faults_of_payments(states, rules)
        yield from _faults_of_claims(running, rules)
        yield from _faults_of_sharing(running, rules)


def _faults_of_offers(running: Array, rules: Any) -> Iterator[str]:
    """Tickets on offer, and what has been decided on them."""
    is_start, chooses = running["turn"] == 0, running["phase"] == phases.KEEP_TICKET
    seats, current = np.arange(MAX_SEATS), running["current"][:, None]
    offered, index = running["offered_count"], running["offer_index"]
    if np.any(is_start & ~chooses & (running["phase"] != phases.SHARE)):
        yield "phase must be that of the starting choice before the first turn"
    may_have_offers = chooses[:, None] & (is_start[:, None] | (seats == current))
    if np.any((offered > 0) & ~may_have_offers):
        yield "tickets must be on offer to the acting seat, or at the start"
    number = np.take_along_axis(offered, current, axis=1)[:, 0]
    if np.any(chooses & (index >= number)):
        yield "the ticket to decide on must be on offer"
    is_own, is_earlier = (seats == current) & chooses[:, None], (seats < current) & (chooses & is_start)[:, None]
    decided = np.where(is_own, index[:, None], np.where(is_earlier, offered, 0)).astype(np.int64)
    if np.any(running["kept"].astype(np.int64) >> decided) or np.any(~chooses & (index > 0)):
        yield "offer_index and kept must be about tickets on offer that have been decided"
    at_start = running[is_start & chooses]
    playing = at_start["offered_count"][:, : rules.num_seats]
    if np.any(playing < max(1, int(rules.long_offer))) or at_start["tickets"].any():
        yield "at the start each seat must have tickets on offer, and none in its hand"
    is_long, is_first = running["offered"] >= rules.num_regular, np.arange(MAX_OFFER) < rules.long_offer
    if np.any(is_long != (is_first & (is_start[:, None] & (offered > 0))[..., None])):
        yield "long tickets must be the first ones on offer at the start, and on offer only then"


def _faults_of_sets(running: Array, rules: Any) -> Iterator[str]:
    """Yield faults of what is played and completed in the Card Game."""
    held = running["hand"][np.arange(len(running)), running["current"], np.maximum(running["set_colour"], 0)]
    if np.any(running["set_cards"] > held):
        yield "set_cards must be coloured cards of the hand"
    if np.any(running["completing"] & ~running["tickets"]):
        yield "completing must name tickets of the seat"
    pile = running["on_track"].astype(np.int64)
    tickets = _members(running["completing"])[..., : rules.num_tickets].astype(np.int64)
    missing = np.maximum(0, tickets @ rules.ticket_cards[: rules.num_tickets] - pile[..., :-1]).sum(-1)
    if np.any(missing > pile[..., -1]):
        yield "completing must name tickets for which the pile suffices"


def _faults_of_payments(states: Array, rules: Any) -> Iterator[str]:
    """The actions that pay for a route and at a tunnel; of games that are over, too, since they are shown."""
    route, payment, extra = states["route"], states["payment"].astype(np.int64), states["extra"].astype(np.int64)
    is_paid, is_extra = payment != NO_ACTION, extra != NO_ACTION
    offset = payment - rules.first_action[blocks.PAY]
    colour, column = offset // rules.pay_width, offset % rules.pay_width
    coloured = rules.route_length[np.maximum(route, 0)] - column - (colour == LOCOMOTIVE)
    fits = (route >= 0) & (offset >= 0) & (offset < rules.block_size[blocks.PAY])
    fits &= np.where(colour == LOCOMOTIVE, coloured == 0, coloured > 0)
    if np.any(is_paid & ~fits):
        yield "payment must be one for the route that is claimed"
    due = states["due"]
    if np.any((due > 0) & ((route < 0) | ~is_paid | (due > rules.route_tunnel[np.maximum(route, 0)]))):
        yield "due must be what a tunnel that is paid for can demand"
    more = extra - rules.first_action[blocks.PAY_MORE]
    if np.any(is_extra & ((rules.block_size[blocks.PAY_MORE] == 0) | ~is_paid | (more < 0) | (more > due))):
        yield "extra must pay what a tunnel demands"


def _faults_of_claims(running: Array, rules: Any) -> Iterator[str]:
    """The route, technology or station that is being paid for."""
    phase, rows, current = running["phase"], np.arange(len(running)), running["current"]
    route, technology, city = (running[name] for name in ("route", "technology", "city"))
    if np.any((phase == phases.PAY) & ((route >= 0).astype(int) + (technology >= 0) + (city >= 0) != 1)):
        yield "in phase pay one of route, technology and city must be set"
    is_due = np.isin(phase, (phases.PAY, phases.FROM_RACK, phases.TUNNEL)) & (route >= 0)
    number = np.maximum(route, 0)
    is_open = _members(running["open"][rows, current])[rows, number] > 0
    is_shared = (running["bought"] >= 0) & (running["bought"] == rules.technology_with[effects.RIGHT_OF_WAY])
    is_own = _members(running["claimed"][rows, current])[rows, number] > 0
    is_short = running["trains"][rows, current] < rules.route_trains[number]
    if np.any(is_due & (is_own | is_short | ~(is_open | is_shared))):
        yield "route must be one that the acting seat may claim"
    it = np.maximum(technology, 0)
    is_held = running["technologies"][rows, current] >> it & 1
    if np.any((technology >= 0) & ((is_held > 0) | (running["technologies_left"][rows, it] < 1))):
        yield "technology must be one that is left and that the acting seat does not hold"
    built = (running["stations"][rows, current] >= 0).sum(1)
    is_taken = (running["stations"] == city[:, None, None]).any((1, 2))
    if np.any((city >= 0) & ((built >= rules.num_stations) | is_taken)):
        yield "city must have no station, and the acting seat one left"


def _faults_of_sharing(running: Array, rules: Any) -> Iterator[str]:
    """Tickets that may be put on a rack, and those chosen for it at the start."""
    rows, current = np.arange(len(running)), running["current"]
    if np.any(running["to_share"] & ~running["tickets"][rows, current]):
        yield "to_share must name tickets of the acting seat"
    is_start = (running["phase"] == phases.SHARE) & (running["turn"] == 0)
    if np.any(is_start & (running["moved"] > 0)):
        yield "moved must be 0 at the start"
    has_chosen = is_start[:, None] & (np.arange(MAX_SEATS) < current[:, None])
    ticket = running["sharing"].astype(np.int64)
    held = np.take_along_axis(_members(running["tickets"]), np.maximum(ticket, 0)[..., None], axis=2)[..., 0]
    if np.any((ticket != NO_TICKET) != has_chosen) or np.any(has_chosen & (held == 0)):
        yield "sharing must name a ticket of each seat that has chosen one"
    if np.any(is_start & (running["ticket_count"][:, : rules.num_seats] == 0).any(1)):
        yield "each seat must have a ticket to share at the start"
