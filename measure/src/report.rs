// SPDX-License-Identifier: BSD-3-Clause
//! Measurements against their bars: as a table, as JSON, and in bench/README.md between its two
//! marks.

use crate::config::Config;
use crate::mapping::{self, Mapping};
use crate::peers::{self, Kind};
use crate::plan::{Bar, UNIVERSAL};
use crate::readme;
use serde_json::{json, Value};

/// Stands between a number of processes and the peer that started them.
pub const BY: &str = " by ";

/// One measurement as a program printed it.
#[derive(Clone)]
pub struct Sample {
    pub name: String,
    pub unit: String,
    pub value: f64,
    pub median: f64,
    pub reference: Option<f64>,
    /// What the reference is, in words.
    pub beside: String,
}

/// The best of the rounds so far, by name and mapping, in the order of their appearance. The mapping
/// of a peer is `2 by MPICH`, over hosts `2:2 by MPICH`.
#[derive(Default)]
pub struct Board {
    best: Vec<(String, Sample)>,
    /// The program that has printed each.
    programs: Vec<String>,
}

pub struct Row {
    program: String,
    mapping: String,
    sample: Sample,
    /// What the reference is, in words.
    reference: String,
    /// value / reference value: above 1 is better only for rates.
    ratio: Option<f64>,
    bar: String,
    /// The bar's ratio, as `gain` is.
    least_gain: Option<f64>,
    reached: Option<bool>,
}

impl Sample {
    pub fn parse(line: &str) -> Option<Sample> {
        let json: Value = serde_json::from_str(line).ok()?;
        let value = json["value"].as_f64()?;
        Some(Sample {
            name: json["name"].as_str()?.into(),
            unit: json["unit"].as_str().unwrap_or_default().into(),
            value,
            median: json["median"].as_f64().unwrap_or(value),
            reference: json["reference_value"].as_f64(),
            beside: json["reference"].as_str().unwrap_or("the same in C").into(),
        })
    }

    fn is_rate(&self) -> bool {
        self.unit.contains("/s") || self.unit == "GUPS"
    }

    fn better(&self, a: f64, b: f64) -> f64 {
        match self.is_rate() {
            true => a.max(b),
            false => a.min(b),
        }
    }

    /// How good a ratio is, whatever is measured: more is better.
    fn gain(&self, ratio: f64) -> f64 {
        match self.is_rate() {
            true => ratio,
            false => 1.0 / ratio,
        }
    }
}

impl Board {
    pub fn add(&mut self, program: &str, mapping: &str, sample: Sample) {
        let same = |(at, old): &&mut (String, Sample)| at == mapping && old.name == sample.name;
        let Some((_, old)) = self.best.iter_mut().find(same) else {
            self.best.push((mapping.into(), sample));
            self.programs.push(program.into());
            return;
        };
        old.value = sample.better(old.value, sample.value);
        old.reference = old.reference.zip(sample.reference).map(|(a, b)| sample.better(a, b));
    }

    fn value(&self, name: &str, mapping: &str) -> Option<f64> {
        let found = self.best.iter().find(|(at, s)| at == mapping && s.name == name);
        found.map(|(_, sample)| sample.value)
    }

    /// The best that a peer of this kind has with as many processes as the mapping has threads, on as
    /// many hosts, and its name. Where there are several ways to do what peers do in one, theirs ends our names.
    fn best_of(&self, kind: Kind, mapping: Mapping, sample: &Sample) -> Option<(f64, &str)> {
        let is_same = |theirs: &str| {
            let way = sample.name.strip_prefix(theirs);
            way.is_some_and(|way| way.is_empty() || way.starts_with('-'))
        };
        let peers = self.best.iter().filter(|(_, theirs)| is_same(&theirs.name));
        let peers = peers.filter_map(|(at, theirs)| {
            let (processes, peer) = at.split_once(BY)?;
            let is_one = processes == peers::place(mapping) && kind.has(peer);
            is_one.then_some((theirs.value, peer))
        });
        peers.reduce(|a, b| if sample.better(a.0, b.0) == a.0 { a } else { b })
    }

    /// On one host that of OpenMP, if there is one; else of MPI.
    fn best_peer(&self, mapping: &str, sample: &Sample) -> Option<(f64, &str)> {
        let mapping = *mapping::mappings(mapping).ok()?.first()?;
        let openmp = match mapping.hosts {
            1 => self.best_of(Kind::OpenMp, mapping, sample),
            _ => None,
        };
        openmp.or_else(|| self.best_of(Kind::Mpi, mapping, sample))
    }
}

pub fn rows(board: &Board, bars: &[Bar]) -> Vec<Row> {
    let row = |((mapping, sample), program): (&(String, Sample), &String)| {
        let (plain, _) = split_mark(mapping);
        let is_ours = !mapping.contains(BY);
        let here = |b: &&Bar| {
            is_ours && b.is_for(&sample.name) && (b.mapping.is_empty() || b.mapping == plain)
        };
        row(board, program, mapping, sample, bars.iter().find(here))
    };
    board.best.iter().zip(&board.programs).map(row).collect()
}

/// A mapping, and the mark of the build: a bar holds for all builds, each among its own.
fn split_mark(mapping: &str) -> (&str, &str) {
    mapping.split_at(mapping.strip_suffix(UNIVERSAL).unwrap_or(mapping).len())
}

