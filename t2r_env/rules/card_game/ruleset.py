"""The Card Game as a ruleset."""

from typing import Any

from t2r_env.core.records import dtype_of
from t2r_env.rules.card_game.observe import lay_out
from t2r_env.rules.card_game.records import NO_COLOUR, NOBODY, NUM_COLOURS, CardRules, CardState
from t2r_env.rules.card_game.setup import lay_out_blocks, write_opening, write_rules
from t2r_env.rules.card_game.snapshot import CardSnapshot
from t2r_env.rules.card_game.text import CardText
from t2r_env.rules.ruleset import Ruleset
from t2r_env.rules.state import ScoringScratch, SharedScratch
from t2r_env.sizes import MAX_TRAIN_CARDS


def _bounds(rules: Any) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest value of the fields of card games."""
    cards, seats = (0, MAX_TRAIN_CARDS), int(rules.num_seats)
    return {
        "yard_owner": (NOBODY, seats - 1),
        **dict.fromkeys(("yard_cards", "yard_locomotives", "on_track", "set_cards"), cards),
        "set_colour": (NO_COLOUR, NUM_COLOURS - 1),
        "scoring_round": (1, int(rules.scorings)),
        "resuming": (0, seats - 1),
    }


CARD_GAME = Ruleset(
    state=dtype_of(CardState),
    rules=dtype_of(CardRules),
    scratch=dtype_of(SharedScratch),
    scoring=dtype_of(ScoringScratch),
    vector_parts=lay_out,
    blocks=lay_out_blocks,
    write_rules=write_rules,
    write_opening=write_opening,
    text=CardText,
    snapshot=CardSnapshot,
    bounds=_bounds,
)
