"""A game as text for people: with hidden things, or as one seat knows it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.reading import shown
from t2r_env.render.card_text import CardTextRenderer
from t2r_env.render.map_text import MapTextRenderer
from t2r_env.render.shared_text import WIDTH, TextRenderer


class SnapshotError(ValueError):
    """Something that is not a snapshot of a game, or view, of the configuration; the message says what was found."""


_RENDERERS: Mapping[str, type[TextRenderer]] = {"map_game": MapTextRenderer, "card_game": CardTextRenderer}
"""The renderer of each ruleset (`Variant.ruleset`)."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> str:
    """A snapshot as text: the decision, the cards, what each player has, at the end the result.

    Lines have at most `width` characters, which should be 80 or more. Of the snapshot of a view, things that the seat
    can't know are shown by their number. Raises SnapshotError for what is not a snapshot of this configuration, if that
    shows while it is rendered.
    """
    return _text(snapshot, configuration, width, lambda renderer: renderer.lines())


def render_heading(snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> str:
    """The part of it that says who is to act, on what, and the move so far. Raises SnapshotError likewise."""
    return _text(snapshot, configuration, width, lambda renderer: renderer.heading())


def renderer_of(snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> TextRenderer:
    """What renders a snapshot as text. It checks nothing."""
    return _RENDERERS[configuration.variant.ruleset](snapshot, configuration, width)


def _text(
    snapshot: Mapping[str, Any],
    configuration: Configuration,
    width: int,
    lines: Callable[[TextRenderer], Iterable[str]],
) -> str:
    check_snapshot(snapshot, configuration)
    try:
        renderer = renderer_of(snapshot, configuration, width)
        return "\n".join(lines(renderer)) + "\n"
    except Exception as error:  # whatever comes of keys that are missing and values of other types
        raise SnapshotError(f"this is not a snapshot of {configuration}: {shown(error)}") from error


def check_snapshot(given: object, configuration: Configuration) -> None:
    """Raise SnapshotError for what does not even name this variant and number of players."""
    for key, value in {"variant": configuration.variant.id, "num_players": configuration.num_players}.items():
        if not isinstance(given, Mapping) or given.get(key) != value:
            raise SnapshotError(f"a snapshot of {configuration} must be an object with the {key} {value!r}")
