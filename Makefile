# Two commands are all a newcomer needs: `make serve` and `make check`.
# The work is done by small tested modules in src/booktools; this file only names them.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
NAME ?=

PY := .venv/bin/python
SETUP := PYTHONPATH=src $(PYTHON) -m booktools.setup.environment
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# The environment is this project's alone.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DEFAULT_GOAL := help
.PHONY: help pdf serve check check-all setup setup-check build notebooks figures chapter new-chapter new-exercise new-figure lint unit \
	nbval site-test mutants prose-mutants bench screenshots clean

help: ## show this list
	@echo "make TARGET   (HOST, PORT for serve; NAME for chapter; PYTHON for all)"
	@sed -n 's/^\([a-z-]*\):.*## /  \1: /p' Makefile

serve: setup ## set up, build, serve on HOST (127.0.0.1) and PORT (8000)
	@$(PY) -m booktools.setup.serve --host $(HOST) --port $(PORT) --probe
	@$(PY) -m booktools.site.build
	@$(PY) -m booktools.setup.serve --host $(HOST) --port $(PORT)

check: setup-check ## set up and test everything
	@$(PY) -m booktools.gate.check

check-all: check ## the same, then the tests that take long, as publishing does
	@$(PY) -m booktools.gate.check slow-tests

setup: ## make the environment for building and serving
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Get Python 3.11 or newer from https://www.python.org/downloads/ or your package manager; another name: make serve PYTHON=python3.12"; exit 1; }
	@$(SETUP) serve

setup-check: setup ## add what tests and JupyterLab need: a browser, node packages, tools
	@$(SETUP) check

notebooks: setup ## make chapters/*.ipynb from chapters/*.md
	@$(PY) -m booktools.content.notebooks

build: setup ## build the site into _build/html
	@$(PY) -m booktools.site.build

figures: setup ## draw figures/*.svg again from figures/*.py
	@$(PY) -m booktools.content.figures

chapter: setup-check ## regenerate, check and run one chapter: NAME=05_why_divide
	@$(PY) -m booktools.content.chapter $(NAME)

new-chapter: setup ## start a chapter as a draft that passes the checks: NAME=06_slug
	@$(PY) -m booktools.content.drafts chapter $(NAME)

new-exercise: setup ## start an exercise as a draft that passes: NAME=06-half-weight
	@$(PY) -m booktools.content.drafts exercise $(NAME)

new-figure: setup ## start a live figure as a draft that passes: NAME=long_rows
	@$(PY) -m booktools.content.drafts figure $(NAME)

lint: setup-check ## ruff
	@$(PY) -m booktools.gate.check lint

unit: setup-check ## unit tests (all that need no browser)
	@$(PY) -m booktools.gate.check unit-tests

nbval: setup-check ## run every notebook's cells and asserts
	@$(PY) -m booktools.gate.check notebooks

mutants: setup-check ## break the kernel on purpose: each kept break must be noticed
	@$(PY) -m booktools.gate.check mutants

prose-mutants: setup-check ## change what a reader sees, one thing at a time: it must be refused
	@$(PY) -m booktools.gate.prose_mutants --run

site-test: setup-check ## strict build, then every page in a real browser
	@$(PY) -m booktools.gate.check strict-build browser site-tests

bench: setup-check ## redraw times, first paint, page weight, kernel speed
	@$(PY) -m booktools.site.build
	@$(PY) -m booktools.gate.bench_pages
	@$(PY) -m booktools.gate.bench_kernel

pdf: setup-check build ## print each chapter to _build/pdf
	@$(PY) -m booktools.site.pdf

screenshots: setup-check build ## take the README's pictures from the built site
	@$(PY) -m booktools.site.screenshots

clean: ## remove what was built; the environment stays
	@rm -rf _build .pytest_cache .ruff_cache .hypothesis
