// SPDX-License-Identifier: BSD-3-Clause
//! Fixes are made where the user has written what they change, and nowhere else.

use furlong_compiler::diag::fix::Edit;
use furlong_compiler::diag::place::Places;
use furlong_compiler::diag::Diagnostic;
use furlong_compiler::span::Span;
use furlong_compiler::syntax::{parse, ParseOptions};

/// Where in `source` the edits of a fix for `word` of the preprocessed `text` are.
fn resolved(
    source: &str,
    text: &str,
    edit: impl Fn(Span) -> Edit,
    word: &str,
) -> Vec<(u32, usize, usize)> {
    let lo = text.find(word).unwrap_or_else(|| panic!("no {word}")) as u32;
    let span = Span::new(lo, lo + word.len() as u32);
    let diagnostic = Diagnostic::error("E0102", span, "x").fix("y", vec![edit(span)]);
    let lines = parse(text, &ParseOptions::default()).0.lines;
    let source_of = |name: &str| (name != "gone.upc").then(|| source.to_string());
    let edits = diagnostic.fix_to_apply(&mut Places::new(&lines, text, &source_of));
    edits.unwrap_or_default().iter().map(|e| (e.line, e.start, e.end)).collect()
}

#[test]
fn edits_are_where_the_user_wrote() {
    let (source, text) = ("int  f ( N ) ;\n", "# 1 \"a.upc\"\nint f ( 7 ) ;\n");
    assert_eq!(resolved(source, text, Edit::remove, "f"), [(1, 5, 6)]);
    assert_eq!(resolved(source, text, |at| Edit::before(at, "x"), "f"), [(1, 5, 5)]);
    assert_eq!(resolved(source, text, |at| Edit::after(at, "x"), "f"), [(1, 6, 6)]);
    assert_eq!(resolved(source, text, Edit::remove, "int f ("), [(1, 0, 8)]);
}

#[test]
fn what_macros_make_is_left_alone() {
    let (source, text) = ("TWICE(f) + N;\n", "# 1 \"a.upc\"\n(f,f) + 7;\n");
    for word in ["7", "f", "(f,f)", "+ 7"] {
        assert_eq!(resolved(source, text, Edit::remove, word), [], "{word}");
    }
    assert_eq!(resolved(source, text, Edit::remove, "+"), [(1, 9, 10)]);
}

#[test]
fn headers_of_the_system_and_lost_files_are_left_alone() {
    let text = "# 1 \"a.upc\"\n# 1 \"/usr/include/a.h\" 1 3\nint f;\n";
    assert_eq!(resolved("int f;\n", text, Edit::remove, "f"), []);
    let text = "# 1 \"gone.upc\"\nint f;\n";
    assert_eq!(resolved("int f;\n", text, Edit::remove, "f"), []);
    assert_eq!(resolved("int f;\n", text, |_| Edit::Include("upc.h"), "f"), []);
}
