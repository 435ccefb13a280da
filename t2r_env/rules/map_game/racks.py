"""The racks of a team, one for train cards and one for tickets, which both teammates see and use (TA2)."""

from t2r_env.rules import bits
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game.state import HAND
from t2r_env.rules.records import Record


@inlined
def held(state: Record, rules: Record, seat: int, card: int) -> int:
    """How many cards of a kind the seat may pay with: those of its hand and, with teams, of its rack (TA6)."""
    if rules.num_racks > 0:
        return state.hand[seat, card] + state.rack[rules.team[seat], card]
    return state.hand[seat, card]


@inlined
def place_card(state: Record, rules: Record, seat: int, card: int, where: int, is_seen: bool) -> None:
    """Put a card that the seat has drawn into its hand or on its rack; all know of one taken from the row (C20)."""
    if where == HAND:
        state.hand[seat, card] += 1
        state.hand_count[seat] += 1
        if is_seen:
            state.known[seat, card] += 1
    else:
        team = rules.team[seat]
        state.rack[team, card] += 1
        state.rack_count[team] += 1
        if is_seen:
            state.rack_known[team, card] += 1


@inlined
def put_ticket(state: Record, rules: Record, seat: int, ticket: int) -> None:
    """Put a ticket of the seat's hand on its team's rack."""
    bits.remove(state.tickets[seat], ticket)
    state.ticket_count[seat] -= 1
    team = rules.team[seat]
    bits.add(state.rack_tickets[team], ticket)
    state.rack_ticket_count[team] += 1
