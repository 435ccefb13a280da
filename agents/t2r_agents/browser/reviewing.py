"""Reviews of games that are over: made in the background, one at a time, as pages."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from t2r_agents.browser.table import RefusedError, Table
from t2r_agents.values import find_judge
from t2r_env import Configuration, Replay
from t2r_env.extras import MissingExtraError, needs
from t2r_env.render.replay_page import render_replay_html

MOST = 8
"""The most reviews that are kept or under way."""
_LOGGER = logging.getLogger(__name__)


@dataclass
class Job:
    """The review of a game: how far it is, and its page when it is made."""

    table: Table
    stage: str = "waits for another one"
    done: int = 0
    total: int = 0
    """0 until it is known."""
    page: str = ""
    fault: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it is still being made."""
        return not (self.page or self.fault)

    def message(self) -> dict[str, Any]:
        """Return how far it is, as a page shows it."""
        return {"stage": self.stage, "done": self.done, "total": self.total, "is_ready": bool(self.page)}


class StoppedError(Exception):
    """The error by which reviews end when the server does."""


class Reviews:
    """The reviews of a server's games, the last ones that were asked for."""

    def __init__(self) -> None:
        self._jobs: dict[Table, Job] = {}
        self._working = threading.Lock()
        self._is_stopping = False

    def stop(self) -> None:
        """End the reviews under way, and begin no more."""
        self._is_stopping = True

    def ask(self, table: Table) -> dict[str, Any]:
        """Begin the review of a game if it is not begun, and return how far it is. Raises RefusedError."""
        if not table.is_over:
            raise RefusedError("a review shows everything: there can be one when the game is over")
        if reason := why_not_judged(table.configuration):
            raise RefusedError(f"no review: {reason}")
        job = self._jobs.get(table)
        if job is None:
            job = self._begin(table)
        if job.fault:
            del self._jobs[table]  # so that it can be asked for again
            raise RefusedError(job.fault)
        return job.message()

    def page(self, table: Table) -> str:
        """Return the page of a review. Raises RefusedError if it is not ready."""
        job = self._jobs.get(table)
        if job is None or not job.page:
            raise RefusedError("the review of this game is not made yet: ask for it on the page of the game")
        return job.page

    def _begin(self, table: Table) -> Job:
        finished = [it for it, job in self._jobs.items() if not job.is_under_way]
        if len(self._jobs) >= MOST:
            if not finished:
                raise RefusedError(f"{MOST} games are being reviewed already: wait until one of them is ready")
            del self._jobs[finished[0]]
        job = self._jobs[table] = Job(table)
        threading.Thread(target=self._work, args=(job,), daemon=True).start()
        return job

    def _work(self, job: Job) -> None:
        def tell(stage: str, done: int, total: int) -> None:
            if self._is_stopping:
                raise StoppedError
            job.stage, job.done, job.total = stage, done, total

        with self._working:
            try:
                tell("begins", 0, 0)
                job.page = _make(job.table, tell)
            except StoppedError:
                job.fault = "the server stops"
            except MissingExtraError as error:
                job.fault = str(error)
            except BaseException as error:  # whatever the agents do
                _LOGGER.error("the game %s can't be reviewed", job.table.name, exc_info=error)
                job.fault = "the review has failed: where the server was started, the error is shown"


def why_not_judged(configuration: Configuration) -> str:
    """Return why nobody can judge chances in games of this configuration; empty if somebody can."""
    known = find_judge(configuration) is not None
    return "" if known else f"there is no network of values for {configuration.title}, which would judge the chances"


def _make(table: Table, tell: Callable[[str, int, int], None]) -> str:
    """Return the page of a game's review, by its strongest agent and the planner."""
    with needs("tournament"):
        from t2r_agents.review.page import page_review
        from t2r_agents.review.review import SECOND, default_agent, review_game
    replay, names = Replay.of(table.games), [player.title for player in table.players]
    agents = list(dict.fromkeys([default_agent(table.configuration), SECOND]))
    review = review_game(replay, agents, progress=lambda done, total: tell("decisions judged", done, total))
    return render_replay_html(
        replay,
        names=names,
        review=page_review(review),
        progress=lambda done, total: tell("pictures drawn", done, total),
    )
