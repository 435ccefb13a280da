"""How seats take their turns in the rollouts of map games.

They play by a plan (`t2r_agents.route_plan`) that counts the turn that each claim takes, so that it prefers paths of
long routes. A seat waits with its claims until its cards nearly pay for the whole plan: until then any route may be
paid in the colour that comes, and opponents do not learn its tickets.

It claims at once

- where companies' shares can be had, before others take them
- long routes, if there is only one opponent, who wants them too
- when the game may end soon, and when cards run out
"""

from t2r_agents.records import PlanRecords
from t2r_agents.route_actions.cards import best_card
from t2r_agents.route_actions.claims import act_without_cards, best_claim, longest_claim
from t2r_agents.route_actions.stations import station_to_build
from t2r_agents.route_actions.technologies import best_purchase
from t2r_agents.route_actions.tickets import wants_tickets
from t2r_agents.route_plan.records import Parameters, Plan, new_records
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.sizes import MAX_LENGTH
from t2r_env.variants.variant import MapVariant

RESERVE_DIVISOR = 3
"""Tickets are chosen as if a third of the trains were missing."""
LONG_ROUTE_LENGTH = 4
"""Where there are longer routes, those of so many spaces and more are claimed from a single opponent at once."""
NO_LENGTH = MAX_LENGTH + 1
"""More spaces than any route has."""
FEW_CARDS = 15
"""With fewer cards in deck and discard it does not wait for cards."""


def records_for(configuration: Configuration) -> PlanRecords:
    """Records for planning: the more trains, the more a turn is worth, and the longer waiting pays."""
    variant = configuration.variant
    assert isinstance(variant, MapVariant)
    is_contested = variant.longest_route > LONG_ROUTE_LENGTH and configuration.num_teams == 2
    return new_records(
        claim_cost=4 * (variant.trains // 8),
        reserve_divisor=RESERVE_DIVISOR,
        min_trains_to_draw_tickets=3 * variant.trains // 4,
        max_missing_cards=variant.trains // 12,
        endgame_trains=variant.trains // 4,
        max_hand=0 if variant.companies else variant.trains,
        long_route_length=LONG_ROUTE_LENGTH if is_contested else NO_LENGTH,
    )


@compiled
def take_turn(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Draw tickets early; claim planned routes that are long, or when waiting does not pay; else draw cards.

    Without cards to draw, or in the last turn, when they are of no use, claim any route.
    """
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    is_last_turn = view.last_turns_left > 0
    if mask[draw_tickets] and not is_last_turn and wants_tickets(view, rules, parameters, plan):
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        action = station_to_build(view, mask, rules, plan)
    if action == NO_ACTION:
        waits = not _is_time_to_claim(view, rules, parameters, plan)
        action = best_claim(view, mask, rules, plan, parameters.long_route_length if waits else 0)
    if action == NO_ACTION and is_last_turn:
        action = longest_claim(mask, rules)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, plan, 0)
    return act_without_cards(mask, rules) if action == NO_ACTION else action


@compiled
def _is_time_to_claim(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Whether waiting does not pay any more."""
    missing = -max(0, plan.spare_cards[LOCOMOTIVE])
    for colour in range(LOCOMOTIVE):
        missing += max(0, -plan.spare_cards[colour])
    fewest_trains = view.trains[0]
    for seat in range(1, rules.num_seats):
        fewest_trains = min(fewest_trains, view.trains[seat])
    return (
        missing <= parameters.max_missing_cards
        or fewest_trains <= parameters.endgame_trains
        or view.hand_count[view.current] > parameters.max_hand
        or view.deck_count + view.discard_count < FEW_CARDS
    )
