"""Agents, in three rooms: what plays (`playing`), what compares (`comparing`), what shows (`browser`)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from t2r_agents.playing.loaded_policy import LoadedPolicy, load_policy
    from t2r_agents.playing.onnx_export import export_onnx

__all__ = ["LoadedPolicy", "export_onnx", "load_policy"]

_MODULES = {
    "LoadedPolicy": "playing.loaded_policy",
    "load_policy": "playing.loaded_policy",
    "export_onnx": "playing.onnx_export",
}


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` when it is first used: policies need extras, which other agents do without."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
