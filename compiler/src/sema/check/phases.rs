// SPDX-License-Identifier: BSD-3-Clause
//! The alternating sequence of `upc_notify` and `upc_wait` (UPC 1.3 §6.6.1p3), where it is plain in
//! the statements of one block.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{ExprKind, StmtId, StmtKind};
use crate::syntax::visit::all_in_stmt;

/// What is known of the thread's barrier between two statements.
#[derive(Clone, Copy)]
enum Phase {
    /// A caller, or a statement inside, may have begun one.
    Unknown,
    /// The `upc_notify` that has begun it.
    Begun(Span),
    /// None is under way since this statement; `None`: since the program began.
    Ended(Option<Span>),
}

impl Analyser<'_> {
    /// The statements of any block.
    pub(in crate::sema) fn check_phases(&mut self, body: &[StmtId]) {
        self.follow_phases(body, Phase::Unknown);
    }

    /// `body` is that of `main`, before which there is no `upc_notify`.
    pub(in crate::sema) fn check_first_phase(&mut self, body: StmtId) {
        let StmtKind::Compound(body) = &self.ast.stmt(body).kind else { return };
        let is_first = |&&id: &&StmtId| self.meeting(id).is_some() || self.may_notify(id);
        if let Some(&first) = body.iter().find(is_first) {
            self.follow_phases(&[first], Phase::Ended(None));
        }
    }

    fn follow_phases(&mut self, body: &[StmtId], mut phase: Phase) {
        for &id in body {
            let stmt = self.ast.stmt(id);
            if self.is_labelled(id) {
                phase = Phase::Unknown;
            }
            phase = match (&stmt.kind, phase) {
                (StmtKind::UpcWait(_), Phase::Ended(since)) => {
                    self.wait_for_nothing(stmt.span, since);
                    Phase::Ended(since)
                }
                (StmtKind::UpcWait(_), _) => Phase::Ended(Some(stmt.span)),
                (_, Phase::Begun(notify)) => match self.meeting(id) {
                    None => phase,
                    Some((span, what)) => {
                        if what != "`upc_wait`" {
                            self.within_barrier(notify, span, &what);
                        }
                        Phase::Unknown
                    }
                },
                (StmtKind::UpcNotify(_), _) => Phase::Begun(stmt.span),
                (StmtKind::UpcBarrier(_), _) => Phase::Ended(Some(stmt.span)),
                (_, Phase::Ended(_)) if self.meeting(id).is_none() && !self.may_notify(id) => phase,
                _ => Phase::Unknown,
            }
        }
    }

    /// A jump may lead here from another phase.
    fn is_labelled(&self, id: StmtId) -> bool {
        use StmtKind::{Case, Default, Label};
        matches!(self.ast.stmt(id).kind, Label { .. } | Case { .. } | Default { .. })
    }

    /// A function that is not the library's may begin a barrier.
    fn may_notify(&self, id: StmtId) -> bool {
        let mut may_notify = false;
        all_in_stmt(self.ast, id, &mut |e| {
            if let ExprKind::Call { callee, .. } = self.ast.expr(e).kind {
                let object = self.sema.object_of(callee);
                let is_librarys = |at| self.ast.lines.file_at(at).is_system;
                may_notify |= !object.is_some_and(|(_, object)| is_librarys(object.span.lo));
            }
        });
        may_notify
    }

    fn within_barrier(&mut self, notify: Span, span: Span, what: &str) {
        let title = format!("{what} comes between `upc_notify` and its `upc_wait`");
        self.error(
            Diagnostic::warning(codes::W0511, span, title)
                .label("the program ends with an error here")
                .at(notify, "the barrier begins here")
                .note(
                    "UPC 1.3 §6.6.1p3: after upc_notify the next collective operation is upc_wait",
                )
                .help("put a `upc_wait` before it; `upc_barrier` is both"),
        );
    }

    fn wait_for_nothing(&mut self, span: Span, since: Option<Span>) {
        let diagnostic =
            Diagnostic::warning(codes::W0511, span, "`upc_wait` without a `upc_notify` before it")
                .label("the program ends with an error here");
        let diagnostic = match since {
            Some(since) => diagnostic.at(since, "the last barrier has ended here"),
            None => diagnostic,
        };
        self.error(
            diagnostic
                .note("UPC 1.3 §6.6.1p3: each thread executes upc_notify and upc_wait in turns, and upc_notify first")
                .help("put a `upc_notify` before it; `upc_barrier` is both"),
        );
    }
}
