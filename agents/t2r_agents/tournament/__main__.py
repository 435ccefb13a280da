"""The command `python -m t2r_agents.tournament`."""

import sys

from t2r_agents.tournament.command import main

if __name__ == "__main__":  # not in the processes that play, which import this module too
    sys.exit(main())
