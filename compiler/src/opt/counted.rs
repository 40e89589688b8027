// SPDX-License-Identifier: BSD-3-Clause
//! Loops that count: `for (i = lo; i < hi; i++)` or `i += THREADS`, with `lo` and `hi` fixed.
//!
//! What the body does to `i` and to `hi` is all that matters here; the caller knows what it
//! wants the counting for.

use super::effects::Effects;
use crate::sema::types::Type;
use crate::sema::{Duration, ObjectId, Sema};
use crate::syntax::ast::{
    Ast, BinaryOp, Builtin, ExprId, ExprKind, For, ForInit, InitKind, UnaryOp,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    One,
    Threads,
}

/// A loop whose index takes the values `lo`, `lo + step`, … below (or up to) `hi`.
#[derive(Debug)]
pub struct Counted {
    pub index: ObjectId,
    pub lo: ExprId,
    pub hi: ExprId,
    pub step: Step,
    /// `i <= hi`
    pub is_inclusive: bool,
    /// The loop's own variable, unseen after it.
    pub is_declared: bool,
    pub effects: Effects,
}

/// `head` as a counted loop, if it is one whatever the body does.
pub fn recognise(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    let (index, lo, is_declared) = start(ast, sema, head)?;
    let (hi, is_inclusive) = end(ast, sema, head.cond?, index)?;
    let step = step(ast, sema, head.step?, index)?;
    let mut effects = Effects::of(ast, sema, head.body);
    let object = sema.object(index);
    let is_fit = object.duration == Duration::Automatic
        && !object.address_taken
        && !effects.assigned.contains(&index)
        && is_counter(sema, index)
        && !mentions(ast, sema, hi, index)
        && !mentions(ast, sema, lo, index)
        && effects.is_invariant(ast, sema, lo)
        && effects.is_invariant(ast, sema, hi);
    // The step assigns it, too: a subscript such as `i % n` does not stand still.
    effects.assigned.insert(index);
    is_fit.then_some(Counted { index, lo, hi, step, is_inclusive, is_declared, effects })
}

fn start(ast: &Ast, sema: &Sema, head: &For) -> Option<(ObjectId, ExprId, bool)> {
    match head.init {
        ForInit::None => None,
        ForInit::Expr(expr) => {
            let ExprKind::Assign { op: None, lhs, rhs } = ast.expr(ast.strip_parens(expr)).kind
            else {
                return None;
            };
            Some((sema.object_of(ast.strip_parens(lhs))?.0, rhs, false))
        }
        ForInit::Declaration(id) => {
            let [declarator] = ast.decl(id).declarators.as_slice() else { return None };
            let InitKind::Expr(lo) = ast.init(declarator.init?).kind else { return None };
            Some((*sema.declared.get(&(id, 0))?, lo, true))
        }
    }
}

fn end(ast: &Ast, sema: &Sema, cond: ExprId, index: ObjectId) -> Option<(ExprId, bool)> {
    let ExprKind::Binary { op, lhs, rhs } = ast.expr(ast.strip_parens(cond)).kind else {
        return None;
    };
    let is_index = |e| names(ast, sema, e, index);
    match op {
        BinaryOp::Lt | BinaryOp::Le if is_index(lhs) => Some((rhs, op == BinaryOp::Le)),
        BinaryOp::Gt | BinaryOp::Ge if is_index(rhs) => Some((lhs, op == BinaryOp::Ge)),
        _ => None,
    }
    .filter(|(hi, _)| is_integer(sema, *hi))
}

fn step(ast: &Ast, sema: &Sema, id: ExprId, index: ObjectId) -> Option<Step> {
    let is_index = |e| names(ast, sema, e, index);
    let amount = match ast.expr(ast.strip_parens(id)).kind {
        ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PostInc, operand } => {
            return is_index(operand).then_some(Step::One);
        }
        ExprKind::Assign { op: Some(BinaryOp::Add), lhs, rhs } if is_index(lhs) => rhs,
        ExprKind::Assign { op: None, lhs, rhs } if is_index(lhs) => {
            match ast.expr(ast.strip_parens(rhs)).kind {
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if is_index(lhs) => rhs,
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if is_index(rhs) => lhs,
                _ => return None,
            }
        }
        _ => return None,
    };
    match ast.expr(ast.strip_parens(amount)).kind {
        ExprKind::Int { value: 1, .. } => Some(Step::One),
        ExprKind::Threads => Some(Step::Threads),
        ExprKind::Int { value, .. } if Some(value) == sema.types.threads.map(u128::from) => {
            Some(Step::Threads)
        }
        _ => None,
    }
}

/// Is `id` the name of `object`?
pub fn names(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> bool {
    sema.object_of(ast.strip_parens(id)).is_some_and(|(o, _)| o == object)
}

fn mentions(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> bool {
    let mut found = false;
    crate::syntax::visit::all_in_expr(ast, id, &mut |e| {
        found |= sema.object_of(e).is_some_and(|(o, _)| o == object);
    });
    found
}

/// A narrower index could wrap around before it reaches `hi`.
fn is_counter(sema: &Sema, index: ObjectId) -> bool {
    use Builtin::{Int, LLong, Long, UInt, ULLong, ULong};
    let ty = sema.object(index).ty;
    !sema.types.resolve(ty).quals.is_volatile
        && matches!(sema.types.kind(ty), Type::Builtin(Int | UInt | Long | ULong | LLong | ULLong))
}

fn is_integer(sema: &Sema, id: ExprId) -> bool {
    use Builtin::*;
    matches!(
        sema.types.kind(sema.expr_type(id)),
        Type::Builtin(
            Bool | Char
                | SChar
                | UChar
                | Short
                | UShort
                | Int
                | UInt
                | Long
                | ULong
                | LLong
                | ULLong
        ) | Type::Enum(_)
    )
}
