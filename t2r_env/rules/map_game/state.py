"""What changes during a map game: one fixed-size record (`STATE`), and what a function may scribble on (`SCRATCH`)."""

from t2r_env.rules.records import WORD, record_dtype
from t2r_env.rules.state import SHARED_FIELDS, SHARED_PHASES, SHARED_SCRATCH, TICKET_WORDS
from t2r_env.rules.train_cards import CARD_TYPES
from t2r_env.variants.variant import (
    COLOURS,
    EFFECTS,
    MAX_CITIES,
    MAX_RACKS,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_TECHNOLOGIES,
    MAX_TRAINS,
)

# The decision that the game puts to the current player.
PHASES = (
    *SHARED_PHASES,
    "pay",
    "place",
    "from_rack",
    "tunnel",
    "share",
    "second_claim",
    "take_share",
    "neutral_share",
)
"""The names of the phases that ask something, by number."""
(
    TURN,
    SECOND_CARD,
    KEEP_TICKET,
    PAY,
    PLACE,
    FROM_RACK,
    TUNNEL,
    SHARE,
    SECOND_CLAIM,
    TAKE_SHARE,
    NEUTRAL_SHARE,
) = range(len(PHASES))

GRAY = len(COLOURS)
"""The colour of a route that any one colour may pay (C9)."""
ROUTE_COLOURS = (*COLOURS, "gray")

# The parts of a score.
PARTS = (
    "routes",
    "mountains",
    "tickets",
    "longest_path",
    "globetrotter",
    "explorer",
    "attractions",
    "shares",
    "technologies",
)
(
    ROUTES,
    MOUNTAINS,
    TICKETS,
    LONGEST_PATH,
    GLOBETROTTER,
    EXPLORER,
    ATTRACTIONS,
    SHARES,
    TECHNOLOGIES,
) = range(len(PARTS))

NO_ROUTE = -1
NO_COMPANY = -1
NO_TECHNOLOGY = -1
(
    BOOSTER,
    BOILER_LAGGING,
    STEAM_TURBINES,
    DOUBLE_HEADING,
    RIGHT_OF_WAY,
    THERMOCOMPRESSOR,
    WATER_TENDERS,
    RISKY_CONTRACTS,
    EQUALISING_BEAM,
    DIESEL_POWER,
) = range(len(EFFECTS))
HAND, RACK = range(2)
"""Where cards come from and go to, in team games (TA2)."""
NOWHERE = -1
NEUTRAL = MAX_SEATS
"""The holder of shares after the seats: the neutral player (PA8)."""

ROUTE_WORDS = MAX_ROUTES // 64

# What is passed on as an argument is 64 bits wide: each width of an argument is compiled by itself.
STATE = record_dtype(
    [
        *SHARED_FIELDS,
        # Routes and cities
        ("open", WORD, (MAX_SEATS, ROUTE_WORDS)),  # routes still open to each seat (C11)
        ("claimed", WORD, (MAX_SEATS, ROUTE_WORDS)),  # routes of each seat
        ("component", "i1", (MAX_SEATS, MAX_CITIES)),  # by side: cities joined by its routes share a label
        # Trains and points
        ("trains", "i1", (MAX_SEATS,)),
        ("breakdown", "i2", (MAX_SEATS, len(PARTS))),  # by side: the parts of its score
        # The turn
        ("route", "i8"),  # the route that this turn claims, or NO_ROUTE
        ("payment", "i2"),  # the answer that paid for it, or NO_ACTION
        ("claims", "i8"),  # routes claimed this turn
        ("passes", "i1"),  # passes in succession (C13)
        # What only some games have
        # Payments that take more than one step (C2, TA10)
        ("set_aside", "i1", (2, CARD_TYPES)),  # laid out for a payment: from HAND, from RACK (C2)
        ("revealed", "i1", (CARD_TYPES,)),  # turned up for a tunnel (TA10)
        ("due", "i8"),  # cards that a tunnel still demands (TA10)
        ("extra", "i2"),  # the answer that paid them, or NO_ACTION
        # Racks of the teams (TA2)
        ("rack", "i1", (MAX_RACKS, CARD_TYPES)),  # the open cards (TA2)
        ("rack_known", "i1", (MAX_RACKS, CARD_TYPES)),  # those of them that opponents know of too (C20)
        ("rack_count", "i1", (MAX_RACKS,)),  # by side
        ("rack_tickets", WORD, (MAX_RACKS, TICKET_WORDS)),  # the open tickets (TA2)
        ("rack_ticket_count", "i1", (MAX_RACKS,)),  # by side
        ("unplaced", "i8"),  # the card drawn that goes to hand or rack, or EMPTY (TA5)
        ("placed", "i8"),  # where this turn's first card went: HAND, RACK or NOWHERE
        ("to_share", WORD, (TICKET_WORDS,)),  # those that the current player may put on the rack (TA4, TA7, TA8)
        ("sharing", "i1", (MAX_SEATS,)),  # the ticket that each seat has chosen for the rack, or NO_TICKET (TA4)
        ("moved", "i1"),  # tickets that this turn's action has put on the rack (TA8)
        # Technologies: bit i is the technology of number i (UK8)
        ("technologies", "i4", (MAX_SEATS,)),
        ("technologies_left", "i1", (MAX_TECHNOLOGIES,)),  # copies in the supply
        ("technology", "i8"),  # the one that is being paid for, or NO_TECHNOLOGY
        ("bought", "i1"),  # the one bought this turn, or NO_TECHNOLOGY
        # Shares: bit i is the share with this number among those of all companies (PA4)
        ("shares", WORD, (MAX_SEATS + 1,)),  # of each seat, and of NEUTRAL
        ("shares_left", WORD),  # not yet taken
        ("revealed_shares", WORD),  # once finished: those of NEUTRAL that count (PA8)
        ("company", "i1"),  # whose share was taken for it, or NO_COMPANY
    ]
)

