"""`python -m tests.render.pictures`: draw all golden pictures again."""

from tests.render.pictures import FILES, FOLDER

if __name__ == "__main__":
    for name, draw in FILES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
