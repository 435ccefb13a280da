"""The set-up of a card game: its blocks of actions, its Rules record, and its State before the deal."""

from typing import Any

from t2r_env.core.bits import bitset_of
from t2r_env.core.layout import Part
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.records import NO_COLOUR, NOBODY, NUM_COLOURS, THREES
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.variants.variant import COLOURS


def lay_out_blocks(configuration: CardConfiguration) -> list[Part]:
    """Return the blocks of actions."""
    variant = configuration.variant
    cards, locomotives = max(variant.colours.values()), variant.locomotives + 1
    return [
        (blocks.DRAW_FACE_UP, (FACE_UP_SLOTS,), "take the face-up train card in a slot (C8)"),
        (blocks.DRAW_DECK, (1,), "draw a train card from the deck (C8)"),
        (blocks.DRAW_TICKETS, (1,), "draw tickets (C12, CG8)"),
        (blocks.PLAY_SET, (NUM_COLOURS,), "play a set of a colour; how many cards are the next decisions (CG7)"),
        (blocks.PLAY_THREE, (len(THREES),), "play three cards of three colours (CG7)"),
        (blocks.PASS, (1,), "pass; legal only if nothing else is (C13, CG5)"),
        (blocks.SET_CARDS, (cards,), "play this many coloured cards in the set, from 1 (CG7)"),
        (blocks.SET_LOCOMOTIVES, (locomotives,), "play this many locomotives in the set, from 0 (CG7)"),
        (blocks.KEEP_TICKET, (1,), "keep the ticket offered (C5, C12, CG2, CG8)"),
        (blocks.REFUSE_TICKET, (1,), "refuse the ticket offered (C5, C12, CG2, CG8)"),
        (blocks.COMPLETE, (configuration.num_tickets,), "complete a ticket (CG10)"),
        (blocks.STOP, (1,), "draw no second card (CG6), or complete no more tickets (CG10)"),
    ]


def write_rules(record: Any, configuration: CardConfiguration) -> None:
    """Fill the fields of card games in a Rules record."""
    variant = configuration.variant
    record.threes = THREES
    for number, ticket in enumerate(configuration.deck.tickets):
        record.ticket_cards[number] = [ticket.cards.get(colour, 0) for colour in COLOURS]
    record.scorings = configuration.scorings
    record.second_deck_hand = variant.second_deck_hand
    record.num_bonus_cards = len(variant.bonus_cards)
    for number, card in enumerate(variant.bonus_cards):
        tickets = enumerate(configuration.deck.tickets)
        naming = [it for it, ticket in tickets if card.city in (ticket.a, ticket.b)]
        record.naming[number] = bitset_of(naming, TICKET_WORDS)
        record.bonus_points[number] = card.points


def write_opening(state: Any, rules: Any) -> None:
    """Fill the fields of card games that are not zero, in a State before the deal."""
    state.yard_owner[:] = NOBODY
    state.set_colour = NO_COLOUR
    state.scoring_round = 1
