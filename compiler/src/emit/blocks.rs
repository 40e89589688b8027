// SPDX-License-Identifier: BSD-3-Clause
//! `for`, `while` and `do` loops over blocked arrays, block by block.
//!
//! ```c
//! for (i = lo; i < hi; i++) sum += a[i];                          // shared [B] double a[n];
//! ```
//! becomes
//! ```c
//! for (first = lo; first < hi; first += n) {
//!     start = first / B * B; n = min(start + B, hi) - first;
//!     double *w_ = upcr_elem_blocked(a, first);
//!     for (k = 0, i = first; k < n; k++, i++) sum += w_[k];
//! }
//! ```
//! so that a block costs one division, not each element. Only innermost loops are worth a second
//! copy of their body, and loops around others of a few iterations. One that goes down comes to the
//! last block first; one that asks of each iteration whether it is this thread's is distributed as
//! `upc_forall` is. The loop over every THREADS-th element,
//! ```c
//! for (i = MYTHREAD; i < n; i += THREADS) c[i] = 0;               // shared double c[n];
//! ```
//! stays on one thread, where the elements lie side by side:
//! ```c
//! double *w = upcr_add_cyclic(c, MYTHREAD);
//! for (k = 0; k < ...; k++) { i = MYTHREAD + k * THREADS; w[k] = 0; }
//! ```

use super::split::{Distributed, Mode, Split, MIN_TRIPS};
use super::Emitter;
use crate::opt::counted::{self, Counted, Step};
use crate::opt::effects;
use crate::opt::head;
use crate::opt::induction;
use crate::sema::pure;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, For, StmtId, StmtKind};
use crate::syntax::visit;

/// A loop that does something in this thread's iterations alone.
struct Own {
    /// As `upc_forall` has it.
    affinity: ExprId,
    body: StmtId,
    /// The statement in it that leaves out the others, if it is not around all of it.
    filter: Option<StmtId>,
}

impl Emitter<'_> {
    /// Puts the form by blocks before the loop `id`; true if there is one.
    pub(super) fn by_blocks(&mut self, id: StmtId) -> bool {
        let head = head::clauses(self.ast, self.sema, id);
        let is_doubled = !self.canonical.contains(&id)
            && head.is_some_and(|head| self.for_by_blocks(self.ast.stmt(id).span, &head));
        if is_doubled && self.split.is_none() {
            // It has its own assumptions, and what follows is the exception.
            self.stop_assuming();
        }
        is_doubled
    }

    /// Puts behind the loop what its form by blocks needs there.
    pub(super) fn end_by_blocks(&mut self, id: StmtId, is_doubled: bool) {
        let end = self.ast.stmt(id).span.hi;
        if is_doubled {
            self.edit(Span::new(end, end), " }");
        }
    }

    fn for_by_blocks(&mut self, stmt: Span, head: &For) -> bool {
        let is_inside_whole = self.split.as_ref().is_some_and(|around| around.mode == Mode::Whole);
        if !self.options.optimise || is_inside_whole {
            return false;
        }
        let Some(counted) = counted::recognise_walk(self.ast, self.sema, head) else {
            return false;
        };
        let by_number = (counted.step == Step::Threads)
            .then(|| counted.clone().by_number(self.sema))
            .filter(|counted| counted.step != Step::Threads);
        let form =
            self.form_by_blocks(head, counted).or_else(|| self.form_by_blocks(head, by_number?));
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

    fn form_by_blocks(&mut self, head: &For, mut counted: Counted) -> Option<Distributed> {
        let own = self.own_iterations(head.body).filter(|_| self.split.is_none());
        let leaves = effects::breaks_out(self.ast, head.body)
            || counted.effects.has_statement_expression
                && effects::expressions_leave(self.ast, head.body);
        let is_fit = match counted.step {
            _ if own.is_some() => !leaves,
            Step::Threads => !leaves && self.split.is_none(),
            _ => self.has_no_long_loop(head.body) && !counted.effects.has_statement_expression,
        };
        if counted.effects.is_unique || !is_fit {
            return None;
        }
        let along = match own {
            Some(_) => Vec::new(),
            None => induction::in_body(self.ast, self.sema, head.body, &counted),
        };
        counted.inductions.extend(along);
        self.body_of(head, |e| match own {
            Some(Own { affinity, body, filter }) => e
                .new_split(affinity, counted)
                .and_then(|split| e.split_loop(Split { filter, ..split }, body)),
            None => e.new_for_split(counted).and_then(|split| e.split_loop(split, head.body)),
        })
    }

    /// Are all loops in `body` too short for a form of their own?
    fn has_no_long_loop(&self, body: StmtId) -> bool {
        effects::has_only_loops(self.ast, body, &|head| {
            counted::recognise(self.ast, self.sema, head)
                .and_then(|counted| self.constant_trips(&counted))
                .is_some_and(|trips| trips < MIN_TRIPS)
        })
    }

    /// What each iteration does of a loop over `body`, if it first asks whether the iteration is this
    /// thread's, and no `upc_forall` is in it.
    fn own_iterations(&self, body: StmtId) -> Option<Own> {
        let ast = self.ast;
        let (mut first, mut is_alone) = (body, true);
        while let StmtKind::Compound(stmts) = &ast.stmt(first).kind {
            is_alone &= stmts.len() == 1;
            first = *stmts.first()?;
        }
        let StmtKind::If { cond, then, els: None } = ast.stmt(first).kind else { return None };
        let ExprKind::Binary { op, lhs, rhs } = ast.expr(ast.strip_parens(cond)).kind else {
            return None;
        };
        let (body, filter) = match op {
            BinaryOp::Eq if is_alone => (then, None),
            BinaryOp::Ne if self.only_continues(then) => (body, Some(first)),
            _ => return None,
        };
        let is_me = |id| matches!(ast.expr(ast.strip_parens(id)).kind, ExprKind::MyThread);
        let owner = if is_me(rhs) { lhs } else { rhs };
        let affinity = match &ast.expr(ast.strip_parens(owner)).kind {
            ExprKind::Call { callee, args } if self.is_threadof(*callee) => *args.first()?,
            ExprKind::Binary { op: BinaryOp::Rem, rhs: by, .. } if self.is_threads(*by) => owner,
            _ => return None,
        };
        let mut is_fit = is_me(lhs) || is_me(rhs);
        visit::all_stmts(ast, body, &mut |stmt| {
            is_fit &= !matches!(
                ast.stmt(stmt).kind,
                StmtKind::UpcForall(_) | StmtKind::Return(_) | StmtKind::Goto(_)
            );
        });
        is_fit.then_some(Own { affinity, body, filter })
    }

    fn only_continues(&self, id: StmtId) -> bool {
        match &self.ast.stmt(id).kind {
            StmtKind::Continue => true,
            StmtKind::Compound(stmts) => matches!(stmts[..], [only] if self.only_continues(only)),
            _ => false,
        }
    }

    fn is_threadof(&self, callee: ExprId) -> bool {
        pure::changes_nothing(self.ast, self.sema, callee)
            && self
                .sema
                .object_of(self.ast.strip_parens(callee))
                .is_some_and(|(_, object)| self.ast.names.name(object.name) == "upc_threadof")
    }
}
