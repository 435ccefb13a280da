"""How a search plays the Card Game out, and which answers it looks at first: as the planner does."""

import numpy as np

from agents.greedy.card_game import decide
from agents.planner.card_game import new_plan
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Record
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks

QUICK = 3.0
"""The weight of the answer that is given quickly; that of any other is 1."""


def new_plans(configuration: Configuration, number: int) -> Array:
    """Room for so many plans."""
    return np.repeat(new_plan(configuration), number)


@inlined
def forget(state: Record, plan: Record) -> None:
    """No plan is kept."""


@compiled
def decide_quickly(state: Record, mask: Array, rules: Record, plan: Record) -> int:
    """An answer as good as can be had in little time."""
    return decide(state, mask, rules, plan)


@compiled
def weigh(state: Record, rules: Record, plan: Record, mask: Array, notes: Record, count: int) -> None:
    """Note how promising each of the legal answers looks; of cards of the row that are alike only the first is."""
    chosen = decide(state, mask, rules, plan)
    draw_face_up = rules.first_action[blocks.DRAW_FACE_UP]
    for i in range(count):
        slot = notes.legal[i] - draw_face_up
        weight = 1.0
        if 0 <= slot < FACE_UP_SLOTS:
            for other in range(slot):
                if state.face_up[other] == state.face_up[slot]:
                    weight = 0.0
        notes.weight[i] = QUICK if notes.legal[i] == chosen else weight
