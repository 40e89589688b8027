// SPDX-License-Identifier: BSD-3-Clause
//! THREADS and MYTHREAD are expressions, not objects (UPC 1.3 §6.3.1, §6.3.2).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::syntax::ast::{ExprId, ExprKind};

impl Analyser<'_> {
    pub(in crate::sema) fn threads_as_object(&mut self, id: ExprId, what: &str) {
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
            .help("copy it to a variable first"),
        );
    }
}
