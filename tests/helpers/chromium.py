"""Pages in a real browser: the Chromium of the system, started once for a test process, without network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE = 100_000.0
"""In milliseconds: what a page waits for may have to be compiled first."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def started() -> Iterator[Browser]:
    """The browser. Fails the test, and says what to install, if there is none."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.fail("Chromium is missing; install it with: apt-get install chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


@contextmanager
def opened(
    browser: Browser,
    address: str = "about:blank",
    width: int = 1280,
    height: int = 900,
    *,
    may_be_refused: bool = False,
) -> Iterator[Page]:
    """A page of a browser profile of its own. Errors of its script, and warnings on its console, fail the test.

    The console also tells of requests that are refused, which can be allowed.
    """
    faults: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type in ("error", "warning") else None)
    page.goto(address)
    try:
        yield page
    finally:
        context.close()
    assert [it for it in faults if not (may_be_refused and "status of 409" in it)] == []
