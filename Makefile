# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both make their own virtual environment in .venv first; nothing but Python (3.11 or later) and make is needed.

PYTHON ?= python3
BIN := .venv/bin

# What is compiled once is not compiled again by each worker of the tests and each program that they start.
unexport PYTHONDONTWRITEBYTECODE

# The exact versions in locks/, by their hashes. A Python or system for which one of them is not made takes whatever fits:
# make LOCKED= demo
LOCKED := yes
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
install = $(if $(LOCKED),$(PIP) --require-hashes -r locks/build.txt -r locks/$(1).txt && $(PIP) --no-deps --no-build-isolation -e .,$(PIP) -e '$(2)')

.PHONY: demo test thorough mutants lint pytest alone site release pythons container locks clean

demo: .venv/run.stamp
	$(BIN)/loom demo

# Style and types are checked beside the tests: mypy by itself would leave all cores but one without work.
test: .venv/test.stamp
	$(MAKE) --no-print-directory --jobs 2 lint pytest

# A file to a core, so that what a file's tests share is made once.
pytest: .venv/test.stamp
	$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

# Every example of every law: before a release, and after a change that reaches far.
thorough: .venv/test.stamp
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder -m ""

# Lines that trust rests on, put wrong one at a time in a copy: the tests that tests/mutants.yaml names have to fail.
mutants: .venv/test.stamp
	$(BIN)/python -m tests.mutants

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python -m tests.prose

# The built wheel in an environment of its own: it must print, play and show its table.
alone: .venv/test.stamp
	$(BIN)/python tests/alone.py

# The documents as a site, in output/site.
site: .venv/test.stamp
	$(BIN)/python docs/site/build.py

# The wheel and the source archive in dist/, built twice with the same bytes.
release: .venv/release.stamp
	$(BIN)/python -m tests.release

# The wheel under every supported Python, and with the least versions of libraries.
pythons: .venv/release.stamp
	$(BIN)/python -m tests.pythons

# The Containerfile checked, and its steps taken without a container.
container: .venv/release.stamp
	$(BIN)/hadolint Containerfile
	$(BIN)/python -m tests.container

# The newest versions that pyproject.toml admits, pinned.
locks: .venv/release.stamp
	$(BIN)/python -m tests.locks

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Loomtable needs Python 3.11 or later; name one with: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml locks/run.txt | .venv/bin/python
	$(call install,run,.)
	touch $@

.venv/test.stamp: pyproject.toml locks/test.txt | .venv/bin/python
	$(call install,test,.[test])
	touch $@ .venv/run.stamp

.venv/release.stamp: pyproject.toml .venv/test.stamp
	$(PIP) -e '.[release]'
	touch $@

clean:
	rm -rf .venv build dist output/*/ .mypy_cache .pytest_cache .ruff_cache .hypothesis
