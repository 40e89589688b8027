// SPDX-License-Identifier: BSD-3-Clause
//! Collective operations and locks, where a program that compiles cannot do what was meant: flags
//! that exclude each other (UPC 1.3 §7.3.4p1), operations that one thread alone reaches (§3.9p1),
//! and attempts whose success nobody asks for (§7.2.4.7p4).

use super::library::has_flags;
use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::ObjectId;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::{all_in_expr, all_in_stmt, all_stmts, children, roots};

/// Bits of `upc_flag_t` (runtime/include/upc_types.h): those of IN, and of OUT.
const SIDES: [i128; 2] = [0x07, 0x38];

impl Analyser<'_> {
    /// `call` has the arguments `args`, which are typed.
    pub(in crate::sema) fn check_library_call(&mut self, call: ExprId, args: &[ExprId]) {
        if self.called_name(call).is_some_and(has_flags) {
            args.last().iter().for_each(|&&flags| self.check_flags(flags));
        }
        self.check_copy(call, args);
    }

    fn check_flags(&mut self, flags: ExprId) {
        let inner = self.ast.strip_parens(flags);
        let joined_by = match self.ast.expr(inner).kind {
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => Some(("||", lhs, rhs)),
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => Some(("&&", lhs, rhs)),
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs } => Some(("&", lhs, rhs)),
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
        let text = self.text.get(between.lo as usize..between.hi as usize).unwrap_or_default();
        self.error(match text.find(operator) {
            Some(at) => {
                let at = between.lo + at as u32;
                let place = Span::new(at, at + operator.len() as u32);
                diagnostic.fix("write `|`", vec![Edit::replace(place, "|")])
            }
            None => diagnostic.help("write `|`"),
        });
    }

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

    /// The statements of a block, where a barrier that is begun is to end before anything else is,
    /// and no thread is to wait for others that wait for its lock.
    pub(in crate::sema) fn check_phases(&mut self, body: &[StmtId]) {
        self.check_locked(body);
        let mut begun = None;
        for &id in body {
            let stmt = self.ast.stmt(id);
            match (&stmt.kind, begun) {
                (StmtKind::UpcNotify(_), None) => begun = Some(stmt.span),
                (_, None) => {}
                (_, Some(notify)) => match self.meeting(id) {
                    Some((_, what)) if what == "`upc_wait`" => begun = None,
                    Some((span, what)) => {
                        self.within_barrier(notify, span, &what);
                        begun = None;
                    }
                    None => {}
                },
            }
        }
    }

    fn check_locked(&mut self, body: &[StmtId]) {
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

    /// The expression is another one on each thread, as that of the thread's own lock.
    pub(super) fn names_thread(&self, e: ExprId) -> bool {
        let mut names_thread = false;
        all_in_expr(self.ast, e, &mut |e| names_thread |= self.is_mine(e));
        names_thread
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

    /// The variable `object` gets `value`, by `op` where there is one.
    pub(in crate::sema) fn holds(&mut self, object: ObjectId, value: ExprId, op: Option<BinaryOp>) {
        let is_private = !self.types().is_shared(self.sema.object(object).ty);
        if is_private && op.is_none() && self.is_mine(value) {
            self.thread_numbers.insert(object);
        } else {
            self.thread_numbers.remove(&object);
        }
    }

    /// `MYTHREAD`, or a variable that holds it
    pub(super) fn is_mine(&self, e: ExprId) -> bool {
        let e = self.ast.strip_parens(e);
        let held = self.sema.object_of(e).is_some_and(|(id, _)| self.thread_numbers.contains(&id));
        held || matches!(self.ast.expr(e).kind, ExprKind::MyThread)
    }

    /// `MYTHREAD == constant`, `!MYTHREAD`
    pub(super) fn is_one_thread(&mut self, cond: ExprId) -> bool {
        let cond = self.ast.strip_parens(cond);
        match self.ast.expr(cond).kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.is_mine(operand),
            ExprKind::Binary { op: BinaryOp::Eq, lhs, rhs } => {
                (self.is_mine(lhs) && self.is_same_everywhere(rhs))
                    || (self.is_mine(rhs) && self.is_same_everywhere(lhs))
            }
            _ => false,
        }
    }

    /// A constant, where THREADS counts as one.
    fn is_same_everywhere(&mut self, e: ExprId) -> bool {
        match self.ast.expr(self.ast.strip_parens(e)).kind {
            ExprKind::Threads => true,
            ExprKind::Binary { lhs, rhs, .. } => {
                self.is_same_everywhere(lhs) && self.is_same_everywhere(rhs)
            }
            _ => self.fold(e).is_some(),
        }
    }

    /// The first collective operation of a statement.
    fn meeting(&self, id: StmtId) -> Option<(Span, String)> {
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

    fn collective_calls(&self, e: ExprId, found: &mut Vec<(Span, String)>) {
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
