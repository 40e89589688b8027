// SPDX-License-Identifier: BSD-3-Clause
//! The testbed of collective operations (bench/collectives.h): for each mapping and skew, every
//! operation and size in several ways, ours and those of the peers, which do the same computation
//! between. Rounds alternate; the best counts, and the median says how calm the machine was.

use crate::bench::{build, pinned, run_one};
use crate::config::Config;
use crate::launch;
use crate::mapping::Mapping;
use crate::peers::{self, Built, Kind};
use crate::plan::Testbed;
use crate::process::Command;
use serde_json::{json, Value};
use std::path::Path;

/// One operation, size and way in a mapping, under a skew.
pub struct Point {
    pub operation: String,
    pub bytes: u64,
    pub way: String,
    pub mapping: Mapping,
    pub skew: f64,
    /// Nanoseconds, as all that follow.
    pub computation: f64,
    pub collective: Vec<f64>,
    pub overall: Vec<f64>,
}

/// The best of the rounds.
pub fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

pub fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Writes what it measures, as it goes.
pub fn measure(config: &Config, testbed: &Testbed) -> Result<Vec<Point>, String> {
    let scratch = config.scratch("bench/testbed");
    let binary = scratch.join("program");
    build(config, &testbed.source, &[], &testbed.flags, &binary)?;
    let peers = match &testbed.peers {
        Some(source) => peers::build(config, Kind::Mpi, None, source, &[], &scratch)?,
        None => Vec::new(),
    };
    let mut points = Vec::new();
    let (mappings, skews) = match config.quick {
        true => (&testbed.quick_mappings, &testbed.skews[..1]),
        false => (&testbed.mappings, &testbed.skews[..]),
    };
    for &mapping in config.mappings.as_ref().unwrap_or(mappings) {
        for &skew in skews {
            (config.tell)(&format!("{mapping}, skew {skew}"));
            let setting = Setting { config, testbed, mapping, skew, scratch: &scratch };
            setting.measure(&binary, &peers, &mut points)?;
            // Now: the next may take long.
            write(config, &points)?;
        }
    }
    Ok(points)
}

/// Who has done it, of whom lines of a figure tell.
enum Who<'a> {
    Library,
    Algorithm(&'a str),
    Peer(&'static str),
}

struct Setting<'a> {
    config: &'a Config,
    testbed: &'a Testbed,
    mapping: Mapping,
    skew: f64,
    scratch: &'a Path,
}

