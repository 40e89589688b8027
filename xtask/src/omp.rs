// SPDX-License-Identifier: BSD-3-Clause
//! OpenMP programs in C, C++ and Fortran: `tests/omp`, each compiled by ompcc and run with several
//! numbers of threads and, over hosts, with both ways of telling accesses to pages. Those in C and C++
//! are compiled once more, by clang, and run on one host and on two.

use crate::case::{self, Case, Mapping};
use crate::config::Config;
use crate::process::{Command, Output};
use crate::program;
use crate::suite::{Test, Verdict};
use std::path::{Path, PathBuf};

/// Hosts x threads of each.
const MAPPINGS: &str = "1x1 1x2 1x3 1x5 1x16 2x2 4x1";
/// Those of programs compiled by clang.
const LLVM_MAPPINGS: &str = "1x3 2x2";
/// Its C and its C++ compiler.
const LLVM: [&str; 2] = ["clang-19", "clang++-19"];
const FAULTS: [&str; 3] = ["userfaultfd", "mprotect", "tracking"];
const COMPILE_SECS: u64 = 120;

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("omp"), &["c", "cc", "f90"]);
    let by_llvm = files.iter().filter_map(|path| {
        let suffix = path.extension()?.to_str()?;
        let compiler = match suffix {
            "c" => LLVM[0],
            "cc" => LLVM[1],
            _ => return None,
        };
        Some(test_by_llvm(format!("{}.clang", name_of(&dir, path)), path.clone(), compiler))
    });
    let by_llvm: Vec<Test> = by_llvm.collect();
    files.into_iter().map(|path| test(name_of(&dir, &path), path)).chain(by_llvm).collect()
}

/// With the suffix: the same construct has a program in each language.
fn name_of(dir: &Path, path: &Path) -> String {
    path.strip_prefix(dir).unwrap_or(path).display().to_string()
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| match Case::load(&path, MAPPINGS) {
        Ok(case) if case.not_clang.is_some() && is_by_clang(config) => not_for_clang(case),
        Ok(case) => check(config, &name, &case, &program::says_ok),
        Err(problem) => Verdict::Fail(problem),
    })
}

/// Whether `--flags` choose it for all programs.
fn is_by_clang(config: &Config) -> bool {
    config.flags.iter().any(|flag| flag.starts_with("-cc=clang"))
}

fn not_for_clang(case: Case) -> Verdict {
    Verdict::Skip(format!("not for clang: {}", case.not_clang.unwrap_or_default()))
}

fn test_by_llvm(name: String, path: PathBuf, compiler: &'static str) -> Test {
    Test::new(name.clone(), move |config| match Case::load(&path, LLVM_MAPPINGS) {
        Ok(case) if case.not_clang.is_some() => not_for_clang(case),
        Ok(_) if !Command::new(compiler, &config.root).arg("--version").run().ok() => {
            Verdict::Skip(format!("there is no {compiler}"))
        }
        Ok(mut case) => {
            case.flags.push(format!("-cc={compiler}"));
            check(config, &name, &case, &program::says_ok)
        }
        Err(problem) => Verdict::Fail(problem),
    })
}

/// Compiles, and runs in each mapping. `says` judges what a program without expected output prints.
pub fn check(
    config: &Config,
    name: &str,
    case: &Case,
    says: &dyn Fn(&Output) -> Result<(), String>,
) -> Verdict {
    let scratch = config.scratch(name);
    let program = Program { config, case, scratch: &scratch, says };
    let (several, one): (Vec<_>, _) =
        program.runs(name.len()).into_iter().partition(|(mapping, _)| mapping.processes > 1);
    let outcome = program.compile().and_then(|()| program.check(&one));
    let verdict = match outcome {
        Ok(()) if several.is_empty() => Verdict::Pass,
        Ok(()) => {
            let why = case.broken_over_hosts.as_ref().map(|why| format!("over hosts: {why}"));
            expected(why, program.check(&several).into())
        }
        failed => failed.into(),
    };
    if matches!(verdict, Verdict::Pass) {
        let _ = std::fs::remove_dir_all(&scratch);
    }
    verdict
}

