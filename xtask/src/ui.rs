// SPDX-License-Identifier: BSD-3-Clause
//! Programs with mistakes: upcc's whole diagnostic output is compared with `x.stderr`, and each
//! `//~` note with the code reported on its line.

use crate::case::{self, Case};
use crate::config::Config;
use crate::diagnostics;
use crate::process::{Command, End};
use crate::program::transcript;
use crate::snapshot;
use crate::suite::{Test, Verdict};
use std::path::{Path, PathBuf};

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("ui"), &["upc", "c"]);
    files.into_iter().map(|path| test(case::name_of(&dir, &path), path)).collect()
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name, move |config| match Case::load(&path, "1x1") {
        Ok(case) => check(config, &case).into(),
        Err(problem) => Verdict::Fail(problem),
    })
}

/// The compiler runs in the test's folder, so that messages name the file alone.
fn check(config: &Config, case: &Case) -> Result<(), String> {
    let compile = Command::new(&config.upcc, case.dir())
        .args(case.static_threads.map(|n| format!("-T={n}")))
        .args(&case.flags)
        .args(["-c", "-o", "/dev/null"])
        .arg(case.file_name())
        .limit_secs(10);
    let output = compile.run();
    let problem = match &output.end {
        End::Code(0) if expects_errors(case) => Err("compiles, and should not".into()),
        End::Code(1) if !expects_errors(case) => Err("does not compile, and should".into()),
        End::Code(0 | 1) => compare(config, case, &output.stderr),
        end => Err(format!("upcc: {end}\n{}", transcript(&output))),
    };
    problem.map_err(|problem| {
        let again = compile.shown(&config.root);
        format!("{problem}\nagain: (cd {} && {again})", config.shown(case.dir()))
    })
}

/// A test in ui/ is wrong unless its notes or directives say that it only draws warnings.
fn expects_errors(case: &Case) -> bool {
    let only_warnings = !case.notes.is_empty() && case.notes.iter().all(|n| n.level == "warning");
    case.fail.is_some() || (!only_warnings && case.warn.is_empty())
}

fn compare(config: &Config, case: &Case, stderr: &str) -> Result<(), String> {
    diagnostics::compare(case, stderr).map_err(|e| format!("{e}\nstderr:\n{stderr}"))?;
    if !case.stderr.is_empty() {
        let missing = case.stderr.iter().find(|text| !stderr.contains(text.as_str()));
        return missing.map_or(Ok(()), |m| Err(format!("stderr does not say `{m}`:\n{stderr}")));
    }
    snapshot::compare_file(config, &expected_file(&case.path), stderr)
}

fn expected_file(path: &Path) -> PathBuf {
    path.with_extension("stderr")
}
