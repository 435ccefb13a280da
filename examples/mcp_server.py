"""An MCP server: a game in text as tools, `new_game`, `view` and `act`, for chat programs and agents.

It speaks over its standard input and output, as programs that begin servers themselves expect. One game is under way at
a time; the opponents play within `act`.

    python examples/mcp_server.py             # in a program's settings: this command
    python examples/mcp_server.py --check     # a client of the package `mcp` plays a game at random
"""

import argparse
import asyncio
import os
import random
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal

from mcp import Client, StdioServerParameters
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from t2r_env import VARIANTS
from t2r_env.text import TextGame, rules_text

Opponent = Literal["random", "racer", "greedy", "planner"]
"""The opponents that can be chosen. Any agent's name would be a way to import any module."""


class Table:
    """The game under way, and its tools."""

    def __init__(self) -> None:
        self._game: TextGame | None = None

    def new_game(
        self, variant: str = "new_york", num_players: int = 2, opponents: Opponent = "greedy", seed: int | None = None
    ) -> str:
        """Begin a game of the Ticket to Ride family in seat 0. Returns its rules, what you know and your legal moves.

        Another seed deals other cards; without one they are random. Raises ToolError for a game that does not exist.
        """
        if variant not in VARIANTS:
            raise ToolError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
        try:
            game = TextGame(variant, num_players, opponents=opponents, tries=None)
            game.reset(seed)
        except ValueError as error:
            raise ToolError(str(error)) from None
        self._game = game
        return f"{rules_text(game.configuration)}\n{self.view()}"

    def view(self) -> str:
        """Return what you know of the game, and your legal moves."""
        game = self._under_way()
        return f"{game.view()}\n{game.result() if game.over else 'Legal moves: ' + '; '.join(game.legal_moves())}"

    def act(self, move: str) -> str:
        """Take a move, such as `claim Dallas-Houston`; the others play until it is your decision again.

        Returns what you know then. A move that is not legal changes nothing.
        """
        game = self._under_way()
        if not game.over:
            game.step(move)
        if game.fault:
            raise ToolError(game.fault)
        return self.view()

    def _under_way(self) -> TextGame:
        if self._game is None:
            raise ToolError("there is no game: begin one with new_game")
        return self._game


def serve() -> None:
    """Serve until the client ends."""
    server, table = MCPServer("t2r_env"), Table()
    for tool in (table.new_game, table.view, table.act):
        server.add_tool(tool, structured_output=False)
    server.run()


async def check(seed: int = 0) -> None:
    """Play a game as a client of a server of its own, at random."""
    rng, taken = random.Random(seed), 0
    server = StdioServerParameters(command=sys.executable, args=[__file__], env=dict(os.environ))
    async with Client(server) as client:

        async def call(name: str, **arguments: Any) -> str:
            result = await client.call_tool(name, arguments)
            return str(result.content[0].text)

        tools = [tool.name for tool in (await client.list_tools()).tools]
        fault = await call("act", move="draw deck")
        text = await call("new_game", opponents="random", seed=seed)
        refusal = await call("act", move="fly to Miami")
        while found := re.search(r"^Legal moves: (.+)", text, re.MULTILINE):
            text = await call("act", move=rng.choice(found[1].split("; ")))
            taken += 1
    assert tools == ["new_game", "view", "act"], tools
    assert "begin one with new_game" in fault, fault
    assert "is not a legal action; the nearest are" in refusal, refusal
    print(f"MCP: {taken} moves by tools {', '.join(tools)}. {text.strip().splitlines()[-1]}")


def main(command: Sequence[str] | None = None) -> None:
    """Serve, or check the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="play with a server of its own, and end")
    if parser.parse_args(command).check:
        asyncio.run(check())
    else:
        serve()


if __name__ == "__main__":
    main()
