"""The move in an answer of a language model, in the forms that harnesses teach.

All patterns take time in proportion to the answer, whatever it is: their quantifiers do not go back.
"""

import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

LONGEST_ANSWER = 100_000
"""The characters at the end of an answer that are read."""
_OBJECTS = 64
"""The last places of an answer where a JSON object may begin that are tried, besides the first."""
_INSIDE = 4
"""The forms inside each other: `<answer>{"move": "[draw deck]"}</answer>` has three."""

_DECODER = json.JSONDecoder()
_OBJECT = re.compile(r'\{\s*+"')
_BOXED = re.compile(r"\\boxed\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}")
_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
_FINAL = re.compile(r"\bfinal answer[\s*_]*+:[\s*_]*+([^\n]+)", re.IGNORECASE)
_COMMAND = re.compile(r"\\[A-Za-z]++")
"""A command of LaTeX, as the one in `\\boxed{\\text{draw deck}}`."""
_AFTER_BRACKET = " \t\r\n.*`"


class _Form(NamedTuple):
    """A form in a text: of several, the last to end is the greatest, and of those the first to begin."""

    end: int
    minus_start: int
    content: str


def move_in(answer: str, legal: Collection[str] = ()) -> str:
    """Return the move in the last form of an answer; of an answer without any form, all of it.

    What is the text of a `legal` move is taken whole, even if its end looks like a form.

    The forms are a JSON object with the text `move` or `action`, `\\boxed{...}`, `<answer>...</answer>`, `Final
    Answer: ...` to the end of its line, and `[...]` at the end of the answer. Thoughts, as far as `</think>`, are not
    read. Of an answer that is longer than LONGEST_ANSWER only the end is read.
    """
    text = answer[-LONGEST_ANSWER:].rpartition("</think>")[2].partition("<think>")[0]
    for _ in range(_INSIDE):
        if text.strip() in legal:
            break
        last = max(_forms(text), default=None)
        if last is None:
            break
        text = last.content
    return text.strip()


def _forms(text: str) -> Iterator[_Form]:
    yield from _objects(text)
    for found in _BOXED.finditer(text):
        yield _Form(found.end(), -found.start(), _COMMAND.sub(" ", found[1]))
    for pattern in (_TAGGED, _FINAL):
        for found in pattern.finditer(text):
            yield _Form(found.end(), -found.start(), found[1])
    before, _, rest = text.rstrip(_AFTER_BRACKET).rpartition("[")
    content, bracket, behind = rest.partition("]")
    if bracket and not behind and content.strip()[:1].isalpha():  # not the number of a footnote
        yield _Form(len(text), -len(before), content)


def _objects(text: str) -> Iterator[_Form]:
    """Yield the moves of JSON objects; one inside another counts only if the outer one has no move."""
    end = 0
    starts = [found.start() for found in _OBJECT.finditer(text)]
    for start in [*starts[:1], *starts[1:][-_OBJECTS:]]:
        if start < end:
            continue
        try:
            found, behind = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        move = next((found[key] for key in ("move", "action") if isinstance(found.get(key), str)), None)
        if move is not None:
            end = behind
            yield _Form(end, -start, move)
