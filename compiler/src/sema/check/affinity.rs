// SPDX-License-Identifier: BSD-3-Clause
//! Expressions of UPC's statements: barrier values and `upc_forall` affinity
//! (UPC 1.3 §6.6.1p2, §6.6.2p4).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::syntax::ast::ExprId;

impl Analyser<'_> {
    /// Floating values are assignable to int; pointers are not (C17 §6.5.16.1p1), though compilers
    /// of old only warned of private ones.
    pub(in crate::sema) fn check_barrier_value(&mut self, e: ExprId) {
        let ty = self.value(e);
        let types = self.types();
        if types.is_error(ty) || types.is_arithmetic(ty) {
            return;
        }
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(
                codes::E0501,
                self.span(e),
                "the value of a barrier statement is not assignable to int",
            )
            .label(format!("this is `{shown}`"))
            .note("UPC 1.3 §6.6.1p2: the value of the expression may be assigned to an int")
            .help("use an integer that is equal on all threads"),
        );
    }

    pub(in crate::sema) fn check_affinity(&mut self, e: ExprId) {
        let ty = self.value(e);
        let types = self.types();
        if types.is_error(ty) || types.is_integer(ty) || types.is_pts(ty) {
            return;
        }
        let shown = self.show(ty);
        let help = if types.is_pointer(ty) {
            "use the address of a shared object"
        } else {
            "use an integer, `&a[i]` of a shared array `a`, or `continue`"
        };
        self.error(
            Diagnostic::error(
                codes::E0502,
                self.span(e),
                "the affinity is neither an integer nor a pointer-to-shared",
            )
            .label(format!("this is `{shown}`"))
            .note("UPC 1.3 §6.6.2p4: the affinity has integer or pointer-to-shared type")
            .help(help),
        );
    }
}
