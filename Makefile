# Two commands matter: `make site` and `make test`. The rest is what they are made of.
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin

# The newest Python the project accepts; `.python-version` is honoured by pyenv, uv and the like.
PYTHON ?= $(firstword $(foreach p,python3.13 python3.14 python3.12 python3,$(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo $(p))))

.PHONY: site serve build check test quick bench setup chromium lock lint clean

site: setup ## install, check, build, serve
	$(BIN)/rolotheque serve --port $(PORT)

build: setup ## install, check, build into site/
	$(BIN)/rolotheque build

check: setup ## check the data
	$(BIN)/rolotheque check

test: setup chromium lint ## install what is needed, Chromium included, and run every test
	$(BIN)/python -m pytest -n 2 --maxschedchunk 4

quick: setup ## the tests that need neither a browser nor a built site
	$(BIN)/python -m pytest -m "not browser and not slow"

bench: setup chromium ## speed, as ratios measured in one run
	$(BIN)/python -m tests.bench

lint: setup
	$(BIN)/ruff check .

chromium: setup
	$(BIN)/python -m tests.browser.chromium

setup: $(VENV)/.installed node_modules/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.12 or later is needed: none of python3.13, python3.14, python3.12, python3 is."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

node_modules/.installed: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	touch $@

lock: ## write the lock files again
	$(BIN)/uv pip compile --universal --python-version 3.12 --generate-hashes --no-emit-index-url --no-header --extra dev -o requirements.lock pyproject.toml
	npm install --package-lock-only --ignore-scripts

clean:
	rm -rf build site
