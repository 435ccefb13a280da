"""A game as text for people: with hidden things, or as one seat knows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.card_text import CardTextRenderer
from t2r_env.render.map_text import MapTextRenderer
from t2r_env.render.shared_text import TextRenderer

_RENDERERS: Mapping[str, type[TextRenderer]] = {"map_game": MapTextRenderer, "card_game": CardTextRenderer}
"""The renderer of each ruleset (`Variant.ruleset`)."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """A snapshot as text: the decision, the cards, what each player has, at the end the result.

    Of the snapshot of a view, things that the seat can't know are shown by their number.
    """
    return _text(_renderer(snapshot, configuration).lines())


def render_heading(snapshot: Mapping[str, Any], configuration: Configuration) -> str:
    """The part of this text that says who is to act, on what, and the move so far."""
    return _text(_renderer(snapshot, configuration).heading())


def _renderer(snapshot: Mapping[str, Any], configuration: Configuration) -> TextRenderer:
    return _RENDERERS[configuration.variant.ruleset](snapshot, configuration)


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
