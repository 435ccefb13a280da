"""Write the tables of observations and actions into docs/games: python docs/write_tables.py [--check].

Each page has a block between the marks `<!-- layout: usa num_players=2 -->` and `<!-- end of layout -->`, which is
made from the layout that the code itself uses. `--check` writes nothing and fails if a page is out of date.
"""

import re
import sys
from pathlib import Path

import t2r_env
from t2r_env.core.layout import Segments

GAMES = Path(__file__).parent / "games"
BLOCK = re.compile(r"(<!-- layout: (\w+) num_players=(\d+) -->\n).*?(<!-- end of layout -->)", re.DOTALL)


def write_table(heading: str, segments: Segments) -> str:
    """One table: the name, place, shape and meaning of each segment."""
    rows = [
        f"| `{segment.name}` | {segment.start} | {' x '.join(map(str, segment.shape))} | {segment.meaning} |"
        for segment in segments.values()
    ]
    head = ["| name | from | shape | meaning |", "| --- | ---: | --- | --- |"]
    return "\n".join([f"### {heading}: {segments.size}", "", *head, *rows, ""])


def write_layout(match: re.Match[str]) -> str:
    """A page's block anew."""
    begin, variant, num_players, end = match.groups()
    layout = t2r_env.configure(variant, int(num_players)).layout
    tables = [
        write_table("Actions", layout.actions),
        write_table("Observation", layout.observation),
        write_table("Truth", layout.global_state),
    ]
    return begin + "\n" + "\n".join(tables) + "\n" + end


def main(arguments: list[str]) -> int:
    """Write all pages, or check them; 1 if one is out of date."""
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
