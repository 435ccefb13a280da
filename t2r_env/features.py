"""Derived features: what is computed for a learner from all that a seat may know, and how it is found by name.

They follow the observation in the same vector of uint8. They are computed from the view and the mask of the acting seat
alone, so that they tell nothing that it may not know (C20).
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.packages import find_by_path, names_of
from t2r_env.configuration import Configuration
from t2r_env.core.layout import Segments

Array = np.ndarray[Any, Any]

ENTRY_POINTS = "t2r_env.features"
"""The entry-point group that gives features their names."""


@runtime_checkable
class Features(Protocol):
    """Features of one configuration. They hold what they need of it, can be pickled and copied, and do not change."""

    segments: Segments
    """The places and meanings of the features. Policies find them by name, so segments may be added."""
    version: int
    """Goes up when the same positions get other values, so that policies trained before are refused."""

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        """Write the features of k decisions into `vectors`, uint8 (k, size), which are zero before.

        `views`, (k,), are states without what the acting seat can't know, as in `t2r_env.agents.Decisions`; `masks`,
        int8 (k, actions), its legal actions. A decision's features depend on nothing else. Several threads may call it
        at the same time. The arrays are used again afterwards: what is to be kept must be copied.
        """
        ...


AnyFeatures: TypeAlias = str | Callable[[Configuration], Features]
"""A name (`plan`), an import path (`module:Name`), or what makes features of a configuration, such as their class."""


def feature_names() -> dict[str, str]:
    """Return the names of features, each with its import path."""
    return dict(names_of(ENTRY_POINTS))


def find_features(features: AnyFeatures, configuration: Configuration) -> Features:
    """Return the features of a name, an import path or a class, for a configuration.

    Raises ValueError for an unknown name, a path that can't be imported, and features that don't exist for the
    configuration; TypeError for anything that makes no features.
    """
    title = f"the features {features!r}"
    make: Any = features
    if isinstance(features, str):
        names = feature_names()
        make = find_by_path(names.get(features, features), title, "are no features", names)
    if not callable(make):
        raise TypeError(f"features must be a name, or make features of a configuration, and {features!r} does not")
    try:
        made = make(configuration)
    except ValueError as error:
        raise ValueError(f"{title} can't be made for {configuration}: {error}") from error
    if not isinstance(made, Features) or not isinstance(made.segments, Segments):
        raise TypeError(f"{title} must have segments, a version and a method write, and {made!r} has not")
    configuration.layout.observation.followed_by(made.segments)  # raises ValueError if a name is there twice
    return made


def compute_features(features: Features, views: Array, masks: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return the features of k decisions as a new array (k, size), from views (k,) and masks (k, actions)."""
    vectors = np.zeros((len(views), features.segments.size), np.uint8)
    if len(views):
        features.write(views, masks, vectors)
    return vectors
