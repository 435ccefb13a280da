"""A server of OpenAI's protocol that plays legal moves at random: to try a pipeline without a model.

It reads the legal moves where the last message lists them. It knows nothing of the game.

    python examples/scripted_model.py --port 8001     # then OPENAI_BASE_URL=http://127.0.0.1:8001/v1
"""

import argparse
import json
import random
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LISTED = (re.compile(r"Legal moves: ([^\n.]+)"), re.compile(r'"legal_moves": (\[[^]]*\])'))
"""How our texts list the legal moves, and the JSON of OpenEnv's observations."""


def answer(message: str, rng: random.Random) -> str:
    """Return an answer to a message: one of the legal moves that it lists, otherwise a draw from the deck."""
    text, data = (it.findall(message) for it in _LISTED)
    moves = json.loads(data[-1]) if data else text[-1].split("; ") if text else ["draw deck"]
    return f'I play what comes to mind. {{"move": "{rng.choice(moves)}"}}'


def response(content: str, is_streamed: bool) -> tuple[str, bytes]:
    """Return the type and the body of the response that holds an answer: a completion, or as a stream its chunks."""
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    said = {"id": "1", "created": 0, "model": "scripted", "usage": usage}
    if not is_streamed:
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return "application/json", json.dumps(said | {"object": "chat.completion", "choices": [choice]}).encode()
    chunk = {"index": 0, "delta": message, "finish_reason": "stop"}
    data = json.dumps(said | {"object": "chat.completion.chunk", "choices": [chunk]})
    return "text/event-stream", f"data: {data}\n\ndata: [DONE]\n\n".encode()


def server(port: int = 0, seed: int = 0) -> ThreadingHTTPServer:
    """Return a server, by default at a free port."""
    rng = random.Random(seed)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/chat/completions":
                self.send_error(404, "this server knows chat completions alone")
                return
            said = request["messages"][-1]["content"]
            text = said if isinstance(said, str) else " ".join(part["text"] for part in said)
            kind, body = response(answer(text, rng), bool(request.get("stream")))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


@contextmanager
def serving() -> Iterator[str]:
    """Yield the address of a server in a thread."""
    running = server()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}/v1"
    finally:
        running.shutdown()
        running.server_close()


def main(command: Sequence[str] | None = None) -> None:
    """Serve with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    server(arguments.port, arguments.seed).serve_forever()


if __name__ == "__main__":
    main()
