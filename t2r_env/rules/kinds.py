"""The kinds of game that there are."""

from collections.abc import Mapping

from t2r_env.rules.card_game.kind import CARD_GAME
from t2r_env.rules.kind import Kind
from t2r_env.rules.map_game.kind import MAP_GAME

KINDS: Mapping[str, Kind] = {"map_game": MAP_GAME, "card_game": CARD_GAME}
"""By the name that a box says it is played by (`Box.rules`)."""
