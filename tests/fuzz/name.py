"""Names, as UTF-8: wherever one is shown it is one line that does nothing, and in no other place than its own."""

import io

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from rich.console import Console

from t2r_agents.comparing.tournament.columns import text_table
from t2r_env.basics.plain import code, plain
from tests.fuzz.damage import any_damaged

PIECES = (
    *("\x1b[2J", "\x1b]0;x\x07", "\r", "\n", "\u2028", "\x9b1;1H", "\u202e", "\u200b", "\u3164", "\xa0"),
    *("[bold red]", "[/]", "[link=x]", "\\", "|", "`", "<b>", "&amp;", "$", "  ", "\udcff"),
    *("pl\u0430nner", "\uff50", "e\u0301"),
)
"""Parts of names that do harm somewhere."""


def valid() -> list[bytes]:
    """Names of agents and of people."""
    return [name.encode() for name in ("planner", "ismcts:0.2s,a b.safetensors", "Zürich", "Иван", "模型", "🚂 Tom")]


def inputs() -> SearchStrategy[bytes]:
    """A damaged name, or one of any characters and of parts that do harm."""
    pieces = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6).map("".join)
    return st.one_of(any_damaged(valid()), pieces.map(lambda name: name.encode(errors="surrogatepass")))


def check_line(text: object) -> None:
    """Check that a text is one line that controls nothing."""
    assert str(text).isprintable()


def use(content: bytes) -> bool:
    """Show the name in a line, a table and Markdown; whether it is shown as it is."""
    name = content.decode(errors="surrogateescape")
    line = plain(name)
    check_line(line)
    assert "|" not in code(name)
    assert code(name).count("`") == 2
    screen = Console(file=io.StringIO(), width=4000, force_terminal=False)
    screen.print(text_table("title", ["agent", name], [[name, "1"], ["other", "2"]]))
    rows = screen.file.getvalue().splitlines()  # type: ignore[attr-defined]  # it is a StringIO
    assert len(rows) == 7
    assert rows[4].startswith(f"│ {line}")
    return line == name
