"""The example of docs/boxes.md as a folder, as the page's reader would type it."""

import re
from pathlib import Path

DOCUMENTATION = (Path(__file__).parents[1] / "docs" / "boxes.md").read_text(encoding="utf-8")


def write_example_map(folder: Path) -> Path:
    """Write the page's files into a folder, which is made if it is not there; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", DOCUMENTATION, re.MULTILINE | re.DOTALL):
        (folder / file).write_text(content, encoding="utf-8")
    return folder
