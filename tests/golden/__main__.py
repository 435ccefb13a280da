"""`python -m tests.golden`: record all golden games anew."""

from tests.golden import FOLDER, all_games, file_of, record

if __name__ == "__main__":
    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for variant, players in all_games():
        file_of(variant, players).write_text(record(variant, players), encoding="utf-8")
