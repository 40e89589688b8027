// SPDX-License-Identifier: BSD-3-Clause
//! Rules about the sources themselves. A rule without a checker rots, so each is a test here;
//! CONTRIBUTING.md gives the reasons. Exceptions stand in `xtask/tidy.toml`, each with its reason.

mod arrows;
mod bench;
mod docs;
mod labels;
mod library;
mod sizes;
mod text;
mod version;

use crate::config::Config;
use crate::envdoc;
use crate::papers;
use crate::process::Command;
use crate::suite::{Test, Verdict};
use std::path::PathBuf;

/// A file of the repository that git knows or would add.
pub struct Source {
    /// Relative to the root, with `/`.
    pub path: String,
    pub text: String,
}

type Rule = fn(&[Source]) -> Vec<String>;

const RULES: &[(&str, Rule)] = &[
    ("spdx", text::spdx_first),
    ("blanks", text::trailing_blanks),
    ("sizes", sizes::within_budget),
    ("compiler-arrows", arrows::compiler),
    ("runtime-arrows", arrows::runtime),
    ("purity", arrows::purity),
    ("getenv", arrows::getenv),
    ("labels", labels::paired),
    ("architecture", docs::architecture_paths),
    ("links", docs::links),
    ("installed-pages", docs::installed_pages),
    ("error-pages", docs::error_pages),
    ("error-tests", docs::error_tests),
    ("man-pages", docs::man_pages),
    ("library-pages", library::documented),
    ("library-tests", library::tested),
    ("library-page-form", library::pages_well_formed),
    ("version", version::copies_agree),
    ("benchmarks-check", bench::checked),
];

pub fn tests(_: &Config) -> Vec<Test> {
    let rule = |&(name, rule): &(&str, Rule)| {
        Test::new(format!("tidy/{name}"), move |config| verdict(rule(&sources(config))))
    };
    let mut tests: Vec<Test> = RULES.iter().map(rule).collect();
    tests.push(Test::new("tidy/env-page", envdoc::check));
    tests.push(Test::new("tidy/papers-page", |config| papers::check(config).into()));
    tests
}

fn verdict(problems: Vec<String>) -> Verdict {
    match problems.is_empty() {
        true => Verdict::Pass,
        false => Verdict::Fail(problems.join("\n")),
    }
}

fn sources(config: &Config) -> Vec<Source> {
    let list = Command::new("git", &config.root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .run();
    let read = |path: &str| {
        let bytes = std::fs::read(config.root.join(path)).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Some(Source { path: path.to_string(), text })
    };
    list.stdout.lines().filter_map(read).collect()
}

impl Source {
    pub fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    pub fn is_code(&self) -> bool {
        matches!(self.extension(), "rs" | "c" | "h" | "upc" | "sh" | "def" | "cc" | "cpp")
    }

    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// Reads one table of `xtask/tidy.toml`: what is excepted, and why.
pub fn exceptions(table: &str) -> Vec<(String, String)> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tidy.toml");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let parsed: toml::Table = text.parse().expect("xtask/tidy.toml is TOML");
    let rows = parsed.get(table).and_then(|t| t.as_table()).into_iter().flatten();
    rows.map(|(name, why)| (name.clone(), why.as_str().unwrap_or("").to_string())).collect()
}
