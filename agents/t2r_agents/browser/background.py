"""Work that takes long: done in the background, one piece at a time, while pages ask how far it is."""

import logging
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

from t2r_agents.browser.table import RefusedError
from t2r_env.basics.packages import MissingExtraError

MOST = 8
"""The most pieces of work that are under way, or whose results are kept."""
_LOGGER = logging.getLogger(__name__)

Tell: TypeAlias = Callable[[str, int, int], None]
"""Is told what is done at present, how much of it, and of how much. It raises StoppedError when the server stops."""


class StoppedError(Exception):
    """The error by which work ends when the server does."""


@dataclass
class Job:
    """A piece of work: how far it is, and its result when it is done."""

    stage: str = "waits for other work"
    done: int = 0
    total: int = 0
    """0 until it is known."""
    result: Any = None
    fault: str = ""

    def message(self) -> dict[str, Any]:
        """Return how far it is, as a page shows it."""
        return {"stage": self.stage, "done": self.done, "total": self.total, "is_ready": self.result is not None}


class Background:
    """The work of a server that was asked for last."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, Job] = {}
        self._asking = threading.Lock()
        self._working = threading.Lock()
        self._is_stopping = False

    def stop(self) -> None:
        """End the work under way."""
        self._is_stopping = True

    def find(self, key: Hashable) -> Job | None:
        """Return the work of this key, if it was asked for."""
        return self._jobs.get(key)

    def ask(self, key: Hashable, work: Callable[[Tell], Any]) -> Job:
        """Begin work if none of this key was begun, and return how far it is. Raises RefusedError if it has failed."""
        with self._asking:  # of two requests at once, one begins the work
            job = self._jobs.get(key) or self._begin(key, work)
            if job.fault:
                del self._jobs[key]  # so that it can be asked for again
                raise RefusedError(job.fault)
            return job

    def _begin(self, key: Hashable, work: Callable[[Tell], Any]) -> Job:
        finished = [it for it, job in self._jobs.items() if job.result is not None or job.fault]
        if len(self._jobs) >= MOST:
            if not finished:
                raise RefusedError(
                    f"{MOST} reviews or positions are under way already: wait until one of them is ready"
                )
            del self._jobs[finished[0]]
        job = self._jobs[key] = Job()
        threading.Thread(target=self._work, args=(job, work), daemon=True).start()
        return job

    def _work(self, job: Job, work: Callable[[Tell], Any]) -> None:
        def tell(stage: str, done: int, total: int) -> None:
            if self._is_stopping:
                raise StoppedError
            job.stage, job.done, job.total = stage, done, total

        with self._working:
            try:
                tell("begins", 0, 0)
                job.result = work(tell)
            except StoppedError:
                job.fault = "the server stops"
            except MissingExtraError as error:
                job.fault = str(error)
            except BaseException as error:  # whatever the agents do
                _LOGGER.error("work in the background has failed", exc_info=error)
                job.fault = "it has failed: where the server was started, the error is shown"
