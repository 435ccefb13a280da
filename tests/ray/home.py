"""Commands in processes of their own, which set by themselves what Ray needs, and leave the home folder alone."""

import os
from pathlib import Path

from t2r_env.core.cache import cache_root

SET_BY_THE_COMMAND = ("RAY_AUTH", "RAY_USAGE", "RAY_ACCEL")


def at_home(home: Path) -> dict[str, str]:
    """The environment of a command with this home folder, which has nothing that the command sets for Ray."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SET_BY_THE_COMMAND)}
    environment |= {"HOME": str(home), "MPLCONFIGDIR": str(home.parent / "matplotlib")}
    environment["T2R_ENV_CACHE_DIR"] = str(cache_root())  # elsewhere it would be compiled again
    return environment


def without_compiling(errors: str) -> list[str]:
    """The lines on stderr, without what the first use says."""
    return [line for line in errors.splitlines() if line and not line.startswith("t2r_env: compiling")]
