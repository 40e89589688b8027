// SPDX-License-Identifier: BSD-3-Clause
//! What of a loop's body may be evaluated before it, although the body may have a reason not to:
//! `if (g) s += a[i + g->off];`.

use super::constant;
use super::integers;
use crate::sema::{ObjectId, Sema};
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// Pointers that lead somewhere wherever the loop has an iteration: those by which `ids`, which it
/// evaluates first, find a member.
pub fn valid_pointers(ast: &Ast, sema: &Sema, ids: &[ExprId]) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    for &id in ids {
        let (mut pointers, mut is_straight) = (Vec::new(), true);
        visit::all_in_expr(ast, id, &mut |e| match ast.expr(e).kind {
            ExprKind::Member { base, arrow: true, .. } => {
                pointers.extend(sema.object_of(ast.strip_parens(base)).map(|(object, _)| object));
            }
            ExprKind::Cond { .. }
            | ExprKind::SizeOf { .. }
            | ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => {
                is_straight = false
            }
            _ => {}
        });
        if is_straight {
            found.extend(pointers);
        }
    }
    found
}

/// Can `id` be evaluated where the pointers in `valid` lead somewhere?
pub fn is_defined(ast: &Ast, sema: &Sema, id: ExprId, valid: &FxHashSet<ObjectId>) -> bool {
    let mut is_defined = true;
    visit::all_in_expr(ast, id, &mut |e| {
        is_defined &= match ast.expr(e).kind {
            ExprKind::Member { base, arrow: true, .. } => sema
                .object_of(ast.strip_parens(base))
                .is_some_and(|(object, _)| valid.contains(&object)),
            ExprKind::Index { index, base } => {
                let is_array = sema.types.is_array(sema.expr_type(base));
                is_array && constant::value(ast, sema, index).is_some()
            }
            ExprKind::Unary { op: UnaryOp::Deref, .. } => false,
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => {
                is_positive(ast, sema, rhs)
            }
            _ => true,
        };
    });
    is_defined
}

/// A number of elements: a constant, THREADS, or a product of such that cannot wrap around to 0.
pub fn is_positive(ast: &Ast, sema: &Sema, id: ExprId) -> bool {
    let id = ast.strip_parens(id);
    match ast.expr(id).kind {
        ExprKind::Threads => true,
        ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs }
            if !integers::is_unsigned(sema, sema.expr_type(id)) =>
        {
            is_positive(ast, sema, lhs) && is_positive(ast, sema, rhs)
        }
        _ => constant::value(ast, sema, id).is_some_and(|n| n > 0),
    }
}
