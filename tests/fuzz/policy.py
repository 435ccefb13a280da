"""Files of policies. Those that fit New York choose actions."""

import functools
import io
import json
import struct
import tempfile
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from t2r_agents.policy import CARD, WEIGHTS, Policy, PolicyAgent, PolicyError, identity_of
from t2r_env import Games, configure
from t2r_env.agents import decisions_of
from tests.fuzz.damage import Parts, any_damaged, archive_of, changed_archive, changed_value, damaged, parts_of

CONFIGURATION = configure("new_york", 2)


@functools.cache
def valid() -> list[bytes]:
    """A small policy, deflated and stored."""
    sizes = (CONFIGURATION.layout.observation.size, 3, 2, CONFIGURATION.layout.actions.size)
    layers = tuple((np.ones((inputs, outputs)), np.ones(outputs)) for inputs, outputs in pairwise(sizes))
    policy, file = Policy(identity_of(CONFIGURATION), layers, {"steps": 7, "settings": {"seed": [1]}}), io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        policy.write(archive)
    parts = [*parts_of(file.getvalue()).items()]
    return [archive_of(parts, zipfile.ZIP_DEFLATED), archive_of(parts)]


def inputs() -> SearchStrategy[bytes]:
    """A file that is damaged as bytes, as an archive, or in one of its parts."""
    parts = parts_of(valid()[0])
    return st.one_of(any_damaged(valid()), changed_archive(parts), with_other_card(parts), _with_other_weights(parts))


@st.composite
def with_other_card(draw: DrawFn, parts: Parts) -> bytes:
    """An archive whose card has other values."""
    card = draw(changed_value(json.loads(parts[CARD])))
    return archive_of([*{**parts, CARD: card.encode(errors="surrogatepass")}.items()])


HEADERS = (
    *("<f2", "<f4", ">f2", "<f8", "|O", "<i2", "|V2", "<c16", "|S0", "<U1000000000", "[('a', '<f2')]", "'", "(" * 3000),
    *("(1,)", "()", "(-1,)", "(-1, -1)", "(1000000000, 1000000000)", "(0,)", "(0, 10**30)", f"({10**18},)", "(True,)"),
    *("(2.0,)", "('2',)", "[3]", "None", "True", "{}"),
)


@st.composite
def _with_other_weights(draw: DrawFn, parts: Parts) -> bytes:
    """A file whose arrays have other headers or names, or whose inner archive is damaged."""
    arrays = parts_of(parts[WEIGHTS])
    name = draw(st.sampled_from(sorted(arrays)))
    match draw(st.sampled_from(("header", "header", "bytes", "archive", "layers"))):
        case "header":
            arrays[name] = draw(_with_other_header(arrays[name]))
        case "bytes":
            arrays[name] = draw(damaged(arrays[name]))
        case "archive":
            return archive_of([*{**parts, WEIGHTS: draw(changed_archive(arrays))}.items()])
        case "layers":
            number = draw(st.sampled_from((1, 4, 20, 2000)))
            arrays |= {f"{kind}_{i}.npy": arrays["bias_0.npy"] for i in range(number) for kind in ("weight", "bias")}
    return archive_of([*{**parts, WEIGHTS: archive_of([*arrays.items()])}.items()])


@st.composite
def _with_other_header(draw: DrawFn, array: bytes) -> bytes:
    length = struct.unpack_from("<H", array, 8)[0]
    header = array[10 : 10 + length].decode("latin1").strip()
    entry = draw(st.sampled_from(("descr", "fortran_order", "shape", "more")))
    value = draw(st.sampled_from(HEADERS))
    entries = {
        "descr": repr("<f2"),
        "fortran_order": "False",
        "shape": header[header.index("(") : header.index(")") + 1],
    }
    entries[entry] = draw(st.sampled_from((value, repr(value))))
    text = "{" + ", ".join(f"{key!r}: {given}" for key, given in entries.items()) + "}"
    padded = text + " " * (-(len(text) + 11) % 64) + "\n"
    version = draw(st.sampled_from((b"\1\0", b"\1\0", b"\1\0", b"\2\0", b"\3\0", b"\xff\xff")))
    form = "<H" if version[0] == 1 else "<I"
    claimed = draw(st.sampled_from((len(padded), len(padded), 0, 65535)))
    return array[:6] + version + struct.pack(form, claimed) + padded.encode() + array[10 + length :]


def use(content: bytes) -> bool:
    """Load the file, and play if it fits; False if it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.zip"
        file.write_bytes(content)
        try:
            policy = Policy.load(file)
            agent = PolicyAgent(policy)
            agent.check(CONFIGURATION)
        except PolicyError:
            return False
        games = Games(CONFIGURATION)
        action = agent.act(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
        assert games.masks[0, action[0]]
        policy.save(file)
        assert Policy.load(file).identity == policy.identity
    return True
