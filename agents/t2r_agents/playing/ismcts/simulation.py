"""The simulations of the search with a policy, in one compiled loop: short games that cost little.

Their player knows the planner's action, by a plan that each seat keeps as long as it can be carried out, and a small
network corrects it from the observation. A simulation ends where the searching seat begins one of its next turns, its
leaf, unless the game ends before.
"""

from typing import Any, NamedTuple

import numpy as np

from t2r_agents.playing.beliefs.deal import deal_by_belief
from t2r_agents.playing.ismcts.tree import rollout_action
from t2r_agents.playing.network import apply_row
from t2r_env.agents import Array
from t2r_env.core.compiled import cached, compiled
from t2r_env.core.randomness import mix, next_word, scrambled
from t2r_env.rules.names import phases, schemes
from t2r_env.rules.ranking import reward
from t2r_env.rules.rulesets import determinize, observe, play, reduce_to_view
from t2r_env.rules.state import SharedScratch


class Jobs(NamedTuple):
    """The beginnings of n simulations."""

    rows: Array
    """(n,) the decision that is searched: its row among the views."""
    deals: Array
    """(n,) uint64: the number of its determinization."""
    actions: Array
    """(n,) the action that it begins with."""


class Ends(NamedTuple):
    """The ends of n simulations: a reward, or a leaf, as the searching seat may see it."""

    is_leaf: Array
    """(n,) bool"""
    rewards: Array
    """(n, seats) for the rank; 0 at leaves"""
    views: Array
    """(n,)"""
    masks: Array
    """(n, actions) int8"""
    observations: Array
    """(n, size) uint8"""


class Player(NamedTuple):
    """Who plays simulations: the rollout network of a policy, the planner, and memory to compute in."""

    hidden_weight: Array
    """(size of the observation, units)"""
    hidden_bias: Array
    weight: Array
    """(units, actions)"""
    bias: Array
    planner_weight: float
    """The number that is added to the logit of the planner's action."""
    parameters: Array
    """(1,): the planner's."""
    plans: Array
    """(seats,)"""
    histories: Array
    """(seats,)"""
    mask: Array
    """(actions,) int8: the legal actions of the decision at hand; all zero in between"""
    observation: Array
    hidden: Array
    logits: Array


@cached
def simulate(
    views: Array,
    seeds: Array,
    chances: Array,
    jobs: Jobs,
    turns: int,
    rules: Array,
    scratch: Array,
    scoring: Array,
    player: Player,
    ends: Ends,
) -> None:
    """Play simulations of the decisions `views`, (k,), to their ends; leaves are `turns` turns later.

    `chances` (k, seats, tickets) say what other seats are believed to hold (`deal_by_belief`); if they are empty, all
    is dealt evenly.
    A simulation depends on its job and on the seed of its decision, `seeds`, (k,), alone. Those of one determinization
    share their random numbers, so that luck tells less of the difference between actions.
    """
    for i in range(len(jobs.rows)):
        row = jobs.rows[i]
        seed = scrambled(seeds[row] ^ mix(jobs.deals[i]))
        ends.views[i] = views[row]
        state = ends.views[i]
        seat, last_turn = np.int64(state.current), state.turn + turns
        determinize(state, rules[0], scratch[0], seed)
        if chances.size > 0:
            deal_by_belief(state, rules[0], scratch[0], seat, chances[row], seed)
        number = play(state, rules[0], scratch[0], scoring[0], jobs.actions[i])
        for other in range(rules[0].num_seats):
            player.histories[other].has_plan = 0
        turn, word = np.int64(-1), seed
        while number > 0 and not _is_leaf(state, seat, last_turn):
            if turn != state.turn:
                turn = np.int64(state.turn)
                word = scrambled(seed ^ mix(np.uint64(turn)))
            word = next_word(word)
            action = choose(state, rules[0], scratch[0], number, player, word)
            number = play(state, rules[0], scratch[0], scoring[0], action)
        ends.is_leaf[i] = number > 0
        if number > 0:
            for j in range(number):
                ends.masks[i, scratch[0].legal[j]] = 1
            observe(state, rules[0], seat, ends.observations[i])
            reduce_to_view(state, rules[0], seat)
        else:
            reward(state, rules[0], scratch[0], schemes.RANK, ends.rewards[i])


@compiled
def _is_leaf(state: Any, seat: np.int64, last_turn: int) -> bool:
    return state.turn >= last_turn and state.current == seat and state.phase == phases.TURN


@compiled
def choose(state: Any, rules: Any, scratch: SharedScratch, number: int, player: Player, word: np.uint64) -> np.int64:
    """Return one of the legal actions, drawn from the network's probabilities for what the acting seat may know."""
    observe(state, rules, np.int64(state.current), player.observation)
    apply_row(player.observation, player.hidden_weight, player.hidden_bias, player.hidden)
    apply_row(player.hidden, player.weight, player.bias, player.logits)
    for i in range(number):
        player.mask[scratch.legal[i]] = 1
    plan, history = player.plans[state.current], player.histories[state.current]
    action = rollout_action(state, player.mask, rules, player.parameters[0], plan, history)
    player.logits[action] += player.planner_weight
    for i in range(number):
        player.mask[scratch.legal[i]] = 0
    return _draw(scratch.legal, number, player.logits, word)


@compiled
def _draw(legal: Array, number: int, logits: Array, word: np.uint64) -> np.int64:
    """Return one of the legal actions, drawn from the softmax of the logits: the greatest with Gumbel noise added.

    The noise of an action depends on the random word and the action alone.
    """
    chosen, greatest = legal[0], -np.inf
    for i in range(number):
        noise = ((scrambled(word ^ mix(np.uint64(legal[i] + 1))) >> np.uint64(11)) + 0.5) * 2.0**-53
        score = logits[legal[i]] - np.log(-np.log(noise))
        if score > greatest:
            chosen, greatest = legal[i], score
    return np.int64(chosen)
