"""A server of games and pages in a browser, for each test that asks for them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.helpers.chromium import opened
from tests.pages.serving import Look, Served, served
from tests.pages.telling import FAILING, SLOW, FailingAgent, SlowAgent


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server of games of a folder of its own."""
    FailingAgent.works.clear()
    SlowAgent.goes_on.clear()
    with served(tmp_path / "games", agents=[FAILING, SLOW]) as running:
        yield running
        SlowAgent.goes_on.set()


@pytest.fixture
def look(chromium: Browser) -> Iterator[Look]:
    """Opens pages as `opened` does, until the end of the test."""
    with ExitStack() as pages:
        yield lambda *arguments, **options: pages.enter_context(opened(chromium, *arguments, **options))
