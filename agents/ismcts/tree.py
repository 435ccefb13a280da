"""Information-set Monte Carlo tree search with one observer (Cowling, Powley, Whitehouse 2012).

A tree is an array of nodes; node 0 is the question. Each simulation deals anew what the asked seat can't know, goes down
the tree among the answers that are legal in that deal, adds one node, and plays the game out. A node counts how often
its answer could have been chosen, since not every deal allows it. Which answers are looked at first is weighed by the
plan of who is asked (as in PUCT), and games are played out by plans too.
"""

import numpy as np

from agents.ismcts import card_game, map_game
from t2r_env.agents import Array
from t2r_env.boxes.box import MAX_SEATS
from t2r_env.rules.batch import deal_anew, legal
from t2r_env.rules.compiled import by_record, compiled, inlined
from t2r_env.rules.game import play
from t2r_env.rules.kinds import KINDS
from t2r_env.rules.randomness import mix, next_seed
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED
from t2r_env.rules.state import MAX_ANSWERS

_PLAYERS = {KINDS["map_game"].state: map_game, KINDS["card_game"].state: card_game}
_answer_quickly = by_record({state: player.answer_quickly for state, player in _PLAYERS.items()})
_weigh = by_record({state: player.weigh for state, player in _PLAYERS.items()})

NOTHING = -1
MAX_DEPTH = 64

NODE = np.dtype(
    [
        ("key", "i8"),  # the answer that leads here, and who gave it
        ("first", "i8"),  # the first of the nodes below, or NOTHING
        ("next", "i8"),  # the next node beside it, or NOTHING
        ("visits", "i8"),
        ("available", "i8"),  # how often its answer could have been chosen
        ("total", "f8"),  # what the games were worth to who gave the answer
    ]
)

ROOM = np.dtype(
    [
        ("mask", "i1", (4096,)),
        ("legal", "i8", (MAX_ANSWERS,)),
        ("node_of", "i8", (MAX_ANSWERS,)),  # of each legal answer, or NOTHING
        ("weight", "f8", (MAX_ANSWERS,)),
        ("path", "i8", (MAX_DEPTH,)),
        ("seat", "i8", (MAX_DEPTH,)),  # who gave the answer of each node on the path
        ("value", "f8", (MAX_SEATS,)),
    ]
)


@compiled
def search(
    views: Array,
    row: int,
    rules: Array,
    scratch: Array,
    states: Array,
    plans: Array,
    rooms: Array,
    nodes: Array,
    used: int,
    seed: np.uint64,
    first: int,
    simulations: int,
    settings: Array,
) -> int:
    """Do so many simulations, numbered from `first`, of the question of a row; return how many nodes are in use."""
    view = views[row]
    state = states[0]
    room = rooms[0]
    for simulation in range(first, first + simulations):
        states[0] = view
        deal_anew(state, rules[0], scratch[0], view.current, next_seed(seed ^ mix(np.uint64(simulation))))
        for seat in range(rules[0].num_seats):
            plans[seat] = plans[MAX_SEATS]
        count = legal(state, rules[0], scratch[0])
        node = 0
        depth = 0
        is_new = False
        while count > 0 and not is_new and depth < MAX_DEPTH:
            if count == 1:
                count = play(state, rules[0], scratch[0], np.int64(scratch[0].legal[0]))
                continue
            _list(room, scratch[0], count)
            _weigh(state, rules[0], plans[state.current], room.mask, room.legal, count, room.weight)
            _unlist(room, count)
            _find_nodes(room, nodes, node, state.current * rules[0].num_actions, count)
            chosen = _choose(room, nodes, node, count, settings)
            child = room.node_of[chosen]
            if child == NOTHING:
                if used == nodes.shape[0]:
                    break
                is_new = True
                child = used
                used += 1
                nodes[child].key = state.current * rules[0].num_actions + room.legal[chosen]
                nodes[child].first = NOTHING
                nodes[child].next = nodes[node].first
                nodes[child].visits = 0
                nodes[child].available = 1
                nodes[child].total = 0.0
                nodes[node].first = child
            room.path[depth] = child
            room.seat[depth] = state.current
            depth += 1
            node = child
            count = play(state, rules[0], scratch[0], room.legal[chosen])
        while count > 0:
            action = np.int64(scratch[0].legal[0])
            if count > 1:
                _list(room, scratch[0], count)
                action = np.int64(_answer_quickly(state, room.mask, rules[0], plans[state.current]))
                _unlist(room, count)
            count = play(state, rules[0], scratch[0], action)
        _value_seats(state, rules[0], room, settings)
        nodes[0].visits += 1
        for step in range(depth):
            nodes[room.path[step]].visits += 1
            nodes[room.path[step]].total += room.value[room.seat[step]]
    return used


@inlined
def _list(room: Record, scratch: Record, count: int) -> None:
    for i in range(count):
        room.legal[i] = scratch.legal[i]
        room.mask[scratch.legal[i]] = 1


@inlined
def _unlist(room: Record, count: int) -> None:
    for i in range(count):
        room.mask[room.legal[i]] = 0


@compiled
def _find_nodes(room: Record, nodes: Array, node: int, first_key: int, count: int) -> None:
    """Write the node of each legal answer, and count that it could be chosen."""
    for i in range(count):
        room.node_of[i] = NOTHING
    child = nodes[node].first
    while child != NOTHING:
        action = nodes[child].key - first_key
        for i in range(count):
            if room.legal[i] == action:
                room.node_of[i] = child
                nodes[child].available += 1
                break
        child = nodes[child].next


@compiled
def _choose(room: Record, nodes: Array, node: int, count: int, settings: Array) -> int:
    """The legal answer with the greatest bound: what it brought in the mean, and more the less it was tried."""
    weights = 0.0
    total = 0.0
    visits = 0
    for i in range(count):
        weights += room.weight[i]
        child = room.node_of[i]
        if child != NOTHING:
            total += nodes[child].total
            visits += nodes[child].visits
    untried = (total / visits if visits > 0 else 0.0) - settings[1]
    chosen = 0
    best = -1e9
    for i in range(count):
        child = room.node_of[i]
        weight = room.weight[i] / weights
        if weight == 0.0:
            continue
        if child == NOTHING:
            bound = untried + settings[0] * weight * np.sqrt(visits + 1.0)
        else:
            tried = nodes[child].visits
            bound = nodes[child].total / tried
            bound += settings[0] * weight * np.sqrt(nodes[child].available) / (1.0 + tried)
        if bound > best:
            best = bound
            chosen = i
    return chosen


@compiled
def _value_seats(state: Record, rules: Record, room: Record, settings: Array) -> None:
    """What the game was worth to each seat: 1 for the first place, -1 for the last; by points if it was truncated."""
    for seat in range(rules.num_seats):
        side = rules.side[seat]
        behind = 0
        margin = 10_000
        for other in range(rules.num_sides):
            if other != side:
                lead = state.score[side] - state.score[other]
                margin = min(margin, lead)
                if state.outcome == FINISHED:
                    lead = state.rank[other] - state.rank[side]
                behind += 1 if lead > 0 else -1 if lead < 0 else 0
        value = behind / (rules.num_sides - 1.0)
        clipped = min(1.0, max(-1.0, margin / settings[3]))
        room.value[seat] = (1.0 - settings[2]) * value + settings[2] * clipped
