"""What a side's lanes join (C16), its largest network (LA6), and the longest trail through its lanes (C17).

A trail uses no lane twice but may pass a city again. In a connected network without or with two cities of odd degree
all of it is one trail (Euler). Any other network must lose some lanes first. What a trail leaves out has odd degree
exactly at the odd cities where the trail does not end: it is a T-join (Edmonds, Johnson 1973: Matching, Euler tours and
the Chinese postman), and a least one joins those cities in pairs by shortest paths. So the network's length less the
least T-join that leaves two odd cities is an upper bound; if what remains is connected it is a trail of that length.
Only otherwise is there a search, which ends when it meets the bound.
"""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game.state import MAX_ODD
from t2r_env.rules.records import Record

FAR = 10_000
NO_EDGE = -1


@compiled
def join(state: Record, rules: Record, side: int, city_a: int, city_b: int) -> None:
    """Give the cities joined to `city_b` the label of those joined to `city_a`."""
    label = state.component[side, city_a]
    old_label = state.component[side, city_b]
    if label != old_label:
        for city in range(rules.num_cities):
            if state.component[side, city] == old_label:
                state.component[side, city] = label


@compiled
def joined(state: Record, side: int, cities_a: np.uint64, cities_b: np.uint64) -> bool:
    """Whether any city of one set is joined to any of the other."""
    while cities_a != bits.NONE:
        label = state.component[side, lowest_bit(cities_a)]
        cities_a = bits.without_lowest(cities_a)
        others = cities_b
        while others != bits.NONE:
            if state.component[side, lowest_bit(others)] == label:
                return True
            others = bits.without_lowest(others)
    return False


@inlined
def lanes_of(state: Record, rules: Record, side: int, word: int) -> np.uint64:
    """A word of the set of a side's lanes."""
    lanes = bits.NONE
    for seat in range(rules.num_seats):
        if rules.side[seat] == side:
            lanes |= state.claimed[seat, word]
    return lanes


@compiled
def largest_network(state: Record, rules: Record, scratch: Record, side: int) -> int:
    """The number of cities in the side's largest connected network, each counted once; 0 without a lane (LA6)."""
    for city in range(rules.num_cities):
        scratch.city_number[city] = 0
    largest = 0
    for city in range(rules.num_cities):
        label = state.component[side, city]
        scratch.city_number[label] += 1
        largest = max(largest, scratch.city_number[label])
    return largest if largest > 1 else 0


@compiled
def longest_trail(state: Record, rules: Record, scratch: Record, side: int) -> int:
    """The greatest total length of a trail in the side's lanes, exactly."""
    _collect_network(state, rules, scratch, side)
    longest = _longest_that_is_whole(scratch, rules.num_cities)
    for label in range(rules.num_cities):
        # each pair of odd cities beyond the first leaves out one space at least
        if scratch.odd_number[label] > 2 and scratch.total[label] - scratch.odd_number[label] // 2 + 1 > longest:
            longest = max(longest, _longest_in_component(scratch, rules.num_cities, label, longest))
    return longest


@compiled
def _longest_that_is_whole(scratch: Record, num_cities: int) -> int:
    """The length of the longest component that is one trail."""
    longest = 0
    for label in range(num_cities):
        if scratch.odd_number[label] <= 2:
            longest = max(longest, scratch.total[label])
    return longest


@compiled
def _collect_network(state: Record, rules: Record, scratch: Record, side: int) -> None:
    """Copy the side's lanes as numbered edges; sum up each component's length and its cities of odd degree."""
    for city in range(rules.num_cities):
        scratch.component[city] = state.component[side, city]
        scratch.incident[city] = bits.NONE
        scratch.total[city] = 0
        scratch.edge_number[city] = 0
        scratch.city_number[city] = 0
        scratch.odd_number[city] = 0
    edge = 0
    for word in range(2):
        lanes = lanes_of(state, rules, side, word)
        while lanes != bits.NONE:
            lane = 64 * word + lowest_bit(lanes)
            lanes = bits.without_lowest(lanes)
            _add_edge(scratch, edge, rules.lane_a[lane], rules.lane_b[lane], rules.lane_length[lane])
            edge += 1
    scratch.edge_count = edge
    for city in range(rules.num_cities):
        label = scratch.component[city]
        scratch.city_number[label] += 1
        if count_bits(scratch.incident[city]) & 1:
            scratch.odd_number[label] += 1


