// SPDX-License-Identifier: BSD-3-Clause
//! THREADS and MYTHREAD are expressions, not objects (UPC 1.3 §6.3.1, §6.3.2).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind};

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
}
