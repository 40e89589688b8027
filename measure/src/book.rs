// SPDX-License-Identifier: BSD-3-Clause
//! The book of figures: runs the steps of `bench/papers.toml`, saying how far it is, and writes a
//! page that has the papers' numbers beside those of this machine. What earlier runs have measured
//! stays in the page.

pub(crate) mod html;
pub(crate) mod machine;
mod results;

use crate::bench::{self, Outcome};
use crate::config::Config;
use crate::papers::{self, Papers, Step};
use serde_json::{json, Value};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Who is asked for a book, and so what a reader types for one of its figures.
#[derive(Clone, Copy, PartialEq)]
pub enum Asked {
    /// `make papers`, `cargo xtask book`
    Repository,
    /// `furlong papers`
    Installation,
}

/// Why there is no book, or not a whole one.
pub enum Failure {
    /// There is nothing of a name that was asked for.
    Name(String),
    Measuring(String),
}

/// How steps went, the last time: `steps.json` beside the page.
struct Log {
    file: PathBuf,
    steps: Value,
}

/// Runs the steps of those figures that the filters name, by their paper or their step, and writes
/// `index.html` in `dir` after each. Returns where that is; fails if a measurement did.
pub fn make(config: &Config, dir: &Path, asked: Asked) -> Result<PathBuf, Failure> {
    let papers = papers::load(config).map_err(Failure::Measuring)?;
    let steps = chosen(&papers, &config.filters).map_err(Failure::Name)?;
    measure(config, &papers, &steps, dir, asked).map_err(Failure::Measuring)
}

fn measure(
    config: &Config,
    papers: &Papers,
    steps: &[&Step],
    dir: &Path,
    asked: Asked,
) -> Result<PathBuf, String> {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut log = Log::open(dir.join("steps.json"));
    let page = dir.join("index.html");
    let write = |log: &Log| {
        let text = html::page(config, papers, &log.steps, asked);
        std::fs::write(&page, text).map_err(|e| format!("{}: {e}", page.display()))
    };
    let mut failed = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let left: u64 = steps[at..].iter().map(|s| log.estimate(s, config.full)).sum();
        let own = duration(log.estimate(step, config.full));
        let place = format!("[{}/{}]", at + 1, steps.len());
        eprintln!("{place} {}: about {own}; {} to go", step.shows, duration(left));
        let start = Instant::now();
        let outcome = bench::gather(&of_step(config, step)).unwrap_or_else(Outcome::failed);
        outcome.problems.iter().for_each(|problem| eprintln!("FAIL {problem}"));
        outcome.skipped.iter().for_each(|why| eprintln!("skip {why}"));
        if !outcome.problems.is_empty() {
            failed.push(step.shows.as_str());
        }
        log.add(step, config.full, start.elapsed().as_secs(), outcome)?;
        write(&log)?;
    }
    match failed.is_empty() {
        true => Ok(page),
        false => Err(format!("in {}: failed: {}", config.shown(&page), failed.join(", "))),
    }
}

/// Without filters all.
fn chosen<'a>(papers: &'a Papers, filters: &[String]) -> Result<Vec<&'a Step>, String> {
    let named = |filter: &String, step: &Step| {
        let of_step = papers.figures.iter().filter(|f| f.step == step.filter);
        step.filter.contains(filter.as_str()) || of_step.into_iter().any(|f| f.paper == *filter)
    };
    if let Some(vain) = filters.iter().find(|f| !papers.steps.iter().any(|s| named(f, s))) {
        let ids: Vec<&str> = papers.papers.iter().map(|p| p.id.as_str()).collect();
        let steps: Vec<&str> = papers.steps.iter().map(|s| s.filter.as_str()).collect();
        let (ids, steps) = (ids.join(", "), steps.join(", "));
        return Err(format!("`{vain}` is no paper ({ids}) and no measurement ({steps})"));
    }
    let wanted = |s: &&Step| filters.is_empty() || filters.iter().any(|f| named(f, s));
    Ok(papers.steps.iter().filter(wanted).collect())
}

/// One round is enough for a look.
fn of_step(config: &Config, step: &Step) -> Config {
    let rounds = if config.full { config.rounds } else { config.rounds.or(Some(1)) };
    Config {
        filters: vec![step.filter.clone()],
        rounds,
        quick: !config.full,
        write: false,
        plot: None,
        tell: |what| eprintln!("      {what}"),
        ..config.clone()
    }
}

fn duration(seconds: u64) -> String {
    match seconds {
        s if s < 100 => format!("{s} s"),
        s if s < 100 * 60 => format!("{} min", (s + 30) / 60),
        s => format!("{:.1} h", s as f64 / 3600.0),
    }
}

impl Log {
    fn open(file: PathBuf) -> Log {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let steps = serde_json::from_str(&text).ok().filter(Value::is_object);
        Log { file, steps: steps.unwrap_or(json!({})) }
    }

    /// As long as it took here the last time; else as the table has it.
    fn estimate(&self, step: &Step, full: bool) -> u64 {
        let last = &self.steps[&step.filter];
        let here = last["seconds"].as_u64().filter(|_| last["full"] == full);
        here.unwrap_or(step.seconds(full))
    }

    fn add(
        &mut self,
        step: &Step,
        full: bool,
        seconds: u64,
        outcome: Outcome,
    ) -> Result<(), String> {
        self.steps[&step.filter] = json!({
            "full": full, "seconds": seconds, "when": machine::now(),
            "skipped": outcome.skipped, "problems": outcome.problems,
        });
        let text = serde_json::to_string_pretty(&self.steps).map_err(|e| e.to_string())?;
        std::fs::write(&self.file, text + "\n").map_err(|e| format!("{}: {e}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(duration(7), "7 s");
        assert_eq!(duration(600), "10 min");
        assert_eq!(duration(9000), "2.5 h");
    }
}
