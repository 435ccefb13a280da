"""Learning: PPO in self-play (`t2r train`), and how strong its policies are (`t2r evaluate`)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from t2r_train.own_network import save_policy

__all__ = ["save_policy"]


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` when it is first used, as it needs PyTorch."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.own_network"), name)
