"""The numbers of the answers: blocks laid one after the other, each present only if the game uses it.

Block `pay` has a row for each colour and, last, one for locomotives alone. In a colour's row the column is how many of
the cards are locomotives, from 0; in the locomotives' row it is their number less one.
"""

from t2r_env.rules.actions import CHOOSING_TICKETS, DRAWING, PASSING, SHARED_BLOCKS
from t2r_env.rules.compiled import inlined
from t2r_env.rules.layout import Part, Segments
from t2r_env.rules.map_game.setup import MapSetup
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_KINDS, LOCOMOTIVE

BLOCKS = (
    *SHARED_BLOCKS,
    "claim",
    "pay",
    "draw_three",
    "buy",
    "spend",
    "place",
    "from_rack",
    "pay_more",
    "withdraw",
    "share_ticket",
    "take_share",
    "neutral_share",
)
(
    DRAW_ROW,
    DRAW_DECK,
    DRAW_TICKETS,
    PASS,
    KEEP_TICKET,
    REFUSE_TICKET,
    STOP,
    CLAIM,
    PAY,
    DRAW_THREE,
    BUY,
    SPEND,
    PLACE,
    FROM_RACK,
    PAY_MORE,
    WITHDRAW,
    SHARE_TICKET,
    TAKE_SHARE,
    NEUTRAL_SHARE,
) = range(len(BLOCKS))


def lay_out(setup: MapSetup) -> Segments:
    """The blocks of the action space, in their order: those that the game uses."""
    box = setup.box
    companies, technologies = len(box.companies), len(setup.technologies)
    longest, tunnel = setup.largest_payment, max(lane.tunnel for lane in box.lanes)
    two_claims, draws_three = setup.has_effect("thermocompressor"), setup.has_effect("water_tenders")
    always: list[Part] = [
        *DRAWING,
        ("claim", (len(box.lanes),), "claim a lane; how it is paid is the next question (C9)"),
        *PASSING,
        ("pay", (CARD_KINDS, longest), "pay with cards of a colour and so many locomotives (C9)"),
        *CHOOSING_TICKETS,
    ]
    sometimes = [
        (draws_three, "draw_three", (1,), "draw three train cards blind (UK12)"),
        (technologies, "buy", (technologies,), "buy a technology; how it is paid is the next question (UK8)"),
        (box.exchange, "spend", (LOCOMOTIVE,), "lay out a coloured card towards an exchange for a locomotive (UK5)"),
        (setup.has_racks, "place", (2,), "put the first card drawn into the hand, or on the rack (TA5)"),
        (
            setup.has_racks,
            "from_rack",
            (setup.most_from_rack + 1, setup.most_from_rack + 1),
            "take so many coloured cards of the payment, and so many locomotives, from the rack (TA6)",
        ),
        (tunnel, "pay_more", (tunnel + 1,), "pay what the tunnel demands, so many of it locomotives (TA10)"),
        (tunnel, "withdraw", (1,), "withdraw from the tunnel (TA10)"),
        (setup.has_racks, "share_ticket", (setup.num_tickets,), "put a ticket on the team's rack (TA4, TA7, TA8)"),
        (setup.has_racks or two_claims, "stop", (1,), "share no second ticket (TA8), or claim no second lane (UK12)"),
        (companies, "take_share", (companies + 1,), "take the top share of a company; the last: take none (PA4)"),
        (
            setup.has_neutral_shareholder,
            "neutral_share",
            (companies,),
            "choose a company's top share for the neutral player (PA8)",
        ),
    ]
    return Segments([*always, *((name, shape, meaning) for present, name, shape, meaning in sometimes if present)])


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
