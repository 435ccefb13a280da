"""The documentation is true: its examples run, its tables match the code, its links lead somewhere."""

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
from docs import pictures, record_games, write_tables
from t2r_agents.comparing.export import folder as export_folder
from t2r_agents.comparing.rating import result
from t2r_agents.comparing.tournament import Tournament, folder
from t2r_agents.playing import policy_file
from t2r_env import replay
from t2r_env.agents import agent_names
from t2r_env.commands import find_commands, make_parser
from t2r_env.core.records import fields_of
from t2r_env.history import saving
from t2r_env.position import Position, RouteOnBoard
from t2r_env.replay import Replay
from t2r_env.variants import VARIANTS, land
from t2r_env.variants import reading as tables
from t2r_train import checkpoint, curves
from tests.helpers.clients import CLIENTS as CLIENT_PROGRAMS
from tests.helpers.example_map import write_example_map

ROOT = Path(__file__).parents[2]
CLIENTS = {client.example for client in CLIENT_PROGRAMS.values()}
"""Examples that `make clients` runs."""
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
LEARNS = r"\.learn\(|optimizer"
"""What is in examples that train a network."""
EXAMPLES = [
    pytest.param(
        code, id=f"{page.relative_to(ROOT)}-{number}", marks=[pytest.mark.release] if re.search(LEARNS, code) else []
    )
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]
TOLD = [
    pytest.param(page, code, told, id=f"{page}-{number}")
    for page in ("README.md", "docs/index.md")
    for number, (code, told) in enumerate(
        re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    )
]
"""Programs with what they print; an ellipsis stands for lines that are left out."""
COMMANDS = [
    pytest.param(command, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, command in enumerate(
        re.findall(r"(?m)(?:^(?:\.venv/bin/)?|`)t2r (\w.*?)(?:$|`)", page.read_text(encoding="utf-8"))
    )
]
"""The calls of `t2r` in blocks of code and within lines, without the name of the command."""
BLOCKS = [
    (page, language, textwrap.dedent(code))
    for page in PAGES
    for _, language, code in re.findall(
        r"^( *)```(\w*)\n(.*?)^\1```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]
"""The blocks of code: their page, language and text."""
PASSAGES = [
    pytest.param(page, code, id=f"{page.relative_to(ROOT)}-{number}")
    for number, (page, language, code) in enumerate(BLOCKS)
    if language == "py"
]
"""Passages of examples that need tools which are not installed here."""
SHELL_LINES = sorted(
    {
        found[1]
        for page in PAGES
        if page.name != "CHANGELOG.md"  # where commands may be of another version
        for line in [
            *re.findall(r"(?<!`)`([^`\n]+)`", page.read_text(encoding="utf-8")),
            *(line for where, language, code in BLOCKS if where == page and not language for line in code.splitlines()),
        ]
        if (found := re.match(r"(?:\.venv/bin/)?((?:python|pip|make) .*)", line))
    }
)
"""The calls of other programs."""
SEARCHED = {
    "action mask": "environments.md",
    "self-play": "training.md",
    "curriculum": "tools/tasks.md",
    "MCTS": "agents.md",
    "Ray": "ray.md",
    "wandb": "tools/tasks.md",
    "video": "pictures.md",
}
"""Words that people search for, and the page on which they find them."""
PUBLIC = (
    *("t2r_env", "t2r_env.generating", "t2r_env.graph", "t2r_env.text", "t2r_env.variants"),
    *(
        "t2r_agents",
        "t2r_agents.playing.features",
        "t2r_agents.playing.llm",
        "t2r_agents.comparing.review",
        "t2r_agents.comparing.tournament",
    ),
    *("t2r_agents.playing.values", "t2r_train"),
)
"""Packages whose names the reference lists."""
CONFIGURATIONS = {
    **{variant: t2r_env.configure(variant) for variant in VARIANTS},
    "united_kingdom": t2r_env.configure("united_kingdom", advanced_technologies=True),
}
"""One configuration of every game, with all its phases and actions."""


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_examples_of_the_documentation_run(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.chdir(tmp_path)
    write_example_map(tmp_path / "maps" / "lakes")
    exec(compile(code, "example", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("page", "code", "told"), TOLD)
def test_the_first_programs_print_what_is_said_below_them(
    page: str, code: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, page, "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert doctest.OutputChecker().check_output(told, printed, doctest.ELLIPSIS), printed


def test_the_agent_of_the_documentation_plays_by_its_import_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "agent_interface.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "my_module.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tournament = Tournament(t2r_env.configure("usa", 2), ["my_module:Hoarder", "random"], 10, 0)
    assert [entry.forfeit for entries in tournament.play() for entry in entries] == [""] * 20


def test_the_agent_that_is_written_step_by_step_is_short_and_beats_greedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Deal-paired games; the page has the result of many more."""
    page = (ROOT / "docs" / "write_an_agent.md").read_text(encoding="utf-8")
    (code,) = (it for it in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class PathFinder" in it)
    assert len(code.splitlines()) <= 120
    (tmp_path / "my_agent.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tournament = Tournament(t2r_env.configure("new_york"), ["my_agent:PathFinder", "greedy"], 100, 1)
    entries = [entry for entries in tournament.play() for entry in entries]
    assert [entry.forfeit for entry in entries] == [""] * 200
    assert sum(entry.win for entry in entries if entry.agent == "my_agent:PathFinder") > 55


def test_the_planner_s_subclass_of_the_documentation_never_draws_tickets_if_it_may_do_else() -> None:
    page = (ROOT / "docs" / "write_an_agent.md").read_text(encoding="utf-8")
    (code,) = (it for it in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class Contented" in it)
    names: dict[str, Any] = {}
    exec(compile(code, "example", "exec"), names)
    configuration = t2r_env.configure("usa")
    draw = configuration.layout.actions["draw_tickets"].start

    def draws(agent: Any) -> int:
        played = t2r_env.trajectories("usa", agents=[agent, "greedy"], games=10, seed=0)
        return sum(int((it.actions == draw).sum()) for it in played if it.seat == 0)

    assert draws("planner") > 0
    assert draws(names["Contented"]()) == 0


def test_the_interface_of_agents_has_all_fields_of_positions_routes_and_views() -> None:
    text = (ROOT / "docs" / "agent_interface.md").read_text(encoding="utf-8")
    tables = {table.split("\n")[0]: table for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)}

    def names(heading: str, column: int) -> list[str]:
        cells = [row.split("|")[column] for row in tables[heading].splitlines()[2:]]
        return sorted(name for cell in cells for name in re.findall(r"`(\w+)(?:\(\w*\))?`", cell))

    methods = [name for name in vars(Position) if not name.startswith("_") and name not in Position.__annotations__]
    assert names("| field | meaning |", 1) == sorted([*Position.__annotations__, *methods])
    assert names("| field of a route | meaning |", 1) == sorted(RouteOnBoard.__annotations__)
    states = [fields_of(CONFIGURATIONS[variant].ruleset.state) for variant in ("usa", "card_game")]
    assert names("| in | fields of `views` | meaning |", 2) == sorted({name for it in states for name in it})


def test_the_history_of_versions_ends_with_those_that_environments_have() -> None:
    text = (ROOT / "docs" / "games" / "README.md").read_text(encoding="utf-8")
    versions = dict(re.findall(r"^\| `(\w+)` \| v(\d+) \|", text, re.MULTILINE))  # the last row of each game
    assert versions == {name: str(it.variant.environment_version) for name, it in CONFIGURATIONS.items()}


def test_what_pages_have_from_elsewhere_is_up_to_date() -> None:
    command = [sys.executable, "-m", "docs.write_tables", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert checked.returncode == 0, checked.stderr


def test_a_game_without_pages_is_told_what_to_write_and_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write_tables, "VARIANTS", (*VARIANTS, "lakes"))
    monkeypatch.setattr(Path, "write_text", None)
    assert write_tables.main([]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "missing:",
        "  lakes in docs/games/README.md: add a row to the table of games",
        "  docs/games/lakes.md: write the page of the game",
        "  docs/rules/lakes.md: write its numbered rules",
        "  docs/replays/lakes.json: write who plays into docs/record_games.py, then python -m docs.record_games lakes",
    ]


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
def test_other_commands_of_the_documentation_are_there_and_have_arguments_that_there_are(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    elif words[0] != "-m" and Path(words[0]).name in CLIENTS:
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


def test_nothing_says_to_install_from_a_package_index_what_none_has() -> None:
    """Until a release, `pip install t2r-env` leads nowhere."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for name in ("docs", "examples", "t2r_env", "agents", "train", "benchmarks"):
        files += [it for it in (ROOT / name).rglob("*") if it.suffix in (".md", ".py")]
    dead = re.compile(r"pip install[^`\n]*\bt2r-env|`t2r-env(\[\w+\])?`")
    assert [str(it) for it in files if dead.search(it.read_text(encoding="utf-8"))] == []


def test_the_texts_for_lists_of_environments_name_what_there_is() -> None:
    page = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for library in ("Gymnasium", "PettingZoo"):
        (version,) = re.findall(rf"badge/{library}-v([\d.]+)-", page)
        assert f"{library.lower()}=={version}" in pins
    paths = [name for name in re.findall(r"`([\w/.]+\.(?:py|webp|md))`", page) if "third_party" not in name]
    assert [name for name in paths if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(("page", "passage"), PASSAGES)
def test_passages_of_other_examples_are_as_they_are_run(page: Path, passage: str) -> None:
    programs = re.findall(r"\]\(\.\./\.\./(examples/[\w/]+\.py)\)", page.read_text(encoding="utf-8"))
    texts = [(ROOT / program).read_text(encoding="utf-8") for program in programs]
    assert any(textwrap.indent(passage, " " * depth) in text for text in texts for depth in (0, 4, 8, 12))


def test_all_blocks_of_python_are_marked_as_such() -> None:
    unmarked = [code for _, language, code in BLOCKS if language not in ("python", "py", "toml") and _is_python(code)]
    assert unmarked == []


def _is_python(code: str) -> bool:
    try:
        return any(not isinstance(node, ast.Expr) for node in ast.parse(code).body)
    except SyntaxError:
        return False


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_of_a_game_has_rules_options_rulings_and_results(variant: str) -> None:
    text = (ROOT / "docs" / "games" / f"{variant}.md").read_text(encoding="utf-8")
    headings = ["Rules in short", "Rulings", "Options", "Phases", "How strong the agents are", "A game to watch"]
    assert re.findall(r"^##+ (.*)$", text, re.MULTILINE)[: len(headings)] == headings
    own = (ROOT / "docs" / "rules" / f"{variant}.md").read_text(encoding="utf-8")
    short = text.split("## Rules in short")[1].split("### Rulings")[0]
    cited = set(re.findall(r"\b[A-Z]+\d+\b", short))
    assert cited
    assert cited <= set(re.findall(r"^- \*\*([A-Z]+\d+)\b", own, re.MULTILINE))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_of_a_game_has_a_picture_and_a_game(variant: str) -> None:
    marks = pictures.MARK.findall((ROOT / "docs" / "games" / f"{variant}.md").read_text(encoding="utf-8"))
    assert marks == [("picture", variant, "late"), ("replay", variant, "")]


def test_the_first_page_has_a_tile_for_every_game() -> None:
    tiles = pictures.show_games("docs/index", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    assert re.findall(r'<a href="games/(\w+)\.html"><img src="\.\./docs/pictures/(\w+)_tile\.svg"', tiles) == [
        (variant, variant) for variant in VARIANTS
    ]


def test_the_gallery_has_every_game() -> None:
    marks = pictures.MARK.findall((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    assert marks == [("gallery", variant, "") for variant in VARIANTS]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_game_that_is_shown_can_be_played_to_its_end(variant: str) -> None:
    """If not, or if its agents are others: `make golden`."""
    games = Replay.load(record_games.FOLDER / f"{variant}.json").final()
    assert games.configuration.variant.id == variant
    assert games.num_players == len(record_games.AGENTS[variant])
    assert games.snapshot()["outcome"] == "finished"


@pytest.mark.parametrize("variant", ["usa", "team_asia", "card_game"])
def test_pictures_are_of_the_stages_that_they_are_named_after(variant: str) -> None:
    over = {name: "The game is over" in pictures.draw(variant, it) for name, it in pictures.PICTURES.items()}
    assert over == {"early": False, "late": False, "ended": True, "view": False, "narrow": False}


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
    assert {(tmp_path / "docs" / "games" / name).resolve() for name in named} == {
        path.resolve() for path in (tmp_path / pictures.SITE).iterdir()
    }
    assert "Words." in shown
    assert "<!--" not in shown
    assert shown.count("<img") == 2 + len(pictures.PICTURES)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_options_on_the_page_of_a_game_are_those_of_the_game(variant: str) -> None:
    assert sorted(_first_cells(f"games/{variant}.md", "| option |")) == sorted(CONFIGURATIONS[variant].options)


def test_every_public_name_is_in_the_reference() -> None:
    """What packages name in `__all__`, what pages import, and all agents."""
    text = "".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "api").glob("*.md")))
    listed = {name.rpartition(".")[2] for name in re.findall(r"\bt2r_\w+(?:\.\w+)+", text)}
    public = {name for package in PUBLIC for name in importlib.import_module(package).__all__}
    trees = [ast.parse(code) for _, language, code in BLOCKS if language == "python"]
    imports = [it for tree in trees for it in ast.walk(tree) if isinstance(it, ast.ImportFrom)]
    shown = {it.name for line in imports if re.match("t2r_(env|agents|train)", line.module or "") for it in line.names}
    agents = {path.rpartition(":")[2] for path in agent_names().values()}
    assert (public | shown | agents) - listed == set()


@pytest.mark.parametrize("page", ["common", *VARIANTS])
def test_every_rule_with_a_ruling_is_on_the_page_of_the_game_or_on_that_of_rulings(page: str) -> None:
    gathered = ROOT / "docs" / ("rules/rulings.md" if page == "common" else f"games/{page}.md")
    rulings = gathered.read_text(encoding="utf-8").partition("<!-- rulings")[2].partition("<!-- end of rulings")[0]
    rules = (ROOT / "docs" / "rules" / f"{page}.md").read_text(encoding="utf-8")
    assert rulings.lower().count("**ruling") == rules.lower().count("**ruling")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_of_a_game_has_a_row_for_each_phase(variant: str) -> None:
    assert sorted(_first_cells(f"games/{variant}.md", "| phase |")) == sorted(CONFIGURATIONS[variant].phases)


def test_the_page_of_actions_has_a_row_for_each_phase() -> None:
    phases = {phase for configuration in CONFIGURATIONS.values() for phase in configuration.phases}
    assert sorted(_first_cells("actions.md", "| phase |")) == sorted(phases)


def test_the_page_of_actions_has_a_row_for_each_action() -> None:
    actions = {name for configuration in CONFIGURATIONS.values() for name in configuration.layout.actions}
    assert sorted(_first_cells("actions.md", "| action |")) == sorted(actions)


def test_the_page_of_snapshots_has_a_row_for_each_key() -> None:
    snapshots = [configuration.snapshot(configuration.opening[0]) for configuration in CONFIGURATIONS.values()]
    assert sorted(_first_cells("snapshots.md", "| key |", 0)) == sorted({key for game in snapshots for key in game})
    players = {key for game in snapshots for player in game["players"] for key in player}
    assert sorted(_first_cells("snapshots.md", "| key |", 1)) == sorted(players)


def _first_cells(page: str, heading: str, number: int = 0) -> list[str]:
    """The names in the first column of a table of the documentation, the `number`-th that begins like this."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    table = text.split(f"\n{heading}")[number + 1].split("\n\n")[0]
    return [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_the_limits_on_the_formats_page_are_those_of_the_code() -> None:
    table = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").split("\n| what | limits |")[1].split("\n\n")[0]
    told = {row.split("|")[1].strip(): row.split("|")[2].strip() for row in table.splitlines()[2:]}
    del told["snapshot"]
    assert told == {
        "replay": f"{_size(replay.MAX_FILE_BYTES)}, {replay.MAX_ACTIONS:,} actions",
        "saved game": f"{_size(saving.MAX_SAVED_BYTES)}, the note included",
        "folder of a map": f"`variant.toml` {_size(tables.MAX_TABLE_BYTES)}; each table {_size(tables.MAX_ROWS_BYTES)}"
        f" and {tables.MAX_ROWS:,} rows; `land.svg` {_size(land.MAX_BYTES)};"
        f" names and ids {tables.MAX_TEXT} characters",
        "policy": f"{_size(policy_file.MAX_FILE_BYTES)}, its card {_size(policy_file.MAX_CARD_BYTES)};"
        f" {policy_file.MAX_LAYERS} layers, {policy_file.MAX_PARAMETERS:,} weights",
        "checkpoint": f"{_size(checkpoint.MAX_FILE_BYTES)}; unpacked: settings {_size(checkpoint.MAX_SETTINGS_BYTES)},"
        f" `training.pt` {_size(checkpoint.MAX_STATE_BYTES)}",
        "`curves.csv`": _size(curves.MAX_CURVES_BYTES),
        "folder of a tournament": f"`tournament.json` {_size(folder.MAX_SETTINGS_BYTES)}, `games.csv`"
        f" {_size(folder.MAX_GAMES_BYTES)}, its lines {_size(folder.MAX_LINE_BYTES)}; {folder.MAX_GAMES:,} games,"
        f" {folder.MAX_AGENTS} agents, names of agents {folder.MAX_NAME:,} characters",
        "folder of a rating": f"`result.json` {_size(result.MAX_BYTES)}, the agent's name {result.MAX_NAME:,}"
        " characters; its replays as above",
        "folder of an export": f"`export.json` {_size(export_folder.MAX_BYTES)}",
    }


def _size(number: int) -> str:
    """Bytes in the largest unit."""
    unit = (number.bit_length() - 1) // 10
    assert number % (1 << 10 * unit) == 0
    return f"{number >> 10 * unit} {('bytes', 'KiB', 'MiB', 'GiB')[unit]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not _leads_somewhere(page, link)] == []


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, heading = link.partition("#")
    target = page.parent / path if path else page
    if not heading:
        return target.exists()
    headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
    return heading in [re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings]


@pytest.mark.parametrize(("words", "page"), SEARCHED.items())
def test_what_people_search_for_is_in_a_heading_of_its_page(words: str, page: str) -> None:
    """The search of the site puts headings first."""
    headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert any(re.search(rf"\b{words}", heading, re.IGNORECASE) for heading in headings)


def test_pages_have_at_most_1800_words_of_prose() -> None:
    """Tables and code are not counted."""
    long = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        prose = re.sub(r"(?ms)^ *```.*?^ *```$|^\|.*?$", "", page.read_text(encoding="utf-8"))
        if len(prose.split()) > 1800:
            long.append(page.name)
    assert long == []


def test_the_rules_are_cited_by_tests() -> None:
    """Each numbered rule that the documentation lists is cited by a test that is not left to the release."""
    pages = ("common.md", *(f"{variant}.md" for variant in VARIANTS))
    rules = [
        rule
        for page in pages
        for rule in re.findall(r"^- \*\*([A-Z]+\d+)\b", (ROOT / "docs" / "rules" / page).read_text(), re.MULTILINE)
    ]
    assert len(rules) == 126
    cited = []
    for path in (ROOT / "tests" / "rules").glob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for it in ast.parse(source).body:
            if isinstance(it, ast.FunctionDef) and it.name.startswith("test_"):
                begin = min([it.lineno, *(part.lineno for part in it.decorator_list)])
                text = "\n".join(lines[begin - 1 : it.end_lineno])
                cited += [] if "mark.release" in text else [text.upper().replace("_", " ")]
    assert [rule for rule in rules if not any(re.search(rf"\b{rule}\b", text) for text in cited)] == []
