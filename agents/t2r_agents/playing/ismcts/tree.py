"""Information-set Monte Carlo tree search with a single observer, SO-ISMCTS (Cowling, Powley, Whitehouse 2012).

Each simulation determinizes the searched seat's view, and then

1. selects actions down the tree, among those legal in this determinization, by PUCT (Rosin 2011): plans give priors;
2. expands the tree by one node;
3. simulates the rest of the game with a rollout policy, which follows plans;
4. backpropagates what the game was worth to each seat.

Since an action is not legal in every determinization, nodes count how often theirs was available.

The rollout policy and the priors are those of the ruleset (`map_game`, `card_game`).
"""

from typing import Any

import numpy as np

from t2r_agents.playing.ismcts import card_game, map_game
from t2r_agents.playing.ismcts.records import MAX_DEPTH, NO_NODE, ROOT, Buffers, Edges, Path
from t2r_env.agents import Array
from t2r_env.core.compiled import cached, compiled, for_record
from t2r_env.core.randomness import mix, scrambled
from t2r_env.rules.names import outcomes
from t2r_env.rules.rulesets import RULESETS, determinize, list_legal, play
from t2r_env.rules.state import SharedRules, SharedState

EXPLORATION_CONSTANT = 0.3
"""The weight of PUCT's exploration term, in units of a game's value (-1 to 1)."""
FPU_REDUCTION = 0.1
"""First-play urgency: the value of an action without visits is this much below the mean of its siblings."""
MARGIN_WEIGHT = 0.5
"""The part of a game's value that the margin in points makes up; the rest is the rank's."""
MIN_BEST_SCORE = 20
"""Margins are compared with half the best score, which counts as at least this many points."""

_MAP, _CARD = RULESETS["map_game"].state, RULESETS["card_game"].state
rollout_action = for_record({_MAP: map_game.rollout_action, _CARD: card_game.rollout_action})
"""(state, mask, rules, parameters, plan, history) -> int: the rollout policy's action."""
_write_priors = for_record({_MAP: map_game.write_priors, _CARD: card_game.write_priors})
"""(state, rules, plan, edges, chosen): write a prior for each legal action, the most for the chosen one."""


@cached
def search(
    views: Array, row: int, rules: Array, buffers: Buffers, nodes: Array, seeds: Array, simulations: Array
) -> None:
    """Grow the tree `nodes` by the simulations of these numbers, for the decision of a row.

    A simulation's determinization depends on its number and on the decision's seed, `seeds[row]`, alone.
    """
    state, scratch, edges, path = buffers.states[0], buffers.scratch[0], buffers.edges[0], buffers.path[0]
    for number in simulations:
        buffers.states[0] = views[row]
        determinize(state, rules[0], scratch, scrambled(seeds[row] ^ mix(np.uint64(number))))
        for seat in range(rules[0].num_seats):
            buffers.histories[seat].has_plan = 0
        path.length = 0
        path.is_in_tree = 1
        edges.count = list_legal(state, rules[0], scratch)
        while edges.count > 0:
            action = np.int64(scratch.legal[0])
            if edges.count > 1:
                action = _choose(state, rules[0], buffers, nodes)
            edges.count = play(state, rules[0], scratch, buffers.scoring[0], action)
        _evaluate(state, rules[0], buffers.values)
        _backpropagate(nodes, path, buffers.values)


@compiled
def _choose(state: Any, rules: Any, buffers: Buffers, nodes: Array) -> Any:
    """Return an action: in the tree the one selected or expanded, below it the rollout policy's."""
    edges, path, plan = buffers.edges[0], buffers.path[0], buffers.plans[state.current]
    for i in range(edges.count):
        edges.legal_action[i] = buffers.scratch[0].legal[i]
        buffers.mask[edges.legal_action[i]] = 1
    history, parameters = buffers.histories[state.current], buffers.parameters[0]
    action = np.int64(rollout_action(state, buffers.mask, rules, parameters, plan, history))
    if path.is_in_tree:
        _write_priors(state, rules, plan, edges, action)
        action = _descend(edges, path, nodes, state.current)
    for i in range(edges.count):
        buffers.mask[edges.legal_action[i]] = 0
    return action


@cached
def read_root(nodes: Array, seat: int, visits: Array, total_values: Array) -> None:
    """Write the visits and the total value of each of the searched seat's actions, both of shape (actions,)."""
    child = nodes[ROOT].first_child
    while child != NO_NODE:
        if nodes[child].seat == seat:
            visits[nodes[child].action] = nodes[child].visits
            total_values[nodes[child].action] = nodes[child].total_value
        child = nodes[child].next_sibling


