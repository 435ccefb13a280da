"""The reviews of games that are over, and how agents would end them: both are made in the background."""

import math
from collections.abc import Mapping
from typing import Any

from t2r_agents.browser.background import Tell
from t2r_agents.browser.table import Table
from t2r_agents.playing.values import find_judge
from t2r_env import Configuration, Games, Replay
from t2r_env.basics.packages import needs
from t2r_env.render.replay_page import render_replay_html

FINISHED = 100
"""How often agents finish a position."""
BACK = "../"
"""The page of the game, from that of its replay or its review."""
_SUBSTITUTE = "planner"
"""Plays for people."""


def why_not_judged(configuration: Configuration) -> str:
    """Return why nobody can judge chances in games of this configuration; empty if somebody can."""
    known = find_judge(configuration) is not None
    return "" if known else f"there is no network of values for {configuration.title}, which would judge the chances"


def make_review(table: Table, tell: Tell) -> str:
    """Return the page of a game's review, by its strongest agent and the planner. Raises MissingExtraError."""
    with needs("tournament"):
        from t2r_agents.comparing.review.page import usual_review
    replay, names = Replay.of(table.games), [player.title for player in table.players]
    review = usual_review(replay, lambda done, total: tell("decisions judged", done, total))
    return render_replay_html(
        replay,
        names=names,
        review=review,
        play_on=BACK,
        progress=lambda done, total: tell("pictures drawn", done, total),
    )


def finish_position(table: Table, games: Games, from_knowledge: bool, tell: Tell) -> Mapping[str, Any]:
    """Return how games end that the table's agents play on from a position, JSON-able. Raises MissingExtraError."""
    with needs("tournament"):
        from t2r_agents.comparing.tournament.finishing import QUANTILES, distributions, finish
    agents = [player.agent or _SUBSTITUTE for player in table.players]
    finished = []
    tell("games played", 0, FINISHED)
    for game in finish(games, agents, FINISHED, 0, from_knowledge=from_knowledge):
        finished.append(game)
        tell("games played", len(finished), FINISHED)
    rows = distributions(finished, table.configuration.variant.team_size)
    return {
        "games": FINISHED,
        "quantiles": [f"{share:.0%}" for share in QUANTILES],
        "seats": [
            {"agent": it.agent, "scores": it.quantiles}
            | {"wins": _bounds(it.wins), "score": _bounds(it.score), "lead": _bounds(it.lead)}
            for it in rows
        ],
    }


def _bounds(interval: Any) -> list[float] | None:
    """Return a value with the bounds of its interval; None without them."""
    bounds = [] if interval is None else [interval.value, interval.low, interval.high]
    return bounds if bounds and all(map(math.isfinite, bounds)) else None
