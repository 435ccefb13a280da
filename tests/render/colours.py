"""How colours look to people, and how far apart two are."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What linear red, green and blue become: Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation
of Color Vision Deficiency (2009), with severity 1."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> Array:
    """A colour #rrggbb as linear light."""
    part = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(light: Array) -> Array:
    """Linear light as CIE L*a*b*, for daylight (D65)."""
    x, y, z = (
        np.cbrt(it) if it > 216 / 24389 else (24389 / 27 * it + 16) / 116 for it in _XYZ @ light.clip(0, 1) / _WHITE
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def least_difference(colours: Iterable[str], vision: str) -> float:
    """The least difference (CIE76) between two of some colours, as somebody sees them."""
    seen = [lab(VISIONS[vision] @ linear(colour)) for colour in colours]
    return min(float(np.linalg.norm(one - other)) for index, one in enumerate(seen) for other in seen[index + 1 :])


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it."""
    low, high = sorted(float(_XYZ[1] @ linear(it)) for it in (one, other))
    return (high + 0.05) / (low + 0.05)
