// SPDX-License-Identifier: BSD-3-Clause
//! The pages in `docs/errors` say what the compiler does: each wrong example gives its code, and
//! each right one no error.

use furlong_compiler::diag::codes::{explain, ALL};
use furlong_compiler::diag::{Diagnostics, Severity};
use furlong_compiler::sema::{self, analyse};
use furlong_compiler::syntax::{parse, ParseOptions};

/// The first block of C after the line `heading`.
fn example<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let (_, after) = page.split_once(&format!("\n{heading}\n\n```c\n"))?;
    after.split_once("```").map(|(block, _)| block)
}

fn check(text: &str) -> Diagnostics {
    let (ast, mut diags) = parse(text, &ParseOptions::default());
    let (_, more) = analyse(&ast, text, &sema::Options { openmp: true, ..Default::default() });
    diags.0.extend(more.0);
    diags
}

/// Not reachable from a program, or only from one that is too long for a page or includes headers.
fn has_no_program(code: &str) -> bool {
    let includes = [
        "W0422", "W0423", "W0424", "W0427", "W0428", "W0429", "W0430", "W0432", "W0434", "W0513",
        "W0514", "W0515", "W0516", "W0517", "W0518", "W0519",
    ];
    includes.contains(&code)
        || matches!(code, "E0103" | "E0505" | "W0107" | "W0109")
        || code.starts_with("E09")
}

#[test]
fn every_code_has_a_page_with_its_title() {
    for (code, summary) in ALL {
        let page = explain(code).unwrap_or_default();
        assert!(page.starts_with(&format!("# {code}: {summary}\n")), "docs/errors/{code}.md");
        assert!(page.contains("\nSource: "), "docs/errors/{code}.md names no source");
    }
    assert!(explain("e0102").is_some());
    assert!(explain("E9999").is_none());
}

#[test]
fn wrong_examples_give_their_code() {
    for (code, _) in ALL.iter().filter(|(code, _)| !has_no_program(code)) {
        let text = example(explain(code).unwrap(), "Wrong:").expect(code);
        let found: Vec<_> = check(text).0.iter().map(|d| d.code).collect();
        assert!(!found.is_empty() && found.iter().all(|c| c == code), "{code}: {found:?}");
    }
}

#[test]
fn right_examples_are_right() {
    for (code, _) in ALL.iter().filter(|(code, _)| !has_no_program(code)) {
        let Some(text) = example(explain(code).unwrap(), "Right:") else { continue };
        let diags = check(text);
        assert!(diags.0.iter().all(|d| d.severity != Severity::Error), "{code}: {:?}", diags.0);
    }
}
