"""Output to terminals and pipes, whose encoding may lack letters of a city: a question mark stands for those."""

import io
import sys


def replace_missing_letters() -> None:
    """Let this process's output go on where its encoding lacks a letter. For programs, which own their streams."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_text(text: str) -> None:
    """Print a text and a newline at once. For libraries, whose caller owns the streams."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
