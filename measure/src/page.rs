// SPDX-License-Identifier: BSD-3-Clause
//! The page of all measurements, `build/bench/index.html`: a picture for each program, and its rows.
//! It shows what `results.json` has, whichever run has measured it.

use crate::book::html::{escaped, STYLE};
use crate::book::machine;
use crate::config::Config;
use crate::gains::{self, Gain};
use crate::report::number;
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;

pub fn file(config: &Config) -> PathBuf {
    config.results().join("index.html")
}

pub fn write(config: &Config) -> Result<(), String> {
    let results = config.results().join("results.json");
    let say = |e: &dyn std::fmt::Display| format!("{}: {e}", results.display());
    let text = std::fs::read_to_string(&results).map_err(|e| say(&e))?;
    let rows: Vec<Value> = serde_json::from_str(&text).map_err(|e| say(&e))?;
    let file = file(config);
    std::fs::write(&file, page(&rows)?).map_err(|e| format!("{}: {e}", file.display()))
}

fn page(rows: &[Value]) -> Result<String, String> {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Measurements</title>\n<style>\n{STYLE}</style>\n\
         <nav>\n<a class=\"top\" href=\"#top\">Measurements</a>\n"
    );
    let programs = programs(rows);
    for (at, program) in programs.iter().enumerate() {
        let _ = writeln!(text, "<a href=\"#{at}\">{}</a>", escaped(program));
    }
    text += "</nav>\n<main>\n";
    text += &head(rows);
    for (at, program) in programs.iter().enumerate() {
        let of_program: Vec<&Value> =
            rows.iter().filter(|row| program_of(row) == *program).collect();
        let _ = writeln!(text, "<article id=\"{at}\">\n<h3>{}</h3>", escaped(program));
        let gains: Vec<Gain> = of_program.iter().filter_map(|row| gain(row)).collect();
        if !gains.is_empty() {
            let _ = writeln!(text, "<div class=\"pictures\">{}</div>", gains::draw(&gains)?);
        }
        text += &table(&of_program);
        text += "</article>\n";
    }
    Ok(text + "</main>\n</html>\n")
}

fn program_of(row: &Value) -> &str {
    row["program"].as_str().unwrap_or("of earlier runs")
}

/// In the order of their rows.
fn programs(rows: &[Value]) -> Vec<&str> {
    let mut programs = Vec::new();
    for program in rows.iter().map(program_of) {
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    programs
}

fn head(rows: &[Value]) -> String {
    let judged = || rows.iter().filter_map(|row| row["reached"].as_bool());
    let (all, reached) = (judged().count(), judged().filter(|reached| *reached).count());
    let mut text = format!(
        "<header id=\"top\">\n<h1>Measurements</h1>\n\
         <p>{} measurements, the last of them of {}; {reached} of {all} bars are reached. A picture \
         shows how many times better than its reference each is, which was measured in turns with \
         it: green where the bar, a black mark, is reached, red where it is not, blue where there \
         is none. A mapping <b>4x2</b> is 4 processes with 2 threads each; <b>2:4x1</b> is 4 \
         processes on 2 virtual hosts.</p>\n<dl>\n",
        rows.len(),
        machine::now()
    );
    for (name, fact) in machine::facts() {
        let _ = writeln!(text, "<dt>{name}</dt><dd>{}</dd>", escaped(&fact));
    }
    text + "</dl>\n</header>\n"
}

/// Null where the row has no reference, or is a peer's.
fn gain(row: &Value) -> Option<Gain> {
    let mapping = row["mapping"].as_str().unwrap_or_default();
    Some(Gain {
        name: format!("{} {mapping}", row["name"].as_str()?).trim_end().to_string(),
        value: row["gain"].as_f64().filter(|gain| *gain > 0.0)?,
        least: row["least_gain"].as_f64(),
        reached: row["reached"].as_bool(),
    })
}

const HEAD: [&str; 8] =
    ["measurement", "mapping", "best", "median", "reference", "", "ratio", "bar"];

fn table(rows: &[&Value]) -> String {
    let mut text =
        String::from("<details><summary>numbers</summary><div class=\"scroll\"><table>\n<tr>");
    HEAD.iter().for_each(|name| text += &format!("<th>{name}</th>"));
    text += "</tr>\n";
    for row in rows {
        text += "<tr>";
        cells(row).iter().for_each(|cell| text += &format!("<td>{}</td>", escaped(cell)));
        text += "</tr>\n";
    }
    text + "</table></div></details>\n"
}

fn cells(row: &Value) -> [String; 8] {
    let word = |name: &str| row[name].as_str().unwrap_or_default().to_string();
    let shown = |name: &str| row[name].as_f64().map(number).unwrap_or_default();
    [
        word("name"),
        word("mapping"),
        format!("{} {}", shown("value"), word("unit")),
        shown("median"),
        word("reference"),
        shown("reference_value"),
        row["ratio"].as_f64().map(|ratio| format!("{ratio:.3}")).unwrap_or_default(),
        word("bar"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn programs_have_a_picture_each_if_they_have_references() {
        let row = |program: &str, name: &str, gain: Option<f64>| {
            json!({"program": program, "name": name, "mapping": "2x1", "value": 3.0, "unit": "us",
                   "gain": gain, "least_gain": gain, "reached": gain.map(|g| g >= 1.0)})
        };
        let rows = [
            row("a.upc", "a<b", Some(2.0)),
            row("a.upc", "a-c", Some(0.5)),
            row("b.upc", "b", None),
        ];
        let text = page(&rows).unwrap();
        assert_eq!(text.matches("<svg").count(), 1);
        assert_eq!(text.matches("<article").count(), 2);
        assert!(text.contains("1 of 2 bars are reached") && text.contains("a&lt;b"), "{text}");
    }
}
