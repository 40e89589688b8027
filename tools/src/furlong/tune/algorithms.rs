// SPDX-License-Identifier: BSD-3-Clause
//! What there is to measure: operations, ways to wait, and algorithms with what they can do.
//! docs/collectives.md has their meaning; names and limits are those of runtime/coll.

pub struct Operation {
    pub name: &'static str,
    pub class: Class,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Move,
    /// Of all elements to one; the table counts the bytes of all threads.
    Reduction,
    /// Element by element.
    Vector,
}

const fn operation(name: &'static str, class: Class) -> Operation {
    Operation { name, class }
}

pub const OPERATIONS: &[Operation] = &[
    operation("broadcast", Class::Move),
    operation("scatter", Class::Move),
    operation("gather", Class::Move),
    operation("gather_all", Class::Move),
    operation("exchange", Class::Move),
    operation("permute", Class::Move),
    operation("reduce", Class::Reduction),
    operation("reduce_all", Class::Reduction),
    operation("prefix_reduce", Class::Reduction),
    operation("vector_reduce", Class::Vector),
    operation("vector_reduce_all", Class::Vector),
];

/// As the measuring program calls a mode, and as the table calls what it stands for.
pub const MODES: &[(&str, &str)] = &[("allsync", "all"), ("mysync", "some"), ("nosync", "none")];

pub struct Algorithm {
    pub name: &'static str,
    /// Also between hosts.
    pub far: bool,
    does: fn(&Operation) -> bool,
}

const fn algorithm(name: &'static str, far: bool, does: fn(&Operation) -> bool) -> Algorithm {
    Algorithm { name, far, does }
}

pub const ALGORITHMS: &[Algorithm] = &[
    algorithm("last", false, |_| true),
    algorithm("post", true, |_| true),
    algorithm("later", false, |o| o.class == Class::Move),
    algorithm("pull", true, |o| o.class == Class::Move),
    algorithm("push", true, |o| o.class == Class::Move),
    algorithm("tree", false, |o| o.name == "broadcast"),
    algorithm("levels", true, |o| ["broadcast", "gather_all"].contains(&o.name)),
    algorithm("meet", true, |o| o.class == Class::Reduction),
    algorithm("slice", true, |o| o.class == Class::Vector),
];

/// What `post` can leave in memory at once (fl_coll_window_bytes).
fn posted(threads: u32, hosts: u32) -> u64 {
    let mut bytes = if hosts > 1 { 128 << 10 } else { 16 << 10 };
    while bytes > 16 << 10 && u64::from(threads) * 2 * bytes > 4 << 20 {
        bytes /= 2;
    }
    bytes
}

impl Algorithm {
    /// Whether it, and not what the runtime would take in its place, performs an operation.
    pub fn performs(&self, operation: &Operation, bytes: u64, threads: u32, hosts: u32) -> bool {
        let blocks = if operation.name == "exchange" { u64::from(threads) } else { 1 };
        let fits = self.name != "post"
            || operation.class == Class::Reduction
            || bytes * blocks <= posted(threads, hosts);
        let far = self.far && (self.name, operation.name) != ("post", "prefix_reduce");
        (self.does)(operation) && (hosts == 1 || far) && fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strings that stand in lines which begin so.
    fn strings(text: &'static str, begin: &str) -> Vec<&'static str> {
        let lines = text.lines().filter(|line| line.trim_start().starts_with(begin));
        lines.filter_map(|line| line.split('"').nth(1)).collect()
    }

    #[test]
    fn the_runtime_has_the_same_algorithms_and_operations() {
        let algorithms = include_str!("../../../../runtime/coll/algorithms.def");
        let names: Vec<&str> = ALGORITHMS.iter().map(|a| a.name).collect();
        assert_eq!(names, strings(algorithms, "FL_COLL_ALGORITHM("));
        let choose = include_str!("../../../../runtime/coll/choose.h");
        let names: Vec<&str> = OPERATIONS.iter().map(|o| o.name).collect();
        assert_eq!(names, strings(choose, "FL_COLL_OPERATION("));
    }
}
