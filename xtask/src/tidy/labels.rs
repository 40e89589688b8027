// SPDX-License-Identifier: BSD-3-Clause
//! Pair labels on atomics: a comment `[R1] pairs [A1]` beside a release must have its partner
//! `[A1]` in the same room, since an ordering without a partner orders nothing. A label is that of one
//! file (a header counts with its source), and every ordering that is not relaxed has one; or
//! `No label` beside it says why not, or `No labels` why none of its file has.

use super::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Lines before an ordering in which its label stands.
const NEAR: usize = 10;

#[derive(Default)]
struct Room {
    /// With the files, without their extensions.
    defined: BTreeMap<String, BTreeSet<String>>,
    /// Label, and the place that names it as its partner.
    wanted: Vec<(String, String)>,
}

pub fn paired(sources: &[Source]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, Room> = BTreeMap::new();
    let mut problems = Vec::new();
    for source in sources.iter().filter(|s| matches!(s.extension(), "c" | "h")) {
        let Some(rest) = source.path.strip_prefix("runtime/") else { continue };
        let room = rooms.entry(rest.split('/').next().unwrap_or("")).or_default();
        let stem = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
        for (number, line) in source.lines() {
            let Some((own, partners)) = line.split_once(" pairs ") else { continue };
            let Some(own) = labels(own).pop() else { continue };
            room.defined.entry(own).or_default().insert(stem.to_string());
            let place = format!("{}:{number}", source.path);
            let partners = partners.split(" in ").next().unwrap_or(partners);
            room.wanted.extend(labels(partners).into_iter().map(|l| (l, place.clone())));
        }
        // What public headers order are the program's own accesses.
        if !stem.ends_with("_test") && !source.path.contains("/include/") {
            problems.extend(unlabelled(source));
        }
    }
    for (name, room) in &rooms {
        let is_unknown = |label: &String| !room.defined.contains_key(label);
        for (label, place) in room.wanted.iter().filter(|(label, _)| is_unknown(label)) {
            problems.push(format!("{place}: no atomic in runtime/{name} is labelled [{label}]"));
        }
        for (label, files) in room.defined.iter().filter(|(_, files)| files.len() > 1) {
            let files: Vec<_> = files.iter().map(String::as_str).collect();
            problems.push(format!("runtime/{name}: [{label}] is a label of {}", files.join(", ")));
        }
    }
    problems
}

/// The orderings of `source` that have no label.
fn unlabelled(source: &Source) -> Vec<String> {
    let lines: Vec<_> = source.lines().collect();
    if lines.iter().any(|(_, line)| line.contains("No labels")) {
        return Vec::new();
    }
    let is_labelled = |line: &str| line.contains("No label") || !labels(line).is_empty();
    let mut problems = Vec::new();
    for (i, (number, line)) in lines.iter().enumerate().filter(|(_, (_, line))| orders(line)) {
        let near = &lines[i.saturating_sub(NEAR)..=i];
        if !near.iter().any(|(_, line)| is_labelled(line)) {
            problems.push(format!(
                "{}:{number}: an ordering without a label (`[R1] pairs [A1]`, or `No label` and why): \
                 {}",
                source.path,
                line.trim()
            ));
        }
    }
    problems
}

/// Whether the line of C orders memory. Fences for signals order one thread's.
fn orders(line: &str) -> bool {
    const ORDERS: [&str; 8] = [
        "memory_order_acquire",
        "memory_order_release",
        "memory_order_acq_rel",
        "memory_order_seq_cst",
        "__ATOMIC_ACQUIRE",
        "__ATOMIC_RELEASE",
        "__ATOMIC_ACQ_REL",
        "__ATOMIC_SEQ_CST",
    ];
    let code = line.trim_start();
    let is_comment = ["*", "/*", "//"].iter().any(|start| code.starts_with(start));
    !is_comment && !code.contains("signal_fence") && ORDERS.iter().any(|o| code.contains(o))
}

/// `[R1]`: a capital letter or more, then digits; array indices are not labels.
fn labels(text: &str) -> Vec<String> {
    let inside = text.split('[').skip(1).filter_map(|part| part.split_once(']'));
    let is_label = |l: &str| {
        let letters = l.chars().take_while(char::is_ascii_uppercase).count();
        letters > 0 && letters < l.len() && l[letters..].chars().all(|c| c.is_ascii_digit())
    };
    inside.map(|(label, _)| label).filter(|l| is_label(l)).map(String::from).collect()
}
