// SPDX-License-Identifier: BSD-3-Clause
//! Measurements as a table, as JSON, and in bench/README.md between its two marks.

use super::plan::{Bench, Measure};
use crate::config::Config;
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// Values by name, one for each round.
pub type Samples = BTreeMap<String, Vec<f64>>;

const BEGIN: &str = "<!-- measurements: begin -->";
const END: &str = "<!-- measurements: end -->";

pub struct Row {
    name: String,
    mapping: String,
    unit: String,
    value: f64,
    median: f64,
    reference: String,
    reference_value: Option<f64>,
    /// value / reference_value: above 1 is better only where higher is better.
    ratio: Option<f64>,
    bar: String,
    good: Option<bool>,
}

pub fn rows(bench: &Bench, ours: &Samples, reference: &Samples) -> Result<Vec<Row>, String> {
    bench.measures.iter().map(|measure| row(bench, measure, ours, reference)).collect()
}

fn row(bench: &Bench, measure: &Measure, ours: &Samples, refs: &Samples) -> Result<Row, String> {
    let higher = measure.higher_is_better;
    let samples = ours.get(&measure.name).ok_or(format!("does not print `{}`", measure.name))?;
    let value = best(samples, higher);
    let reference_value = refs.get(&measure.reference_name).map(|s| best(s, higher));
    let ratio = reference_value.map(|r| value / r);
    let reached = |value: f64, bar: f64| if higher { value >= bar } else { value <= bar };
    let by_ratio = measure.bar.zip(ratio).map(|(bar, ratio)| reached(ratio, bar));
    let by_value = measure.limit.map(|limit| reached(value, limit));
    let sign = if higher { "≥" } else { "≤" };
    let bar = match (measure.bar, measure.limit) {
        (Some(bar), _) => format!("ratio {sign} {bar}"),
        (None, Some(limit)) => format!("{sign} {limit} {}", measure.unit),
        (None, None) => String::new(),
    };
    let reference = bench.reference.as_ref();
    Ok(Row {
        name: format!("{}/{}", bench.name, measure.name),
        mapping: bench.ours.mapping.to_string(),
        unit: measure.unit.clone(),
        value,
        median: median(samples),
        reference: reference.map_or(String::new(), |side| match side.program.ends_with(".upc") {
            true => format!("{} {}", side.program, side.mapping),
            false => side.program.clone(),
        }),
        reference_value,
        ratio,
        bar,
        good: by_ratio.or(by_value),
    })
}

fn best(samples: &[f64], higher: bool) -> f64 {
    let pick = if higher { f64::max } else { f64::min };
    samples.iter().copied().reduce(pick).unwrap_or(f64::NAN)
}

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn cells(row: &Row) -> [String; 9] {
    let number = |value: f64| match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    };
    [
        row.name.clone(),
        row.mapping.clone(),
        format!("{} {}", number(row.value), row.unit),
        number(row.median),
        row.reference_value.map(number).unwrap_or_default(),
        row.reference.clone(),
        row.ratio.map(|r| format!("{r:.3}")).unwrap_or_default(),
        row.bar.clone(),
        row.good.map_or("", |good| if good { "yes" } else { "no" }).to_string(),
    ]
}

const HEAD: [&str; 9] =
    ["measurement", "mapping", "best", "median", "reference", "", "ratio", "bar", "reached"];

pub fn print(rows: &[Row]) {
    let mut table = vec![HEAD.map(String::from)];
    table.extend(rows.iter().map(cells));
    let width =
        |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    for row in &table {
        let pad = |(cell, width): (&String, &usize)| format!("{cell:<width$}");
        let line: Vec<String> = row.iter().zip(&widths).map(pad).collect();
        println!("{}", line.join("  ").trim_end());
    }
}

/// `build/bench/results.json`. A filtered run replaces its own measurements and keeps the others.
pub fn write_json(config: &Config, rows: &[Row]) -> Result<(), String> {
    let file = config.root.join("build/bench/results.json");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let mut list: Vec<Value> = match config.filters.is_empty() {
        true => Vec::new(),
        false => serde_json::from_str(&old).unwrap_or_default(),
    };
    for row in rows {
        list.retain(|old| {
            old["name"] != row.name.as_str() || old["mapping"] != row.mapping.as_str()
        });
        list.push(json!({
            "name": row.name, "mapping": row.mapping, "value": row.value, "unit": row.unit,
            "reference": row.reference, "reference_value": row.reference_value,
            "ratio": row.ratio, "median": row.median, "bar": row.bar, "reached": row.good,
        }));
    }
    let text = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
    std::fs::create_dir_all(config.root.join("build/bench")).map_err(|e| e.to_string())?;
    std::fs::write(&file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
}

pub fn write_table(config: &Config, rows: &[Row]) -> Result<(), String> {
    let file = config.root.join("bench/README.md");
    let page = std::fs::read_to_string(&file).map_err(|e| format!("bench/README.md: {e}"))?;
    let (head, rest) = page.split_once(BEGIN).ok_or("bench/README.md has no begin mark")?;
    let (_, tail) = rest.split_once(END).ok_or("bench/README.md has no end mark")?;
    let mut table = format!("| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(HEAD.len()));
    for row in rows {
        table.push_str(&format!("| {} |\n", cells(row).join(" | ")));
    }
    let page = format!("{head}{BEGIN}\n{table}{END}{tail}");
    std::fs::write(&file, page).map_err(|e| format!("bench/README.md: {e}"))
}
