"""Pictures and pages of the recorded games of docs/replays, which conf.py puts where pages have marks for them.

    <!-- picture: usa late -->       one picture
    <!-- gallery: usa -->            all pictures of a game
    <!-- replay: usa -->             the page of the whole game
    <!-- games: all -->              the table of games up to <!-- end of games -->, as tiles with pictures

The marks are comments, so that pages read well where there are no pictures, as on a repository's web page. The README
has pictures of its own, in docs/images: `python -m docs.pictures` makes them again.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docs.record_games import AGENTS, FOLDER
from t2r_env import configure, generate_map
from t2r_env.render.animation import encode
from t2r_env.render.narration import Snapshot
from t2r_env.render.replay_page import render_replay_html
from t2r_env.render.replay_steps import Step, replay_steps
from t2r_env.render.svg import NARROW, WIDE, render_board_svg
from t2r_env.replay import Replay

SITE = "docs/pictures"
"""Their folder in the site."""
IMAGES = Path(__file__).parent / "images"
MARK = re.compile(r"^<!-- (picture|gallery|replay): (\w+)(?: (\w+))? -->$", re.MULTILINE)

GAMES = re.compile(r"<!-- games: all -->\n(.*?)<!-- end of games -->\n", re.DOTALL)
"""A table of games."""
ROW = re.compile(r"^\| \[(.+?)\]\(((?:\S+/)?(\w+))\.md\) \| (.*?) \| (.*?) \|$", re.MULTILINE)
"""A game in it: its name, its page, its id, the numbers of players, and what is special."""

LAID = re.compile(" (claims|plays|spends) ")
"""Words of sentences about cards that are laid."""


@dataclass(frozen=True)
class Picture:
    """A moment of a game, and how to show it."""

    share: float
    """The least share of the game that has been played."""
    caption: str
    seat: int | None = None
    """The seat whose view it is; None shows everything."""
    width: int = WIDE


ANIMATED = 900
"""The width of the moving map of the README, in pixels."""
LATE = 0.85
"""The share of the game that has been played on tiles."""

PICTURES: Mapping[str, Picture] = {
    "early": Picture(0.25, "Early in the game, everything shown"),
    "late": Picture(0.78, "Late in the game"),
    "ended": Picture(1, "The end"),
    "view": Picture(0.6, "What the player on seat 1 knows", seat=1),
    "narrow": Picture(0.6, "The same, 600 pixels wide", seat=1, width=NARROW),
}


@cache
def replay_of(variant: str) -> Replay:
    """Return the recorded game of a variant."""
    return Replay.load(FOLDER / f"{variant}.json")


@cache
def steps_of(variant: str, seat: int | None) -> list[Step]:
    """Return its steps, with everything or as a seat saw them."""
    return list(replay_steps(replay_of(variant), seat, names=AGENTS[variant]))


def draw(variant: str, picture: Picture) -> str:
    """Return a picture as SVG, of a step by which cards are laid if the next tenth of the game has one."""
    steps = steps_of(variant, picture.seat)
    first = min(round(picture.share * len(steps)), len(steps) - 1)
    near = steps[first : first + len(steps) // 10 + 1]
    laid = (step for step in near if step.snapshot["phase"] != "pay" and LAID.search(" ".join(step.lines)))
    return next(laid, near[0]).svg(replay_of(variant), picture.width)


def draw_tile(variant: str) -> str:
    """Return the map late in the game, with the trains on it; of a game without a map the whole picture."""
    replay = replay_of(variant)
    if replay.configuration.variant.ruleset != "map_game":
        return draw(variant, PICTURES["late"])
    steps = steps_of(variant, None)
    return render_board_svg(steps[round(LATE * len(steps))].snapshot, replay.configuration, width=NARROW)


def write_game(variant: str, site: Path) -> None:
    """Write all pictures and the page of a game into the site, unless they are newer than what they are made of."""
    folder = site / SITE
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{variant}.html"
    if written.exists() and written.stat().st_mtime > max(path.stat().st_mtime for path in _sources()):
        return
    for name, picture in PICTURES.items():
        (folder / f"{variant}_{name}.svg").write_text(draw(variant, picture), encoding="utf-8")
    (folder / f"{variant}_tile.svg").write_text(draw_tile(variant), encoding="utf-8")
    page = render_replay_html(replay_of(variant), names=AGENTS[variant], each_seat=False)
    written.write_text(page, encoding="utf-8")


def _sources() -> Iterator[Path]:
    """Return the files that pictures and pages depend on."""
    docs = Path(__file__).parent
    yield from docs.glob("*.py")
    yield from FOLDER.iterdir()
    yield from (path for path in (docs.parent / "t2r_env").rglob("*") if path.is_file() and path.suffix != ".pyc")


def write_images() -> None:
    """Write the animation of the README and of the start page, and a generated map."""
    made = configure(generate_map(7))
    board = render_board_svg(made.snapshot(made.opening[0]), made, width=1000)
    (IMAGES / "generated_map.webp").write_bytes(encode([board], 1000, "webp"))
    configuration = replay_of("usa").configuration
    claims = [step for step in steps_of("usa", None) if step.before is None or _trains(step.snapshot, step.before)]
    shown = [claims[-1], *claims]  # the end first: the palette is that of the first frame, and it is what a still shows
    maps = (render_board_svg(step.snapshot, configuration, width=ANIMATED) for step in shown)
    (IMAGES / "usa.webp").write_bytes(encode(maps, 400, "webp"))


def _trains(snapshot: Snapshot, before: Snapshot) -> bool:
    """Whether trains have come to the map."""
    return any(now["owners"] != old["owners"] for now, old in zip(snapshot["routes"], before["routes"], strict=True))


def show_games(docname: str, text: str) -> str:
    """Return a page with pictures and games in place of the marks."""
    folder = "../" * docname.count("/") + SITE

    def shown(mark: re.Match[str]) -> str:
        kind, variant, name = mark.groups()
        if kind == "picture":
            return _figure(folder, variant, name)
        if kind == "gallery":
            return f'<div class="gallery">\n{"".join(_figure(folder, variant, name) for name in PICTURES)}</div>\n'
        return _frame(f"{folder}/{variant}.html", _title(variant))

    return GAMES.sub(lambda table: _tiles(folder, table[1]), MARK.sub(shown, text))


def _tiles(folder: str, table: str) -> str:
    """Return a tile for each game of a table."""
    tiles = (
        f'<a href="{page}.html"><img src="{folder}/{variant}_tile.svg" alt="" loading="lazy">'
        f"<strong>{html.escape(name)}</strong><span>{players} players; {html.escape(special)}</span></a>\n"
        for name, page, variant, players, special in ROW.findall(table)
    )
    return f'<div class="tiles">\n{"".join(tiles)}</div>\n'


def _figure(folder: str, variant: str, name: str) -> str:
    source, caption = f"{folder}/{variant}_{name}.svg", html.escape(PICTURES[name].caption)
    return (
        f'<figure class="game {name}"><a href="{source}">'
        f'<img src="{source}" alt="{_title(variant)}: {caption}" loading="lazy"></a>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _frame(source: str, title: str) -> str:
    return (
        f'<p><a href="{source}">The game by itself</a></p>\n'
        f'<iframe class="game" src="{source}" title="{title}, step by step" loading="lazy"></iframe>\n'
    )


def _title(variant: str) -> str:
    configuration = replay_of(variant).configuration
    return html.escape(f"{configuration.variant.name}, {configuration.num_players} players")


if __name__ == "__main__":
    write_images()
