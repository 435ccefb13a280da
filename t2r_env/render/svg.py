"""A game as a picture: one SVG drawing, with hidden things, or as one seat knows it."""

from collections.abc import Mapping, Sequence
from typing import Any

from t2r_env.basics.checks import check_integer
from t2r_env.configuration import Configuration
from t2r_env.render.drawing.card_drawing import CardDrawing
from t2r_env.render.drawing.map_drawing import MapDrawing
from t2r_env.render.drawing.shared_drawing import NARROW, WIDE, Drawing
from t2r_env.render.text import SnapshotError, reading
from t2r_env.render.words import check_names
from t2r_env.variants import MapVariant

__all__ = ["NARROW", "WIDE", "SnapshotError", "render_board_svg", "render_svg"]

_DRAWINGS: Mapping[str, type[Drawing]] = {"map_game": MapDrawing, "card_game": CardDrawing}
"""The drawing of each ruleset (`Variant.ruleset`)."""

MAX_WIDTH = 10_000


def render_svg(
    snapshot: Mapping[str, Any],
    configuration: Configuration,
    *,
    before: Mapping[str, Any] | None = None,
    last: str = "",
    width: int = WIDE,
    names: Sequence[str] = (),
) -> str:
    """Return a snapshot as an SVG document: the map or tables, each player's things, the decision, the final result.

    Of the snapshot of a view, things that the seat can't know are shown by their number. The picture holds nothing but
    what the arguments say, so for a seat give its view `before`, and no `last` that it may not know. The same arguments
    give the same text. Groups have `data-route` ("a b track"), `data-city`, `data-slot` and `data-pile` for programs.

    Parameters
    ----------
    before
        The snapshot before the last action or actions: what has changed since is highlighted.
    last
        What was done last, in words, as in `Replay.descriptions()`.
    width
        In pixels, up to 10,000. From 900 on, the picture is laid out broad (1200 x 800, scaled), below that as a column
        600 wide. The height depends on the width and the configuration alone.
    names
        The players' names by seat; without them they are player_0, player_1 and so on.

    Raises SnapshotError for what is not a snapshot of this configuration, if that shows while it is drawn, and
    ValueError for a width that is not allowed and for names that are not one for each player.
    """
    pixels = check_integer("width", width, 1, MAX_WIDTH)
    check_names(names, configuration)
    with reading(configuration, snapshot, *([] if before is None else [before])):
        return _DRAWINGS[configuration.variant.ruleset](snapshot, configuration, before, last, names).svg(pixels) + "\n"


def render_board_svg(
    snapshot: Mapping[str, Any],
    configuration: Configuration,
    *,
    before: Mapping[str, Any] | None = None,
    width: int = WIDE,
    height: int | None = None,
    lit: Sequence[tuple[str, str, int]] = (),
    names: Sequence[str] = (),
) -> str:
    """Return the map of a snapshot alone, without players and cards, as an SVG document that a page can place.

    Routes in `lit`, each as (a, b, track), glow. Each route's group (`data-route`) has a wide stroke that can't be seen
    and takes the pointer, of the class `halo`. From a width of 900 on, the map fits into a rectangle of this width,
    three quarters as high, so a tall map is narrower; below that it is as wide as asked, and below 300 a picture of
    that width made smaller. With a `height`, it is laid out for a rectangle of this width and height: stretched to fill
    it, if that is not too much, and in smaller units if it is crowded, so that nothing lies on anything else. Pages
    have the rules for the dark in page.css, so it has no style of its own.

    Raises what `render_svg` does, and ValueError for the Card Game, which has no map, and for routes that there are
    not.
    """
    pixels = check_integer("width", width, 1, MAX_WIDTH)
    high = None if height is None else check_integer("height", height, 1, MAX_WIDTH)
    if not isinstance(configuration.variant, MapVariant):
        raise ValueError(f"{configuration.variant.name} has no map")
    check_names(names, configuration)
    known = {(it.a, it.b, it.track) for it in configuration.variant.routes}
    routes = [(str(a), str(b), int(track)) for a, b, track in lit]
    if unknown := [it for it in routes if it not in known]:
        raise ValueError(f"lit must be routes of {configuration.variant.id}, as (a, b, track), not {unknown[0]}")
    with reading(configuration, snapshot, *([] if before is None else [before])):
        return MapDrawing(snapshot, configuration, before, "", names).board_svg(pixels, high, routes) + "\n"
