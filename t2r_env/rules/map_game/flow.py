"""The hooks of map games: what rule modules do in a claim (C9), and when a payment is dealt to a seat (C20)."""

from typing import Any

from t2r_env.rules.hooks import hook
from t2r_env.rules.map_game.board import BoardRules, BoardScratch, BoardState
from t2r_env.rules.state import ScoringScratch


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


@hook("change")
def cards_due(state: BoardState, rules: BoardRules, cards: int) -> Any:
    """How many cards are to be paid, if it is for something else than a route, which takes so many."""


@hook("change")
def locomotives_due(state: BoardState, rules: BoardRules, locomotives: int) -> Any:
    """How many of them must be locomotives, likewise."""


@hook("any")
def complete_purchase(state: BoardState, rules: BoardRules) -> Any:
    """Complete what has been paid for, if it is the module's."""


@hook("all")
def extend_networks(state: BoardState, rules: BoardRules, scoring: ScoringScratch) -> None:
    """Join at the end what is joined for tickets only (`network.join`)."""


@hook("any")
def depends_on_cards(state: BoardState, rules: BoardRules) -> Any:
    """Whether the actions of the present decision depend on the cards of the acting seat."""


@hook("any")
def pick_payment(state: BoardState, rules: BoardRules, scratch: BoardScratch) -> Any:
    """Pick an action of such a decision at random, and note what it takes in `scratch.payment`."""
