"""The features `plan` of the Card Game. Functions take their arguments in the order of `planner.card_game`."""

from t2r_agents.playing.features.segments import put, segments
from t2r_agents.playing.planner.card_game import decide
from t2r_agents.playing.planner.card_game.planning import make_plan
from t2r_agents.playing.planner.card_game.records import POINT, Parameters, Plan
from t2r_agents.playing.planner.card_game.values import (
    best_three,
    value_of_draw,
    value_of_drawing_tickets,
    value_of_set,
)
from t2r_env import Configuration
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import NO_ACTION, blocks, phases

OFFER_COLUMNS = 2
POINTS, ADDED_CARDS = range(OFFER_COLUMNS)
FROM_DECK = FACE_UP_SLOTS
"""The index of a draw from the deck among the values of draws."""


def lay_out(configuration: Configuration) -> list[Part]:
    """Return the segments after that of the planner's action."""
    rules, tickets = configuration.rules[0], configuration.num_tickets
    offered = max(int(rules["starting_offer"]), int(rules["later_offer"]))
    return [
        (segments.TICKETS_PLANNED, (tickets,), "tickets of the plan: those chosen for the pile foreseen"),
        (
            segments.TICKET_CARDS,
            (tickets,),
            "for each ticket held: the cards that hand and pile on track lack for it alone",
        ),
        (
            segments.POINTS_AT_STAKE,
            (2,),
            "points of the tickets held that are not being completed: of those planned, of the others",
        ),
        (segments.MISSING_BY_COLOUR, (NUM_COLOURS,), "cards that hand and pile on track lack for the plan, by colour"),
        (segments.SPARE_BY_COLOUR, (NUM_COLOURS,), "cards of hand and pile on track that the plan leaves, by colour"),
        (segments.PLAN_MISSING, (1,), "cards missing in all, locomotives on track standing in"),
        (segments.TURNS_TO_COME, (1,), "the seat's turns still to come, as the planner foresees them"),
        (
            segments.PILE_ON_TRACK,
            (CARD_TYPES,),
            "the seat's pile at the end if it plays nothing more: what arrives in time, by colour",
        ),
        (
            segments.PILE_FORESEEN,
            (CARD_TYPES,),
            "its pile at the end with its hand, and the cards that it counts on drawing as locomotives",
        ),
        (
            segments.DRAW_VALUES,
            (FACE_UP_SLOTS + 1,),
            "for each legal draw of a card, face-up and last from the deck: what the planner holds it worth, in tenths"
            " of a point, with the second card of the turn",
        ),
        (segments.SET_VALUES, (NUM_COLOURS,), "for each colour of which a set may be played: its worth, in points"),
        (segments.THREE_VALUE, (1,), "what the best play of three colours is worth, in points; 0 if there is none"),
        (segments.DRAW_TICKETS_VALUE, (1,), "what drawing tickets is worth, in points; 0 if it is not legal"),
        (
            segments.OFFER,
            (offered, OFFER_COLUMNS),
            "for each ticket on offer that is not yet decided on, the subject first: its points, and the cards that"
            " hand and pile on track lack for it beyond the plan",
        ),
    ]


