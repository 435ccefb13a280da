"""The search in the Card Game. Its rollout policy and its priors are the planner's, with a new plan each time."""

import numpy as np

from t2r_agents.ismcts.records import Buffers, Edges
from t2r_agents.ismcts.tree import backpropagate, begin_decision, descend, end_decision, evaluate, seed_of
from t2r_agents.planner.card_game import decide
from t2r_env.agents import Array
from t2r_env.core.compiled import cached, compiled
from t2r_env.rules.card_game.records import CardRules, CardState
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks
from t2r_env.rules.rulesets import determinize, list_legal, play

ROLLOUT_PRIOR = 3.0
"""The prior of the rollout policy's action, before priors are divided by their sum; that of any other action is 1."""


@cached
def search(
    views: Array, row: int, rules: Array, buffers: Buffers, nodes: Array, seeds: Array, simulations: Array
) -> None:
    """Grow the tree `nodes` by the simulations of these numbers, for the decision of a row.

    A simulation's determinization depends on its number and on the decision's seed, `seeds[row]`, alone.
    """
    state, scratch, parameters = buffers.states[0], buffers.scratch[0], buffers.parameters[0]
    edges, path = buffers.edges[0], buffers.path[0]
    for number in simulations:
        buffers.states[0] = views[row]
        determinize(state, rules[0], scratch, seed_of(seeds[row], number))
        path.length = 0
        path.is_in_tree = 1
        num_legal = list_legal(state, rules[0], scratch)
        while num_legal > 0:
            action = np.int64(scratch.legal[0])
            if num_legal > 1:
                begin_decision(edges, buffers.mask, scratch, num_legal)
                plan = buffers.plans[state.current]
                action = np.int64(decide(state, buffers.mask, rules[0], parameters, plan))
                if path.is_in_tree:
                    _write_priors(state, rules[0], edges, action)
                    action = descend(edges, path, nodes, state.current)
                end_decision(edges, buffers.mask)
            num_legal = play(state, rules[0], scratch, buffers.scoring[0], action)
        evaluate(state, rules[0], buffers.values)
        backpropagate(nodes, path, buffers.values)


@compiled
def _write_priors(state: CardState, rules: CardRules, edges: Edges, chosen: np.int64) -> None:
    """Write a prior for each legal action: `chosen` is the rollout policy's; of equal face-up cards only the first is
    tried."""
    draw_face_up = rules.first_action[blocks.DRAW_FACE_UP]
    for i in range(edges.count):
        slot = edges.legal_action[i] - draw_face_up
        prior = 1.0
        if 0 <= slot < FACE_UP_SLOTS:
            for other in range(slot):
                if state.face_up[other] == state.face_up[slot]:
                    prior = 0.0
        edges.prior[i] = ROLLOUT_PRIOR if edges.legal_action[i] == chosen else prior
