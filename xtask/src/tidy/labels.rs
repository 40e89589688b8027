// SPDX-License-Identifier: BSD-3-Clause
//! Pair labels on atomics: a comment `[R1] pairs [A1]` beside a release must have its partner
//! `[A1]` in the same room. An ordering without a partner orders nothing.

use super::Source;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Room {
    defined: BTreeSet<String>,
    /// Label, and the place that names it as its partner.
    wanted: Vec<(String, String)>,
}

pub fn paired(sources: &[Source]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, Room> = BTreeMap::new();
    for source in sources.iter().filter(|s| matches!(s.extension(), "c" | "h")) {
        let Some(rest) = source.path.strip_prefix("runtime/") else { continue };
        let room = rooms.entry(rest.split('/').next().unwrap_or("")).or_default();
        for (number, line) in source.lines() {
            let Some((own, partners)) = line.split_once(" pairs ") else { continue };
            let Some(own) = labels(own).pop() else { continue };
            room.defined.insert(own);
            let place = format!("{}:{number}", source.path);
            let partners = partners.split(" in ").next().unwrap_or(partners);
            room.wanted.extend(labels(partners).into_iter().map(|l| (l, place.clone())));
        }
    }
    let mut problems = Vec::new();
    for (name, room) in &rooms {
        for (label, place) in room.wanted.iter().filter(|(label, _)| !room.defined.contains(label))
        {
            problems.push(format!("{place}: no atomic in runtime/{name} is labelled [{label}]"));
        }
    }
    problems
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
