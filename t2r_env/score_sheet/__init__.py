"""Games that were played at a table: a score sheet, as people write it, becomes a finished game."""

from t2r_env.score_sheet.sheet import (
    Scored,
    SheetError,
    parse_sheet,
    player_keys,
    read_sheet,
    score_sheet,
    sheet_text,
    template,
    written_route,
    written_ticket,
)

__all__ = [
    "Scored",
    "SheetError",
    "parse_sheet",
    "player_keys",
    "read_sheet",
    "score_sheet",
    "sheet_text",
    "template",
    "written_route",
    "written_ticket",
]
