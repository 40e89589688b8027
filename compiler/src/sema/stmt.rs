// SPDX-License-Identifier: BSD-3-Clause
//! Statements: scopes, `#pragma upc`, and the constraints of UPC 1.3 §6.6.

use super::analyser::Analyser;
use super::convert::Receiver;
use super::types::{QualType, Types};
use crate::syntax::ast::*;

impl Analyser<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let ast = self.ast;
        let mut id = id;
        // `else if` and label chains are long in generated code: go round, not down.
        loop {
            self.check_pragmas(id);
            match &ast.stmt(id).kind {
                StmtKind::If { cond, then, els } => {
                    self.value(*cond);
                    self.check_branch(*cond, *then, *els);
                    self.stmt(*then);
                    match els {
                        Some(els) => id = *els,
                        None => return,
                    }
                }
                StmtKind::Label { body, .. } | StmtKind::Default { body } => id = *body,
                StmtKind::Case { lo, hi, body } => {
                    self.required_constant(*lo, "a case label");
                    if let Some(hi) = hi {
                        self.required_constant(*hi, "a case label");
                    }
                    id = *body;
                }
                kind => {
                    self.simple_stmt(kind);
                    return self.check_atomic(id);
                }
            }
        }
    }

    fn simple_stmt(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Compound(body) => {
                self.compound(body);
            }
            StmtKind::Declaration(id) => self.declaration(*id),
            StmtKind::Function(function) => self.function(function),
            StmtKind::StaticAssert { condition } => {
                self.required_constant(*condition, "a static assertion");
            }
            StmtKind::Expr(e) => {
                self.value(*e);
                self.check_unused(*e);
            }
            StmtKind::GotoComputed(e) => {
                self.value(*e);
            }
            StmtKind::Switch { cond, body } => {
                let ty = self.value(*cond);
                if self.types().is_pts(ty) {
                    self.bad_shared_operand(*cond, ty, "the operand of a `switch`");
                }
                self.stmt(*body);
            }
            StmtKind::While { cond, body } => {
                self.value(*cond);
                self.stmt(*body);
                self.check_waiting(*cond, *body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.stmt(*body);
                self.value(*cond);
                self.check_waiting(*cond, *body);
            }
            StmtKind::For(head) => {
                self.scopes.enter();
                self.for_head(head);
                self.stmt(head.body);
                if let (Some(cond), None) = (head.cond, head.step) {
                    self.check_waiting(cond, head.body);
                }
                self.scopes.leave();
            }
            StmtKind::UpcForall(forall) => {
                self.scopes.enter();
                self.for_head(&forall.loop_);
                if let Affinity::Expr(e) = forall.affinity {
                    self.check_affinity(e);
                }
                self.stmt(forall.loop_.body);
                self.check_forall_body(forall);
                self.scopes.leave();
            }
            StmtKind::Return(Some(e)) => match self.function {
                Some(function) if !self.types().is_void(function.ret) => {
                    self.convert(*e, function.ret, Receiver::Return)
                }
                _ => {
                    self.value(*e);
                }
            },
            StmtKind::Asm { operands } => self.asm_operands(operands),
            StmtKind::UpcNotify(value) | StmtKind::UpcWait(value) | StmtKind::UpcBarrier(value) => {
                if let Some(e) = value {
                    self.check_barrier_value(*e);
                }
            }
            StmtKind::PragmaUpc(consistency) => self.consistency = *consistency,
            _ => {}
        }
    }

    /// Outputs are assigned, and memory operands are used by address, so nothing is known of a
    /// variable that `asm` names.
    fn asm_operands(&mut self, operands: &[ExprId]) {
        for &operand in operands {
            let ty = self.expr(operand);
            if self.types().is_shared(ty) && self.sema.flags(operand).is_lvalue {
                self.shared_asm_operand(operand, ty);
            }
            self.mark_assigned(operand);
            self.mark_address_taken(operand);
        }
    }

    fn for_head(&mut self, head: &For) {
        match head.init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                self.value(e);
            }
            ForInit::Declaration(id) => self.declaration(id),
        }
        for e in [head.cond, head.step].into_iter().flatten() {
            self.value(e);
        }
    }

    /// compound-statement. The type is that of a statement expression: its last expression's.
    pub(super) fn compound(&mut self, body: &[StmtId]) -> QualType {
        let ast = self.ast;
        let outer = self.consistency;
        self.scopes.enter();
        let mut ty = Types::VOID;
        for (n, &id) in body.iter().enumerate() {
            self.stmt(id);
            if n + 1 == body.len() {
                let mut last = id;
                while let StmtKind::Label { body, .. } = ast.stmt(last).kind {
                    last = body;
                }
                if let StmtKind::Expr(e) = ast.stmt(last).kind {
                    ty = self.value_type(e);
                }
            }
        }
        self.check_phases(body);
        self.check_locked(body);
        self.scopes.leave();
        self.consistency = outer;
        ty
    }
}
