// SPDX-License-Identifier: BSD-3-Clause
//! Prose and the tree agree: paths named in ARCHITECTURE.md exist, each diagnostic has its page
//! and its test, each option its line in the man page.

use super::{exceptions, Source};
use std::collections::BTreeSet;

/// Whatever stands in backquotes and looks like a path must be one.
pub fn architecture_paths(sources: &[Source]) -> Vec<String> {
    let Some(page) = sources.iter().find(|s| s.path == "ARCHITECTURE.md") else {
        return vec!["ARCHITECTURE.md is missing".into()];
    };
    let exists = |path: &str| {
        let path = path.trim_end_matches('/');
        sources.iter().any(|s| {
            s.path == path || s.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let mut problems = Vec::new();
    for (number, line) in page.lines() {
        for quoted in line.split('`').skip(1).step_by(2).filter(|q| looks_like_path(q)) {
            if !exists(quoted) {
                problems.push(format!("ARCHITECTURE.md:{number}: there is no `{quoted}`"));
            }
        }
    }
    problems
}

/// Links between pages, and to headings.
pub fn links(sources: &[Source]) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = sources.iter().filter(|s| s.extension() == "md");
    pages.flat_map(|page| crate::docs::dead_links(&root, &page.path)).collect()
}

/// Pages that messages and manuals name where they are installed: `share/doc/furlong/docs/x.md`
/// is docs/x.md of the tree.
pub fn installed_pages(sources: &[Source]) -> Vec<String> {
    const FOLDER: &str = "share/doc/furlong/";
    let mut problems = Vec::new();
    for source in sources.iter().filter(|s| !s.path.starts_with("xtask/")) {
        for (number, line) in source.lines() {
            for rest in line.split(FOLDER).skip(1) {
                let ends = |c: char| !c.is_ascii_alphanumeric() && !"-_/.".contains(c);
                let page = rest.split(ends).next().unwrap_or_default().trim_end_matches('.');
                let known = |s: &Source| s.path == page || s.path.starts_with(&format!("{page}/"));
                if !page.is_empty() && !sources.iter().any(known) {
                    problems.push(format!("{}:{number}: there is no {FOLDER}{page}", source.path));
                }
            }
        }
    }
    problems
}

fn looks_like_path(text: &str) -> bool {
    let plain = text.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    plain && text.contains('/') && !text.starts_with(['/', '.']) && !text.starts_with("build/")
}

fn codes(sources: &[Source]) -> Vec<String> {
    let Some(list) = sources.iter().find(|s| s.path == "compiler/src/diag/codes.rs") else {
        return Vec::new();
    };
    let is_code = |w: &&str| {
        w.len() == 5 && w.starts_with(['E', 'W']) && w[1..].chars().all(|c| c.is_ascii_digit())
    };
    let words = list.lines().filter_map(|(_, line)| line.split_whitespace().next());
    words.filter(is_code).map(String::from).collect()
}

/// The codes of the runtime's fatal errors: `FL_CODE(name, "R0101", "title")`.
fn runtime_codes(sources: &[Source]) -> Vec<String> {
    let list = sources.iter().find(|s| s.path == "runtime/core/codes.def");
    let rows = list.into_iter().flat_map(|s| s.text.split("\nFL_CODE(").skip(1));
    rows.filter_map(|row| row.split('"').nth(1)).map(String::from).collect()
}

pub fn error_pages(sources: &[Source]) -> Vec<String> {
    let pages: BTreeSet<&str> = sources.iter().map(|s| s.path.as_str()).collect();
    let page = |code: &String| format!("docs/errors/{code}.md");
    let all = codes(sources).into_iter().chain(runtime_codes(sources));
    let missing = all.filter(|code| !pages.contains(page(code).as_str()));
    missing.map(|code| format!("docs/errors/{code}.md is missing")).collect()
}

/// A code that no test provokes may be dead, or wrong.
pub fn error_tests(sources: &[Source]) -> Vec<String> {
    let excepted = exceptions("codes-without-test");
    let tests: Vec<&Source> = sources.iter().filter(|s| s.path.starts_with("tests/")).collect();
    let tested = |code: &str| tests.iter().any(|s| s.text.contains(code));
    let untested = codes(sources)
        .into_iter()
        .filter(|code| !tested(code) && !excepted.iter().any(|(excepted, _)| excepted == code));
    untested.map(|code| format!("no test provokes {code}")).collect()
}

/// Every option that a tool's help lists has its line in the man page. The tools write both
/// themselves, so they are asked.
pub fn man_pages(_: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    for tool in ["upcc", "upcrun"] {
        let page = said(tool, "-man").replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
        let missing: Vec<String> =
            options(&said(tool, "-help")).into_iter().filter(|o| !page.contains(o)).collect();
        if page.trim().is_empty() {
            problems.push(format!("`{tool} -man` prints nothing"));
        } else if !missing.is_empty() {
            problems.push(format!("{tool}.1 does not name {}", missing.join(", ")));
        }
    }
    problems
}

fn said(tool: &str, option: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let program = root.join("build/bin").join(tool);
    crate::process::Command::new(program, &root).arg(option).limit_secs(10).run().stdout
}

/// The words that begin a line of the help text with a dash, without their values.
fn options(help: &str) -> Vec<String> {
    let lines = help.lines().filter(|line| line.starts_with(' '));
    let words = lines.flat_map(|line| {
        let head = line.trim_start().split("  ").next().unwrap_or("").to_string();
        head.split([' ', ',', '=', '|', '[', '<']).map(String::from).collect::<Vec<_>>()
    });
    words.filter(|word| word.starts_with('-') && word.len() > 1).collect()
}
