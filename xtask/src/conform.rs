// SPDX-License-Identifier: BSD-3-Clause
//! The conformance suite: tests named for the clause and paragraph of UPC 1.3 that they are for,
//! and the scoreboard, committed, of which paragraph is tested by what and with what result.

use crate::case::{self, Case};
use crate::config::Config;
use crate::process::Output;
use crate::program;
use crate::snapshot;
use crate::suite::{Outcome, Test, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    files(config).into_iter().map(|path| test(case::name_of(&dir, &path), path)).collect()
}

fn files(config: &Config) -> Vec<PathBuf> {
    case::find(&config.tests_dir().join("conform"), &["upc", "c"])
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| match Case::load(&path, program::DEFAULT_MAPPINGS) {
        Ok(case) => program::check(config, &name, &case, Output::says_ok).into(),
        Err(problem) => Verdict::Fail(problem),
    })
}

/// Compares the scoreboard with the committed one, and looks for untested paragraphs. A filtered
/// run says nothing about the board.
pub fn add_scoreboard(config: &Config, outcome: &mut Outcome) {
    if !config.filters.is_empty() {
        return;
    }
    let dir = config.tests_dir().join("conform");
    let rows = rows(config, outcome);
    let normative = normative(&dir);
    let untested: Vec<&str> =
        normative.iter().filter(|p| !rows.contains_key(&sort_key(p))).map(String::as_str).collect();
    let board = board(&rows, normative.len(), &untested);
    let compared = snapshot::compare_file(config, &dir.join("scoreboard.txt"), &board);
    outcome.add("conform/scoreboard", compared.into());
    let tested = match untested.is_empty() {
        true => Verdict::Pass,
        false => Verdict::Fail(format!("no test for: {}", untested.join(", "))),
    };
    outcome.add("conform/paragraphs", tested);
}

/// Ascending by clause and paragraph as numbers: 6.10 comes after 6.9.
type Key = (Vec<u32>, String);
type Rows = BTreeMap<Key, Vec<(String, bool)>>;

fn rows(config: &Config, outcome: &Outcome) -> Rows {
    let dir = config.tests_dir();
    let passed: BTreeMap<&str, bool> = outcome
        .results
        .iter()
        .map(|(name, verdict)| (name.as_str(), matches!(verdict, Verdict::Pass)))
        .collect();
    let mut rows = Rows::new();
    for path in files(config) {
        let name = case::name_of(&dir, &path);
        let Some(&passed) = passed.get(name.as_str()) else { continue };
        let short = name.trim_start_matches("conform/").to_string();
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
