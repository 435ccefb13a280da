"""A game as text for people: with everything in it that players hide, or as a seat knows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.card_text import CardTextRenderer
from t2r_env.render.map_text import MapTextRenderer
from t2r_env.render.shared_text import TextRenderer

_RENDERERS: Mapping[str, type[TextRenderer]] = {"map_game": MapTextRenderer, "card_game": CardTextRenderer}
"""By the rules that a variant is played by (`Box.rules`)."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """A snapshot as text: what is asked, the cards, what each player has, at the end the result.

    Of the snapshot of a view, what the seat can't know is told by its number.
    """
    return _text(_page(snapshot, configuration).lines())


def render_heading(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """Of this text only who is asked what, and what has been answered so far."""
    return _text(_page(snapshot, configuration).heading())


def _page(snapshot: Mapping[str, Any], configuration: Configuration) -> TextRenderer:
    return _RENDERERS[configuration.variant.ruleset](snapshot, configuration)


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
