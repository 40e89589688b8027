// SPDX-License-Identifier: BSD-3-Clause
//! What an editor may show between the words: how a shared array is dealt to the threads, and which
//! thread runs an iteration of `upc_forall`.

use crate::layout;
use crate::unit::Unit;
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::{Affinity, DeclId, ExprId, ExprKind, StmtKind, UnaryOp};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// After this byte of the source.
    pub at: u32,
    pub text: String,
}

/// Those in `span` of the source.
pub fn hints(unit: &Unit, span: Span) -> Vec<Hint> {
    let mut found: Vec<Hint> = arrays(unit).chain(loops(unit)).collect();
    found.retain(|hint| span.lo <= hint.at && hint.at <= span.hi);
    found.sort_by_key(|hint| hint.at);
    found
}

fn arrays(unit: &Unit) -> impl Iterator<Item = Hint> + '_ {
    let decls = unit.ast.decls.iter().enumerate();
    decls.flat_map(move |(n, decl)| {
        let declarators = decl.declarators.iter().enumerate();
        declarators.filter_map(move |(k, init)| {
            let object = *unit.sema.declared.get(&(DeclId(n as u32), k))?;
            let types = &unit.sema.types;
            let ty = unit.sema.object(object).ty;
            let block = types.block(ty).filter(|_| types.is_array(ty))?;
            let at = unit.text.source_span(init.declarator.span)?.hi;
            let own = types.local_elems(ty);
            let text = match (block, own) {
                (0, _) => "all at thread 0".to_string(),
                (1, None) => "one by one".to_string(),
                (1, Some(n)) => format!("one by one, {n} each"),
                (block, Some(n)) if n == block => format!("a block of {block} each"),
                (block, Some(n)) => format!("blocks of {block}, {n} each"),
                (block, None) => format!("blocks of {block}"),
            };
            Some(Hint { at, text })
        })
    })
}

fn loops(unit: &Unit) -> impl Iterator<Item = Hint> + '_ {
    unit.ast.stmts.iter().filter_map(|stmt| {
        let StmtKind::UpcForall(forall) = &stmt.kind else { return None };
        let Affinity::Expr(affinity) = forall.affinity else { return None };
        let at = unit.text.source_span(unit.ast.expr(affinity).span)?.hi;
        Some(Hint { at, text: format!("at {}", thread(unit, affinity)?) })
    })
}

/// The thread that an affinity expression names.
fn thread(unit: &Unit, affinity: ExprId) -> Option<String> {
    let (ast, types) = (&unit.ast, &unit.sema.types);
    let id = ast.strip_parens(affinity);
    let text = ast.expr(id).span.text(&unit.text.text).trim();
    if let ExprKind::Unary { op: UnaryOp::AddrOf, operand } = ast.expr(id).kind {
        return Some(layout::element(unit, operand)?.thread());
    }
    if types.decayed_pointee(unit.sema.expr_type(id)).is_some() {
        return Some(format!("upc_threadof({text})"));
    }
    let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    Some(if is_name { format!("{text} % THREADS") } else { format!("({text}) % THREADS") })
}
