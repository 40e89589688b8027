// SPDX-License-Identifier: BSD-3-Clause
//! Emitted C: what `upcc -trans` makes of the program's own lines equals `x.c.snap`.

use crate::case::{self, Case};
use crate::config::Config;
use crate::process::Command;
use crate::program::transcript;
use crate::snapshot;
use crate::suite::{Test, Verdict};
use std::path::PathBuf;

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("emit"), &["upc"]);
    files.into_iter().map(|path| test(case::name_of(&dir, &path), path)).collect()
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| match Case::load(&path, "1x1") {
        Ok(case) => check(config, &name, &case).into(),
        Err(problem) => Verdict::Fail(problem),
    })
}

fn check(config: &Config, name: &str, case: &Case) -> Result<(), String> {
    let emitted = config.scratch(name).join("emitted.c");
    let translate = Command::new(&config.upcc, case.dir())
        .args(case.static_threads.map(|n| format!("-T={n}")))
        .args(&case.flags)
        .args(["-trans", "-o"])
        .arg(&emitted)
        .arg(case.file_name());
    let output = translate.run();
    let again =
        format!("again: (cd {} && {})", config.shown(case.dir()), translate.shown(&config.root));
    if !output.ok() {
        return Err(format!("{}\n{}{again}", output.end, transcript(&output)));
    }
    let text = std::fs::read_to_string(&emitted).map_err(|e| format!("no output: {e}\n{again}"))?;
    let own = own_lines(&text, &case.file_name());
    snapshot::compare_file(config, &case.path.with_extension("c.snap"), &own)
        .map_err(|problem| format!("{problem}\n{again}"))
}

/// The text between a line marker that names `file` and the next that names another: what the
/// program itself became, without headers and the runtime's declarations.
fn own_lines(text: &str, file: &str) -> String {
    let (mut own, mut is_own, mut blank) = (String::new(), false, true);
    for line in text.lines() {
        if let Some(marked) = marked_file(line) {
            is_own = marked.rsplit('/').next() == Some(file);
        } else if is_own && !(blank && line.trim().is_empty()) {
            own.push_str(line.trim_end());
            own.push('\n');
            blank = line.trim().is_empty();
        }
    }
    format!("{}\n", own.trim_end())
}

/// `# 12 "file" flags` and `#line 12 "file"`.
fn marked_file(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    rest.starts_with(|c: char| c.is_ascii_digit()).then(|| rest.split('"').nth(1).unwrap_or(""))
}
