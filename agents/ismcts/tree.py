"""Information-set Monte Carlo tree search with one observer (Cowling, Powley, Whitehouse 2012).

A tree is an array of nodes; node 0 is the decision. Each simulation deals anew what the asked seat can't know, goes
down the tree among the answers that are legal in that deal, adds one node, and plays the game out. A node counts how
often its answer could have been chosen, since not every deal allows it. Plans weigh which answers are tried first and
most (as in PUCT, Rosin 2011); games are played out by plans too.
"""

import numpy as np

from agents.ismcts import card_game, map_game
from t2r_env.agents import Array
from t2r_env.core.batch import determinize_state, legal
from t2r_env.core.compiled import by_record, compiled, inlined
from t2r_env.core.game import outcomes
from t2r_env.core.randomness import mix, next_seed
from t2r_env.core.records import REAL, Record, record_dtype
from t2r_env.rules.game import play
from t2r_env.rules.rulesets import RULESETS
from t2r_env.rules.state import MAX_LEGAL_ACTIONS
from t2r_env.sizes import MAX_SEATS

EXPLORATION = 0.3
"""How much the bound of an answer rises that is tried seldom."""
CAUTION = 0.1
"""How much less an answer that was not tried yet is taken to bring than the others do in the mean."""
LEAD = 0.5
"""The part that the lead in points has in what a game is worth; the rest is the rank's."""
LEAST_SCORE = 20
"""Leads are compared with half the best score, or half of so many points."""
MOST_STEPS = 64
"""Of the way down the tree."""

_PLAYERS = {RULESETS["map_game"].state: map_game, RULESETS["card_game"].state: card_game}
_decide_quickly = by_record({state: player.decide_quickly for state, player in _PLAYERS.items()})
_weigh = by_record({state: player.weigh for state, player in _PLAYERS.items()})
_forget = by_record({state: player.forget for state, player in _PLAYERS.items()})

_ROOT = 0
_NO_NODE = 0
"""Nothing leads to the root."""
_OUTSIDE = -1
"""Where games are played out."""

NODE = record_dtype(
    [
        ("seat", "i8"),  # who gave the answer that leads here
        ("action", "i8"),  # the answer
        ("first", "i8"),  # the first of the nodes below, or _NO_NODE
        ("next", "i8"),  # another one below the same node, or _NO_NODE
        ("visits", "i8"),
        ("available", "i8"),  # how often the answer could have been given
        ("total", REAL),  # what the games were worth to who gave it
        ("nodes", "i8"),  # of the root: how many nodes there are besides
    ]
)

