"""Layouts with more segments than the library's."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from t2r_agents import policy
from t2r_env import Configuration
from t2r_env.core.layout import Layout, Segments
from t2r_env.features import Array, Features, compute_features, find_features

FIRST, LAST = ("moon", (3,), "no meaning"), ("stars", (2, 2), "no meaning")


@contextmanager
def new_segments() -> Iterator[None]:
    """Let vectors of configurations that are made here, and features, have a new first and a new last segment."""
    layout = vars(Configuration)["layout"]
    lay_out = layout.func

    def lay_out_more(configuration: Configuration) -> Layout:
        found: Layout = lay_out(configuration)
        return replace(found, observation=_wider(found.observation), global_state=_wider(found.global_state))

    policy._find_features.cache_clear()
    with patch.object(layout, "func", lay_out_more), patch.object(policy, "find_features", _MoreFeatures):
        yield
    policy._find_features.cache_clear()


def _wider(segments: Segments) -> Segments:
    return Segments.of([FIRST, *((it.name, it.shape, it.meaning) for it in segments.values()), LAST])


class _MoreFeatures:
    """Features with two segments that hold nothing."""

    def __init__(self, name: str, configuration: Configuration) -> None:
        self.inner: Features = find_features(name, configuration)
        self.segments, self.version = _wider(self.inner.segments), self.inner.version

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        vectors[:, 3:-4] = compute_features(self.inner, views, masks)
