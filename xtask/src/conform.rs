// SPDX-License-Identifier: BSD-3-Clause
//! The conformance suite: tests named for the clause and paragraph of UPC 1.3 that they are for.
//! Each folder of `tests/conform` is one part of the specification (the language, one header of
//! the library) with its list of normative paragraphs, and its scoreboard, committed, of which
//! paragraph is tested by what and with what result.

use crate::case::{self, Case};
use crate::config::Config;
use crate::program;
use crate::snapshot;
use crate::suite::{Outcome, Test, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// 1, 2, 3, 5 and 8 threads as processes, as pthreads, and mixed.
const LIBRARY_MAPPINGS: &str = "1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2 2x4";

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    files(config).into_iter().map(|path| test(case::name_of(&dir, &path), path)).collect()
}

fn files(config: &Config) -> Vec<PathBuf> {
    case::find(&config.tests_dir().join("conform"), &["upc", "c"])
}

fn test(name: String, path: PathBuf) -> Test {
    let mappings = match name.starts_with("conform/lang/") {
        true => program::DEFAULT_MAPPINGS,
        false => LIBRARY_MAPPINGS,
    };
    Test::new(name.clone(), move |config| match Case::load(&path, mappings) {
        Ok(case) => program::check(config, &name, &case, program::says_ok).into(),
        Err(problem) => Verdict::Fail(problem),
    })
}

/// Compares each part's scoreboard with the committed one, and looks for untested paragraphs. A
/// part of which only some tests ran is left alone.
pub fn add_scoreboard(config: &Config, outcome: &mut Outcome) {
    for part in parts(config) {
        let tests = config.tests_dir();
        let ran: BTreeSet<&str> = outcome.results.iter().map(|(name, _)| name.as_str()).collect();
        let files = case::find(&part, &["upc", "c"]);
        if files.iter().all(|file| ran.contains(case::name_of(&tests, file).as_str())) {
            add_part(config, &part, &case::name_of(&tests, &part), outcome);
        }
    }
}

fn parts(config: &Config) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(config.tests_dir().join("conform"));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut parts: Vec<PathBuf> = paths.filter(|p| p.join("paragraphs.txt").exists()).collect();
    parts.sort();
    parts
}

fn add_part(config: &Config, dir: &Path, name: &str, outcome: &mut Outcome) {
    let rows = rows(config, dir, outcome);
    let normative = normative(dir);
    let untested: Vec<&str> =
        normative.iter().filter(|p| !rows.contains_key(&sort_key(p))).map(String::as_str).collect();
    let board = board(&rows, normative.len(), &untested);
    let compared = snapshot::compare_file(config, &dir.join("scoreboard.txt"), &board);
    outcome.add(&format!("{name}/scoreboard"), compared.into());
    let tested = match untested.is_empty() {
        true => Verdict::Pass,
        false => Verdict::Fail(format!("no test for: {}", untested.join(", "))),
    };
    outcome.add(&format!("{name}/paragraphs"), tested);
}

/// Ascending by clause and paragraph as numbers: 6.10 comes after 6.9.
type Key = (Vec<u32>, String);
type Rows = BTreeMap<Key, Vec<(String, bool)>>;

fn rows(config: &Config, part: &Path, outcome: &Outcome) -> Rows {
    let passed: BTreeMap<&str, bool> = outcome
        .results
        .iter()
        .map(|(name, verdict)| (name.as_str(), matches!(verdict, Verdict::Pass)))
        .collect();
    let mut rows = Rows::new();
    for path in case::find(part, &["upc", "c"]) {
        let name = case::name_of(&config.tests_dir(), &path);
        let Some(&passed) = passed.get(name.as_str()) else { continue };
        let short = case::name_of(part, &path);
        for paragraph in paragraphs(&path) {
            rows.entry(sort_key(&paragraph)).or_default().push((short.clone(), passed));
        }
    }
    rows
}

/// The paragraphs a test is for: the one in its name, and those of its `//@ spec` directives.
fn paragraphs(path: &Path) -> Vec<String> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut list: Vec<String> = stem.split('-').take(1).map(String::from).collect();
    if let Ok(case) = Case::load(path, "1x1") {
        list.extend(case.spec);
    }
    list.retain(|p| p.starts_with(|c: char| c.is_ascii_alphanumeric()) && p.contains('p'));
    list.sort();
    list.dedup();
    list
}

/// The first word of each line; `#` begins a comment.
fn normative(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join("paragraphs.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

fn sort_key(paragraph: &str) -> Key {
    let numbers = paragraph.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
    (numbers.collect(), paragraph.to_string())
}

fn board(rows: &Rows, normative: usize, untested: &[&str]) -> String {
    let mut text = String::from(
        "# UPC 1.3, paragraph by paragraph: the tests for each, and whether all of them pass.\n\
         # Written by `cargo xtask bless`, compared by `cargo xtask conform`.\n",
    );
    for ((_, paragraph), tests) in rows {
        let result = if tests.iter().all(|(_, passed)| *passed) { "pass" } else { "FAIL" };
        let names: Vec<String> = tests
            .iter()
            .map(|(name, ok)| format!("{}{name}", if *ok { "" } else { "!" }))
            .collect();
        text.push_str(&format!("{paragraph:<12} {result}  {}\n", names.join(" ")));
    }
    for paragraph in untested {
        text.push_str(&format!("{paragraph:<12} none\n"));
    }
    let good = rows.values().filter(|tests| tests.iter().all(|(_, passed)| *passed)).count();
    text.push_str(&format!(
        "# {} paragraphs tested, {good} pass; {} of {normative} normative ones without a test\n",
        rows.len(),
        untested.len()
    ));
    text
}
