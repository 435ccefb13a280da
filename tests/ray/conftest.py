"""These tests need Ray, which has an environment of its own: without it they are not collected."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]
