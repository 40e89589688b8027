// SPDX-License-Identifier: BSD-3-Clause
//! Operators on pointers-to-shared (UPC 1.3 §6.4.2), and all assignments.

use super::access::{operator, Change, How, Use};
use super::convert::plain_address;
use super::text::primary;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};

impl Emitter<'_> {
    pub(super) fn binary(&mut self, id: ExprId) -> Option<String> {
        let ExprKind::Binary { op, lhs, rhs } = self.ast.expr(id).kind else { return None };
        use BinaryOp::*;
        match op {
            Add | Sub => {
                if let Some((pointer, _)) = self.pointer_operand(lhs, rhs) {
                    return self.add(id, pointer);
                }
                if let (Some(a), Some(_)) = (self.shared_target(lhs), self.shared_target(rhs)) {
                    return self.difference(id, a, lhs, rhs, None);
                }
            }
            Lt | Gt | Le | Ge => {
                if let (Some(a), Some(_)) = (self.shared_target(lhs), self.shared_target(rhs)) {
                    return self.difference(id, a, lhs, rhs, Some(op));
                }
            }
            Eq | Ne => {
                if let Some(text) = self.equality(op, lhs, rhs) {
                    return Some(text);
                }
            }
            _ => {}
        }
        self.plain_binary(id, lhs, rhs)
    }

    /// A long chain is rebuilt at once: each operand's text is copied only here.
    fn plain_binary(&mut self, id: ExprId, lhs: ExprId, rhs: ExprId) -> Option<String> {
        let mut operands = vec![rhs];
        let mut left = lhs;
        while let Some((lhs, rhs)) = self.plain_operands(left) {
            operands.push(rhs);
            left = lhs;
        }
        operands.push(left);
        self.rebuild(id, |e, parts| {
            operands.into_iter().rev().for_each(|operand| parts.push(e.value_part(operand)));
        })
    }

    /// The operands of `id` if it is an operator on two numbers whose result is used as it is.
    fn plain_operands(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let ExprKind::Binary { op, lhs, rhs } = self.ast.expr(id).kind else { return None };
        let is_plain = !matches!(op, Eq | Ge | Gt | Le | Lt | Ne)
            && !self.sema.coerce.contains_key(&id)
            && self.shared_target(lhs).is_none()
            && self.shared_target(rhs).is_none();
        is_plain.then_some((lhs, rhs))
    }

    /// Pointer plus or minus integer.
    fn add(&mut self, id: ExprId, pointer: ExprId) -> Option<String> {
        let target = self.shared_target(pointer)?;
        if self.sema.types.block(target) == Some(0) {
            let ExprKind::Binary { lhs, rhs, .. } = self.ast.expr(id).kind else { return None };
            return self.plain_binary(id, lhs, rhs);
        }
        let place = self.added_place(id, target);
        Some(self.pointer(&place, target))
    }

    /// `id` is an addition without the conversion of its own value.
    fn added_place(&mut self, id: ExprId, target: QualType) -> super::place::Place {
        let ExprKind::Binary { op, lhs, rhs } = self.ast.expr(id).kind else {
            unreachable!("added_place is called for additions")
        };
        let (pointer, offset) = self.pointer_operand(lhs, rhs).unwrap_or((lhs, rhs));
        let mut place = self.pointed_place(pointer, target);
        self.push_term(&mut place, offset, op == BinaryOp::Sub, target);
        place
    }

    /// `p - q`, or whether it stands in `relation` to 0 (§6.4.2p5).
    fn difference(
        &mut self,
        id: ExprId,
        target: QualType,
        lhs: ExprId,
        rhs: ExprId,
        relation: Option<BinaryOp>,
    ) -> Option<String> {
        match self.sema.types.block(target)? {
            0 => self.plain_binary(id, lhs, rhs),
            _ => self.elements_between(target, lhs, rhs, relation),
        }
    }

    /// The same where elements are on several threads.
    pub(super) fn elements_between(
        &mut self,
        target: QualType,
        lhs: ExprId,
        rhs: ExprId,
        relation: Option<BinaryOp>,
    ) -> Option<String> {
        let types = &self.sema.types;
        let (block, elem) = (types.block(target)?, types.ultimate_elem(target));
        let rep = types.target_rep(target)?;
        let (count, factors) = self.elem_factors(target);
        let size = self.c_sizeof(elem);
        let (p, q) = (self.value_text(lhs), self.value_text(rhs));
        // What comes first is told by the phases, without the block size.
        let (found, blocks) = match relation {
            Some(_) => ("order", String::new()),
            None => ("diff", format!(", {block}")),
        };
        let elems = match rep {
            PtsRep::Direct => {
                let (p, q) = (primary(p), primary(q));
                format!("upcr_{found}_cyclic((unsigned long){p}, (unsigned long){q}, {size})")
            }
            PtsRep::Packed => format!("upcr_{found}_packed({p}, {q}, {size}{blocks})"),
            PtsRep::Wide => format!("upcr_{found}_wide({p}, {q}, {size}{blocks})"),
        };
        if let Some(op) = relation {
            return Some(format!("({elems} {} 0)", operator(op)));
        }
        Some(match (count.n, count.times_threads) {
            (1, false) if factors.is_empty() => elems,
            (n, false) if factors.is_empty() => format!("({elems} / {n})"),
            (n, false) => format!("({elems} / ({n}{factors}))"),
            (n, true) => format!("({elems} / ({n} * (long)upcr_threads(){factors}))"),
        })
    }

    /// `p == q` ignores phases (§6.4.2p6); `None` if plain C compares right.
    fn equality(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Option<String> {
        let (a, b) = (self.converted_target(lhs), self.converted_target(rhs));
        let is_null = |e: &Self, id| e.sema.flags(id).is_null_constant;
        let types = &self.sema.types;
        if is_null(self, lhs) || is_null(self, rhs) || (a.is_none() && b.is_none()) {
            return None;
        }
        let rep = |t: Option<QualType>| t.and_then(|t| types.target_rep(t));
        let reps = (rep(a), rep(b));
        if reps == (Some(PtsRep::Direct), Some(PtsRep::Direct)) {
            return None;
        }
        let mut side = |id, rep: Option<PtsRep>| {
            let text = self.value_text(id);
            let address = plain_address(&text, rep.unwrap_or(PtsRep::Direct));
            format!("(unsigned long){address}")
        };
        let (p, q) = (side(lhs, reps.0), side(rhs, reps.1));
        Some(format!("({p} {} {q})", operator(op)))
    }

    /// What the value of `id` points to after its implicit conversion.
    fn converted_target(&self, id: ExprId) -> Option<QualType> {
        let types = &self.sema.types;
        match self.sema.coerce.get(&id) {
            Some(&to) => types.pointee(to).filter(|&t| types.is_shared(t)),
            None => self.shared_target(id),
        }
    }

    /// The target of a pointer-to-shared lvalue that plain C cannot move.
    fn moving_target(&self, lhs: ExprId) -> Option<QualType> {
        let types = &self.sema.types;
        let target = types.pointee(self.sema.expr_type(lhs))?;
        types.block(target).filter(|&b| b != 0)?;
        Some(target)
    }

    pub(super) fn assign(&mut self, id: ExprId, needs_value: bool) -> Option<String> {
        let ExprKind::Assign { op, lhs, rhs } = self.ast.expr(id).kind else { return None };
        let lhs = self.ast.strip_parens(lhs);
        let is_strict = self.sema.strict.contains(&lhs);
        let how = match (op, self.moving_target(lhs)) {
            (None, _) => How::Set,
            (Some(op), Some(target)) => How::Move { target, is_negative: op == BinaryOp::Sub },
            (Some(op), None) => How::Op(op),
        };
        let is_plain = !is_strict && !matches!(how, How::Move { .. }) && !self.may_be_remote(lhs);
        if is_plain {
            let text = self.rebuild(id, |e, parts| {
                parts.push(e.lvalue_part(lhs));
                parts.push(e.value_part(rhs));
            });
            return self.debug_write(lhs, id, text);
        }
        let mut operand = self.value_text(rhs);
        if matches!(how, How::Op(_)) {
            operand = primary(operand);
        }
        // A void operand is a mistake that C reports best where it stands.
        let has_effect = !self.is_pure(rhs) && !self.sema.types.is_void(self.sema.expr_type(rhs));
        let ty = Some(self.sema.expr_type(rhs));
        let change = Change { how, operand, ty, has_effect };
        let use_ = Use { is_post: false, needs_value };
        let text = match (is_strict, op) {
            (true, None) => self.strict_store(lhs, change),
            (true, Some(_)) => self.strict_change(lhs, change, false),
            (false, _) => return Some(self.relaxed_change(lhs, change, use_)),
        };
        Some(used_or_void(text, needs_value))
    }

    pub(super) fn increment(&mut self, id: ExprId, needs_value: bool) -> Option<String> {
        let ExprKind::Unary { op, operand } = self.ast.expr(id).kind else { return None };
        let operand = self.ast.strip_parens(operand);
        let is_strict = self.sema.strict.contains(&operand);
        let is_negative = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let is_post = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let how = match self.moving_target(operand) {
            Some(target) => How::Move { target, is_negative },
            None if is_strict || self.may_be_remote(operand) => {
                How::Op(if is_negative { BinaryOp::Sub } else { BinaryOp::Add })
            }
            None => {
                let text = self.rebuild(id, |e, parts| parts.push(e.lvalue_part(operand)));
                return self.debug_write(operand, id, text);
            }
        };
        let change = Change { how, operand: "1".into(), ty: None, has_effect: false };
        Some(match is_strict {
            true => used_or_void(self.strict_change(operand, change, is_post), needs_value),
            false => self.relaxed_change(operand, change, Use { is_post, needs_value }),
        })
    }
}

/// `text`, a statement expression with a value: clang warns of values that nobody uses.
fn used_or_void(text: String, needs_value: bool) -> String {
    if needs_value {
        text
    } else {
        format!("(void){text}")
    }
}
