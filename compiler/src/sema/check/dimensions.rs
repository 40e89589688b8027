// SPDX-License-Identifier: BSD-3-Clause
//! Dimensions of shared arrays (UPC 1.3 §6.5.2.1p2 and p3).
//!
//! With THREADS unknown, an array of definite block size names it once, alone or multiplied by
//! a constant, so that every thread's share has a constant size. An array that a pointer refers to
//! may have a length that is known only at run time; an object may not.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::declarator::Role;
use crate::sema::specs::Base;
use crate::sema::types::{ArrayLen, QualType};
use crate::span::Span;
use crate::syntax::ast::*;

const RULE: &str = "UPC 1.3 §6.5.2.1p2: without a fixed number of threads, a shared array of \
                    definite block size names THREADS exactly once, alone or multiplied by an \
                    integer constant expression";

/// The value of an integer expression: `fixed + per_thread * THREADS`.
#[derive(Clone, Copy)]
struct Linear {
    fixed: i128,
    per_thread: i128,
    /// A product of THREADS and constants, perhaps converted.
    is_product: bool,
}

/// `n * THREADS`, with `n` positive.
pub(in crate::sema) struct Multiple {
    pub(in crate::sema) n: u64,
    is_product: bool,
}

impl Analyser<'_> {
    /// The length `e` of an array of shared `elem`; `e` is not a constant.
    pub(in crate::sema) fn shared_dimension(
        &mut self,
        elem: QualType,
        e: ExprId,
        chunk: Span,
        role: Role,
    ) -> ArrayLen {
        if !self.contains_threads(e) {
            if role == Role::Member || self.scopes.depth() == 0 {
                self.variable_length(self.span(e), e);
            }
            return ArrayLen::Variable(Some(e));
        }
        let multiple = self.multiple_of_threads(e);
        if self.types().block(elem) == Some(0) {
            self.threads_in_indefinite(chunk);
        } else if self.types().elem_count(elem).is_some_and(|count| count.times_threads) {
            self.threads_twice(chunk);
            return ArrayLen::Const(1);
        } else {
            match &multiple {
                None => self.no_multiple_of_threads(self.span(e)),
                Some(multiple) if !multiple.is_product => self.warn_of_arithmetic(e),
                Some(_) => {}
            }
        }
        ArrayLen::TimesThreads(multiple.map_or(1, |multiple| multiple.n))
    }

    /// `shared` has been put on the private type of a typedef, which makes `ty`: what its
    /// dimensions say of THREADS counts from now on.
    pub(in crate::sema) fn check_shared_typedef(&mut self, ty: QualType, name: Span) {
        let types = self.types();
        let is_multiple = |len| matches!(len, ArrayLen::TimesThreads(_));
        let names_threads = types.lengths(ty).any(is_multiple);
        if types.block(ty) == Some(0) && names_threads {
            self.threads_in_indefinite(name);
        } else if types.names_threads_twice(ty) {
            self.threads_twice(name);
        }
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
        let variable = types.lengths(ty).find_map(|len| match len {
            ArrayLen::Variable(e) => e,
            _ => None,
        });
        if let Some(e) = variable {
            // At file scope a length in the declarator itself has been complained of.
            if self.scopes.depth() > 0 || self.span(e).lo < name.span.lo {
                self.variable_length(name.span, e);
            }
            return;
        }
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

    /// The length `e` is in the type of what is declared at `name`.
    fn variable_length(&mut self, name: Span, e: ExprId) {
        const REASON: &str = "not an integer constant expression";
        let (span, title) = (self.span(e), "a shared array of variable length");
        let diagnostic = match span.hi < name.lo {
            // A typedef's length.
            true => Diagnostic::error(codes::E0314, name, title)
                .label("a dimension of its type is not constant")
                .at(span, REASON),
            false => Diagnostic::error(codes::E0314, span, title).label(REASON),
        };
        self.error(
            diagnostic
                .note("UPC 1.3 §6.5.2p8: a shared object has static storage, so its size is fixed")
                .help("use a constant, or allocate the array with `upc_all_alloc`"),
        );
    }

    fn threads_in_indefinite(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0316, span, "THREADS in an array of indefinite block size")
                .label("all elements are on one thread, whatever THREADS is")
                .note(
                    "UPC 1.3 §6.5.2.1p3: THREADS does not appear in a shared array of \
                     indefinite block size, unless the number of threads is fixed",
                )
                .help("use a constant, choose a block size, or compile with `-T=<threads>`"),
        );
    }

    fn threads_twice(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0315, span, "two dimensions name THREADS")
                .label("another dimension names it too")
                .note(RULE)
                .help("compile with `-T=<threads>` if the number of threads is fixed"),
        );
    }

    fn no_multiple_of_threads(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0315, span, "a dimension that is not a multiple of THREADS")
                .label("neither THREADS nor THREADS times a constant")
                .note(RULE)
                .help("write it as `THREADS*(constant)`"),
        );
    }

    fn warn_of_arithmetic(&mut self, e: ExprId) {
        self.error(
            Diagnostic::warning(
                codes::W0319,
                self.span(e),
                "a dimension that is a multiple of THREADS, but not written as one",
            )
            .label("accepted here, but not by every UPC compiler")
            .note(RULE)
            .help("write it as `THREADS*(constant)`"),
        );
    }

    /// What `e` is, if it is a positive multiple of a THREADS that is not known.
    pub(in crate::sema) fn multiple_of_threads(&mut self, e: ExprId) -> Option<Multiple> {
        if !self.is_dynamic() || !self.contains_threads(e) {
            return None;
        }
        let value = self.linear(e)?;
        let n = u64::try_from(value.per_thread).ok().filter(|&n| n > 0 && value.fixed == 0)?;
        Some(Multiple { n, is_product: value.is_product })
    }

    fn linear(&mut self, e: ExprId) -> Option<Linear> {
        if self.sema.flags(e).is_constant {
            let fixed = self.constant(e)?;
            return Some(Linear { fixed, per_thread: 0, is_product: true });
        }
        match self.ast.expr(e).kind {
            ExprKind::Threads => Some(Linear { fixed: 0, per_thread: 1, is_product: true }),
            ExprKind::Paren(inner)
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Extension, operand: inner } => {
                self.linear(inner)
            }
            ExprKind::Cast { operand, .. } => {
                let (bits, _) = self.types().integer(self.sema.expr_type(e))?;
                self.linear(operand).filter(|_| bits >= 32)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.linear(lhs)?, self.linear(rhs)?);
                combine(op, a, b)
            }
            ExprKind::Cond { cond, then, els } if self.sema.flags(cond).is_constant => {
                let chosen = if self.constant(cond)? != 0 { then? } else { els };
                Some(Linear { is_product: false, ..self.linear(chosen)? })
            }
            _ => None,
        }
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