@inlined
def _add_edge(scratch: Record, edge: int, city_a: int, city_b: int, length: int) -> None:
    scratch.edge_a[edge] = city_a
    scratch.edge_b[edge] = city_b
    scratch.edge_length[edge] = length
    scratch.incident[city_a] |= bits.bit(edge)
    scratch.incident[city_b] |= bits.bit(edge)
    label = scratch.component[city_a]
    scratch.total[label] += length
    scratch.edge_number[label] += 1


@inlined
def _other_end(scratch: Record, edge: int, city: int) -> int:
    return scratch.edge_b[edge] if scratch.edge_a[edge] == city else scratch.edge_a[edge]


@compiled
def _longest_in_component(scratch: Record, num_cities: int, label: int, beaten: int) -> int:
    """The longest trail of one component with more than two odd cities, if it is longer than `beaten`."""
    if scratch.edge_number[label] == scratch.city_number[label] - 1:
        return _longest_path_of_tree(scratch, num_cities, label)
    odd = _list_odd_cities(scratch, num_cities, label)
    total = scratch.total[label]
    bound = total
    if odd <= MAX_ODD:
        for source in range(odd):
            _shortest_paths(scratch, num_cities, label, source)
        left_out = _pair_up(scratch, odd)
        bound = total - left_out
        if bound <= beaten or _remainder_is_trail(scratch, label, odd, left_out):
            return bound
    return _search(scratch, label, odd, bound, beaten)


@compiled
def _list_odd_cities(scratch: Record, num_cities: int, label: int) -> int:
    """List a component's cities of odd degree; return how many there are."""
    odd = 0
    for city in range(num_cities):
        if scratch.component[city] == label and count_bits(scratch.incident[city]) & 1:
            scratch.odd_city[odd] = city
            odd += 1
    return odd


@compiled
def _longest_path_of_tree(scratch: Record, num_cities: int, label: int) -> int:
    """In a tree a trail is a path; the city farthest from any other is an end of a longest one."""
    scratch.odd_city[0] = label  # a component's label is one of its cities
    for _ in range(2):
        _shortest_paths(scratch, num_cities, label, 0)
        farthest = scratch.odd_city[0]
        for city in range(num_cities):
            if scratch.component[city] == label and scratch.distance[0, city] > scratch.distance[0, farthest]:
                farthest = city
        scratch.odd_city[0] = farthest
        longest = scratch.distance[0, farthest]
    return longest


@compiled
def _shortest_paths(scratch: Record, num_cities: int, label: int, source: int) -> None:
    """Distances from an odd city to all of its component, and the edge by which each city is reached."""
    for city in range(num_cities):
        scratch.distance[source, city] = FAR
        scratch.arrived_by[source, city] = NO_EDGE
    scratch.distance[source, scratch.odd_city[source]] = 0
    changed = True
    while changed:
        changed = False
        for edge in range(scratch.edge_count):
            city_a = scratch.edge_a[edge]
            city_b = scratch.edge_b[edge]
            if scratch.component[city_a] == label:
                length = scratch.edge_length[edge]
                if scratch.distance[source, city_a] + length < scratch.distance[source, city_b]:
                    scratch.distance[source, city_b] = scratch.distance[source, city_a] + length
                    scratch.arrived_by[source, city_b] = edge
                    changed = True
                elif scratch.distance[source, city_b] + length < scratch.distance[source, city_a]:
                    scratch.distance[source, city_a] = scratch.distance[source, city_b] + length
                    scratch.arrived_by[source, city_a] = edge
                    changed = True


@compiled
def _pair_up(scratch: Record, odd: int) -> int:
    """Fill `pairing`: the least length of paths that join each set of odd cities in pairs.

    Returns the least for a set that leaves two cities out.
    """
    scratch.pairing[0] = 0
    least = FAR
    for chosen in range(1, 1 << odd):
        size = count_bits(np.uint64(chosen))
        if size & 1:
            continue
        first = lowest_bit(np.uint64(chosen))
        best = FAR
        for second in range(first + 1, odd):
            if (chosen >> second) & 1:
                rest = chosen ^ (1 << first) ^ (1 << second)
                length = scratch.distance[first, scratch.odd_city[second]] + scratch.pairing[rest]
                best = min(best, length)
        scratch.pairing[chosen] = best
        if size == odd - 2:
            least = min(least, best)
    return least


