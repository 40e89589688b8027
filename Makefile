# SPDX-License-Identifier: BSD-3-Clause
# The front door. Cargo builds the tools, CMake and Ninja the runtime; this file only calls them.
#
#   make demo     install what is missing, build, and show UPC and OpenMP, on two hosts too
#   make check    all tests
#   make build    leave upcc, upcrun, ompcc, omprun and furlong in build/bin
#   make check-csmith, check-projects     ordinary C through upcc: the long way
#   make check-omp-suites   gcc's and LLVM's own OpenMP tests, on one host and over several: an hour
#   make check-collectives                collectives beside a model, with SEEDS random seeds
#   make check-hosts                      all programs over hosts, fabrics and transports: hours;
#                                         with TURN=0, 1... each in one mapping, a fifth of that
#   make stress   random programs on coherent memory, PROGRAMS of them from FIRST on
#   make fuzz     damaged programs through the compiler: INPUTS of them, made from SEED; findings
#                 are kept in build/fuzz
#   make check-sanitize                   all programs with sanitizers
#   make bench    measure; writes build/bench/results.json
#   make bench-collectives    the testbed of collective operations, with figures
#   make install PREFIX=/usr/local

PREFIX ?= /usr/local
BUILD := build
TARGET := $(or $(CARGO_TARGET_DIR),target)

.PHONY: help demo check check-csmith check-projects check-omp-suites check-collectives check-hosts \
	check-sanitize stress fuzz build bench bench-collectives install clean bootstrap

help:
	@sed -n 's/^#   //p' Makefile

bootstrap:
	@sh scripts/bootstrap.sh

build: bootstrap
	@cargo build --quiet --release --package furlong-tools
	@cmake -S runtime -B $(BUILD)/runtime -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD)/runtime -- --quiet
	@sh scripts/stage.sh $(BUILD) $(TARGET)

demo: build
	@cargo xtask demo

check: build
	@sh scripts/check.sh $(BUILD)

check-csmith: build
	@cargo xtask plain-c --count 500

check-projects: build
	@cargo xtask projects

check-omp-suites: build
	@cargo xtask omp-suites

SEEDS ?= 20
MODEL := conform upc_collective/7.3.4p2-model

check-collectives: build
	@cargo xtask $(MODEL) --count $(SEEDS)
	@cargo xtask $(MODEL) --count $(SEEDS) --hosts 2
	@cargo xtask $(MODEL) --count $(SEEDS) --hosts 3
	@cargo xtask $(MODEL) --count $(SEEDS) --remote
	@cargo xtask $(MODEL) --count $(SEEDS) --flags -g
	@for algorithm in last post pull push tree levels meet slice; do \
		FURLONG_COLL="*:$$algorithm" cargo xtask $(MODEL) --count $(SEEDS) || exit 1; done

check-hosts: build
	@sh scripts/check-hosts.sh

check-sanitize: build
	@cargo xtask run --flags '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'

PROGRAMS ?= 10000
FIRST ?= 1
stress: build
	@$(BUILD)/runtime/dsm_test $(PROGRAMS) $(FIRST) >$(BUILD)/stress.log && tail -n 1 $(BUILD)/stress.log || \
		{ grep -v '^ok' $(BUILD)/stress.log; exit 1; }

INPUTS ?= 1000000
SEED ?= 1
JOBS ?= $(shell nproc)
fuzz:
	@cargo build --quiet --profile fuzz --package furlong-fuzz
	@$(TARGET)/fuzz/furlong-fuzz --inputs $(INPUTS) --seed $(SEED) --jobs $(JOBS) --out $(BUILD)/fuzz

bench: build
	@cargo xtask bench

bench-collectives: build
	@cargo xtask bench collectives --plot $(BUILD)/bench/figures

install: build
	@sh scripts/install.sh $(BUILD) "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf $(BUILD) $(TARGET)
