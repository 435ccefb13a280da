"""How the code is put together: no circles, and imports that point one way."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"t2r_env": ROOT, "t2r_agents": ROOT / "agents", "t2r_train": ROOT / "train"}
ROOMS = {
    "t2r_env.basics": "",
    "t2r_env.core": "basics",
    "t2r_env.variants": "basics",
    "t2r_env.generating": "basics variants",
    "t2r_env.rules": "basics core variants",
    "t2r_env.configuration": "basics rules variants",
    "t2r_env.features": "basics configuration core",
    "t2r_env.graph": "basics configuration core rules",
    "t2r_env.games": "basics configuration core features graph history results rules variants",
    "t2r_env.history": "basics configuration core games rules",
    "t2r_env.replay": "basics configuration games history rules variants",
    "t2r_agents.playing": "",
    "t2r_agents.comparing": "playing",
    "t2r_agents.browser": "comparing playing",
}
"""What modules in parts of a package may import of it."""


@cache
def imports() -> dict[str, set[str]]:
    """Return the modules of the packages that each of them imports, wherever it does, for types only too."""
    files = {
        ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): file
        for package, folder in PACKAGES.items()
        for file in (folder / package).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for module, file in files.items():
        named: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                named |= (inner & files.keys()) | ({node.module} if inner - files.keys() else set())
        found[module] = (named & files.keys()) - {module}
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    graph = {module: others for module, others in imports().items() if module.startswith(package)}
    TopologicalSorter(graph).prepare()  # or raises CycleError, which names those of a circle


@pytest.mark.parametrize(("package", "below"), [("t2r_env", ()), ("t2r_agents", ("t2r_env",))])
def test_packages_import_only_those_below_them(package: str, below: tuple[str, ...]) -> None:
    named = {other for module, others in imports().items() if module.startswith(package) for other in others}
    assert {other.split(".")[0] for other in named} <= {package, *below}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_those_below_them(room: str) -> None:
    package = room.split(".")[0]
    allowed = (room, *(f"{package}.{below}" for below in ROOMS[room].split()))
    within = {module: others for module, others in imports().items() if f"{module}.".startswith(f"{room}.")}
    named = {other for others in within.values() for other in others if other.split(".")[0] == package}
    assert within
    assert not [other for other in named if not f"{other}.".startswith(tuple(f"{it}." for it in allowed))]
