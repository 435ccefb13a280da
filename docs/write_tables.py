"""Write the generated parts of the README and the pages of docs: python -m docs.write_tables [--check].

Marks surround them: `<!-- layout: usa num_players=2 -->` and `<!-- end of layout -->`. Layouts and columns come from
the code, lists of games from docs/games/README.md, rulings from docs/rules, results from docs/strength.md, ratings from
`t2r rate`, the leaderboard from benchmarks/leaderboard, played games from docs/replays, tuned parameters from the
planner's table. `--check` writes nothing and fails if a page is out of date.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import fmean

import t2r_env
from benchmarks import leaderboard
from docs.record_games import AGENTS, FOLDER
from t2r_agents.comparing.rating.ladder import read_ladders
from t2r_agents.playing.planner.tuned import read_table
from t2r_env.core.layout import Segment
from t2r_env.features import find_features
from t2r_env.graph import COLUMNS
from t2r_env.render.replay_steps import called
from t2r_env.replay import Replay
from t2r_env.variants import VARIANTS

DOCS = Path(__file__).parent
BLOCK = re.compile(r"(<!-- (\w+): (\w+)(?: num_players=(\d+))? -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
GAME = re.compile(r"^\| \[(.+?)\]\((\w+)\.md\) \| (.+?) \| .+? \| (.+?) \| .+? \|$", re.MULTILINE)
"""A row of the table of docs/games/README.md: the game's name, its variant, the numbers of players, special rules."""
RULE = re.compile(r"^- \*\*([A-Z]+\d+)(?:\*\*| )(.*?)(?=^- \*\*|^## |\Z)", re.DOTALL | re.MULTILINE)


# Layouts


def write_table(heading: str, size: int, segments: Iterable[Segment]) -> str:
    """Return a table: the name, start, shape and meaning of each block or segment."""
    rows = [
        f"| `{segment.name}` | {segment.start} | {' x '.join(map(str, segment.shape))} | {segment.meaning} |"
        for segment in segments
    ]
    head = ["| name | start | shape | meaning |", "| --- | ---: | --- | --- |"]
    return "\n".join([f"### {heading}: {size}", "", *head, *rows, ""])


def write_layout(variant: str, num_players: str) -> str:
    """Return the tables of a configuration."""
    configuration = t2r_env.configure(variant, int(num_players))
    layout, features = configuration.layout, find_features("plan", configuration).segments
    whole = layout.observation.followed_by(features)
    after = (whole[name] for name in features)
    tables = [
        write_table("Actions", layout.actions.size, layout.actions.values()),
        write_table("Observation", layout.observation.size, layout.observation.values()),
        write_table("Features `plan`, which may follow the observation", features.size, after),
        write_table("Global state", layout.global_state.size, layout.global_state.values()),
    ]
    return "\n".join(tables)


def write_graph(_: str, __: str) -> str:
    """Return the columns of the graph observation, table by table."""
    return "\n".join(write_table(f"`{name}`", columns.size, columns.values()) for name, columns in COLUMNS.items())


# Games


def read_games() -> list[tuple[str, str, str, str]]:
    """Return the games: their names, variants, numbers of players, and special rules."""
    return GAME.findall((DOCS / "games" / "README.md").read_text(encoding="utf-8"))


def write_games(_: str, __: str) -> str:
    """Return the table of games of the start page."""
    head = ["| game | players | what is special |", "| --- | --- | --- |"]
    rows = [f"| [{name}](games/{variant}.md) | {players} | {rules} |" for name, variant, players, rules in read_games()]
    return "\n".join([*head, *rows, ""])


def write_galleries(_: str, __: str) -> str:
    """Return a section of the gallery for each game."""
    sections = (
        f"## {name}\n\n[About the game](games/{variant}.md);"
        f" [the whole game, step by step](games/{variant}.md#a-game-to-watch).\n\n<!-- gallery: {variant} -->\n"
        for name, variant, _, _ in read_games()
    )
    return "\n".join(sections)


def write_pages(_: str, __: str) -> str:
    """Return the table of the pages of rules, the last ones of rules that no included game has."""
    others = {page.stem for page in (DOCS / "rules").glob("*.md")} - {"README", "rulings", "common", *VARIANTS}
    names = ("common", *VARIANTS, *sorted(others))
    titles = {name: _read_rules_page(name).partition("\n")[0].removeprefix("# ") for name in names}
    head = ["| page | rules |", "| --- | --- |"]
    return "\n".join([*head, *(f"| [{name}.md]({name}.md) | {title} |" for name, title in titles.items()), ""])


# Rulings


def _read_rules_page(page: str) -> str:
    return (DOCS / "rules" / f"{page}.md").read_text(encoding="utf-8")


def read_rules(page: str) -> dict[str, str]:
    """Return the rules of a page of docs/rules by number; a heading in bold is the beginning of its text."""
    return {
        rule[1]: (f"**{rule[2]}" if rule[0][len(rule[1]) + 4] == " " else rule[2]).strip()
        for rule in RULE.finditer(_read_rules_page(page))
    }


def read_rulings(page: str) -> dict[str, str]:
    """Return those of its rules that contain a ruling."""
    return {number: text for number, text in read_rules(page).items() if "**ruling" in text.lower()}


def write_rulings(page: str, _: str) -> str:
    """Return the rulings of a game in full, and the numbers of those that it shares; for `common` these in full."""
    own = "\n".join(f"- {number}: {text}\n" for number, text in read_rulings(page).items())
    if page == "common":
        return own
    common = list(read_rulings("common"))
    if t2r_env.configure(page).variant.ruleset == "card_game":
        named = re.findall(r"\bC\d+\b", read_rules(page)["CG0"])  # the common rules that hold
        common = [number for number in common if number in named]
    after = f"; of the game's own:\n\n{own}" if own else ".\n"
    return (
        "What the publisher leaves open is decided here: of the [common rules](../rules/rulings.md)"
        f" {', '.join(common)}{after}"
    )


