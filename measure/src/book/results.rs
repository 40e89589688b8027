// SPDX-License-Identifier: BSD-3-Clause
//! What has been measured so far, as the files below `build/bench` have it.

use crate::config::Config;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub struct Results {
    dir: PathBuf,
    measurements: Vec<Value>,
    points: Vec<Value>,
}

/// Its title, and rows of cells, of which the first is the head.
pub struct Table {
    pub title: String,
    pub rows: Vec<Vec<String>>,
}

impl Results {
    pub fn load(config: &Config) -> Results {
        let dir = config.results();
        let list = |name: &str| {
            let text = std::fs::read_to_string(dir.join(name)).unwrap_or_default();
            serde_json::from_str(&text).unwrap_or_default()
        };
        Results { measurements: list("results.json"), points: list("points.json"), dir }
    }

    /// Measurements by the pattern of their names.
    pub fn named(&self, pattern: &str) -> Vec<&Value> {
        let is_named = |m: &&Value| m["name"].as_str().is_some_and(|name| fits(pattern, name));
        self.measurements.iter().filter(is_named).collect()
    }

    /// The points of a figure: a column for each x, a row for each series; or rows of a matrix.
    pub fn points(&self, figure: &str) -> Option<Table> {
        let points: Vec<&Value> = self.points.iter().filter(|p| p["figure"] == figure).collect();
        let unit = points.first()?["unit"].as_str().unwrap_or_default();
        let (mut columns, mut names): (Vec<f64>, Vec<String>) = (Vec::new(), Vec::new());
        let place = |p: &Value| match p["series"].as_str() {
            Some(series) => Some((series.to_string(), p["x"].as_f64()?)),
            None => Some((
                format!("{}, by {}", p["mapping"].as_str()?, p["row"]),
                p["column"].as_f64()?,
            )),
        };
        for (name, x) in points.iter().filter_map(|p| place(p)) {
            if !columns.contains(&x) {
                columns.push(x);
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        columns.sort_by(f64::total_cmp);
        let cell = |name: &String, x: f64| {
            let of_cell = |p: &&&Value| place(p).is_some_and(|at| at.0 == *name && at.1 == x);
            let value = points.iter().find(of_cell).and_then(|p| p["value"].as_f64());
            value.map(crate::report::number).unwrap_or_default()
        };
        let head = std::iter::once(unit.to_string()).chain(columns.iter().map(|x| x.to_string()));
        let row = |name: &String| {
            std::iter::once(name.clone()).chain(columns.iter().map(|&x| cell(name, x))).collect()
        };
        let rows = std::iter::once(head.collect()).chain(names.iter().map(row)).collect();
        Some(Table { title: String::new(), rows })
    }

    /// `FILE: TITLE` or `FILE: TITLE: WORD`: the table in a page of ours, below a line that begins
    /// with the title, if need be only the rows with a cell that is the word.
    pub fn table(&self, place: &str) -> Vec<Table> {
        let mut parts = place.splitn(3, ": ");
        let file = parts.next().unwrap_or_default();
        let (title, word) = (parts.next().unwrap_or_default(), parts.next());
        let text = std::fs::read_to_string(self.dir.join(file)).unwrap_or_default();
        let mut tables: Vec<Table> = Vec::new();
        for line in text.lines().map(|line| line.trim_start_matches(['#', ' '])) {
            match (line.strip_prefix('|'), tables.last_mut()) {
                (Some(row), Some(table)) => {
                    let row = row.trim_end().trim_end_matches('|');
                    let cells: Vec<String> = row.split('|').map(|c| c.trim().into()).collect();
                    let is_rule = cells.iter().all(|cell| cell.starts_with("--"));
                    let is_head = table.rows.is_empty();
                    let has_word = word.is_none_or(|word| cells.iter().any(|cell| cell == word));
                    if !is_rule && (is_head || has_word) {
                        table.rows.push(cells);
                    }
                }
                (None, _) if !line.is_empty() => {
                    tables.push(Table { title: line.to_string(), rows: Vec::new() });
                }
                _ => {}
            }
        }
        tables.retain(|table| table.title.starts_with(title) && table.rows.len() > 1);
        tables
    }

    /// The text of each picture of this name, or of this name and a mapping.
    pub fn pictures(&self, name: &str) -> Vec<String> {
        let path = self.dir.join(if name.contains('/') { "" } else { "figures" }).join(name);
        let (dir, begin) = match (path.parent(), path.file_name().and_then(|n| n.to_str())) {
            (Some(dir), Some(begin)) => (dir, begin),
            _ => return Vec::new(),
        };
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
        files.sort();
        let is_one = |file: &&PathBuf| is_picture(file, begin);
        files.iter().filter(is_one).filter_map(|f| std::fs::read_to_string(f).ok()).collect()
    }
}

/// `NAME.svg`, or `NAME-` and a mapping.
fn is_picture(file: &Path, name: &str) -> bool {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    let is_svg = file.extension().is_some_and(|e| e == "svg");
    let is_mapping =
        |rest: &str| rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    is_svg && stem.strip_prefix(name).is_some_and(|rest| rest.is_empty() || is_mapping(rest))
}

/// `*` in the pattern stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in parts {
        match (part, rest.find(part)) {
            ("", _) => return true,
            (_, Some(at)) => rest = &rest[at + part.len()..],
            (_, None) => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        assert!(fits("apex-0", "apex-0") && !fits("apex-0", "apex-01"));
        assert!(fits("npb-*", "npb-ep.W-bulk") && !fits("npb-*", "mix-gups"));
        assert!(fits("npb-*-bulk", "npb-ep.W-bulk") && !fits("npb-*-bulk", "npb-ep.W-fine"));
    }

    #[test]
    fn pictures_of_a_name_and_of_its_mappings() {
        let is = |file: &str, name| is_picture(Path::new(file), name);
        assert!(is("latency.svg", "latency") && is("latency-2h2x1.svg", "latency"));
        assert!(!is("messages-p2p-here.svg", "messages-p2p") && !is("latency.json", "latency"));
    }

    #[test]
    fn tables_are_read_from_pages() {
        let dir = std::env::temp_dir().join(format!("furlong-book-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let page = "# Top\n\n## Ratios of times\n\n| a | b |\n|---|---|\n| x | 1 |\n| y |  |\n";
        std::fs::write(dir.join("t.md"), page).unwrap();
        let results = Results { dir: dir.clone(), measurements: Vec::new(), points: Vec::new() };
        let rows = |place| results.table(place).into_iter().map(|t| t.rows).collect::<Vec<_>>();
        assert_eq!(rows("t.md: Ratios"), [[["a", "b"], ["x", "1"], ["y", ""]]]);
        assert_eq!(rows("t.md: Ratios: y"), [[["a", "b"], ["y", ""]]]);
        assert!(rows("t.md: Others").is_empty() && rows("u.md: Ratios").is_empty());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
