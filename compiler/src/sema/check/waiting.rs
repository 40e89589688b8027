// SPDX-License-Identifier: BSD-3-Clause
//! Loops that wait for another thread by relaxed reads (UPC 1.3 §5.1.2.3): the compiler may read
//! once, and what the other thread has stored before need not be seen yet.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::syntax::ast::{ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::all_in_expr;

impl Analyser<'_> {
    /// A loop that goes on while `cond` is true; nothing of it may change that but other threads.
    pub(in crate::sema) fn check_waiting(&mut self, cond: ExprId, body: StmtId) {
        if !self.is_empty(body) {
            return;
        }
        let (mut read, mut is_waiting) = (None, true);
        all_in_expr(self.ast, cond, &mut |e| {
            use UnaryOp::{PostDec, PostInc, PreDec, PreInc};
            match self.ast.expr(e).kind {
                ExprKind::Assign { .. }
                | ExprKind::Call { .. }
                | ExprKind::StmtExpr(_)
                | ExprKind::Unary { op: PostDec | PostInc | PreDec | PreInc, .. } => {
                    is_waiting = false;
                }
                _ => {}
            }
            let ty = self.sema.expr_type(e);
            let is_read = self.types().is_shared(ty)
                && self.sema.flags(e).is_lvalue
                && !self.types().is_array(ty)
                && !self.types().is_record(ty);
            let is_strict = self.sema.strict.contains(&e);
            is_waiting &= !is_strict && (!is_read || !ty.quals.is_volatile);
            if is_read && read.is_none() {
                read = Some(e);
            }
        });
        if let Some(read) = read.filter(|_| is_waiting) {
            self.waits_relaxed(read);
        }
    }

    fn is_empty(&self, body: StmtId) -> bool {
        match &self.ast.stmt(body).kind {
            StmtKind::Empty => true,
            StmtKind::Compound(body) => body.iter().all(|&id| self.is_empty(id)),
            _ => false,
        }
    }

    fn waits_relaxed(&mut self, read: ExprId) {
        let text = self.quote(read);
        let title = format!("a loop waits for {text}, which it reads relaxed");
        self.error(
            Diagnostic::warning(codes::W0516, self.span(read), title)
                .label("what another thread has stored before this need not be seen after the loop")
                .note(
                    "UPC 1.3 §5.1.2.3: strict accesses alone are in an order that all threads see",
                )
                .help(
                    "declare it `strict shared`, or wait by `upc_barrier`, a lock, or \
                     `upcx_wait` of <upcx_pairwise.h>",
                ),
        );
    }
}
