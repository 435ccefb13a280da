"""A server of games and pages in a browser, for each test that asks for them."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from t2r_agents.browser.tables import Tables
from tests.helpers.chromium import opened
from tests.pages.serving import FAILING, SLOW, FailingAgent, Look, Served, SlowAgent, served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server of games of a folder of its own."""
    FailingAgent.works.clear()
    SlowAgent.goes_on.clear()
    with served(tmp_path / "games", agents=[FAILING, SLOW]) as running:
        yield running
        SlowAgent.goes_on.set()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """The games of a folder without a server."""
    with closing(Tables(tmp_path)) as games:
        yield games


@pytest.fixture
def look(chromium: Browser) -> Iterator[Look]:
    """Opens pages as `opened` does, until the end of the test."""
    with ExitStack() as pages:
        yield lambda *arguments, **options: pages.enter_context(opened(chromium, *arguments, **options))
