"""The rollout policy and the priors of the search in the Card Game: the planner's, with a new plan each time."""

import numpy as np

from t2r_agents.playing.ismcts.records import Edges, History
from t2r_agents.playing.planner.card_game import decide
from t2r_agents.playing.planner.card_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.rules.card_game.records import CardRules, CardState
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks

ROLLOUT_PRIOR = 3.0
"""The prior of the rollout policy's action, before priors are divided by their sum; that of any other action is 1."""


@compiled
def rollout_action(
    state: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan, history: History
) -> int:
    """Return the planner's action."""
    return decide(state, mask, rules, parameters, plan)


@compiled
def write_priors(state: CardState, rules: CardRules, plan: Plan, edges: Edges, chosen: np.int64) -> None:
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
