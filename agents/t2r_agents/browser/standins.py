"""Stand-ins until the story has its own: the line over the board, and the stages of the end."""

from typing import Any


def headline(snapshot: Any, configuration: Any, seat: int | None, names: Any) -> str:
    if snapshot["final"]:
        return f"{names[min(range(len(names)), key=lambda it: snapshot['final'][it]['rank'])]} wins"
    current = snapshot["current_player"]
    return "The game is over" if current is None else "Your turn" if current == seat else f"{names[current]} is to move"


def stages(snapshot: Any, configuration: Any, names: Any) -> list[dict[str, Any]]:
    totals = [player["score"] for player in snapshot["players"]]
    return [
        {"title": headline(snapshot, configuration, None, names), "seat": None, "points": None, "totals": totals, "routes": []}
    ]
