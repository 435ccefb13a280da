"""The numbers of the answers: blocks laid one after the other.

Block `play_three` has the sets of three colours in the order of `THREES`.
"""

from itertools import combinations

from t2r_env.rules.actions import CHOOSING_TICKETS, DRAWING, PASSING, SHARED_BLOCKS
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.state import NUM_COLOURS
from t2r_env.rules.compiled import inlined
from t2r_env.rules.layout import Segments

BLOCKS = (*SHARED_BLOCKS, "play_set", "play_three", "set_cards", "set_locomotives", "complete")
(
    DRAW_FACE_UP,
    DRAW_DECK,
    DRAW_TICKETS,
    PASS,
    KEEP_TICKET,
    REFUSE_TICKET,
    STOP,
    PLAY_SET,
    PLAY_THREE,
    SET_CARDS,
    SET_LOCOMOTIVES,
    COMPLETE,
) = range(len(BLOCKS))

THREES = tuple(sorted(combinations(range(NUM_COLOURS), 3), key=lambda colours: colours[::-1]))
"""Every three colours, by number: ordered by their last colour, then by the one before it."""


def lay_out(configuration: CardConfiguration) -> Segments:
    """The blocks of the action space, in their order."""
    return Segments(
        [
            *DRAWING,
            ("play_set", (NUM_COLOURS,), "play a set of a colour; of how many cards are the next decisions (CG7)"),
            ("play_three", (len(THREES),), "play three cards of three colours (CG7)"),
            *PASSING,
            ("set_cards", (configuration.largest_set,), "play so many coloured cards in the set, from 1 (CG7)"),
            (
                "set_locomotives",
                (configuration.variant.locomotives + 1,),
                "play so many locomotives in the set, from 0 (CG7)",
            ),
            *CHOOSING_TICKETS,
            ("complete", (configuration.num_tickets,), "complete a ticket (CG10)"),
            ("stop", (1,), "draw no second card (CG6), or complete no more tickets (CG10)"),
        ]
    )


@inlined
def number_of_three(first: int, second: int, third: int) -> int:
    """The number of three colours, which must ascend, among `THREES`."""
    return first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6