impl Setting<'_> {
    fn measure(
        &self,
        binary: &Path,
        peers: &[Built],
        points: &mut Vec<Point>,
    ) -> Result<(), String> {
        let first = points.len();
        for _ in 0..self.config.rounds.unwrap_or(self.testbed.rounds) {
            let args = self.args(&points[first..]);
            let ours = launch::launch(self.config, self.mapping, self.scratch);
            self.add(
                &run_one(self.config, &self.limited(ours.arg(binary).args(&args)))?,
                &Who::Library,
                points,
            );
            for algorithm in &self.testbed.algorithms {
                let args = self.args_of_ways(&points[first..], &["-allsync", "-mysync"]);
                let ours = launch::launch(self.config, self.mapping, self.scratch);
                let ours = ours.env("FURLONG_COLL", format!("*:{algorithm}"));
                let lines = run_one(self.config, &self.limited(ours.arg(binary).args(&args)))?;
                self.add(&lines, &Who::Algorithm(algorithm), points);
            }
            // With the computation that the first round has found to be right for ours.
            let args = self.args(&points[first..]);
            let beside = self.mapping.threads() <= self.testbed.most_peer_processes;
            for peer in peers.iter().filter(|_| beside) {
                let command = peer.command(self.mapping, &args);
                match run_one(self.config, &self.limited(command)) {
                    Ok(lines) => self.add(&lines, &Who::Peer(peer.peer.name), points),
                    // Ours are worth having without it.
                    Err(problem) => eprintln!("{}: {problem}", peer.peer.name),
                }
            }
        }
        Ok(())
    }

    fn limited(&self, command: Command) -> Command {
        let threads = self.mapping.threads() as usize;
        command.cpus(&pinned(threads)).limit_secs(self.testbed.limit_secs)
    }

    fn bytes(&self) -> &[u64] {
        match self.config.quick {
            true => &self.testbed.quick_bytes,
            false => &self.testbed.bytes,
        }
    }

    fn args(&self, known: &[Point]) -> Vec<String> {
        self.args_of_ways(known, &[""])
    }

    /// Of each operation the ways that end so.
    fn args_of_ways(&self, known: &[Point], ways: &[&str]) -> Vec<String> {
        let mut args = vec!["testbed".to_string(), self.skew.to_string()];
        for operation in &self.testbed.operations {
            for &bytes in self.bytes() {
                let same = |p: &&Point| p.operation == *operation && p.bytes == bytes;
                let computation = known.iter().find(same).map_or(0.0, |p| p.computation);
                let arg = |way: &&str| format!("{operation}{way}:{bytes}:{computation}");
                args.extend(ways.iter().map(arg));
            }
        }
        args
    }

    fn add(&self, stdout: &str, who: &Who, points: &mut Vec<Point>) {
        for line in stdout.lines().filter(|line| line.starts_with('{')) {
            let Ok(json) = serde_json::from_str::<Value>(line) else { continue };
            let number = |key: &str| json[key].as_f64().unwrap_or(f64::NAN);
            let text = |key: &str| json[key].as_str().unwrap_or_default().to_string();
            let (operation, bytes) = (text("operation"), number("bytes") as u64);
            let operation = operation.split('-').next().unwrap_or_default().to_string();
            let way = match who {
                Who::Library => text("way"),
                Who::Algorithm(algorithm) => format!("{} {algorithm}", text("way")),
                Who::Peer(name) => name.to_string(),
            };
            let same = |p: &Point| {
                p.operation == operation
                    && p.bytes == bytes
                    && p.way == way
                    && p.mapping == self.mapping
                    && p.skew == self.skew
            };
            let at = points.iter().position(same).unwrap_or_else(|| {
                points.push(Point {
                    operation: operation.clone(),
                    bytes,
                    way: way.clone(),
                    mapping: self.mapping,
                    skew: self.skew,
                    computation: number("computation"),
                    collective: Vec::new(),
                    overall: Vec::new(),
                });
                points.len() - 1
            });
            points[at].collective.push(number("collective"));
            points[at].overall.push(number("overall"));
        }
    }
}

/// `build/bench/collectives.json` and, as tables, `build/bench/collectives.md`.
fn write(config: &Config, points: &[Point]) -> Result<(), String> {
    let list: Vec<Value> = points.iter().map(as_json).collect();
    let text = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
    let dir = config.results();
    let said = |e: std::io::Error| format!("{}: {e}", dir.display());
    std::fs::create_dir_all(&dir).map_err(said)?;
    std::fs::write(dir.join("collectives.json"), text + "\n").map_err(said)?;
    std::fs::write(dir.join("collectives.md"), tables(points)).map_err(said)
}

fn as_json(p: &Point) -> Value {
    json!({
        "operation": p.operation, "bytes": p.bytes, "way": p.way,
        "mapping": p.mapping.to_string(), "skew": p.skew, "unit": "ns",
        "computation": p.computation,
        "collective": best(&p.collective), "collective_median": median(&p.collective),
        "overall": best(&p.overall), "overall_median": median(&p.overall),
    })
}

/// What has the same key, in the order of the first of each.
pub fn groups<K: PartialEq>(points: &[Point], key: impl Fn(&Point) -> K) -> Vec<(K, Vec<&Point>)> {
    let mut groups: Vec<(K, Vec<&Point>)> = Vec::new();
    for point in points {
        let key = key(point);
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, list)) => list.push(point),
            None => groups.push((key, vec![point])),
        }
    }
    groups
}

