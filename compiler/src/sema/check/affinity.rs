// SPDX-License-Identifier: BSD-3-Clause
//! Expressions of UPC's statements: barrier values and `upc_forall` affinity
//! (UPC 1.3 §6.6.1p2, §6.6.2p4).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind};

fn ended_by_semicolon(diagnostic: Diagnostic, keyword: Span) -> Diagnostic {
    diagnostic.suggest("is a `;` missing on the line before?", vec![Edit::after(keyword, ";")])
}

impl Analyser<'_> {
    /// Floating values are assignable to int; pointers are not (C17 §6.5.16.1p1), though compilers
    /// of old only warned of private ones.
    pub(in crate::sema) fn check_barrier_value(&mut self, e: ExprId) {
        let ty = self.value(e);
        let types = self.types();
        let keyword = self.keyword_of_line_before(e);
        if types.is_error(ty) {
            return;
        }
        if types.is_arithmetic(ty) {
            return keyword.into_iter().for_each(|keyword| self.value_of_next_line(e, keyword));
        }
        let shown = self.show(ty);
        let diagnostic = Diagnostic::error(
            codes::E0501,
            self.span(e),
            "the value of a barrier statement is not assignable to int",
        )
        .label(format!("this is `{shown}`"))
        .note("UPC 1.3 §6.6.1p2: the value of the expression may be assigned to an int");
        self.error(match keyword {
            Some(keyword) => ended_by_semicolon(diagnostic, keyword),
            None => diagnostic.help("use an integer that is equal on all threads"),
        });
    }

    /// The end of the line before the expression, if the barrier's keyword is all that is there.
    fn keyword_of_line_before(&self, e: ExprId) -> Option<Span> {
        let before = self.text.get(..self.span(e).lo as usize)?;
        let keyword = before.trim_end();
        let hi = keyword.len() as u32;
        before[keyword.len()..].contains('\n').then(|| Span::new(hi, hi))
    }

    fn value_of_next_line(&mut self, e: ExprId, keyword: Span) {
        if !matches!(
            self.ast.expr(self.ast.strip_parens(e)).kind,
            ExprKind::Assign { .. } | ExprKind::Call { .. }
        ) {
            return;
        }
        let title = "the next line is the value of this barrier statement";
        let diagnostic = Diagnostic::warning(codes::W0510, self.span(e), title)
            .label("evaluated before the barrier, and compared with the other threads' values")
            .note("UPC 1.3 §6.6.1p1: an expression may follow the keyword, and a `;` ends both");
        self.error(ended_by_semicolon(diagnostic, keyword));
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
