// SPDX-License-Identifier: BSD-3-Clause
//! A search through the body of a loop for what it accesses of shared memory, and for what comes in
//! each iteration.

use super::Emitter;
use crate::sema::pure;
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind, ExprOrType, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;

/// How an iteration accesses a shared lvalue.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub reads: bool,
    pub writes: bool,
    /// In each iteration.
    pub is_sure: bool,
}

/// Each function returns false where the search ends: the body may synchronise, or end the loop early,
/// or it has what the search is not made for.
pub(super) trait Search<'a> {
    fn emitter(&self) -> &Emitter<'a>;

    /// The shared lvalue `id`, without parentheses, is accessed; an array is only an address.
    fn access(&mut self, id: ExprId, how: Use) -> bool;

    /// The address of the shared lvalue `id` is taken.
    fn address(&mut self, id: ExprId, is_sure: bool) -> bool;

    /// May iterations end early, by `continue`?
    fn may_continue(&self) -> bool {
        false
    }

    /// `is_sure`: it is executed in each iteration.
    fn stmt(&mut self, id: StmtId, is_sure: bool) -> bool {
        let ast = self.emitter().ast;
        match &ast.stmt(id).kind {
            StmtKind::Compound(stmts) => {
                let mut is_sure = is_sure;
                stmts.iter().all(|&s| {
                    let is_fit = self.stmt(s, is_sure);
                    is_sure &= !continues(ast, s);
                    is_fit
                })
            }
            StmtKind::Continue => self.may_continue(),
            StmtKind::If { cond, then, els } => {
                self.expr(*cond, is_sure)
                    && self.stmt(*then, false)
                    && els.is_none_or(|els| self.stmt(els, false))
            }
            StmtKind::Expr(_) | StmtKind::Declaration(_) | StmtKind::Empty => {
                let mut is_fit = true;
                visit::roots(ast, id, &mut |root| is_fit = is_fit && self.expr(root, is_sure));
                is_fit
            }
            _ => false,
        }
    }

    fn expr(&mut self, id: ExprId, is_sure: bool) -> bool {
        use UnaryOp::{AddrOf, PostDec, PostInc, PreDec, PreInc};
        let Emitter { ast, sema, .. } = *self.emitter();
        let id = ast.strip_parens(id);
        match ast.expr(id).kind {
            ExprKind::Assign { op, lhs, rhs } => {
                self.target(lhs, op.is_some(), is_sure) && self.expr(rhs, is_sure)
            }
            ExprKind::Unary { op: PostDec | PostInc | PreDec | PreInc, operand } => {
                self.target(operand, true, is_sure)
            }
            ExprKind::Unary { op: AddrOf, operand } if self.is_shared(operand) => {
                self.address(operand, is_sure)
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, rhs } => {
                self.expr(lhs, is_sure) && self.expr(rhs, false)
            }
            ExprKind::Cond { cond, then, els } => {
                self.expr(cond, is_sure)
                    && then.is_none_or(|then| self.expr(then, false))
                    && self.expr(els, false)
            }
            ExprKind::Call { callee, .. } if !pure::changes_nothing(ast, sema, callee) => false,
            ExprKind::SizeOf { operand: ExprOrType::Expr(_), .. }
            | ExprKind::Generic { .. }
            | ExprKind::ChooseExpr { .. }
            | ExprKind::StmtExpr(_) => false,
            _ if self.is_shared(id) => {
                self.relaxed(id, Use { reads: true, writes: false, is_sure })
            }
            _ => self.children(id, is_sure),
        }
    }

    fn children(&mut self, id: ExprId, is_sure: bool) -> bool {
        let ast = self.emitter().ast;
        let mut is_fit = true;
        visit::children(ast, id, &mut |child| is_fit = is_fit && self.expr(child, is_sure));
        is_fit
    }

    /// What is assigned to, and read before if `reads`.
    fn target(&mut self, id: ExprId, reads: bool, is_sure: bool) -> bool {
        let id = self.emitter().ast.strip_parens(id);
        match self.is_shared(id) {
            true => self.relaxed(id, Use { reads, writes: true, is_sure }),
            false => self.expr(id, is_sure),
        }
    }

    fn relaxed(&mut self, id: ExprId, how: Use) -> bool {
        !self.emitter().sema.strict.contains(&id) && self.access(id, how)
    }

    fn is_shared(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter();
        sema.types.is_shared(sema.expr_type(ast.strip_parens(id)))
    }

    fn is_array(&self, id: ExprId) -> bool {
        let sema = self.emitter().sema;
        sema.types.is_array(sema.expr_type(id))
    }
}

/// Has `id`, in which there is no loop, a `continue` in it?
fn continues(ast: &Ast, id: StmtId) -> bool {
    let mut found = false;
    visit::all_stmts(ast, id, &mut |stmt| {
        found |= matches!(ast.stmt(stmt).kind, StmtKind::Continue);
    });
    found
}
