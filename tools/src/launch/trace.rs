// SPDX-License-Identifier: BSD-3-Clause
//! What `-trace` prints: where threads waited for each other and for other hosts. The processes
//! count (docs/launch.md); here it is added up.

use std::cmp::Reverse;
use std::collections::HashMap;

/// As many lines are printed.
const WORST: usize = 10;

/// A line of the program and what it does there, or a function of the library, which has no line.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub what: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    pub operations: u64,
    pub bytes: u64,
    pub ns: u64,
}

#[derive(Default)]
pub struct Trace {
    lines: HashMap<Line, Cost>,
    /// The time of all threads in their mains.
    all_ns: u64,
}

impl Line {
    fn place(&self) -> String {
        match self.line {
            0 => self.file.clone(),
            line => format!("{}:{line}", self.file),
        }
    }
}

impl Trace {
    pub fn add(&mut self, line: Line, cost: Cost) {
        if line.what == "all" {
            self.all_ns += cost.ns;
            return;
        }
        let sum = self.lines.entry(line).or_default();
        sum.operations += cost.operations;
        sum.bytes += cost.bytes;
        sum.ns += cost.ns;
    }

    pub fn shown(&self, hosts: usize) -> String {
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(|(line, cost)| (Reverse(cost.ns), *line));
        let mut out = String::new();
        if lines.iter().all(|(_, cost)| cost.bytes == 0) {
            let why = if hosts == 1 { ": all threads are on one host" } else { "" };
            out += &format!("upcrun: trace: no access to other hosts' memory{why}\n");
        }
        if lines.is_empty() {
            return out;
        }
        out += &format!(
            "upcrun: trace: {} of {} lines; the threads ran {:.3} s together\n\
             {:>12} {:>6} {:>11} {:>14}  {:<12} place\n",
            lines.len().min(WORST),
            lines.len(),
            seconds(self.all_ns),
            "waited",
            "share",
            "operations",
            "bytes",
            "what",
        );
        for (line, cost) in lines.iter().take(WORST) {
            let share = 100.0 * cost.ns as f64 / self.all_ns.max(1) as f64;
            out += &format!(
                "{:>10.6} s {share:>4.1} % {:>10} {:>14}  {:<12} {}\n",
                seconds(cost.ns),
                cost.operations,
                cost.bytes,
                line.what,
                line.place(),
            );
        }
        out
    }
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(file: &str, line: u32, what: &str) -> Line {
        Line { file: file.into(), line, what: what.into() }
    }

    #[test]
    fn the_longest_waits_come_first_and_equal_lines_are_added() {
        let mut trace = Trace::default();
        for i in 1..=11 {
            let cost = Cost { operations: 1, bytes: 8, ns: 1_000_000 * u64::from(i) };
            trace.add(line("a.upc", i, "read"), cost);
        }
        trace.add(line("a.upc", 3, "read"), Cost { operations: 2, bytes: 16, ns: 500_000_000 });
        trace.add(line("upc_lock", 0, "lock"), Cost { operations: 4, bytes: 0, ns: 250_000_000 });
        trace.add(line("-", 0, "all"), Cost { operations: 0, bytes: 0, ns: 2_000_000_000 });
        let shown = trace.shown(2);
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(lines.len(), 2 + WORST);
        assert_eq!(lines[0], "upcrun: trace: 10 of 12 lines; the threads ran 2.000 s together");
        assert_eq!(
            &lines[1..4],
            [
                "      waited  share  operations          bytes  what         place",
                "  0.503000 s 25.1 %          3             24  read         a.upc:3",
                "  0.250000 s 12.5 %          4              0  lock         upc_lock",
            ]
        );
    }

    #[test]
    fn one_host_has_nothing_remote() {
        let text = "upcrun: trace: no access to other hosts' memory: all threads are on one host\n";
        assert_eq!(Trace::default().shown(1), text);
    }
}
