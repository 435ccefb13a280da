"""Check whether states from outside can be played on: the core trusts its records.

A state is refused if a number is out of its limits, a set names things that the game does not have, cards, trains or
tickets don't add up, or its decision lacks what it is about. `Games.set_states` computes points, open routes, ranks and
all else that follows from the rest again. Whether play could have led to the state is not asked.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.names import ENDED, NO_ACTION, OUTCOMES, TURN_OVER, blocks, outcomes, phases
from t2r_env.rules.state import FROM_DECK, NO_TICKET
from t2r_env.sizes import MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS

Array: TypeAlias = np.ndarray[Any, Any]

_MAX_DECISIONS = 2**30
_TICKET_SETS = ("tickets", "rack_tickets", "to_share", "completing", "completed_tickets")
_PLACES_OF_TICKETS = ("tickets", "rack_tickets", "completed_tickets")
_PLACES_OF_CARDS = ("deck", "discard", "hand", "set_aside", "revealed", "rack", "on_track")
_SINGLE_CARDS = ("face_up", "unplaced")
_ABOUT_A_ROUTE = (phases.FROM_RACK, phases.TUNNEL, phases.TAKE_SHARE, phases.NEUTRAL_SHARE)
_ABOUT_A_SET = (phases.SET_CARDS, phases.SET_LOCOMOTIVES)


def find_fault(states: Array, configuration: Configuration) -> str:
    """Return what is wrong with states from outside; an empty text if they can be played on."""
    for faults in (_faults_of_fields, _faults_of_things, _faults_of_decisions):
        if fault := next(filter(None, faults(states, configuration)), ""):
            return fault
    return ""


# Field by field


def _faults_of_fields(states: Array, configuration: Configuration) -> Iterator[str]:
    rules, opening = configuration.rules[0], configuration.opening[0]
    for name, (least, most) in (_bounds(rules) | configuration.ruleset.bounds(rules)).items():
        if np.any((states[name] < least) | (states[name] > most)):
            yield f"{name} must lie between {least} and {most}"
    sets = dict.fromkeys(_TICKET_SETS, rules.num_tickets)
    if "claimed" in _fields(states):
        sets |= {"claimed": rules.num_routes, "shares": rules.num_shares, "shares_left": rules.num_shares}
    for name, number in sets.items():
        if name in _fields(states) and np.any(states[name] & ~_whole_set(states[name], int(number))):
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


def _fields(states: Array) -> tuple[str, ...]:
    return states.dtype.names or ()


def _whole_set(words: Array, number: int) -> Array:
    """Return the set of this many things, as words like those of the last axis; a single word for shares."""
    count = words.shape[-1] if words.ndim > 1 and words.shape[-1] == 2 else 1
    whole = np.array([(1 << number) - 1 >> 64 * word & (1 << 64) - 1 for word in range(count)], np.uint64)
    return whole if count > 1 else whole[0]


def _bounds(rules: Any) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest value of the fields that all games have."""
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


# Each thing lies in one place, and counts are right


def _faults_of_things(states: Array, configuration: Configuration) -> Iterator[str]:
    rules = configuration.rules[0]
    total = np.zeros((len(states), CARD_TYPES), np.int64)
    for name in _PLACES_OF_CARDS:
        if name in _fields(states):
            total += states[name].reshape(len(states), -1, CARD_TYPES).sum(1, dtype=np.int64)
    for name in _SINGLE_CARDS:
        if name in _fields(states):
            total += (states[name].reshape(len(states), -1, 1) == np.arange(CARD_TYPES)).sum(1)
    if "yard_cards" in _fields(states):
        total[:, :-1] += states["yard_cards"].astype(np.int64)
        total[:, -1] += states["yard_locomotives"].sum(-1, dtype=np.int64)
    if np.any(total != rules.deck):
        yield "the train cards of all places together must be those of the game"
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
        "ticket_count": _size_of(states["tickets"]),
    }
    if "rack" in _fields(states):
        counts["rack_count"] = states["rack"].sum(-1)
        counts["rack_ticket_count"] = _size_of(states["rack_tickets"])
        counts["to_share_count"] = _size_of(states["to_share"])
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
        lying += (states[name].reshape(len(states), -1, 1) == np.arange(number)).sum(1)
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
    has_technologies = rules.num_technologies > 0
    if not has_technologies and np.any(claimed.sum(1) > 1):
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


