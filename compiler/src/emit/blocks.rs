// SPDX-License-Identifier: BSD-3-Clause
//! `for` loops over blocked arrays, block by block.
//!
//! ```c
//! for (i = lo; i < hi; i++) sum += a[i];                          // shared [B] double a[n];
//! ```
//! becomes
//! ```c
//! for (first = lo; first < hi; first += n) {
//!     start = first / B * B; n = min(start + B, hi) - first;
//!     double *w_ = upcr_elem_blocked(a, first);
//!     for (k = 0; k < n; k++) { i = first + k; sum += w_[k]; }
//! }
//! ```
//! so that a block costs one division, not each element. Only innermost loops are worth a second
//! copy of their body. One that goes down comes to the last block first; one that asks of each
//! iteration whether it is this thread's is distributed as `upc_forall` is. The loop over every
//! THREADS-th element,
//! ```c
//! for (i = MYTHREAD; i < n; i += THREADS) c[i] = 0;               // shared double c[n];
//! ```
//! stays on one thread, where the elements lie side by side:
//! ```c
//! double *w = upcr_add_cyclic(c, MYTHREAD);
//! for (k = 0; k < ...; k++) { i = MYTHREAD + k * THREADS; w[k] = 0; }
//! ```

use super::Emitter;
use crate::opt::counted::{self, Step};
use crate::opt::effects;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, For, StmtId, StmtKind};
use crate::syntax::visit;

impl Emitter<'_> {
    /// Puts the form by blocks before a `for` loop; true if there is one, and the loop then needs
    /// a closing brace.
    pub(super) fn for_by_blocks(&mut self, stmt: Span, head: &For) -> bool {
        if !self.options.optimise || self.split.is_some() {
            return false;
        }
        let Some(counted) = counted::recognise_with_bounds(self.ast, self.sema, head) else {
            return false;
        };
        let own = self.own_iterations(head.body).filter(|_| counted.step == Step::One);
        let is_fit = match counted.step {
            _ if own.is_some() => true,
            Step::One | Step::Back => {
                effects::is_innermost_body(self.ast, head.body)
                    && !counted.effects.has_statement_expression
            }
            Step::Threads => !effects::breaks_out(self.ast, head.body),
        };
        if counted.effects.is_unique || !is_fit {
            return false;
        }
        let form = match own {
            Some((affinity, body)) => {
                self.new_split(affinity, counted).and_then(|split| self.split_loop(split, body))
            }
            None => {
                let split = self.new_for_split(counted);
                self.split_loop(split, head.body)
            }
        };
        self.split = None;
        let Some(form) = form else { return false };
        let text = format!(
            "{{\n{}{} if ({} else\n{}",
            self.quiet_marker(stmt.lo),
            form.start,
            form.rest,
            self.marker(stmt.lo)
        );
        self.edit(Span::new(stmt.lo, stmt.lo), text);
        true
    }

    /// What each iteration does of a loop over `body` that asks whether the iteration is this thread's, and
    /// the affinity that it asks by: as `upc_forall` has it, if no loop in it does.
    fn own_iterations(&self, body: StmtId) -> Option<(ExprId, StmtId)> {
        let ast = self.ast;
        let mut only = body;
        while let StmtKind::Compound(stmts) = &ast.stmt(only).kind {
            let [inner] = stmts.as_slice() else { return None };
            only = *inner;
        }
        let StmtKind::If { cond, then, els: None } = ast.stmt(only).kind else { return None };
        let ExprKind::Binary { op: BinaryOp::Eq, lhs, rhs } = ast.expr(ast.strip_parens(cond)).kind
        else {
            return None;
        };
        let is_me = |id| matches!(ast.expr(ast.strip_parens(id)).kind, ExprKind::MyThread);
        let owner = if is_me(rhs) { lhs } else { rhs };
        let affinity = match &ast.expr(ast.strip_parens(owner)).kind {
            ExprKind::Call { callee, args } if self.is_threadof(*callee) => *args.first()?,
            ExprKind::Binary { op: BinaryOp::Rem, rhs: by, .. } if self.is_threads(*by) => owner,
            _ => return None,
        };
        let mut is_fit = (is_me(lhs) || is_me(rhs)) && !effects::breaks_out(ast, then);
        visit::all_stmts(ast, then, &mut |stmt| {
            is_fit &= !matches!(
                ast.stmt(stmt).kind,
                StmtKind::UpcForall(_) | StmtKind::Return(_) | StmtKind::Goto(_)
            );
        });
        is_fit.then_some((affinity, then))
    }

    fn is_threadof(&self, callee: ExprId) -> bool {
        effects::is_pure_function(self.ast, self.sema, callee)
            && self
                .sema
                .object_of(self.ast.strip_parens(callee))
                .is_some_and(|(_, object)| self.ast.names.name(object.name) == "upc_threadof")
    }
}