@compiled
def _remainder_is_trail(scratch: Record, label: int, odd: int, left_out: int) -> bool:
    """Whether a component stays connected without some least T-join that leaves two odd cities."""
    everything = (1 << odd) - 1
    edges = _component_edges(scratch, label)
    for first in range(odd):
        for second in range(first + 1, odd):
            chosen = everything ^ (1 << first) ^ (1 << second)
            if scratch.pairing[chosen] == left_out:
                rest = edges & ~_join_edges(scratch, odd, chosen)
                if _is_connected(scratch, rest):
                    return True
    return False


@compiled
def _component_edges(scratch: Record, label: int) -> np.uint64:
    edges = bits.NONE
    for edge in range(scratch.edge_count):
        if scratch.component[scratch.edge_a[edge]] == label:
            edges |= bits.bit(edge)
    return edges


@compiled
def _join_edges(scratch: Record, odd: int, chosen: int) -> np.uint64:
    """The edges of the shortest paths that pair the chosen odd cities."""
    edges = bits.NONE
    while chosen:
        first = lowest_bit(np.uint64(chosen))
        for second in range(first + 1, odd):
            rest = chosen ^ (1 << first) ^ (1 << second)
            if (chosen >> second) & 1:
                length = scratch.distance[first, scratch.odd_city[second]] + scratch.pairing[rest]
                if length == scratch.pairing[chosen]:
                    edges ^= _path_edges(scratch, first, scratch.odd_city[second])
                    chosen = rest
                    break
    return edges


@compiled
def _path_edges(scratch: Record, source: int, city: int) -> np.uint64:
    edges = bits.NONE
    while scratch.arrived_by[source, city] != NO_EDGE:
        edge = scratch.arrived_by[source, city]
        edges |= bits.bit(edge)
        city = _other_end(scratch, edge, city)
    return edges


@compiled
def _is_connected(scratch: Record, edges: np.uint64) -> bool:
    """Whether the edges (at least one) hang together."""
    return _reachable(scratch, scratch.edge_a[lowest_bit(edges)], edges) == edges


@compiled
def _reachable(scratch: Record, city: int, edges: np.uint64) -> np.uint64:
    """Those of the edges that can be reached from a city over them."""
    found = scratch.incident[city] & edges
    to_visit = found
    while to_visit != bits.NONE:
        edge = lowest_bit(to_visit)
        to_visit = bits.without_lowest(to_visit)
        new = scratch.incident[scratch.edge_a[edge]] | scratch.incident[scratch.edge_b[edge]]
        new &= edges & ~found
        found |= new
        to_visit |= new
    return found


@compiled
def _length_of(scratch: Record, edges: np.uint64) -> int:
    length = 0
    while edges != bits.NONE:
        length += scratch.edge_length[lowest_bit(edges)]
        edges = bits.without_lowest(edges)
    return length


@compiled
def _search(scratch: Record, label: int, odd: int, bound: int, beaten: int) -> int:
    """Try all trails, depth first. A longest one ends in two odd cities, so all but one of them serve as starts.

    A branch that cannot beat the best with every edge still reachable is left; meeting the bound ends the search.
    """
    best = beaten
    everything = _component_edges(scratch, label)
    for start in range(odd - 1):
        free = everything
        length = 0
        depth = 0
        scratch.trail_city[0] = scratch.odd_city[start]
        scratch.untried[0] = scratch.incident[scratch.odd_city[start]]
        while depth >= 0:
            untried = scratch.untried[depth] & free
            if untried == bits.NONE:
                depth -= 1
                if depth >= 0:
                    edge = scratch.trail_edge[depth]
                    free |= bits.bit(edge)
                    length -= scratch.edge_length[edge]
                continue
            edge = lowest_bit(untried)
            scratch.untried[depth] = bits.without_lowest(untried)
            free &= ~bits.bit(edge)
            length += scratch.edge_length[edge]
            best = max(best, length)
            if best >= bound:
                return best
            city = _other_end(scratch, edge, scratch.trail_city[depth])
            scratch.trail_edge[depth] = edge
            depth += 1
            scratch.trail_city[depth] = city
            ahead = _reachable(scratch, city, free)
            can_improve = length + _length_of(scratch, ahead) > best
            scratch.untried[depth] = scratch.incident[city] & free if can_improve else bits.NONE
    return best
