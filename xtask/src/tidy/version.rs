// SPDX-License-Identifier: BSD-3-Clause
//! One version number: the workspace's. Files that tools of others read have copies of it, which must
//! be equal; all others take it from there when they are built.

use super::Source;

/// The copies, each with what stands before and after the number.
const COPIES: &[(&str, &str, &str)] = &[
    ("CITATION.cff", "\nversion: ", "\n"),
    ("editors/tree-sitter-upc/package.json", "\n  \"version\": \"", "\""),
    ("editors/tree-sitter-upc/tree-sitter.json", "\n    \"version\": \"", "\""),
    ("editors/vscode/package.json", "\n  \"version\": \"", "\""),
    ("packaging/furlong.spec", "\nVersion:        ", "\n"),
    ("packaging/spack/package.py", "    version(\"", "\""),
    ("packaging/spack/package.py", "dev-build furlong@", "`"),
];

pub fn copies_agree(sources: &[Source]) -> Vec<String> {
    let text = |path: &str| sources.iter().find(|s| s.path == path).map_or("", |s| &s.text);
    let Some(version) = between(text("Cargo.toml"), "\nversion = \"", "\"") else {
        return vec!["Cargo.toml: no version of the workspace".into()];
    };
    let wrong = |&(path, before, after): &(&str, &str, &str)| {
        let found = between(text(path), before, after).unwrap_or("none");
        (found != version)
            .then(|| format!("{path}: version {found}, but that of Cargo.toml is {version}"))
    };
    COPIES.iter().filter_map(wrong).collect()
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}

#[test]
fn a_copy_that_differs_is_named() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let all = [
        source("Cargo.toml", "[workspace.package]\nversion = \"1.2.3\"\n"),
        source("CITATION.cff", "cff-version: 1.2.0\nversion: 1.2.4\n"),
        source("editors/tree-sitter-upc/package.json", "{\n  \"version\": \"1.2.3\"\n}"),
        source("editors/tree-sitter-upc/tree-sitter.json", "{\n    \"version\": \"1.2.3\"\n}"),
        source("editors/vscode/package.json", "{\n  \"version\": \"1.2.3\"\n}"),
        source("packaging/furlong.spec", "\nVersion:        1.2.3\n"),
        source(
            "packaging/spack/package.py",
            "# `spack dev-build furlong@1.2.3`\n    version(\"1.2.3\")",
        ),
    ];
    let wrong = "CITATION.cff: version 1.2.4, but that of Cargo.toml is 1.2.3";
    assert_eq!(copies_agree(&all), [wrong]);
}
