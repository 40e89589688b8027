// SPDX-License-Identifier: BSD-3-Clause
//! The library's public functions, as the headers in `runtime/include` declare them: each is
//! described in a manual page in `docs/man`, and some test uses it.

use super::Source;

pub fn documented(sources: &[Source]) -> Vec<String> {
    let pages = of(sources, "docs/man/");
    let functions = functions(sources).into_iter();
    let missing = functions.filter(|(_, function)| !names(&pages, function));
    missing.map(|(header, name)| format!("no page in docs/man names {name} of {header}")).collect()
}

pub fn tested(sources: &[Source]) -> Vec<String> {
    let tests = of(sources, "tests/");
    let untested = functions(sources).into_iter().filter(|(_, name)| !names(&tests, name));
    untested.map(|(header, name)| format!("no test uses {name} of {header}")).collect()
}

/// What mandoc has to say of the pages.
pub fn pages_well_formed(sources: &[Source]) -> Vec<String> {
    let pages: Vec<&str> = of(sources, "docs/man/").iter().map(|s| s.path.as_str()).collect();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let lint = crate::process::Command::new("mandoc", &root).args(["-T", "lint", "-W", "warning"]);
    let output = lint.args(pages).limit_secs(30).run();
    output.stdout.lines().chain(output.stderr.lines()).map(String::from).collect()
}

fn of<'a>(sources: &'a [Source], folder: &str) -> Vec<&'a Source> {
    sources.iter().filter(|s| s.path.starts_with(folder)).collect()
}

fn names(sources: &[&Source], function: &str) -> bool {
    sources.iter().any(|s| words(&s.text).any(|word| word == function))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Header and name of each `upc_`, `bupc_` or `gas_` function: what stands before the first parenthesis of
/// a declaration that begins in the first column.
fn functions(sources: &[Source]) -> Vec<(&str, &str)> {
    let header = |s: &&Source| s.path.starts_with("runtime/include/") && s.path.ends_with(".h");
    let mut found = Vec::new();
    for source in sources.iter().filter(header) {
        let file = source.path.rsplit('/').next().unwrap_or_default();
        for (_, line) in source.lines() {
            if !line.starts_with(|c: char| c.is_ascii_alphabetic()) || line.starts_with("typedef") {
                continue;
            }
            let name = line.split_once('(').and_then(|(head, _)| words(head).last());
            let public = |n: &&str| ["upc_", "bupc_", "gas_"].iter().any(|p| n.starts_with(p));
            found.extend(name.filter(public).map(|name| (file, name)));
        }
    }
    found
}
