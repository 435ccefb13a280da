"""The examples of docs/variants.md as folders, as the page's reader would type them."""

import re
from functools import partial
from pathlib import Path

DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")


def write_example_map(folder: Path, prefix: str = "") -> Path:
    """Write the files of the page's map into a folder, which is made if it is not there; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in re.findall(rf"^```\w+ {prefix}([\w.]+)\n(.*?)^```$", DOCUMENTATION, re.MULTILINE | re.DOTALL):
        (folder / file).write_text(content, encoding="utf-8")
    return folder


write_example_card_game = partial(write_example_map, prefix="cards/")
