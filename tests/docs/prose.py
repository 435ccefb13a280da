"""Find phrases that are hard to read: python -m tests.docs.prose [PATH ...]; by default everything."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PATHS = (
    *("t2r_env", "agents", "train", "benchmarks", "examples", "docs"),
    *("README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"),
)
FIRST_LINES = {  # of docstrings, with what to write instead
    r"Of\b": "name the thing: 'The size of ...'",
    r"(What|Where)\b": "begin with a verb or a noun: 'Return ...', 'The ...' (PEP 257)",
}
PHRASES = {  # anywhere
    r"so[- ]many": "write 'a number of', 'how many' or the number",
    r"an? training(?! (run|step|script|set|loop|game|iteration|process|folder|curve)s?\b)": "write 'a training run'",
    r"anew": "write 'again'",
    r"likewise": "repeat what holds, or write 'also'",
    r"beside": "write 'next to' or 'in addition to'",
}


def find_phrases(path: Path) -> Iterator[str]:
    """Yield a line for each phrase of a Python file's docstrings, or of a page, that should be rewritten."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        docstrings, texts = [], [(1, content)]
    else:
        strings = [node.value for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Expr)]
        docstrings = texts = [(it.lineno, str(it.value)) for it in strings if isinstance(it, ast.Constant)]
    for line, text in docstrings:
        for phrase, advice in FIRST_LINES.items():
            if found := re.match(phrase, text):
                yield f"{path}:{line}: docstring begins with {found[0]!r}: {advice}"
    for line, text in texts:
        for phrase, advice in PHRASES.items():
            for found in re.finditer(rf"\b{phrase}\b", text, re.IGNORECASE):
                yield f"{path}:{line + text.count(chr(10), 0, found.start())}: {found[0]!r}: {advice}"


def main(paths: list[str]) -> int:
    """Print the findings in these paths, by default in all that are checked; return the exit status."""
    files = [file for path in paths or PATHS for file in (Path(path), *Path(path).rglob("*"))]
    checked = [it for it in files if it.suffix in (".py", ".md")]
    found = [line for file in sorted(checked) for line in find_phrases(file)]
    print("\n".join(found or [f"no findings in {len(checked)} files"]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
