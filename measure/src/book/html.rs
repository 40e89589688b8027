// SPDX-License-Identifier: BSD-3-Clause
//! The page of the book: one file with its pictures in it, that needs nothing else.

use super::machine;
use super::results::{Results, Table};
use super::Asked;
use crate::config::Config;
use crate::papers::{Figure, Paper, Papers};
use crate::report::number;
use serde_json::Value;
use std::fmt::Write;

pub const STYLE: &str = include_str!("style.css");
/// More rows than this are folded away.
const MOST_ROWS: usize = 14;

struct Book<'a> {
    papers: &'a Papers,
    /// How steps went.
    steps: &'a Value,
    results: Results,
    asked: Asked,
}

pub fn page(config: &Config, papers: &Papers, steps: &Value, asked: Asked) -> String {
    let book = Book { papers, steps, results: Results::load(config), asked };
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>The papers' figures, measured here</title>\n<style>\n{STYLE}</style>\n"
    );
    text += &book.contents();
    text += "<main>\n";
    text += &book.head();
    papers.papers.iter().for_each(|paper| text += &book.section(paper));
    text + "</main>\n</html>\n"
}

impl Book<'_> {
    fn contents(&self) -> String {
        let mut text =
            String::from("<nav>\n<a class=\"top\" href=\"#top\">The papers' figures</a>\n");
        for paper in &self.papers.papers {
            let _ = writeln!(text, "<a class=\"paper\" href=\"#{0}\">{0}</a>", paper.id);
            let mut last = "";
            for (i, figure) in self.papers.of(paper).enumerate() {
                if figure.number != last {
                    let _ = writeln!(text, "<a href=\"#{}-{i}\">{}</a>", paper.id, figure.number);
                }
                last = &figure.number;
            }
        }
        text + "</nav>\n"
    }

    fn head(&self) -> String {
        let figures = &self.papers.figures;
        let measured = figures.iter().filter(|f| self.is_measured(f)).count();
        let mut text = format!(
            "<header id=\"top\">\n<h1>The papers' figures, measured here</h1>\n\
             <p>{} figures and tables of {} papers, {measured} of them measured on this machine. \
             Beside the paper's numbers stand ours, and what the machine can do: the reference, \
             which is the same in plain C or by another system, measured in turns in the same \
             run.</p>\n\
             <p>A mapping <b>4x2</b> is 4 processes with 2 threads each; <b>2:4x1</b> is 4 \
             processes on 2 virtual hosts, which talk over the loopback interface. The best of \
             the rounds counts; the ratio is ours to the reference, and what is better follows \
             from the unit: more of a rate, less of a time.</p>\n<dl>\n",
            figures.len(),
            self.papers.papers.len()
        );
        for (name, fact) in machine::facts() {
            let _ = writeln!(text, "<dt>{name}</dt><dd>{}</dd>", escaped(&fact));
        }
        text + "</dl>\n</header>\n"
    }

    /// Without a problem.
    fn is_measured(&self, figure: &Figure) -> bool {
        let step = &self.steps[&figure.step];
        let is_empty = |key: &str| step[key].as_array().is_some_and(Vec::is_empty);
        is_empty("problems") && is_empty("skipped")
    }

    fn section(&self, paper: &Paper) -> String {
        let title = escaped(&paper.title);
        let mut text = format!("<section id=\"{}\">\n<h2>{title}</h2>\n", paper.id);
        for (i, figure) in self.papers.of(paper).enumerate() {
            text += &self.figure(figure, &format!("{}-{i}", paper.id));
        }
        text + "</section>\n"
    }

    fn figure(&self, figure: &Figure, id: &str) -> String {
        let mut text =
            format!("<article id=\"{id}\">\n<p class=\"number\">{}</p>\n", figure.number);
        let _ = writeln!(text, "<h3>{}</h3>", escaped(&capital(&figure.shows)));
        text += &said(figure);
        text += &self.ours(figure);
        if !figure.differs.is_empty() {
            let differs = escaped(&figure.differs);
            let _ = writeln!(text, "<p class=\"differs\"><b>What differs.</b> {differs}</p>");
        }
        text += &self.foot(figure);
        text + "</article>\n"
    }

    fn ours(&self, figure: &Figure) -> String {
        let mut text = String::from("<h4>This machine</h4>\n");
        let begin = text.len();
        text += &self.state(figure);
        let rows: Vec<&Value> = figure.rows.iter().flat_map(|p| self.results.named(p)).collect();
        if !rows.is_empty() {
            text += &folded(&measurements(&rows), "measurements");
        }
        for table in figure.tables.iter().flat_map(|place| self.results.table(place)) {
            let _ = writeln!(text, "<p class=\"caption\">{}</p>", escaped(&table.title));
            text += &folded(&table, "rows");
        }
        let pictures: Vec<String> =
            figure.draws.iter().flat_map(|name| self.results.pictures(name)).collect();
        if !pictures.is_empty() {
            let many = if pictures.len() > 1 { " many" } else { "" };
            let _ = writeln!(text, "<div class=\"pictures{many}\">{}</div>", pictures.join("\n"));
        }
        for table in figure.draws.iter().filter_map(|name| self.results.points(name)) {
            let _ = write!(
                text,
                "<details><summary>the values</summary>\n{}</details>\n",
                cells(&table)
            );
        }
        if text.len() == begin {
            text += "<p>Nothing was measured.</p>\n";
        }
        text
    }

    /// Why there is nothing, or not all.
    fn state(&self, figure: &Figure) -> String {
        let step = &self.steps[&figure.step];
        let mut text = String::new();
        let list = |key: &str| step[key].as_array().cloned().unwrap_or_default();
        for why in list("skipped").iter().chain(&list("problems")).filter_map(Value::as_str) {
            let first = why.lines().next().unwrap_or_default();
            let _ = writeln!(text, "<p class=\"bad\">{}</p>", escaped(first));
        }
        if !step.is_object() {
            text += "<p class=\"bad\">Not measured yet.</p>\n";
        }
        if figure.state != "measured" {
            let _ = writeln!(text, "<p class=\"bad\">{}</p>", escaped(&capital(&figure.state)));
        }
        text
    }

    fn foot(&self, figure: &Figure) -> String {
        let step = &self.steps[&figure.step];
        let command = match self.asked {
            Asked::Repository => figure.typed(),
            Asked::Installation if figure.step.contains(' ') => {
                format!("furlong papers '{}'", figure.step)
            }
            Asked::Installation => format!("furlong papers {}", figure.step),
        };
        let size = if step["full"] == true { "full size" } else { "quick" };
        let when = step["when"].as_str().map(|when| format!("{when}, {size}"));
        format!(
            "<footer><code>{}</code><span>{}</span><span>{}</span></footer>\n",
            escaped(&command),
            escaped(&figure.source),
            when.unwrap_or_default()
        )
    }
}

