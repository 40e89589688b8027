// SPDX-License-Identifier: BSD-3-Clause
//! The paper's Tables I to IV and Figures 1 to 5 with ours beside them, and what programs cost on
//! one host. Figure 1 has ours alone: the paper gives its speedups only as a picture.

use super::{as_json, Program, Way};
use crate::bars::{self, Bars};
use crate::config::Config;
use crate::readme;
use serde_json::Value;
use std::path::Path;

const FOUR: Way = Way::Hosts(4, 4);
const SIXTEEN: Way = Way::Hosts(16, 1);
const SINGLE: Way = Way::Hosts(4, 1);
/// Imitated, with a process on each host, and on each processor.
const ORIGINAL: Way = Way::Original(4);
const ORIGINAL_16: Way = Way::Original(16);
const FAULTS: [&str; 2] = ["read_faults", "write_faults"];
/// Figures 2 and 3 end here, as the paper's.
const MOST: f64 = 4.0;

type Of<'a> = Box<dyn Fn(&Program) -> Option<f64> + 'a>;

/// A column of a table, or the bars of one colour.
struct Column<'a> {
    title: String,
    of: Of<'a>,
}

fn column<'a>(title: &str, of: impl Fn(&Program) -> Option<f64> + 'a) -> Column<'a> {
    Column { title: title.into(), of: Box::new(of) }
}

/// What the paper reports, the i-th of several.
fn paper<'a>(title: &str, key: &'a str, i: usize) -> Column<'a> {
    column(&format!("paper: {title}"), move |p| p.paper.value(key, i))
}

fn ours<'a>(title: &str, way: Way, names: &'a [&'a str]) -> Column<'a> {
    column(&format!("ours: {title}"), move |p| p.count(way, names))
}

/// In units of 10^6 bytes.
fn mbytes<'a>(title: &str, way: Way, name: &'a str) -> Column<'a> {
    column(&format!("ours: {title}"), move |p| Some(p.count(way, &[name])? / 1e6))
}

/// Divided by what the paper reports.
fn normalised<'a>(column: Column<'a>, key: &'a str, i: usize) -> Column<'a> {
    let of = column.of;
    Column { title: column.title, of: Box::new(move |p| Some(of(p)? / p.paper.value(key, i)?)) }
}

/// Writes them, and returns the tables.
pub fn write(config: &Config, programs: &[Program]) -> Result<String, String> {
    let dir = config.plot.clone().unwrap_or(config.results().join("openmp"));
    let said = |e: std::io::Error| format!("{}: {e}", dir.display());
    std::fs::create_dir_all(&dir).map_err(said)?;
    let list: Vec<Value> = programs.iter().map(as_json).collect();
    let json = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
    std::fs::write(dir.join("results.json"), json + "\n").map_err(said)?;
    let tables = tables(programs);
    std::fs::write(dir.join("tables.md"), &tables).map_err(said)?;
    figures(&dir, programs)?;
    if config.write {
        readme::put(config, "openmp", 1, &tables)?;
    }
    Ok(format!("{tables}\n5 figures in {}\n", config.shown(&dir)))
}

fn tables(programs: &[Program]) -> String {
    let tables = [vec![seconds(programs)], traffic(programs), operations(programs)];
    tables.concat().join("\n")
}

fn seconds(programs: &[Program]) -> String {
    let seconds = |title: &str, way: Way| column(title, move |p| p.seconds(way));
    let ratio = column("ours : gcc", |p| Some(p.seconds(Way::OneHost)? / p.seconds(Way::Gcc)?));
    table(
        "Seconds without OpenMP (Table I), and on one host with a thread for each processor",
        programs,
        &[
            paper("sequential", "sequential", 0),
            seconds("ours: sequential", Way::Sequential),
            seconds("gcc", Way::Gcc),
            seconds("ours", Way::OneHost),
            ratio,
        ],
    )
}

fn traffic(programs: &[Program]) -> Vec<String> {
    vec![
        table(
            "Data in 10^6 bytes (Table II)",
            programs,
            &[
                paper("original", "mbytes", 0),
                mbytes("original 16x1", ORIGINAL_16, "bytes"),
                mbytes("16x1", SIXTEEN, "bytes"),
                paper("thread", "mbytes", 1),
                mbytes("4x4", FOUR, "bytes"),
                paper("MPI", "mbytes", 2),
                mbytes("MPI", Way::Mpi, "bytes"),
                paper("MPI off-node", "mbytes", 3),
                mbytes("MPI off-node", Way::Mpi, "away_bytes"),
            ],
        ),
        table(
            "Messages (Table II)",
            programs,
            &[
                paper("original", "messages", 0),
                ours("original 16x1", ORIGINAL_16, &["messages"]),
                ours("16x1", SIXTEEN, &["messages"]),
                paper("thread", "messages", 1),
                ours("4x4", FOUR, &["messages"]),
                paper("MPI", "messages", 2),
                ours("MPI", Way::Mpi, &["messages"]),
                paper("MPI off-node", "messages", 3),
                ours("MPI off-node", Way::Mpi, &["away_messages"]),
            ],
        ),
    ]
}

