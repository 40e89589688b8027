// SPDX-License-Identifier: BSD-3-Clause
//! Findings: made small, and kept as files with the command that repeats them.

use crate::emitted;
use crate::mutate::Input;
use crate::tokens::split;
use crate::workers::{command, Outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Time for making one finding smaller.
const BUDGET: Duration = Duration::from_secs(60);
/// Findings of one kind that are kept.
const KEPT: u32 = 2;

pub struct Findings {
    folder: PathBuf,
    by_kind: BTreeMap<String, u32>,
}

impl Findings {
    pub fn new(folder: &Path) -> Findings {
        Findings { folder: folder.into(), by_kind: BTreeMap::new() }
    }

    pub fn counts(&self) -> &BTreeMap<String, u32> {
        &self.by_kind
    }

    /// Keeps `input`, of which came `outcome`; the words for it if it is a finding of a new kind.
    pub fn add(&mut self, number: u64, input: &Input, outcome: &Outcome) -> Option<String> {
        let kind = kind(outcome)?;
        let count = self.by_kind.entry(kind.clone()).or_insert(0);
        *count += 1;
        if *count > KEPT {
            return None;
        }
        let path = self.folder.join(format!("{kind}-{number}.upc"));
        let small = Input { bytes: smaller(input, &kind, &path), start: 0, mode: input.mode };
        if let Err(e) = std::fs::write(&path, &small.bytes) {
            return Some(format!("{}: {e}", path.display()));
        }
        let words = match outcome {
            Outcome::Died(words) | Outcome::Emitted(words) => words.trim_end(),
            _ => "",
        };
        let again = format!("target/fuzz/furlong-fuzz repeat {} {}", small.mode, path.display());
        Some(format!("{kind}, input {number}:\n{words}\nagain: {again}"))
    }
}

/// A name for what went wrong.
fn kind(outcome: &Outcome) -> Option<String> {
    let words = match outcome {
        Outcome::Refused | Outcome::Accepted => return None,
        Outcome::Emitted(complaint) => return Some(emitted::signature(complaint)),
        Outcome::Died(words) => words,
    };
    if let Some((_, place)) = words.split_once("panicked at ") {
        let place = place.lines().next().unwrap_or_default().trim_end_matches(':');
        let place = place.rsplit_once(':').map_or(place, |(line, _)| line);
        let name = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        return Some(format!("panic-{}", place.chars().map(name).collect::<String>()));
    }
    let kinds =
        [("overflowed its stack", "stack"), ("memory alloc", "memory"), ("seconds", "time")];
    let known = kinds.iter().find(|(text, _)| words.contains(text));
    Some(known.map_or("death", |(_, kind)| kind).into())
}

/// Does the text in `path` still show what is called `kind`?
fn shows(path: &Path, mode: u32, kind_wanted: &str) -> bool {
    let Ok(mut again) = command() else { return false };
    let again = again.arg("repeat").arg(mode.to_string()).arg(path).stdin(Stdio::null());
    let Ok(output) = again.output() else { return false };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let outcome = match (output.status.success(), text(&output.stdout).strip_prefix("emitted ")) {
        (false, _) => Outcome::Died(format!("{}{}", text(&output.stderr), output.status)),
        (true, Some(complaint)) => Outcome::Emitted(complaint.trim_end().into()),
        (true, None) => Outcome::Accepted,
    };
    kind(&outcome).is_some_and(|kind| kind == kind_wanted)
}

/// `input` with as many tokens left out as the budget allows; in runs of half of them first.
fn smaller(input: &Input, kind: &str, path: &Path) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&input.bytes) else { return input.bytes.clone() };
    let trial = path.with_extension("trial");
    let shows = |tokens: &[&str]| {
        std::fs::write(&trial, tokens.concat()).is_ok() && shows(&trial, input.mode, kind)
    };
    let mut tokens = split(text);
    let start = Instant::now();
    let mut run = tokens.len();
    while run > 0 && shows(&tokens) {
        let before = tokens.len();
        let mut at = 0;
        while at < tokens.len() && start.elapsed() < BUDGET {
            let end = (at + run).min(tokens.len());
            let rest = [&tokens[..at], &tokens[end..]].concat();
            match shows(&rest) {
                true => tokens = rest,
                false => at = end,
            }
        }
        if start.elapsed() >= BUDGET {
            break;
        }
        // Once more at the same size while that helps.
        run = if tokens.len() < before && run == 1 { 1 } else { run / 2 };
    }
    let _ = std::fs::remove_file(&trial);
    tokens.concat().into_bytes()
}
