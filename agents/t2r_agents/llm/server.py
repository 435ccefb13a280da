"""The server that a language model is behind, and its answers."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from t2r_agents.failures import one_line
from t2r_agents.llm.prompt import Message
from t2r_env.agents import UnavailableError
from t2r_env.caching import cached_property
from t2r_env.checks import check_integer
from t2r_env.extras import needs
from t2r_env.reading import parse_json

with needs("llm"):
    import openai


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

        The names are `timeout` (seconds), `max_retries`, and parameters of a request, whose values are JSON or text.
        Raises ValueError or TypeError for what is not of this form.
        """
        self.model, *options = name.split(",")
        if not self.model:
            raise ValueError("the name of a model must follow the colon")
        self.parameters = dict(map(_option, options))
        self.timeout = self.parameters.pop("timeout", 300)
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, int | float) or not self.timeout > 0:
            raise ValueError(f"timeout must be a number of seconds greater than 0, not {self.timeout!r}")
        self.max_retries = check_integer("max_retries", self.parameters.pop("max_retries", 4), 0)
        self._lock = threading.Lock()

    @cached_property
    def _client(self) -> openai.OpenAI:
        """The client, with address and key from OPENAI_BASE_URL and OPENAI_API_KEY. Raises UnavailableError."""
        try:
            return openai.OpenAI(timeout=self.timeout, max_retries=self.max_retries)
        except openai.OpenAIError as error:
            raise UnavailableError(f"{self.model}: {one_line(str(error))}") from None

    def ask(self, messages: Sequence[Message]) -> Answer:
        """Return the model's answer to a conversation.

        The client itself tries again after errors that may pass: of the connection, of the server (5xx), too many
        requests (429), no answer in time. Raises UnavailableError if the server gives no answer.
        """
        with self._lock:
            client = self._client
        given: Any = messages
        began = time.perf_counter()
        try:
            completion = client.chat.completions.create(model=self.model, messages=given, extra_body=self.parameters)
            return _answer(completion, time.perf_counter() - began)
        except openai.APITimeoutError:
            fault = f"no answer in {self.timeout:g} s"
        except openai.APIStatusError as error:
            fault = f"status {error.status_code}: {error.message}"
        except openai.APIConnectionError as error:
            fault = f"can't be reached: {error.__cause__ or error}"
        except (openai.OpenAIError, ValueError) as error:  # not of the protocol
            fault = f"not an answer of chat completions: {error}"
        raise UnavailableError(one_line(f"{self.model} at {_address(client)}: {fault}"))


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of an option; a value that is not JSON is text."""
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise ValueError(f"after the model options NAME=VALUE may follow, with commas between them, not {text!r}")
    try:
        return name, parse_json(value)
    except ValueError:
        return name, value


def _answer(completion: Any, seconds: float) -> Answer:
    """Return an answer, also of a server that leaves much out. Raises ValueError if it is none."""
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    content = getattr(message, "content", None)
    if message is None or not isinstance(content, str | None):  # some servers send their errors in this way
        raise ValueError(getattr(completion, "error", None) or completion)
    usage = getattr(completion, "usage", None)
    reasoning = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    return Answer(
        content=(content or "").encode(errors="replace").decode(),  # half a character can't be sent back
        reasoning=reasoning if isinstance(reasoning, str) else "",
        refusal=getattr(message, "refusal", None) or "",
        finish_reason=getattr(choice, "finish_reason", None),
        prompt_tokens=getattr(usage, "prompt_tokens", None),
        completion_tokens=getattr(usage, "completion_tokens", None),
        seconds=round(seconds, 3),
    )


def _address(client: openai.OpenAI) -> str:
    """Return the server's address without a user's name and password."""
    return str(client.base_url.copy_with(userinfo=b"")).rstrip("/")
