"""What holds for all tests: how hypothesis searches; compiled code that is there before several processes want it."""

import hypothesis
import pytest

# Without chance and without a clock, so that a failure is the same everywhere.
hypothesis.settings.register_profile("t2r_env", derandomize=True, deadline=None, max_examples=25)
hypothesis.settings.load_profile("t2r_env")


def pytest_configure(config: pytest.Config) -> None:
    """Fill the cache of compiled code before pytest-xdist starts its workers, which would each compile all of it."""
    is_controller = not hasattr(config, "workerinput")
    if is_controller and config.getoption("numprocesses", None):
        from tests.agreement import compile_all

        compile_all()
