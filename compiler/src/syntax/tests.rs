// SPDX-License-Identifier: BSD-3-Clause
//! Tests of the lexer and the parser: text in, the tree's shape or the messages out.

mod declarations;
mod expressions;
mod files;
mod limits;
mod mistakes;
mod mutations;
mod shape;
mod spans;
mod statements;

use super::ast::Ast;
use super::{parse, ParseOptions};
use crate::diag::{codes, Diagnostics};
use shape::Shape;

/// The programs run on a thread with a stack like that of `upcc`.
fn on_big_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(512 << 20);
        builder.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

fn parse_upc(text: &str) -> (Ast, Diagnostics) {
    let (ast, diags) = parse(text, &ParseOptions::default());
    // Characters that C does not have stand between tokens, where only blanks are expected.
    if !diags.0.iter().any(|d| d.code == codes::E0101) {
        spans::check(&ast, text);
    }
    (ast, diags)
}

/// Parses what must be without mistakes.
fn parse_clean(text: &str) -> Ast {
    let (ast, diags) = parse_upc(text);
    assert!(diags.0.is_empty(), "{text}\n{:#?}", diags.0);
    ast
}

/// The shape of all items, one per line.
fn check(text: &str, expected: &str) {
    let ast = parse_clean(text);
    let shape = Shape::new(&ast, text);
    let found: Vec<String> = ast.items.iter().map(|item| shape.item(item)).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, expected, "\n{text}");
}

/// The code, the text under the span and the title of every message.
fn messages(text: &str) -> Vec<String> {
    let (_, diags) = parse_upc(text);
    let one =
        |d: &crate::diag::Diagnostic| format!("{} [{}] {}", d.code, d.span.text(text), d.title);
    diags.0.iter().map(one).collect()
}
