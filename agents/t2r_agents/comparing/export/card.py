"""The figures of an export and its data card, as hubs of data read it: Markdown with a head of YAML."""

import json
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from t2r_agents.comparing.export.folder import DECISIONS, GAMES, Folder, Settings
from t2r_agents.comparing.export.tables import decision_schema, game_schema
from t2r_env import Configuration, __version__
from t2r_env.basics.plain import code
from t2r_env.commands.options import describe_options
from t2r_env.core.layout import Segments

UNKNOWN = "unknown"
"""Stands for the agents of replays."""
SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
"""The bounds between which hubs group numbers of rows."""


# Figures


@dataclass
class _Tally:
    """The counts of an agent."""

    seats: int = 0
    wins: float = 0
    finished: int = 0
    score: int = 0

    def add(self, game: Mapping[str, Any], seat: int) -> None:
        self.seats += 1
        self.wins += game["wins"][seat]
        self.finished += game["outcome"] == "finished"
        self.score += game["scores"][seat]

    def figures(self) -> dict[str, Any]:
        mean = round(self.score / self.finished, 2) if self.finished else None
        return {"seats": self.seats, "wins": round(self.wins, 2), "mean_score": mean}


def count(folder: Folder, files: int, listed: int) -> dict[str, Any]:
    """Return the figures of an export, JSON-able. `listed` games were to be exported; the rest was left out."""
    outcomes: Counter[str] = Counter()
    agents: dict[str, _Tally] = defaultdict(_Tally)
    decisions = 0
    for number in range(files):
        for game in folder.games(number, ["agents", "outcome", "scores", "wins", "decisions"]).to_pylist():
            outcomes[game["outcome"]] += 1
            decisions += game["decisions"]
            for seat, name in enumerate(game["agents"] or [UNKNOWN] * len(game["wins"])):
                agents[name].add(game, seat)
    return {
        "games": outcomes.total(),
        "left_out": listed - outcomes.total(),
        "decisions": decisions,
        "outcomes": dict(sorted(outcomes.items())),
        "agents": {name: tally.figures() for name, tally in sorted(agents.items())},
    }


# The card


def write_card(settings: Settings, configuration: Configuration, figures: Mapping[str, Any]) -> str:
    """Return the text of the data card."""
    head = [
        "---",
        f"license: {json.dumps(settings.licence)}",
        f"pretty_name: {json.dumps(f'Games of {configuration.variant.name}')}",
        "task_categories:",
        "- reinforcement-learning",
        "tags: [board-games, offline-rl, imitation-learning, t2r_env]",
        f"size_categories: {json.dumps([_size(figures['decisions'])])}",
        "configs:",
        *_table_head(DECISIONS, default=True),
        *_table_head(GAMES, default=False),
        "---",
    ]
    sections = [
        *head,
        "",
        f"# Games of {configuration.variant.name}",
        "",
        *_origin(settings, configuration, figures),
        "",
        *_figures(figures),
        "",
        *_columns(settings, configuration),
        "",
        *_layouts(settings, configuration),
    ]
    return "\n".join(sections) + "\n"


def _table_head(table: str, *, default: bool) -> list[str]:
    lines = [f"- config_name: {table}", f"  data_files: {table}/*.parquet"]
    return [*lines, "  default: true"] if default else lines


def _size(rows: int) -> str:
    """Return the number of rows as hubs group it, such as 1K<n<10K."""
    group = min(len(str(rows)) - len("999"), len(SIZES) - 1)
    return f"{SIZES[group - 1]}<n<{SIZES[group]}" if group > 0 else f"n<{SIZES[0]}"


def _origin(settings: Settings, configuration: Configuration, figures: Mapping[str, Any]) -> Iterator[str]:
    source = settings.source
    yield f"- game: {configuration.title}"
    yield f"- library: t2r_env {__version__}; rules {configuration.rules_identity}"
    if "replays" in source:
        yield f"- source: {source['replays']} replays, digest {source['digest']}"
    else:
        yield f"- agents: {', '.join(map(code, source['agents']))}"
        yield f"- seed: {source['seed']}; the seed of each deal is in the column `seed`"
        yield f"- source: {'the tournament' if 'played' in source else 'games'} of {code(_command(source))}"
    if figures["left_out"]:
        yield f"- {figures['left_out']} games of the tournament are left out: when played again they ended otherwise"
    yield f"- rewards: {settings.look.reward}"
    yield f"- licence: {settings.licence}"


def _command(source: Mapping[str, Any]) -> str:
    name = "tournament" if "played" in source else "export"
    words = ["t2r", name, "--variant", source["variant"], "--num-players", source["num_players"]]
    words += [*describe_options(source["options"]), "--agents", *source["agents"]]
    words += ["--games", source["games"], "--seed", source["seed"]]
    words += ["--isolate"] if source["isolate"] else []
    words += ["--seconds", *source["seconds"]] if source["seconds"] else []
    words += ["--memory", source["memory"]] if source["memory"] is not None else []
    return shlex.join(map(str, words))


def _figures(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "## Figures"
    yield ""
    ends = ", ".join(f"{number} {outcome}" for outcome, number in figures["outcomes"].items())
    yield f"{figures['games']} games ({ends}), {figures['decisions']} decisions."
    yield ""
    rows = [
        [code(name), it["seats"], it["wins"], "" if it["mean_score"] is None else it["mean_score"]]
        for name, it in figures["agents"].items()
    ]
    yield from _table(["agent", "seats", "wins", "mean score of finished games"], rows)


def _columns(settings: Settings, configuration: Configuration) -> Iterator[str]:
    for table, schema in (
        (DECISIONS, decision_schema(configuration, settings.look)),
        (GAMES, game_schema()),
    ):
        yield f"## Columns of {table}"
        yield ""
        rows = [[f"`{field.name}`", _kind(field.type), field.metadata[b"meaning"].decode()] for field in schema]
        yield from _table(["column", "type", "meaning"], rows)
        yield ""


def _kind(kind: pa.DataType) -> str:
    if isinstance(kind, pa.FixedSizeListType):
        return f"{kind.value_type} [{kind.list_size}]"
    return f"list of {kind.value_type}" if isinstance(kind, pa.ListType) else str(kind)


def _layouts(settings: Settings, configuration: Configuration) -> Iterator[str]:
    layout = configuration.layout
    layouts = {"Observation": layout.observation, "Actions": layout.actions}
    if settings.look.hidden:
        layouts["Global state"] = layout.global_state
    for title, segments in layouts.items():
        yield f"## {title}"
        yield ""
        yield from _segments(segments)
        yield ""


def _segments(segments: Segments) -> Iterator[str]:
    rows = [[f"`{it.name}`", it.start, " × ".join(map(str, it.shape)) or 1, it.meaning] for it in segments.values()]
    yield from _table(["segment", "begins at", "shape", "meaning"], rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{' --- |' * len(headings)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: Any) -> str:
    return str(value).replace("|", r"\|")
