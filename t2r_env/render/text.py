"""A game as text for people: with hidden things, or as one seat knows it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from t2r_env.basics.checks import check_integer
from t2r_env.basics.reading import shown
from t2r_env.configuration import Configuration
from t2r_env.render.card_text import CardTextRenderer
from t2r_env.render.map_text import MapTextRenderer
from t2r_env.render.shared_text import WIDTH, TextRenderer


class SnapshotError(ValueError):
    """Something that is not a snapshot of a game, or view, of the configuration; the message says what was found."""


_RENDERERS: Mapping[str, type[TextRenderer]] = {"map_game": MapTextRenderer, "card_game": CardTextRenderer}
"""The renderer of each ruleset (`Variant.ruleset`)."""


def render_text(snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> str:
    """Return a snapshot as text: the decision, the cards, what each player has, at the end the result.

    Lines have at most `width` characters, which should be 80 or more. Of the snapshot of a view, things that the seat
    can't know are shown by their number. Raises SnapshotError for what is not a snapshot of this configuration, if that
    shows while it is rendered, and ValueError for a width that is not an integer from 1.
    """
    check_integer("width", width, 1)
    with reading(configuration, snapshot):
        return "\n".join(renderer_of(snapshot, configuration, width).lines()) + "\n"


def renderer_of(snapshot: Mapping[str, Any], configuration: Configuration, width: int = WIDTH) -> TextRenderer:
    """Return the renderer of a snapshot as text. It checks nothing."""
    return _RENDERERS[configuration.variant.ruleset](snapshot, configuration, width)


@contextmanager
def reading(configuration: Configuration, *snapshots: object) -> Iterator[None]:
    """Raise SnapshotError if one of these is no snapshot of the configuration, or if reading it fails."""
    named = {"variant": configuration.variant.id, "num_players": configuration.num_players}
    for given in snapshots:
        for key, value in named.items():
            if not isinstance(given, Mapping) or given.get(key) != value:
                raise SnapshotError(f"a snapshot of {configuration} must be an object with the {key} {value!r}")
    try:
        yield
    except Exception as error:  # missing keys and values of other types may raise anything
        raise SnapshotError(f"this is not a snapshot of {configuration}: {shown(error)}") from error