/// On pages.
fn operations(programs: &[Program]) -> Vec<String> {
    let counts = |name, key, names| {
        let title = format!("{name}, on four hosts (Table III)");
        let columns = [
            paper("Orig/1", key, 0),
            ours("original 4x1", ORIGINAL, names),
            paper("Thrd/1", key, 1),
            ours("4x1", SINGLE, names),
            paper("Orig/4", key, 2),
            ours("original 16x1", ORIGINAL_16, names),
            paper("Thrd/4", key, 3),
            ours("16x1", SIXTEEN, names),
            ours("4x4", FOUR, names),
        ];
        table(&title, programs, &columns)
    };
    vec![
        counts("Operations on the rights of pages", "mprotects", &["protections"]),
        microseconds(programs),
        counts("Page faults", "faults", &FAULTS),
        counts("Diffs", "diffs", &["diffs"]),
        table(
            "Operations on the rights of pages with 16 threads (Table IV)",
            programs,
            &[
                paper("Orig/16x1", "mprotects", 2),
                ours("original 16x1", ORIGINAL_16, &["protections"]),
                paper("Thrd/16x1", "mprotects_16x1", 0),
                ours("16x1", SIXTEEN, &["protections"]),
                paper("Thrd/4x4", "mprotects", 3),
                ours("4x4", FOUR, &["protections"]),
            ],
        ),
    ]
}

fn microseconds(programs: &[Program]) -> String {
    let each = |title: &str, way: Way| {
        column(&format!("ours: {title}"), move |p| {
            Some(p.count(way, &["protections_ns"])? / 1e3 / p.count(way, &["protections"])?)
        })
    };
    table(
        "Microseconds of such an operation, on four hosts (Table III)",
        programs,
        &[
            paper("Orig/1", "mprotect_us", 0),
            each("original 4x1", ORIGINAL),
            paper("Thrd/1", "mprotect_us", 1),
            each("4x1", SINGLE),
            paper("Orig/4", "mprotect_us", 2),
            each("original 16x1", ORIGINAL_16),
            paper("Thrd/4", "mprotect_us", 3),
            each("4x4", FOUR),
        ],
    )
}

fn table(title: &str, programs: &[Program], columns: &[Column]) -> String {
    let mut text = format!("{title}\n\n| program |");
    columns.iter().for_each(|column| text += &format!(" {} |", column.title));
    text += &format!("\n|{}\n", "---|".repeat(1 + columns.len()));
    for program in programs {
        text += &format!("| {} |", program.paper.name);
        for column in columns {
            let cell = (column.of)(program).map(number).unwrap_or_default();
            text += &format!(" {cell} |");
        }
        text += "\n";
    }
    text
}

fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 || v == v.trunc() => format!("{v:.0}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

fn figures(dir: &Path, programs: &[Program]) -> Result<(), String> {
    let speedup = |title: &str, way: Way| {
        column(title, move |p| Some(p.seconds(Way::Sequential)? / p.seconds(way)?))
    };
    let draw = |number: usize, title: &str, most: f64, columns: &[Column]| {
        let series = columns.iter().map(|column| {
            let values = programs.iter().map(|p| (column.of)(p));
            (column.title.clone(), values.collect())
        });
        let names = programs.iter().map(|p| p.paper.name.clone()).collect();
        let figure = Bars { title: title.into(), names, series: series.collect(), most };
        bars::draw(&dir.join(format!("figure{number}.svg")), &figure)
    };
    draw(
        1,
        "Figure 1: speedup over the sequential program",
        f64::INFINITY,
        &[
            speedup("one host, gcc", Way::Gcc),
            speedup("one host, ours", Way::OneHost),
            speedup("16 hosts x 1 thread", SIXTEEN),
            speedup("4 hosts x 4 threads", FOUR),
            speedup("MPI", Way::Mpi),
        ],
    )?;
    let of_thread = |key, columns: Vec<Column<'static>>| -> Vec<Column> {
        columns.into_iter().map(|column| normalised(column, key, 1)).collect()
    };
    let data = vec![
        paper("original", "mbytes", 0),
        paper("thread", "mbytes", 1),
        paper("MPI off-node", "mbytes", 3),
        mbytes("16x1", SIXTEEN, "bytes"),
        mbytes("4x4", FOUR, "bytes"),
        mbytes("MPI off-node", Way::Mpi, "away_bytes"),
    ];
    let title = "Figure 2: data, divided by that of the paper's OpenMP/thread";
    draw(2, title, MOST, &of_thread("mbytes", data))?;
    let messages = vec![
        paper("original", "messages", 0),
        paper("thread", "messages", 1),
        paper("MPI off-node", "messages", 3),
        ours("16x1", SIXTEEN, &["messages"]),
        ours("4x4", FOUR, &["messages"]),
        ours("MPI off-node", Way::Mpi, &["away_messages"]),
    ];
    let title = "Figure 3: messages, divided by those of the paper's OpenMP/thread";
    draw(3, title, MOST, &of_thread("messages", messages))?;
    let of_same_threads = |key: &'static str, names: &'static [&'static str]| {
        [
            normalised(paper("Orig/1", key, 0), key, 1),
            normalised(ours("4x1", SINGLE, names), key, 1),
            normalised(paper("Orig/4", key, 2), key, 3),
            normalised(ours("4x4", FOUR, names), key, 3),
        ]
    };
    let title =
        "Figure 4: operations on the rights of pages, divided by the paper's Thrd/1, Thrd/4";
    draw(4, title, f64::INFINITY, &of_same_threads("mprotects", &["protections"]))?;
    let title = "Figure 5: page faults, divided by the paper's Thrd/1, Thrd/4";
    draw(5, title, f64::INFINITY, &of_same_threads("faults", &FAULTS))
}
