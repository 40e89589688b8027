// SPDX-License-Identifier: BSD-3-Clause
//! From times to the rules of a table (docs/collectives.md has their form). Pure: knows nothing of
//! how the times came about.

use super::algorithms::{Class, Operation, MODES, OPERATIONS};
use std::collections::BTreeMap;

/// What all threads know alike, and the table asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Situation {
    pub several_hosts: bool,
    /// There are fewer CPUs than threads.
    pub is_crowded: bool,
    pub threads: u32,
}

impl Situation {
    /// But for the number of threads.
    fn is_like(&self, other: &Situation) -> bool {
        (self.several_hosts, self.is_crowded) == (other.several_hosts, other.is_crowded)
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    pub operation: &'static str,
    /// As in [`MODES`].
    pub mode: &'static str,
    pub situation: Situation,
}

/// By size, the time of each algorithm that performs it.
pub type Sizes = BTreeMap<u64, BTreeMap<&'static str, f64>>;
pub type Times = BTreeMap<Key, Sizes>;
/// Up to which size an algorithm is used, and which; without a size: always.
type Rule = (Option<u64>, &'static str);

/// Another algorithm must be better by so much, in all sizes together, to get a rule of its own.
const SWITCH: f64 = 0.05;
/// The runtime looks at no more rules for one operation and mode.
const MOST_RULES: usize = 6;

pub fn table(times: &Times) -> String {
    let mut text = String::from(
        "# How collective operations are performed, as `furlong tune` measured them.\n\
         # operation        waiting  members  CPUs    hosts    bytes  algorithm\n",
    );
    for operation in OPERATIONS {
        for (mode, waiting) in MODES {
            let of = |key: &Key| key.operation == operation.name && key.mode == *mode;
            let lists: Vec<_> = times
                .iter()
                .filter(|(key, _)| of(key))
                .map(|(key, sizes)| (key.situation, scaled(choose(sizes), operation, key)))
                .collect();
            for (i, (here, rules)) in lists.iter().enumerate() {
                let next = lists.get(i + 1).filter(|(next, _)| next.is_like(here));
                let is_last = next.is_none();
                // What holds for more threads holds for these as well.
                let is_same = next.is_some_and(|(_, next)| next == rules);
                for (most, algorithm) in rules.iter().filter(|_| !is_same) {
                    text += &format!(
                        "{:<18}  {waiting:<7}  {:<7}  {:<6}  {:<7}  {:<5}  {algorithm}\n",
                        operation.name,
                        if is_last { "*".to_string() } else { here.threads.to_string() },
                        if here.is_crowded { "shared" } else { "own" },
                        if here.several_hosts { "several" } else { "one" },
                        most.map_or("*".to_string(), size),
                    );
                }
            }
        }
    }
    text
}

/// The table counts the elements of all threads of a reduction.
fn scaled(rules: Vec<Rule>, operation: &Operation, key: &Key) -> Vec<Rule> {
    let factor = if operation.class == Class::Reduction { key.situation.threads } else { 1 };
    let scale = |(most, algorithm): Rule| (most.map(|n| n * u64::from(factor)), algorithm);
    rules.into_iter().map(scale).collect()
}

/// As tables and the measuring program write it.
pub fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes % (1 << 20) == 0 => format!("{}M", bytes >> 20),
        _ if bytes % (1 << 10) == 0 => format!("{}K", bytes >> 10),
        _ => bytes.to_string(),
    }
}

/// The last has no end.
fn choose(sizes: &Sizes) -> Vec<Rule> {
    let mut switch = SWITCH;
    loop {
        let rules = with_ends(&path(sizes, switch));
        if rules.len() <= MOST_RULES {
            return rules;
        }
        switch *= 2.0;
    }
}

