"""The command `t2r`: its help, the subcommands of t2r_env, and what goes wrong at the command line."""

import argparse
import io
import json
import multiprocessing
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.console import Console

import t2r_env
from t2r_agents.comparing.tournament.columns import text_table
from t2r_env import VARIANTS, Replay, __version__, configure, generate_map
from t2r_env.agents import RandomAgent
from t2r_env.basics.packages import MissingExtraError, needs
from t2r_env.commands import compile as compile_command
from t2r_env.commands import find_commands, make_parser
from t2r_env.commands import main as t2r
from t2r_env.commands.options import describe_options, options_given
from t2r_env.variants import load_variant
from tests.helpers.example_map import write_example_map
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.playing import play_to_the_end
from tests.helpers.refusing import refusal


def python(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_output_goes_on_where_its_encoding_lacks_a_letter(encoding: str, monkeypatch: Patch) -> None:
    """What Rich prints, too."""

    def run(_: argparse.Namespace) -> int:
        print("Jyväskylä–Łódź ━")
        Console(width=60).print(text_table("Łódź", ["agent"], [["Jyväskylä ━"]]))
        print("Łódź", file=sys.stderr)
        return 0

    monkeypatch.setattr("t2r_env.commands.games.run", run)
    written = {"stdout": io.BytesIO(), "stderr": io.BytesIO()}
    for name, stream in written.items():
        monkeypatch.setattr(sys, name, io.TextIOWrapper(stream, encoding, errors="strict", write_through=True))
    assert t2r(["games"]) == 0
    printed, told = (stream.getvalue().decode(encoding) for stream in written.values())
    assert printed.startswith("Jyv?skyl??" if encoding == "ascii" else "Jyväskylä")
    assert printed.count("?") >= 3
    assert told.splitlines() == ["?ód?" if encoding != "ascii" else "??d?"]


def test_without_a_subcommand_all_are_listed_with_their_help(capsys: Capture) -> None:
    assert t2r([]) == 2
    listed = re.findall(r"^    (\w+)(?: |$)", capsys.readouterr().out, re.MULTILINE)
    assert listed == [*find_commands()]


def test_the_version_names_the_libraries_that_results_depend_on(capsys: Capture) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        t2r(["--version"])
    versions = rf"t2r_env {re.escape(__version__)}, Python [\d.]+, numpy [\d.]+, numba [\d.]+\n"
    assert re.fullmatch(versions, capsys.readouterr().out)


@pytest.mark.release
def test_the_help_needs_no_extra() -> None:
    """With all third-party packages missing but those of the base installation."""
    missing = ("rich", "jinja2", "matplotlib", "scipy", "torch", "stable_baselines3", "shtab", "cma", "pyarrow")
    hide = f"import sys; sys.modules.update(dict.fromkeys({(*missing, 'safetensors')}));"
    hide += " from t2r_env.commands import main;"
    done = python("-c", hide + "sys.exit(main(['--help']))")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in find_commands())
    comparing = ("tournament", "evaluate policy.safetensors", "rate greedy", "verify x", "review game.json")
    training = ("train --out x", "exploit greedy --out x", "distill policy.safetensors", "values --out x")
    extras = dict.fromkeys(comparing, "tournament") | dict.fromkeys([*training, "beliefs --out x"], "train")
    extras |= {"export --out x": "data", "completion bash": "completion"}
    done = python("-c", hide + "print(*(main(command.split()) for command in sys.argv[1:]))", *extras)
    assert done.stdout.split() == ["1"] * len(extras)
    for (command, extra), error in zip(extras.items(), done.stderr.splitlines(), strict=True):
        name = command.split()[0]
        assert re.fullmatch(
            rf"t2r {name}: error: \w+ is not installed; install what this needs: pip install '\.\[{extra}\]'"
            rf" in a checkout of t2r_env, or pip install 'FILE\.whl\[{extra}\]' with its wheel",
            error,
        ), error


def test_an_import_in_an_import_asks_for_the_outer_one_s_extra_and_an_error_in_our_own_packages_for_none() -> None:
    """`t2r values` needs `train`, which has the packages of policies; `play` alone would not do."""
    message = r"^no_such_package is .* pip install '\.\[train\]' in "
    with pytest.raises(MissingExtraError, match=message), needs("train"), needs("play"):
        __import__("no_such_package")
    with pytest.raises(ModuleNotFoundError) as raised, needs("train"):
        __import__("t2r_train.no_such_module")
    assert not isinstance(raised.value, MissingExtraError)


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("games usa >&-", 0, ""),  # also where a service starts it
        ("games usa > >(exit)", 1, ""),  # nobody reads it any more
        ("games >/dev/full", 1, "t2r games: error: No space left on device\n"),
        ("score - <&-", 2, "t2r score: error: the standard input is closed: name a file\n"),
    ],
)
def test_where_nothing_can_be_printed_or_read_a_command_ends_well(command: str, status: int, message: str) -> None:
    """Run as `python -m t2r_env`."""
    shell = f"{shlex.quote(sys.executable)} -m t2r_env {command}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, message)


