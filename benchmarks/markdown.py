"""Pages of the documentation that a program measures and writes, whole or between marks."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.machine import describe_machine, describe_versions
from t2r_env.basics.writing import replacing


def table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join([f"**{title}**", "", *(f"| {' | '.join(line)} |" for line in lines)])


def measured(program: str, given: Sequence[str], parts: Sequence[str]) -> str:
    """Return how something was measured, then its parts.

    `program` is the module that was run, with the arguments `given`.
    """
    said = shlex.join(["python", "-m", program, *given])
    versions = ", ".join(f"{name} {version}" for name, version in describe_versions().items())
    return "\n\n".join([f"```\n{said}\n```", f"On {describe_machine()}, with {versions}.", *parts])


def write_page(title: str, program: str, given: Sequence[str], parts: Sequence[str], file: Path | None) -> None:
    """Print what was `measured` under a title, and write it to a file, if there is one."""
    page = f"# {title}\n\n{measured(program, given, parts)}"
    print(page)
    if file:
        with replacing(file) as new:
            new.write_text(page + "\n", encoding="utf-8")


def write_parts(parts: Mapping[str, str], file: Path | None) -> None:
    """Print parts of a page, and write them into the page, if there is one: each between the marks of its name.

    Marks of `cost` are `<!-- cost -->` and `<!-- end of cost -->`. All else on the page stays. Raises ValueError, and
    changes nothing, if the page lacks marks.
    """
    print("\n\n".join(parts.values()))
    if file:
        page = file.read_text(encoding="utf-8")
        for name, part in parts.items():
            marked = re.fullmatch(rf"(.*<!-- {name} -->\n).*?(<!-- end of {name} -->.*)", page, re.DOTALL)
            if marked is None:
                raise ValueError(f"{file} has no marks <!-- {name} --> and <!-- end of {name} -->")
            page = f"{marked[1]}\n{part}\n\n{marked[2]}"
        with replacing(file) as new:
            new.write_text(page, encoding="utf-8")
