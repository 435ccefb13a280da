"""Requests whose answers end, whatever a server sends: after some seconds in all, and some bytes."""

import asyncio
import importlib
import os
import threading
import zlib
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Any, TypeVar

from t2r_env.basics.packages import needs

with needs("llm"):
    import openai

Result = TypeVar("Result")

MAX_BYTES = 4 << 20
"""The most bytes of an answer, unpacked: those of about a million tokens. Its JSON takes some 30 times as much."""

_httpx: Any = importlib.import_module(openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])
"""The module by which openai's client sends its requests: httpx, or since its version 3 httpx2."""
_GZIP = 16 + zlib.MAX_WBITS
_OF_TRANSPORT = ("content-encoding", "content-length", "transfer-encoding")
_loops: dict[int, asyncio.AbstractEventLoop] = {}


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """The HTTP client under openai's: each response is read to its end before it is returned.

    By itself httpx limits only the seconds between two pieces of a response, and neither their number nor their size.
    Redirects are not followed: what is sent goes to the address that the user has named.
    """

    def __init__(self, seconds: float) -> None:
        """Take the seconds from the beginning of a request to the end of its response."""
        super().__init__(timeout=seconds, follow_redirects=False)
        self._seconds = seconds

    async def send(self, request: Any, **options: Any) -> Any:
        """Return the response, cut off after MAX_BYTES + 1 bytes. Raises httpx's errors, ReadTimeout among them."""
        request.headers["Accept-Encoding"] = "gzip"
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, **options | {"stream": True})
                content = await _read(response)
        except TimeoutError:
            raise _httpx.ReadTimeout("the response takes too long", request=request) from None
        headers = [it for it in response.headers.multi_items() if it[0].lower() not in _OF_TRANSPORT]
        return _httpx.Response(response.status_code, headers=headers, content=content, request=request)


async def _read(response: Any) -> bytes:
    """Return the body of a response, unpacked and cut off after MAX_BYTES + 1 bytes."""
    body = bytearray()
    unpacker = zlib.decompressobj(_GZIP) if response.headers.get("content-encoding") == "gzip" else None
    try:
        async for piece in response.aiter_raw():
            left = MAX_BYTES + 1 - len(body)
            try:
                body += unpacker.decompress(piece, left) if unpacker else piece[:left]
            except zlib.error as error:
                raise _httpx.DecodingError(f"damaged gzip: {error}", request=response.request) from error
            if len(body) > MAX_BYTES:
                break
    finally:
        await response.aclose()
    return bytes(body)


def wait_for(awaited: Awaitable[Result]) -> Result:
    """Return the result of a request, which runs in the process's event loop. Any thread may wait for it.

    Only in an event loop can a request be given up at any moment, also while the head of a response is read.
    """
    return begin(awaited).result()


def begin(awaited: Awaitable[Result]) -> Future[Result]:
    """Let something run in the process's event loop."""

    async def wait() -> Result:
        return await awaited

    return asyncio.run_coroutine_threadsafe(wait(), _loop())


def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process, which runs in a thread of its own. A fork begins another one."""
    if (present := _loops.get(os.getpid())) is not None:
        return present
    made = asyncio.new_event_loop()
    kept = _loops.setdefault(os.getpid(), made)  # no lock, which a fork would copy
    if kept is made:
        threading.Thread(target=made.run_forever, name="requests", daemon=True).start()
    else:
        made.close()
    return kept
