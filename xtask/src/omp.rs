// SPDX-License-Identifier: BSD-3-Clause
//! OpenMP programs in C, C++ and Fortran: `tests/omp`, each compiled by ompcc and run with several
//! numbers of threads and, over hosts, with both ways of telling accesses to pages.

use crate::case::{self, Case, Mapping};
use crate::config::Config;
use crate::process::{Command, Output};
use crate::program;
use crate::suite::{Test, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Hosts x threads of each.
const MAPPINGS: &str = "1x1 1x2 1x3 1x5 1x16";
const COMPILE_SECS: u64 = 120;

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("omp"), &["c", "cc", "f90"]);
    files.into_iter().map(|path| test(name_of(&dir, &path), path)).collect()
}

/// With the suffix: the same construct has a program in each language.
fn name_of(dir: &Path, path: &Path) -> String {
    path.strip_prefix(dir).unwrap_or(path).display().to_string()
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| {
        let case = match Case::load(&path, MAPPINGS) {
            Ok(case) => case,
            Err(problem) => return Verdict::Fail(problem),
        };
        let outcome = check(config, &name, &case);
        match (&case.broken, outcome) {
            (None, outcome) => outcome.into(),
            (Some(why), Err(_)) => Verdict::Skip(format!("known not to work: {why}")),
            (Some(_), Ok(())) => Verdict::Fail("works, though marked `broken`".into()),
        }
    })
}

fn check(config: &Config, name: &str, case: &Case) -> Result<(), String> {
    let scratch = config.scratch(name);
    let compile = compile_command(config, case, &scratch);
    program::run_or_say(config, compile.clone())?;
    for &mapping in
        config.mappings.as_ref().filter(|_| !case.names_mappings).unwrap_or(&case.mappings)
    {
        let run = run_command(config, case, mapping, &scratch);
        let output = run.run();
        program::judge(case, &output, Output::says_ok).map_err(|problem| {
            let log = program::transcript(&output);
            let threads = mapping.pthreads;
            let again = format!("{} && {}", compile.shown(&config.root), run.shown(&config.root));
            format!("[{mapping}] {problem}\n{log}again: OMP_NUM_THREADS={threads}; {again}")
        })?;
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

fn compile_command(config: &Config, case: &Case, scratch: &Path) -> Command {
    let optimise = !case.flags.iter().chain(&config.flags).any(|f| f.starts_with("-O"));
    let sources = std::iter::once(&case.path).chain(&case.with);
    let is_fortran = case.path.extension().is_some_and(|e| e == "f90");
    Command::new(config.tool("ompcc"), &config.root)
        .limit_secs(COMPILE_SECS)
        .args(optimise.then_some("-O2"))
        .args(&config.flags)
        .args(case.flags.iter().filter(|f| !f.starts_with("-l")))
        .args(sources.map(|source| config.shown(source)))
        .args(program::libraries(case))
        .args(is_fortran.then(|| modules_in(scratch)).into_iter().flatten())
        .arg("-o")
        .arg(scratch.join("program"))
}

fn modules_in(dir: &Path) -> [OsString; 2] {
    ["-J".into(), dir.into()]
}

fn run_command(_config: &Config, case: &Case, mapping: Mapping, scratch: &Path) -> Command {
    let command = Command::new(scratch.join("program"), scratch)
        .env("OMP_NUM_THREADS", mapping.pthreads.to_string());
    let command = case.env.iter().fold(command, |command, (name, value)| command.env(name, value));
    command.args(&case.args).stdin(&case.stdin).limit_secs(case.limit_secs)
}
