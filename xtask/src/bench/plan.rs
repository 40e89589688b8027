// SPDX-License-Identifier: BSD-3-Clause
//! Reads `bench/bench.toml`: what is measured, against what, and what is good enough.

use crate::case::{self, Mapping};
use crate::config::words;
use std::path::Path;
use toml::{Table, Value};

/// One program in one mapping, with its reference.
pub struct Bench {
    pub name: String,
    pub ours: Side,
    pub reference: Option<Side>,
    pub rounds: usize,
    pub measures: Vec<Measure>,
}

#[derive(Clone)]
pub struct Side {
    /// A file in bench/, or `@name` for one of the harness's own measurements.
    pub program: String,
    pub with: Vec<String>,
    pub flags: Vec<String>,
    pub args: Vec<String>,
    pub mapping: Mapping,
    pub limit_secs: u64,
}

#[derive(Clone)]
pub struct Measure {
    /// As both programs print it, unless the reference's differs.
    pub name: String,
    pub reference_name: String,
    pub unit: String,
    pub higher_is_better: bool,
    /// The ratio that is good enough: at least this if higher is better, at most this if not.
    pub bar: Option<f64>,
    /// The same for the value itself.
    pub limit: Option<f64>,
}

pub fn load(file: &Path) -> Result<Vec<Bench>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let list = table.get("bench").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut benches = Vec::new();
    for entry in list.iter().filter_map(Value::as_table) {
        let name = text_of(entry, "name").ok_or("a [[bench]] needs a name")?;
        benches.extend(one(&name, entry).map_err(|e| format!("{name}: {e}"))?);
    }
    Ok(benches)
}

fn one(name: &str, entry: &Table) -> Result<Vec<Bench>, String> {
    const KEYS: [&str; 14] = [
        "name",
        "program",
        "with",
        "flags",
        "args",
        "mappings",
        "rounds",
        "limit",
        "reference",
        "reference-with",
        "reference-flags",
        "reference-args",
        "reference-mapping",
        "measure",
    ];
    if let Some(unknown) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("unknown key `{unknown}`"));
    }
    let mappings = case::mappings(&text_of(entry, "mappings").unwrap_or("1x1".into()))?;
    let rounds = entry.get("rounds").and_then(Value::as_integer).unwrap_or(5) as usize;
    let measures = entry.get("measure").and_then(Value::as_array).cloned().unwrap_or_default();
    let measures: Vec<Measure> =
        measures.iter().filter_map(Value::as_table).map(measure).collect::<Result<_, _>>()?;
    mappings
        .into_iter()
        .map(|mapping| {
            let ours = side(entry, "", mapping)?.ok_or("needs a program")?;
            let reference = side(entry, "reference", mapping)?;
            Ok(Bench { name: name.into(), ours, reference, rounds, measures: measures.clone() })
        })
        .collect()
}

fn side(entry: &Table, prefix: &str, mapping: Mapping) -> Result<Option<Side>, String> {
    let (program, join) = match prefix {
        "" => ("program", String::new()),
        prefix => (prefix, format!("{prefix}-")),
    };
    let Some(program) = text_of(entry, program) else { return Ok(None) };
    let list = |key: &str| text_of(entry, &format!("{join}{key}")).map(|text| words(&text));
    let mapping = match text_of(entry, &format!("{join}mapping")) {
        Some(other) => case::mappings(&other)?[0],
        None => mapping,
    };
    let args = list("args").or_else(|| text_of(entry, "args").map(|a| words(&a)));
    Ok(Some(Side {
        program,
        with: list("with").unwrap_or_default(),
        flags: list("flags").unwrap_or_else(|| vec!["-O3".into()]),
        args: args.unwrap_or_default(),
        mapping,
        limit_secs: entry.get("limit").and_then(Value::as_integer).unwrap_or(120) as u64,
    }))
}

fn measure(entry: &Table) -> Result<Measure, String> {
    let name = text_of(entry, "name").ok_or("a measure needs a name")?;
    let better = text_of(entry, "better").unwrap_or("higher".into());
    if better != "higher" && better != "lower" {
        return Err(format!("better is `higher` or `lower`, not `{better}`"));
    }
    let number = |key: &str| {
        let value = entry.get(key)?;
        value.as_float().or(value.as_integer().map(|n| n as f64))
    };
    Ok(Measure {
        reference_name: text_of(entry, "reference").unwrap_or(name.clone()),
        name,
        unit: text_of(entry, "unit").unwrap_or_default(),
        higher_is_better: better == "higher",
        bar: number("bar"),
        limit: number("limit"),
    })
}

fn text_of(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Value::as_str).map(String::from)
}
