"""Runs the tests of the kernels in an environment of their own, which has numba-cuda: `make gpu`.

It is made in build/clients/gpu from the pins in examples/requirements/gpu.txt. No GPU is needed.
"""

import subprocess

from tests.clients import ROOT, build_wheel, install

if __name__ == "__main__":
    python = install("gpu", build_wheel())
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "--noconftest", "tests/gpu/kernels.py"]
    raise SystemExit(subprocess.run(command, cwd=ROOT).returncode)
