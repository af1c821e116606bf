# Everything needed is set up on the way: only Python 3.11 or newer and make must be there.
# uv is used where it is on the path, else venv and pip. Neither translates what it installs: most of it is never
# imported, and what is, Python translates and keeps when it is first.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV := $(shell command -v uv 2>/dev/null)
VENV ?= .venv
DEMO ?= demo
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
CHECKED := src tests benchmarks examples docs
# Hundreds of tests start the command line: without this each of them would translate the whole package anew.
unexport PYTHONDONTWRITEBYTECODE
PROSE := README.md CONTRIBUTING.md CHANGELOG.md docs changes

ifdef UV
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
MAKE_VENV = $(UV) venv --quiet --python $(PYTHON) $(VENV)
else
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
MAKE_VENV = $(PYTHON) -m venv $(VENV)
endif

.DEFAULT_GOAL := help
.PHONY: help demo app test test-all test-nojit browser postgres java fuzz mutants bench bench-peers reproduce docs dist lint format clean clean-kernels

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.installed ## anonymise a table of synthetic patients into demo/ and check it
	@$(BIN)/shoal demo -o $(DEMO)
	@$(BIN)/shoal check $(DEMO)/release

app: $(VENV)/.installed-app ## the local web app, with the built-in table of synthetic patients
	@$(BIN)/shoal app --example

test: lint browser postgres java test-nojit ## lint, types and all tests but the long ones
	$(PYTEST) -n 2 -m "not long"

test-all: export SHOAL_TESTS = full
test-all: lint browser postgres java test-nojit ## the same with the long tests and every random table
	$(PYTEST) -n 2

test-nojit: $(VENV)/.installed-dev ## the kernels' tests as plain Python, without the compiler
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/engine/kernels -q -m "not long and not compiled"

browser: $(VENV)/.installed-dev ## a Chromium for the tests of pages, if there is none
	@sh tests/install_chromium.sh $(BIN)/python

postgres: ## a PostgreSQL for the tests of databases, if there is none
	@sh tests/install_postgres.sh

java: ## a Java for the tests of Spark, if there is none
	@sh tests/install_java.sh

fuzz: $(VENV)/.installed-dev ## 20,000 random tables and plans, and random defects of releases, judged by the checker
	$(BIN)/python -m tests.fuzz
	$(BIN)/python -m tests.defects

mutants: $(VENV)/.installed-dev ## plant 200 small faults, one at a time, and list those that no test notices
	$(BIN)/python -m tests.mutants

bench: $(VENV)/.installed-dev ## speed and loss side by side, for the tables in SHOAL_DATA
	$(BIN)/python -m benchmarks

bench-peers: $(VENV)/.installed-dev ## other people's anonymisers beside ours, into docs/peers.md; delete docs/peers.csv to begin anew
	$(BIN)/python -m benchmarks.peers

reproduce: $(VENV)/.installed-dev ## the papers' experiments again, into docs/reproduction; some with PAPER=kacpc
	$(BIN)/python -m benchmarks.papers $(PAPER) $(ARGS)

docs: $(VENV)/.installed-dev ## rewrite what the pages say of the package, and build the site: site/index.html
	for page in docs/generate_*.py; do $(BIN)/python $$page || exit 1; done
	$(BIN)/sphinx-build -q -W --keep-going -d site/.cache -c docs/site . site

dist: $(VENV)/.installed-dev ## wheel and source archive, tried as strangers have them
	sh tests/try_distribution.sh $(BIN)/python

lint: $(VENV)/.installed-dev ## style, types and spelling
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/codespell src benchmarks examples $(PROSE)

format: $(VENV)/.installed-dev ## mend style where that can be done safely
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)

clean: ## remove results and caches; .venv stays
	rm -rf demo bench dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

clean-kernels: ## forget compiled kernels, should they ever be in the way
	find src/shoal -name '*.nb[ic]' -delete

$(BIN)/python:
	$(MAKE_VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(INSTALL) -e .
	@touch $@

$(VENV)/.installed-app: pyproject.toml | $(BIN)/python
	$(INSTALL) -e '.[app]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-app
