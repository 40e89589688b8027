// SPDX-License-Identifier: BSD-3-Clause
//! `bench/papers.toml`, the one table of the papers' figures and tables: what the paper reports,
//! what shows each of them here, by which step, and how far that is. `docs/papers.md` and the book
//! of figures are made from it, and pictures have their titles and axes from it.

use crate::config::Config;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

pub struct Papers {
    pub papers: Vec<Paper>,
    pub steps: Vec<Step>,
    pub figures: Vec<Figure>,
}

pub struct Paper {
    pub id: String,
    pub title: String,
}

/// What is run for some figures together.
pub struct Step {
    /// Of `cargo xtask bench`.
    pub filter: String,
    pub shows: String,
    /// About how long it takes.
    quick_secs: u64,
    full_secs: u64,
}

pub struct Figure {
    pub paper: String,
    /// As the paper counts: `figure 8`.
    pub number: String,
    pub shows: String,
    /// What measures it, from the root; empty while nothing does.
    pub source: String,
    /// The filter of its step; empty while nothing makes it.
    pub step: String,
    /// Whether `--full` measures more.
    has_full: bool,
    /// What the paper reports, in words and as the rows of a table.
    pub says: String,
    pub numbers: Vec<String>,
    /// Our measurements, tables, and pictures.
    pub rows: Vec<String>,
    pub tables: Vec<String>,
    pub draws: Vec<String>,
    /// What the x axis counts.
    pub x: String,
    pub differs: String,
    pub state: String,
}

pub fn load(config: &Config) -> Result<Papers, String> {
    let file = config.root.join("bench/papers.toml");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("bench/papers.toml: {e}"))?;
    parse(&text).map_err(|e| format!("bench/papers.toml: {e}"))
}

fn parse(text: &str) -> Result<Papers, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    Ok(Papers {
        papers: entries(&table, "paper").map(paper).collect::<Result<_, _>>()?,
        steps: entries(&table, "step").map(step).collect::<Result<_, _>>()?,
        figures: entries(&table, "figure").map(figure).collect::<Result<_, _>>()?,
    })
}

fn entries<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    let list = table.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_table)
}

fn text(entry: &Table, key: &str) -> String {
    entry.get(key).and_then(Value::as_str).unwrap_or_default().to_string()
}

fn texts(entry: &Table, key: &str) -> Vec<String> {
    let list = entry.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(String::from).collect()
}

fn only(entry: &Table, keys: &[&str], needed: &[&str]) -> Result<(), String> {
    if let Some(unknown) = entry.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(format!("unknown key `{unknown}`"));
    }
    match needed.iter().find(|key| text(entry, key).is_empty()) {
        Some(missing) => Err(format!("`{}` lacks `{missing}`", text(entry, "shows"))),
        None => Ok(()),
    }
}

fn paper(entry: &Table) -> Result<Paper, String> {
    only(entry, &["id", "title"], &["id", "title"])?;
    Ok(Paper { id: text(entry, "id"), title: text(entry, "title") })
}

fn step(entry: &Table) -> Result<Step, String> {
    only(entry, &["filter", "shows", "seconds"], &["filter", "shows"])?;
    let seconds = |i: usize| {
        let number = entry.get("seconds").and_then(|list| list.get(i)).and_then(Value::as_integer);
        let problem = format!("step `{}` needs `seconds`, quick and full", text(entry, "filter"));
        number.map(|n| n as u64).ok_or(problem)
    };
    Ok(Step {
        filter: text(entry, "filter"),
        shows: text(entry, "shows"),
        quick_secs: seconds(0)?,
        full_secs: seconds(1)?,
    })
}

fn figure(entry: &Table) -> Result<Figure, String> {
    const KEYS: [&str; 14] = [
        "paper", "number", "shows", "source", "step", "full", "says", "numbers", "rows", "tables",
        "draws", "x", "differs", "state",
    ];
    only(entry, &KEYS, &["paper", "number", "shows", "state"])?;
    let [says, numbers] = ["says", "numbers"].map(|key| entry.contains_key(key));
    if !says && !numbers && !entry.contains_key("tables") {
        return Err(format!("`{}` lacks what the paper says", text(entry, "shows")));
    }
    Ok(Figure {
        paper: text(entry, "paper"),
        number: text(entry, "number"),
        shows: text(entry, "shows"),
        source: text(entry, "source"),
        step: text(entry, "step"),
        has_full: entry.get("full").and_then(Value::as_bool).unwrap_or(false),
        says: text(entry, "says"),
        numbers: texts(entry, "numbers"),
        rows: texts(entry, "rows"),
        tables: texts(entry, "tables"),
        draws: texts(entry, "draws"),
        x: text(entry, "x"),
        differs: text(entry, "differs"),
        state: text(entry, "state"),
    })
}

