// SPDX-License-Identifier: BSD-3-Clause
//! Rules about lines: the licence first, no blanks at the end.

use super::Source;

const SPDX: &str = "SPDX-License-Identifier: BSD-3-Clause";

/// The first line, or the second after `#!`. Test inputs may need their first line to be junk, so
/// files below tests/ui are free.
pub fn spdx_first(sources: &[Source]) -> Vec<String> {
    let is_free = |s: &Source| {
        let folders = ["tests/ui/", "tests/fuzz/"];
        folders.iter().any(|f| s.path.starts_with(f)) || s.path.contains("/inputs/")
    };
    let has = |s: &Source| {
        let skip = usize::from(s.text.starts_with("#!"));
        s.text.lines().nth(skip).is_some_and(|line| line.contains(SPDX))
    };
    let bad = sources.iter().filter(|s| s.is_code() && !is_free(s) && !has(s));
    bad.map(|s| format!("{}: the first line is not the SPDX line", s.path)).collect()
}

pub fn trailing_blanks(sources: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    for source in sources {
        // Expected output is what it is; junk in test inputs too.
        if source.path.starts_with("tests/") && !source.path.ends_with(".md") {
            continue;
        }
        for (number, line) in source.lines() {
            if line.ends_with([' ', '\t', '\r']) {
                problems.push(format!("{}:{number}: blanks at the end of the line", source.path));
            }
        }
        if !source.text.is_empty() && !source.text.ends_with('\n') {
            problems.push(format!("{}: the last line does not end", source.path));
        }
    }
    problems
}
