"""The records of planning in the Card Game: parameters (input), plan (result) and workspace (scratch)."""

import numpy as np

from t2r_agents.records import PlanRecords, new_record
from t2r_env.core.records import Array, Record, bitset, dtype_of, int64
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_TICKETS

POINT = 10
"""The value of a point: values are in tenths of a point."""
NEVER = 1_000
"""More turns than any game has."""


class Parameters(Record):
    """What agents differ in. Planning only reads it."""

    # By how much a play must be worth more than drawing cards, in tenths of a point; larger sets save turns
    min_play_advantage: int = int64()
    # Cards that it counts on drawing and playing in 100 turns to come
    cards_per_100_turns: int = int64()
    # What drawn tickets bring together, in percent of the sum of what each would bring alone
    drawn_tickets_percent: int = int64()
    # Tickets planned at a time, not counting those for which pile and hand suffice
    max_planned_tickets: int = int64()
    # 0 or 1: when it chooses tickets, but not at a scoring, one of twice the points counts four times as much
    prefers_large_tickets: int = int64()

    # What it is worth to bring a card nearer to the pile, in tenths of a point: one that the plan needs; another, since
    # tickets that need it may yet be drawn; a locomotive besides, in hand; for each card of its colour that is in hand
    # already, since larger sets save turns
    needed_card_value: int = int64()
    spare_card_value: int = int64()
    locomotive_value: int = int64()
    same_colour_value: int = int64()
    # 0 or 1: whether a card from the deck is worth the mean of the unseen cards, and not of all cards of the game
    counts_cards: int = int64()
    # Cards of a hand that can be played in 10 turns to come, roughly
    cards_played_per_10_turns: int = int64()

    # What it is worth that an opponent loses a card that would have arrived, in tenths of a point; it is divided by the
    # number of opponents
    robbed_card_value: int = int64()
    # What a row counts that an opponent is known to be able to rob, in percent
    exposed_percent: int = int64()
    # Rows of at most so many cards are small, and count so many percent: who holds more of the colour is not known
    small_row_cards: int = int64()
    small_row_percent: int = int64()
    # With fewer turns to come it is late: waiting does not pay any more, and no locomotive is held back
    late_turns: int = int64()
    # Nor does waiting pay if the sets in hand, each played in a turn of its own, the largest first, would leave fewer
    # turns to spare before one of them would arrive too late; -NEVER: never
    slack_turns: int = int64()
    # 0 or 1: whether cards of a colour that lies in its own yard count only as far as they arrive after this row
    waits_for_rows: int = int64()

    # Cards that leave the deck in 100 turns of any seats, not every turn draws; and how much the turns so far count
    # against that in the end, in percent
    deck_cards_per_100_turns: int = int64()
    observed_pace_percent: int = int64()

    # What a ticket counts of the points of the Big City cards that it names: they go to the most tickets (CG13)
    big_city_percent: int = int64()
    # What a ticket counts, at the first of two scorings, for each card that it takes, in tenths of a point: what takes
    # few cards is soon completed at the second, and nothing is lost before that (CG12)
    first_scoring_card_value: int = int64()
    # The cards that it counts on when it chooses which offered tickets to keep, in percent of those of its plans
    cards_at_choice_percent: int = int64()
    # What an offered ticket counts less for each card that it takes, in tenths of a point
    offered_card_cost: int = int64()


DEFAULTS = {
    "min_play_advantage": 60,
    "cards_per_100_turns": 60,
    "drawn_tickets_percent": 40,
    "max_planned_tickets": MAX_TICKETS,
    "prefers_large_tickets": 0,
    "needed_card_value": 40,  # tickets score 4.4 points for each card that they take, on average
    "spare_card_value": 20,
    "locomotive_value": 0,
    "same_colour_value": 0,
    "counts_cards": 0,
    "cards_played_per_10_turns": 20,
    "robbed_card_value": 30,  # between a needed and a spare card, since it is not known which of them it is
    "exposed_percent": 50,  # as if every other one were robbed
    "small_row_cards": 0,
    "small_row_percent": 100,
    "late_turns": 5,
    "slack_turns": -NEVER,
    "waits_for_rows": 0,
    "deck_cards_per_100_turns": 130,
    "observed_pace_percent": 0,
    "big_city_percent": 20,
    "first_scoring_card_value": 30,
    "cards_at_choice_percent": 100,
    "offered_card_cost": 0,
}
"""The parameters of the greedy agent."""


class Plan(Record):
    """The result of planning."""

    turns: int = int64()  # the seat's turns still to come, each with its phase 1 (CG4)
    is_late: int = int64()  # 0 or 1: whether waiting does not pay any more
    on_track: Array = int64(CARD_TYPES)  # its pile at the end if it plays nothing more
    pile: Array = int64(CARD_TYPES)  # its pile at the end with its hand and the cards it counts on
    tickets: Array = bitset(TICKET_WORDS)  # the best set of its tickets for that pile
    needed: Array = int64(NUM_COLOURS)  # cards that those of them take which it works for now
    unseen: Array = int64(CARD_TYPES)  # what the deck's next card may be; filled only if it counts cards
    missing: int = int64()  # coloured cards that `on_track` and hand lack for them, less the locomotives on track


class Workspace(Record):
    """Scratch memory of planning, used by the search for the best set of tickets (`best_set.py`)."""

    # The candidates, those of the greatest value for each card first
    num_candidates: int = int64()
    ticket: Array = int64(MAX_TICKETS)
    value: Array = int64(MAX_TICKETS)
    num_cards: Array = int64(MAX_TICKETS)  # how many cards each takes
    # The search
    left: Array = int64(CARD_TYPES)  # cards not taken yet; negative where locomotives, which are then fewer, stand in
    price: Array = int64(CARD_TYPES)  # by card; a locomotive's is the highest
    best_price: Array = int64(CARD_TYPES)  # those of the lowest bound so far
    profit: Array = int64(MAX_TICKETS + 1)  # by index: the profits of the candidates from there on, added up
    is_taken: Array = int64(MAX_TICKETS)
    best_value: int = int64()  # of the best set so far


PARAMETERS, PLAN, WORKSPACE = dtype_of(Parameters), dtype_of(Plan), dtype_of(Workspace)


def new_records(**parameters: int) -> PlanRecords:
    """Records for planning with these parameters, and with `DEFAULTS` for the others.

    Raises ValueError for an unknown parameter.
    """
    given = new_record(PARAMETERS, DEFAULTS | parameters)
    return PlanRecords(given, np.zeros(1, PLAN), np.zeros(1, WORKSPACE))
