"""The rulesets that there are."""

from collections.abc import Mapping

from t2r_env.rules.card_game.ruleset import CARD_GAME
from t2r_env.rules.map_game.ruleset import MAP_GAME
from t2r_env.rules.ruleset import Ruleset

RULESETS: Mapping[str, Ruleset] = {"map_game": MAP_GAME, "card_game": CARD_GAME}
"""By name (`Variant.ruleset`)."""
