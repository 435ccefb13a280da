"""The library's version."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("t2r-env")
except PackageNotFoundError:  # imported from a checkout that is not installed
    __version__ = "not installed"
