// SPDX-License-Identifier: BSD-3-Clause
//! Initialisers of shared arrays: every value must have a place that does not depend on the
//! number of threads (UPC 1.3 §6.5.2.1p4 leaves such initialisers to the implementation).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{ArrayLen, QualType, Type};
use crate::syntax::ast::{ExprId, InitId};

const TITLE: &str = "an initialiser whose place in the array is not constant";

impl Analyser<'_> {
    pub(in crate::sema) fn index_not_constant(&mut self, e: ExprId) {
        let mut diagnostic = Diagnostic::error(codes::E0325, self.span(e), TITLE)
            .label("not an integer constant expression")
            .note("C17 §6.7.9p6: an index in a designator is an integer constant expression")
            .help("store the value after a barrier, in `main`");
        if self.contains_threads(e) {
            diagnostic = diagnostic.help("compile with `-T=<threads>`, where THREADS is constant");
        }
        self.error(diagnostic);
    }

    /// The array `ty` has got `n` values, from `first` on, which stand in no braces of their own.
    pub(in crate::sema) fn check_elided_braces(&mut self, ty: QualType, n: u64, first: InitId) {
        match *self.types().kind(ty) {
            Type::Array { len: ArrayLen::TimesThreads(least), .. } if n > least => {}
            _ => return,
        }
        self.error(
            Diagnostic::error(codes::E0325, self.ast.init(first).span, TITLE)
                .label("how many of the values from here on are this row's depends on THREADS")
                .note(
                    "C17 §6.7.9p20: without braces, a row takes as many values as it has elements",
                )
                .help("put braces around the values of each row"),
        );
    }
}
