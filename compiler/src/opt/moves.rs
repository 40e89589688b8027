// SPDX-License-Identifier: BSD-3-Clause
//! Variables that the body of a loop moves: once in each iteration, as its last word about them. So do
//! `i++;` behind all that names `i`, and `sum += *p++` where nothing else names `p`.

use super::effects::{self, Effects};
use crate::sema::{ObjectId, Sema};
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;

pub struct Move {
    pub object: ObjectId,
    pub by: ExprId,
    /// `by` is `i++` in an expression, and the only one to name `i`.
    pub is_operand: bool,
}

/// Those of `body` that are `wanted`. An iteration that does not come to the end of it leaves the function.
pub fn of_body(
    ast: &Ast,
    sema: &Sema,
    body: StmtId,
    wanted: &dyn Fn(ObjectId) -> bool,
) -> Vec<Move> {
    let effects = Effects::of(ast, sema, body);
    let (mut stmts, mut moves) = (Vec::new(), Vec::new());
    if !effects.is_unique && !effects.has_statement_expression && !jumps(ast, body) {
        top_level(ast, body, &mut stmts);
    }
    let mut by_operands = |value, statement| {
        sure(ast, value, &mut |by| {
            let is_post = matches!(ast.expr(by).kind, ExprKind::Unary { op: UnaryOp::PostInc, .. });
            let object = stepped(ast, sema, by).filter(|&o| is_post && wanted(o));
            let is_alone =
                |&o: &ObjectId| statement != Some(by) && names_in(ast, sema, body, o) == 1;
            let object = object.filter(is_alone);
            moves.extend(object.map(|object| Move { object, by, is_operand: true }));
        });
    };
    let mut by_statements = Vec::new();
    for (i, &stmt) in stmts.iter().enumerate() {
        let StmtKind::Expr(expr) = ast.stmt(stmt).kind else {
            values(ast, stmt, &mut |value| by_operands(value, None));
            continue;
        };
        let parts = operands(ast, expr);
        for (k, &by) in parts.iter().enumerate() {
            by_operands(by, Some(by));
            let is_last = |&object: &ObjectId| {
                let is_named = |&part: &ExprId| names(ast, sema, part, object) != 0;
                !parts[k + 1..].iter().any(is_named)
                    && stmts[i + 1..].iter().all(|&s| names_in(ast, sema, s, object) == 0)
                    && n_changes(ast, sema, body, object) == 1
            };
            let object = stepped(ast, sema, by).filter(|&o| wanted(o)).filter(is_last);
            by_statements.extend(object.map(|object| Move { object, by, is_operand: false }));
        }
    }
    moves.extend(by_statements);
    moves
}

/// Is `by` one of the statements of `body`, or an operand of a comma that is one?
pub fn is_statement(ast: &Ast, body: StmtId, by: ExprId) -> bool {
    let mut stmts = Vec::new();
    top_level(ast, body, &mut stmts);
    stmts.iter().any(|&stmt| match ast.stmt(stmt).kind {
        StmtKind::Expr(expr) => operands(ast, expr).contains(&by),
        _ => false,
    })
}

/// The operands of `id`, if it is a comma.
pub fn operands(ast: &Ast, id: ExprId) -> Vec<ExprId> {
    let (mut operands, mut left) = (Vec::new(), ast.strip_parens(id));
    while let ExprKind::Comma { lhs, rhs } = ast.expr(left).kind {
        operands.push(rhs);
        left = ast.strip_parens(lhs);
    }
    operands.push(left);
    operands.reverse();
    operands
}

/// The variable that `id` changes.
pub fn stepped(ast: &Ast, sema: &Sema, id: ExprId) -> Option<ObjectId> {
    effects::written_variable(ast, sema, effects::written_place(ast, ast.strip_parens(id))?)
}

/// Do iterations end early, and the function goes on?
fn jumps(ast: &Ast, body: StmtId) -> bool {
    let mut jumps = false;
    visit::all_stmts(ast, body, &mut |stmt| {
        jumps |=
            matches!(ast.stmt(stmt).kind, StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_));
    });
    jumps
}

fn top_level(ast: &Ast, id: StmtId, stmts: &mut Vec<StmtId>) {
    match &ast.stmt(id).kind {
        StmtKind::Compound(inner) => inner.iter().for_each(|&stmt| top_level(ast, stmt, stmts)),
        _ => stmts.push(id),
    }
}

/// Calls `f` with the values that `stmt`, if it is a declaration, gives to what it declares.
fn values(ast: &Ast, stmt: StmtId, f: &mut dyn FnMut(ExprId)) {
    let StmtKind::Declaration(id) = ast.stmt(stmt).kind else { return };
    let inits = ast.decl(id).declarators.iter().filter_map(|declarator| declarator.init);
    inits.for_each(|init| {
        if let InitKind::Expr(value) = ast.init(init).kind {
            f(value);
        }
    });
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

fn names_in(ast: &Ast, sema: &Sema, stmt: StmtId, object: ObjectId) -> u32 {
    let mut n = 0;
    visit::roots(ast, stmt, &mut |root| n += names(ast, sema, root, object));
    n
}

/// How often `id` names `object`.
fn names(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> u32 {
    let mut n = 0;
    visit::all_in_expr(ast, id, &mut |id| {
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
