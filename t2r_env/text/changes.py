"""The changes of what a seat knows, as text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from t2r_env.basics.checks import check_integer
from t2r_env.configuration import Configuration
from t2r_env.render.shared_text import WIDTH, wrapped
from t2r_env.render.text import reading, renderer_of
from t2r_env.text.view import view_text

_UNBROKEN = 1 << 20
"""A width in which each line of a view fits."""
_SEPARATOR = "\x1f"
_BETWEEN_CELLS = re.compile(r"\s{2,}")
_NOTHING = "Nothing else has changed since your last decision."
_BEFORE_PLAYERS = 3
"""The blocks of a view before those of the players: heading, supplies and cards."""
_SHORT = 100
"""The characters of a line that is shown as a whole; of a longer list only what has come and gone."""


@dataclass(frozen=True)
class _Line:
    """A line of a view."""

    label: str
    items: Sequence[str]

    @property
    def key(self) -> str:
        """The label without the number of items."""
        return self.label.partition(" (")[0]

    def since(self, before: Sequence[str]) -> Sequence[str]:
        """Return the items to show: all, or if these are too long those that have come and gone."""
        come, gone = Counter(self.items) - Counter(before), Counter(before) - Counter(self.items)
        changes = [*(f"+ {it}" for it in come.elements()), *(f"- {it}" for it in gone.elements())]
        length = len(", ".join(self.items))
        return self.items if length <= max(_SHORT, len(", ".join(changes))) else changes


def changes_text(before: Any, view: Any, configuration: Configuration, width: int = WIDTH) -> str:
    """Return what has changed in what a seat knows between two of its views, in lines of at most `width` characters.

    `before` and `view` are views of one seat in a game, rows of `Games.views()`, the second one of a later decision.
    For conversations that keep what was said: the text of the first view (`view_text`), and the changes from decision
    to decision, tell all that the texts of all views tell. The decision is named; then the lines of the view follow
    that have changed. Of a long list only what has come (`+`) and gone (`-`) is shown. Raises what `view_text` raises.
    """
    check_integer("width", width, 1)
    snapshots = [configuration.snapshot(it) for it in (before, view)]
    with reading(configuration, *snapshots):
        heading = renderer_of(snapshots[1], configuration, width).heading()
        former, now = (_lines(it, configuration) for it in snapshots)
        changed = list(_changes(former, now, width))
        lines = [*heading, "", *(["Since your last decision:", *changed] if changed else [_NOTHING])]
    if snapshots[1]["final"]:
        blocks = view_text(view, configuration, width).rstrip("\n").split("\n\n")
        lines += ["", blocks[_BEFORE_PLAYERS + configuration.num_players]]
    return "\n".join(lines) + "\n"


def _changes(before: Mapping[str, _Line], now: Mapping[str, _Line], width: int) -> Iterator[str]:
    for key, line in now.items():
        former = before[key].items if key in before else ()
        if Counter(line.items) != Counter(former):
            yield from wrapped(f"{line.label}: ", line.since(former), width)
    yield from (f"{key}: none" for key, line in before.items() if key not in now and line.items)


def _lines(snapshot: Mapping[str, Any], configuration: Configuration) -> dict[str, _Line]:
    """Return the lines of a view by what they tell, all but the heading and the result."""
    renderer = renderer_of(snapshot, configuration, _UNBROKEN)
    renderer.separator = _SEPARATOR
    text = "\n".join([*renderer.lines(), "", *renderer.further_lines()])
    _, supplies, cards, *others = (block.splitlines() for block in text.rstrip("\n").split("\n\n"))
    lines = [*map(_line, supplies), *_rows(cards)]
    for name, *possessions in others[: configuration.num_players]:
        lines += [_line(f"{name} {it.strip()}") for it in possessions]
    for block in others[configuration.num_players + bool(snapshot["final"]) :]:
        lines += map(_line, block)
    return {it.key: it for it in lines}


def _line(text: str) -> _Line:
    label, _, items = text.partition(": ")
    return _Line(label, () if items == "none" else items.split(_SEPARATOR))


def _rows(table: Sequence[str]) -> Iterator[_Line]:
    """Yield the rows of the table of cards, each with the columns in which it has something."""
    columns, *rows = (_BETWEEN_CELLS.split(row.lstrip("> ")) for row in table)
    for name, *cells in rows:
        numbers = zip(columns[-len(cells) :], cells, strict=True)  # piles have no trains and no score
        has = [f"{column} {number}" for column, number in numbers if number not in ("·", "0")]
        yield _Line(name, [", ".join(has)] if has else ())
