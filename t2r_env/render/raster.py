"""Pictures as PNG and as arrays. They need the extra `render`; their font comes along."""

import io
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.packages import needs
from t2r_env.configuration import Configuration
from t2r_env.render.drawing.shapes import FONT
from t2r_env.render.svg import WIDE, render_svg

_FONTS = [str(files("t2r_env.render") / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def png_of(svg: str, width: int | None = None) -> bytes:
    """Return an SVG document of `render_svg` as bytes of a PNG file of this width. Raises MissingExtraError."""
    with needs("render"):
        import resvg_py
    png: Any = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=_FONTS, font_family=FONT
    )
    return bytes(png)


def rgb_of(svg: str, width: int | None = None) -> NDArray[np.uint8]:
    """Return the same as an array of pixels, uint8 (height, width, 3). Raises MissingExtraError."""
    with needs("render"):
        from PIL import Image
    with Image.open(io.BytesIO(png_of(svg, width))) as image:
        return np.array(image.convert("RGB"))


def render_png(
    snapshot: Mapping[str, Any],
    configuration: Configuration,
    *,
    before: Mapping[str, Any] | None = None,
    last: str = "",
    width: int = WIDE,
) -> bytes:
    """Return the picture of `render_svg`, which explains the parameters, as the bytes of a PNG file.

    Raises what `render_svg` does, and MissingExtraError without the extra `render`.
    """
    return png_of(render_svg(snapshot, configuration, before=before, last=last, width=width))


def render_rgb(
    snapshot: Mapping[str, Any],
    configuration: Configuration,
    *,
    before: Mapping[str, Any] | None = None,
    last: str = "",
    width: int = WIDE,
) -> NDArray[np.uint8]:
    """Return the picture of `render_svg`, which explains the parameters, as a new uint8 array (height, width, 3).

    Raises what `render_svg` does, and MissingExtraError without the extra `render`.
    """
    return rgb_of(render_svg(snapshot, configuration, before=before, last=last, width=width))
