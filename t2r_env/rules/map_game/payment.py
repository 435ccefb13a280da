"""How a lane may be paid, and paying it (C9, C14)."""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, ferries
from t2r_env.rules.map_game.routes import GRAY
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@inlined
def list_payments(state: Record, rules: Record, scratch: Record, seat: int, lane: int) -> int:
    """List all payments of a lane that the seat's cards allow; return how many there are."""
    price = rules.lane_length[lane]
    lane_colour = rules.lane_colour[lane]
    locomotives = state.hand[seat, LOCOMOTIVE]
    least = ferries.least_locomotives(rules, lane)
    count = 0
    for colour in range(GRAY):
        if lane_colour == GRAY or lane_colour == colour:
            coloured = state.hand[seat, colour]
            # at least one card is of the colour: locomotives alone are one payment, not eight
            for wild in range(max(least, price - coloured), min(locomotives, price - 1) + 1):
                scratch.legal[count] = actions.payment(rules, colour, wild)
                count += 1
    if locomotives >= price:
        scratch.legal[count] = actions.payment(rules, LOCOMOTIVE, price)
        count += 1
    return count


@inlined
def pay(state: Record, rules: Record, seat: int, price: int, action: int) -> None:
    """Lay the cards of a payment on the discard."""
    colour = actions.payment_colour(rules, action)
    locomotives = actions.payment_locomotives(rules, action)
    train_cards.spend(state, seat, LOCOMOTIVE, locomotives)
    if colour != LOCOMOTIVE:
        train_cards.spend(state, seat, colour, price - locomotives)
