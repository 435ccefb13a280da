"""`python -m tests.golden`: record all golden games anew."""

from tests.golden import FOLDER, file_of, record
from tests.playing import CONFIGURATIONS

if __name__ == "__main__":
    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for variant, players in CONFIGURATIONS:
        file_of(variant, players).write_text(record(variant, players), encoding="utf-8")
