# Every target sets up what it needs: a virtual environment in .venv, installed with pinned constraints.
# Paths are relative, so that the checkout may be in a folder with spaces in its name.

# The Python that makes .venv. To change it later, run `make clean` first.
PYTHON ?= python3
# The variant that `make demo` plays, by whom, and how many games.
VARIANT ?= usa
AGENTS ?= planner racer long_routes greedy
GAMES ?= 240
# For example: make test PYTEST_OPTIONS="-k tunnel"
# worksteal: a process gets neighbouring tests, which share played games, until another one has nothing left to do.
PYTEST_OPTIONS ?= -n auto --maxprocesses 8 --dist worksteal
# How `make docs` builds: dummy looks for warnings only.
BUILDER ?= html
# What `make bounds` runs: what plays by the rules, and what puts states from outside into games.
BOUNDS := tests/rules tests/golden/test_golden.py tests/games/test_stepping.py tests/games/test_saving.py \
    tests/games/test_invariants.py tests/fuzz/test_flips.py
# What `make pages` runs: what is there to look at.
PAGES := tests/pages tests/render
# What `make agents` runs: agents, tournaments and ratings, training, benchmarks and examples.
OF_AGENTS := tests/agents tests/train tests/benchmarks tests/docs/test_examples.py tests/docs/test_notebook.py
# What `make test` leaves out; CI runs everything in one go, by LEFT_OUT=
LEFT_OUT := $(PAGES) $(OF_AGENTS)
# What `make quick` runs: something of each layer.
QUICK := \
    tests/variants \
    tests/commands/test_commands.py \
    tests/rules/test_common.py \
    tests/rules/test_usa.py \
    tests/golden/test_golden.py \
    tests/games/test_stepping.py \
    tests/variants/test_own_map.py \
    tests/history/test_replay.py \
    tests/envs/test_single.py \
    tests/envs/test_vector.py \
    tests/render/test_text.py \
    tests/render/test_raster.py \
    tests/agents/playing/test_greedy.py \
    tests/agents/comparing/test_tournament.py \
    tests/train/test_rewards_and_pool.py

# What `make pythons` runs with each other Python and with the oldest versions: something of each layer and of each extra, without PyTorch.
PYTHONS := \
    tests/commands/test_commands.py \
    tests/rules/test_usa.py \
    tests/golden/test_golden.py \
    tests/history/test_replay.py \
    tests/envs/test_single.py \
    tests/render/test_raster.py \
    tests/agents/playing/test_greedy.py \
    tests/agents/comparing/test_standings.py \
    tests/agents/comparing/test_report.py \
    tests/agents/comparing/test_export.py \
    tests/agents/playing/test_onnx_export.py \
    tests/agents/playing/test_llm.py

VENV_PYTHON := .venv/bin/python
PIP := $(VENV_PYTHON) -m pip --disable-pip-version-check --quiet

# Stamps are written when an installation is complete: of what the demo needs, and of everything. The first holds the
# folder that it was made for. Without it, .venv is taken to be incomplete and made again.
DEMO := .venv/.demo
ALL := .venv/.installed
INTACT := [ "$$(cat $(DEMO) 2>/dev/null)" = "$$(pwd -P)" ] && $(VENV_PYTHON) -c 'import pip' 2>/dev/null

.DEFAULT_GOAL := help
.PHONY: help demo test pages agents quick bounds clients pythons check format docs tables golden bench policies strength wheel release setup constraints clean always

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 14

demo: $(DEMO) ## play a tournament of the agents; its games and a report are in demo/ (VARIANT=usa)
	rm -rf demo
	@$(VENV_PYTHON) -m t2r_env tournament --variant $(VARIANT) --agents $(AGENTS) --games $(GAMES) --seed 0 --out demo

test: $(ALL) ## run all tests but those of pictures and pages, and of agents and training
	$(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS) $(addprefix --ignore=,$(LEFT_OUT))

pages: $(ALL) ## run the tests of pictures, and of pages in Chromium: replays, playing in the browser
	@.ci/programs chromium
	$(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS) $(PAGES)

agents: $(ALL) ## run the tests of agents, tournaments, ratings, training, benchmarks and examples
	$(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS) $(OF_AGENTS)

quick: $(ALL) ## run some tests of each layer, in less than a minute (a change of the rules is compiled first)
	$(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS) $(QUICK)

bounds: $(ALL) ## run the tests of the rules with every index checked and the quicker start, compiled in build/bounds
	NUMBA_BOUNDSCHECK=1 T2R_ENV_CACHE_DIR="$$(pwd -P)/build/bounds" $(VENV_PYTHON) -m pytest $(PYTEST_OPTIONS) $(BOUNDS)

pythons: $(ALL) ## run some tests of each layer with other versions of Python that can be found, and with the oldest packages
	.ci/pythons $(PYTHONS)

check: $(ALL) ## check with the linter, the formatter, the type checker, and for phrases that are hard to read
	$(VENV_PYTHON) -m tests.docs.prose
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy

format: $(ALL) ## format the code and apply the linter's fixes
	$(VENV_PYTHON) -m ruff check --fix-only .
	$(VENV_PYTHON) -m ruff format .

