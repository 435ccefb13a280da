"""Opening a page in the browser of whoever runs a command."""

import os
import sys
import webbrowser


def open_in_browser(address: str) -> None:
    """Open a page, if there is a browser with a window; a text browser would take the terminal."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in named):
        webbrowser.open(address)
