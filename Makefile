# Set-up and everyday commands. Each is idempotent: what is installed stays until its requirements change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: app install test lint clean

app: $(VENV)/.app
	@$(BIN)/python -m pipeline fetch hans mnli --if-missing --give-up-after 20 || true
	$(BIN)/streamlit run app/Home.py $(ARGS)

install: $(VENV)/.dev

test: $(VENV)/.dev lint
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Flock needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements-app.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-app.txt
	@touch $@

$(VENV)/.dev: requirements-app.txt requirements.txt requirements-cluster.txt requirements-dev.txt pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.app

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis *.egg-info
