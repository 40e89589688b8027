// SPDX-License-Identifier: BSD-3-Clause
//! Locks, where a program that compiles cannot do what was meant: attempts whose success nobody asks
//! for (UPC 1.3 §7.2.4.7p4), and collective operations under a lock that other threads wait for
//! (§7.2.4.6p4).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{ExprId, StmtId, StmtKind};
use crate::syntax::visit::all_in_stmt;

impl Analyser<'_> {
    /// The value of the expression statement `e` is not used.
    pub(in crate::sema) fn check_unused(&mut self, e: ExprId) {
        if self.called_name(e) == Some("upc_lock_attempt") {
            self.error(
                Diagnostic::warning(
                    codes::W0424,
                    self.span(e),
                    "whether `upc_lock_attempt` got the lock is not looked at",
                )
                .label("the thread goes on without the lock, too")
                .note("UPC 1.3 §7.2.4.7p4: it returns 1 if the thread holds the lock, 0 otherwise")
                .help("write `if (upc_lock_attempt(...))`, or `upc_lock` to wait for it"),
            );
        }
    }

    /// The statements of a block: no thread is to wait for others that wait for its lock.
    pub(in crate::sema) fn check_locked(&mut self, body: &[StmtId]) {
        let mut locked = None;
        for &id in body {
            let stmt = &self.ast.stmt(id).kind;
            let Some(lock) = locked else {
                locked = match *stmt {
                    StmtKind::Expr(e) if self.locks_for_all(e) => Some(self.span(e)),
                    _ => None,
                };
                continue;
            };
            let mut unlocks = false;
            all_in_stmt(self.ast, id, &mut |e| {
                unlocks |= self.called_name(e) == Some("upc_unlock");
            });
            if unlocks {
                locked = None;
            } else if let Some((span, what)) = self.meeting(id) {
                self.while_locked(lock, span, &what);
                locked = None;
            }
        }
    }

    /// A call that locks what may be the other threads' lock too.
    fn locks_for_all(&self, e: ExprId) -> bool {
        self.called_name(e) == Some("upc_lock") && !self.names_thread(e)
    }

    fn while_locked(&mut self, lock: Span, span: Span, what: &str) {
        let title = format!("{what} while the thread holds a lock");
        self.error(
            Diagnostic::warning(codes::W0514, span, title)
                .label("waits for the other threads")
                .at(lock, "which may wait here for this thread")
                .note("UPC 1.3 §7.2.4.6p4: a thread waits until the one that has the lock has unlocked it")
                .help("unlock before it"),
        );
    }
}
