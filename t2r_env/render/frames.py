"""Frames of games under way: pictures with the last action, as environments return them for `rgb_array`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.rules.names import outcomes
from t2r_env.games import Games
from t2r_env.render.raster import rgb_of
from t2r_env.render.svg import WIDE, render_svg

Array = np.ndarray[Any, Any]

RENDER_FPS = 2
"""Frames per second of videos and windows (`metadata["render_fps"]`)."""

PICTURE_MODES = ("human", "rgb_array")
"""The render modes whose pictures tell of the last action."""


@dataclass(frozen=True)
class LastAction:
    """A state before its last action, and the action: kept at each step, and put in words only for a picture."""

    state: Array
    """(1,) a copy."""
    action: int

    @classmethod
    def of(cls, games: Games, action: int, row: int = 0) -> "LastAction":
        """The action that this row is about to take."""
        return cls(games.states[row : row + 1].copy(), action)


def draw(games: Games, row: int = 0, last: LastAction | None = None, width: int = WIDE) -> str:
    """A row's game as SVG, hidden things included."""
    configuration, snapshot = games.configuration, games.snapshot(row)
    if last is None:
        return render_svg(snapshot, configuration, width=width)
    state = last.state[0]
    if games.states["outcome"][row] == outcomes.FORFEITED:
        told = f"{last.action}, which is not legal"
    else:
        told = str(configuration.text.describe(state, last.action))
    sentence = f"player_{state['current']}: {told}"
    return render_svg(snapshot, configuration, before=configuration.snapshot(state), last=sentence, width=width)


def frame(games: Games, row: int = 0, last: LastAction | None = None) -> NDArray[np.uint8]:
    """The same as an array of pixels, uint8 (800, 1200, 3). Raises MissingExtraError without the extra `render`."""
    return rgb_of(draw(games, row, last))


def shape_of_grid(number: int) -> tuple[int, int]:
    """The columns and rows of a grid for so many pictures, as square as can be."""
    columns = math.isqrt(number - 1) + 1
    return columns, -(-number // columns)


def grid_of(frames: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Frames of one shape (height, width, 3) as one, row by row in a grid as square as can be; what is left is white.

    Made for the frames that vector environments return in the mode `rgb_array`. Raises ValueError if there are none, or
    their shapes differ.
    """
    if len({frame.shape for frame in frames}) != 1:
        raise ValueError("frames must be one or more arrays of one shape (height, width, 3)")
    columns, rows = shape_of_grid(len(frames))
    height, width, channels = frames[0].shape
    cells = np.full((rows * columns, height, width, channels), 255, np.uint8)
    cells[: len(frames)] = frames
    grid = cells.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return grid.reshape(rows * height, columns * width, channels)
