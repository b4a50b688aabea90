# Two commands do everything on a fresh machine with Python 3.11 and make: `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv

.PHONY: demo test test-slow lint clean clean-kernels

demo: $(VENV)/.installed
	@$(VENV)/bin/python -m compare.cli.demo

test: $(VENV)/.installed-dev
	$(VENV)/bin/python -m pytest -n auto --dist loadgroup

test-slow: $(VENV)/.installed-dev
	$(VENV)/bin/python -m pytest -m slow -n auto --dist loadgroup

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,cluster]'
	@touch $@ $(VENV)/.installed

# numba's cache does not see a change in a function that a kernel calls from another file.
clean-kernels:
	rm -rf heuristic/kernels/__pycache__ exact/search/__pycache__

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
