"""A game as text for people, with everything in it that players hide."""

from collections.abc import Mapping
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.view.card_page import CardPage
from t2r_env.view.map_page import MapPage
from t2r_env.view.page import Page

_PAGES: Mapping[str, type[Page]] = {"map_game": MapPage, "card_game": CardPage}
"""By the rules that a box is played by (`Box.rules`)."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """A snapshot as text: what is asked, the cards, what each player has, at the end the result."""
    page = _PAGES[configuration.box.rules](snapshot, configuration)
    return "\n".join(page.lines()) + "\n"
