"""Flat Monte Carlo search: try each legal action in several determinizations, and finish the games by random play.

`Games.determinize` replaces all that the acting seat can't know (OpenSpiel's `resample_from_infostate`), so the search
never sees hidden cards, nor the cards that will be drawn. The action with the best mean lead at the end is chosen.

    python examples/search.py
    python examples/search.py --variant usa --games 20 --determinizations 50
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games


def search(games: Games, row: int, determinizations: int, rng: np.random.Generator) -> int:
    """Return the best action of the acting seat of a row."""
    seat, legal = int(games.current[row]), np.flatnonzero(games.masks[row])
    if len(legal) == 1:
        return int(legal[0])
    seeds = rng.integers(2**64, size=determinizations, dtype=np.uint64)
    states = games.determinize(np.full(determinizations, row), seeds)
    tried = Games(games.configuration, batch=len(legal) * determinizations, autoreset=False, observe=False, seed=0)
    tried.set_states(None, np.tile(states, len(legal)))
    tried.step(np.repeat(legal, determinizations))
    while not (tried.terminated | tried.truncated).all():
        tried.play_random(100, seed=int(rng.integers(2**32)))
    leads = lead(tried.results.scores, seat).reshape(len(legal), determinizations)
    return int(legal[leads.mean(axis=1).argmax()])


def lead(scores: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
    """Return the points by which a seat is ahead of the best other one, (k,), from the scores, (k, seats)."""
    difference: NDArray[np.int64] = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
    return difference


def play(
    variant: str, num_players: int | None, episodes: int, determinizations: int, seed: int
) -> tuple[float, float, float]:
    """Play games against random play, from each seat in turn; return the share of wins and its 95 % interval."""
    rng = np.random.default_rng(seed)
    games = Games(variant, num_players, batch=episodes, seed=seed, autoreset=False)
    own = np.arange(episodes) % games.num_players
    while not (over := games.terminated | games.truncated).all():
        actions = games.masks * rng.random(games.masks.shape)
        for row in np.flatnonzero((games.current == own) & ~over).tolist():
            actions[row, search(games, row, determinizations, rng)] = 2
        games.step(actions.argmax(axis=1))
    first = games.results.ranks == 1
    share = float((first[np.arange(episodes), own] / first.sum(axis=1).clip(min=1)).mean())
    z = 1.96  # Wilson's interval
    centre, scale = share + z**2 / (2 * episodes), 1 + z**2 / episodes
    half = z * float(np.sqrt(share * (1 - share) / episodes + z**2 / (4 * episodes**2)))
    return share, (centre - half) / scale, (centre + half) / scale


def main(command: Sequence[str] | None = None) -> tuple[float, float, float]:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--games", dest="episodes", type=int, default=40)
    parser.add_argument("--determinizations", type=int, default=20, help="of each decision")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    share, low, high = play(**vars(arguments))
    print(f"{share:.1%} of {arguments.episodes} games won against random play ({low:.1%} to {high:.1%})")
    return share, low, high


if __name__ == "__main__":
    main()
