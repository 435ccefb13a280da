"""The rollout policy and the priors of the search in the Card Game: both play as greedy does, with larger sets."""

from t2r_agents.greedy.card_game import decide, new_records
from t2r_agents.greedy.card_game.records import Parameters, Plan, Workspace
from t2r_agents.ismcts.records import Edges, History
from t2r_agents.records import PlanRecords
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks

__all__ = ["records_for", "rollout_action", "write_priors"]

ROLLOUT_PRIOR = 3.0
"""The prior of the rollout policy's action, before priors are divided by their sum; that of any other action is 1."""
MIN_PLAY_ADVANTAGE = 160
"""Tenths of a point by which a play must be worth more than drawing: the rollout policy waits for larger sets."""


def records_for(_: Configuration) -> PlanRecords:
    """Records for planning."""
    return new_records(min_play_advantage=MIN_PLAY_ADVANTAGE)


@compiled
def rollout_action(
    state: CardState,
    mask: Array,
    rules: CardRules,
    parameters: Parameters,
    plan: Plan,
    workspace: Workspace,
    history: History,
) -> int:
    """The action by a new plan: there is no history."""
    return decide(state, mask, rules, parameters, plan, workspace)


@compiled
def write_priors(
    state: CardState,
    mask: Array,
    rules: CardRules,
    parameters: Parameters,
    plan: Plan,
    workspace: Workspace,
    history: History,
    edges: Edges,
) -> None:
    """Write a prior for each legal action; of face-up cards that are alike only the first is tried."""
    chosen = rollout_action(state, mask, rules, parameters, plan, workspace, history)
    draw_face_up = rules.first_action[blocks.DRAW_FACE_UP]
    for i in range(edges.count):
        slot = edges.legal_action[i] - draw_face_up
        prior = 1.0
        if 0 <= slot < FACE_UP_SLOTS:
            for other in range(slot):
                if state.face_up[other] == state.face_up[slot]:
                    prior = 0.0
        edges.prior[i] = ROLLOUT_PRIOR if edges.legal_action[i] == chosen else prior
