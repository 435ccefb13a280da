"""How the greedy agent plays map games.

At each decision it makes a new plan from its view (`t2r_agents.route_plan`). It claims what is planned and can be paid,
and otherwise draws cards that the plan lacks. When its tickets are completed early, it draws more. Of shares it takes
the one that would improve its payments most if the game ended now.

Agents with other parameters play by the same functions.
"""

from t2r_agents.route_actions.cards import best_card
from t2r_agents.route_actions.claims import act_without_cards, best_claim, min_length_to_claim
from t2r_agents.route_actions.common import decide_common
from t2r_agents.route_actions.stations import station_to_build
from t2r_agents.route_actions.technologies import best_purchase
from t2r_agents.route_actions.tickets import wants_tickets
from t2r_agents.route_plan.planning import make_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks, phases


@compiled
def act(
    views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, workspaces: Array, chosen: Array
) -> None:
    """Write an action for each of k decisions to `chosen`, shape (k,); the records have length 1."""
    for row in range(views.shape[0]):
        chosen[row] = decide(views[row], masks[row], rules[0], parameters[0], plans[0], workspaces[0])


@compiled
def decide(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """An action for a decision of any phase."""
    if view.phase == phases.TURN:
        make_plan(view, rules, parameters, plan, workspace)
        return _take_turn(view, mask, rules, parameters, plan)
    return decide_common(view, mask, rules, parameters, plan, workspace)


@compiled
def _take_turn(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Draw tickets if it wants some, else buy or claim what is planned, else draw cards, else claim any route."""
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and wants_tickets(view, rules, parameters, plan):
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        action = station_to_build(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, plan, min_length_to_claim(rules, parameters, plan))
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    return act_without_cards(mask, rules) if action == NO_ACTION else action
