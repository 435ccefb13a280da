"""Golden games: one recorded random game for each configuration, as text.

`python -m tests.golden` records them again; `test_golden.py` compares them with what the core plays today. In a
review, a change of the rules, of the numbering of actions or of what is observed shows as changed lines. The heading
names the segments that the checksums are of, so a game stays as it is when others are added.
"""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from t2r_env import Configuration, Games, configure
from t2r_env.variants import COLOURS
from tests.helpers.playing import Options, title_of

FOLDER = Path(__file__).parent

SEED = 1
CHECKSUM_EVERY = 20
"""Decisions from one checksum to the next."""


def file_of(variant: str, players: int, options: Options) -> Path:
    """The file of a configuration's game."""
    return FOLDER / f"{title_of(variant, players, options)}.txt"


Seen = dict[str, list[str]]
"""The segments that checksums are of: for each of VECTORS their names."""
VECTORS = ("observation", "global_state")


def record(variant: str, players: int, options: Options, recorded: str = "") -> str:
    """Play a game at random and describe it line by line. Checksums are of the segments that a recorded game names."""
    configuration = configure(variant, players, **options)
    games = Games(configuration, seed=SEED, autoreset=False)
    lines = [line.partition(": ") for line in recorded.splitlines()]
    seen = {name: segments.split() for name, _, segments in lines if name in VECTORS}
    for name in VECTORS:
        seen.setdefault(name, [*getattr(configuration.layout, name)])
    return "\n".join([*_heading(configuration, seen), *_course(games, seen), *_result(games)]) + "\n"


def _heading(configuration: Configuration, seen: Seen) -> list[str]:
    options = ", ".join(f"{name} {value}" for name, value in configuration.options.items())
    return [
        f"{configuration.variant.name}: {configuration.variant.id}, {configuration.num_players} players, seed {SEED}",
        f"options: {options}",
        f"rules: {configuration.rules_identity}, {configuration.layout.actions.size} actions",
        *(f"{name}: {' '.join(segments)}" for name, segments in seen.items()),
        "",
        "turn player phase: number of legal actions, the chosen one = its description; player: what changed",
        "",
    ]


def _course(games: Games, seen: Seen) -> Iterator[str]:
    rng = random.Random(SEED)  # random() gives the same numbers in every version of Python
    decision = 0
    after = games.snapshot()
    while games.masks.any():
        if decision % CHECKSUM_EVERY == 0:
            yield f"    checksum {_checksum(games, seen)}"
        before = after
        legal = np.flatnonzero(games.masks[0])
        action = int(legal[int(rng.random() * len(legal))])
        decision_text = f"{before['turn']} {before['current_player']} {before['phase']}"
        choice = f"{len(legal)}, {action} = {games.describe(action)}"
        games.step(np.array([action]))
        after = games.snapshot()
        yield "; ".join([f"{decision_text}: {choice}", *_changes(before, after)])
        decision += 1
    yield f"    checksum {_checksum(games, seen)}"


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """The numbers that changed for each player and each rack."""
    for seat, players in enumerate(zip(before["players"], after["players"], strict=True)):
        old, new = map(_numbers, players)
        if changed := [f"{name} {old[name]} > {new[name]}" for name in old if old[name] != new[name]]:
            yield f"{seat}: {', '.join(changed)}"
    for number, teams in enumerate(zip(before.get("teams", ()), after.get("teams", ()), strict=True)):
        old, new = ({"cards": sum(team["rack"].values()), "tickets": len(team["tickets"])} for team in teams)
        if changed := [f"{name} {old[name]} > {new[name]}" for name in old if old[name] != new[name]]:
            yield f"rack {number}: {', '.join(changed)}"


def _numbers(player: dict[str, Any]) -> dict[str, int]:
    counts = {"cards": sum(player["hand"].values()), "tickets": len(player["tickets"])}
    if "shares" in player:
        counts["shares"] = sum(map(len, player["shares"].values()))
    if "technologies" in player:
        counts["technologies"] = len(player["technologies"])
    if "yard" in player:
        counts |= {f"{colour} yard": sum(player["yard"].get(colour, {}).values()) for colour in COLOURS}
        counts |= {"pile": sum(player["on_track"].values()), "completed": len(player["completed"])}
    return counts | {name: player[name] for name in ("trains", "score") if name in player}


def _checksum(games: Games, seen: Seen) -> str:
    """A checksum of every seat's observation, the mask and the global state."""
    observed = [games.observe([0], [seat])[0] for seat in range(games.num_players)]
    layout, digest = games.layout, hashlib.sha256()
    digest.update(b"".join(vector[layout.observation[it].slice] for vector in observed for it in seen["observation"]))
    digest.update(games.masks.tobytes())
    digest.update(b"".join(games.global_state()[0][layout.global_state[it].slice] for it in seen["global_state"]))
    return digest.hexdigest()[:16]


def _result(games: Games) -> Iterator[str]:
    snapshot = games.snapshot()
    yield ""
    yield f"{snapshot['outcome']} after {snapshot['turn']} turns; rewards {games.rewards[0].tolist()}"
    for seat, final in enumerate(snapshot["final"]):
        parts = ", ".join(f"{name} {points}" for name, points in final["breakdown"].items())
        tickets = f"tickets completed {len(final['completed'])}, failed {len(final['failed'])}"
        yield f"player {seat}: rank {final['rank']}, score {final['score']} = {parts}; {tickets}"