# The tree


@compiled
def _descend(edges: Edges, path: Path, nodes: Array, seat: int) -> Any:
    """Return an action at the end of the path, which gets longer by its node; or expand the tree by it, the last."""
    parent = path.node[path.length - 1] if path.length > 0 else ROOT
    _find_children(edges, nodes, parent, seat)
    edge = _select(edges, nodes)
    action = edges.legal_action[edge]
    node = edges.child[edge]
    path.is_in_tree = 0 if node == NO_NODE else 1
    if node == NO_NODE:
        node = _expand(nodes, parent, seat, action)
    if node != NO_NODE:
        path.node[path.length] = node
        path.length += 1
        if path.length == MAX_DEPTH:
            path.is_in_tree = 0
    return action


@compiled
def _find_children(edges: Edges, nodes: Array, parent: int, seat: int) -> None:
    """Note to which node each legal action leads, and count that it was available."""
    for i in range(edges.count):
        edges.child[i] = NO_NODE
    child = nodes[parent].first_child
    while child != NO_NODE:
        node = nodes[child]
        for i in range(edges.count):
            if edges.legal_action[i] == node.action and node.seat == seat:
                edges.child[i] = child
                node.availability += 1
        child = node.next_sibling


@compiled
def _select(edges: Edges, nodes: Array) -> int:
    """Return the index of the legal action with the greatest upper confidence bound. A prior of 0 excludes an action.

    The bound is PUCT's, with the action's availability instead of the parent's visits.
    """
    prior_sum = 0.0
    total_value = 0.0
    visits = 0
    for i in range(edges.count):
        prior_sum += edges.prior[i]
        if edges.child[i] != NO_NODE:
            total_value += nodes[edges.child[i]].total_value
            visits += nodes[edges.child[i]].visits
    first_play_value = total_value / max(1, visits) - FPU_REDUCTION
    selected = 0
    best = -np.inf
    for i in range(edges.count):
        child_visits = 0
        mean_value = first_play_value
        availability = visits + 1
        if edges.child[i] != NO_NODE:
            node = nodes[edges.child[i]]
            child_visits = node.visits
            mean_value = node.total_value / child_visits
            availability = node.availability
        prior = edges.prior[i] / prior_sum
        bound = mean_value + EXPLORATION_CONSTANT * prior * np.sqrt(availability) / (1 + child_visits)
        if edges.prior[i] > 0 and bound > best:
            best = bound
            selected = i
    return selected


@compiled
def _expand(nodes: Array, parent: int, seat: int, action: int) -> int:
    """Add a node for a seat's action; return its index, or NO_NODE if the tree is full."""
    index = nodes[ROOT].num_descendants + 1
    if index == nodes.shape[0]:
        return NO_NODE
    nodes[ROOT].num_descendants = index
    nodes[index].seat = seat
    nodes[index].action = action
    nodes[index].availability = 1
    nodes[index].next_sibling = nodes[parent].first_child
    nodes[parent].first_child = index
    return index


@compiled
def _backpropagate(nodes: Array, path: Path, values: Array) -> None:
    """Count the visit of the path's nodes, and add to each the game's value for the seat that chose it."""
    nodes[ROOT].visits += 1
    for i in range(path.length):
        node = nodes[path.node[i]]
        node.visits += 1
        node.total_value += values[node.seat]


@compiled
def _evaluate(state: SharedState, rules: SharedRules, values: Array) -> None:
    """Write the game's value for each seat, from -1 to 1: partly its rank, partly its margin in points.

    The rank's part is 1 for the first and -1 for the last. The margin is that over the best other team, compared with
    half the best score. A truncated game is ranked by points (C19).
    """
    best = MIN_BEST_SCORE
    for team in range(rules.num_teams):
        best = max(best, state.score[team])
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        rank_value = 0.0
        margin = float(best)
        for other in range(rules.num_teams):
            if other != team:
                ahead = state.score[team] - state.score[other]
                margin = min(margin, ahead)
                if state.outcome == outcomes.FINISHED:
                    ahead = state.rank[other] - state.rank[team]
                rank_value += np.sign(ahead) / (rules.num_teams - 1)
        margin_value = max(-1.0, min(1.0, 2 * margin / best))
        values[seat] = (1 - MARGIN_WEIGHT) * rank_value + MARGIN_WEIGHT * margin_value