NOTES = record_dtype(
    [
        ("legal", "i8", (MAX_LEGAL_ACTIONS,)),  # the answers to the decision at hand
        ("weight", REAL, (MAX_LEGAL_ACTIONS,)),  # of each: how promising it looks
        ("node", "i8", (MAX_LEGAL_ACTIONS,)),  # of each: where it leads, or _NO_NODE, or _OUTSIDE
        ("way", "i8", (MOST_STEPS,)),  # the nodes of this simulation
        ("steps", "i8"),
        ("value", REAL, (MAX_SEATS,)),  # what its game was worth to each seat
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
    mask: Array,
    notes: Array,
    nodes: Array,
    seeds: Array,
    numbers: Array,
) -> None:
    """Do the simulations of these numbers for the decision of a row.

    The deal of each depends on its number and on the decision's seed. `states` is room for one state, `plans` for one
    plan of each seat; `mask`, of all actions, is zero.
    """
    state = states[0]
    for number in numbers:
        states[0] = views[row]
        determinize_state(state, rules[0], scratch[0], state.current, next_seed(seeds[row] ^ mix(np.uint64(number))))
        for seat in range(rules[0].num_seats):
            _forget(state, plans[seat])
        notes[0].steps = 0
        node = _ROOT
        count = legal(state, rules[0], scratch[0])
        while count > 0:
            action = np.int64(scratch[0].legal[0])
            if count > 1:
                _list_actions(notes[0], mask, scratch[0], count)
                if node == _OUTSIDE:
                    action = np.int64(_decide_quickly(state, mask, rules[0], plans[state.current]))
                else:
                    _weigh(state, rules[0], plans[state.current], mask, notes[0], count)
                    chosen = _go_down(notes[0], nodes, node, state.current, count)
                    action = notes[0].legal[chosen]
                    node = notes[0].node[chosen]
                _clear(notes[0], mask, count)
            count = play(state, rules[0], scratch[0], action)
        _value(state, rules[0], notes[0])
        nodes[_ROOT].visits += 1
        for step in range(notes[0].steps):
            below = nodes[notes[0].way[step]]
            below.visits += 1
            below.total += notes[0].value[below.seat]


@compiled
def count_visits(nodes: Array, seat: int, visits: Array, totals: Array) -> None:
    """Write for each of the asked seat's answers how often it was tried, and what that brought in all."""
    node = nodes[_ROOT].first
    while node != _NO_NODE:
        if nodes[node].seat == seat:
            visits[nodes[node].action] = nodes[node].visits
            totals[nodes[node].action] = nodes[node].total
        node = nodes[node].next


@compiled
def _go_down(notes: Record, nodes: Array, node: int, seat: int, count: int) -> int:
    """Choose an answer at a node, and note the way; return its number among the legal ones.

    Where it leads is `_OUTSIDE` if that was not in the tree before.
    """
    _find_nodes(notes, nodes, node, seat, count)
    chosen = _choose(notes, nodes, count)
    below = notes.node[chosen]
    is_new = below == _NO_NODE
    if is_new and nodes[_ROOT].nodes + 1 < nodes.shape[0]:
        below = _add_node(nodes, node, seat, notes.legal[chosen])
    if below != _NO_NODE:
        notes.way[notes.steps] = below
        notes.steps += 1
    if is_new or notes.steps == MOST_STEPS:
        notes.node[chosen] = _OUTSIDE
    return chosen


@compiled
def _add_node(nodes: Array, above: int, seat: int, action: int) -> int:
    """Add a node for a seat's answer; return its number."""
    nodes[_ROOT].nodes += 1
    number = nodes[_ROOT].nodes
    nodes[number].seat = seat
    nodes[number].action = action
    nodes[number].available = 1
    nodes[number].next = nodes[above].first
    nodes[above].first = number
    return number


@inlined
def _list_actions(notes: Record, mask: Array, scratch: Record, count: int) -> None:
    """Note the legal answers, and mask them."""
    for i in range(count):
        notes.legal[i] = scratch.legal[i]
        mask[scratch.legal[i]] = 1


@inlined
def _clear(notes: Record, mask: Array, count: int) -> None:
    """Make the mask zero again."""
    for i in range(count):
        mask[notes.legal[i]] = 0


@compiled
def _find_nodes(notes: Record, nodes: Array, above: int, seat: int, count: int) -> None:
    """Note where each legal answer leads, and that it could have been given."""
    for i in range(count):
        notes.node[i] = _NO_NODE
    below = nodes[above].first
    while below != _NO_NODE:
        node = nodes[below]
        for i in range(count):
            if notes.legal[i] == node.action and node.seat == seat:
                notes.node[i] = below
                node.available += 1
        below = node.next


@compiled
def _choose(notes: Record, nodes: Array, count: int) -> int:
    """The answer with the greatest bound: what it brought in the mean, and the more the less it was tried.

    Answers without weight are never tried.
    """
    weights = 0.0
    total = 0.0
    visits = 0
    for i in range(count):
        weights += notes.weight[i]
        if notes.node[i] != _NO_NODE:
            total += nodes[notes.node[i]].total
            visits += nodes[notes.node[i]].visits
    untried = total / max(1, visits) - CAUTION
    chosen = 0
    best = -np.inf
    for i in range(count):
        tried = 0
        mean = untried
        available = visits + 1
        if notes.node[i] != _NO_NODE:
            node = nodes[notes.node[i]]
            tried = node.visits
            mean = node.total / tried
            available = node.available
        bound = mean + EXPLORATION * notes.weight[i] / weights * np.sqrt(available) / (1 + tried)
        if notes.weight[i] > 0 and bound > best:
            best = bound
            chosen = i
    return chosen


@compiled
def _value(state: Record, rules: Record, notes: Record) -> None:
    """Note what the game was worth to each seat: from 1 for the first place to -1 for the last, and the lead's part.

    A game that was truncated is ranked by points (C19).
    """
    best = LEAST_SCORE
    for team in range(rules.num_teams):
        best = max(best, state.score[team])
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        place = 0.0
        lead = float(best)
        for other in range(rules.num_teams):
            if other != team:
                ahead = state.score[team] - state.score[other]
                lead = min(lead, ahead)
                if state.outcome == outcomes.FINISHED:
                    ahead = state.rank[other] - state.rank[team]
                place += np.sign(ahead) / (rules.num_teams - 1)
        notes.value[seat] = (1 - LEAD) * place + LEAD * max(-1.0, min(1.0, 2 * lead / best))