def test_ctrl_c_ends_a_command_in_one_line(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr("t2r_env.commands.games.load_variant", Mock(side_effect=KeyboardInterrupt))
    assert t2r(["games"]) == 130
    assert capsys.readouterr() == ("", "\ninterrupted\n")


@pytest.mark.release
def test_modules_of_the_current_folder_hide_none_that_is_installed(tmp_path: Path) -> None:
    """A file agents.py of one's own, as an older layout had a package of that name, or one named as a library."""
    for name in ("agents", "train", "jinja2", "rich"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')\n")
    mine = "from t2r_agents.playing.planner import GreedyAgent\nclass Mine(GreedyAgent): pass\n"
    (tmp_path / "mine.py").write_text(mine)
    program = str(Path(sys.executable).with_name("t2r"))
    command = "tournament --variant new_york --agents mine:Mine greedy --games 2 --processes 2"
    done = subprocess.run([program, *command.split()], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mine:Mine" in done.stdout


def test_the_games_are_listed_with_their_players_and_ids(capsys: Capture) -> None:
    assert t2r(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1 : len(VARIANTS) + 1]] == list(VARIANTS)
    assert re.fullmatch(r"team_asia +Ticket to Ride: Team Asia +4, 6 +t2r_env/team_asia-v\d+", lines[4])


def test_a_game_is_described_with_its_decks_options_and_sizes(tmp_path: Path, capsys: Capture) -> None:
    """Only one of the library has an id."""
    assert t2r(["games", str(write_example_map(tmp_path / "lakes"))]) == 0
    assert "id in Gymnasium" not in capsys.readouterr().out
    assert t2r(["games", "united_kingdom"]) == 0
    printed = capsys.readouterr().out
    layout = configure("united_kingdom", 3).layout
    for told in ("id in Gymnasium", "49 cities, 125 routes, 35 trains", "main +57 tickets +the default"):
        assert re.search(told, printed)
    assert "--advanced-technologies  advanced_technologies=True" in printed
    assert re.search(rf"^3 +{layout.observation.size} +{layout.actions.size}$", printed, re.MULTILINE)


def test_a_map_is_made_written_and_drawn(tmp_path: Path, capsys: Capture) -> None:
    folder, picture = tmp_path / "maps" / "seven", tmp_path / "seven.png"
    arguments = ["--cities", "20", "--players", "2", "3", "--rules", "ferries", "stations"]
    assert t2r(["map", "7", *arguments, "--out", str(folder), "--png", str(picture)]) == 0
    made = generate_map(7, 20, (2, 3), ("ferries", "stations"))
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{made.name}, for 2, 3 players with {made.trains} trains each"
    assert second.startswith(f"20 cities, {len(made.routes)} routes, ")
    assert load_variant(folder) == made
    assert t2r(["map", str(folder), "--png", str(tmp_path / "again.png")]) == 0
    assert capsys.readouterr().out.splitlines() == [first, second]
    assert picture.read_bytes() == (tmp_path / "again.png").read_bytes()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert t2r(["map", "usa"]) == 0
    assert capsys.readouterr().out.startswith("Ticket to Ride, for 2, 3, 4, 5 players with 45 trains each\n")


@pytest.mark.parametrize("rules", [(), ("tunnels", "grand_tour")])
def test_the_first_line_of_a_maps_folder_is_the_command_that_makes_it(rules: Sequence[str], tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert t2r(["map", "7", "--rules", *rules, "--out", str(first)]) == 0
    text = (first / "variant.toml").read_text()
    mark, program, *command = text.splitlines()[0].split()
    assert (mark, program) == ("#", "t2r")
    assert t2r([*command, "--out", str(second)]) == 0
    assert (second / "variant.toml").read_text() == text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    env = t2r_env.env("new_york")
    env.reset(seed=8)
    play_to_the_end(env)
    env.replay().save(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_a_replay_is_shown_action_by_action_or_at_a_position(file: Path, capsys: Capture) -> None:
    assert t2r(["replay", str(file)]) == 0
    printed = capsys.readouterr().out
    actions = json.loads(file.read_text())["actions"]
    numbers = [int(line[:4]) for line in printed.splitlines() if re.match(r" *\d+  player_\d: ", line)]
    assert numbers == list(range(len(actions)))
    assert "The game is over: finished" in printed
    positions = [games.snapshot() for games in Replay.load(file).games()]
    assert t2r(["replay", str(file), "--position", "30", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == positions[30]
    assert t2r(["replay", str(file), "--position", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("Turn 0. player_0: keep ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("replay {file} --position 9999", "--position must be an integer from 0 to"),
        ("replay no.json", "no.json: No such file or directory"),
        ("games narnia", "unknown variant 'narnia': must be one of usa"),
        ("compile --agents nobody", "there is no agent 'nobody'"),
        ("play --variant pennsylvania --tickets mega", "pennsylvania has no tickets 'mega'; it has: "),
        ("tournament --seconds 3", "add --isolate"),
        ("tournament --gamse=3", "no argument --gamse=3; the nearest is --games (see t2r tournament --help)"),
        ("map 1 --cities 9", "cities must be an integer from 15 to 51, not 9"),
        ("map 1 --rules bridges", "each of rules must be one of ferries, tunnels, "),
        ("map 1 --out {file}", "game.json is not"),
        ("map 1 --out {file.parent}", "the folder of a map must be a new or empty one, and "),
        ("map usa --cities 30", "--cities, --players, --rules and --out need a seed, not usa"),
        ("map usa --out folder", "--cities, --players, --rules and --out need a seed, not usa"),
        ("map card_game", "The Card Game has no map"),
        ("map ''", "unknown variant '': must be one of usa, "),
        ("map usa_", "unknown variant 'usa_' (did you mean 'usa'?)"),
        ("games usa xyzzy", "there is no argument xyzzy ("),
    ],
)
def test_wrong_arguments_are_told_in_one_line(arguments: str, message: str, file: Path, capsys: Capture) -> None:
    command, *others = shlex.split(arguments.format(file=file))
    (line,) = refusal(capsys, t2r, command, *others).splitlines()
    assert line.startswith(f"t2r {command}: error: ")
    assert message in line


def test_an_agent_is_compiled_with_its_opinions_where_it_plays(monkeypatch: Patch) -> None:
    """`any_board` plays maps alone; without names all agents are compiled for each ruleset."""
    told = compile_command.compile_part("card_game", "agent", "any_board")
    assert told.startswith("any_board does not play the card game: only map games have a graph")
    assert compile_command.compile_part("usa", "agent", "any_board").startswith("any_board in the map game: ")
    tell = Mock(side_effect=RandomAgent().opinions)
    monkeypatch.setattr(RandomAgent, "opinions", tell)
    compile_command.compile_part("usa", "agent", "random")
    tell.assert_called_once()


@pytest.mark.release
@pytest.mark.parametrize("cores", [1, 2])
def test_all_is_compiled_side_by_side_where_cores_are_free(cores: int, monkeypatch: Patch, capsys: Capture) -> None:
    """The processes that do so are gone afterwards."""
    pools = Mock(wraps=ProcessPoolExecutor)
    monkeypatch.setattr(compile_command, "count_cores", lambda: cores)
    monkeypatch.setattr(compile_command, "ProcessPoolExecutor", pools)
    assert t2r(["compile", "--agents", "greedy"]) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert first == "compiling, which takes up to a minute"
    told = sorted(re.sub(r": [\d.]+ s$", "", line) for line in lines)
    assert told == [f"{part} the {game} game" for part in ("greedy in", "rules of") for game in ("card", "map")]
    assert last.startswith("the machine code is in ")
    assert pools.call_count == (0 if cores == 1 else 2)
    assert multiprocessing.active_children() == []


def test_options_can_be_said_again_as_arguments() -> None:
    configuration = configure("united_kingdom", 3, advanced_technologies=True, turn_limit=77)
    arguments = describe_options(configuration.options)
    assert arguments == ["--tickets", "main", "--turn-limit", "77", "--advanced-technologies"]
    assert options_given(make_parser(find_commands()).parse_args(["play", *arguments])) == configuration.options


def test_bash_completes(capsys: Capture) -> None:
    assert t2r(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    typed = ("t2r to", "t2r play --variant penn", "t2r play --tickets big", "t2r rate long")
    for words in typed:
        place = len(words.split()) - 1
        script += f"COMP_WORDS=({words}); COMP_CWORD={place}; COMP_LINE='{words}'; _shtab_t2r; echo ${{COMPREPLY[@]}}\n"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["tournament", "pennsylvania", "big_cities", "long_routes"]