/// `a op b`, where that is linear in THREADS too, whatever THREADS is.
fn combine(op: BinaryOp, a: Linear, b: Linear) -> Option<Linear> {
    let is_number = |x: Linear| x.per_thread == 0;
    let (fixed, per_thread) = match op {
        BinaryOp::Add => (a.fixed.checked_add(b.fixed)?, a.per_thread.checked_add(b.per_thread)?),
        BinaryOp::Sub => (a.fixed.checked_sub(b.fixed)?, a.per_thread.checked_sub(b.per_thread)?),
        BinaryOp::Mul if is_number(a) || is_number(b) => {
            let (x, factor) = if is_number(b) { (a, b.fixed) } else { (b, a.fixed) };
            (x.fixed.checked_mul(factor)?, x.per_thread.checked_mul(factor)?)
        }
        BinaryOp::Div if is_number(b) => {
            let exact = |n: i128| (n.checked_rem(b.fixed)? == 0).then(|| n / b.fixed);
            (exact(a.fixed)?, exact(a.per_thread)?)
        }
        BinaryOp::Shl if is_number(b) && (0..63).contains(&b.fixed) => {
            (a.fixed.checked_mul(1 << b.fixed)?, a.per_thread.checked_mul(1 << b.fixed)?)
        }
        _ => return None,
    };
    let is_product = op == BinaryOp::Mul && a.is_product && b.is_product;
    Some(Linear { fixed, per_thread, is_product })
}
