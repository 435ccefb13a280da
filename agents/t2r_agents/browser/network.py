"""The addresses of the server: where it listens, and at which others can reach it, as text and as QR codes."""

import io
import ipaddress
import socket
from urllib.parse import urlsplit

import segno

LOOPBACK = "127.0.0.1"
PORT = 8765
"""The port to listen on, unless another one is asked for or this one is taken."""
_FAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of nobody (RFC 5737, RFC 3849), on the way to which the system names the interface of the network."""
_BORDER = 4
"""The white modules around a code that readers need."""


def listen(host: str = LOOPBACK, port: int | None = None) -> socket.socket:
    """Return a socket that listens on a port, by default `PORT`, or any other if that is taken. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY on connections of this protocol alone; without it answers come 40 ms late
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listener.bind((host, PORT if port is None else port))
        except OSError:
            if port is not None:
                raise
            listener.bind((host, 0))
        listener.listen(64)
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"can't listen on {host}, port {PORT if port is None else port}: {error}") from error
    return listener


def own_origin(listener: socket.socket) -> str:
    """Return the start of the addresses for this machine."""
    host, port = listener.getsockname()[:2]
    return _origin(_loopback(listener) if ipaddress.ip_address(host).is_unspecified else host, port)


def shared_origin(listener: socket.socket) -> str | None:
    """Return the start of the addresses that other machines can open; None if they can't connect.

    If it listens on all interfaces, that is the address on the interface of the network. Nothing is sent to find it.
    """
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        with socket.socket(listener.family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((_FAR[listener.family], 9))
                host = probe.getsockname()[0]
            except OSError:  # there is no network
                host = _loopback(listener)
    return None if ipaddress.ip_address(host).is_loopback else _origin(host, port)


def own_names(host: str) -> set[str]:
    """Return the names, in lower case, that a server on `host` goes by besides its addresses.

    Only others who connect use the names of the machine: `localhost` is that of this machine alone.
    """
    names = {"localhost", host}
    if not _is_loopback(host):
        name = socket.gethostname()
        names |= {name, f"{name.partition('.')[0]}.local", socket.getfqdn()}
    return {name.lower().rstrip(".") for name in names}


def is_of_this_machine(host: str) -> bool:
    """Whether a page's host, with or without a port, is the loopback: others can't open its address."""
    name = urlsplit(f"//{host}").hostname or ""
    return _is_loopback(name)


def code_svg(text: str) -> str:
    """Return the QR code of a text, an SVG document."""
    svg = io.BytesIO()
    segno.make_qr(text).save(svg, kind="svg", border=_BORDER, light="#fff", scale=4)
    return svg.getvalue().decode()


def code_text(text: str) -> str:
    """Return the QR code of a text for a terminal, in halves of blocks."""
    drawn = io.StringIO()
    segno.make_qr(text).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def _origin(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _loopback(listener: socket.socket) -> str:
    return "::1" if listener.family == socket.AF_INET6 else LOOPBACK


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
