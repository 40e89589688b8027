// SPDX-License-Identifier: BSD-3-Clause
//! Loops that must stay as they are written: those before which a pragma stands, which
//! OpenMP or the C compiler wants to understand, and the loops inside that belong to them
//! (OpenMP 5.1 §4.4.1, canonical loop nest form); and those around tasks, which may run after the loop,
//! and around directives that list all variables of their statements.

use crate::span::Span;
use crate::syntax::ast::{Ast, StmtId, StmtKind};
use rustc_hash::FxHashSet;

pub fn loops(ast: &Ast, text: &str) -> FxHashSet<StmtId> {
    let mut found = FxHashSet::default();
    for (&stmt, pragmas) in &ast.pragmas {
        let is_deep = pragmas.iter().any(|pragma| {
            let text = pragma.text(text);
            ["collapse", "ordered", "tile"].iter().any(|clause| text.contains(clause))
        });
        let mut at = Some(stmt);
        while let Some(id) = at {
            let body = match &ast.stmt(id).kind {
                StmtKind::For(head) => head.body,
                StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => *body,
                _ => break,
            };
            found.insert(id);
            at = is_deep.then(|| only_statement(ast, body));
        }
    }
    let is_listed = |pragma: &&Span| {
        let text = pragma.text(text);
        text.contains("omp") && (text.contains("task") || text.contains("default"))
    };
    let mut inside: Vec<_> =
        ast.pragmas.values().flatten().filter(is_listed).map(|pragma| pragma.lo).collect();
    inside.sort_unstable();
    for (i, stmt) in ast.stmts.iter().enumerate().filter(|_| !inside.is_empty()) {
        let next = inside.partition_point(|&at| at < stmt.span.lo);
        let is_around = inside.get(next).is_some_and(|&at| at < stmt.span.hi);
        if is_around && is_loop(&stmt.kind) {
            found.insert(StmtId(i as u32));
        }
    }
    found
}

fn is_loop(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::For(_) | StmtKind::While { .. } | StmtKind::DoWhile { .. })
}

/// The statement that a block consists of.
fn only_statement(ast: &Ast, id: StmtId) -> StmtId {
    match &ast.stmt(id).kind {
        StmtKind::Compound(stmts) if stmts.len() == 1 => only_statement(ast, stmts[0]),
        _ => id,
    }
}