/// What the paper reports.
fn said(figure: &Figure) -> String {
    let mut text = String::from("<h4>The paper</h4>\n");
    match figure.says.as_str() {
        "none" => text += "<p>No numbers.</p>\n",
        "" if figure.numbers.is_empty() => text += "<p>Its numbers are in the tables.</p>\n",
        "" => {}
        says => {
            let _ = writeln!(text, "<p>{}</p>", escaped(says));
        }
    }
    if !figure.numbers.is_empty() {
        let row = |row: &String| row.split('|').map(|cell| cell.trim().to_string()).collect();
        let rows = figure.numbers.iter().map(row).collect();
        text += &cells(&Table { title: String::new(), rows });
    }
    text
}

fn measurements(rows: &[&Value]) -> Table {
    const HEAD: [&str; 7] = ["measurement", "mapping", "ours", "reference", "", "ratio", "bar"];
    let row = |m: &&Value| {
        let text = |key: &str| m[key].as_str().unwrap_or_default().to_string();
        let shown = |key: &str| m[key].as_f64().map(number).unwrap_or_default();
        let mark = match m["reached"].as_bool() {
            Some(true) => " ✓",
            Some(false) => " ✗",
            None => "",
        };
        let ratio = m["ratio"].as_f64().map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        let ours = format!("{} {}", shown("value"), text("unit"));
        let bar = text("bar") + mark;
        vec![
            text("name"),
            text("mapping"),
            ours,
            text("reference"),
            shown("reference_value"),
            ratio,
            bar,
        ]
    };
    let head = HEAD.map(String::from).to_vec();
    Table {
        title: String::new(),
        rows: std::iter::once(head).chain(rows.iter().map(row)).collect(),
    }
}

/// A long table is shown when a reader asks for it.
fn folded(table: &Table, what: &str) -> String {
    match table.rows.len() - 1 {
        n if n > MOST_ROWS => {
            format!("<details><summary>{n} {what}</summary>\n{}</details>\n", cells(table))
        }
        _ => cells(table),
    }
}

fn cells(table: &Table) -> String {
    let mut text = String::from("<div class=\"scroll\"><table>\n");
    for (i, row) in table.rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        text += "<tr>";
        for cell in row {
            let first = cell.split_whitespace().next().unwrap_or_default();
            let class = if first.parse::<f64>().is_ok() { " class=\"n\"" } else { "" };
            let _ = write!(text, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        text += "</tr>\n";
    }
    text + "</table></div>\n"
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
