// SPDX-License-Identifier: BSD-3-Clause
//! UPC is a superset of C: ordinary C must mean through upcc what it means through gcc. Random
//! programs (csmith, fixed seeds) are compared by their checksums; whole projects by their tests.

mod projects;

pub use projects::tests as projects;

use crate::config::Config;
use crate::process::{Command, End};
use crate::program::transcript;
use crate::suite::{Test, Verdict};
use std::path::Path;

/// Programs have these seeds and those after: the same ones in every run.
const FIRST_SEED: usize = 7001;
const DEFAULT_COUNT: usize = 20;
/// To the seed that replaces one.
const STEP: usize = 100_000;
/// csmith's programs end within a moment or not at all.
const RUN_SECS: u64 = 3;

pub fn random_programs(config: &Config) -> Vec<Test> {
    let count = config.count.unwrap_or(DEFAULT_COUNT);
    let test = |seed: usize| {
        let name = format!("plain-c/{seed}");
        Test::new(name.clone(), move |config| check(config, &name, seed))
    };
    (FIRST_SEED..FIRST_SEED + count).map(test).collect()
}

/// A program that does not end with gcc is replaced by that of another seed.
fn check(config: &Config, name: &str, seed: usize) -> Verdict {
    let scratch = config.scratch(name);
    for seed in (seed..).step_by(STEP).take(5) {
        let seed = seed.to_string();
        let generate = Command::new("csmith", &scratch).args(["--seed", &seed, "-o", "program.c"]);
        if let End::NotStarted(_) = generate.run().end {
            return Verdict::Skip("csmith is not installed".into());
        }
        let gcc = Command::new("gcc", &scratch);
        if let Ok(expected) = build_and_run(config, &gcc, &scratch, "gcc") {
            return compare(config, &scratch, &expected).into();
        }
    }
    Verdict::Skip(format!("none of the programs from seed {seed} ends with gcc"))
}

fn compare(config: &Config, scratch: &Path, expected: &str) -> Result<(), String> {
    let upcc = Command::new(&config.upcc, scratch).arg("-T=1").args(&config.flags);
    let actual = build_and_run(config, &upcc, scratch, "upcc")?;
    if actual != expected {
        let place = config.shown(scratch);
        return Err(format!("gcc's prints {expected:?}, upcc's {actual:?}\nsee {place}/program.c"));
    }
    let _ = std::fs::remove_dir_all(scratch);
    Ok(())
}

fn build_and_run(
    config: &Config,
    compiler: &Command,
    scratch: &Path,
    name: &str,
) -> Result<String, String> {
    let program = scratch.join(name);
    let build = compiler.clone().args(["-O1", "-w", "-I/usr/include/csmith", "program.c", "-o"]);
    let run = Command::new(&program, scratch).limit_secs(RUN_SECS);
    for command in [build.arg(&program), run.clone()] {
        let output = command.run();
        if !output.ok() {
            let again = command.shown(&config.root);
            let dir = config.shown(scratch);
            return Err(format!(
                "{}\n{}again: (cd {dir} && {again})",
                output.end,
                transcript(&output)
            ));
        }
        if command.argv == run.argv {
            return Ok(output.stdout);
        }
    }
    unreachable!("the second command is `run`")
}
