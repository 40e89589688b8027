// SPDX-License-Identifier: BSD-3-Clause
//! Subscripts that go by one element with each iteration until they wrap around: `(i + 1) % n`,
//! `i == 0 ? n - 1 : i - 1`. Between the ends of the loop they are sums of the index.

use super::affine::{self, Addend, Affine};
use super::alias::is_same;
use super::constant;
use super::counted::Counted;
use super::integers::{is_as_in_64_bits, is_integer, is_unsigned};
use crate::sema::Sema;
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind};

/// The subscript is the sum where all of `limits` hold.
#[derive(Debug)]
pub struct Wrapped {
    pub sum: Affine,
    pub limits: Vec<Limit>,
}

/// The index plus `ahead`, compared with a number that stands still: 0, if there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limit {
    pub kind: LimitKind,
    pub ahead: i64,
    pub bound: Option<ExprId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitKind {
    AtLeast,
    Below,
    Not,
}

pub fn recognise(ast: &Ast, sema: &Sema, id: ExprId, counted: &Counted) -> Option<Wrapped> {
    let id = counted.effects.resolve(ast, sema, id);
    let wrapped = match ast.expr(id).kind {
        ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } => modulo(ast, sema, lhs, rhs, counted),
        ExprKind::Cond { cond, then: Some(then), els } => {
            let chosen = |id, holds| {
                let sum = affine::recognise(ast, sema, id, counted)?;
                let limit = limit(ast, sema, cond, holds, counted)?;
                Some(Wrapped { sum, limits: vec![limit] })
            };
            chosen(els, false).or_else(|| chosen(then, true))
        }
        _ => None,
    };
    wrapped.filter(|wrapped| wrapped.sum.fixed.is_empty())
}

fn modulo(
    ast: &Ast,
    sema: &Sema,
    dividend: ExprId,
    modulus: ExprId,
    counted: &Counted,
) -> Option<Wrapped> {
    if !counted.effects.is_invariant(ast, sema, modulus) {
        return None;
    }
    let mut sum = affine::recognise(ast, sema, dividend, counted)?;
    if let [Addend { id, is_negative: false }] = sum.fixed[..] {
        sum.ahead += beyond(ast, sema, id, modulus).filter(|by| by.abs() <= affine::MAX_AHEAD)?;
        sum.fixed.clear();
    }
    let limit = |kind, bound| Limit { kind, ahead: sum.ahead, bound };
    let limits = vec![limit(LimitKind::AtLeast, None), limit(LimitKind::Below, Some(modulus))];
    Some(Wrapped { sum, limits })
}

/// By how much `id`, which is the modulus plus or minus a constant, is larger.
fn beyond(ast: &Ast, sema: &Sema, id: ExprId, modulus: ExprId) -> Option<i64> {
    let value = |id| constant::value(ast, sema, id);
    if let (Some(a), Some(b)) = (value(id), value(modulus)) {
        return a.checked_sub(b);
    }
    if is_same(ast, sema, id, modulus) {
        return Some(0);
    }
    let ExprKind::Binary { op, lhs, rhs } = ast.expr(ast.strip_parens(id)).kind else {
        return None;
    };
    let by = value(rhs).filter(|_| is_as_in_64_bits(sema, id))?;
    match op {
        BinaryOp::Add if is_same(ast, sema, lhs, modulus) => Some(by),
        BinaryOp::Sub if is_same(ast, sema, lhs, modulus) => by.checked_neg(),
        _ => None,
    }
}

/// What `cond` says of the index, if it holds or does not.
fn limit(ast: &Ast, sema: &Sema, cond: ExprId, holds: bool, counted: &Counted) -> Option<Limit> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    use LimitKind::{AtLeast, Below, Not};
    let cond = ast.strip_parens(cond);
    let sum = |id| affine::recognise(ast, sema, id, counted).filter(|sum| sum.fixed.is_empty());
    let ExprKind::Binary { op, lhs, rhs } = ast.expr(cond).kind else {
        let ahead = sum(cond).filter(|_| holds)?.ahead;
        return Some(Limit { kind: Not, ahead, bound: None });
    };
    let (op, ahead, bound) = match (sum(lhs), sum(rhs)) {
        (Some(sum), None) => (op, sum.ahead, rhs),
        (None, Some(sum)) => (mirrored(op), sum.ahead, lhs),
        _ => return None,
    };
    // As unsigned numbers, negative ones would be large.
    let is_signed = |id| is_integer(sema, id) && !is_unsigned(sema, sema.expr_type(id));
    let is_natural = |id| !is_signed(id) || constant::value(ast, sema, id).is_some_and(|n| n >= 0);
    let are_integers = is_integer(sema, lhs) && is_integer(sema, rhs);
    let is_plain =
        are_integers && (is_signed(lhs) && is_signed(rhs) || ahead >= 0 && is_natural(bound));
    let is_fit = is_plain && counted.effects.is_invariant(ast, sema, bound);
    let (kind, more) = match (op, holds) {
        (Lt, true) | (Ge, false) => (Below, 0),
        (Le, true) | (Gt, false) => (Below, 1),
        (Ge, true) | (Lt, false) => (AtLeast, 0),
        (Gt, true) | (Le, false) => (AtLeast, 1),
        (Ne, true) | (Eq, false) => (Not, 0),
        _ => return None,
    };
    is_fit.then_some(Limit { kind, ahead: ahead - more, bound: Some(bound) })
}

/// The operator with its operands exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    use BinaryOp::{Ge, Gt, Le, Lt};
    match op {
        Lt => Gt,
        Gt => Lt,
        Le => Ge,
        Ge => Le,
        _ => op,
    }
}
