"""Ray for the tests of this folder, which `make clients` runs: it is not installed where the other tests run."""

from collections.abc import Iterator

import pytest

from t2r_agents.comparing.ray_cluster import connected


@pytest.fixture(scope="session", autouse=True)
def _ray() -> Iterator[None]:
    """A cluster of our own with two CPUs, for all tests: starting one takes as long as most of them."""
    with connected("local", 2):
        yield
