"""The documentation is true: its examples run, its commands are allowed, and what is made for its pages is right."""

import argparse
import ast
import doctest
import functools
import importlib
import re
import runpy
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest

import t2r_env
from docs import pictures, record_games
from t2r_agents.comparing.tournament import Tournament
from t2r_env.agents import agent_names
from t2r_env.commands import find_commands, make_parser
from t2r_env.replay import Replay
from t2r_env.variants import VARIANTS
from tests.helpers.clients import CLIENTS
from tests.helpers.example_map import write_example_map
from tests.helpers.fixtures import Capture, Patch

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCKS = [
    (page, language, textwrap.dedent(code), told)
    for page in PAGES
    for _, language, code, told in re.findall(
        r"^( *)```(\w*)\n(.*?)^\1```$(?:\n\n```text\n(.*?)^```$)?", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
]
"""The blocks of code: their page, language and text, and what they print; an ellipsis stands for some of its lines."""
EXAMPLES = [
    pytest.param(page, code, told, id=f"{page.relative_to(ROOT)}-{number}", marks=[pytest.mark.release] * is_training)
    for number, (page, language, code, told) in enumerate(BLOCKS)
    if language == "python"
    for is_training in [".learn(" in code or "optimizer" in code]
]
COMMANDS = sorted(
    {it for page in PAGES for it in re.findall(r"(?m)(?:^|`|^\.venv/bin/)t2r (\w.*?)(?:$|`)", page.read_text("utf-8"))}
)
"""The calls of `t2r` in blocks of code and within lines, without the name of the command."""
SHELL_LINES = sorted(
    {
        found[1]
        for page in PAGES
        if page.name != "CHANGELOG.md"  # where commands may be of another version
        for line in [
            *re.findall(r"(?<!`)`([^`\n]+)`", page.read_text(encoding="utf-8")),
            *(line for it in BLOCKS if it[0] == page and not it[1] for line in it[2].splitlines()),
        ]
        if (found := re.match(r"(?:\.venv/bin/)?((?:python|pip|make) .*)", line))
    }
)
"""The calls of other programs."""


@pytest.mark.parametrize(("page", "code", "told"), EXAMPLES)
def test_the_examples_of_the_documentation_run_and_print_what_is_said_below_them(
    page: Path, code: str, told: str, monkeypatch: Patch, tmp_path: Path, capsys: Capture
) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.chdir(tmp_path)
    write_example_map(tmp_path / "maps" / "lakes")
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert not told or doctest.OutputChecker().check_output(told, printed, doctest.ELLIPSIS), printed


@pytest.mark.parametrize(
    ("name", "variant", "other", "games", "wins"),
    [("Hoarder", "usa", "random", 10, -1), ("PathFinder", "new_york", "greedy", 100, 55)],
)
def test_the_agents_of_the_documentation_play_by_their_import_path(
    name: str, variant: str, other: str, games: int, wins: int, monkeypatch: Patch, tmp_path: Path
) -> None:
    """The one that is written step by step beats greedy; the page has the result of many more games."""
    (tmp_path / f"own_{name}.py").write_text(example_of(name), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tournament = Tournament(t2r_env.configure(variant, 2), [f"own_{name}:{name}", other], games, 1)
    entries = [entry for entries in tournament.play() for entry in entries]
    assert [entry.forfeit for entry in entries] == [""] * 2 * games
    assert sum(entry.win for entry in entries if entry.agent != other) > wins


def example_of(name: str) -> str:
    """The first example with a class of this name."""
    return next(code for _, language, code, _ in BLOCKS if language == "python" and f"class {name}" in code)


def test_the_planner_s_subclass_of_the_documentation_never_draws_tickets_if_it_may_do_else() -> None:
    names: dict[str, Any] = {}
    exec(compile(example_of("Contented"), "example", "exec"), names)
    draw = t2r_env.configure("usa").layout.actions["draw_tickets"].start

    def draws(agent: Any) -> int:
        played = t2r_env.trajectories("usa", agents=[agent, "greedy"], games=10, seed=0)
        return sum(int((it.actions == draw).sum()) for it in played if it.seat == 0)

    assert draws("planner") > 0
    assert draws(names["Contented"]()) == 0


def test_what_pages_have_from_elsewhere_is_up_to_date() -> None:
    command = [sys.executable, "-m", "docs.write_tables", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_documentation_have_arguments_that_there_are(command: str) -> None:
    words = [{"COMMAND": "games", "SHELL": "bash"}.get(word, word) for word in shlex.split(command, comments=True)]
    assert words[0] in find_commands()
    if words[1:] not in ([], ["--help"]):  # the name alone stands for the subcommand, whose arguments may be missing
        parser().parse_args(words)


@functools.cache
def parser() -> argparse.ArgumentParser:
    """The parser of `t2r`: to make it takes longer than to parse."""
    return make_parser(find_commands())


class ParsedError(Exception):
    """The arguments of a program are allowed."""


@pytest.mark.filterwarnings("ignore:.* found in sys.modules")  # since a test has imported it
@pytest.mark.parametrize("line", SHELL_LINES)
def test_other_commands_of_the_documentation_are_there_with_their_arguments(line: str, monkeypatch: Patch) -> None:
    """Programs that parse their arguments by argparse do that, and no more."""
    program, *words = shlex.split(line, comments=True)
    if program == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert [word for word in words if "=" not in word and word not in targets] == []
    elif program == "pip":
        assert words[0] == "install"
        known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        named = re.findall(r"(?:^|\s)(?:\.|t2r_env\S*|FILE\.whl)\[([\w,]+)\]", " ".join(words[1:]))
        assert {extra for extras in named for extra in extras.split(",")} <= known["optional-dependencies"].keys()
    elif words[0] == "-m" and words[1] == "pytest":
        assert [word for word in words[2:] if not (ROOT / word).exists()] == []
    elif words[0] != "-m" and Path(words[0]).name in {client.example for client in CLIENTS.values()}:
        assert (ROOT / words[0]).exists()  # it imports what is not installed here: `make clients` runs it
    else:
        parse = argparse.ArgumentParser.parse_known_args

        def parse_only(parser: argparse.ArgumentParser, command: Any = None, namespace: Any = None) -> None:
            _, unknown = parse(parser, command, namespace)
            assert unknown == []
            raise ParsedError

        monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", parse_only)
        monkeypatch.syspath_prepend(str(ROOT / "examples"))
        monkeypatch.chdir(ROOT)
        is_module = words[0] == "-m"
        monkeypatch.setattr(sys, "argv", words[is_module:])
        start: Any = runpy.run_module if is_module else runpy.run_path
        with pytest.raises(ParsedError):
            start(words[is_module], run_name="__main__")


@pytest.mark.parametrize(
    ("page", "passage"), [pytest.param(page, code, id=page.stem) for page, kind, code, _ in BLOCKS if kind == "py"]
)
def test_passages_of_other_examples_are_as_they_are_run(page: Path, passage: str) -> None:
    programs = re.findall(r"\]\(\.\./\.\./(examples/[\w/]+\.py)\)", page.read_text(encoding="utf-8"))
    texts = [(ROOT / program).read_text(encoding="utf-8") for program in programs]
    assert any(textwrap.indent(passage, " " * depth) in text for text in texts for depth in (0, 4, 8, 12))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_game_that_is_shown_can_be_played_to_its_end(variant: str) -> None:
    """If not, or if its agents are others: `make golden`."""
    games = Replay.load(record_games.FOLDER / f"{variant}.json").final()
    assert games.configuration.variant.id == variant
    assert games.num_players == len(record_games.AGENTS[variant])
    assert games.snapshot()["outcome"] == "finished"


def test_games_are_recorded_by_their_agents() -> None:
    """If they have learned to play otherwise: `make golden`."""
    assert record_games.record("card_game") == Replay.load(record_games.FOLDER / "card_game.json")


def test_marks_become_pictures_and_games_that_are_there(tmp_path: Path) -> None:
    pictures.write_game("new_york", tmp_path)
    (tmp_path / "docs" / "games").mkdir()
    text = "<!-- picture: new_york late -->\n\nWords.\n\n<!-- gallery: new_york -->\n\n<!-- replay: new_york -->\n"
    text += "<!-- games: all -->\n\n| [New York](new_york.md) | 2 to 4 | attractions |\n<!-- end of games -->\n"
    shown = pictures.show_games("docs/games/new_york", text)
    named = set(re.findall(r'(?:src|href)="(.*?)"', shown)) - {"new_york.html"}
    there = {path.resolve() for path in (tmp_path / pictures.SITE).iterdir()}
    assert {(tmp_path / "docs" / "games" / name).resolve() for name in named} == there
    assert "Words." in shown
    assert "<!--" not in shown
    assert shown.count("<img") == 2 + len(pictures.PICTURES)


PUBLIC = (
    *("t2r_env", "t2r_env.generating", "t2r_env.graph", "t2r_env.text", "t2r_env.variants"),
    *("t2r_agents", "t2r_agents.playing.features", "t2r_agents.playing.llm", "t2r_agents.playing.values"),
    *("t2r_agents.comparing.review", "t2r_agents.comparing.tournament", "t2r_train"),
)
"""Packages whose names the reference lists."""


def test_every_public_name_is_in_the_reference() -> None:
    """What packages name in `__all__`, what pages import, and all agents."""
    text = "".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "api").glob("*.md")))
    listed = {name.rpartition(".")[2] for name in re.findall(r"\bt2r_\w+(?:\.\w+)+", text)}
    public = {name for package in PUBLIC for name in importlib.import_module(package).__all__}
    trees = [ast.parse(code) for _, language, code, _ in BLOCKS if language == "python"]
    imports = [it for tree in trees for it in ast.walk(tree) if isinstance(it, ast.ImportFrom)]
    shown = {it.name for line in imports if re.match("t2r_(env|agents|train)", line.module or "") for it in line.names}
    agents = {path.rpartition(":")[2] for path in agent_names().values()}
    assert (public | shown | agents) - listed == set()


