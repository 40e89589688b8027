// SPDX-License-Identifier: BSD-3-Clause
//! A pointer to the wrong memory as an argument of a function of C's or UPC's library: usually
//! another function is meant, or the arguments stand in another's order.

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::convert::Receiver;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind};

/// A function and which of its arguments, from 0; the function that takes the other memory there,
/// or nothing; and what to do.
const MEANT: &[(&str, usize, &str, &str)] = &[
    ("memcpy", 0, "upc_memput", "`upc_memput` copies private memory to shared memory, `upc_memcpy` shared memory to shared memory"),
    ("memcpy", 1, "upc_memget", "`upc_memget` copies shared memory to private memory"),
    ("memmove", 0, "", "`upc_memput` copies to shared memory, if the two do not overlap"),
    ("memmove", 1, "", "`upc_memget` copies from shared memory, if the two do not overlap"),
    ("memset", 0, "upc_memset", "`upc_memset` sets shared memory"),
    ("free", 0, "upc_free", "`upc_free` frees shared memory"),
    ("realloc", 0, "", "shared memory does not grow: allocate anew, and copy with `upc_memcpy`"),
    ("strcpy", 0, "", "copy with `upc_memput(to, from, strlen(from) + 1)`"),
    ("strlen", 0, "", "copy the text to private memory first, with `upc_memget`"),
    ("strcmp", 0, "", "copy the text to private memory first, with `upc_memget`"),
    ("strcmp", 1, "", "copy the text to private memory first, with `upc_memget`"),
    ("strcpy", 1, "", "copy with `upc_memget`"),
    ("fread", 0, "", "read into private memory, and copy it with `upc_memput`"),
    ("fwrite", 0, "", "copy to private memory with `upc_memget`, and write that"),
    ("fgets", 0, "", "read into private memory, and copy it with `upc_memput`"),
    ("upc_memget", 0, "", "the order is `upc_memget(private, shared, bytes)`; `upc_memput` copies to shared memory"),
    ("upc_memget", 1, "", "the order is `upc_memget(private, shared, bytes)`; `upc_memput` copies from private memory"),
    ("upc_memput", 0, "", "the order is `upc_memput(shared, private, bytes)`; `upc_memget` copies to private memory"),
    ("upc_memput", 1, "", "the order is `upc_memput(shared, private, bytes)`; `upc_memcpy` copies from shared memory"),
    ("upc_memcpy", 0, "upc_memget", "`upc_memget` copies shared memory to private memory"),
    ("upc_memcpy", 1, "upc_memput", "`upc_memput` copies private memory to shared memory"),
    ("upc_memset", 0, "memset", "`memset` sets private memory"),
    ("upc_free", 0, "free", "`free` frees what `malloc` has allocated"),
    ("upc_all_free", 0, "free", "`free` frees what `malloc` has allocated"),
];

pub(super) struct Meant<'a> {
    name: &'a str,
    callee: Span,
    function: &'static str,
    help: &'static str,
}

impl Meant<'_> {
    /// `cast` would make C's function right as it is, where the memory is local.
    pub(super) fn advise(self, diagnostic: Diagnostic, cast: Option<String>) -> Diagnostic {
        let help = match cast.filter(|_| !self.name.starts_with("upc_")) {
            Some(cast) => format!("{}; or {cast}", self.help),
            None => self.help.into(),
        };
        match self.function {
            "" => diagnostic.help(help),
            function => diagnostic.suggest(help, vec![Edit::replace(self.callee, function)]),
        }
    }
}

impl Analyser<'_> {
    /// `free((void *)p)`, where the cast hides that `p` points to shared memory.
    pub(super) fn check_free(&mut self, call: ExprId, args: &[ExprId]) {
        let (Some("free"), &[arg]) = (self.called_name(call), args) else { return };
        let ExprKind::Cast { operand, .. } = self.ast.expr(self.ast.strip_parens(arg)).kind else {
            return;
        };
        let ExprKind::Call { callee, .. } = self.ast.expr(self.ast.strip_parens(call)).kind else {
            return;
        };
        let target = self.types().decayed_pointee(self.sema.expr_type(operand));
        if !target.is_some_and(|ty| self.types().is_shared(ty)) {
            return;
        }
        let edits = vec![
            Edit::replace(self.span(callee), "upc_free"),
            Edit::replace(self.span(arg), self.span(operand).text(self.text)),
        ];
        self.error(
            Diagnostic::warning(codes::W0430, self.span(callee), "`free` of shared memory")
                .at(self.span(operand), "points to shared memory")
                .note("C17 §7.22.3.3: `free` takes what `malloc` and its like have allocated")
                .suggest("`upc_free` frees shared memory", edits),
        );
    }

    /// What is meant, if it is known of the function whose argument does not fit.
    pub(super) fn needs_other_function(&self, receiver: Receiver) -> Option<Meant<'_>> {
        let Receiver::Argument { call, n } = receiver else { return None };
        let ExprKind::Call { callee, .. } = self.ast.expr(call).kind else { return None };
        let ExprKind::Ident(name) = self.ast.expr(callee).kind else { return None };
        let name = self.name(name).trim_start_matches("__builtin_");
        let found = MEANT.iter().find(|&&(known, at, ..)| known == name && at == n);
        found.map(|&(_, _, function, help)| Meant {
            name,
            callee: self.span(callee),
            function,
            help,
        })
    }
}
