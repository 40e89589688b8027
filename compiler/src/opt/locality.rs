// SPDX-License-Identifier: BSD-3-Clause
//! Subscripts that mostly stay near the place of the iteration before: in searches, scans, queues, heaps
//! and insertions. Subscripts from tables, hashes and random numbers do not. What is found is a guess:
//! nothing but speed depends on it.

use super::constant;
use crate::sema::{ObjectId, ObjectKind, Sema};
use crate::syntax::ast::{
    Ast, BinaryOp, DeclId, ExprId, ExprKind, ForInit, InitKind, StmtId, StmtKind, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable that grows by more than this factor in one step goes everywhere.
const MAX_FACTOR: i64 = 4;

/// The variables that a loop assigns.
pub struct Locality {
    /// Everything that each is set to; `None` of what is no sum.
    values: FxHashMap<ObjectId, Vec<Option<ExprId>>>,
}

impl Locality {
    pub fn of(ast: &Ast, sema: &Sema, id: StmtId) -> Locality {
        let mut found = Locality { values: FxHashMap::default() };
        visit::all_stmts(ast, id, &mut |stmt| match &ast.stmt(stmt).kind {
            StmtKind::Declaration(decl) => found.note_declared(ast, sema, *decl),
            StmtKind::For(head) => found.note_init(ast, sema, head.init),
            StmtKind::UpcForall(forall) => found.note_init(ast, sema, forall.loop_.init),
            _ => {}
        });
        visit::all_in_stmt(ast, id, &mut |expr| found.note_assignment(ast, sema, expr));
        found
    }

    fn note_init(&mut self, ast: &Ast, sema: &Sema, init: ForInit) {
        if let ForInit::Declaration(decl) = init {
            self.note_declared(ast, sema, decl);
        }
    }

    fn note_declared(&mut self, ast: &Ast, sema: &Sema, id: DeclId) {
        for (i, declarator) in ast.decl(id).declarators.iter().enumerate() {
            let value = declarator.init.map(|init| &ast.init(init).kind);
            if let (Some(&object), Some(&InitKind::Expr(value))) =
                (sema.declared.get(&(id, i)), value)
            {
                self.values.entry(object).or_default().push(Some(value));
            }
        }
    }

    fn note_assignment(&mut self, ast: &Ast, sema: &Sema, id: ExprId) {
        let (lhs, value) = match ast.expr(id).kind {
            ExprKind::Assign { op: None, lhs, rhs } => (lhs, Some(rhs)),
            ExprKind::Assign { op: Some(BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
                (lhs, Some(rhs))
            }
            ExprKind::Assign { op: Some(op), lhs, rhs } => {
                let is_small = constant::value(ast, sema, rhs).is_some_and(|n| n <= MAX_FACTOR);
                let is_step = matches!(op, BinaryOp::Div | BinaryOp::Shr)
                    || (is_small && matches!(op, BinaryOp::Mul | BinaryOp::Shl));
                (lhs, is_step.then_some(rhs))
            }
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
            } => (operand, Some(operand)),
            _ => return,
        };
        if let Some((object, _)) = sema.object_of(ast.strip_parens(lhs)) {
            self.values.entry(object).or_default().push(value);
        }
    }

    /// Is the value of `id` likely to be near the one of the iteration before?
    pub fn stays_near(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        self.is_near(ast, sema, id, &mut FxHashSet::default())
    }

    /// Does the loop assign `object`?
    pub fn moves(&self, object: ObjectId) -> bool {
        self.values.contains_key(&object)
    }

    fn is_near(&self, ast: &Ast, sema: &Sema, id: ExprId, seen: &mut FxHashSet<ObjectId>) -> bool {
        match ast.expr(id).kind {
            ExprKind::Int { .. }
            | ExprKind::Char { .. }
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::SizeOf { .. } => true,
            ExprKind::Ident(_) => self.is_near_name(ast, sema, id, seen),
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => {
                self.is_near(ast, sema, inner, seen)
            }
            ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, .. } => false,
            ExprKind::Unary { operand, .. } => self.is_near(ast, sema, operand, seen),
            // `g->n`; what is found by a subscript comes from a table.
            ExprKind::Member { base, .. } => self.is_near(ast, sema, base, seen),
            ExprKind::Binary { op, lhs, rhs } => {
                let is_sum = !matches!(op, BinaryOp::Xor | BinaryOp::Or);
                is_sum && self.is_near(ast, sema, lhs, seen) && self.is_near(ast, sema, rhs, seen)
            }
            ExprKind::Cond { then: Some(then), els, .. } => {
                self.is_near(ast, sema, then, seen) && self.is_near(ast, sema, els, seen)
            }
            _ => false,
        }
    }

    fn is_near_name(
        &self,
        ast: &Ast,
        sema: &Sema,
        id: ExprId,
        seen: &mut FxHashSet<ObjectId>,
    ) -> bool {
        let Some((object, found)) = sema.object_of(id) else { return false };
        if sema.types.is_shared(found.ty) {
            return false;
        }
        if matches!(found.kind, ObjectKind::Enumerator(_)) || !seen.insert(object) {
            return true;
        }
        self.values.get(&object).into_iter().flatten().all(|value| {
            value.is_some_and(|value| {
                !grows(ast, sema, value, object) && self.is_near(ast, sema, value, seen)
            })
        })
    }
}

/// Is `id` a large multiple of `object`?
fn grows(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> bool {
    let names_it = |id| {
        let mut found = false;
        visit::all_in_expr(ast, id, &mut |e| {
            found |= sema.object_of(e).is_some_and(|(other, _)| other == object);
        });
        found
    };
    let mut grows = false;
    visit::all_in_expr(ast, id, &mut |e| {
        if let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = ast.expr(e).kind {
            let is_small = |e| constant::value(ast, sema, e).is_some_and(|n| n <= MAX_FACTOR);
            grows |= (names_it(lhs) && !is_small(rhs)) || (names_it(rhs) && !is_small(lhs));
        }
    });
    grows
}
