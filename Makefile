# Every target sets up .venv by itself; it needs Python 3.11 or later and make.
PYTHON  ?= python3
WORKERS ?= 2
SYNC    ?= target
VENV    := .venv
BIN     := $(VENV)/bin
STAMP   := $(VENV)/.installed
FAST    := not slow and not gpu and not ray and not browser

# Tests start hundreds of processes; without bytecode each of them would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast lint types units docs site clean

# With `make -j`, the output of each target stays together (GNU make 4 and later).
ifneq ($(filter output-sync,$(.FEATURES)),)
MAKEFLAGS += --output-sync=$(SYNC)
endif

help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMP) ## Train on Hex 5x5, transfer to 7x7, play there (3 to 5 minutes)
	$(BIN)/ludoport demo

# mypy keeps one core busy for two minutes, so it runs beside the tests.
test: $(STAMP) ## Run linters, type checker and all tests
	$(MAKE) --no-print-directory -j 2 SYNC=none lint types units

test-fast: $(STAMP) ## Run the tests that are not marked slow, gpu, ray or browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "$(FAST)"

lint: $(STAMP) ## Run ruff and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP) ## Run mypy
	$(BIN)/mypy

units: $(STAMP) ## Run all tests
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

docs: $(STAMP) ## Write docs/reference from the code
	$(BIN)/python -m tools.reference

site: $(STAMP) ## Build the documentation site in site/
	LUDOPORT_JIT=0 $(BIN)/mkdocs build --strict

clean: ## Remove .venv, build output and caches
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludoport needs Python 3.11 or later: make PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

# Goals of one command that must not run at the same time.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
$(STAMP): | clean
endif
ifneq ($(filter docs,$(MAKECMDGOALS)),)
lint types units test-fast: | docs
endif
