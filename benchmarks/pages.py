"""Pages in Chromium: the time to the first paint, the first picture and the answer to a click; the size of replays.

    python -m benchmarks.pages --variant usa europe

A game of `planner` against itself, with the most players that the game allows, is recorded. Measured are the file of
its replay page, with the views of all seats, and a page to play on in the middle of the game, with people at all
seats, on a screen of 1280 by 720: the first paint and the first picture from the beginning of loading, and how long an
action takes from the click until its picture is there, without animation. Medians of seven, one line of JSON for each
game; `first_picture_cold_ms` is the first of all, for which the server lays out the map.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.progress import track

from benchmarks.machine import describe_machine
from t2r_agents.browser.network import listen, own_origin
from t2r_agents.browser.server import Service
from t2r_agents.browser.serving import Server
from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import Tables
from t2r_env import VARIANTS, Games, Replay, configure
from t2r_env.agents import find_agent, step_agents
from t2r_env.render.replay_page import render_replay_html
from t2r_env.seeding import agent_keys, decision_seeds

TIMES = 7
_PICTURE = "document.querySelector('#picture svg, #board > *')"
_NOTE_PICTURE = f"""(() => {{
    const look = () => {{ if ({_PICTURE}) window.pictureAt = performance.now(); else requestAnimationFrame(look); }};
    look();
}})()"""
"""Notes when the first picture is there."""
_ACT = """() => new Promise((done) => {
    const begin = performance.now(), number = shown.number;
    const look = () => (shown?.number === number ? requestAnimationFrame(look) : done(performance.now() - begin));
    act(shown.decision.actions[0], true);
    look();
})"""
"""Takes the first action; returns the time until the page shows what followed."""


def play(variant: str, seed: int = 0) -> Replay:
    """Play a game and return its recording."""
    configuration = configure(variant, configure(variant).variant.max_players)
    games = Games(configuration, seed=seed, autoreset=False, record=True)
    rows, seating = np.zeros(1, np.int64), np.zeros((1, configuration.num_players), np.int64)
    agents, keys = [find_agent("planner")], agent_keys(games.seeds)
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, rows, agents, seating, decision_seeds(games, rows, keys))
    return Replay.of(games)


def measure_replay_page(replay: Replay, browser: Browser, folder: Path) -> dict[str, float]:
    """Measure the file of a replay, and how it opens."""
    file = folder / "replay.html"
    begin = time.perf_counter()
    file.write_text(render_replay_html(replay), encoding="utf-8")
    made = time.perf_counter() - begin
    paints, pictures = zip(*(load(browser, file.as_uri()) for _ in range(TIMES)), strict=True)
    return {
        "replay_kb": file.stat().st_size / 1000,
        "replay_made_ms": 1000 * made,
        "replay_first_paint_ms": statistics.median(paints),
        "replay_first_picture_ms": statistics.median(pictures),
    }


def load(browser: Browser, address: str) -> tuple[float, float]:
    """Return the times from the beginning of loading a page to its first paint, and to its first picture."""
    page = opened(browser)
    page.add_init_script(_NOTE_PICTURE)
    page.goto(address)
    page.wait_for_function("() => window.pictureAt && performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    picture = page.evaluate("window.pictureAt")
    page.close()
    return paint, picture


def opened(browser: Browser) -> Page:
    """Return an empty page on a screen of 1280 by 720 that is asked not to move things."""
    return browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")


def measure_page_to_play_on(replay: Replay, browser: Browser, folder: Path) -> dict[str, float]:
    """Measure a page in the middle of the same game, with people at all seats in windows of their own."""
    with served(folder) as (service, address):
        configuration = replay.configuration
        assert isinstance(replay.start, int)
        people = [None] * configuration.num_players
        table = service.tables.begin(
            configuration.variant.id, configuration, people, own_windows=True, seed=replay.start
        )
        table.repeat(Replay(configuration, replay.start, replay.actions[: len(replay.actions) // 2]))
        service.seat_at(table)
        page = f"{address}/table/{table.screens[table.current or 0].key}/"
        _, cold = load(browser, page)
        paints, pictures = zip(*(load(browser, page) for _ in range(TIMES)), strict=True)
        return {
            "first_paint_ms": statistics.median(paints),
            "first_picture_cold_ms": cold,
            "first_picture_ms": statistics.median(pictures),
            "action_ms": statistics.median(act(table, browser, address) for _ in range(TIMES)),
        }


def act(table: Table, browser: Browser, address: str) -> float:
    """Return how long an action takes until the page of its seat shows the picture of it."""
    assert table.current is not None
    page = opened(browser)
    page.goto(f"{address}/table/{table.screens[table.current].key}/")
    page.wait_for_function("() => shown?.decision?.actions.length")
    taken: float = page.evaluate(_ACT)
    page.close()
    return taken


@contextmanager
def served(folder: Path) -> Iterator[tuple[Service, str]]:
    """Start a server of pages in a thread; yield it and its address."""
    service, listener = Service(Tables(folder / "games")), listen(port=0)
    server = Server(service, listener)
    thread = threading.Thread(target=server.run_until_stopped)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield service, own_origin(listener)
    finally:
        server.should_exit = True
        thread.join()


def measure(variant: str, browser: Browser) -> dict[str, Any]:
    """Measure all figures of one game."""
    replay = play(variant)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = measure_page_to_play_on(replay, browser, folder) | measure_replay_page(replay, browser, folder)
    rounded = {name: round(value, 1) for name, value in figures.items()}
    return {"variant": variant, "players": replay.configuration.num_players, "actions": len(replay.actions)} | rounded


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="Time and size of pages.")
    parser.add_argument("--variant", choices=VARIANTS, nargs="+", default=VARIANTS, help="(default: all)")
    arguments = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("Chromium is missing; install it with: apt-get install chromium")
    print(json.dumps({"machine": describe_machine()}))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for variant in track(arguments.variant, "Measuring", console=Console(stderr=True)):
            print(json.dumps(measure(variant, browser)), flush=True)


if __name__ == "__main__":
    main()
