// SPDX-License-Identifier: BSD-3-Clause
//! The project's own errands: `cargo xtask help` lists them. Tests are data under `tests/`
//! (tests/README.md says in which form); this program reads, runs and compares them.
//!
//! It knows the tools only by their command lines, and nothing of the compiler's inside.

mod apps;
mod case;
mod cli;
mod config;
mod conform;
mod debian;
mod demo;
mod diagnostics;
mod docs;
mod emit;
mod envdoc;
mod examples;
mod omp;
mod omp_suites;
#[path = "../../tools/src/furlong/params.rs"]
mod params;
mod plain_c;
mod program;
mod snapshot;
mod suite;
mod tidy;
mod ui;

use config::Config;
use furlong_measure::book::Failure;
use furlong_measure::{bench, book, netns, papers, process};
use std::process::ExitCode;
use std::sync::Arc;

const HELP: &str = "\
cargo xtask COMMAND [FILTER]... [OPTION]...

  check       every kind of test below
  ui          diagnostics: tests/ui
  emit        emitted C: tests/emit
  run         behaviour: tests/run
  conform     the rules of UPC 1.3, and their scoreboards: tests/conform
  examples    examples/
  sanitize    examples/ with the address and undefined-behaviour sanitizers
  omp         OpenMP programs: tests/omp
  omp-suites  OpenMP programs: gcc's and LLVM's own tests, from Debian's packages of their sources
  cli         command lines: tests/cli
  docs        the commands and links of the documentation
  tidy        rules about the sources themselves
  plain-c     ordinary C through upcc: random programs (--count N)
  projects    ordinary C through upcc: whole projects from Debian's source packages
  bless       rewrite the expected diagnostics, emitted C and scoreboard from what is printed now
  apps        measured programs that check themselves, small: `check` in bench/*/bench.toml
  bench       measure, and compare with the references: bench/bench.toml; FULL=1: large sizes
  demo        a tour: UPC and OpenMP on one host and on two
  book        the papers' figures, measured: build/papers/index.html; FILTER: a paper, or a measurement
  papers      rewrite docs/papers.md from the table of the papers' figures, bench/papers.toml
  envdoc      rewrite docs/env.md from the runtime's list of settings

  FILTER      only tests whose name (as printed) contains this text
  --bless     as bless, for one kind
  --count N   number of random programs, or of seeds of tests that have any
  --flags F   further options for every upcc command, for example --flags '-O3 -g'
  --hosts N   run programs over N hosts of this machine, in those mappings that have as many processes
  --fabric F  what connects these hosts: `virtual`, or `netns` for network namespaces (root)
  --installed PREFIX  the tools installed there instead of those in build/bin; without tidy
  --jobs N    tests at a time (default: the number of CPUs)
  --mappings L  instead of the default mappings: processes x pthreads, as in '4x1 8x2'
  --plot DIR  draw what a testbed has measured: figures in SVG
  --remote    programs take all shared memory for another host's (run, conform, examples)
  --rounds N  rounds of each measurement (default: as bench.toml says)
  --turn K    each program in one of its mappings: with K = 0, 1, 2... in one after the other
  --transport T  what connects the hosts; under `mpich` and `openmpi` programs are started by mpiexec
  --upcc P, --upcrun P   other tools than those in build/bin
  --emulator WORDS       starts programs that are for another machine, on one host
  --full      measure in the sizes of the papers: long
  --write     put the measurements into bench/README.md as well
";

fn main() -> ExitCode {
    let mut config = match Config::from_args(std::env::args().skip(1)) {
        Ok(config) => config,
        Err(problem) => {
            eprintln!("xtask: {problem}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if config.wants_netns {
        match netns::Netns::new(config.hosts.unwrap_or(2)) {
            Ok(netns) => config.netns = Some(Arc::new(netns)),
            Err(why) => {
                println!("skipped: {why}");
                return ExitCode::SUCCESS;
            }
        }
    }
    let ok = match config.command.as_str() {
        "check" => check(&config),
        "ui" => suite::run_all(&config, ui::tests(&config)).report(),
        "emit" => suite::run_all(&config, emit::tests(&config)).report(),
        "run" => suite::run_all(&config, program::tests(&config)).report(),
        "conform" => run_conform(&config),
        "examples" => suite::run_all(&config, examples::tests(&config)).report(),
        "sanitize" => suite::run_all(&config, examples::sanitized(&config)).report(),
        "omp" => suite::run_all(&config, omp::tests(&config)).report(),
        "omp-suites" => suite::run_all(&config, omp_suites::tests(&config)).report(),
        "cli" => suite::run_all(&config, cli::tests(&config)).report(),
        "docs" => suite::run_all(&config, docs::tests(&config)).report(),
        "tidy" => suite::run_all(&config, tidy::tests(&config)).report(),
        "plain-c" => suite::run_all(&config, plain_c::random_programs(&config)).report(),
        "projects" => suite::run_all(&config, plain_c::projects(&config)).report(),
        "bless" => bless(&config),
        "bench" => bench::run(&config),
        "apps" => suite::run_all(&config, apps::tests(&config)).report(),
        "demo" => demo::run(&config),
        "envdoc" => envdoc::write(&config),
        "papers" => papers::write(&config),
        "book" => make_book(&config),
        "help" => {
            print!("{HELP}");
            true
        }
        other => {
            eprintln!("xtask: there is no command `{other}`\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Every kind in one pool, the quick ones first, so that no CPU waits between kinds.
fn check(config: &Config) -> bool {
    let mut tests = if config.installed { Vec::new() } else { tidy::tests(config) };
    let kinds = [cli::tests, ui::tests, emit::tests, conform::tests, program::tests];
    tests.extend(kinds.iter().flat_map(|kind| kind(config)));
    tests.extend(docs::tests(config));
    tests.extend(omp::tests(config));
    tests.extend(program::remote(config));
    tests.extend(examples::tests(config));
    tests.extend(examples::sanitized(config));
    tests.extend(apps::tests(config));
    tests.extend(plain_c::random_programs(config));
    let mut outcome = suite::run_all(config, tests);
    conform::add_scoreboard(config, &mut outcome);
    outcome.report()
}

fn run_conform(config: &Config) -> bool {
    let mut outcome = suite::run_all(config, conform::tests(config));
    conform::add_scoreboard(config, &mut outcome);
    outcome.report()
}

fn make_book(config: &Config) -> bool {
    match book::make(config, &config.out.join("papers"), book::Asked::Repository) {
        Ok(page) => println!("{}", config.shown(&page)),
        Err(Failure::Name(problem) | Failure::Measuring(problem)) => {
            println!("FAIL {problem}");
            return false;
        }
    }
    true
}

fn bless(config: &Config) -> bool {
    let config = &Config { bless: true, ..config.clone() };
    let mut tests = ui::tests(config);
    tests.extend(emit::tests(config));
    tests.extend(conform::tests(config));
    let mut outcome = suite::run_all(config, tests);
    conform::add_scoreboard(config, &mut outcome);
    outcome.report()
}
