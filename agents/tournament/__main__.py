"""The command `python -m agents.tournament`."""

import sys

from agents.tournament.command import main

if __name__ == "__main__":  # not in the processes that play, which import this module too
    sys.exit(main())
