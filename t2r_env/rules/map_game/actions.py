"""The numbers of the answers: blocks laid one after the other, each present only if the game uses it.

Block `pay` has a row for each colour and, last, one for locomotives alone. In a colour's row the column is how many of
the cards are locomotives, from 0; in the locomotives' row it is their number less one.
"""

from t2r_env.rules.actions import CHOOSING_TICKETS, DRAWING, PASSING, SHARED_BLOCKS
from t2r_env.rules.compiled import inlined
from t2r_env.rules.layout import Part, Segments
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_TYPES, LOCOMOTIVE

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
    DRAW_FACE_UP,
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


def lay_out(configuration: MapConfiguration) -> Segments:
    """The blocks of the action space, in their order: those that the game uses."""
    variant = configuration.variant
    companies, technologies = len(variant.companies), len(configuration.technologies)
    longest, tunnel = configuration.largest_payment, max(route.tunnel for route in variant.routes)
    two_claims, draws_three = configuration.has_effect("thermocompressor"), configuration.has_effect("water_tenders")
    always: list[Part] = [
        *DRAWING,
        ("claim", (len(variant.routes),), "claim a route; how it is paid is the next decision (C9)"),
        *PASSING,
        ("pay", (CARD_TYPES, longest), "pay with cards of a colour and so many locomotives (C9)"),
        *CHOOSING_TICKETS,
    ]
    sometimes = [
        (draws_three, "draw_three", (1,), "draw three train cards blind (UK12)"),
        (technologies, "buy", (technologies,), "buy a technology; how it is paid is the next decision (UK8)"),
        (
            variant.exchange,
            "spend",
            (LOCOMOTIVE,),
            "lay out a coloured card towards an exchange for a locomotive (UK5)",
        ),
        (configuration.has_racks, "place", (2,), "put the first card drawn into the hand, or on the rack (TA5)"),
        (
            configuration.has_racks,
            "from_rack",
            (configuration.most_from_rack + 1, configuration.most_from_rack + 1),
            "take so many coloured cards of the payment, and so many locomotives, from the rack (TA6)",
        ),
        (tunnel, "pay_more", (tunnel + 1,), "pay what the tunnel demands, so many of it locomotives (TA10)"),
        (tunnel, "withdraw", (1,), "withdraw from the tunnel (TA10)"),
        (
            configuration.has_racks,
            "share_ticket",
            (configuration.num_tickets,),
            "put a ticket on the team's rack (TA4, TA7, TA8)",
        ),
        (
            configuration.has_racks or two_claims,
            "stop",
            (1,),
            "share no second ticket (TA8), or claim no second route (UK12)",
        ),
        (companies, "take_share", (companies + 1,), "take the top share of a company; the last: take none (PA4)"),
        (
            configuration.has_neutral_shareholder,
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
