"""A small server of chat completions, in a thread of the tests: it answers as a function says."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from t2r_agents.playing.llm.prompt import Message

KEY = "the key of the tests"


@dataclass(frozen=True)
class Reply:
    """What the server sends."""

    content: str | None = ""
    status: int = 200
    seconds: float = 0.0
    refusal: str | None = None
    finish_reason: str = "stop"
    body: bytes | None = None
    """Sent instead of a completion."""
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: Iterable[bytes] | None = None
    """Sent instead of all of it, head included, one after the other until the client goes away."""

    def encoded(self) -> bytes:
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": f"this is an error of the tests: {self.status}"}}).encode()
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
        completion = {"id": "1", "object": "chat.completion", "created": 0, "model": "small", "usage": usage}
        return json.dumps(completion | {"choices": [choice]}).encode()


Model = Callable[[Sequence[Message]], Reply | str]
"""What a model answers to a conversation."""


@dataclass
class ModelServer:
    """A running server, and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


@contextmanager
def serving(model: Model) -> Iterator[ModelServer]:
    """Answer on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.requests.append(request)
            served.keys.add(self.headers["Authorization"])
            answer = model(request["messages"]) if self.path == "/v1/chat/completions" else Reply(status=404)
            reply = Reply(answer) if isinstance(answer, str) else answer
            time.sleep(reply.seconds)
            if reply.pieces is not None:
                self.close_connection = True
                self.wfile.writelines(reply.pieces)
                return
            content = reply.encoded()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After-Ms", "1")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError):  # the client has not waited
                super().handle()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = ModelServer(f"http://127.0.0.1:{server.server_port}/v1")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
