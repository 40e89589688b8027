// SPDX-License-Identifier: BSD-3-Clause
//! A list of tests, run on a few threads, with the failures shown as they come and one line at
//! the end. Knows nothing of what a test does.

use crate::config::Config;
use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::sync::{mpsc, Mutex};
use std::time::{Duration, Instant};

pub struct Test {
    /// Kind and name, as in `run/barrier/split`: what a filter is compared with.
    pub name: String,
    pub body: Box<dyn FnOnce(&Config) -> Verdict + Send>,
}

pub enum Verdict {
    Pass,
    /// What was wrong, and the command that shows it again.
    Fail(String),
    Skip(String),
}

pub struct Outcome {
    pub results: Vec<(String, Verdict)>,
    /// Filters that no test's name contains: misspelt, and not "all passed".
    unmatched: Vec<String>,
    elapsed: Duration,
}

impl Test {
    pub fn new(
        name: impl Into<String>,
        body: impl FnOnce(&Config) -> Verdict + Send + 'static,
    ) -> Test {
        Test { name: name.into(), body: Box::new(body) }
    }
}

impl From<Result<(), String>> for Verdict {
    fn from(result: Result<(), String>) -> Verdict {
        result.map_or_else(Verdict::Fail, |()| Verdict::Pass)
    }
}

pub fn run_all(config: &Config, tests: Vec<Test>) -> Outcome {
    let start = Instant::now();
    let unmatched = config.unmatched(tests.iter().map(|t| t.name.as_str()));
    let tests: VecDeque<Test> = tests.into_iter().filter(|t| config.wants(&t.name)).collect();
    let total = tests.len();
    let queue = Mutex::new(tests);
    let (tx, rx) = mpsc::channel();
    let mut results = Vec::with_capacity(total);
    std::thread::scope(|scope| {
        for _ in 0..config.jobs {
            let (queue, tx) = (&queue, tx.clone());
            scope.spawn(move || {
                let next =
                    || queue.lock().expect("no test runs while the queue is held").pop_front();
                while let Some(test) = next() {
                    let verdict = (test.body)(config);
                    tx.send((test.name, verdict)).expect("the receiver outlives the workers");
                }
            });
        }
        drop(tx);
        for (name, verdict) in rx {
            show(&name, &verdict);
            results.push((name, verdict));
            progress(results.len(), total);
        }
    });
    results.sort_by(|a, b| a.0.cmp(&b.0));
    Outcome { results, unmatched, elapsed: start.elapsed() }
}

impl Outcome {
    pub fn add(&mut self, name: &str, verdict: Verdict) {
        show(name, &verdict);
        self.results.push((name.into(), verdict));
    }

    /// Lists the failures once more and prints the line that everything looks for.
    pub fn report(&self) -> bool {
        let count = |want: fn(&Verdict) -> bool| self.results.iter().filter(|r| want(&r.1)).count();
        let passed = count(|v| matches!(v, Verdict::Pass));
        let failed = count(|v| matches!(v, Verdict::Fail(_)));
        let skipped = count(|v| matches!(v, Verdict::Skip(_)));
        if failed > 0 {
            println!("\nfailed:");
        }
        for (name, verdict) in &self.results {
            if matches!(verdict, Verdict::Fail(_)) {
                println!("    {name}");
            }
        }
        println!("in {:.1} s", self.elapsed.as_secs_f64());
        match skipped {
            0 => println!("{passed} passed, {failed} failed"),
            _ => println!("{passed} passed, {failed} failed, {skipped} skipped"),
        }
        for filter in &self.unmatched {
            println!("FAIL no test's name contains `{filter}`");
        }
        failed == 0 && self.unmatched.is_empty()
    }
}

fn show(name: &str, verdict: &Verdict) {
    match verdict {
        Verdict::Pass => {}
        Verdict::Skip(why) => println!("skip {name}: {why}"),
        Verdict::Fail(what) => {
            println!("FAIL {name}");
            what.lines().for_each(|line| println!("    {line}"));
        }
    }
}

/// A count that overwrites itself, for people only.
fn progress(done: usize, total: usize) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{done}/{total} ");
        if done == total {
            eprint!("\r\x1b[K");
        }
        let _ = std::io::stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(words: &[&str]) -> bool {
        let words = words.iter().map(|word| word.to_string());
        let config = Config::from_args(words).expect("a command line");
        run_all(&config, vec![Test::new("run/barrier", |_| Verdict::Pass)]).report()
    }

    #[test]
    fn a_filter_that_matches_nothing_fails() {
        assert!(report(&["check"]));
        assert!(report(&["check", "barrier"]));
        assert!(!report(&["check", "barier"]));
        assert!(!report(&["check", "barrier", "barier"]));
    }
}