impl Step {
    pub fn seconds(&self, full: bool) -> u64 {
        match full {
            true => self.full_secs,
            false => self.quick_secs,
        }
    }
}

impl Figure {
    /// What a reader types in the repository; empty if nothing makes the figure yet.
    pub fn typed(&self) -> String {
        let quoted = match self.step.contains(' ') {
            true => format!("'{}'", self.step),
            false => self.step.clone(),
        };
        match (self.step.is_empty(), self.has_full) {
            (true, _) => String::new(),
            (false, true) => format!("cargo xtask bench {quoted} [--full]"),
            (false, false) => format!("cargo xtask bench {quoted}"),
        }
    }
}

impl Papers {
    /// The first figure that is drawn under this name.
    pub fn drawn_as(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.draws.iter().any(|d| d == name))
    }

    pub fn of<'a>(&'a self, paper: &'a Paper) -> impl Iterator<Item = &'a Figure> {
        self.figures.iter().filter(|figure| figure.paper == paper.id)
    }

    fn page(&self) -> String {
        let mut page = String::from(
            "# The papers' figures\n\n\
             What the papers measured that Furlong is made after, and what measures it here. \
             Generated from `bench/papers.toml` by `cargo xtask papers`.\n\n\
             `make papers`, or `furlong papers` where Furlong is installed, measures all of them \
             and makes a book of figures, `build/papers/index.html`, the paper's numbers beside \
             ours; with `FULL=1` in the paper's sizes, which takes hours. The commands below \
             measure some. Pictures go to `build/bench/figures`, numbers to \
             `build/bench/results.json` and `build/bench/points.json`.\n",
        );
        for paper in &self.papers {
            page += &format!("\n## {}: {}\n\n", paper.id, paper.title);
            page += "| in the paper | shows | file | command | state | what differs |\n\
                     |---|---|---|---|---|---|\n";
            for f in self.of(paper) {
                let code = |text: &str| match text {
                    "" => String::new(),
                    text => format!("`{text}`"),
                };
                let cells = [
                    &f.number,
                    &f.shows,
                    &code(&f.source),
                    &code(&f.typed()),
                    &f.state,
                    &f.differs,
                ];
                page += &format!("| {} |\n", cells.map(String::as_str).join(" | "));
            }
        }
        page
    }

    /// What the table names and is not there.
    fn problems(&self, root: &Path) -> Vec<String> {
        let of = |f: &Figure| format!("{} {}", f.paper, f.number);
        let mut problems = Vec::new();
        for f in &self.figures {
            if !self.papers.iter().any(|p| p.id == f.paper) {
                problems.push(format!("{}: there is no paper {}", f.number, f.paper));
            }
            if !f.step.is_empty() && !self.steps.iter().any(|s| s.filter == f.step) {
                problems.push(format!("{}: there is no step {}", of(f), f.step));
            }
            if !root.join(&f.source).exists() {
                problems.push(format!("{}: there is no {}", of(f), f.source));
            }
        }
        problems
    }
}

pub fn write(config: &Config) -> bool {
    let written = load(config).and_then(|papers| {
        std::fs::write(file(config), papers.page()).map_err(|e| format!("docs/papers.md: {e}"))
    });
    written.map_err(|e| eprintln!("xtask: {e}")).is_ok()
}

/// The committed page is the generated one, and what the table names is there.
pub fn check(config: &Config) -> Result<(), String> {
    let papers = load(config)?;
    let mut problems = papers.problems(&config.root);
    let names = crate::bench::names(config)?;
    let vain = papers.steps.iter().filter(|s| !names.iter().any(|name| name.contains(&s.filter)));
    problems.extend(vain.map(|step| format!("no program's name contains `{}`", step.filter)));
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
