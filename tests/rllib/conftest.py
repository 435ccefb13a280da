"""Ray for the tests of this folder, which `make rllib` runs: it is not installed where the other tests run."""

from collections.abc import Iterator

import pytest
import ray

from t2r_train.rllib.training import start_ray


@pytest.fixture(scope="session", autouse=True)
def _ray() -> Iterator[None]:
    """Ray is started once."""
    start_ray(None, 2)
    yield
    ray.shutdown()
