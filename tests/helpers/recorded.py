"""Recorded games."""

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from t2r_env import Games, Replay
from t2r_env.agents import Opinion, choose_actions, decisions_of, find_agent
from t2r_env.render.page_review import Luck, PageReview, Part, Reviewer
from t2r_env.seeding import agent_keys, decision_seeds


@functools.cache
def game_of(agent: str, variant: str | Path, players: int, seed: int = 3, actions: int | None = None) -> Replay:
    """A game that an agent plays against itself; with `actions`, so many of its first ones."""
    games = Games(variant, players, seed=seed, autoreset=False, record=True)
    player, row, keys = find_agent(agent), np.zeros(1, np.int64), agent_keys(games.seeds)
    while not (games.terminated[0] or games.truncated[0]):
        games.step(choose_actions(player, decisions_of(games, row, decision_seeds(games, row, keys))))
    replay = Replay.of(games)
    return replace(replay, actions=replay.actions[:actions])


def forfeited(**start: Any) -> Replay:
    """A game whose sixth action is not legal."""
    replay = game_of("random", "usa", 2, actions=5)
    return replace(replay, actions=(*replay.actions, 10_000), illegal_action="terminate", **start)


def made_up_review(replay: Replay) -> PageReview:
    """A review of a game of two by the first and the last legal action, in which every fourth decision is a mistake."""
    masks = [games.masks[0].copy() for games in replay.games()][:-1]
    number, rng = len(masks), np.random.default_rng(0)
    first = [Opinion(int(mask.argmax()), mask / mask.sum(), "wishes", reason="It is the first.") for mask in masks]
    last = [Opinion(int(mask.nonzero()[0][-1])) for mask in masks]
    mistakes = np.arange(number) % 4 == 0
    of_first, of_second = rng.random((2, number + 1)).round(3), rng.random((2, number + 1)).round(3)
    return PageReview(
        reviewers=[
            Reviewer("first", first, np.where(mistakes, 0.1, 0.01), np.full(number, 0.02), mistakes),
            Reviewer("last", last, np.full(number, 0.0), np.zeros(number), np.zeros(number, bool)),
        ],
        chances=np.stack([of_first[0], 1 - of_first[0]], axis=1).round(3),
        seats=(seats := np.array([int(games.current[0]) for games in replay.games()][:-1])),
        parts=[Part("even", np.full(2, 0.5)), Part("luck", luck := np.array([0.1, -0.1]), np.array([0.02, 0.02]))],
        known_parts=[Part("even", np.full(2, 0.5)), Part("luck", luck / 2, np.array([0.01, 0.01]))],
        luck=Luck(np.where(seats == 0, 0.2, -0.1) * (np.arange(number) % 9 == 3), np.full(number, 0.04)),
        known_luck=Luck(np.where(np.arange(number) % 9 == 4, 0.3, 0), np.full(number, 0.05)),
        known=np.stack([of_second, 1 - of_second], axis=2).round(3).swapaxes(0, 1),
        ticket_chances=rng.random((number + 1, 2, 2, len(replay.configuration.deck.tickets))).round(2),
        reliability={"everything": [[0.25, 0.3, 100], [0.75, 0.7, 100]], "known": [[0.25, 0.2, 50], [0.75, 0.8, 50]]},
        measured_on="100 games of nobody",
        judged_by="Losses are made up.",
    )
