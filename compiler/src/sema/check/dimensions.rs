// SPDX-License-Identifier: BSD-3-Clause
//! Dimensions of shared arrays (UPC 1.3 §6.5.2.1p2 and p3).
//!
//! With THREADS unknown, an array of definite block size names it once, alone or multiplied by
//! a constant, so that every thread's share has a constant size.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::specs::Base;
use crate::sema::types::{ArrayLen, QualType};
use crate::span::Span;
use crate::syntax::ast::*;

const RULE: &str = "UPC 1.3 §6.5.2.1p2: without a fixed number of threads, a shared array of \
                    definite block size names THREADS exactly once, alone or multiplied by an \
                    integer constant expression";

impl Analyser<'_> {
    /// The length `e` of an array of shared `elem`; `e` is not a constant.
    pub(in crate::sema) fn shared_dimension(
        &mut self,
        elem: QualType,
        e: ExprId,
        chunk: Span,
    ) -> ArrayLen {
        if !self.contains_threads(e) {
            self.error(
                Diagnostic::error(codes::E0314, self.span(e), "a shared array of variable length")
                    .label("not an integer constant expression")
                    .note("UPC 1.3 §6.5.2p8: a shared object has static storage, so its size is fixed")
                    .help("use a constant, or allocate the array with `upc_all_alloc`"),
            );
            return ArrayLen::Variable(Some(e));
        }
        let factor = self.factor_of_threads(e);
        let len = ArrayLen::TimesThreads(factor.unwrap_or(1));
        if self.types().block(elem) == Some(0) {
            self.error(
                Diagnostic::error(
                    codes::E0316,
                    chunk,
                    "THREADS in an array of indefinite block size",
                )
                .label("all elements are on one thread, whatever THREADS is")
                .note(
                    "UPC 1.3 §6.5.2.1p3: THREADS does not appear in a shared array of \
                         indefinite block size, unless the number of threads is fixed",
                )
                .help("use a constant, choose a block size, or compile with `-T=<threads>`"),
            );
        } else if self.types().elem_count(elem).is_some_and(|count| count.times_threads) {
            self.error(
                Diagnostic::error(codes::E0315, chunk, "two dimensions name THREADS")
                    .label("another dimension names it too")
                    .note(RULE)
                    .help("compile with `-T=<threads>` if the number of threads is fixed"),
            );
            return ArrayLen::Const(1);
        } else if factor.is_none() {
            self.error(
                Diagnostic::error(
                    codes::E0315,
                    self.span(e),
                    "a dimension that is not a multiple of THREADS",
                )
                .label("neither THREADS nor THREADS times a constant")
                .note(RULE)
                .help("write it as `THREADS*(constant)`"),
            );
        }
        len
    }

    pub(in crate::sema) fn negative_dimension(&mut self, e: ExprId, n: i128) {
        self.error(
            Diagnostic::error(codes::E0324, self.span(e), "a shared array of negative length")
                .label(format!("this is {n}"))
                .note("C17 §6.7.6.2p1: a constant array length is greater than zero"),
        );
    }

    /// The object `name` has its final type `ty`, which is shared.
    pub(in crate::sema) fn check_dimensions(&mut self, name: Ident, ty: QualType, base: &Base) {
        self.check_size(name, ty);
        let types = self.types();
        let definite = types.block(ty).is_some_and(|block| block != 0);
        let lacks_threads = types.elem_count(ty).is_some_and(|count| !count.times_threads)
            && !types.is_incomplete(ty);
        if !self.is_dynamic() || base.is_wrong || !definite || !lacks_threads || !types.is_array(ty)
        {
            return;
        }
        let text = self.name(name.name);
        self.error(
            Diagnostic::error(
                codes::E0315,
                name.span,
                format!("no dimension of the shared array `{text}` names THREADS"),
            )
            .label("the number of threads is not known")
            .at(base.shared.unwrap_or(name.span), "its block size is definite")
            .note(RULE)
            .help("name THREADS in a dimension, use `shared []`, or compile with `-T=<threads>`"),
        );
    }

    fn check_size(&mut self, name: Ident, ty: QualType) {
        if !self.types().is_beyond_memory(ty) {
            return;
        }
        let text = self.name(name.name);
        self.error(
            Diagnostic::error(
                codes::E0320,
                name.span,
                format!("the shared array `{text}` is larger than any memory"),
            )
            .label("has more bytes than an address can tell apart")
            .help("check its dimensions"),
        );
    }

    /// `n` if `e` is THREADS multiplied by positive constants whose product is `n`. Warns if there
    /// is more than one: the rule wants `THREADS*(a*b)`, but programs write `THREADS*a*b`.
    fn factor_of_threads(&mut self, e: ExprId) -> Option<u64> {
        let (mut product, mut factors, mut at) = (1u64, 0, self.ast.strip_parens(e));
        while !matches!(self.ast.expr(at).kind, ExprKind::Threads) {
            let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.ast.expr(at).kind else {
                return None;
            };
            let (next, factor) = if self.contains_threads(lhs) { (lhs, rhs) } else { (rhs, lhs) };
            if !self.sema.flags(factor).is_constant {
                return None;
            }
            let n = u64::try_from(self.constant(factor)?).ok().filter(|&n| n > 0)?;
            product = product.checked_mul(n)?;
            factors += 1;
            at = self.ast.strip_parens(next);
        }
        if factors > 1 {
            self.warn_of_factors(e);
        }
        Some(product)
    }

    fn warn_of_factors(&mut self, e: ExprId) {
        self.error(
            Diagnostic::warning(
                codes::W0319,
                self.span(e),
                "THREADS multiplied by more than one constant",
            )
            .label("accepted here, but not by every UPC compiler")
            .note(RULE)
            .help("put the constants in parentheses: `THREADS*(a*b)`"),
        );
    }

    /// Does THREADS stand anywhere in the arithmetic of `e`?
    pub(in crate::sema) fn contains_threads(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.ast.expr(e).kind {
                ExprKind::Threads => return true,
                ExprKind::Paren(inner)
                | ExprKind::Unary { operand: inner, .. }
                | ExprKind::Cast { operand: inner, .. } => todo.push(inner),
                ExprKind::Binary { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => {
                    todo.extend([lhs, rhs])
                }
                ExprKind::Cond { cond, then, els } => {
                    todo.extend([Some(cond), then, Some(els)].into_iter().flatten())
                }
                _ => {}
            }
        }
        false
    }
}
