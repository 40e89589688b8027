// SPDX-License-Identifier: BSD-3-Clause
//! The examples as tests: each checks its own answer, so exit code 0 and some output will do.
//! Once more with sanitizers, in one mapping: what they find in emitted code or in the runtime
//! would be a fault of ours.

use crate::case::{self, Case, Mapping};
use crate::config::{words, Config};
use crate::process::Output;
use crate::program;
use crate::suite::{Test, Verdict};
use std::path::PathBuf;

const MAPPINGS: &str = "1x1 1x4 4x1 2x2 1x7";
const SANITIZERS: &str = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined";

const TWO_BY_TWO: Mapping = Mapping { hosts: 1, processes: 2, pthreads: 2 };

pub fn tests(config: &Config) -> Vec<Test> {
    files(config).into_iter().map(|path| test(case::name_of(&config.root, &path), path)).collect()
}

/// All but those that need other languages, libraries or launchers (`tests/cli/interoperation*.toml`), and
/// the project for build systems (`tests/cli/builds-*.toml`).
pub fn files(config: &Config) -> Vec<PathBuf> {
    let examples = config.root.join("examples");
    let mut files = case::find(&examples, &["upc"]);
    let others = ["interoperation", "build"].map(|part| examples.join(part));
    files.retain(|path| others.iter().all(|part| !path.starts_with(part)));
    files
}

pub fn load(path: &std::path::Path) -> Result<Case, String> {
    Case::load(path, MAPPINGS)
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| match load(&path) {
        Ok(case) => program::check(config, &name, &case, says_something).into(),
        Err(problem) => Verdict::Fail(problem),
    })
}

/// `sanitize/heat`: processes and pthreads at once.
pub fn sanitized(config: &Config) -> Vec<Test> {
    let test = |path: PathBuf| {
        let name = case::name_of(&config.root, &path).replace("examples/", "sanitize/");
        Test::new(name.clone(), move |config| {
            let case = load(&path).map(|case| Case { mappings: vec![TWO_BY_TWO], ..case });
            let config = &Config { flags: words(SANITIZERS), ..config.clone() };
            match case {
                Ok(case) => program::check(config, &name, &case, says_something).into(),
                Err(problem) => Verdict::Fail(problem),
            }
        })
    };
    files(config).into_iter().map(test).collect()
}

fn says_something(output: &Output) -> Result<(), String> {
    match output.stdout.trim().is_empty() {
        true => Err("prints nothing".into()),
        false => Ok(()),
    }
}
