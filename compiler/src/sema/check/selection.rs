// SPDX-License-Identifier: BSD-3-Clause
//! `_Generic` with shared types (C17 §6.5.1.1p2). The C compiler cannot judge it: several types of
//! pointers-to-shared are one type in emitted C.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::span::Span;
use crate::syntax::ast::{ExprId, GenericAssoc};

impl Analyser<'_> {
    /// `ty` is the type of `control`'s value.
    pub(in crate::sema) fn check_selection(
        &mut self,
        control: ExprId,
        ty: QualType,
        assocs: &[GenericAssoc],
        is_selected: bool,
    ) {
        let of = |assoc: &GenericAssoc| {
            let name = assoc.ty?;
            Some((self.sema.type_of_name(name), self.ast.type_name(name).span))
        };
        let listed: Vec<(QualType, Span)> = assocs.iter().filter_map(of).collect();
        let is_ours = |ty: QualType| self.types().is_pts(ty) || self.types().is_shared(ty);
        let twin = |&(n, &(ty, _)): &(usize, &(QualType, Span))| {
            is_ours(ty) && listed[..n].iter().any(|&(other, _)| self.types().compatible(ty, other))
        };
        if let Some((_, &(ty, span))) = listed.iter().enumerate().find(twin) {
            return self.selected_twice(ty, span);
        }
        let is_ours = is_ours(ty) || listed.iter().any(|&(ty, _)| is_ours(ty));
        if is_ours && !is_selected {
            self.none_selected(control, ty);
        }
    }

    fn selected_twice(&mut self, ty: QualType, span: Span) {
        let title = "a `_Generic` names one type twice";
        self.error(
            Diagnostic::error(codes::E0435, span, title)
                .label(format!("compatible with an earlier one: `{}`", self.show(ty)))
                .note("C17 §6.5.1.1p2: no two associations name compatible types")
                .help("remove one of them; `shared` and `shared [1]` are the same block size"),
        );
    }

    fn none_selected(&mut self, control: ExprId, ty: QualType) {
        let title = format!("no type of this `_Generic` is that of {}", self.quote(control));
        self.error(
            Diagnostic::error(codes::E0435, self.span(control), title)
                .label(format!("a `{}`", self.show(ty)))
                .note(
                    "C17 §6.5.1.1p2, UPC 1.3 §6.5.1.1p13: without `default`, one type is compatible \
                     with that of the value, which is never shared itself; block sizes count",
                )
                .help("add an association of that type, or `default`"),
        );
    }
}