# Results


def write_results(variant: str, _: str) -> str:
    """Return the table of docs/strength.md that ranks the agents in a game, without their speed; for `all` that of the
    win rates."""
    text = (DOCS / "strength.md").read_text(encoding="utf-8")
    if variant == "all":
        summary = r"^\*\*win rate in all variants, %\*\*\n\n(.*?)\n\n"
        return f"{re.findall(summary, text, re.DOTALL | re.MULTILINE)[0]}\n"
    found = re.findall(rf"^\*\*{variant}, ([^:\n]*)\*\*\n\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    if not found:
        return "Not measured yet: `make strength` does.\n"
    played, table = found[0]
    rows = [row.rpartition(" | ")[0] + " |" for row in table.splitlines()]
    return (
        f"With {played}; each agent against all others. [Playing strength](../strength.md) has all pairs, and says what"
        f" the columns mean.\n\n" + "\n".join(rows) + "\n"
    )


def write_ratings(_: str, __: str) -> str:
    """Return the ratings of the references in all ladders of the library, the strongest first."""
    ladders = read_ladders()
    ratings = {name: [it.references.get(name) for it in ladders] for it in ladders for name in it.references}
    means = {name: fmean(rating.value for rating in own if rating) for name, own in ratings.items()}
    rows = [
        " | ".join([name, *("–" if rating is None else f"{rating.value:.0f}" for rating in ratings[name])])
        for name in sorted(means, key=lambda name: -means[name])
    ]
    heads = [
        " | ".join(["agent", *(it.title().replace("_", " ") for it in ladders)]),
        "--- |" + " ---: |" * len(ladders),
    ]
    return "\n".join([f"| {heads[0]} |", f"| {heads[1]}", *(f"| {row} |" for row in rows)]) + "\n"


def write_leaderboard(_: str, __: str) -> str:
    """Return the tables of the leaderboard, one for each game and number of players."""
    return leaderboard.tables(leaderboard.read())


# Played games


def write_played(variant: str, _: str) -> str:
    """Return who played the recorded game of docs/replays, and its result."""
    games = Replay.load(FOLDER / f"{variant}.json").final()
    ended, names = games.snapshot(), called(AGENTS[variant], games.num_players)
    players = [f"{name} {player['score']}" for name, player in zip(names, ended["final"], strict=True)]
    return (
        f"Agents play it: {', '.join(players)} points, after {ended['turn']} turns. The file"
        f" [{variant}.json](../replays/{variant}.json) is its recording, of which"
        f" `t2r replay docs/replays/{variant}.json --html game.html` makes a page.\n"
    )


# Tuned parameters


def write_tuned(_: str, __: str) -> str:
    """Return the games for which the planner's parameters are tuned, with the gain."""
    rows = [
        "| game | players | tickets | share of wins before | after | gain | winner's score alone, before | after |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for entry in read_table():
        shares = [entry.made[name] for name in ("start_of_all", "result_of_all", "gain")]
        cells = [f"{100 * it['value']:.1f} ± {50 * (it['high'] - it['low']):.1f} %" for it in shares]
        mirrors = [entry.made.get(name) for name in ("start_mirror", "result_mirror")]
        cells += [f"{it['score']:.1f}" if it else "–" for it in mirrors]
        game = entry.variant, str(entry.num_players), entry.options.get("tickets", "–")
        rows.append(f"| {' | '.join([*game, *cells])} |")
    return "\n".join([*rows, ""])


# Pages

WRITERS: dict[str, Callable[[str, str], str]] = {
    "layout": write_layout,
    "graph": write_graph,
    "games": write_games,
    "galleries": write_galleries,
    "pages": write_pages,
    "rulings": write_rulings,
    "results": write_results,
    "ratings": write_ratings,
    "leaderboard": write_leaderboard,
    "played": write_played,
    "tuned": write_tuned,
}


def write_block(match: re.Match[str]) -> str:
    """Return the text between two marks, with the marks."""
    begin, kind, subject, num_players, end = match.groups()
    return f"{begin}\n{WRITERS[kind](subject, num_players)}\n{end}"


def missing() -> Iterator[str]:
    """Yield what is not there of that from which pages are made, each with what to do."""
    listed = [variant for _, variant, _, _ in read_games()]
    for variant in VARIANTS:
        if variant not in listed:
            yield f"{variant} in docs/games/README.md: add a row to the table of games"
        for folder, whole in (("games", "the page of the game"), ("rules", "its numbered rules")):
            if not (DOCS / folder / f"{variant}.md").exists():
                yield f"docs/{folder}/{variant}.md: write {whole}"
        if not (FOLDER / f"{variant}.json").exists():
            who = "write who plays into docs/record_games.py"
            yield f"docs/replays/{variant}.json: {who}, then python -m docs.record_games {variant}"


def main(arguments: list[str]) -> int:
    """Write or check all pages. Returns the exit status: 1 if something is missing, or is out of date for `--check`."""
    if lacking := [*missing()]:
        print("missing:", *lacking, sep="\n  ", file=sys.stderr)
        return 1
    outdated = []
    for page in (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        if (new := BLOCK.sub(write_block, text)) != text:
            outdated.append(str(page.relative_to(DOCS.parent)))
            if "--check" not in arguments:
                page.write_text(new, encoding="utf-8")
    if outdated and "--check" in arguments:
        print(f"out of date: {', '.join(outdated)}; run make tables", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
