// SPDX-License-Identifier: BSD-3-Clause
//! Shared things where C knows private ones only: arguments of `printf` and its like, which have no
//! type there, and initialisers, which are evaluated before the threads have met.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::Types;
use crate::syntax::ast::{ExprId, ExprKind};

impl Analyser<'_> {
    /// `args` have no parameters in the prototype of `callee`.
    pub(in crate::sema) fn check_variadic(&mut self, callee: ExprId, args: &[ExprId]) {
        let Some((_, function)) = self.sema.object_of(self.ast.strip_parens(callee)) else {
            return;
        };
        let name = self.name(function.name);
        let is_librarys = self.ast.lines.file_at(function.span.lo).is_system;
        let is_format = name.ends_with("printf") || name.ends_with("scanf");
        if !is_librarys || !is_format {
            return;
        }
        for &arg in args {
            let ty = self.value_type(arg);
            if self.types().is_pts(ty) {
                self.formatted_pointer(arg, name);
            }
        }
    }

    fn formatted_pointer(&mut self, arg: ExprId, function: &str) {
        let ty = self.value_type(arg);
        let shown = self.show(ty);
        let target = self.types().pointee(ty).map(|target| self.types().unqualified(target));
        let is_address = |id| matches!(self.ast.expr(id).kind, ExprKind::Unary { .. });
        let help = if function.ends_with("scanf") {
            "read into a private variable, and assign that to the shared one"
        } else if target == Some(Types::CHAR) {
            "copy the text to a private array with `upc_memget`, and print that"
        } else if is_address(self.ast.strip_parens(arg)) || target == Some(Types::VOID) {
            "print `upc_threadof` and `upc_addrfield` of it"
        } else {
            "print what it points to, or `upc_threadof` and `upc_addrfield` of it"
        };
        let title = format!("a pointer-to-shared is an argument of `{function}`");
        self.error(
            Diagnostic::warning(codes::W0422, self.span(arg), title)
                .label(format!(
                    "`{shown}`, which `{function}` takes for a private pointer or a number"
                ))
                .note("UPC 1.3 §6.4.3p4: C's library knows only private memory")
                .help(help),
        );
    }

    /// The initialiser of an object with static storage reads the shared lvalue `id`.
    pub(in crate::sema) fn reads_shared_early(&mut self, id: ExprId) {
        let title = format!(
            "an initialiser reads {}, which is shared, before the program starts",
            self.quote(id)
        );
        self.evaluated_early(id, title, "other threads may not have given it a value yet");
    }

    /// A call whose value, a pointer-to-shared, initialises an object with static storage.
    pub(in crate::sema) fn calls_early(&mut self, id: ExprId) {
        let title = format!("an initialiser calls {} before the program starts", self.quote(id));
        self.evaluated_early(id, title, "not a constant");
    }

    fn evaluated_early(&mut self, id: ExprId, title: String, label: &str) {
        self.error(
            Diagnostic::warning(codes::W0326, self.span(id), title)
                .label(label)
                .note("C17 §6.7.9p4: an initialiser of an object with static storage is constant; upcc evaluates it on each thread before `main`")
                .help("assign the value in a function, after a `upc_barrier`"),
        );
    }
}
