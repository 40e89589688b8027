// SPDX-License-Identifier: BSD-3-Clause
//! Members of structures and unions (C17 §6.7.2.1p3). The C compiler would diagnose them too, but
//! later phases walk down members and rely on an end.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{ArrayLen, QualType, Type, Types};
use crate::span::Span;

impl Analyser<'_> {
    /// The type of the member declared at `span` as `ty`; ERROR if it contains a record that is
    /// not complete yet, so that no record ever contains itself.
    pub(in crate::sema) fn check_member(&mut self, span: Span, ty: QualType) -> QualType {
        let (part, is_flexible) = match *self.types().kind(ty) {
            Type::Array { elem, len: ArrayLen::Unknown } => (elem, true),
            _ => (ty, false),
        };
        if !self.types().is_incomplete(part) {
            return ty;
        }
        let shown = self.show(part);
        let what = if is_flexible { "elements of incomplete type" } else { "incomplete type" };
        let mut error = Diagnostic::error(codes::E0322, span, format!("a member has {what}"))
            .label(format!("the size of `{shown}` is not known here"))
            .note("C17 §6.7.2.1p3: a structure or union cannot contain an instance of itself, or of any type that is incomplete or a function");
        error = match *self.types().get(self.types().ultimate_elem(part).ty) {
            Type::Record(id) if self.types().record(id).is_open => error
                .at(self.types().record(id).span, "this type ends only after the member")
                .help("make the member a pointer"),
            Type::Record(_) => {
                error.help("define the type before this, or make the member a pointer")
            }
            _ => error,
        };
        self.error(error);
        Types::ERROR
    }
}
