"""Settings of all tests: how hypothesis searches, threads and garbage, and compiling before tests run in parallel."""

import gc
import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import hypothesis
import pytest

import t2r_env.games

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Without randomness and without a time limit, so that a failure is the same everywhere.
hypothesis.settings.register_profile("t2r_env", derandomize=True, deadline=None, max_examples=25)
hypothesis.settings.load_profile("t2r_env")

# Tests run side by side, one for each core: PyTorch's threads would wait for each other longer than they compute.
os.environ["OMP_NUM_THREADS"] = "1"

# Compiling makes many objects that stay. Looking for garbage among them as often as usual takes a tenth of the time.
gc.set_threshold(50_000, 20, 20)

# As at a terminal: a process that a shell starts in the background ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# As on a server: no test opens a window that is seen.
for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
    os.environ.pop(name, None)


# Few games are enough for several threads.
t2r_env.games.HANDED_OVER = 1


def pytest_configure(config: pytest.Config) -> None:
    """Fill the cache of compiled code before pytest-xdist starts its workers, which would each compile everything."""
    is_controller = not hasattr(config, "workerinput")
    if is_controller and config.getoption("numprocesses", None):
        from tests.helpers.compiling import compile_for_tests

        for _ in compile_for_tests():
            pass


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """A browser, for `tests.helpers.chromium.opened`."""
    from tests.helpers.chromium import started

    with started() as browser:
        yield browser
