"""Folders of own maps and card games: a valid one is played a little."""

import functools
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from t2r_env import Games, configure
from t2r_env.render.svg import render_svg
from t2r_env.render.text import render_text
from t2r_env.variants import VARIANTS, VariantError, load_variant, loader
from tests.fuzz.damage import CELLS, archive_of, changed_table, damaged, pack, parts_of, unpacked
from tests.helpers.example_map import write_example_card_game, write_example_map

SHIPPED = Path(loader.__file__).parent


@functools.cache
def valid() -> list[bytes]:
    """The shipped games and the examples of the documentation, each folder as an archive."""
    with tempfile.TemporaryDirectory() as folder:
        examples = [write_example_map(Path(folder) / "map"), write_example_card_game(Path(folder) / "cards")]
        shipped = [SHIPPED / variant for variant in VARIANTS]
        return [pack(path, "*.[!m]*") for path in (*examples, *shipped)]  # without SOURCES.md


@st.composite
def changed(draw: DrawFn, folders: list[bytes]) -> bytes:
    """A folder with one or two damaged files."""
    folder = parts_of(draw(st.sampled_from(folders)))
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from(sorted(folder)))
        folder[name] = draw(_changed_file(name, folder[name]))
    if not draw(st.integers(0, 20)):
        del folder[draw(st.sampled_from(sorted(folder)))]
    return archive_of([*folder.items()])


def _changed_file(name: str, content: bytes) -> SearchStrategy[bytes]:
    text = content.decode(errors="replace")
    if name.endswith(".svg"):
        return damaged(content)
    return st.one_of(damaged(content), _changed_toml(text) if name.endswith(".toml") else changed_table(text))


TOML = (
    *("1", "0", "-1", "127", "true", "nan", "inf", "1979-05-27", '""', "[]", "{}", '["usa"]', "'x'", "1_000", "0x10"),
    *("0x" + "f" * 5000, "9" * 5000, "[" * 3000 + "]" * 3000, "{ a = 1, a = 2 }", "{ a.b.c = 1 }", '"\\ud800"', "[[]]"),
)


@st.composite
def _changed_toml(draw: DrawFn, text: str) -> bytes:
    lines = text.splitlines()
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key, _, value = lines[at].partition("=")
        match draw(st.sampled_from(("value", "value", "cell", "remove", "double", "key", "deep"))):
            case "value":
                lines[at] = f"{key}= {draw(st.sampled_from(TOML))}"
            case "cell":
                lines[at] = f"{key}= {draw(st.sampled_from(CELLS))}"
            case "remove" if len(lines) > 1:
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "key":
                lines[at] = f"{draw(st.sampled_from(('x', 'id', 'name', '[x]', '[[points]]', '')))} ={value}"
            case "deep":
                lines[at] = ".".join("a" * 400) + " = 1"
    return "\n".join(lines).encode()


def use(content: bytes) -> bool:
    """Load the folder and play; False if it is refused."""
    with unpacked(content) as path:
        try:
            variant = load_variant(path)
        except VariantError:
            return False
        fewest, most = variant.player_numbers[0], variant.player_numbers[-1]
        each_deck = [(fewest, deck) for deck in variant.ticket_decks]
        for num_players, tickets in [*each_deck, (most, variant.default_ticket_deck)]:
            games = Games(configure(path, num_players, tickets=tickets), batch=2, autoreset=False, seed=0)
            games.play_random(60)
            games.determinize(None, [1, 2])
            render_text(games.snapshot(), games.configuration)
            ElementTree.fromstring(render_svg(games.snapshot(), games.configuration))
            games.set_state(games.get_state())
    return True
