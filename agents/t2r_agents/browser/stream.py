"""The stream of events of a screen: what is sent next, and when it is given up."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass

from starlette.responses import StreamingResponse
from starlette.types import Message as Part
from starlette.types import Receive, Scope, Send

from t2r_agents.browser.guard import KNOWN
from t2r_agents.browser.messages import Message, Size, cover_message, moment_message
from t2r_agents.browser.table import Screen, Step, Table
from t2r_agents.browser.watching import note

STALL_SECONDS = 60.0
"""The time after which a page that takes nothing is given up."""
MAX_BEHIND = 40
"""The number of actions by which a page may lag; then it is shown the last one."""


@dataclass(frozen=True)
class Sent:
    """The last message of a stream of events."""

    changes: int
    rank: int
    step: Step | None
    """The step that was sent; None if the screen was handed over."""
    note: Hashable
    """The `watching.note` that was sent."""


def next_message(table: Table, screen: Screen, sent: Sent | None, size: Size) -> tuple[Message, Sent] | None:
    """Return the next message: the next step, the last one again, or everything again; None if nothing is new."""
    while True:
        with table.lock:
            seat, changes, noted = screen.shown, screen.changes, note(table)
            is_covered = seat is None and not screen.is_watcher
            steps = [] if is_covered else list(table.steps[seat])
        if is_covered:
            now = Sent(changes, 0, None, None)
            return None if sent == now else (cover_message(table, screen), now)
        rank = len(steps) - 1
        follows = sent is not None and sent.step and sent.changes == changes and rank - sent.rank <= MAX_BEHIND
        if sent and follows:
            if sent.step is not steps[sent.rank]:
                rank = sent.rank
            elif sent.rank < rank:
                rank = sent.rank + 1
            elif sent.note == noted:
                return None
        try:
            message = moment_message(table, seat, rank, size, whole_log=not follows)
        except IndexError:
            if screen.changes == changes:
                raise
            continue  # the step was taken back meanwhile
        if screen.changes == changes:  # else it was handed over meanwhile
            return message, Sent(changes, rank, steps[rank], noted)


class Stream(StreamingResponse):
    """The events of a screen, counted while they are sent, and given up when nobody takes them."""

    def __init__(self, events: AsyncIterator[str], counts: Counter[str], key: str, tell: Callable[[], object]) -> None:
        """Count it under a key, and call `tell` when the count has changed."""
        super().__init__(events, media_type="text/event-stream")
        self._counts, self._key, self._tell = counts, key, tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""

        async def send_in_time(part: Part) -> None:
            await asyncio.wait_for(send(part), STALL_SECONDS)

        self._counts[self._key] += 1
        self._tell()
        scope[KNOWN] = True
        try:
            with suppress(asyncio.TimeoutError):
                await super().__call__(scope, receive, send_in_time)
        finally:
            self._counts[self._key] -= 1
            self._tell()
            del scope[KNOWN]


def event(message: Message) -> str:
    """Return a message as it is sent."""
    return f"data: {json.dumps(message, ensure_ascii=False)}\n\n"