def _size_of(words: Array) -> Array:
    """Return how many things each of some sets of several words holds."""
    size: Array = np.bitwise_count(words).sum(-1, dtype=np.int64)
    return size


# What a decision is about is there


def _faults_of_decisions(states: Array, configuration: Configuration) -> Iterator[str]:
    rules = configuration.rules[0]
    running = states[states["outcome"] == outcomes.RUNNING]
    phase, rows = running["phase"], np.arange(len(running))
    current = running["current"]
    chooses = phase == phases.KEEP_TICKET
    if np.any(chooses & (running["offer_index"] >= running["offered_count"][rows, current])):
        yield "the ticket to decide on must be on offer"
    is_start = running["turn"] == 0
    if np.any(is_start & ~chooses & (phase != phases.SHARE)):
        yield "phase must be that of the starting choice before the first turn"
    may_have_offers = chooses[:, None] & (is_start[:, None] | (np.arange(MAX_SEATS) == current[:, None]))
    if np.any((running["offered_count"] > 0) & ~may_have_offers):
        yield "tickets must be on offer to the acting seat, or at the start"
    if "set_colour" in _fields(states):
        if np.any(np.isin(phase, _ABOUT_A_SET) & (running["set_colour"] < 0)):
            yield "set_colour must be set if the decision is about it"
        held = running["hand"][rows, current, np.maximum(running["set_colour"], 0)]
        if np.any((running["set_cards"] > held) | ((phase == phases.SET_LOCOMOTIVES) & (running["set_cards"] < 1))):
            yield "set_cards must be coloured cards of the hand in phase set_locomotives"
        if np.any(running["completing"] & ~running["tickets"]):
            yield "completing must name tickets of the seat"
        return
    yield from _faults_of_map_decisions(running, rules)


def _faults_of_map_decisions(running: Array, rules: Any) -> Iterator[str]:
    phase, rows, current = running["phase"], np.arange(len(running)), running["current"]
    route, is_paying = running["route"], phase == phases.PAY
    if np.any(np.isin(phase, _ABOUT_A_ROUTE) & (route < 0)):
        yield "route must be set if the decision is about it"
    subjects = (route >= 0).astype(int) + (running["technology"] >= 0) + (running["city"] >= 0)
    if np.any(is_paying & (subjects != 1)):
        yield "in phase pay one of route, technology and city must be set"
    is_chosen = np.isin(phase, (phases.FROM_RACK, phases.TUNNEL))
    for name, block, must_be in (("payment", blocks.PAY, is_chosen), ("extra", blocks.PAY_MORE, np.False_)):
        offset = running[name].astype(np.int64) - rules.first_action[block]
        is_set, fits = running[name] != NO_ACTION, (offset >= 0) & (offset < rules.block_size[block])
        if np.any((is_set & ~fits) | (must_be & ~is_set)):
            yield f"{name} must be an action of its block, and be set if the decision is about it"
    own = _members(running["claimed"][rows, current])
    is_own = own[rows, np.maximum(route, 0)] > 0
    due = is_paying | is_chosen
    trains_needed = rules.route_trains[np.maximum(route, 0)]
    if np.any(due & (route >= 0) & (is_own | (running["trains"][rows, current] < trains_needed))):
        yield "route must be one that the acting seat may claim"
    if np.any((phase == phases.PLACE) != (running["unplaced"] != EMPTY)):
        yield "unplaced must be set if the decision is about it, and only then"
    if rules.num_racks and np.any((phase == phases.SECOND_CARD) & (running["placed"] < 0)):
        yield "placed must be set if the decision is about it"
    if np.any(running["to_share"] & ~running["tickets"][rows, current]):
        yield "to_share must name tickets of the acting seat"
    if rules.num_stations and np.any(is_paying & (running["city"] >= 0)):
        left = rules.num_stations - (running["stations"][rows, current] >= 0).sum(1)
        if np.any((running["city"] >= 0) & (left <= 0)):
            yield "the acting seat must have a station left"
