"""All that a seat knows, as text."""

from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.shared_text import WIDTH
from t2r_env.render.text import reading, render_text, renderer_of


def view_text(view: Any, configuration: Configuration, width: int = WIDTH) -> str:
    """Return all that a seat knows of a game as text, in lines of at most `width` characters.

    `view` is a row of `Games.views()`. The text is that of `render_text`: the decision, all cards, routes and tickets
    that the seat knows, with the completed ones marked. In a map game the routes that nobody has claimed follow, in
    the Card Game the cards that tickets in hand still lack.

    Raises what `render_text` does. A view does not tell of which map game it is: that of another one may be read
    wrongly, without an error.
    """
    snapshot = configuration.snapshot(view)
    lines = [render_text(snapshot, configuration, width).rstrip("\n"), ""]
    with reading(configuration, snapshot):
        renderer = renderer_of(snapshot, configuration, width)
        lines += renderer.further_lines()
    return "\n".join(lines).rstrip("\n") + "\n"
