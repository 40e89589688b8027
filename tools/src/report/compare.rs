// SPDX-License-Identifier: BSD-3-Clause
//! Two runs side by side, as text: what has become of the times, and of which lines.

use super::advice::{count, seconds};
use super::summary::{Line, Summary, Thread};
use std::collections::BTreeMap;

/// As many lines are printed.
const MOST_LINES: usize = 15;

type Pick = (&'static str, fn(&Thread) -> u64);

const TIMES: [Pick; 8] = [
    ("computing", |t| t.compute_ns),
    ("barriers", |t| t.barrier_ns),
    ("locks", |t| t.lock_ns),
    ("transfers", |t| t.transfer_ns),
    ("collectives", |t| t.collective_ns),
    ("signals", |t| t.signal_ns),
    ("memory", |t| t.memory_ns),
    ("all", |t| t.ran_ns),
];

pub fn shown(a: &Summary, b: &Summary) -> String {
    let mut out = format!("{:<38} {:>12} {:>12} {:>9}\n", "", "A", "B", "B/A");
    let mut row = |name: &str, a: String, b: String, ratio: f64| {
        let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "-".to_string() };
        out += &format!("{name:<38} {a:>12} {b:>12} {ratio:>9}\n");
    };
    let ratio = |a: u64, b: u64| b as f64 / a as f64;
    row("run", seconds(a.wall_ns), seconds(b.wall_ns), ratio(a.wall_ns, b.wall_ns));
    let (n_a, n_b) = (a.threads.len(), b.threads.len());
    row("threads", n_a.to_string(), n_b.to_string(), n_b as f64 / n_a as f64);
    for (name, pick) in TIMES {
        let sum = |summary: &Summary| summary.threads.iter().map(pick).sum::<u64>();
        if sum(a) + sum(b) > 0 {
            row(
                &format!("all threads: {name}"),
                seconds(sum(a)),
                seconds(sum(b)),
                ratio(sum(a), sum(b)),
            );
        }
    }
    row("balance", format!("{:.2}", a.balance), format!("{:.2}", b.balance), b.balance / a.balance);
    let moved = |summary: &Summary| -> u64 {
        let others = summary.matrix.iter().filter(|cell| cell.from != cell.to);
        others.map(|cell| cell.read_bytes + cell.written_bytes).sum()
    };
    row("bytes between threads", count(moved(a)), count(moved(b)), ratio(moved(a), moved(b)));
    lines(a, b, &mut row);
    out
}

/// Those whose times differ most.
fn lines(a: &Summary, b: &Summary, row: &mut impl FnMut(&str, String, String, f64)) {
    let name = |line: &Line| {
        let what = if line.call.is_empty() { &line.what } else { &line.call };
        match line.file.is_empty() {
            true => what.clone(),
            false => format!("{}:{} {what}", line.file, line.line),
        }
    };
    let mut times: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    a.lines.iter().for_each(|line| times.entry(name(line)).or_default().0 += line.ns);
    b.lines.iter().for_each(|line| times.entry(name(line)).or_default().1 += line.ns);
    let mut times: Vec<_> = times.into_iter().filter(|(_, (a, b))| a != b).collect();
    times.sort_by_key(|(_, (a, b))| std::cmp::Reverse(a.abs_diff(*b)));
    for (name, (a, b)) in times.into_iter().take(MOST_LINES) {
        row(&name, seconds(a), seconds(b), b as f64 / a as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_lines_stand_side_by_side() {
        let of = |barrier_ns: u64| Summary {
            wall_ns: 1_000_000_000,
            balance: 1.0,
            threads: vec![Thread { barrier_ns, ran_ns: 2000, ..Thread::default() }],
            lines: vec![Line {
                file: "a.upc".into(),
                line: 7,
                what: "barrier".into(),
                ns: barrier_ns,
                ..Line::default()
            }],
            ..Summary::default()
        };
        let shown = shown(&of(1500), &of(750));
        let find = |begin: &str| shown.lines().find(|line| line.starts_with(begin)).unwrap();
        let words: Vec<&str> = find("all threads: barriers").split_whitespace().skip(3).collect();
        assert_eq!(words, ["1.5", "us", "750", "ns", "0.50"]);
        assert!(find("a.upc:7 barrier").ends_with("0.50"));
        assert!(!shown.contains("locks"));
    }
}
