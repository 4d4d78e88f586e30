PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PYTEST := $(BIN)/pytest --quiet --numprocesses 2
OF_KERNELS := tests/envs/test_observations.py tests/envs/test_games.py

.DEFAULT_GOAL := help
.PHONY: help play test test-fast test-long lint servers bench clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

play: $(READY)  ## Play Splendor Duel against a bot
	@$(BIN)/parure play duel

test: lint servers test-fast  ## Check everything, as CI does
	@echo "== tests with PostgreSQL and Redis"
	@$(BIN)/pytest --quiet -m "servers and not long"
	@echo "== the rules as plain Python, with coverage"
	@NUMBA_DISABLE_JIT=1 $(PYTEST) tests/games $(OF_KERNELS) -m "not long and not slow_without_jit" --cov

test-fast: $(READY)  ## Run the tests, the long ones and those with servers left out
	@echo "== tests"
	@$(PYTEST)

test-long: $(READY) servers  ## Run the long tests only
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,examples]'
	@$(PYTEST) -m long

servers:  ## Install PostgreSQL and Redis for the tests, if missing
	@sh tests/server/install-servers.sh

lint: $(READY)  ## Check style and types
	@echo "== style and types"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check
	@$(BIN)/mypy --no-error-summary

bench: $(READY)  ## Measure the speed of rules, search and environments
	@$(BIN)/parure bench

clean:  ## Remove the environment and everything generated
	@rm -rf .venv build dist htmlcov .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml
	@echo "== installing into .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
