"""Playing over a network: names and addresses of the server, their codes, and who is there."""

import re
import socket
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import create_autospec

import pytest
import segno
from playwright.sync_api import Browser, expect

from t2r_agents.browser import network
from t2r_agents.browser.players import Wish
from t2r_agents.browser.table import Table, new_key
from tests.helpers.chromium import opened
from tests.pages.serving import Look, Served, served

NAME = "games-machine"


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that listens on all interfaces of a machine with a name."""
    monkeypatch.setattr(socket, "gethostname", lambda: NAME.title())
    monkeypatch.setattr(socket, "getfqdn", lambda: f"{NAME}.example.net.")
    with served(tmp_path, host="0.0.0.0") as server:
        yield server


def begin(server: Served) -> Table:
    """A game of two people with windows of their own."""
    return server.begin("new_york", [Wish(name="Anna"), Wish(name="Ben"), Wish("random")], own_windows=True)


def test_only_a_server_on_all_interfaces_answers_to_the_names_of_its_machine(shared: Served, tmp_path: Path) -> None:
    path = f"/table/{begin(shared).screens[0].key}/"
    for name in (NAME, NAME.upper(), f"{NAME}.local", f"{NAME}.example.net", "localhost", "192.168.1.9", "[fe80::1]"):
        host = f"{name}:{shared.port}"
        assert shared.ask("GET", path, headers={"Host": host})[0] == 200, host
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert shared.ask("POST", f"{path}why", {"target": {"pile": "deck"}}, headers)[0] == 200
    for name in ("evil.example", f"{NAME}.evil.example", f"evil.{NAME}", "0.0.0.0.nip.io", ""):
        assert shared.ask("GET", path, headers={"Host": f"{name}:{shared.port}"})[0] == 421, name
    with served(tmp_path / "alone") as alone:
        assert alone.ask("GET", "/files/page.css", headers={"Host": NAME})[0] == 421
        assert alone.ask("GET", f"/{alone.service.token}/codes/{new_key()}.svg")[0] == 404
        assert alone.ask("GET", f"/{alone.service.token}/games")[1]["origin"] is None


@pytest.mark.parametrize("host", ["0.0.0.0", *(["::"] if Path("/proc/net/if_inet6").exists() else [])])
def test_the_addresses_of_a_server_on_all_interfaces_can_be_opened(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with network.listen(host, 0) as listener:
        port = listener.getsockname()[1]
        loopback = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}[host]
        assert network.own_origin(listener) == f"http://{loopback}:{port}"
        for origin in filter(None, (network.own_origin(listener), network.shared_origin(listener))):
            address = origin.removeprefix("http://").rpartition(":")[0].strip("[]")
            assert address not in ("0.0.0.0", "::")
            socket.create_connection((address, port), timeout=10).close()
        monkeypatch.setattr(network, "_FAR", {socket.AF_INET: "127.0.0.9", socket.AF_INET6: "::1"})  # leads nowhere
        assert network.shared_origin(listener) is None


def test_the_code_of_a_screen_is_a_picture_of_its_address(shared: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = create_autospec(segno.make_qr, side_effect=segno.make_qr)
    monkeypatch.setattr(segno, "make_qr", drawn)
    key = begin(shared).screens[0].key
    path = f"/{shared.service.token}/codes/{key}.svg"
    for host in (f"127.0.0.1:{shared.port}", f"{NAME}:{shared.port}"):
        status, content, headers = shared.ask("GET", path, headers={"Host": host})
        assert (status, headers["content-type"]) == (200, "image/svg+xml")
        assert "sandbox" in headers["content-security-policy"]
        assert ET.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    texts = [call.args[0] for call in drawn.call_args_list]
    assert texts == [f"{shared.service._shared}/table/{key}/", f"http://{NAME}:{shared.port}/table/{key}/"]
    for wrong in (f"/x/codes/{key}.svg", f"/{shared.service.token}/codes/x.svg"):
        assert shared.ask("GET", wrong)[0] == 404
    lines = network.code_text(texts[0]).splitlines()
    assert set("".join(lines)) <= set(" ▀▄█")
    assert len({len(line) for line in lines}) == 1


def test_pages_and_the_list_are_told_who_is_there_and_who_is_to_act(server: Served) -> None:
    table = begin(server)
    wish = {"name": table.name}
    anna, ben = (screen.key for screen in table.screens)
    assert server.wish("around", wish)[1] == {"present": [], "current": 0}
    with server.events(anna) as sent:
        assert next(sent)["present"] == [0]
        assert next(sent)["kind"] == "moment"
        with server.events(ben) as others:
            assert next(others)["present"] == [0, 1]
            assert next(sent) == {"kind": "present", "present": [0, 1]}
            assert server.wish("around", wish)[1] == {"present": [0, 1], "current": 0}
        assert next(sent) == {"kind": "present", "present": [0]}
    assert server.wish("around", {"name": "new_york-9"})[1] == {"present": [], "current": None}
    assert [server.wish("around", wrong)[0] for wrong in (None, [0], {"name": 1})] == [409] * 3


def test_the_list_shows_the_addresses_to_copy_their_codes_and_who_is_there(shared: Served, chromium: Browser) -> None:
    table = begin(shared)
    with opened(chromium, shared.lobby) as page:
        page.get_by_role("button", name="Addresses").click()
        fields = [page.get_by_label(f"Address for {name}", exact=True) for name in ("Anna", "Ben")]
        for field, screen in zip(fields, table.screens, strict=True):
            expect(field).to_have_value(f"{shared.service._shared}/table/{screen.key}/")
        code = page.get_by_alt_text("Code of the address for Ben")
        assert code.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 100
        page.get_by_label("Copy the address for Ben").click()
        expect(page.get_by_label("Copy the address for Ben")).to_have_text("Copied")
        people = page.locator("#invited li")
        expect(people.first).to_contain_text("Anna is not here · to move")
        with opened(chromium, shared.page(table)) as game:
            expect(people.first).to_contain_text("Anna is here · to move")
            expect(game.locator("#players tr[data-seat='1']")).to_contain_text("Ben not here")
            with opened(chromium, shared.page(table, 1)):
                expect(game.locator("#players tr[data-seat='1']")).not_to_contain_text("not here")
                expect(people.last).to_contain_text("Ben is here")
        expect(people.first).to_contain_text("Anna is not here")


def test_a_server_of_this_machine_alone_says_how_to_let_others_in(server: Served, look: Look) -> None:
    table = begin(server)
    page = look(server.lobby)
    page.get_by_role("button", name="Addresses").click()
    expect(page.get_by_role("dialog")).to_contain_text("--host 0.0.0.0")
    expect(page.get_by_label("Address for Ben", exact=True)).to_have_value(
        re.compile(rf"http://127\.0\.0\.1:\d+/table/{table.screens[1].key}/")
    )
    expect(page.locator("#invited img")).to_have_count(0)
