"""The hooks of a claim: what rule modules do between its payment and the end of the turn (C9)."""

from typing import Any

from t2r_env.rules.hooks import hook
from t2r_env.rules.map_game.board import BoardRules, BoardState


@hook("any")
def follow_payment(state: BoardState, rules: BoardRules) -> Any:
    """Whether another decision follows a payment that has been laid out; if so, enter its phase."""


@hook("all")
def score_claim(state: BoardState, rules: BoardRules, seat: int, route: int) -> None:
    """What else a claim of a route costs and brings at once."""


@hook("all")
def end_claim(state: BoardState, rules: BoardRules, seat: int) -> None:
    """When a claim has been placed and scored."""


@hook("any")
def follow_claim(state: BoardState, rules: BoardRules) -> Any:
    """Whether another decision follows a claim; if so, enter its phase."""


@hook("all")
def forget_claim(state: BoardState, rules: BoardRules) -> None:
    """Forget what belongs to one claim alone."""
