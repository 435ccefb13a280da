"""`python -m tests.golden`: record all golden games again."""

from tests.golden import FOLDER, file_of, record
from tests.helpers.playing import CONFIGURATIONS

if __name__ == "__main__":
    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for configuration in CONFIGURATIONS:
        file_of(*configuration).write_text(record(*configuration), encoding="utf-8")
