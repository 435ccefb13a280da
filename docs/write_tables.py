"""Write the tables of actions and observations into docs/games: python docs/write_tables.py [--check].

They are made from the layout of the code, and stand between the marks `<!-- layout: usa num_players=2 -->` and
`<!-- end of layout -->`. `--check` writes nothing and fails if a page is out of date.
"""

import re
import sys
from pathlib import Path

import t2r_env
from t2r_env.core.layout import Segments

GAMES = Path(__file__).parent / "games"
BLOCK = re.compile(r"(<!-- layout: (\w+) num_players=(\d+) -->\n).*?(<!-- end of layout -->)", re.DOTALL)


def write_table(heading: str, segments: Segments) -> str:
    """One table: the name, start, shape and meaning of each block or segment."""
    rows = [
        f"| `{segment.name}` | {segment.start} | {' x '.join(map(str, segment.shape))} | {segment.meaning} |"
        for segment in segments.values()
    ]
    head = ["| name | start | shape | meaning |", "| --- | ---: | --- | --- |"]
    return "\n".join([f"### {heading}: {segments.size}", "", *head, *rows, ""])


def write_layout(match: re.Match[str]) -> str:
    """The tables of one page, as the code has them now."""
    begin, variant, num_players, end = match.groups()
    layout = t2r_env.configure(variant, int(num_players)).layout
    tables = [
        write_table("Actions", layout.actions),
        write_table("Observation", layout.observation),
        write_table("Global state", layout.global_state),
    ]
    return begin + "\n" + "\n".join(tables) + "\n" + end


def main(arguments: list[str]) -> int:
    """Write or check all pages. Returns the exit status: 1 if `--check` finds a page that is out of date."""
    outdated = []
    for page in sorted(GAMES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := BLOCK.sub(write_layout, text)) != text:
            outdated.append(page.name)
            if "--check" not in arguments:
                page.write_text(new, encoding="utf-8")
    if outdated and "--check" in arguments:
        print(f"out of date: {', '.join(outdated)}; run python docs/write_tables.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