@compiled
def make_plan_and_decide(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Return the planner's action, and leave the plan of the tickets held in `plan`."""
    action = decide(view, mask, rules, parameters, plan)
    if view.phase == phases.KEEP_TICKET or view.phase == phases.COMPLETE:
        make_plan(view, rules, parameters, plan)
    return action


@compiled
def write(
    view: CardState,
    mask: Array,
    rules: CardRules,
    parameters: Parameters,
    plan: Plan,
    probe: Plan,
    at: Array,
    vector: Array,
) -> None:
    """Write the features of a decision into a vector. `probe` is of use in map games only."""
    action = make_plan_and_decide(view, mask, rules, parameters, plan)
    vector[at[segments.PLANNER_ACTION] + action] = 1
    _write_plan(view, rules, plan, at, vector)
    _write_tickets(view, rules, plan, at, vector)
    _write_values(view, mask, rules, parameters, plan, at, vector)


@compiled
def _write_plan(view: CardState, rules: CardRules, plan: Plan, at: Array, vector: Array) -> None:
    for colour in range(NUM_COLOURS):
        spare = plan.on_track[colour] + view.hand[view.current, colour] - plan.needed[colour]
        put(vector, at[segments.MISSING_BY_COLOUR] + colour, -spare)
        put(vector, at[segments.SPARE_BY_COLOUR] + colour, spare)
    for card in range(CARD_TYPES):
        put(vector, at[segments.PILE_ON_TRACK] + card, plan.on_track[card])
        put(vector, at[segments.PILE_FORESEEN] + card, plan.pile[card])
    put(vector, at[segments.PLAN_MISSING], plan.missing)
    put(vector, at[segments.TURNS_TO_COME], plan.turns)


@compiled
def _write_tickets(view: CardState, rules: CardRules, plan: Plan, at: Array, vector: Array) -> None:
    """Write which tickets are planned, what each lacks, and what those on offer lack beyond the plan."""
    seat = view.current
    planned, others = 0, 0
    for ticket in range(rules.num_tickets):
        if bits.contains(view.tickets[seat], ticket) and not bits.contains(view.completing[seat], ticket):
            put(vector, at[segments.TICKET_CARDS] + ticket, _cards_lacking(view, rules, plan, ticket, False))
            if bits.contains(plan.tickets, ticket):
                planned += rules.ticket_points[ticket]
                vector[at[segments.TICKETS_PLANNED] + ticket] = 1
            else:
                others += rules.ticket_points[ticket]
    put(vector, at[segments.POINTS_AT_STAKE], planned)
    put(vector, at[segments.POINTS_AT_STAKE] + 1, others)
    if view.phase == phases.KEEP_TICKET:
        for index in range(view.offer_index, view.offered_count[seat]):
            ticket = view.offered[seat, index]
            start = at[segments.OFFER] + (index - view.offer_index) * OFFER_COLUMNS
            put(vector, start + POINTS, rules.ticket_points[ticket])
            put(vector, start + ADDED_CARDS, _cards_lacking(view, rules, plan, ticket, True))


@compiled
def _cards_lacking(view: CardState, rules: CardRules, plan: Plan, ticket: int, beyond_plan: bool) -> int:
    """Return how many cards hand and pile on track lack for a ticket, alone or beyond the plan; locomotives count."""
    seat = view.current
    lacking = 0
    for colour in range(NUM_COLOURS):
        available = plan.on_track[colour] + view.hand[seat, colour]
        if beyond_plan:
            available = max(0, available - plan.needed[colour])
        lacking += max(0, rules.ticket_cards[ticket, colour] - available)
    locomotives = plan.on_track[LOCOMOTIVE] + view.hand[seat, LOCOMOTIVE]
    if beyond_plan:
        for colour in range(NUM_COLOURS):
            needed = plan.needed[colour] - plan.on_track[colour] - view.hand[seat, colour]
            locomotives -= max(0, needed)
    return max(0, lacking - max(0, locomotives))


@compiled
def _write_values(
    view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan, at: Array, vector: Array
) -> None:
    for slot in range(FACE_UP_SLOTS + 1):
        action = rules.first_action[blocks.DRAW_DECK]
        if slot != FROM_DECK:
            action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action]:
            put(vector, at[segments.DRAW_VALUES] + slot, value_of_draw(view, rules, parameters, plan, action))
    for colour in range(NUM_COLOURS):
        if mask[rules.first_action[blocks.PLAY_SET] + colour]:
            put(vector, at[segments.SET_VALUES] + colour, value_of_set(view, rules, parameters, plan, colour) // POINT)
    three, value = best_three(view, mask, rules, parameters, plan)
    if three != NO_ACTION:
        put(vector, at[segments.THREE_VALUE], value // POINT)
    if mask[rules.first_action[blocks.DRAW_TICKETS]]:
        value = value_of_drawing_tickets(view, rules, parameters, plan)
        put(vector, at[segments.DRAW_TICKETS_VALUE], value // POINT)
