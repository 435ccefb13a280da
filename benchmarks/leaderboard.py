"""The leaderboard of docs/leaderboard.md: results of `t2r rate --out` that stand.

    python -m benchmarks.leaderboard                    # rates our own agents, for each release
    python -m benchmarks.leaderboard FOLDER [FOLDER...] # checks these results and adds them

Each result is a file in benchmarks/leaderboard, without its replays. `python -m docs.write_tables` makes the page's
tables of them.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from t2r_agents.comparing.rating.ladder import read_ladders
from t2r_agents.comparing.rating.result import (
    Result,
    ResultError,
    as_json,
    check_estimate,
    check_schedule,
    find_ladder,
    read_result,
)
from t2r_agents.comparing.rating.verify import verify
from t2r_env.basics.plain import code
from t2r_env.basics.reading import shown
from t2r_env.basics.writing import replacing
from t2r_env.commands import main as t2r

FOLDER = Path(__file__).parent / "leaderboard"
AGENTS = ("policy", "planner", "greedy", "racer")
VARIANT = "new_york"
HEADINGS = ("agent", "rating", "95 % interval", "won", "tied", "lost", "mean score")


def main(command: Sequence[str] | None = None) -> int:
    """Rate our agents, or add results. Returns 1 if a result does not stand or a game could not be played."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaderboard", description="Make the leaderboard.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="results to add (default: our agents)")
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder of results (default: the checkout's)")
    arguments = parser.parse_args(command)
    try:
        with tempfile.TemporaryDirectory() as made:
            for folder in arguments.folders or _rate_own(Path(made)):
                add(folder, arguments.out, is_ours=not arguments.folders)
    except (ValueError, OSError, ChildProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _rate_own(made: Path) -> Iterator[Path]:
    """Yield a folder with the result of each of our agents. Raises ChildProcessError if one could not be rated."""
    for agent in AGENTS:
        if t2r(["rate", agent, "--variant", VARIANT, "--out", str(made / agent)]):
            raise ChildProcessError(f"{agent} could not be rated")
        yield made / agent


def add(folder: Path, out: Path = FOLDER, *, is_ours: bool = False) -> Path:
    """Check a result and add it; return its file. One of ours takes the place of an earlier one of the same agent.

    Raises ResultError if it does not stand or another agent's result has the same file, and OSError if a file can't be
    read or written.
    """
    result = verify(folder, read_ladders())
    name = re.sub(r"[^\w.-]+", "_", f"{Path(result.variant).name}_{result.num_players}_{result.agent}")
    out.mkdir(exist_ok=True)
    file = out / f"{name}.json"
    if not is_ours and file.exists() and read_result(file) != result:
        raise ResultError(
            f"{file} is another result, of the agent {shown(read_result(file).agent)}: remove it if it is one of the"
            " same agent, or give this agent another name and rate it again"
        )
    with replacing(file) as new:
        new.write_text(as_json(result), encoding="utf-8")
    return file


def read(folder: Path = FOLDER) -> list[Result]:
    """Return the results of the leaderboard. Their games and estimates are checked, but not played.

    Raises ResultError for one that does not stand.
    """
    ladders, results = read_ladders(), []
    for path in sorted(folder.glob("*.json")):
        try:
            result = read_result(path)
            ladder = find_ladder(ladders, result)
            check_schedule(result, ladder)
            check_estimate(result, ladder)
        except ResultError as error:
            raise ResultError(f"{path.name}: {error}") from None
        results.append(result)
    return results


def tables(results: Sequence[Result]) -> str:
    """Return a table for each game and number of players, the best agent first."""
    ladders = read_ladders()
    titles = {id(result): find_ladder(ladders, result).title().replace("_", " ") for result in results}
    parts = []
    for title in dict.fromkeys(titles.values()):
        own = [result for result in results if titles[id(result)] == title]
        rows = [_row(result) for result in sorted(own, key=lambda result: -(result.estimate["value"] or 0))]
        lines = [HEADINGS, ["---", *["---:"] * (len(HEADINGS) - 1)], *rows]
        parts.append("\n".join([f"**{title}**", "", *(f"| {' | '.join(line)} |" for line in lines), ""]))
    return "\n".join(parts)


def _row(result: Result) -> list[str]:
    won = tied = score = seats = 0
    for game in result.games:
        places = [place for place, name in enumerate(game.agents) if name == result.agent]
        is_first = game.ranks[places[0]] == 1
        is_alone = {game.agents[place] for place, rank in enumerate(game.ranks) if rank == 1} == {result.agent}
        won += is_first and is_alone
        tied += is_first and not is_alone
        score += sum(game.scores[place] for place in places)
        seats += len(places)
    counts = [str(count) for count in (won, tied, len(result.games) - won - tied)]
    return [code(result.agent), f"{result.estimate['value']:.0f}", result.interval(), *counts, f"{score / seats:.1f}"]


if __name__ == "__main__":
    sys.exit(main())
