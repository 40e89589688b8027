// SPDX-License-Identifier: BSD-3-Clause
//! `strict` and `relaxed`: not both, and only beside `shared` (UPC 1.3 §6.5p2, §6.5.1.1p4).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;

impl Analyser<'_> {
    /// C89's implicit int, of which the C compiler would see nothing.
    pub(in crate::sema) fn shared_without_type(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0102, span, "a shared declaration without a type")
                .label("a type is expected after the qualifier")
                .note("C17 §6.7.2p2: each declaration has at least one type specifier")
                .help("write the type, such as `shared int`"),
        );
    }

    /// `int shared;` and `shared [4] int;`, in which no name is declared.
    pub(in crate::sema) fn shared_without_name(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0102, span, "a shared declaration without a name")
                .label("a keyword, and no name follows")
                .note("UPC 1.3 §6.2p3: `shared` is a keyword of UPC")
                .help("write the name of the object; if `shared` is meant as one, choose another"),
        );
    }

    pub(in crate::sema) fn strict_and_relaxed(&mut self, second: Span, first: Span) {
        self.error(
            Diagnostic::error(codes::E0301, second, "both `strict` and `relaxed`")
                .label("contradicts the other qualifier")
                .at(first, "the other one comes from here")
                .note(
                    "UPC 1.3 §6.5p2 and §6.5.2p7: a declaration or qualifier list is `strict` or \
                     `relaxed`, directly or through typedefs, but not both",
                )
                .help("keep one of them"),
        );
    }

    pub(in crate::sema) fn reference_qualifier_alone(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0302, span, "`strict` or `relaxed` without `shared`")
                .label("says how shared data is accessed, but nothing here is shared")
                .note(
                    "UPC 1.3 §6.5.1.1p4: a reference qualifier appears only in a qualifier list \
                     that also has `shared`",
                )
                .help("add `shared`, or remove the qualifier"),
        );
    }
}
