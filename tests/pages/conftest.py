"""A server of games, for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pages.serving import Served, served
from tests.pages.telling import FAILING, SLOW, FailingAgent, SlowAgent


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server of games of a folder of its own."""
    FailingAgent.works.clear()
    SlowAgent.goes_on.clear()
    with served(tmp_path / "games", agents=[FAILING, SLOW]) as running:
        yield running
        SlowAgent.goes_on.set()