/// Neighbours that agree are one rule, which ends half way to the next size, as factors go.
fn with_ends(path: &[(u64, &'static str)]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for (i, &(bytes, algorithm)) in path.iter().enumerate() {
        match path.get(i + 1) {
            Some((_, next)) if *next == algorithm => {}
            Some((next, _)) => {
                rules.push((Some(((bytes * next) as f64).sqrt() as u64), algorithm));
            }
            None => rules.push((None, algorithm)),
        }
    }
    rules
}

/// The cheapest way through the sizes: what is lost against the best at each, as the logarithm of
/// the factor, and what each switch costs.
fn path(sizes: &Sizes, switch: f64) -> Vec<(u64, &'static str)> {
    /// The cost of the best path that ends with an algorithm, and the path.
    type Ends = BTreeMap<&'static str, (f64, Vec<(u64, &'static str)>)>;
    let mut ends = Ends::new();
    for (&bytes, times) in sizes.iter().filter(|(_, times)| !times.is_empty()) {
        let best = times.values().copied().fold(f64::INFINITY, f64::min);
        let mut next = Ends::new();
        for (&algorithm, time) in times {
            let come = |(before, (cost, _)): &(&&str, &(f64, Vec<_>))| {
                cost + if **before == algorithm { 0.0 } else { switch }
            };
            let from = ends.iter().min_by(|a, b| come(a).total_cmp(&come(b)));
            let cost = from.as_ref().map_or(0.0, come) + (time / best).ln();
            let mut path = from.map_or(Vec::new(), |(_, (_, path))| path.clone());
            path.push((bytes, algorithm));
            next.insert(algorithm, (cost, path));
        }
        ends = next;
    }
    let best = ends.into_values().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(Vec::new(), |(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(rows: &[(u64, &[(&'static str, f64)])]) -> Sizes {
        rows.iter().map(|(bytes, times)| (*bytes, times.iter().copied().collect())).collect()
    }

    #[test]
    fn the_fastest_is_chosen_and_ends_half_way() {
        let times = sizes(&[
            (8, &[("last", 1.0), ("pull", 2.0)]),
            (512, &[("last", 2.0), ("pull", 2.2)]),
            (8192, &[("last", 8.0), ("pull", 4.0)]),
        ]);
        assert_eq!(choose(&times), [(Some(2048), "last"), (None, "pull")]);
    }

    #[test]
    fn noise_makes_no_rules() {
        let times = sizes(&[
            (8, &[("last", 1.0), ("pull", 2.0)]),
            (64, &[("last", 1.02), ("pull", 1.0)]),
            (512, &[("last", 1.0), ("pull", 2.0)]),
        ]);
        assert_eq!(choose(&times), [(None, "last")]);
    }

    #[test]
    fn what_cannot_be_done_is_not_chosen() {
        let times =
            sizes(&[(8, &[("post", 1.0), ("pull", 9.0)]), (64, &[("pull", 9.0)]), (512, &[])]);
        assert_eq!(choose(&times), [(Some(22), "post"), (None, "pull")]);
        assert_eq!(choose(&sizes(&[])), []);
    }

    #[test]
    fn there_are_no_more_rules_than_the_runtime_takes() {
        let rows: Vec<(u64, &[(&'static str, f64)])> = (0..20)
            .map(|i| {
                let row: &[_] = if i % 2 == 0 {
                    &[("last", 1.0), ("pull", 2.0)]
                } else {
                    &[("last", 2.0), ("pull", 1.0)]
                };
                (8 << i, row)
            })
            .collect();
        assert!(choose(&sizes(&rows)).len() <= MOST_RULES);
    }

    #[test]
    fn situations_become_fields() {
        let key = |operation, threads, is_crowded| Key {
            operation,
            mode: "mysync",
            situation: Situation { several_hosts: false, is_crowded, threads },
        };
        let one = sizes(&[(8, &[("post", 1.0)]), (512, &[("meet", 1.0)])]);
        let times = Times::from([
            (key("reduce", 4, true), one.clone()),
            (key("reduce", 2, false), one.clone()),
            (key("reduce", 8, true), one.clone()),
            (key("gather", 4, true), one.clone()),
            (key("gather", 8, true), one),
        ]);
        let lines: Vec<String> = table(&times)
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "gather some * shared one 64 post",
                "gather some * shared one * meet",
                "reduce some * own one 128 post",
                "reduce some * own one * meet",
                "reduce some 4 shared one 256 post",
                "reduce some 4 shared one * meet",
                "reduce some * shared one 512 post",
                "reduce some * shared one * meet",
            ]
        );
    }
}
