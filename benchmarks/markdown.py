"""Pages of the documentation that a program measures and writes."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import describe_machine, describe_versions
from t2r_env.basics.writing import replacing


def table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join([f"**{title}**", "", *(f"| {' | '.join(line)} |" for line in lines)])


def write_page(title: str, program: str, given: Sequence[str], parts: Sequence[str], file: Path | None) -> None:
    """Print a page and write it to a file, if there is one: how it was measured, then its parts.

    `program` is the module that was run, with the arguments `given`.
    """
    said = shlex.join(["python", "-m", program, *given])
    versions = ", ".join(f"{name} {version}" for name, version in describe_versions().items())
    page = "\n\n".join([f"# {title}", f"`{said}`, on {describe_machine()}, with {versions}.", *parts])
    print(page)
    if file:
        with replacing(file) as new:
            new.write_text(page + "\n", encoding="utf-8")
