"""The page docs/values.md: how well the networks of values that come with the library are calibrated, by their cards.

    python -m benchmarks.values --page docs/values.md

`t2r values` measures it while it makes a network, and writes it on the card.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.markdown import table, write_page
from t2r_agents.playing.values import Values
from t2r_agents.playing.values.network import SHIPPED

PHASES = ("first tenth", "middle", "last tenth", "all")
SETS = {"calibration": "other agents", "self_play": "the policy against itself"}
NETWORKS = {"known": "a seat's knowledge", "everything": "everything", "ceiling": "play-outs"}
NOTE = """The Brier score is the mean square of chance less result, over teams: 0 knows all, and with two players \
0.25 knows nothing. In brackets are 95 % intervals over games. *Other agents* are any_board (in map games), one_plan \
and ismcts:6,policy, none of which was learned from; 2,048 games each, 24 positions of each. *First tenth*, *middle* \
(40 to 60 %) and *last tenth* are of a game's decisions. *Play-outs* are the ceiling in games of the policy against \
itself: 24 games that it plays to the end from each of 400 true positions, with decks shuffled again, less what their \
small number adds. Nothing that sees a position can do better there, but a network does not know that the policy \
plays."""
RELIABILITY = """Reliability: in ten equal bins of the chances told, the mean chance and the share won."""


def scores(training: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the rows of Brier scores of a network: games, what is judged from, and the score in each of PHASES."""
    for key, games in SETS.items():
        for name, network in NETWORKS.items():
            if found := training.get(key, {}).get(name):
                brier = found.get("brier", found)
                yield [games, network, *("{:.3f} ({:.3f}–{:.3f})".format(*brier[phase]) for phase in PHASES)]


def reliability(training: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each network of a file: the mean chance and the share won in each bin, in percent."""
    for name in ("known", "everything"):
        bins = training["calibration"][name]["reliability"]
        yield [NETWORKS[name], *(f"{100 * told:.0f} → {100 * won:.0f}" for told, won, _ in bins)]


def main(command: Sequence[str] | None = None) -> int:
    """Print the page. Exits with 2 for a wrong command line."""
    given = sys.argv[1:] if command is None else list(command)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.values", description="Show the calibration of values.")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page here, too (default: only print it)")
    arguments = parser.parse_args(given)
    parts = [NOTE]
    for file in sorted(SHIPPED.glob("*.safetensors")):
        values = Values.load(file)
        options = values.identity["options"]["tickets"]
        title = f"{values.identity['variant'].replace('_', ' ')}, {options}, {values.identity['num_players']} players"
        heading = f"{title}: Brier scores of a network that has learned from {values.training['games']:,} games"
        parts.append(table(heading, ("games", "judged from", *PHASES), list(scores(values.training))))
        bins = [f"{10 * ten} to {10 * ten + 10} %" for ten in range(10)]
        parts += [
            RELIABILITY,
            table(f"{title}, other agents", ("judged from", *bins), list(reliability(values.training))),
        ]
    write_page("How well values are calibrated", "benchmarks.values", given, parts, arguments.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
