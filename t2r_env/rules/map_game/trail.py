"""The longest trail through a team's routes (C17): it uses no route twice but may pass a city again.

A connected set of routes is one trail if at most two of its cities have an odd number of them (Euler). Any other must
leave out some routes, of the least total length.

These are found at a *frontier* that moves over the network (Knuth: The Art of Computer Programming 4A, 7.1.4, Simpath;
Kawahara and others 2017: Frontier-based search for enumerating all constrained subgraphs). Route after route is kept or
left out. What is still to come depends on three things only: at which cities of the frontier, those between routes
taken and routes to come, an odd number of routes was kept; which of them are joined by routes kept; and how many odd
cities, the ends of the trail, lie behind it. Maps are nearly planar, so their frontiers are short.

If the routes kept need not be connected, those left out are a least T-join (Edmonds, Johnson 1973: Matching, Euler
tours and the Chinese postman). A first pass, from the last route back to the first, finds from parities alone how much
must still be left out. The search follows this bound, depth first. It turns back where it can't beat the best trail
found, and where it has been before. Usually it goes straight to a trail that meets the bound, and is done.
"""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, inlined_wrapping, lowest_bit
from t2r_env.rules.map_game.records import BOUND_SLOTS, MAX_FRONTIER, SEEN, MapRules, MapScoringScratch, MapState
from t2r_env.rules.map_game.routes import routes_of

FAR = 10_000
APART = 0
"""The label of a slot at which no route was kept."""

ALL_SLOTS = np.uint64((1 << MAX_FRONTIER) - 1)
BOUND = np.uint64((1 << BOUND_SLOTS) - 1)
"""The slots whose parity the bound looks at."""
LABEL_BITS = np.uint64(5)
LABELS_IN_WORD = 12


@compiled
def longest_trail(state: MapState, rules: MapRules, scratch: MapScoringScratch, team: int) -> int:
    """Return the greatest total length of a trail in the team's routes, exactly."""
    _collect_network(state, rules, scratch, team)
    longest = 0
    for label in range(rules.num_cities):
        if scratch.odd_number[label] <= 2:
            longest = max(longest, scratch.total[label])
    for label in range(rules.num_cities):
        # each pair of odd cities beyond the first leaves out one space at least
        if scratch.odd_number[label] > 2 and scratch.total[label] - scratch.odd_number[label] // 2 + 1 > longest:
            _order_edges(scratch, rules.num_cities, label)
            _bound(scratch)
            longest = scratch.total[label] - _search(scratch, scratch.total[label] - longest)
    return longest


@compiled
def _collect_network(state: MapState, rules: MapRules, scratch: MapScoringScratch, team: int) -> None:
    """Copy the team's routes as numbered edges; sum up each component's length and its cities of odd degree."""
    for city in range(rules.num_cities):
        scratch.component[city] = state.component[team, city]
        scratch.incident[city] = bits.NONE
        scratch.adjacent[city] = bits.NONE
        scratch.total[city] = 0
        scratch.odd_number[city] = 0
    edge = 0
    for word in range(2):
        for index in bits.ones(routes_of(state, rules, team, word)):
            route = 64 * word + index
            city_a, city_b = rules.route_a[route], rules.route_b[route]
            scratch.edge_a[edge], scratch.edge_b[edge] = city_a, city_b
            scratch.edge_length[edge] = rules.route_length[route]
            scratch.incident[city_a] |= bits.bit(edge)
            scratch.incident[city_b] |= bits.bit(edge)
            scratch.adjacent[city_a] |= bits.bit(city_b)
            scratch.adjacent[city_b] |= bits.bit(city_a)
            scratch.total[scratch.component[city_a]] += rules.route_length[route]
            edge += 1
    for city in range(rules.num_cities):
        if count_bits(scratch.incident[city]) & 1:
            scratch.odd_number[scratch.component[city]] += 1


# The order in which the frontier takes the edges


