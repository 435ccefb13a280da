"""Frames of several games as one picture, in a grid."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def shape_of_grid(number: int) -> tuple[int, int]:
    """Return the columns and rows of a grid for this many pictures, as square as can be."""
    columns = math.isqrt(number - 1) + 1
    return columns, -(-number // columns)


def grid_of(frames: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Return frames of one shape (height, width, 3) as one, in a grid as square as can be; what is left is white.

    Made for the frames of vector environments. Raises ValueError if there are none, or their shapes differ.
    """
    if len({frame.shape for frame in frames}) != 1:
        raise ValueError("frames must be one or more arrays of one shape (height, width, 3)")
    columns, rows = shape_of_grid(len(frames))
    height, width, channels = frames[0].shape
    cells = np.full((rows * columns, height, width, channels), 255, np.uint8)
    cells[: len(frames)] = frames
    grid = cells.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return grid.reshape(rows * height, columns * width, channels)
