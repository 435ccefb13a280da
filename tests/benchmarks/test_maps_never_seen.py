"""The benchmark of maps never seen: its table."""

from benchmarks.any_board import MAPS, OPPONENTS, rows_of
from t2r_env import VARIANTS


def test_the_mean_is_over_the_maps() -> None:
    wins = {"usa": 0.5, "europe": 0.25}
    found = {f"one {variant} {it}": [value, 0.0, 1.0] for variant, value in wins.items() for it in OPPONENTS}
    *rows, mean = rows_of("one", list(wins), found)
    assert [row[0] for row in rows] == ["usa", "europe"]
    assert rows[0][1] == "50.0 (0.0–100.0)"
    assert mean == ["mean", "37.5", "37.5", "37.5"]
    assert set(MAPS) == set(VARIANTS) - {"card_game"}