@compiled
def _order_edges(scratch: MapScoringScratch, num_cities: int, label: int) -> None:
    """Move the frontier over a component, city by city; number the slots of the cities on it, each edge being a step.

    There are slots enough. A frontier of s cities grows by c only if each of them has c + 1 neighbours ahead, and each
    city ahead has c. With the edges behind the frontier, one to each of its cities, there are (c + 2) s + c (c + 1) / 2
    at least. As there are 64 at most, it never exceeds 22 cities; while a city is taken, there is one more.
    """
    scratch.steps = 0
    scratch.width = 0
    frontier = bits.NONE
    slots = bits.NONE
    edges_left = bits.NONE
    cities_left = bits.NONE
    for city in range(num_cities):
        if scratch.component[city] == label:
            cities_left |= bits.bit(city)
            edges_left |= scratch.incident[city]
    while edges_left != bits.NONE:
        city = _next_city(scratch, cities_left, frontier)
        cities_left ^= bits.bit(city)
        while scratch.incident[city] & edges_left != bits.NONE:
            edge = lowest_bit(scratch.incident[city] & edges_left)
            edges_left ^= bits.bit(edge)
            scratch.step_length[scratch.steps] = scratch.edge_length[edge]
            scratch.step_slots[scratch.steps] = slots
            scratch.step_ends[scratch.steps] = bits.NONE
            scratch.step_closes[scratch.steps] = bits.NONE
            for end in (scratch.edge_a[edge], scratch.edge_b[edge]):
                if frontier & bits.bit(end) == bits.NONE:
                    frontier |= bits.bit(end)
                    scratch.slot[end] = lowest_bit(ALL_SLOTS & ~slots)
                    slots |= bits.bit(scratch.slot[end])
                    scratch.width = max(scratch.width, scratch.slot[end] + 1)
                scratch.step_ends[scratch.steps] |= bits.bit(scratch.slot[end])
            for end in (scratch.edge_a[edge], scratch.edge_b[edge]):
                if scratch.incident[end] & edges_left == bits.NONE:
                    frontier ^= bits.bit(end)
                    scratch.step_closes[scratch.steps] |= bits.bit(scratch.slot[end])
            slots ^= scratch.step_closes[scratch.steps]
            scratch.steps += 1
    scratch.length_left[scratch.steps] = 0
    for back in range(scratch.steps):
        step = scratch.steps - 1 - back
        scratch.length_left[step] = scratch.length_left[step + 1] + scratch.step_length[step]


@compiled
def _next_city(scratch: MapScoringScratch, cities_left: np.uint64, frontier: np.uint64) -> int:
    """Return the city that lengthens the frontier least; among equals one that is on it."""
    best = FAR
    chosen = 0
    for city in bits.ones(cities_left):
        new = count_bits(scratch.adjacent[city] & cities_left & ~frontier)
        cost = 2 * new + (1 if frontier & bits.bit(city) == bits.NONE else -2)
        if cost < best:
            best = cost
            chosen = city
    return chosen


# The least that must be left out, whether or not the rest hangs together


@compiled
def _bound(scratch: MapScoringScratch) -> None:
    """Fill `least`: what steps from one on must leave out, by the ends behind it and the odd slots before it.

    On a frontier with more than `BOUND_SLOTS` slots the others' parity is ignored: the bound is weaker, but no less
    true.
    """
    for ends in range(3):
        scratch.least[scratch.steps, ends, 0] = 0
    for back in range(scratch.steps):
        step = scratch.steps - 1 - back
        slots = scratch.step_slots[step] & BOUND
        odd = slots
        while True:
            for ends in range(3):
                left_out = scratch.step_length[step] + _least_after(scratch, step, ends, odd)
                kept = _least_after(scratch, step, ends, odd ^ scratch.step_ends[step])
                scratch.least[step, ends, odd] = min(FAR, left_out, kept)
            if odd == bits.NONE:
                break
            odd = (odd - bits.ONE) & slots


@inlined
def _least_after(scratch: MapScoringScratch, step: int, ends: int, odd: np.uint64) -> int:
    """Return the least that must be left out after a step, by the slots that are odd before its cities leave."""
    odd &= BOUND
    closes = scratch.step_closes[step]
    ends += count_bits(odd & closes)
    return scratch.least[step + 1, ends, odd & ~closes] if ends <= 2 else FAR


# The search: points still to be visited lie on a stack


@compiled
def _search(scratch: MapScoringScratch, beaten: int) -> int:
    """Return the least that a trail leaves out, if it is less than `beaten`; else `beaten`."""
    scratch.searches += 1
    scratch.best = beaten
    scratch.point_step[0] = 0
    scratch.point_ends[0] = 0
    scratch.point_odd[0] = bits.NONE
    scratch.point_left_out[0] = 0
    for slot in range(scratch.width):
        scratch.point_label[0, slot] = APART
    points = 1
    while points:
        here = points - 1
        if not _can_improve(scratch, here) or _was_seen(scratch, here):
            points -= 1
            continue
        step = scratch.point_step[here]
        ends = scratch.point_ends[here]
        odd = scratch.point_odd[here]
        if_kept = _least_after(scratch, step, ends, odd ^ scratch.step_ends[step])
        if_left_out = scratch.step_length[step] + _least_after(scratch, step, ends, odd)
        _copy_point(scratch, here, here + 1)
        _take_step(scratch, here, if_kept > if_left_out)
        _take_step(scratch, here + 1, if_kept <= if_left_out)  # the better is on top
        points += 1
    return scratch.best


@inlined
def _can_improve(scratch: MapScoringScratch, point: int) -> bool:
    """Whether the bound allows a better trail than the best."""
    if scratch.point_left_out[point] >= FAR:
        return False
    odd = scratch.point_odd[point] & BOUND
    must_leave_out = scratch.least[scratch.point_step[point], scratch.point_ends[point], odd]
    return scratch.point_left_out[point] + must_leave_out < scratch.best


