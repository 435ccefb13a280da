"""The server that a language model is behind, and its answers."""

import base64
import json
import os
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from t2r_agents.playing.failures import one_line
from t2r_agents.playing.llm.bounded import MAX_BYTES, BoundedClient, begin, wait_for
from t2r_agents.playing.llm.prompt import Message
from t2r_env.agents import UnavailableError
from t2r_env.basics.caching import cached_property
from t2r_env.basics.checks import check_integer
from t2r_env.basics.packages import needs
from t2r_env.basics.reading import parse_json

with needs("llm"):
    import openai

SHORTEST_SECRET = 8
"""The characters of the shortest key that is blotted out. `none`, for servers that want no key, is no secret."""
BLOT = "***"


@dataclass(frozen=True)
class Answer:
    """An answer of a model."""

    content: str
    """Its text; empty if it says nothing."""
    reasoning: str
    """Its thoughts, if the server tells them apart."""
    refusal: str
    """Why it refuses, if the server tells that apart."""
    finish_reason: str | None
    """Why it ended: `stop`; `length` at the limit of tokens; or another reason of the server."""
    prompt_tokens: int | None
    completion_tokens: int | None
    """The tokens of the prompt and of the answer, its thoughts included, as far as the server counts them."""
    seconds: float
    """From the request to the answer, the client's own retries included."""


class Server:
    """A model, and the parameters of each request. Several threads may ask at once."""

    def __init__(self, name: str) -> None:
        """Take `MODEL` or `MODEL,NAME=VALUE,...`.

        The names are `timeout` (seconds), `max_retries`, `conversation` (`decision`, or `game` to keep one for each
        game), and parameters of a request, whose values are JSON or text.
        Raises ValueError or TypeError for what is not of this form.
        """
        self.model, comma, options = name.partition(",")
        if not self.model:
            raise ValueError("the name of a model must follow the colon")
        self.parameters = dict(_options(options)) if comma else {}
        self.timeout = self.parameters.pop("timeout", 300)
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, int | float) or not self.timeout > 0:
            raise ValueError(f"timeout must be a number of seconds greater than 0, not {self.timeout!r}")
        self.max_retries = check_integer("max_retries", self.parameters.pop("max_retries", 4), 0)
        self.conversation = self.parameters.pop("conversation", "decision")
        if self.conversation not in ("decision", "game"):
            raise ValueError(f"conversation must be decision or game, not {self.conversation!r}")
        self._lock = threading.Lock()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Server":
        """Return itself: copies of an environment ask the same server."""
        return self

    @cached_property
    def _client(self) -> tuple[openai.AsyncOpenAI, list[str]]:
        """The client, with address and key from OPENAI_BASE_URL and OPENAI_API_KEY; and the secrets that it sends.

        Raises UnavailableError.
        """
        secrets = _secrets()
        try:
            client = openai.AsyncOpenAI(
                timeout=self.timeout, max_retries=self.max_retries, http_client=BoundedClient(self.timeout)
            )
        except Exception as error:  # of openai's client for a missing key, of httpx for a wrong address
            raise UnavailableError(one_line(f"{self.model}: {blotted(str(error), secrets)}")) from None
        weakref.finalize(self, lambda: begin(client.close())).atexit = False
        return client, secrets

    def ask(self, messages: Sequence[Message]) -> Answer:
        """Return the model's answer to a conversation.

        The client itself tries again after errors that may pass: of the connection, of the server (5xx), too many
        requests (429), no answer in time. Raises UnavailableError if the server gives no answer: whatever it sends, a
        fault of the server is never the model's.
        """
        with self._lock:
            client, secrets = self._client
        given: Any = messages
        began = time.perf_counter()
        try:
            completions = client.chat.completions.with_raw_response
            response = wait_for(completions.create(model=self.model, messages=given, extra_body=self.parameters))
            return read_answer(response.content, time.perf_counter() - began, secrets)
        except openai.APITimeoutError:
            fault = f"no answer in {self.timeout:g} s"
        except openai.APIStatusError as error:
            fault = f"status {error.status_code}: {error.message}"
        except openai.APIConnectionError as error:
            fault = f"can't be reached: {_root(error)}"
        except Exception as error:  # what is not of the protocol may raise anything
            fault = f"not an answer of chat completions: {error}"
        raise UnavailableError(one_line(f"{self.model} at {_address(client)}: {blotted(fault, secrets)}"))


