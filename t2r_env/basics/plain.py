"""Texts of others made safe to show: one line that can do nothing to a terminal or a table, and hides nothing.

Names of agents and of people, and reasons of forfeits, come from files and programs of strangers. Wherever they are
shown they go through `plain`; in Markdown through `code`. Rich is given plain text without its markup, and pages escape
it. Where the encoding of a terminal or a pipe lacks a letter of a city, a question mark stands for it.
"""

import io
import re
import sys
import unicodedata

WITHOUT_TWINS = frozenset(
    ("ARABIC", "BENGALI", "CJK", "DEVANAGARI", "HANGUL", "HEBREW", "HIRAGANA", "KATAKANA", "TAMIL", "THAI")
)
"""Scripts whose letters nobody takes for Latin ones, by the first word of their names."""
WITH_TWINS = frozenset(("CYRILLIC", "GREEK"))
TWINS = frozenset("АВЕЅІЈКМНОРСТУХЬҮаеѕіјорсухһԁԛԝӏүΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχϲϳ")
"""Letters of these scripts that look like Latin ones."""
LATIN = frozenset("ÆæØøßŁłĐđŒœ")
"""Latin letters that are no letter of ASCII with an accent."""
PICTURES = range(0x1F300, 0x1FB00)

_HIDDEN_SPACES = re.compile("^ | $|(?<= ) ")
_WORDS_AND_OTHERS = re.compile(r"[^\W\d_]+|[^ -~]")


def plain(text: str) -> str:
    r"""Return a text as it can be shown in a line.

    Escapes stand for characters that control something, can't be seen or look like others: `\x1b`, `\u200b`, `\u0430`
    (a Cyrillic letter in a Latin word); also for spaces at an end or after another one. ASCII, Latin letters with
    accents, and words in other scripts that can't be taken for Latin ones stay.
    """
    return _WORDS_AND_OTHERS.sub(_plain_word, _HIDDEN_SPACES.sub(r"\\x20", text))


def code(text: str) -> str:
    """Return a text as code in Markdown, also in the cell of a table."""
    return f"`{plain(text).replace('`', chr(92) + 'x60').replace('|', chr(92) + 'x7c')}`"


def _plain_word(found: re.Match[str]) -> str:
    """Return a word of letters, or another character that is not ASCII, as it can be shown."""
    word = found[0]
    if word.isascii() and word.isprintable():
        return word
    scripts = {_script(letter) for letter in word}
    is_foreign = len(scripts) == 1 and scripts <= WITH_TWINS and not TWINS.issuperset(word)
    return "".join(it if is_foreign or _is_plain(it) else _escape(it) for it in word)


def _is_plain(character: str) -> bool:
    """Whether a character can be seen and looks like no other one."""
    if not character.isprintable() or unicodedata.normalize("NFKC", character) != character:
        return False
    parts = unicodedata.normalize("NFD", character)
    if character.isascii() or character in LATIN or (len(parts) > 1 and parts[0].isascii()):
        return True
    return (_script(character) in WITHOUT_TWINS and "FILLER" not in unicodedata.name(character)) or (
        ord(character) in PICTURES
    )


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


# Output to terminals and pipes


def replace_missing_letters() -> None:
    """Let this process's output go on where its encoding lacks a letter. For programs, which own their streams."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_file(text: str) -> None:
    """Print what a file is to hold: as UTF-8, unless to a terminal. For programs, which own their streams."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")


def print_text(text: str) -> None:
    """Print a text and a newline at once. For libraries, whose caller owns the streams."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