@inlined
def _copy_point(scratch: MapScoringScratch, point: int, other: int) -> None:
    scratch.point_step[other] = scratch.point_step[point]
    scratch.point_ends[other] = scratch.point_ends[point]
    scratch.point_odd[other] = scratch.point_odd[point]
    scratch.point_left_out[other] = scratch.point_left_out[point]
    for slot in range(scratch.width):
        scratch.point_label[other, slot] = scratch.point_label[point, slot]


@compiled
def _take_step(scratch: MapScoringScratch, point: int, keep: bool) -> None:
    """Move a point on by one edge. If the routes kept can't become one trail, or are one, it ends: `FAR`."""
    step = scratch.point_step[point]
    if keep:
        _join_ends(scratch, point, scratch.step_ends[step])
        scratch.point_odd[point] ^= scratch.step_ends[step]
    else:
        scratch.point_left_out[point] += scratch.step_length[step]
    closes = scratch.step_closes[step]
    scratch.point_ends[point] += count_bits(scratch.point_odd[point] & closes)
    scratch.point_odd[point] &= ~closes
    scratch.point_step[point] += 1
    if scratch.point_ends[point] > 2:
        scratch.point_left_out[point] = FAR
    while closes != bits.NONE and scratch.point_left_out[point] < FAR:
        _close(scratch, point, lowest_bit(closes))
        closes = bits.without_lowest(closes)


@compiled
def _join_ends(scratch: MapScoringScratch, point: int, slots: np.uint64) -> None:
    """Keep an edge between two slots. Joined slots share as their label the number of the lowest, counted from 1."""
    slot_a = lowest_bit(slots)
    slot_b = lowest_bit(bits.without_lowest(slots))
    if scratch.point_label[point, slot_a] == APART:
        scratch.point_label[point, slot_a] = slot_a + 1
    if scratch.point_label[point, slot_b] == APART:
        scratch.point_label[point, slot_b] = slot_b + 1
    label_a = scratch.point_label[point, slot_a]
    label_b = scratch.point_label[point, slot_b]
    _relabel(scratch, point, max(label_a, label_b), min(label_a, label_b))


@inlined
def _relabel(scratch: MapScoringScratch, point: int, old: int, new: int) -> None:
    for slot in range(scratch.width):
        if scratch.point_label[point, slot] == old:
            scratch.point_label[point, slot] = new


@compiled
def _close(scratch: MapScoringScratch, point: int, slot: int) -> None:
    """Take a city off the frontier. If it is joined to none that stays, its trail is whole and must be the only one."""
    label = scratch.point_label[point, slot]
    if label == APART:
        return
    scratch.point_label[point, slot] = APART
    alone = True
    for other in range(scratch.width):
        other_label = scratch.point_label[point, other]
        if other_label == label:
            _relabel(scratch, point, label, other + 1)
            return
        alone &= other_label == APART
    if alone:
        left_out = scratch.point_left_out[point] + scratch.length_left[scratch.point_step[point]]
        scratch.best = min(scratch.best, left_out)
    scratch.point_left_out[point] = FAR


@compiled
def _was_seen(scratch: MapScoringScratch, point: int) -> bool:
    """Whether the search was here before with no more left out; if not, remember the point in the place of another."""
    scratch.points += 1
    place = np.uint64(scratch.searches)
    place = place << np.uint64(7) | np.uint64(scratch.point_step[point])
    place = place << np.uint64(2) | np.uint64(scratch.point_ends[point])
    place = place << np.uint64(MAX_FRONTIER) | scratch.point_odd[point]
    first_labels = bits.NONE
    for slot in range(min(scratch.width, LABELS_IN_WORD)):
        first_labels = first_labels << LABEL_BITS | np.uint64(scratch.point_label[point, slot])
    other_labels = bits.NONE
    for slot in range(LABELS_IN_WORD, scratch.width):
        other_labels = other_labels << LABEL_BITS | np.uint64(scratch.point_label[point, slot])
    entry = _entry_of(place, first_labels, other_labels)
    if (
        scratch.seen[entry, 0] == place
        and scratch.seen[entry, 1] == first_labels
        and scratch.seen[entry, 2] == other_labels
        and scratch.seen_left_out[entry] <= scratch.point_left_out[point]
    ):
        return True
    scratch.seen[entry, 0] = place
    scratch.seen[entry, 1] = first_labels
    scratch.seen[entry, 2] = other_labels
    scratch.seen_left_out[entry] = scratch.point_left_out[point]
    return False


@inlined_wrapping
def _entry_of(place: np.uint64, first_labels: np.uint64, other_labels: np.uint64) -> int:
    """Return the index at which a point is remembered: its words, mixed (Knuth 1973: multiplicative hashing)."""
    factor = np.uint64(0x9E3779B97F4A7C15)
    mixed = ((place * factor ^ first_labels) * factor ^ other_labels) * factor
    return int(mixed >> np.uint64(32)) & (SEEN - 1)
