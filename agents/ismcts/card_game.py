"""How a search plays the Card Game out, and which answers it looks at first: as the greedy agent does."""

import numpy as np

from agents.greedy.card_game import answer
from agents.planner.card_game import new_plan
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.rules.card_game import actions
from t2r_env.rules.compiled import compiled
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import ROW_SLOTS


def new_plans(configuration: Configuration, number: int) -> Array:
    """Room for so many plans."""
    return np.repeat(new_plan(configuration), number)


@compiled
def answer_quickly(state: Record, mask: Array, rules: Record, plan: Record) -> int:
    """An answer as good as can be had in no time."""
    return answer(state, mask, rules, plan)


@compiled
def weigh(state: Record, rules: Record, plan: Record, mask: Array, legal: Array, count: int, weights: Array) -> None:
    """Write how promising each of the legal answers is before anything is tried."""
    chosen = answer(state, mask, rules, plan)
    draw_row = rules.first_action[actions.DRAW_ROW]
    for i in range(count):
        action = legal[i]
        weights[i] = 0.6 if action == chosen else 0.2
        if draw_row <= action < draw_row + ROW_SLOTS:
            for slot in range(action - draw_row):
                if state.row[slot] == state.row[action - draw_row]:
                    weights[i] = 0.0
