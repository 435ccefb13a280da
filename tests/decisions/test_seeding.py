"""The seeds that agents get lead neither to the deal nor to what others get."""

import secrets
from hashlib import blake2b

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.schedule import make_schedule
from t2r_env import Games
from t2r_env.agents import Decisions, choose_evenly, decisions_of
from t2r_env.basics.checks import consecutive_seeds
from t2r_env.core.compiled import cached
from t2r_env.core.randomness import next_seed, siphash
from t2r_env.envs.seat_games import SeatGames
from t2r_env.envs.trajectories import trajectories
from t2r_env.seeding import agent_keys, decision_seeds, derive_key, derive_seed, key_words, other_seeds

Words = NDArray[np.uint64]


@cached
def _siphash_of_rows(words: Words, hashes: Words) -> None:
    for row in range(words.shape[0]):
        hashes[row] = siphash(words[row, 0], words[row, 1], words[row, 2], words[row, 3])


def test_seeds_that_are_drawn_or_follow_are_below_2_to_the_63rd(monkeypatch: pytest.MonkeyPatch) -> None:
    """So int64 holds them, in whatever log. A given one may have 64 bits, as may the next of several."""
    following = [np.uint64(number) for number in range(10)]
    for _ in range(5):
        following = [next_seed(seed) for seed in following]
        assert max(following) < 2**63
    games = Games("new_york", batch=10)
    for _ in range(3):
        assert int(games.seeds.max()) < 2**63
        games.reset()
    games.play_random(500)  # several games in each row
    assert int(games.seeds.max()) < 2**63
    assert consecutive_seeds(2**63 - 1, 2) == [2**63 - 1, 2**63]
    monkeypatch.setattr(secrets, "randbelow", lambda end: end - 1)
    assert consecutive_seeds(None, 3) == [2**63 - 3, 2**63 - 2, 2**63 - 1]  # there is room for the last


def test_siphash_agrees_with_its_reference() -> None:
    """The hash of the bytes 0, 1, ..., 15 under the key 0, 1, ..., 15 by Aumasson and Bernstein's implementation."""
    key = np.frombuffer(bytes(range(16)), "<u8").astype(np.uint64)
    hashes = np.zeros(1, np.uint64)
    _siphash_of_rows(np.concatenate([key, key])[None], hashes)
    assert hashes.astype("<u8").tobytes().hex() == "db9bc2577fcc2a3f"


class Spy:
    def __init__(self) -> None:
        self.seeds: list[int] = []

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.seeds += decisions.seeds.tolist()
        return choose_evenly(decisions.masks, decisions.seeds)


def test_agents_get_hashes_under_a_one_way_key_of_the_seed_of_their_game() -> None:
    """From the seed itself an agent would know all hands and decks (C20)."""
    secret = 0x0123456789ABCDEF
    in_environment, in_trajectories = Spy(), Spy()
    games = SeatGames("new_york", opponents=in_environment, seat=0)
    games.reset(seeds=[secret])
    while not in_environment.seeds:
        games.step(choose_evenly(games.masks(), np.zeros(1, np.uint64)))
    next(trajectories("new_york", agents=in_trajectories, games=1, seed=secret, turn_limit=5))
    key = blake2b(bytes(8), digest_size=16, key=secret.to_bytes(8, "little"), person=b"agents").digest()
    words, hashes = np.zeros((100, 4), np.uint64), np.zeros(100, np.uint64)
    words[:, :2], words[:, 3] = np.frombuffer(key, "<u8"), np.arange(100)
    _siphash_of_rows(words, hashes)
    assert {*in_environment.seeds} < {*hashes.tolist()}
    assert {*in_trajectories.seeds} < {*hashes.tolist()}


def test_a_seed_follows_from_key_and_decision_alone_and_no_two_are_alike() -> None:
    games = Games("usa", batch=4, seed=5)
    rows, keys = np.arange(4), agent_keys(games.seeds)
    seeds = decision_seeds(games, rows, keys)
    assert decision_seeds(games, rows[::-1].copy(), keys).tolist() == seeds[::-1].tolist()
    for row in rows:  # each has made one decision more than the one before it
        games.step([int(np.flatnonzero(mask)[0]) for mask in games.masks[row:]], rows=rows[row:])
    later = decision_seeds(games, rows, keys)
    assert decision_seeds(games, rows[2:], keys).tolist() == later[2:].tolist()
    others = other_seeds(keys, 3)
    assert len({*seeds.tolist(), *later.tolist(), *others.ravel().tolist()}) == 4 + 4 + 12
    assert decisions_of(games, rows, later).seeds.tolist() == later.tolist()


def test_what_is_derived_differs_by_secret_purpose_and_number() -> None:
    cases = [(0, "deals", 0), (1, "deals", 0), (0, "agents", 0), (0, "deals", 1)]
    assert len({derive_seed(*case) for case in cases}) == len({derive_key(*case) for case in cases}) == len(cases)
    key = derive_key(*cases[0])
    assert key_words([key]).astype("<u8").tobytes() == key
    assert len(key) == 16


def test_the_deals_of_a_tournament_follow_from_its_seed_one_way() -> None:
    """Who knows the seed of one deal does not know another's."""
    schedule = make_schedule(["a", "b"], 2, 1, 6, seed=3)
    assert [fixture.seed for fixture in schedule] == [derive_seed(3, "deals", deal) for deal in (0, 0, 1, 1, 2, 2)]
    assert len({fixture.agent_key for fixture in schedule}) == 6
