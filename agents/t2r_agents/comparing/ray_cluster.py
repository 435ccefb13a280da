"""The connection to a Ray cluster, which may be started on this machine, for tournaments and ratings."""

import logging
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from t2r_agents.playing.failures import one_line
from t2r_env.basics.packages import needs

LOCAL, AUTO = "local", "auto"
SECONDS_TO_CONNECT = 10.0
_SETTINGS = b"\x04"
_HTTP2_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
"""The first bytes of a client of HTTP/2 (RFC 9113, 3.4 and 6.5), on which Ray's gRPC is built. Each side begins with a
frame of settings. The first three bytes of a frame are its length, the fourth is its kind."""


def check_address(address: str) -> None:
    """Raise ValueError unless it may be one for `connected`, and MissingExtraError if Ray is not installed."""
    with needs("ray"):
        if find_spec("ray") is None:
            raise ModuleNotFoundError("No module named 'ray'", name="ray")
    host, _, port = address.rpartition(":")
    if address and address not in (LOCAL, AUTO) and not (host and port.isdecimal() and "/" not in host):
        raise ValueError(f"the address of a Ray cluster must be HOST:PORT, {AUTO} or {LOCAL}, not {address!r}")


@contextmanager
def connected(address: str = "", cpus: int | None = None, *, store_bytes: int | None = None) -> Iterator[int]:
    """Connect to the cluster at an address, and yield how many CPUs it has. Ray prints nothing and sends no statistics.

    If this process is connected already, that connection is used and stays open.

    Parameters
    ----------
    address
        HOST:PORT; `auto`, the cluster that `ray start` has started on this machine; or `local`, a cluster of our own on
        this machine, which ends with the context. Empty: the environment variable RAY_ADDRESS, which Ray sets
        for its jobs, or else `local`.
    cpus
        The CPUs of a cluster of our own; one for each core by default.
    store_bytes
        The memory that the processes of a cluster of our own share; by default a part of the machine's, as Ray chooses.

    Raises
    ------
    ConnectionError
        If there is no cluster, or it refuses the connection.
    ValueError, MissingExtraError
        As `check_address`.
    """
    address = address or os.environ.get("RAY_ADDRESS") or LOCAL
    check_address(address)
    if address not in (LOCAL, AUTO):
        _check_reachable(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns that this will be the default
    import ray

    # Ray has no switch for what it prints of processes that have ended
    ray._private.worker.print_to_stdstream = lambda *_, **__: None
    with ExitStack() as stack:
        own: dict[str, Any] = {}
        if address == LOCAL and not ray.is_initialized():
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # else it writes one into the home folder
            own = {"num_cpus": cpus, "object_store_memory": store_bytes, "include_dashboard": False}
            folder = "/tmp" if os.name == "posix" else None  # its path must be short, since it will hold sockets
            files = tempfile.TemporaryDirectory(prefix="ray_", dir=folder, ignore_cleanup_errors=True)
            own["_temp_dir"] = stack.enter_context(files)
        try:
            if not ray.is_initialized():
                stack.callback(ray.shutdown)
                ray.init(address, **own, log_to_driver=False, logging_level=logging.ERROR)
            found = int(ray.cluster_resources().get("CPU", 0))
        except Exception as error:  # Ray raises many types, plain Exception among them
            raise ConnectionError(f"no connection to a Ray cluster at {address}: {one_line(str(error))}") from None
        yield max(1, found)


def _check_reachable(address: str) -> None:
    """Raise ConnectionError within seconds, where Ray itself would try for minutes: if nothing listens there, or
    something else (which is not found out if Ray is told to encrypt, by RAY_USE_TLS)."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), SECONDS_TO_CONNECT) as connection:
            if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
                return
            connection.sendall(_HTTP2_HELLO)
            kind = connection.makefile("rb").read(4)[3:]
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"no connection to a Ray cluster at {address}: {error}") from None
    if kind != _SETTINGS:
        raise ConnectionError(f"no connection to a Ray cluster at {address}: what listens there is not Ray")
