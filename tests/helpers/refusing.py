"""Commands that refuse their arguments."""

from collections.abc import Callable

import pytest


def refusal(capsys: pytest.CaptureFixture[str], command: Callable[[list[str]], object], *arguments: object) -> str:
    """What a command writes to stderr when it refuses its arguments: its last line is the message."""
    with pytest.raises(SystemExit) as stopped:
        command([*map(str, arguments)])
    assert stopped.value.code == 2
    return capsys.readouterr().err
