"""Do you claim a second route, as the Thermocompressor allows? (UK12)"""

from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, claiming, open_routes, technologies
from t2r_env.rules.map_game.state import NO_ROUTE, PAY, SECOND_CLAIM, THERMOCOMPRESSOR
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER


@inlined
def follows(state: Record, rules: Record) -> bool:
    """Whether a turn that would be over goes on: its first claim is complete, and the card was bought before."""
    return (
        state.claims == 1
        and state.route != NO_ROUTE
        and technologies.was_bought(state, rules.technology_with[THERMOCOMPRESSOR])
    )


@inlined
def ask(state: Record) -> None:
    """Ask; the first claim is done with."""
    claiming.forget_claim(state)
    state.phase = SECOND_CLAIM


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Any claim by all the rules, or none."""
    scratch.legal[0] = rules.first_action[actions.STOP]
    return open_routes.list_claims(state, rules, scratch, state.claims)  # after one answer, as after one claim


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Go on to the payment, or end the turn."""
    if action == rules.first_action[actions.STOP]:
        state.phase = TURN_OVER
    else:
        state.route = action - rules.first_action[actions.CLAIM]
        state.phase = PAY