fn row(board: &Board, program: &str, mapping: &str, sample: &Sample, bar: Option<&Bar>) -> Row {
    let (plain, mark) = split_mark(mapping);
    let against = bar.and_then(|bar| bar.against(&sample.name));
    let against = against.map(|(name, at)| (name, format!("{at}{mark}")));
    let mut sample = sample.clone();
    if let Some((name, at)) = &against {
        sample.reference = board.value(name, at);
    } else if let Some((value, peer)) = board.best_peer(plain, &sample) {
        (sample.reference, sample.beside) = (Some(value), peer.to_string());
    }
    let reference = match (&against, sample.reference) {
        (Some((name, at)), _) => format!("{name} {at}"),
        (None, Some(_)) => sample.beside.clone(),
        (None, None) => String::new(),
    };
    let ratio = sample.reference.map(|reference| sample.value / reference);
    let (text, reached) = judge(bar, &sample, ratio);
    let least_gain = bar.and_then(|bar| bar.min_ratio.or(bar.max_ratio)).map(|r| sample.gain(r));
    Row {
        program: program.into(),
        mapping: mapping.into(),
        sample,
        reference,
        ratio,
        bar: text,
        least_gain,
        reached,
    }
}

fn judge(bar: Option<&Bar>, sample: &Sample, ratio: Option<f64>) -> (String, Option<bool>) {
    let Some(bar) = bar else { return (String::new(), None) };
    let ratio = |holds: fn(f64, f64) -> bool, limit: f64| ratio.map(|r| holds(r, limit));
    let conditions = [
        bar.min_ratio.map(|min| (format!("ratio ≥ {min}"), ratio(|r, min| r >= min, min))),
        bar.max_ratio.map(|max| (format!("ratio ≤ {max}"), ratio(|r, max| r <= max, max))),
        bar.max_value.map(|max| (format!("≤ {max} {}", sample.unit), Some(sample.value <= max))),
    ];
    let conditions: Vec<_> = conditions.into_iter().flatten().collect();
    let texts: Vec<&str> = conditions.iter().map(|(text, _)| text.as_str()).collect();
    let known: Option<Vec<bool>> = conditions.iter().map(|(_, reached)| *reached).collect();
    let reached = known.filter(|list| !list.is_empty()).map(|list| list.iter().all(|&yes| yes));
    (texts.join(", "), reached)
}

const HEAD: [&str; 9] =
    ["measurement", "mapping", "best", "median", "reference", "", "ratio", "bar", "reached"];

fn cells(row: &Row) -> [String; 9] {
    [
        row.sample.name.clone(),
        row.mapping.clone(),
        format!("{} {}", number(row.sample.value), row.sample.unit),
        number(row.sample.median),
        row.reference.clone(),
        row.sample.reference.map(number).unwrap_or_default(),
        row.ratio.map(|r| format!("{r:.3}")).unwrap_or_default(),
        row.bar.clone(),
        row.reached.map_or("", |reached| if reached { "yes" } else { "no" }).to_string(),
    ]
}

pub fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 0.1 => format!("{value:.3}"),
        _ => format!("{value:.3e}"),
    }
}

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
    let file = config.results().join("results.json");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let mut list: Vec<Value> = match config.filters.is_empty() {
        true => Vec::new(),
        false => serde_json::from_str(&old).unwrap_or_default(),
    };
    for row in rows {
        let (name, mapping) = (row.sample.name.as_str(), row.mapping.as_str());
        list.retain(|old| old["name"] != name || old["mapping"] != mapping);
        list.push(json!({
            "program": row.program, "name": name, "mapping": mapping,
            "value": row.sample.value, "unit": row.sample.unit, "median": row.sample.median,
            "reference": row.reference, "reference_value": row.sample.reference,
            "ratio": row.ratio, "gain": row.ratio.map(|ratio| row.sample.gain(ratio)),
            "bar": row.bar, "least_gain": row.least_gain, "reached": row.reached,
        }));
    }
    let text = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
    std::fs::create_dir_all(config.results()).map_err(|e| e.to_string())?;
    std::fs::write(&file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
}

pub fn write_table(config: &Config, rows: &[Row]) -> Result<(), String> {
    let mut table = format!("| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(HEAD.len()));
    for row in rows {
        table.push_str(&format!("| {} |\n", cells(row).join(" | ")));
    }
    readme::put(config, "measurements", 2, &table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(unit: &str, value: f64) -> Sample {
        let line = json!({"name": "n", "unit": unit, "value": value, "reference_value": 2.0});
        Sample::parse(&line.to_string()).unwrap()
    }

    #[test]
    fn of_rates_more_is_better_of_times_less() {
        for (unit, best, gain) in [("GUPS", 3.0, 1.5), ("GB/s", 3.0, 1.5), ("us", 1.0, 2.0)] {
            let mut board = Board::default();
            for value in [1.0, 3.0] {
                board.add("p.upc", "2x1", sample(unit, value));
            }
            let row = &rows(&board, &[])[0];
            assert_eq!(
                (row.sample.value, row.ratio.map(|r| row.sample.gain(r))),
                (best, Some(gain))
            );
        }
    }
}
