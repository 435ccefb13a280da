"""The machine and the versions that a measurement was made with."""

import importlib.metadata
import platform
from pathlib import Path

from t2r_env.basics.cores import count_cores
from t2r_env.basics.packages import __version__

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")


def describe_machine() -> str:
    """Return the name of the processor, and the number of its cores that this process may use."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor() or platform.machine()}, {count_cores()} cores"


def describe_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that speed depends on."""
    own = {"python": platform.python_version(), "t2r-env": __version__}
    return own | {name: importlib.metadata.version(name) for name in PACKAGES}
