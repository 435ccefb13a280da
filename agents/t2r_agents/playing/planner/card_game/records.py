"""The records of planning in the Card Game: the parameters, which differ between agents, and the plan."""

from t2r_agents.playing.planner.parameters import parameter, parameters_of
from t2r_env.basics.sizes import MAX_TICKETS
from t2r_env.core.records import Array, Record, bitset, dtype_of, int64
from t2r_env.rules.card_game.records import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.state import TICKET_WORDS

POINT = 10
"""The value of a point: values are in tenths of a point."""


class Parameters:
    """The integers that play depends on. Planning only reads them."""

    min_play_advantage: int = parameter(
        160, -400, 400, "tenths of a point by which a play must be worth more than drawing; larger sets save turns"
    )
    cards_per_100_turns: int = parameter(60, 0, 150, "cards that it counts on drawing and playing in 100 turns to come")
    drawn_tickets_percent: int = parameter(40, 0, 100, "what drawn tickets bring, in percent of what each brings alone")
    max_planned_tickets: int = parameter(12, 0, 12, "tickets that it works for at a time")
    prefers_large_tickets: int = parameter(
        0, 0, 1, "whether, when it chooses tickets, one of twice the points counts four times as much"
    )
    # Cards that come nearer to the pile: tickets that need a spare one may yet be drawn
    needed_card_value: int = parameter(40, 10, 80, "tenths of a point for a card that the plan needs")
    spare_card_value: int = parameter(20, 0, 60, "tenths of a point for another card")
    locomotive_value: int = parameter(0, -20, 60, "tenths of a point for a locomotive in hand besides")
    same_colour_value: int = parameter(0, 0, 15, "tenths of a point for each card of the same colour in hand")
    counts_cards: int = parameter(0, 0, 1, "whether it counts the cards that the deck may still have")
    cards_played_per_10_turns: int = parameter(20, 5, 60, "cards of a hand that can be played in 10 turns to come")
    # The yard
    robbed_card_value: int = parameter(30, 0, 100, "tenths of a point for a card of which an opponent is robbed")
    exposed_percent: int = parameter(50, 0, 100, "what a row counts that an opponent is known to be able to rob")
    small_row_cards: int = parameter(0, 0, 5, "cards of a small row, which may be robbed")
    small_row_percent: int = parameter(100, 30, 100, "what a small row counts")
    # When it waits no longer, and holds back no locomotive
    late_turns: int = parameter(5, 0, 15, "turns to come with fewer of which it waits no longer")
    slack_turns: int = parameter(
        -8, -8, 8, "turns before a set arrives too late with fewer of which it waits no longer"
    )
    waits_for_rows: int = parameter(0, 0, 1, "whether a card counts only if it arrives after its own row of the colour")
    deck_cards_per_100_turns: int = parameter(130, 20, 240, "cards that leave the deck in 100 turns of any seats")
    observed_pace_percent: int = parameter(0, 0, 100, "what the turns so far count against that")
    # Tickets: what takes few cards is soon completed at the second of two scorings (CG12)
    big_city_percent: int = parameter(20, 0, 100, "what a ticket counts of the points of the Big City cards it names")
    first_scoring_card_value: int = parameter(
        30, 0, 80, "tenths of a point for a card of a ticket at the first scoring"
    )
    cards_at_choice_percent: int = parameter(
        100, 0, 200, "cards it counts on when it chooses tickets, against its plans"
    )
    offered_card_cost: int = parameter(0, 0, 40, "tenths of a point that an offered ticket counts less for each card")


class Plan(Record):
    """The result of planning, and behind it the memory of the choice of tickets."""

    turns: int = int64()  # the seat's turns still to come, each with its phase 1 (CG4)
    is_late: int = int64()  # 0 or 1: whether waiting does not pay any more
    on_track: Array = int64(CARD_TYPES)  # its pile at the end if it plays nothing more
    pile: Array = int64(CARD_TYPES)  # its pile at the end with its hand and the cards it counts on
    tickets: Array = bitset(TICKET_WORDS)  # those that it chooses for that pile
    needed: Array = int64(NUM_COLOURS)  # cards that those of them take which it works for now
    unseen: Array = int64(CARD_TYPES)  # what the deck's next card may be; filled only if it counts cards
    missing: int = int64()  # coloured cards that `on_track` and hand lack for them, less the locomotives on track

    # The candidates for these tickets, those of the greatest value for each card first
    num_candidates: int = int64()
    ticket: Array = int64(MAX_TICKETS)
    value: Array = int64(MAX_TICKETS)
    num_cards: Array = int64(MAX_TICKETS)  # how many cards each takes
    left: Array = int64(CARD_TYPES)  # cards of the pile that are not taken yet


PARAMETERS = parameters_of(Parameters)
PLAN = dtype_of(Plan)