/// The verdict on what is known not to work, if it is.
pub fn expected(broken: Option<String>, verdict: Verdict) -> Verdict {
    match (broken, verdict) {
        (Some(why), Verdict::Fail(_)) => Verdict::Skip(format!("known not to work {why}")),
        (Some(why), Verdict::Pass) => Verdict::Fail(format!("works, though it should not {why}")),
        (_, verdict) => verdict,
    }
}

struct Program<'a> {
    config: &'a Config,
    case: &'a Case,
    scratch: &'a Path,
    says: &'a dyn Fn(&Output) -> Result<(), String>,
}

/// Hosts and threads, and how accesses to pages are noticed.
type Run = (Mapping, Option<&'static str>);

impl Program<'_> {
    /// Over hosts, by one mechanism after the other; by all if the mappings are asked for.
    fn runs(&self, first: usize) -> Vec<Run> {
        let asked = self.config.mappings.as_ref().filter(|_| !self.case.names_mappings);
        let mut runs: Vec<Run> = Vec::new();
        for &mapping in asked.unwrap_or(&self.case.mappings) {
            let turn = (first + runs.len()) % FAULTS.len();
            match mapping.processes {
                1 => runs.push((mapping, None)),
                _ if self.case.one_host => {}
                _ if asked.is_some() => runs.extend(FAULTS.map(|faults| (mapping, Some(faults)))),
                _ => runs.push((mapping, Some(FAULTS[turn]))),
            }
        }
        runs
    }

    fn compile(&self) -> Result<(), String> {
        program::run_or_say(self.config, self.compile_command())
    }

    fn check(&self, runs: &[Run]) -> Result<(), String> {
        for run in runs {
            let command = self.run_command(run);
            let output = command.run();
            program::judge(self.case, &output, self.says)
                .map_err(|problem| self.report(run, &problem, &output))?;
        }
        Ok(())
    }

    fn report(&self, run: &Run, problem: &str, output: &Output) -> String {
        let ((mapping, faults), root) = (run, &self.config.root);
        let faults = faults.map_or(String::new(), |faults| format!("FURLONG_FAULTS={faults} "));
        format!(
            "[{mapping}] {problem}\n{}again: {} && {faults}{}",
            program::transcript(output),
            self.compile_command().shown(root),
            self.run_command(run).shown(root)
        )
    }

    fn compile_command(&self) -> Command {
        let Program { config, case, scratch, .. } = self;
        let optimise = !case.flags.iter().chain(&config.flags).any(|f| f.starts_with("-O"));
        let suffix = case.path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_fortran = suffix.to_string_lossy().starts_with('f');
        let sources = std::iter::once(&case.path).chain(&case.with);
        Command::new(config.tool("ompcc"), &config.root)
            .limit_secs(COMPILE_SECS)
            .args(optimise.then_some("-O2"))
            .args(&config.flags)
            .args(case.flags.iter().filter(|f| !f.starts_with("-l")))
            .args(sources.map(|source| config.shown(source)))
            .args(program::libraries(case))
            .args(is_fortran.then_some("-J")) // where modules go
            .args(is_fortran.then_some(scratch))
            .arg("-o")
            .arg(scratch.join("program"))
    }

    fn run_command(&self, (mapping, faults): &Run) -> Command {
        let Program { config, case, scratch, .. } = self;
        let hosts = mapping.processes;
        let mut command = Command::new(config.tool("omprun"), scratch).arg("-q");
        if !case.env.iter().any(|(name, _)| name == "OMP_NUM_THREADS") {
            command = command.args(["-t", &mapping.pthreads.to_string()]);
        }
        let mut command = program::over_hosts(config, hosts, command);
        if let Some(faults) = faults {
            command = command.env("FURLONG_FAULTS", faults);
        }
        for (name, value) in &case.env {
            command = command.env(name, value);
        }
        let limit = case.limit_secs * if hosts > 1 { program::TIMES_OVER_HOSTS } else { 1 };
        command.arg(scratch.join("program")).args(&case.args).stdin(&case.stdin).limit_secs(limit)
    }
}
