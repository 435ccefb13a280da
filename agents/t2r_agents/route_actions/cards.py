"""Choosing train cards."""

from t2r_agents.route_plan.planning import make_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.resources import MANY_CARDS
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.cards import EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.map_game.paying import HAND, RACK
from t2r_env.rules.names import blocks


@compiled
def best_card(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> int:
    """Draw the face-up card of the colour that lacks the fewest cards, else a locomotive if the plan lacks some, else
    from the deck, else any face-up card; or NO_ACTION."""
    action = _best_face_up_colour(view, mask, rules, plan)
    if action == NO_ACTION and plan.spare_cards[LOCOMOTIVE] < 0:
        action = _first_face_up(view, mask, rules, True)
    if action == NO_ACTION and mask[rules.first_action[blocks.DRAW_DECK]]:
        action = rules.first_action[blocks.DRAW_DECK]
    if action == NO_ACTION:
        action = _first_face_up(view, mask, rules, False)
    return action


@compiled
def _best_face_up_colour(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> int:
    chosen = NO_ACTION
    fewest = MANY_CARDS
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY and view.face_up[slot] != LOCOMOTIVE:
            missing = -plan.spare_cards[view.face_up[slot]]
            if 0 < missing < fewest:
                fewest = missing
                chosen = action
    return chosen


@compiled
def _first_face_up(view: MapState, mask: Array, rules: MapRules, is_locomotive: bool) -> int:
    """Draw the first face-up card that may be drawn, or the first locomotive; or NO_ACTION."""
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and (not is_locomotive or view.face_up[slot] == LOCOMOTIVE):
            return action
    return NO_ACTION


@compiled
def place_card(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> int:
    """Place a card that the plan lacks in the hand, any other on the rack, where the teammate can use it."""
    make_plan(view, rules, parameters, plan, workspace)
    where = HAND if plan.spare_cards[view.unplaced] < 0 else RACK
    return rules.first_action[racks.blocks.PLACE] + where
