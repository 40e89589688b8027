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
#   make check-slurm      jobs under a Slurm of its own (root; Debian's slurmctld, slurmd, munge)
#   make stress   random programs on coherent memory, PROGRAMS of them from FIRST on
#   make simulate  the same in a simulation, programs of RUNS seeds from FIRST on: 10,000 in half an hour
#   make fuzz     damaged programs through the compiler: INPUTS of them, made from SEED; findings
#                 are kept in build/fuzz
#   make check-arm64                      the runtime for arm64, and programs, by emulation
#   make check-editors                    notebooks, traces, the extension for VS Code, tree-sitter's grammar,
#                                         with packages of PyPI and npm, which it gets
#   make check-sanitize                   all programs with sanitizers
#   make check-checker                    all programs with upcc -check, which finds nothing in them
#   make installcheck                     the tests with tools installed to a fresh prefix, the build
#                                         tree hidden; with INSTALLED=/usr/local those installed there
#   make check-compilers                  the runtime and some programs by each gcc and clang there is,
#                                         and with the flags of distributions; COMPILERS: only these
#   make check-machines                   make demo on fresh machines, MACHINES of them: Debian's and
#                                         Ubuntu's releases in chroots that debootstrap makes (root)
#   make bench    measure; writes build/bench/results.json and pictures, build/bench/index.html
#   make bench-collectives    the testbed of collective operations, with figures
#   make papers   the papers' figures, measured here, beside the paper's numbers: 15 minutes, or
#                 hours with FULL=1; writes build/papers/index.html; PAPERS: only these, as zheng
#   make install PREFIX=/usr/local
#   make deb, rpm, dist   a Debian package, an RPM, the sources with all crates: in build/
#   make container        an image of what `make dist` leaves, by buildah, or CONTAINER=podman and the like
#   make check-packages   tries the packages, on a fresh Debian made by debootstrap
#
# What is missing is installed where the user may do that; with BOOTSTRAP=check it is only named.

# Exported: recipes find it with any characters in it.
export PREFIX ?= /usr/local
BUILD := build
TARGET := $(or $(CARGO_TARGET_DIR),target)
# The shell looks for a cargo that is new enough only when all is installed.
CARGO = PATH="$$(sh scripts/rust_path.sh)" cargo
XTASK = $(CARGO) xtask
QUIETLY = sh scripts/progress.sh $(BUILD)/log

.PHONY: help demo check check-csmith check-projects check-omp-suites check-collectives check-hosts \
	check-arm64 check-editors check-sanitize check-checker check-compilers check-machines \
	check-packages check-slurm installcheck stress simulate fuzz build bench bench-collectives \
	papers install clean bootstrap bootstrap-tests tests xtask deb rpm dist container

help:
	@sed -n 's/^#   //p' Makefile

bootstrap:
	@sh scripts/bootstrap.sh build

build: bootstrap
	@PATH="$$(sh scripts/rust_path.sh)" $(QUIETLY)/tools "building the tools" \
		cargo build --release --package furlong-tools
	@$(QUIETLY)/runtime "building the runtime" \
		sh scripts/runtime.sh $(BUILD)/runtime -DCMAKE_BUILD_TYPE=Release
	@sh scripts/stage.sh $(BUILD) $(TARGET)

xtask: bootstrap
	@PATH="$$(sh scripts/rust_path.sh)" $(QUIETLY)/xtask "building the tests' driver" \
		cargo build --release --package xtask

# All that tests need; the runtime takes the MPIs that it finds.
tests: bootstrap-tests build xtask

bootstrap-tests:
	@sh scripts/bootstrap.sh test

demo: build xtask
	@$(XTASK) demo

check: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check.sh $(BUILD)

check-csmith: tests
	@$(XTASK) plain-c --count 500

check-projects: tests
	@$(XTASK) projects

check-omp-suites: tests
	@$(XTASK) omp-suites

SEEDS ?= 20
MODEL := conform upc_collective/7.3.4p2-model

check-collectives: tests
	@$(XTASK) $(MODEL) --count $(SEEDS)
	@$(XTASK) $(MODEL) --count $(SEEDS) --hosts 2
	@$(XTASK) $(MODEL) --count $(SEEDS) --hosts 3
	@$(XTASK) $(MODEL) --count $(SEEDS) --remote
	@$(XTASK) $(MODEL) --count $(SEEDS) --flags -g
	@for algorithm in last post pull push tree levels meet slice; do \
		FURLONG_COLL="*:$$algorithm" $(XTASK) $(MODEL) --count $(SEEDS) || exit 1; done

check-hosts: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check-hosts.sh

check-arm64: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check-arm64.sh $(BUILD) $(TARGET)

check-editors: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check-editors.sh

check-sanitize: tests
	@$(XTASK) run --flags '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'

check-checker: tests
	@$(XTASK) run --flags '-O1 -check'

installcheck: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/installcheck.sh $(BUILD) "$$INSTALLED"

check-compilers: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check-compilers.sh $(BUILD) $(COMPILERS)

check-slurm: tests
	@PATH="$$(sh scripts/rust_path.sh)" sh scripts/check-slurm.sh

MACHINES ?= bookworm trixie noble
check-machines:
	@sh scripts/check-machines.sh $(MACHINES)

PROGRAMS ?= 10000
FIRST ?= 1
stress: build
	@$(BUILD)/runtime/dsm_test $(PROGRAMS) $(FIRST) >$(BUILD)/stress.log && tail -n 1 $(BUILD)/stress.log || \
		{ grep -v '^ok' $(BUILD)/stress.log; exit 1; }

RUNS ?= 10000
simulate: build
	@$(BUILD)/runtime/dsm_sim_test $(FIRST) $$(($(FIRST) + $(RUNS) - 1)) >$(BUILD)/simulate.log && \
		tail -n 1 $(BUILD)/simulate.log || { grep -v '^ok' $(BUILD)/simulate.log; exit 1; }

INPUTS ?= 1000000
SEED ?= 1
JOBS ?= $(shell nproc)
fuzz:
	@$(CARGO) build --quiet --profile fuzz --package furlong-fuzz
	@$(TARGET)/fuzz/furlong-fuzz --inputs $(INPUTS) --seed $(SEED) --jobs $(JOBS) --out $(BUILD)/fuzz

bench: tests
	@$(XTASK) bench

bench-collectives: tests
	@$(XTASK) bench testbed

papers: tests
	@$(XTASK) book $(PAPERS)

install: build
	@sh scripts/install.sh $(BUILD) "$$DESTDIR" "$$PREFIX"

deb: bootstrap
	@sh scripts/deb.sh $(BUILD)

rpm: bootstrap
	@sh scripts/rpm.sh $(BUILD)

dist:
	@sh scripts/dist.sh $(BUILD)

CONTAINER ?= buildah
container: dist
	@rm -rf $(BUILD)/container && mkdir -p $(BUILD)/container
	@tar -xJf $(BUILD)/furlong-*.tar.xz -C $(BUILD)/container --strip-components=1
	@$(CONTAINER) build -t furlong -f packaging/Containerfile $(CONTAINERFLAGS) $(BUILD)/container

check-packages: deb
	@unshare -m sh scripts/check-packages.sh $(BUILD)

clean:
	rm -rf $(BUILD) $(TARGET)
