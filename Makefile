# Every target does its own set-up: a virtual environment in .venv, filled from pinned constraints.
# Paths are relative, so that the checkout may lie in a folder with spaces in its name.

# What makes .venv; once it is there, `make clean` first to change to another Python.
PYTHON ?= python3
# What `make demo` plays.
VARIANT ?= usa
# For example: make test PYTEST_OPTIONS="-k tunnel"
PYTEST_OPTIONS ?= -n auto --maxprocesses 8

VENV_PYTHON := .venv/bin/python
PIP := $(VENV_PYTHON) -m pip --disable-pip-version-check --quiet

# The stamp is written when an installation is complete, and says which folder it was made for.
# Without it .venv is taken for half-made and is made anew.
STAMP := .venv/.installed
INTACT := [ "$$(cat $(STAMP) 2>/dev/null)" = "$$(pwd -P)" ] && $(VENV_PYTHON) -c 'import pip' 2>/dev/null

.DEFAULT_GOAL := help
.PHONY: help demo test check format docs golden bench setup constraints clean always

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 14

demo: $(STAMP) ## play a tournament of the agents and leave its games and a report in demo/ (VARIANT=usa)
	rm -rf demo
	$(VENV_PYTHON) -m agents.tournament --variant $(VARIANT) --out demo
	$(VENV_PYTHON) -m agents.tournament --replay demo 0

test: $(STAMP) ## run the tests
	$(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS)

check: $(STAMP) ## run the linter, the formatter's check and the type checker
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy

format: $(STAMP) ## format the code and mend what the linter can
	$(VENV_PYTHON) -m ruff check --fix-only .
	$(VENV_PYTHON) -m ruff format .

docs: $(STAMP) ## write the tables of docs/games anew
	$(VENV_PYTHON) docs/write_tables.py

golden: $(STAMP) ## record the golden games anew
	$(VENV_PYTHON) -m tests.golden

bench: $(STAMP) ## measure the speed of the core
	$(VENV_PYTHON) -m benchmarks.throughput

setup: $(STAMP) ## make .venv, which every other target does by itself

$(STAMP): pyproject.toml constraints.txt $(if $(shell $(INTACT) && echo yes),,always)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 't2r_env needs Python 3.11 or newer, and "$(PYTHON)" is not: make PYTHON=python3.11 ...' >&2; exit 1; }
	@if $(INTACT); then echo 'Updating .venv'; else echo 'Making .venv'; "$(PYTHON)" -m venv --clear .venv; fi
	@rm -f $(STAMP)
	@# The build tool first: without build isolation it is pinned like the rest. PyTorch as pinned before
	@# anything asks for its newest version.
	@$(PIP) install --constraint constraints.txt hatchling torch
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@pwd -P > $(STAMP)

# With the oldest Python, whose pins install on the newer ones too; the reverse does not hold.
constraints: ## pin what resolves today, in constraints.txt (needs Python 3.11)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	    { echo 'Pins are made with Python 3.11: make constraints PYTHON=python3.11' >&2; exit 1; }
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	"$(PYTHON)" -m venv "$$folder/venv"; \
	pip() { "$$folder/venv/bin/python" -m pip --disable-pip-version-check "$$@"; }; \
	pip install --quiet hatchling "$$(grep '^torch==' constraints.txt)"; \
	pip install --quiet --no-build-isolation --editable '.[dev]'; \
	echo '# All that the extras install, on Python 3.11 and newer. Made by `make constraints`; not edited by hand.' > "$$folder/pins"; \
	pip freeze --exclude-editable | sed 's/+cpu$$//' >> "$$folder/pins"; \
	cat "$$folder/pins" > constraints.txt

clean: ## remove what make has made: .venv, demo/, builds and caches
	rm -rf .venv build demo dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
