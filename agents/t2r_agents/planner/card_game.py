"""How the planner plays the Card Game: as greedy does, with parameters that are tuned."""

from collections.abc import Mapping
from types import MappingProxyType

from t2r_agents.greedy import card_game
from t2r_agents.greedy.card_game import act, decide
from t2r_agents.planner.parameters import Parameter, defaults_of
from t2r_agents.records import PlanRecords
from t2r_env import Configuration

__all__ = ["act", "decide", "parameters_for", "records_for"]

PARAMETERS = {
    "min_play_advantage": Parameter(160, 0, 400, "tenths of a point by which a play must be worth more than drawing"),
    "cards_per_100_turns": Parameter(60, 0, 150, "cards that it counts on drawing and playing in 100 turns to come"),
    "drawn_tickets_percent": Parameter(40, 0, 100, "what drawn tickets bring, in percent of what each brings alone"),
    "max_planned_tickets": Parameter(12, 1, 12, "tickets that it works for at a time"),
    "prefers_large_tickets": Parameter(0, 0, 1, "whether it prefers large tickets when it chooses some"),
    "needed_card_value": Parameter(40, 10, 80, "tenths of a point for a card that the plan needs"),
    "spare_card_value": Parameter(20, 0, 60, "tenths of a point for another card"),
    "locomotive_value": Parameter(0, -20, 60, "tenths of a point for a locomotive in hand besides"),
    "same_colour_value": Parameter(0, 0, 15, "tenths of a point for each card of the same colour in hand"),
    "counts_cards": Parameter(0, 0, 1, "whether it counts the cards that the deck may still have"),
    "cards_played_per_10_turns": Parameter(20, 5, 60, "cards of a hand that can be played in 10 turns to come"),
    "robbed_card_value": Parameter(30, 0, 100, "tenths of a point for a card of which an opponent is robbed"),
    "exposed_percent": Parameter(50, 0, 100, "what a row counts that an opponent is known to be able to rob"),
    "small_row_cards": Parameter(0, 0, 5, "cards of a small row, which may be robbed"),
    "small_row_percent": Parameter(100, 30, 100, "what a small row counts"),
    "late_turns": Parameter(5, 0, 15, "turns to come with fewer of which it waits no longer"),
    "slack_turns": Parameter(-8, -8, 8, "turns before a set arrives too late with fewer of which it waits no longer"),
    "waits_for_rows": Parameter(0, 0, 1, "whether a card counts only if it arrives after its own row of the colour"),
    "deck_cards_per_100_turns": Parameter(130, 20, 240, "cards that leave the deck in 100 turns of any seats"),
    "observed_pace_percent": Parameter(0, 0, 100, "what the turns so far count against that"),
    "big_city_percent": Parameter(20, 0, 100, "what a ticket counts of the points of the Big City cards it names"),
    "first_scoring_card_value": Parameter(30, 0, 80, "tenths of a point for a card of a ticket at the first scoring"),
    "cards_at_choice_percent": Parameter(100, 0, 200, "cards it counts on when it chooses tickets, against its plans"),
    "offered_card_cost": Parameter(0, 0, 40, "tenths of a point that an offered ticket counts less for each card"),
}
"""What can be tuned (`t2r_agents.greedy.card_game.records.Parameters` says more)."""


def parameters_for(configuration: Configuration) -> Mapping[str, Parameter]:
    """What may be tuned."""
    return PARAMETERS


def records_for(configuration: Configuration, parameters: Mapping[str, int] = MappingProxyType({})) -> PlanRecords:
    """Records for planning with these parameters, and the defaults for the others."""
    return card_game.new_records(**{**defaults_of(PARAMETERS), **parameters})
