"""What stays fixed during a card game: one record (`RULES`) made from a variant, a number of players and options."""

from typing import Any

import numpy as np

from t2r_env.rules.card_game import actions, observe
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.state import NO_COLOUR, NOBODY, NUM_COLOURS, PHASES, STATE
from t2r_env.rules.layout import Layout
from t2r_env.rules.records import WORD, record_dtype
from t2r_env.rules.rules import SHARED_FIELDS, layout_fields, words_of, write_layout, write_opening, write_shared
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.variants.variant import CARD_TIE_BREAKS, COLOURS, MAX_BONUS_CARDS, MAX_TICKETS

# Numbers that loops run to, or that are passed on, are 64 bits wide: each width of an argument is compiled by itself.
RULES = record_dtype(
    [
        *SHARED_FIELDS,
        ("ticket_cards", "i1", (MAX_TICKETS, NUM_COLOURS)),  # cards of each colour that complete the ticket (CG10)
        ("threes", "i8", (len(actions.THREES), 3)),  # the colours of each answer `play_three`
        # Scorings (CG11, CG12)
        ("scorings", "i1"),
        ("second_deck_hand", "i1"),
        # Big City cards (CG13)
        ("num_bonus_cards", "i8"),
        ("naming", WORD, (MAX_BONUS_CARDS, TICKET_WORDS)),  # the tickets that name each one's city
        ("bonus_points", "i2", (MAX_BONUS_CARDS,)),
        # Where actions and observations lie
        *layout_fields(actions.BLOCKS, observe.SEGMENTS, PHASES),
    ]
)


def make_rules(configuration: CardConfiguration, layout: Layout) -> np.ndarray[Any, Any]:
    """The Rules record, as an array of shape (1,). Decks are not reshuffled, and the row is not swept (CG6, CG9)."""
    rules = np.zeros(1, RULES)
    record, variant, tickets = rules[0], configuration.variant, configuration.deck.tickets
    write_shared(record, configuration, CARD_TIE_BREAKS)
    write_layout(record, configuration, layout, actions.BLOCKS, observe.SEGMENTS, PHASES)
    for number, ticket in enumerate(tickets):
        record.ticket_cards[number] = [ticket.cards.get(colour, 0) for colour in COLOURS]
    record.threes = actions.THREES
    record.scorings = configuration.scorings
    record.second_deck_hand = variant.second_deck_hand
    record.num_bonus_cards = len(variant.bonus_cards)
    for number, card in enumerate(variant.bonus_cards):
        named = sum(1 << place for place, ticket in enumerate(tickets) if card.city in (ticket.a, ticket.b))
        record.naming[number] = words_of(named, TICKET_WORDS)
        record.bonus_points[number] = card.points
    return rules


def opening(rules: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The State before anything is shuffled or dealt, as an array of shape (1,): every game begins as a copy of it."""
    states = np.zeros(1, STATE)
    state = states[0]
    write_opening(state, rules[0])
    state.yard_owner[:] = NOBODY
    state.set_colour = NO_COLOUR
    state.scoring_round = 1
    return states