docs: $(ALL) ## build the documentation site in build/docs; every warning is an error
	$(VENV_PYTHON) -m sphinx --quiet --fail-on-warning --fresh-env -b $(BUILDER) -c docs -d build/doctrees . build/docs

tables: $(ALL) ## regenerate what pages have from elsewhere: layouts, rulings, results
	$(VENV_PYTHON) -m docs.write_tables

golden: $(ALL) ## regenerate the golden games and pictures, and the games that pages show
	$(VENV_PYTHON) -m tests.golden
	$(VENV_PYTHON) -m tests.render.pictures
	$(VENV_PYTHON) -m docs.record_games
	$(VENV_PYTHON) -m docs.pictures

clients: $(ALL) ## run the examples of tools that .venv has not, tests/multi_agent and tests/ray, in environments of their own (CLIENT=torchrl)
	$(VENV_PYTHON) -m tests.helpers.clients $(CLIENT)

bench: $(ALL) ## measure the speed of the core
	$(VENV_PYTHON) -m benchmarks.throughput

policies: $(ALL) ## train the policies of the library, each from nothing, in build/policies; it takes a day, and goes on after Ctrl-C
	$(VENV_PYTHON) -m benchmarks.train_policies

strength: $(ALL) ## measure the agents for a release: the ladders of `t2r rate`, the leaderboard, and docs/strength.md; it takes an hour or two
	$(VENV_PYTHON) -m benchmarks.ladder
	$(VENV_PYTHON) -m benchmarks.leaderboard
	$(VENV_PYTHON) -m benchmarks.strength --page docs/strength.md
	$(VENV_PYTHON) -m docs.write_tables

wheel: $(ALL) ## make wheel and sdist in dist/, and check them
	$(VENV_PYTHON) -m tests.release.build

release: wheel ## make wheel and sdist as well, install the wheel elsewhere and use it, and run the tests that take long
	$(VENV_PYTHON) -m tests.release.installed
	$(VENV_PYTHON) -m pytest -n 2 --dist worksteal -m release

setup: $(ALL) ## make .venv; every other target does so itself

$(DEMO): pyproject.toml requirements.txt $(if $(shell $(INTACT) && echo yes),,always)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 't2r_env needs Python 3.11 or newer, and "$(PYTHON)" is not: make PYTHON=python3.11 ...' >&2; exit 1; }
	@if $(INTACT); then echo 'Updating .venv'; else echo 'Making .venv'; "$(PYTHON)" -m venv --clear .venv; fi
	@rm -f $(DEMO)
	@echo 'Installing the library, its agents and tournaments: half a minute to a minute'
	@$(PIP) install --require-hashes --no-deps --requirement requirements.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@pwd -P > $(DEMO)

$(ALL): $(DEMO) requirements-dev.txt constraints.txt
	@rm -f $(ALL)
	@echo 'Installing what training and the tests need, PyTorch among it: a minute or two'
	@# Every file's hash is checked, but PyTorch's: its CPU build, where pip is told of one, is not the registry's file.
	@$(PIP) install --require-hashes --no-deps --requirement requirements-dev.txt
	@$(PIP) install --constraint constraints.txt torch
	@$(PIP) check
	@touch $(ALL)

# Pins made with the oldest Python install on newer ones too; the reverse does not hold.
# PIP_CONSTRAINT=constraints.txt keeps the pins that are there, and adds what is missing.
constraints: ## pin today's versions in constraints.txt, and their hashes in requirements*.txt (needs Python 3.11)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	    { echo 'Pins are made with Python 3.11: make constraints PYTHON=python3.11' >&2; exit 1; }
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	"$(PYTHON)" -m venv "$$folder/venv"; \
	pip() { "$$folder/venv/bin/python" -m pip --disable-pip-version-check "$$@"; }; \
	freeze() { pip freeze --exclude-editable | sed 's/+cpu$$//'; }; \
	pip install --quiet hatchling; \
	pip install --quiet --no-build-isolation --editable '.[play,tournament]'; \
	freeze > "$$folder/demo"; \
	pip install --quiet "$$(grep '^torch==' constraints.txt)"; \
	pip install --quiet --no-build-isolation --editable '.[dev]'; \
	echo '# All packages that the extras install, on Python 3.11 and newer. Made by `make constraints`; do not edit.' > "$$folder/pins"; \
	freeze >> "$$folder/pins"; \
	grep -vxF -f "$$folder/demo" "$$folder/pins" > "$$folder/dev"; \
	pip install --quiet uv; \
	for part in demo dev; do \
	    echo '# Packages with the hashes of all their files, but torch. Made by `make constraints`; do not edit.' > "$$folder/hashes_$$part"; \
	    "$$folder/venv/bin/uv" --quiet pip compile --no-deps --generate-hashes --no-annotate --no-header \
	        --no-emit-package torch --python-version 3.11 "$$folder/$$part" >> "$$folder/hashes_$$part"; \
	done; \
	cat "$$folder/pins" > constraints.txt; \
	cat "$$folder/hashes_demo" > requirements.txt; \
	cat "$$folder/hashes_dev" > requirements-dev.txt

clean: ## remove what make made: .venv, demo/, builds and caches
	rm -rf .venv build demo dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
