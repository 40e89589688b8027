// SPDX-License-Identifier: BSD-3-Clause
//! What a loop says of its index in the clauses of `for`. A `while` or `do` says the same where its body
//! moves the index once in each iteration.

use super::counted::{self, Step};
use super::induction::{self, Induction};
use super::moves;
use crate::sema::{ObjectId, Sema};
use crate::syntax::ast::{Ast, ExprId, ExprKind, For, ForInit, InitKind, StmtId, StmtKind};
use crate::syntax::visit;

/// Where a loop moves its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved {
    ByHead,
    /// By a statement of the body, behind which nothing names it.
    ByStatement,
    /// By `i++` in an expression, where the body names it only once.
    ByOperand(ExprId),
}

/// The loop `id` by the clauses of `for`: the third one of `while` and `do` is in their body.
pub fn clauses(ast: &Ast, sema: &Sema, id: StmtId) -> Option<For> {
    let (cond, body) = match ast.stmt(id).kind {
        StmtKind::For(ref head) => return Some(**head),
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (cond, body),
        _ => return None,
    };
    let ExprKind::Binary { lhs, rhs, .. } = ast.expr(ast.strip_parens(cond)).kind else {
        return None;
    };
    let is_compared =
        |object| counted::names(ast, sema, lhs, object) || counted::names(ast, sema, rhs, object);
    let step = moves::of_body(ast, sema, body, &is_compared).first()?.by;
    let head = ast.expr(cond).span;
    Some(For { init: ForInit::None, cond: Some(cond), step: Some(step), body, head })
}

/// What a loop's first and third clauses say.
pub(super) struct Head {
    pub index: ObjectId,
    pub first: ExprId,
    pub is_declared: bool,
    /// Has the index its first value before the loop?
    pub is_begun: bool,
    pub step: Step,
    pub moved: Moved,
    pub inductions: Vec<Induction>,
}

impl Head {
    pub fn of(ast: &Ast, sema: &Sema, head: &For) -> Option<Head> {
        let (steps, starts) = (moves::operands(ast, head.step?), starts(ast, sema, head)?);
        let of_index = |start: &Start| {
            let is_compared = mentions(ast, sema, head.cond?, start.object);
            is_compared.then(|| {
                let place = steps
                    .iter()
                    .position(|&id| moves::stepped(ast, sema, id) == Some(start.object));
                Some((start.object, start.value, place?))
            })?
        };
        let (index, first, place) = starts.iter().find_map(of_index)?;
        let by = steps[place];
        let step = counted::step(ast, sema, by, index)?;
        let mut inductions = Vec::new();
        for (i, &id) in steps.iter().enumerate() {
            if i != place {
                let induction = induction::moved_by(ast, sema, id, index, step)?;
                if inductions.iter().any(|other: &Induction| other.object == induction.object) {
                    return None;
                }
                inductions.push(induction);
            }
        }
        let is_once = |a: &Start| starts.iter().filter(|b| b.object == a.object).count() == 1;
        if !starts.iter().all(is_once) {
            return None;
        }
        for start in starts.iter().filter(|start| start.object != index) {
            let induction =
                inductions.iter_mut().find(|induction| induction.object == start.object)?;
            let is_fit = counted::is_pointer_to(ast, sema, start.value, induction.target);
            induction.start = is_fit.then_some(Some(start.value))?;
        }
        Some(Head {
            index,
            first,
            is_declared: matches!(head.init, ForInit::Declaration(_)),
            is_begun: matches!(head.init, ForInit::None),
            step,
            moved: moved(ast, head, by),
            inductions,
        })
    }
}

/// A variable and the value that a loop's first clause gives it.
struct Start {
    object: ObjectId,
    value: ExprId,
}

fn starts(ast: &Ast, sema: &Sema, head: &For) -> Option<Vec<Start>> {
    match head.init {
        // The index has its first value already.
        ForInit::None => {
            let ExprKind::Binary { lhs, rhs, .. } = ast.expr(ast.strip_parens(head.cond?)).kind
            else {
                return None;
            };
            let steps = moves::operands(ast, head.step?);
            let is_stepped =
                |object| steps.iter().any(|&id| moves::stepped(ast, sema, id) == Some(object));
            let start = |&value: &ExprId| {
                let (object, _) = sema.object_of(ast.strip_parens(value))?;
                is_stepped(object).then_some(Start { object, value })
            };
            [lhs, rhs].iter().find_map(start).map(|start| vec![start])
        }
        ForInit::Expr(expr) => {
            let start = |&id: &ExprId| match ast.expr(ast.strip_parens(id)).kind {
                ExprKind::Assign { op: None, lhs, rhs } => {
                    let object = sema.object_of(ast.strip_parens(lhs))?.0;
                    Some(Start { object, value: rhs })
                }
                _ => None,
            };
            moves::operands(ast, expr).iter().map(start).collect()
        }
        ForInit::Declaration(id) => {
            let [declarator] = ast.decl(id).declarators.as_slice() else { return None };
            let InitKind::Expr(value) = ast.init(declarator.init?).kind else { return None };
            Some(vec![Start { object: *sema.declared.get(&(id, 0))?, value }])
        }
    }
}

/// Where `by` is, which moves the index.
fn moved(ast: &Ast, head: &For, by: ExprId) -> Moved {
    let is_in = |stmt| ast.stmt(stmt).span.lo <= ast.expr(by).span.lo;
    if !is_in(head.body) {
        return Moved::ByHead;
    }
    match moves::is_statement(ast, head.body, by) {
        true => Moved::ByStatement,
        false => Moved::ByOperand(by),
    }
}

fn mentions(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> bool {
    let mut found = false;
    visit::all_in_expr(ast, id, &mut |e| {
        found |= sema.object_of(e).is_some_and(|(o, _)| o == object);
    });
    found
}
