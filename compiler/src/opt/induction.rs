// SPDX-License-Identifier: BSD-3-Clause
//! Induction variables beside a loop's index: pointers-to-shared that keep step with it, as in
//! `for (i = 0; i < n; i++, p++)`, or by `sum += *p++` in its body. In each iteration such a pointer is
//! as far from its first value as the index is.

use super::counted::{self, Counted, Step};
use super::moves::{self, Move};
use crate::sema::types::QualType;
use crate::sema::{Duration, ObjectId, Sema};
use crate::syntax::ast::{Ast, ExprId, StmtId};

/// A pointer that keeps step.
#[derive(Clone, Debug)]
pub struct Induction {
    pub object: ObjectId,
    pub target: QualType,
    /// Where it begins, if the loop's head says.
    pub start: Option<ExprId>,
    /// Does it go THREADS elements ahead while the index goes by one?
    pub is_by_threads: bool,
    /// The only expression of the body that names it, `p++`, if that is the one that moves it.
    pub post: Option<ExprId>,
}

/// A pointer whose changes the loop's text shows.
fn new(sema: &Sema, object: ObjectId) -> Option<Induction> {
    let variable = sema.object(object);
    let target = counted::walked_target(sema, variable.ty)?;
    let is_fit = variable.duration == Duration::Automatic && !variable.address_taken;
    is_fit.then_some(Induction { object, target, start: None, is_by_threads: false, post: None })
}

/// The pointers that the `body` of a loop moves.
pub fn in_body(ast: &Ast, sema: &Sema, body: StmtId, counted: &Counted) -> Vec<Induction> {
    let induction = |moved: &Move| {
        let induction = moved_by(ast, sema, moved.by, counted.index, counted.step)?;
        Some(Induction { post: moved.is_operand.then_some(moved.by), ..induction })
    };
    moves::of_body(ast, sema, body, &|object| new(sema, object).is_some())
        .iter()
        .filter_map(induction)
        .collect()
}

/// The pointer that the expression `id` moves as far as a loop's `step` moves its `index`.
pub fn moved_by(
    ast: &Ast,
    sema: &Sema,
    id: ExprId,
    index: ObjectId,
    step: Step,
) -> Option<Induction> {
    let object = moves::stepped(ast, sema, id).filter(|&object| object != index)?;
    let is_upwards = matches!(step, Step::One | Step::Threads | Step::Constant(_));
    let own_step = counted::step(ast, sema, id, object).filter(|_| is_upwards)?;
    let is_by_threads = (step, own_step) == (Step::One, Step::Threads);
    let induction = new(sema, object).filter(|_| own_step == step || is_by_threads)?;
    Some(Induction { is_by_threads, ..induction })
}