def _root(error: BaseException) -> str:
    """Return the first cause of an error, which says most, with its name."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return f"{type(error).__name__}: {error}"


def _options(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of options with commas between them; a value that is not JSON is text."""
    comma = ","
    while comma:
        name, sign, rest = text.partition("=")
        if not name or not sign or "," in name:
            raise ValueError(f"after the model options NAME=VALUE may follow, with commas between them, not {text!r}")
        end = _end_of_json(rest)
        value, comma, text = rest[:end], rest[end : end + 1], rest[end + 1 :]
        try:
            yield name, parse_json(value)
        except ValueError:
            yield name, value


def _end_of_json(text: str) -> int:
    """Return where the JSON value ends, behind which a comma follows or nothing; if there is none, the first comma."""
    with suppress(ValueError, RecursionError):
        _, end = json.JSONDecoder().raw_decode(text)
        if text[end : end + 1] in ("", ","):
            return end
    return len(text.partition(",")[0])


def read_answer(content: bytes, seconds: float, secrets: Sequence[str]) -> Answer:
    """Return the answer in a response, also of a server that leaves much out. Raises ValueError if it is none.

    An answer is a message; what it lacks the model has not said. Other values that are not of the protocol are left
    out.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    try:
        return _answer(json.loads(content), seconds, secrets)
    except RecursionError:
        raise ValueError("its lists and objects are nested too deeply") from None


def _answer(completion: Any, seconds: float, secrets: Sequence[str]) -> Answer:
    choices = _entry(completion, "choices", list)
    message = _entry(choices[0] if choices else None, "message", dict)
    if message is None or not isinstance(message.get("content"), str | None):  # some servers send their errors so
        raise ValueError(repr((isinstance(completion, dict) and completion.get("error")) or completion))
    usage = _entry(completion, "usage", dict)

    def text(*names: str, of: Any = message) -> str:
        found = next(filter(None, (_entry(of, name, str) for name in names)), "")
        return blotted(found.encode(errors="replace").decode(), secrets)  # half a character can't be sent or written

    return Answer(
        content=text("content"),
        reasoning=text("reasoning_content", "reasoning"),
        refusal=text("refusal"),
        finish_reason=text("finish_reason", of=choices[0]) or None,
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        seconds=round(seconds, 3),
    )


def _entry(value: Any, name: str, kind: type) -> Any:
    """Return an entry of an object, or None if there is none of this type."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else None


def _count(usage: Any, name: str) -> int | None:
    found = _entry(usage, name, int)
    return found if found is not None and not isinstance(found, bool) and 0 <= found < 2**63 else None


def _secrets() -> list[str]:
    """Return what is sent to a server so that it answers, as the environment says: keys and passwords, longest first.

    A name and a password may stand in the address; they are sent in base64.
    """
    url, headers = (os.environ.get(f"OPENAI_{it}", "") for it in ("BASE_URL", "CUSTOM_HEADERS"))
    user = unquote(url.partition("//")[2].rpartition("@")[0])
    found = [user, user.partition(":")[2], base64.b64encode(user.encode()).decode()]
    found += [os.environ.get(f"OPENAI_{it}", "") for it in ("API_KEY", "ADMIN_KEY")]
    found += [line.partition(":")[2].strip() for line in headers.splitlines()]
    return sorted({it for it in found if len(it) >= SHORTEST_SECRET}, key=len, reverse=True)


def blotted(text: str, secrets: Sequence[str]) -> str:
    """Return a text without secrets, also as Python or JSON write them in quotes."""
    for secret in secrets:
        for form in (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1]):
            text = text.replace(form, BLOT)
    return text


def _address(client: openai.AsyncOpenAI) -> str:
    """Return the server's address without a user's name and password."""
    return str(client.base_url.copy_with(userinfo=b"")).rstrip("/")
