"""The time and size of pictures, one line of JSON for each game.

    python -m benchmarks.pictures --variant usa

Pictures are of random games with the most players, from the 100th decision on. Measured are: where the parts of the map
lie (`layout_s`, once for a map and width), the SVG, the PNG of it (1200 x 800), and the frames that an environment with
`render_mode="rgb_array"` returns in a second, a step for each. Times are of the processor, the median of all pictures.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import t2r_env
from benchmarks.machine import describe_machine, describe_versions
from t2r_env import Games
from t2r_env.render.raster import png_of
from t2r_env.render.svg import render_svg
from t2r_env.variants import VARIANTS, load_variant

OPENING = 100
"""Decisions before the first picture."""


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor's time of a call in seconds, and its result."""
    begun = time.process_time()
    result = call()
    return time.process_time() - begun, result


def measure(variant: str, number: int, seed: int) -> dict[str, Any]:
    """Measure this many pictures of a game."""
    players = load_variant(variant).max_players
    games = Games(variant, players, seed=seed)
    games.play_random(OPENING)
    layout, _ = timed(lambda: render_svg(games.snapshot(), games.configuration))
    snapshots = []
    for _ in range(number + 1):
        snapshots.append(games.snapshot())
        games.play_random(1)
    drawn = [timed(partial(render_svg, now, games.configuration, before=old)) for old, now in pairwise(snapshots)]
    rasterised = [timed(partial(png_of, svg)) for _, svg in drawn]
    return {
        "variant": variant,
        "players": players,
        "layout_s": round(layout, 2),
        "svg_ms": round(1000 * statistics.median(seconds for seconds, _ in drawn), 1),
        "svg_kb": round(statistics.median(len(svg) for _, svg in drawn) / 1000),
        "png_ms": round(1000 * statistics.median(seconds for seconds, _ in rasterised)),
        "png_kb": round(statistics.median(len(png) for _, png in rasterised) / 1000),
        "frames_per_second": round(number / measure_frames(variant, players, number, seed), 1),
    }


def measure_frames(variant: str, players: int, number: int, seed: int) -> float:
    """Return the processor's time in seconds for this many steps of an environment, each with a frame."""
    env = t2r_env.env(variant, players, render_mode="rgb_array", render_seat="all")
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)

    def step() -> None:
        if env.terminations[env.agent_selection]:
            env.reset()
        env.step(int(rng.choice(np.flatnonzero(env.games.masks[0]))))

    for _ in range(OPENING):
        step()
    env.render()  # the first one lays out the map

    def show() -> None:
        for _ in range(number):
            step()
            env.render()

    return timed(show)[0]


def main(command: Sequence[str] | None = None) -> int:
    """Measure and print. Returns 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--variant", nargs="+", default=VARIANTS, help="names of games, or paths of their folders (default: all games)"
    )
    parser.add_argument("--pictures", type=int, default=15, help="of each game (default: 15)")
    parser.add_argument("--seed", type=int, default=0, help="of the games (default: 0)")
    arguments = parser.parse_args(command)
    if arguments.pictures < 1:
        parser.error(f"--pictures must be at least 1, not {arguments.pictures}")
    print(json.dumps({"machine": describe_machine(), "versions": describe_versions()}))
    for variant in arguments.variant:
        try:
            figures = measure(variant, arguments.pictures, arguments.seed)
        except ValueError as error:
            parser.error(str(error))
        print(json.dumps(figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
