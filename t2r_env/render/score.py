"""The score of a game from a score sheet, for programs and for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from t2r_env.render.ending import Stage, stages
from t2r_env.render.networks import longest_trail, walk
from t2r_env.render.shared_text import table_lines
from t2r_env.render.words import Words, points_text
from t2r_env.score_sheet import Scored


def score_report(scored: Scored) -> dict[str, Any]:
    """Return what has come out as a JSON-able dictionary.

    It has `variant`, `num_players` and `options` as snapshots have them; `teams`, for each team (without teams each
    player is one) the `names`, `score`, `rank`, `breakdown` by name, the `completed` and `failed` tickets as texts and,
    where the game compares them, the `longest_path` with its `length` and `cities`; `count`, the points one after the
    other as texts, each with the `points` it brings, or null; and `verdict`, who has won.
    """
    snapshot, configuration = scored.games.snapshot(), scored.configuration
    words = Words(configuration, None, scored.names)
    *counted, last = stages(snapshot, configuration, scored.names)
    return {
        **{key: snapshot[key] for key in ("variant", "num_players", "options")},
        "teams": [_team(snapshot, words, team) for team in words.teams()],
        "count": [_line(stage) for stage in counted],
        "verdict": last["title"],
    }


def _team(snapshot: Mapping[str, Any], words: Words, team: Sequence[int]) -> dict[str, Any]:
    final = snapshot["final"][team[0]]
    told: dict[str, Any] = {"names": [words.name(seat) for seat in team]}
    told |= {key: final[key] for key in ("score", "rank", "breakdown")}
    told |= {key: [words.ticket(ticket) for ticket in final[key]] for key in ("completed", "failed")}
    if getattr(words.configuration.rules[0], "needs_longest_path", False):
        lengths = {(it.a, it.b, it.track): it.length for it in words.variant.routes}
        owned = [(it["a"], it["b"], it["track"]) for it in snapshot["routes"] if {*it["owners"]} & {*team}]
        path = longest_trail(owned, lengths)
        length = sum(lengths[edge] for edge in path)
        told["longest_path"] = {"length": length, "cities": [words.city(city) for city in walk(path)]}
    return told


def _line(stage: Stage) -> dict[str, Any]:
    return {"text": stage["title"], "points": stage["points"]}


def score_text(report: Mapping[str, Any]) -> str:
    """Return a report as lines of text: the points as a table, the longest paths, the count, and who has won."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    teams = report["teams"]
    rows = [["", *(" and ".join(team["names"]) for team in teams)]]
    for part in teams[0]["breakdown"]:
        rows.append([part.replace("_", " "), *(points_text(team["breakdown"][part]) for team in teams)])
    rows.append(["score", *(points_text(team["score"]) for team in teams)])
    rows.append(["rank", *(str(team["rank"]) for team in teams)])
    rows += [[f"tickets {it}", *(str(len(team[it])) for team in teams)] for it in ("completed", "failed")]
    yield from table_lines(rows)
    for team in teams:
        if path := team.get("longest_path", {"length": 0})["length"]:
            cities = "–".join(team["longest_path"]["cities"])
            yield ""
            yield f"Longest path of {' and '.join(team['names'])}, {path}: {cities}"
    yield ""
    for it in report["count"]:
        points = "" if it["points"] is None else points_text(it["points"])
        yield f"{points:>4}  {it['text']}"
    yield ""
    yield report["verdict"]
