// SPDX-License-Identifier: BSD-3-Clause
//! Whether a small program can be compiled and run: the check that says more than all others.

use super::bounded;
use super::{good, note, problem, Finding};
use crate::furlong::info::{chosen_compiler, COMPILERS};
use crate::install;
use crate::temp::TempDir;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const RUN_LIMIT: Duration = Duration::from_secs(30);
const VERSION_LIMIT: Duration = Duration::from_secs(10);

const UPC: &str = "\
#include <stdio.h>
#include <upc.h>
shared int sum[THREADS];
int main(void) {
    sum[MYTHREAD] = 1;
    upc_barrier;
    int all = 0;
    for (int i = 0; i < THREADS; i++) all += sum[i];
    if (MYTHREAD == 0) printf(\"%d threads\\n\", all);
    return 0;
}
";
const OPENMP: &str = "\
#include <stdio.h>
int main(void) {
    int all = 0;
#pragma omp parallel reduction(+ : all)
    all++;
    printf(\"%d threads\\n\", all);
    return 0;
}
";

/// The probe programs, compiled when first needed.
#[derive(Default)]
pub struct Programs {
    temp: TempDir,
    upc: OnceCell<Result<PathBuf, String>>,
}

impl Programs {
    pub fn findings(&self) -> Vec<Finding> {
        if let Err(why) = self.source("probe.upc", UPC) {
            return vec![problem(
                format!("programs cannot be compiled: {why}"),
                "every compiler needs a folder for temporary files that has room: name one by TMPDIR",
            )];
        }
        let mut findings = match self.upc() {
            Err(why) => vec![problem(
                format!("a UPC program cannot be compiled: {why}"),
                "see what `upcc -v` runs; a C compiler and the headers of the C library are needed \
                 (Debian: gcc libc6-dev)",
            )],
            Ok(program) => {
                let run = |words: &[&str]| run("upcrun", words, &program);
                vec![
                    judge(
                        "3 threads of a UPC program, as processes",
                        run(&["-n", "3"]),
                        "3",
                        problem,
                    ),
                    judge("3 threads, as pthreads", run(&["-n", "3", "-p", "3"]), "3", problem),
                    judge("4 threads over two virtual hosts", run(&VIRTUAL), "4", note),
                ]
            }
        };
        findings.extend(self.openmp());
        findings
    }

    /// The UPC program, or why there is none.
    pub fn upc(&self) -> Result<PathBuf, String> {
        let compile = || self.compile("upcc", "probe.upc", UPC, "probe");
        self.upc.get_or_init(compile).clone()
    }

    fn openmp(&self) -> Vec<Finding> {
        match self.compile("ompcc", "team.c", OPENMP, "team") {
            Err(why) => vec![note(
                format!("an OpenMP program cannot be compiled: {why}"),
                "ompcc needs gcc, or clang by OMPCC_CC=clang (Debian: gcc)",
            )],
            Ok(program) => {
                let run = |words: &[&str]| run("omprun", words, &program);
                let hosts = run(&["-t", "2", "-virtual-hosts", "2"]);
                vec![
                    judge("3 threads of an OpenMP program", run(&["-t", "3"]), "3", problem),
                    judge("4 threads of it over two virtual hosts", hosts, "4", note),
                ]
            }
        }
    }

    fn source(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let source = self.temp.file(name)?;
        std::fs::write(&source, text)
            .map_err(|e| format!("cannot write `{}`: {e}", source.display()))?;
        Ok(source)
    }

    fn compile(&self, tool: &str, name: &str, text: &str, out: &str) -> Result<PathBuf, String> {
        let (source, program) = (self.source(name, text)?, self.temp.file(out)?);
        let mut command = Command::new(install::root().join("bin").join(tool));
        command.arg("-o").args([&program, &source]);
        bounded::run(&mut command, COMPILE_LIMIT).map(|_| program)
    }
}

const VIRTUAL: [&str; 4] = ["-n", "4", "-virtual-hosts", "2"];

fn run(tool: &str, words: &[&str], program: &PathBuf) -> Result<String, String> {
    let mut command = Command::new(install::root().join("bin").join(tool));
    bounded::run(command.arg("-q").args(words).arg(program), RUN_LIMIT)
}

fn judge(
    what: &str,
    outcome: Result<String, String>,
    threads: &str,
    bad: fn(String, String) -> Finding,
) -> Finding {
    let advice =
        || "the message says what to do; share/doc/furlong/docs/doctor.md has more".to_string();
    match outcome {
        Ok(text) if text.trim() == format!("{threads} threads") => good(format!("{what}: run")),
        Ok(text) => bad(format!("{what}: print `{}`", text.trim().escape_debug()), advice()),
        Err(why) => bad(format!("{what}: {why}"), advice()),
    }
}

pub fn compilers() -> Vec<Finding> {
    COMPILERS
        .iter()
        .map(|(tool, variable, command)| {
            let (words, _) = chosen_compiler(variable, command);
            let (shown, is_upcc) = (words.join(" "), *tool == "upcc");
            let mut query = Command::new(&words[0]);
            match bounded::run(query.args(&words[1..]).arg("--version"), VERSION_LIMIT) {
                Ok(text) => {
                    let version = text.lines().next().unwrap_or_default();
                    good(format!("{tool} uses `{shown}`: {version}"))
                }
                Err(why) if is_upcc => problem(
                    format!("{tool} has no C compiler: {why}"),
                    format!("install gcc or clang, or name one: {variable}=clang"),
                ),
                Err(why) => note(
                    format!("{tool} has no compiler: {why}"),
                    format!("if you want it, install {shown}, or name another: {variable}=..."),
                ),
            }
        })
        .collect()
}
