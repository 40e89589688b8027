// SPDX-License-Identifier: BSD-3-Clause
//! `bench/papers.toml`, the one table of the papers' figures and tables: what shows each of them
//! here, by which command, and how far that is. `docs/papers.md` is made from it, and the pictures
//! of `cargo xtask bench` have their titles and axes from it.

use crate::config::Config;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

pub struct Papers {
    papers: Vec<Paper>,
    pub figures: Vec<Figure>,
}

struct Paper {
    id: String,
    title: String,
}

pub struct Figure {
    paper: String,
    /// As the paper counts: `figure 8`.
    pub number: String,
    pub shows: String,
    /// What measures it, from the root; empty while nothing does.
    source: String,
    /// The filter of `cargo xtask bench` that makes it, or another command.
    bench: String,
    command: String,
    /// Whether `--full` measures more.
    has_full: bool,
    /// The figures that `bench_point` and its like name: files in build/bench/figures.
    pub draws: Vec<String>,
    /// What the x axis counts.
    pub x: String,
    state: String,
}

pub fn load(config: &Config) -> Result<Papers, String> {
    let file = config.root.join("bench/papers.toml");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("bench/papers.toml: {e}"))?;
    parse(&text).map_err(|e| format!("bench/papers.toml: {e}"))
}

fn parse(text: &str) -> Result<Papers, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let papers = entries(&table, "paper").map(paper).collect::<Result<_, _>>()?;
    let figures = entries(&table, "figure").map(figure).collect::<Result<_, _>>()?;
    Ok(Papers { papers, figures })
}

fn entries<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    let list = table.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_table)
}

fn text(entry: &Table, key: &str) -> String {
    entry.get(key).and_then(Value::as_str).unwrap_or_default().to_string()
}

fn only(entry: &Table, keys: &[&str], needed: &[&str]) -> Result<(), String> {
    if let Some(unknown) = entry.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(format!("unknown key `{unknown}`"));
    }
    match needed.iter().find(|key| text(entry, key).is_empty()) {
        Some(missing) => Err(format!("`{}` lacks `{missing}`", text(entry, "number"))),
        None => Ok(()),
    }
}

fn paper(entry: &Table) -> Result<Paper, String> {
    only(entry, &["id", "title"], &["id", "title"])?;
    Ok(Paper { id: text(entry, "id"), title: text(entry, "title") })
}

fn figure(entry: &Table) -> Result<Figure, String> {
    const KEYS: [&str; 10] =
        ["paper", "number", "shows", "source", "bench", "command", "full", "draws", "x", "state"];
    only(entry, &KEYS, &["paper", "number", "shows", "state"])?;
    let draws = entry.get("draws").and_then(Value::as_array).into_iter().flatten();
    Ok(Figure {
        paper: text(entry, "paper"),
        number: text(entry, "number"),
        shows: text(entry, "shows"),
        source: text(entry, "source"),
        bench: text(entry, "bench"),
        command: text(entry, "command"),
        has_full: entry.get("full").and_then(Value::as_bool).unwrap_or(false),
        draws: draws.filter_map(Value::as_str).map(String::from).collect(),
        x: text(entry, "x"),
        state: text(entry, "state"),
    })
}

impl Figure {
    /// What a reader types; empty if nothing makes the figure yet.
    fn typed(&self) -> String {
        match (self.bench.as_str(), self.command.as_str()) {
            ("", command) => command.to_string(),
            (filter, _) if self.has_full => format!("cargo xtask bench {filter} [--full]"),
            (filter, _) => format!("cargo xtask bench {filter}"),
        }
    }
}

impl Papers {
    /// The first figure that is drawn under this name.
    pub fn drawn_as(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.draws.iter().any(|d| d == name))
    }

    fn page(&self) -> String {
        let mut page = String::from(
            "# The papers' figures\n\n\
             What the papers measured that Furlong is made after, and what measures it here. \
             Generated from `bench/papers.toml` by `cargo xtask papers`. Pictures go to \
             `build/bench/figures`, numbers to `build/bench/results.json` and \
             `build/bench/points.json`; `--full` takes the paper's sizes and much longer.\n",
        );
        for paper in &self.papers {
            page += &format!("\n## {}: {}\n\n", paper.id, paper.title);
            page += "| in the paper | shows | file | command | state |\n|---|---|---|---|---|\n";
            for f in self.figures.iter().filter(|f| f.paper == paper.id) {
                let code = |text: &str| match text {
                    "" => String::new(),
                    text => format!("`{text}`"),
                };
                page += &format!(
                    "| {} | {} | {} | {} | {} |\n",
                    f.number,
                    f.shows,
                    code(&f.source),
                    code(&f.typed()),
                    f.state
                );
            }
        }
        page
    }

    /// What the table names and is not there.
    fn problems(&self, root: &Path) -> Vec<String> {
        let known = |f: &&Figure| self.papers.iter().any(|p| p.id == f.paper);
        let strangers = self.figures.iter().filter(|f| !known(f));
        let strangers = strangers.map(|f| format!("{}: there is no paper {}", f.number, f.paper));
        let lost = self.figures.iter().filter(|f| !root.join(&f.source).exists());
        let lost = lost.map(|f| format!("{} {}: there is no {}", f.paper, f.number, f.source));
        strangers.chain(lost).collect()
    }
}

pub fn write(config: &Config) -> bool {
    let written = load(config).and_then(|papers| {
        std::fs::write(file(config), papers.page()).map_err(|e| format!("docs/papers.md: {e}"))
    });
    written.map_err(|e| eprintln!("xtask: {e}")).is_ok()
}

/// The committed page is the generated one.
pub fn check(config: &Config) -> Result<(), String> {
    let papers = load(config)?;
    let mut problems = papers.problems(&config.root);
    if std::fs::read_to_string(file(config)).unwrap_or_default() != papers.page() {
        problems.push("docs/papers.md is out of date: run `cargo xtask papers`".into());
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n")),
    }
}

fn file(config: &Config) -> PathBuf {
    config.root.join("docs/papers.md")
}
