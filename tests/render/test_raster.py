"""Pictures as PNG and as arrays of pixels."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import t2r_env
from t2r_env import Games
from t2r_env.basics.packages import MissingExtraError
from t2r_env.render import raster
from t2r_env.render.raster import render_png, render_rgb
from t2r_env.render.svg import NARROW, render_svg


def test_a_picture_has_the_size_of_its_drawing() -> None:
    games = Games("team_asia", 4, seed=1)
    arguments = games.snapshot(), games.configuration
    pixels = render_rgb(*arguments)
    assert (pixels.dtype.name, pixels.shape) == ("uint8", (800, 1200, 3))
    with Image.open(io.BytesIO(render_png(*arguments, width=NARROW))) as image:
        assert (image.format, image.width) == ("PNG", NARROW)
        assert f'width="{image.width}" height="{image.height}"' in render_svg(*arguments, width=NARROW)


def test_letters_are_those_of_the_font_that_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it no letter is drawn: fonts of the system are left alone."""
    games = Games("usa", seed=1)
    pixels = render_rgb(games.snapshot(), games.configuration)
    monkeypatch.setattr(raster, "_FONTS", [])
    heading = np.s_[:60, 80:400]
    assert (render_rgb(games.snapshot(), games.configuration)[heading] == 255).all()
    assert not (pixels[heading] == 255).all()
    assert (Path(raster.__file__).parent / "fonts" / "LICENSE_DEJAVU").is_file()


@pytest.mark.parametrize("package", ["resvg_py", "PIL"])
def test_what_is_missing_is_one_clear_error(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = t2r_env.env("usa", render_mode="rgb_array")  # as Stable-Baselines3 does without ever rendering
    env.reset(seed=1)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"^{package} is not installed; .* pip install '\.\[render\]' in "):
        env.render()