def test_every_agent_has_a_row_in_the_table_of_agents() -> None:
    """If not: docs/agents.md and the entry points in pyproject.toml differ, or `make setup` is to be run."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "agents.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(agent_names())


def test_a_public_module_that_lacks_an_extra_says_which_one() -> None:
    """Each module of the reference, imported with nothing but the packages of the base installation."""
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "api").glob("*.md"))
    modules = sorted(set(re.findall(r":: (t2r_\w+(?:\.[a-z_]+)*)\.\w+", text)))
    extras = "jinja2 matplotlib minari onnx openai pyarrow pyspiel ray rich safetensors scipy stable_baselines3"
    extras += " starlette torch uvicorn"
    program = f"""
import importlib, sys
from t2r_env.basics.packages import MissingExtraError
sys.modules.update(dict.fromkeys({extras.split()}))
for module in sys.argv[1:]:
    try:
        importlib.import_module(module)
    except MissingExtraError:
        print(module)
"""
    done = subprocess.run([sys.executable, "-c", program, *modules], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    asking = set(done.stdout.split())
    assert {"t2r_env.envs.stable_baselines", "t2r_agents.comparing.review", "t2r_train.training"} <= asking
    assert not {"t2r_env", "t2r_env.agents", "t2r_agents.playing.planner"} & asking


def test_the_rules_are_cited_by_tests() -> None:
    """Each numbered rule that the documentation lists is cited by a test that is not left to the release."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "rules").glob("*.md"))
    rules = re.findall(r"^- \*\*([A-Z]+\d+)\b", pages, re.MULTILINE)
    assert len(rules) > 100
    cited = [
        text.upper().replace("_", " ")
        for path in (ROOT / "tests" / "rules").glob("test_*.py")
        for it in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(it, ast.FunctionDef) and it.name.startswith("test_")
        if "mark.release" not in (text := ast.unparse(it))
    ]
    assert [rule for rule in rules if not any(re.search(rf"\b{rule}\b", text) for text in cited)] == []
