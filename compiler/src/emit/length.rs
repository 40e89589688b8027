// SPDX-License-Identifier: BSD-3-Clause
//! Numbers of elements, where some length is known only at run time.
//!
//! ```c
//! shared [4] int (*p)[n];
//! ```
//! becomes
//! ```c
//! const long upcr_length7 = n; upcr_pts p;
//! ```
//! because C17 §6.7.6.2p5 evaluates the length once, with the declaration: `n` may change later. The
//! C type of `p` cannot hold the length, unless it is that of a plain pointer.

use super::Emitter;
use crate::sema::types::{ArrayLen, Count, QualType, Type};
use crate::span::Span;
use crate::syntax::ast::ExprId;

impl Emitter<'_> {
    /// Declares the lengths of shared arrays in `ty` that are written in `place`.
    pub(super) fn declare_lengths(&mut self, ty: QualType, place: Span) -> String {
        let mut out = String::new();
        for length in self.lengths_in(ty, place) {
            let value = self.value_text(length);
            let name = format!("upcr_length{}", length.0);
            out += &format!("const long {name} = {value}; ");
            self.lengths.insert(length, name);
        }
        out
    }

    /// The lengths of shared arrays in `ty` that are written in `place` and are not constant.
    pub(super) fn lengths_in(&self, ty: QualType, place: Span) -> Vec<ExprId> {
        let types = &self.sema.types;
        let (mut found, mut level) = (Vec::new(), ty);
        loop {
            level = match *types.kind(level) {
                Type::Pointer(target) => target,
                Type::Array { elem, len } => {
                    if let ArrayLen::Variable(Some(e)) = len {
                        let span = self.ast.expr(e).span;
                        let is_here = place.lo <= span.lo && span.hi <= place.hi;
                        if is_here && types.is_shared(elem) {
                            found.push(e);
                        }
                    }
                    elem
                }
                _ => return found,
            };
        }
    }

    /// The value of a length, which has a name since its declaration.
    pub(super) fn length_text(&mut self, id: ExprId) -> String {
        match self.lengths.get(&id) {
            Some(name) => name.clone(),
            None => self.value_text(id),
        }
    }

    /// Ultimate elements of `ty`: the constant part of the number, and the lengths known at run
    /// time as further factors, ` * (long)n`.
    pub(super) fn elem_factors(&mut self, ty: QualType) -> (Count, String) {
        let (mut count, mut factors) = (Count { n: 1, times_threads: false }, String::new());
        let lengths: Vec<ArrayLen> = self.sema.types.lengths(ty).collect();
        for length in lengths {
            match length {
                ArrayLen::Const(n) => count.n = count.n.saturating_mul(n),
                ArrayLen::TimesThreads(n) => {
                    count.n = count.n.saturating_mul(n);
                    count.times_threads = true;
                }
                ArrayLen::Variable(Some(e)) => {
                    factors += &format!(" * (long)({})", self.length_text(e));
                }
                ArrayLen::Variable(None) | ArrayLen::Unknown => {}
            }
        }
        (count, factors)
    }
}
