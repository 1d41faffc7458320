# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both first create a virtual environment in .venv; all you need is Python (3.11 or later) and make.

PYTHON ?= python3
BIN := .venv/bin

# Keep bytecode, so that test workers, and the programs they start, need not compile it again.
unexport PYTHONDONTWRITEBYTECODE

# Install the exact versions in locks/, by hash. If your Python or system has no wheel for one, install whatever fits:
# make LOCKED= demo
LOCKED := yes
PIP := $(BIN)/python -m pip install --disable-pip-version-check
say = echo "Installing $$(cat locks/build.txt locks/$(1).txt | grep -c ==) packages into .venv, $(2) in all: one to ten minutes, most of it downloads."
install = @$(call say,$(1),$(3)) && $(if $(LOCKED),$(PIP) --require-hashes -r locks/build.txt -r locks/$(1).txt && $(PIP) --quiet --no-deps --no-build-isolation -e .,$(PIP) -e '$(2)')

.PHONY: demo test thorough mutants lint pytest alone site pages release pythons container locks clean

demo: .venv/run.stamp
	$(BIN)/loom demo

# Lint in parallel with the tests, because mypy uses only one core.
test: .venv/test.stamp
	$(MAKE) --no-print-directory --jobs 2 lint pytest

# One file per core, so that fixtures shared within a file are built once. The slowest tests are named at the end.
WORKERS := -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder
pytest: .venv/test.stamp
	$(BIN)/python -m pytest $(WORKERS) --durations=40

# Every example of every property test: before a release, and after a far-reaching change.
thorough: .venv/test.stamp
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest $(WORKERS) --durations=40 -m ""

# Break critical lines one at a time, in a copy: the tests named in tests/mutants.yaml must fail.
mutants: .venv/test.stamp
	$(BIN)/python -m tests.mutants

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python -m tests.prose

# Install the built wheel in a new environment: it must print, play and open the table.
alone: .venv/test.stamp
	$(BIN)/python tests/alone.py

# Make the generated pages of the documents anew.
PAGES = benchmarks_page evening_pages rulings_page actions_page source_pages fields_page spell_words commands_page thresholds_page terminal_pages
pages: .venv/test.stamp
	for page in $(PAGES); do $(BIN)/python -m docs.site.$$page || exit 1; done

# Build the documentation site in output/site.
site: .venv/test.stamp
	$(BIN)/python docs/site/build.py

# Build the wheel and the source archive into dist/, twice, and require identical bytes.
release: .venv/release.stamp
	$(BIN)/python -m tests.release

# Try the wheel with every supported Python, and with the minimum versions of libraries.
pythons: .venv/release.stamp
	$(BIN)/python -m tests.pythons

# Lint the Containerfile, and run its steps without a container.
container: .venv/release.stamp
	$(BIN)/hadolint Containerfile
	$(BIN)/python -m tests.container

# Pin the newest versions that pyproject.toml allows.
locks: .venv/release.stamp
	$(BIN)/python -m tests.locks

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Loomtable needs Python 3.11 or later; name one with: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml locks/run.txt | .venv/bin/python
	$(call install,run,.,520 MB)
	touch $@

.venv/test.stamp: pyproject.toml locks/test.txt | .venv/bin/python
	$(call install,test,.[test],1.2 GB)
	touch $@ .venv/run.stamp

.venv/release.stamp: pyproject.toml .venv/test.stamp
	$(PIP) --quiet -e '.[release]'
	touch $@

clean:
	rm -rf .venv build dist output/*/ .mypy_cache .pytest_cache .ruff_cache .hypothesis