MAX_EDGES = MAX_TRAINS
"""Routes of one side, were each of one space; a set of them is one word."""
MAX_FRONTIER = 24
"""Slots for the cities between routes taken and routes to come, while a longest trail is looked for (trail.py)."""
BOUND_SLOTS = 12
"""Those of them that the bound on its length looks at."""
SEEN = 1 << 14
"""Points of the search that are remembered: a power of two."""

SCRATCH = record_dtype(
    [
        *SHARED_SCRATCH,
        ("holdings", WORD, (MAX_SEATS + 1,)),  # the shares that count, by holder; of seats not in the game none
        # The longest trail; edges are numbered within the side's routes
        ("edge_a", "i8", (MAX_EDGES,)),
        ("edge_b", "i8", (MAX_EDGES,)),
        ("edge_length", "i8", (MAX_EDGES,)),
        ("component", "i8", (MAX_CITIES,)),
        ("incident", WORD, (MAX_CITIES,)),  # edges at each city
        ("adjacent", WORD, (MAX_CITIES,)),  # cities beside each city
        ("total", "i8", (MAX_CITIES,)),  # by component: length of its edges
        ("city_number", "i8", (MAX_CITIES,)),  # by component
        ("odd_number", "i8", (MAX_CITIES,)),  # by component: cities of odd degree
        # Its edges in the order in which the frontier takes them; a set of slots is a word
        ("steps", "i8"),
        ("width", "i8"),  # slots in use
        ("slot", "i8", (MAX_CITIES,)),  # of each city, while it is on the frontier
        ("step_length", "i8", (MAX_EDGES,)),
        ("step_slots", WORD, (MAX_EDGES,)),  # the frontier before the edge is taken
        ("step_ends", WORD, (MAX_EDGES,)),  # the slots of its two cities
        ("step_closes", WORD, (MAX_EDGES,)),  # those that leave the frontier with it
        ("length_left", "i8", (MAX_EDGES + 1,)),  # of the edges from each on
        ("least", "i2", (MAX_EDGES + 1, 3, 1 << BOUND_SLOTS)),  # what those leave out, by ends and odd slots
        # Its search: points to be visited, and points that were
        ("searches", "i8"),  # by this thread so far
        ("points", "i8"),  # visited so far
        ("best", "i8"),  # the least left out
        ("point_step", "i8", (MAX_EDGES + 2,)),
        ("point_ends", "i8", (MAX_EDGES + 2,)),
        ("point_odd", WORD, (MAX_EDGES + 2,)),
        ("point_label", "i8", (MAX_EDGES + 2, MAX_FRONTIER)),
        ("point_left_out", "i8", (MAX_EDGES + 2,)),
        ("seen", WORD, (SEEN, 3)),
        ("seen_left_out", "i8", (SEEN,)),
    ]
)
