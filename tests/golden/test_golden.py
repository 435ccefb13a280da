"""The core plays the golden games as they were recorded (`make golden` records them again)."""

from tests.golden import file_of, record
from tests.helpers.playing import Options, every_configuration


@every_configuration
def test_a_golden_game_is_played_as_it_was_recorded(variant: str, players: int, options: Options) -> None:
    recorded = file_of(variant, players, options).read_text(encoding="utf-8")
    assert record(variant, players, options, recorded).splitlines() == recorded.splitlines()
