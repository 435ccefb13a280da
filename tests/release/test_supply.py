"""What is installed with the library: pinned versions, hashes, and licences."""

import re
from importlib.metadata import files, metadata
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from t2r_env.commands import find_commands, make_parser
from t2r_train.terminal import setting_of
from tests.release.installed import COMMANDS

ROOT = Path(__file__).parents[2]
PINS = dict(re.findall(r"^(\S+)==(\S+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
"""The version of each package that the extras install."""
HASHED = [(ROOT / name).read_text() for name in ("requirements.txt", "requirements-dev.txt")]
"""Pins with hashes."""

ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "LLVM-exception", "MIT", "MIT-CMU"),
    *("MPL-2.0", "PSF-2.0", "Zlib", "OSI Approved :: Apache Software License", "OSI Approved :: BSD License"),
    *("OSI Approved :: ISC License (ISCL)", "OSI Approved :: MIT License"),
    "OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
    "OSI Approved :: Python Software Foundation License",
}
"""Licences that allow use and distribution with a library under the MIT licence."""
UNCLEAR = {
    **dict.fromkeys(("charset-normalizer", "fonttools", "nh3", "sb3_contrib", "stable_baselines3"), "MIT"),
    **dict.fromkeys(("psutil", "snowballstemmer"), "BSD-3-Clause"),
    "asttokens": "Apache 2.0",
    "protobuf": "3-Clause BSD License",
    "shtab": "MPL-2.0",
    "tzdata": "Apache-2.0",
}
"""Packages whose metadata names the licence only in free text: what it says."""
ONLY_TEXT = {"resvg_py": "Permission is hereby granted, free of charge, to any person obtaining a\ncopy"}
"""Packages with the text of their licence and not its name: how it goes on after the copyright. This one is MIT's."""
MIXED = {
    "docutils": {"Public Domain", "OSI Approved :: GNU General Public License (GPL)"},
    "pygame": {"OSI Approved :: GNU Library or Lesser General Public License (LGPL)"},
}
"""Packages with licences that are not among the allowed ones. Of docutils only an editor's mode is under the GPL; it is
used to check the README and to make the documentation site, and not distributed. The LGPL of pygame, which Gymnasium
shows its windows with, too, lets programs of any licence import it; it is not distributed either."""


@pytest.mark.parametrize("package", PINS)
def test_each_package_has_an_allowed_licence(package: str) -> None:
    """The licences that a package's metadata names, as an SPDX expression or as classifiers."""
    fields = metadata(package)
    classifiers = [name for name in fields.get_all("Classifier", []) if name.startswith("License ::")]
    if package in ONLY_TEXT:
        (text,) = (
            file.read_text() for file in files(package) or () if file.name in (fields.get_all("License-File") or ())
        )
        assert not fields["License"]
        assert not classifiers
        assert text.split("\n\n")[1].startswith(ONLY_TEXT[package])
        return
    if package in UNCLEAR:
        assert (fields["License"], classifiers) == (UNCLEAR[package], [])
        return
    if expression := fields["License-Expression"]:
        named = set(re.split(r"[\s()]+", expression)) - {"AND", "OR", "WITH", ""}
    else:
        named = {name.removeprefix("License :: ") for name in classifiers}
    assert named
    assert named - ALLOWED == MIXED.get(package, set())


def test_each_pin_but_that_of_torch_has_hashes_and_the_demo_installs_neither_torch_nor_a_linter() -> None:
    """pip refuses a file without the hashes. The Makefile says why torch has none."""
    demo, rest = (re.findall(r"^(\S+)==(\S+) \\$", text, re.MULTILINE) for text in HASHED)
    pins = [(canonicalize_name(package), version) for package, version in PINS.items() if package != "torch"]
    assert sorted((canonicalize_name(package), version) for package, version in [*demo, *rest]) == sorted(pins)
    names = {package for package, _ in demo}
    assert {"numba", "pettingzoo", "rich", "matplotlib", "hatchling"} <= names
    assert not {"stable-baselines3", "ruff", "mypy", "pytest"} & names


def test_a_release_calls_every_subcommand_with_arguments_and_settings_that_there_are() -> None:
    commands = find_commands()
    called = [it.split() for it in COMMANDS if it != "--version"]
    assert {name for name, *_ in called} | {"play"} == commands.keys()
    for words in called:
        arguments = make_parser(commands).parse_args(words)
        for text in getattr(arguments, "set", ()):
            setting_of(text)