/// The ways, those of ours first.
pub fn ways<'a>(points: &[&'a Point]) -> Vec<&'a str> {
    let mut ways: Vec<&str> = Vec::new();
    for point in points {
        if !ways.contains(&point.way.as_str()) {
            ways.push(&point.way);
        }
    }
    ways
}

fn tables(points: &[Point]) -> String {
    let mut text = String::from(
        "# Collective operations: collective and overall time of a trial, in µs, best of the \
         rounds\n\n## Overall times, one way by another\n\n",
    );
    text += &summary(points);
    for ((mapping, skew), of_setting) in groups(points, |p| (p.mapping, p.skew.to_bits())) {
        let ways = ways(&of_setting);
        let skew = f64::from_bits(skew);
        text += &format!("\n## {mapping}, skew {skew}\n\n| operation | bytes | computation |");
        for measure in ["collective", "overall"] {
            ways.iter().for_each(|way| text += &format!(" {measure}: {way} |"));
        }
        text += &format!("\n|{}\n", "---|".repeat(3 + 2 * ways.len()));
        let mut rows: Vec<(&str, u64)> = Vec::new();
        for p in &of_setting {
            if !rows.contains(&(&p.operation, p.bytes)) {
                rows.push((&p.operation, p.bytes));
            }
        }
        for (operation, bytes) in rows {
            text += &row(&of_setting, &ways, operation, bytes);
        }
    }
    text
}

fn row(points: &[&Point], ways: &[&str], operation: &str, bytes: u64) -> String {
    let of_row = |p: &&&Point| p.operation == operation && p.bytes == bytes;
    let points: Vec<&&Point> = points.iter().filter(of_row).collect();
    let us = |ns: f64| format!(" {:.2} |", ns / 1e3);
    let mut row = format!("| {operation} | {bytes} |");
    row += &us(points[0].computation);
    let time: [fn(&Point) -> f64; 2] = [|p| best(&p.collective), |p| best(&p.overall)];
    for time in time {
        for way in ways {
            let point = points.iter().find(|p| p.way == *way);
            row += &point.map_or(" |".to_string(), |p| us(time(p)));
        }
    }
    row + "\n"
}

/// For each mapping, skew and operation, how the ways' overall times compare: over all sizes, as
/// geometric means; and the size at which MYSYNC does worst against ALLSYNC.
pub fn summary(points: &[Point]) -> String {
    let mut text = String::from(
        "| mapping | skew | operation | MYSYNC : ALLSYNC | at worst | ALLSYNC : two barriers | \
         MYSYNC : best MPI |\n|---|---|---|---|---|---|---|\n",
    );
    let key = |p: &Point| (p.mapping, p.skew.to_bits(), p.operation.clone());
    for ((mapping, skew, operation), of_row) in groups(points, key) {
        let cell = |ratios: &[f64]| match ratios {
            [] => String::new(),
            _ => format!("{:.2}", geometric_mean(ratios)),
        };
        let mine = ratios(&of_row, "mysync", &["allsync"]);
        let worst = mine.iter().copied().fold(f64::NAN, f64::max);
        text += &format!(
            "| {mapping} | {} | {operation} | {} | {worst:.2} | {} | {} |\n",
            f64::from_bits(skew),
            cell(&mine),
            cell(&ratios(&of_row, "allsync", &["barriers"])),
            cell(&ratios(&of_row, "mysync", &["Open MPI", "MPICH"])),
        );
    }
    text
}

/// Overall time of one way to the best of others, for each size.
fn ratios(points: &[&Point], way: &str, others: &[&str]) -> Vec<f64> {
    let ratio = |p: &&Point| {
        let beside = points.iter().filter(|o| o.bytes == p.bytes && others.contains(&&*o.way));
        let floor = beside.map(|o| best(&o.overall)).fold(f64::INFINITY, f64::min);
        floor.is_finite().then(|| best(&p.overall) / floor)
    };
    points.iter().copied().filter(|p| p.way == way).filter_map(|p| ratio(&p)).collect()
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}
