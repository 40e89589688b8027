// SPDX-License-Identifier: BSD-3-Clause
//! Table-driven tests: a rule is a source text and the codes it must give; a type is an
//! expression and how it prints.

mod results;
mod rules;
mod typing;

use super::{analyse, Options, Sema};
use crate::diag::Diagnostics;
use crate::syntax::ast::{Ast, ExprId, Item, StmtKind};
use crate::syntax::parser::{parse, ParseOptions};

fn run(source: &str, threads: Option<u32>) -> (Ast, Sema, Diagnostics) {
    let (ast, syntax) = parse(source, &ParseOptions::default());
    assert!(!syntax.has_errors(), "{source}: {syntax:?}");
    let options = Options { threads, network: true, openmp: true };
    let (sema, found) = analyse(&ast, source, &options);
    (ast, sema, found)
}

fn codes(source: &str, threads: Option<u32>) -> Vec<&'static str> {
    run(source, threads).2 .0.iter().map(|d| d.code).collect()
}

/// With THREADS unknown.
fn check(source: &str, expected: &[&str]) {
    assert_eq!(codes(source, None), expected, "{source}");
}

/// With THREADS = 4.
fn check_static(source: &str, expected: &[&str]) {
    assert_eq!(codes(source, Some(4)), expected, "{source}");
}

/// The expression statements of the last function.
fn statements(ast: &Ast) -> Vec<ExprId> {
    let Some(Item::Function(function)) = ast.items.last() else { return Vec::new() };
    let StmtKind::Compound(body) = &ast.stmt(function.body).kind else { return Vec::new() };
    let expr = |&id| match ast.stmt(id).kind {
        StmtKind::Expr(e) => Some(e),
        _ => None,
    };
    body.iter().filter_map(expr).collect()
}
