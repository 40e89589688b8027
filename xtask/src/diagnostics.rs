// SPDX-License-Identifier: BSD-3-Clause
//! Reads diagnostics back from upcc's rendered output: `error[E0312]: …` and the `--> file:line`
//! that follows. This is the only place that knows how they look.

use crate::case::{Case, Note};
use crate::snapshot;

/// Every diagnostic that has a code, in order of lines.
pub fn parse(stderr: &str) -> Vec<Note> {
    let mut found: Vec<Note> = Vec::new();
    for line in stderr.lines() {
        if let Some((level, code)) = header(line) {
            found.push(Note { line: 0, level: level.into(), code: code.into() });
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            if let Some(last) = found.last_mut().filter(|n| n.line == 0) {
                last.line = place.split(':').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
            }
        }
    }
    found.sort();
    found
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (level, rest) = line.split_once('[')?;
    let (code, rest) = rest.split_once(']')?;
    let known = matches!(level, "error" | "warning") && rest.starts_with(':');
    known.then_some((level, code))
}

/// The codes that `//@ fail` and `//@ warn` promise are exactly those reported, each any number
/// of times; the places that `//~` notes promise, if there are any, are exactly those reported.
pub fn compare(case: &Case, stderr: &str) -> Result<(), String> {
    let found = parse(stderr);
    let codes = |level: &str| {
        let of_level = found.iter().filter(|n| n.level == level);
        sorted(of_level.map(|n| n.code.clone()).collect())
    };
    if let Some(expected) = case.fail.as_ref().filter(|list| !list.is_empty()) {
        same("errors", &sorted(expected.clone()), &codes("error"))?;
    }
    if case.notes.is_empty() {
        return same("warnings", &sorted(case.warn.clone()), &codes("warning"));
    }
    let lines = |notes: &[Note]| -> String {
        notes.iter().map(|n| format!("line {}: {} {}\n", n.line, n.level, n.code)).collect()
    };
    let (expected, actual) = (lines(&case.notes), lines(&found));
    match expected == actual {
        true => Ok(()),
        false => {
            Err(format!("//~ notes and diagnostics differ {}", snapshot::diff(&expected, &actual)))
        }
    }
}

fn sorted(mut codes: Vec<String>) -> Vec<String> {
    codes.sort();
    codes.dedup();
    codes
}

fn same(what: &str, expected: &[String], actual: &[String]) -> Result<(), String> {
    match expected == actual {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, reported {actual:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENDERED: &str = "\
error[E0312]: a shared parameter
 --> x.upc:3:14
  |
3 | void f(shared int x);
  |
warning[W0105]: a malformed pragma
 --> x.upc:1:1
error: no code, from the C compiler
 --> x.upc:9:1
";

    #[test]
    fn places_and_codes_come_back() {
        let notes = parse(RENDERED);
        let shown: Vec<_> =
            notes.iter().map(|n| (n.line, n.level.as_str(), n.code.as_str())).collect();
        assert_eq!(shown, [(1, "warning", "W0105"), (3, "error", "E0312")]);
    }

    #[test]
    fn exactly_the_promised_codes() {
        let mut case = Case { fail: Some(vec!["E0312".into()]), ..Case::default() };
        assert!(compare(&case, RENDERED).is_err(), "the warning was not promised");
        case.warn = vec!["W0105".into()];
        assert!(compare(&case, RENDERED).is_ok());
        case.fail = Some(vec!["E0313".into()]);
        assert!(compare(&case, RENDERED).is_err());
    }
}
