// SPDX-License-Identifier: BSD-3-Clause
//! Collective operations, where a program that compiles cannot do what was meant: flags that exclude
//! each other (UPC 1.3 §7.3.4p1), operations that one thread alone reaches (§3.9p1).

use super::library::has_flags;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind};
use crate::syntax::visit::{all_stmts, children, roots};

/// Bits of `upc_flag_t` (runtime/include/upc_types.h): those of IN, and of OUT.
const SIDES: [i128; 2] = [0x07, 0x38];

impl Analyser<'_> {
    /// `call` has the arguments `args`, which are typed.
    pub(in crate::sema) fn check_library_call(&mut self, call: ExprId, args: &[ExprId]) {
        if self.called_name(call).is_some_and(has_flags) {
            args.last().iter().for_each(|&&flags| self.check_flags(flags));
        }
        self.check_reduction(call, args);
        self.check_copy(call, args);
        self.check_nbytes(call, args);
        self.check_free(call, args);
        self.note_domain_call(call, args);
    }

    fn check_flags(&mut self, flags: ExprId) {
        let inner = self.ast.strip_parens(flags);
        let joined_by = match self.ast.expr(inner).kind {
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => Some(("||", lhs, rhs)),
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => Some(("&&", lhs, rhs)),
            // One that is not constant may be flags of which some are taken.
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs }
                if self.fold(lhs).is_some() && self.fold(rhs).is_some() =>
            {
                Some(("&", lhs, rhs))
            }
            _ => None,
        };
        if let Some((operator, lhs, rhs)) = joined_by {
            return self.flags_joined(
                flags,
                operator,
                Span::new(self.span(lhs).hi, self.span(rhs).lo),
            );
        }
        let Some(value) = self.fold(flags) else { return };
        if SIDES.iter().any(|side| (value & side).count_ones() > 1) {
            self.error(
                Diagnostic::warning(codes::W0423, self.span(flags), "flags that exclude each other")
                    .label("two of UPC_IN_*, or two of UPC_OUT_*")
                    .note("UPC 1.3 §7.3.4p1 and p4: one UPC_IN_ and one UPC_OUT_ flag, joined by `|`; without one it is ALLSYNC")
                    .help("say once what is true when the function begins, and once when it ends"),
            );
        }
    }

    fn flags_joined(&mut self, flags: ExprId, operator: &str, between: Span) {
        let title = format!("flags are joined by `{operator}`");
        let diagnostic = Diagnostic::warning(codes::W0423, self.span(flags), title)
            .label("this is not the set of both")
            .note("UPC 1.3 §7.3.4p1 and p4: one UPC_IN_ and one UPC_OUT_ flag, joined by `|`; without one it is ALLSYNC");
        self.error(self.with_operator(diagnostic, between, operator, "|"));
    }

    /// A branch that one thread takes, when the others meet nobody elsewhere.
    pub(in crate::sema) fn check_branch(
        &mut self,
        cond: ExprId,
        then: StmtId,
        els: Option<StmtId>,
    ) {
        if !self.is_one_thread(cond) || els.is_some_and(|els| self.meeting(els).is_some()) {
            return;
        }
        let Some((span, what)) = self.meeting(then) else { return };
        let title = format!("{what} is collective, but one thread alone comes here");
        self.error(
            Diagnostic::warning(codes::W0508, span, title)
                .label("waits for the other threads")
                .at(self.span(cond), "true for one thread")
                .note("UPC 1.3 §3.9p1: all threads execute the same collective operations in the same order")
                .help("move it out of the `if`"),
        );
    }

    /// The first collective operation of a statement.
    pub(super) fn meeting(&self, id: StmtId) -> Option<(Span, String)> {
        let mut found = Vec::new();
        all_stmts(self.ast, id, &mut |id| {
            let stmt = self.ast.stmt(id);
            let name = match stmt.kind {
                StmtKind::UpcBarrier(_) => "`upc_barrier`",
                StmtKind::UpcNotify(_) => "`upc_notify`",
                StmtKind::UpcWait(_) => "`upc_wait`",
                _ => return,
            };
            found.push((stmt.span, name.to_string()));
        });
        roots(self.ast, id, &mut |e| self.collective_calls(e, &mut found));
        found.into_iter().min_by_key(|(span, _)| span.lo)
    }

    /// The calls of collective functions in an expression, each with its name in backquotes.
    pub(super) fn collective_calls(&self, e: ExprId, found: &mut Vec<(Span, String)>) {
        if let Some(name) = self.called_name(e).filter(|name| is_collective(name)) {
            found.push((self.span(e), format!("`{name}`")));
        }
        children(self.ast, e, &mut |child| self.collective_calls(child, found));
    }

    /// The name in `name(...)`.
    pub(super) fn called_name(&self, e: ExprId) -> Option<&str> {
        let ExprKind::Call { callee, .. } = self.ast.expr(self.ast.strip_parens(e)).kind else {
            return None;
        };
        match self.ast.expr(callee).kind {
            ExprKind::Ident(name) => Some(self.name(name)),
            _ => None,
        }
    }
}

/// All functions of the library whose names begin so are collective, but for one.
fn is_collective(name: &str) -> bool {
    name.starts_with("upc_all_") && name != "upc_all_ftest_async"
}
