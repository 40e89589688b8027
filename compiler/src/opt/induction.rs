// SPDX-License-Identifier: BSD-3-Clause
//! Induction variables beside a loop's index: pointers-to-shared that keep step with it, as in
//! `for (i = 0; i < n; i++, p++)`, or by `sum += *p++` in its body. In each iteration such a pointer is
//! as far from its first value as the index is.

use super::counted::{self, Counted, Step};
use super::effects;
use crate::sema::types::QualType;
use crate::sema::{Duration, ObjectId, Sema};
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;

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

/// The pointers that the `body` of a loop moves; every iteration comes to its end.
pub fn in_body(ast: &Ast, sema: &Sema, body: StmtId, counted: &Counted) -> Vec<Induction> {
    let effects = &counted.effects;
    let is_fit = !effects.is_unique && !effects.has_statement_expression && !leaves(ast, body);
    let mut stmts = Vec::new();
    if is_fit {
        top_level(ast, body, &mut stmts);
    }
    let mut inductions = Vec::new();
    for (i, &stmt) in stmts.iter().enumerate() {
        let n_after = |object| stmts[i + 1..].iter().map(|&s| mentions(ast, sema, s, object)).sum();
        let whole = match ast.stmt(stmt).kind {
            StmtKind::Expr(expr) => moved_by(ast, sema, expr, counted.index, counted.step),
            _ => None,
        };
        match whole {
            Some(induction) => {
                let is_last: u32 = n_after(induction.object);
                let is_alone = is_last == 0 && n_changes(ast, sema, body, induction.object) == 1;
                inductions.extend(Some(induction).filter(|_| is_alone));
            }
            None => values(ast, stmt, &mut |value| {
                sure(ast, value, &mut |id| {
                    let induction = moved_by(ast, sema, id, counted.index, counted.step);
                    let is_post =
                        matches!(ast.expr(id).kind, ExprKind::Unary { op: UnaryOp::PostInc, .. });
                    inductions.extend(
                        induction
                            .filter(|r| is_post && mentions(ast, sema, body, r.object) == 1)
                            .map(|induction| Induction { post: Some(id), ..induction }),
                    );
                });
            }),
        }
    }
    inductions
}

/// The pointer that the expression `id` moves as far as a loop's `step` moves its `index`.
pub fn moved_by(
    ast: &Ast,
    sema: &Sema,
    id: ExprId,
    index: ObjectId,
    step: Step,
) -> Option<Induction> {
    let object = counted::stepped(ast, sema, id).filter(|&object| object != index)?;
    let is_upwards = matches!(step, Step::One | Step::Threads | Step::Constant(_));
    let own_step = counted::step(ast, sema, id, object).filter(|_| is_upwards)?;
    let is_by_threads = (step, own_step) == (Step::One, Step::Threads);
    let induction = new(sema, object).filter(|_| own_step == step || is_by_threads)?;
    Some(Induction { is_by_threads, ..induction })
}

fn leaves(ast: &Ast, body: StmtId) -> bool {
    let mut leaves = false;
    visit::all_stmts(ast, body, &mut |stmt| {
        leaves |= matches!(
            ast.stmt(stmt).kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto(_)
        );
    });
    leaves
}

fn top_level(ast: &Ast, id: StmtId, stmts: &mut Vec<StmtId>) {
    match &ast.stmt(id).kind {
        StmtKind::Compound(inner) => inner.iter().for_each(|&stmt| top_level(ast, stmt, stmts)),
        _ => stmts.push(id),
    }
}

/// Calls `f` with the expressions that `stmt` begins by evaluating.
fn values(ast: &Ast, stmt: StmtId, f: &mut dyn FnMut(ExprId)) {
    match ast.stmt(stmt).kind {
        StmtKind::Expr(expr) => f(expr),
        StmtKind::Declaration(id) => {
            let inits = ast.decl(id).declarators.iter().filter_map(|declarator| declarator.init);
            inits.for_each(|init| {
                if let InitKind::Expr(value) = ast.init(init).kind {
                    f(value);
                }
            });
        }
        _ => {}
    }
}

/// Calls `f` with what evaluating `id` always evaluates.
fn sure(ast: &Ast, id: ExprId, f: &mut dyn FnMut(ExprId)) {
    f(id);
    match ast.expr(id).kind {
        ExprKind::Cond { cond, .. } => sure(ast, cond, f),
        ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, .. } => sure(ast, lhs, f),
        ExprKind::SizeOf { .. } | ExprKind::Generic { .. } | ExprKind::ChooseExpr { .. } => {}
        // The compiler's own, some of which do not evaluate what they are given.
        ExprKind::Call { callee, .. } if is_builtin(ast, callee) => {}
        _ => visit::children(ast, id, &mut |child| sure(ast, child, f)),
    }
}

fn is_builtin(ast: &Ast, callee: ExprId) -> bool {
    matches!(ast.expr(ast.strip_parens(callee)).kind, ExprKind::Ident(name)
        if ast.names.name(name).starts_with("__builtin_"))
}

fn mentions(ast: &Ast, sema: &Sema, stmt: StmtId, object: ObjectId) -> u32 {
    let mut n = 0;
    visit::all_in_stmt(ast, stmt, &mut |id| {
        let is_name = matches!(ast.expr(id).kind, ExprKind::Ident(_));
        n += u32::from(is_name && sema.object_of(id).is_some_and(|(o, _)| o == object));
    });
    n
}

fn n_changes(ast: &Ast, sema: &Sema, stmt: StmtId, object: ObjectId) -> u32 {
    let mut n = 0;
    visit::all_in_stmt(ast, stmt, &mut |id| {
        let place = effects::written_place(ast, id);
        let variable = place.and_then(|place| effects::written_variable(ast, sema, place));
        n += u32::from(variable == Some(object));
    });
    n
}
