// SPDX-License-Identifier: BSD-3-Clause
//! THREADS and MYTHREAD are expressions, not objects and not always constants (UPC 1.3 §6.3.1,
//! §6.3.2); and what expressions say of the thread that evaluates them.

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::ObjectId;
use crate::span::Span;
use crate::syntax::ast::{Attribute, BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::{all_in_expr, all_in_stmt, all_stmts};
use rustc_hash::FxHashSet;

impl Analyser<'_> {
    /// `MYTHREAD()`, as if it were a function.
    pub(in crate::sema) fn check_called(&mut self, callee: ExprId, args: &[ExprId]) {
        let name = match self.ast.expr(callee).kind {
            ExprKind::Threads => "THREADS",
            ExprKind::MyThread => "MYTHREAD",
            _ => return,
        };
        let span = self.span(callee);
        let diagnostic = Diagnostic::error(codes::E0411, span, format!("`{name}` is called"))
            .label("a value, not a function")
            .note(format!("UPC 1.3 §6.3: `{name}` is an expression of type int"));
        let rest = self.text.get(span.hi as usize..).unwrap_or_default();
        let parens = Span::new(span.hi, span.hi + 2);
        self.error(match args.is_empty() && rest.starts_with("()") {
            true => diagnostic.fix(format!("write `{name}`"), vec![Edit::remove(parens)]),
            false => diagnostic.help(format!("write `{name}`, without parentheses")),
        });
    }

    pub(in crate::sema) fn threads_as_object(&mut self, id: ExprId, what: &str, help: &str) {
        let (name, paragraph) = match self.ast.expr(id).kind {
            ExprKind::Threads => ("THREADS", "§6.3.1p1"),
            _ => ("MYTHREAD", "§6.3.2p1"),
        };
        self.error(
            Diagnostic::error(
                codes::E0411,
                self.span(id),
                format!("`{name}` is used as an object: {what}"),
            )
            .label("a value, not an object")
            .note(format!(
                "UPC 1.3 {paragraph}: `{name}` is an expression, so it cannot be assigned to, \
                 and has no address"
            ))
            .help(help),
        );
    }

    /// The value of `e`, which C wants to be an integer constant expression; `what` says for what.
    pub(in crate::sema) fn required_constant(&mut self, e: ExprId, what: &str) -> Option<i128> {
        let value = self.constant(e);
        if value.is_none() {
            self.check_known_before_run(e, what);
        }
        value
    }

    pub(in crate::sema) fn check_alignments(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if Some(attribute.name) == self.known.aligned {
                for &arg in &attribute.args {
                    self.required_constant(arg, "an alignment");
                }
            }
        }
    }

    pub(in crate::sema) fn check_known_before_run(&mut self, e: ExprId, what: &str) {
        let (mut names_threads, mut names_mythread) = (false, false);
        all_in_expr(self.ast, e, &mut |e| match self.ast.expr(e).kind {
            ExprKind::Threads => names_threads = self.is_dynamic(),
            ExprKind::MyThread => names_mythread = true,
            _ => {}
        });
        let (name, label, help) = match (names_mythread, names_threads) {
            (true, _) => {
                ("MYTHREAD", "another value on each thread", "use a constant that is one for all")
            }
            (_, true) => (
                "THREADS",
                "the number of threads is not known",
                "compile with `-T=<threads>`, which makes THREADS a constant",
            ),
            _ => return,
        };
        let title = format!("{what} that names {name} is not known before the run");
        self.error(
            Diagnostic::error(codes::E0327, self.span(e), title)
                .label(label)
                .note(format!(
                    "C wants an integer constant here, and {name} is none (UPC 1.3 §6.3)"
                ))
                .help(help),
        );
    }

    /// The variable `object` has got `value`.
    pub(in crate::sema) fn holds(&mut self, object: ObjectId, value: ExprId) {
        let is_private = !self.types().is_shared(self.sema.object(object).ty);
        if is_private && self.is_mine(value) {
            self.thread_numbers.insert(object);
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

    /// The expression is another one on each thread, as that of the thread's own lock.
    pub(super) fn names_thread(&self, e: ExprId) -> bool {
        let mut names_thread = false;
        all_in_expr(self.ast, e, &mut |e| names_thread |= self.is_mine(e));
        names_thread
    }

    /// The expressions in those statements of `body` of which `holds` is true. Linear, however deeply
    /// these nest, as chains of `else if` do.
    pub(super) fn exprs_within(
        &self,
        body: StmtId,
        holds: &dyn Fn(&StmtKind) -> bool,
    ) -> FxHashSet<ExprId> {
        let (mut within, mut seen) = (FxHashSet::default(), FxHashSet::default());
        all_stmts(self.ast, body, &mut |id| {
            if seen.contains(&id) || !holds(&self.ast.stmt(id).kind) {
                return;
            }
            all_stmts(self.ast, id, &mut |inner| {
                seen.insert(inner);
            });
            all_in_stmt(self.ast, id, &mut |e| {
                within.insert(e);
            });
        });
        within
    }
}
