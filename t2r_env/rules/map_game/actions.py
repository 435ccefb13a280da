"""The numbers of the answers: blocks laid one after the other, each present only if the game uses it.

Block `pay` has a row for each colour and, last, one for locomotives alone. In a colour's row the column is how many of
the cards are locomotives, from 0; in the locomotives' row it is their number less one.
"""

from t2r_env.boxes import Box
from t2r_env.rules.compiled import inlined
from t2r_env.rules.layout import Segments
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_KINDS, LOCOMOTIVE, ROW_SLOTS

BLOCKS = (
    "draw_row",
    "draw_deck",
    "draw_tickets",
    "claim",
    "pass",
    "pay",
    "keep_ticket",
    "refuse_ticket",
    "take_share",
    "neutral_share",
)
(
    DRAW_ROW,
    DRAW_DECK,
    DRAW_TICKETS,
    CLAIM,
    PASS,
    PAY,
    KEEP_TICKET,
    REFUSE_TICKET,
    TAKE_SHARE,
    NEUTRAL_SHARE,
) = range(len(BLOCKS))


def lay_out(box: Box, num_players: int) -> Segments:
    """The blocks of the action space, in their order."""
    companies = len(box.companies)
    shares, neutral_shares = companies > 0, box.has_neutral_shareholder(num_players)
    return Segments(
        [
            ("draw_row", (ROW_SLOTS,), "take the train card in a slot of the row (C8)"),
            ("draw_deck", (1,), "draw a train card blind from the deck (C8)"),
            ("draw_tickets", (1,), "draw tickets (C12)"),
            ("claim", (len(box.lanes),), "claim a lane; how it is paid is the next question (C9)"),
            ("pass", (1,), "pass, when nothing else can be done (C13)"),
            ("pay", (CARD_KINDS, box.longest_lane), "pay with cards of a colour and so many locomotives (C9)"),
            ("keep_ticket", (1,), "keep the ticket in question (C5, C12)"),
            ("refuse_ticket", (1,), "refuse the ticket in question (C5, C12)"),
            *[("take_share", (companies + 1,), "take the top share of a company; the last: take none (PA4)")] * shares,
            *[("neutral_share", (companies,), "choose a company's top share for the neutral player (PA8)")]
            * neutral_shares,
        ]
    )


@inlined
def payment(rules: Record, colour: int, locomotives: int) -> int:
    """The action that pays with cards of `colour` and so many locomotives."""
    column = locomotives - 1 if colour == LOCOMOTIVE else locomotives
    return rules.first_action[PAY] + colour * rules.pay_width + column


@inlined
def payment_colour(rules: Record, action: int) -> int:
    """The colour that a payment uses; `LOCOMOTIVE` if it is locomotives alone."""
    return (action - rules.first_action[PAY]) // rules.pay_width


@inlined
def payment_locomotives(rules: Record, action: int) -> int:
    """How many locomotives a payment uses."""
    offset = action - rules.first_action[PAY]
    column = offset % rules.pay_width
    return column + 1 if offset // rules.pay_width == LOCOMOTIVE else column
