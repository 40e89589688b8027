// SPDX-License-Identifier: BSD-3-Clause
//! Two pointers in one operator: both shared, of one layout, and complete if an order is asked
//! (UPC 1.3 §6.4.2p1 and p2, §6.5.1.1p13).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprId, ExprKind};

impl Analyser<'_> {
    pub(in crate::sema) fn shared_and_private(
        &mut self,
        id: ExprId,
        (lhs, a): (ExprId, QualType),
        (rhs, b): (ExprId, QualType),
    ) {
        let (left, right) = (self.show(a), self.show(b));
        self.error(
            Diagnostic::error(
                codes::E0404,
                self.span(id),
                "a pointer-to-shared and a pointer-to-local in one operator",
            )
            .label("one operand is shared, the other is not")
            .at(self.span(lhs), format!("`{left}`"))
            .at(self.span(rhs), format!("`{right}`"))
            .note(
                "UPC 1.3 §6.4.2p1: no binary operator applies to one pointer-to-shared and one \
                 pointer-to-local",
            )
            .help("cast the pointer-to-shared to a private pointer, if its target is local"),
        );
    }

    /// `p < q` or `p - q`: complete types of one layout.
    pub(in crate::sema) fn check_order(
        &mut self,
        id: ExprId,
        what: &str,
        a: QualType,
        b: QualType,
    ) {
        let (Some(x), Some(y)) = (self.types().pointee(a), self.types().pointee(b)) else { return };
        let incomplete = [x, y].into_iter().find(|&ty| self.types().is_incomplete(ty));
        let Some(target) = incomplete else {
            self.check_one_array(id, what);
            return self.check_same_layout(id, what, a, b);
        };
        let shown = self.show(target);
        self.error(
            Diagnostic::error(
                codes::E0405,
                self.span(id),
                format!("pointers-to-shared of incomplete type are {what}"),
            )
            .label(format!("`{shown}` is incomplete"))
            .note(
                "UPC 1.3 §6.4.2p2 and p8: an order or a difference counts elements, so the \
                 referenced type is complete; `==` and `!=` are allowed",
            )
            .help("cast both pointers to a complete type"),
        );
    }

    /// `&a[i] - b`: two objects have no distance.
    fn check_one_array(&mut self, id: ExprId, what: &str) {
        let ExprKind::Binary { lhs, rhs, .. } = self.ast.expr(id).kind else { return };
        let (Some((a, x)), Some((b, y))) = (self.array_of(lhs), self.array_of(rhs)) else { return };
        if x == y {
            return;
        }
        let labels =
            [(lhs, a), (rhs, b)].map(|(e, array)| (e, format!("into {}", self.quote(array))));
        let title = format!("pointers into two arrays are {what}");
        let diagnostic = Diagnostic::warning(codes::W0433, self.span(id), title)
            .label("no number of elements leads from one to the other");
        let diagnostic =
            labels.into_iter().fold(diagnostic, |d, (e, label)| d.at(self.span(e), label));
        self.error(
            diagnostic
                .note(
                    "UPC 1.3 §6.4.2p8 and p9: a difference or an order is defined only if adding an \
                     integer to one pointer gives the other",
                )
                .help("compare the indices; `==` and `!=` compare any pointers"),
        );
    }

    pub(in crate::sema) fn check_same_layout(
        &mut self,
        id: ExprId,
        what: &str,
        a: QualType,
        b: QualType,
    ) {
        let (Some(x), Some(y)) = (self.types().pointee(a), self.types().pointee(b)) else { return };
        let types = self.types();
        let blocks = (types.block(x), types.block(y));
        let elem = |ty| types.size_of(types.ultimate_elem(ty));
        if blocks.0 == blocks.1 && elem(x) == elem(y) {
            return;
        }
        let (left, right) = (self.show(a), self.show(b));
        let label = match blocks {
            (Some(m), Some(n)) if m != n => format!("block sizes {m} and {n}"),
            _ => "elements of different size".into(),
        };
        let title = if what.starts_with("the arms") {
            format!("{what} are pointers-to-shared of different layout")
        } else {
            format!("pointers-to-shared of different layout are {what}")
        };
        self.error(
            Diagnostic::error(codes::E0406, self.span(id), title)
                .label(label)
                .note(format!("the types are `{left}` and `{right}`"))
                .note("UPC 1.3 §6.5.1.1p13: the block size is part of a type's compatibility")
                .help("cast one of them, or both to `shared void *`"),
        );
    }
}
