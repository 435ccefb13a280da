"""The command `t2r` (and `python -m t2r_env`), and what its subcommands are made of.

The entry points `t2r_env.commands` name a module for each subcommand, so that other packages can add theirs. Such a
module has a docstring, whose first line is the help; `add_arguments(parser)`; and `run(arguments)`, which returns the
exit status. It imports what takes long, or what an extra installs, in `run` alone: `t2r --help` imports them all.
"""

import argparse
import difflib
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from t2r_env.agents import ForfeitError
from t2r_env.basics.packages import MissingExtraError, __version__, names_of
from t2r_env.basics.plain import replace_missing_letters

ENTRY_POINTS = "t2r_env.commands"
"""The entry-point group that names the modules of subcommands."""


class UsageError(ValueError):
    """The arguments of a subcommand are not allowed; the message says what is."""


@contextmanager
def usage_errors() -> Iterator[None]:
    """Raise UsageError for the TypeError, ValueError or OSError of what the arguments ask for."""
    try:
        yield
    except OSError as error:
        raise UsageError(_plain(error)) from error
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from error


def _plain(error: OSError) -> str:
    """Return what is wrong with which file, without the number of the error."""
    message = error.strerror or str(error)
    return f"{error.filename}: {message}" if error.filename else message


def check_new_file(flag: str, file: Path | None) -> None:
    """Raise UsageError for a file to be written that is a folder or in none; so before the work that it is to hold."""
    if file and (file.is_dir() or not file.parent.is_dir()):
        raise UsageError(f"{flag} must be a file in an existing folder, not {file}")


class Parser(argparse.ArgumentParser):
    """A parser of arguments that says what is wrong in one line, without the usage of all of them."""

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and this message."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Exit with 2, as these words of the command line are no arguments; the nearest option is named."""
        options = re.findall(r"(?<!\S)--[\w-]+", self.format_help())
        near = difflib.get_close_matches(words[0].partition("=")[0], options, 1, 0.7)
        self.error(f"there is no argument {words[0]}{f'; the nearest is {near[0]}' if near else ''}")


def find_commands() -> Mapping[str, ModuleType]:
    """Return the modules of the subcommands by name."""
    return {name: import_module(module) for name, module in names_of(ENTRY_POINTS).items()}


def make_parser(commands: Mapping[str, ModuleType]) -> Parser:
    """Return the parser of `t2r` with these subcommands."""
    parser = Parser(prog="t2r", description="Play, compare and train agents for train games.")
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    parser.add_argument(
        "--version", action="version", version=f"t2r_env {__version__}, Python {platform.python_version()}, {libraries}"
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in commands.items():
        first, _, rest = (command.__doc__ or "").partition("\n")
        subparser = subparsers.add_parser(
            name,
            help=first[:1].lower() + first[1:].rstrip("."),
            description=first,
            epilog=rest.strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run, parser=subparser)
    return parser


def main(command: Sequence[str] | None = None) -> int:
    """Carry out a command line and return its exit status; 130 if it is interrupted. Exits with 2 for a wrong one."""
    if command is None and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # where agents of one's own are; last, so that they hide no installed module
    replace_missing_letters()
    parser = make_parser(find_commands())
    arguments, unknown = parser.parse_known_args(command)
    if unknown:
        getattr(arguments, "parser", parser).refuse(unknown)
    if not arguments.command:
        parser.print_help()
        return 2
    try:
        status: int = arguments.run(arguments)
        if sys.stdout:  # None where it is closed
            sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"t2r {arguments.command}: error: {error}", file=sys.stderr)
        sys.exit(2)
    except MissingExtraError as error:
        print(f"t2r {arguments.command}: error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads the output has seen enough
        print_no_more()
    except ConnectionError as error:  # the server of an agent does not answer
        print(f"t2r {arguments.command}: error: {error}", file=sys.stderr)
    except ForfeitError as error:
        print(f"t2r {arguments.command}: error: an agent has forfeited the game: {error}", file=sys.stderr)
    except OSError as error:  # a file can't be written, or what is printed, as on a full disk
        print_no_more()
        print(f"t2r {arguments.command}: error: {_plain(error)}", file=sys.stderr)
    return 1


def print_no_more() -> None:
    """Let what is still to be printed go nowhere: nobody reads it. Python would try once more at its end, and fail."""
    if sys.stdout:  # None where it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
