"""The rules of card games: the one list of their modules, and the records that these make up together.

The order of the list is that of segments, and of whatever else is listed.
"""

from t2r_env.rules.card_game.base import BASE
from t2r_env.rules.card_game.completing import COMPLETING, CompletingScratch
from t2r_env.rules.card_game.scoring import SCORING, ScoringRules, ScoringState
from t2r_env.rules.card_game.sets import SETS, SetRules, SetState
from t2r_env.rules.card_game.yard import YARDS

MODULES = (BASE, SETS, SCORING, YARDS, COMPLETING)


class CardState(SetState, ScoringState):
    """What changes during a card game."""


class CardRules(SetRules, ScoringRules):
    """What stays fixed during a card game. Decks are not reshuffled, and nothing is swept (CG6, CG9)."""


class CardScratch(CompletingScratch):
    """What a function may scribble on."""
