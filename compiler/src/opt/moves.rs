// SPDX-License-Identifier: BSD-3-Clause
//! Variables that the body of a loop moves: once in each iteration, as its last word about them. So do
//! `i++;` behind all that names `i`, and `sum += *p++` where nothing else names `p`.

use super::effects::{self, Effects};
use crate::sema::{ObjectId, Sema};
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;
use rustc_hash::FxHashMap;

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
    if effects.is_unique || effects.has_statement_expression || jumps(ast, body) {
        return Vec::new();
    }
    let parts = parts(ast, body);
    let uses = uses(ast, sema, &parts, &effects.lengths);
    let (mut moves, mut by_statements) = (Vec::new(), Vec::new());
    for (k, part) in parts.iter().enumerate() {
        let moved = |by| stepped(ast, sema, by).filter(|&object| wanted(object));
        let mut by_operands = |value| {
            sure(ast, value, &mut |by| {
                let is_post =
                    matches!(ast.expr(by).kind, ExprKind::Unary { op: UnaryOp::PostInc, .. });
                let is_whole = matches!(part, Part::Operand(whole) if *whole == by);
                let is_alone = |object: &ObjectId| uses[object].n_names == 1;
                let object = moved(by).filter(|_| is_post && !is_whole).filter(is_alone);
                moves.extend(object.map(|object| Move { object, by, is_operand: true }));
            });
        };
        match *part {
            Part::Other(stmt) => values(ast, stmt, &mut by_operands),
            Part::Operand(by) => {
                by_operands(by);
                let is_last =
                    |object: &ObjectId| uses[object].last == k && uses[object].n_changes == 1;
                let object = moved(by).filter(is_last);
                by_statements.extend(object.map(|object| Move { object, by, is_operand: false }));
            }
        }
    }
    moves.extend(by_statements);
    moves
}

/// A body's parts, one after the other.
enum Part {
    /// Of a comma that is a statement, or all of the statement.
    Operand(ExprId),
    Other(StmtId),
}

fn parts(ast: &Ast, body: StmtId) -> Vec<Part> {
    let (mut stmts, mut parts) = (Vec::new(), Vec::new());
    top_level(ast, body, &mut stmts);
    for stmt in stmts {
        match ast.stmt(stmt).kind {
            StmtKind::Expr(expr) => {
                parts.extend(operands(ast, expr).into_iter().map(Part::Operand))
            }
            _ => parts.push(Part::Other(stmt)),
        }
    }
    parts
}

/// How a body uses a variable.
#[derive(Default)]
struct Uses {
    n_names: u32,
    n_changes: u32,
    /// The last part to name it.
    last: usize,
}

/// `lengths` of arrays, which are evaluated wherever their types are named, count as behind all parts.
fn uses(ast: &Ast, sema: &Sema, parts: &[Part], lengths: &[ExprId]) -> FxHashMap<ObjectId, Uses> {
    let mut uses: FxHashMap<ObjectId, Uses> = FxHashMap::default();
    let mut note = |id, last| {
        let is_name = matches!(ast.expr(id).kind, ExprKind::Ident(_));
        if let Some((object, _)) = sema.object_of(id).filter(|_| is_name) {
            let uses = uses.entry(object).or_default();
            uses.n_names += 1;
            uses.last = last;
        }
        let place = effects::written_place(ast, id);
        if let Some(object) = place.and_then(|e| effects::written_variable(ast, sema, e)) {
            uses.entry(object).or_default().n_changes += 1;
        }
    };
    for (k, part) in parts.iter().enumerate() {
        match *part {
            Part::Operand(expr) => visit::all_in_expr(ast, expr, &mut |id| note(id, k)),
            Part::Other(stmt) => visit::all_in_stmt(ast, stmt, &mut |id| note(id, k)),
        }
    }
    for &length in lengths {
        visit::all_in_expr(ast, length, &mut |id| note(id, parts.len()));
    }
    uses
}

/// Is `by` one of the statements of `body`, or an operand of a comma that is one?
pub fn is_statement(ast: &Ast, body: StmtId, by: ExprId) -> bool {
    parts(ast, body).iter().any(|part| matches!(part, Part::Operand(operand) if *operand == by))
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
