"""`python -m t2r_env` is the command `t2r`."""

import sys

from t2r_env.commands import main

if __name__ == "__main__":
    sys.exit(main())
