// SPDX-License-Identifier: BSD-3-Clause
//! Subscripts that are computed as those of several dimensions.
//!
//! ```c
//! upc_forall (i = 0; i < n; i++; i) for (j = 0; j < B; j++) a[i * B + j] = 0;   // shared [B] double a[n * B];
//! ```
//! goes along rows as `a[i][j]` would: `i * B + j` is two terms, of which the smaller one stays in the row
//! if it is the index of an inner loop with such bounds.

use super::place::Term;
use super::Emitter;
use crate::opt::constant;
use crate::opt::counted;
use crate::opt::integers::{is_as_in_64_bits, is_integer};
use crate::sema::types::Count;
use crate::sema::ObjectId;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, For};
use std::ops::Range;

impl Emitter<'_> {
    /// Emits the body of a loop by `f`; meanwhile it is known which values the loop's index has.
    pub(super) fn body_of<R>(&mut self, head: &For, f: impl FnOnce(&mut Self) -> R) -> R {
        let known = self.split.is_some().then(|| self.values_of_index(head)).flatten();
        let outer = known.map(|(index, values)| (index, self.index_values.insert(index, values)));
        let result = f(self);
        match outer {
            Some((index, Some(values))) => _ = self.index_values.insert(index, values),
            Some((index, None)) => _ = self.index_values.remove(&index),
            None => {}
        }
        result
    }

    fn values_of_index(&self, head: &For) -> Option<(ObjectId, Range<i64>)> {
        let counted = counted::recognise(self.ast, self.sema, head)?;
        if counted.effects.is_unique || counted.step.text().is_none() {
            return None;
        }
        let [lo, hi] = [counted.lo, counted.hi].map(|id| constant::value(self.ast, self.sema, id));
        let end = hi?.checked_add(i64::from(counted.is_inclusive))?;
        Some((counted.index, lo?..end))
    }

    /// The terms that the subscript of `term` is a sum of, the largest steps first, and which of them stay
    /// within a step of the one before.
    pub(super) fn parts(&mut self, term: &Term) -> Option<Vec<Term>> {
        if term.times.times_threads {
            return None;
        }
        let mut parts = Vec::new();
        self.add_parts(term, term.id, term.is_negative, &mut parts);
        if let [only] = parts.as_slice() {
            if only.id == term.id {
                return None;
            }
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.times.n));
        for i in 1..parts.len() {
            let row = parts[i - 1].times.n;
            parts[i].is_in_bounds = self.stays_below(&parts[i], row);
        }
        Some(parts)
    }

    fn add_parts(&mut self, term: &Term, id: ExprId, is_negative: bool, parts: &mut Vec<Term>) {
        let id = self.ast.strip_parens(id);
        match self.ast.expr(id).kind {
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs }
                if is_as_in_64_bits(self.sema, id)
                    && [lhs, rhs].iter().all(|&side| is_integer(self.sema, side)) =>
            {
                self.add_parts(term, lhs, is_negative, parts);
                self.add_parts(term, rhs, is_negative != (op == BinaryOp::Sub), parts);
            }
            _ => {
                let (id, n) = self.without_factor(id);
                let times = Count { n: term.times.n.saturating_mul(n), times_threads: false };
                let term = Term { times, is_in_bounds: false, ..term.clone() };
                if n != 1 {
                    return self.add_parts(&term, id, is_negative, parts);
                }
                let text = self.value_text(id);
                parts.push(Term { id, text, is_negative, ..term });
            }
        }
    }

    /// A product by a constant, as the other factor and the constant.
    fn without_factor(&self, id: ExprId) -> (ExprId, u64) {
        let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.ast.expr(id).kind else {
            return (id, 1);
        };
        let factor = |id| {
            let value = constant::value(self.ast, self.sema, id)?;
            u64::try_from(value).ok().filter(|&n| n > 0)
        };
        let found = factor(rhs).map(|n| (lhs, n)).or_else(|| factor(lhs).map(|n| (rhs, n)));
        found.filter(|_| is_as_in_64_bits(self.sema, id)).unwrap_or((id, 1))
    }

    /// Does `term` come to less than `row` elements?
    fn stays_below(&self, term: &Term, row: u64) -> bool {
        let id = self.ast.strip_parens(term.id);
        let index = self.sema.object_of(id).map(|(object, _)| object);
        let values = match constant::value(self.ast, self.sema, id) {
            Some(n) => n..n.saturating_add(1),
            None => match index.and_then(|index| self.index_values.get(&index)) {
                Some(values) => values.clone(),
                None => return false,
            },
        };
        let end = u64::try_from(values.end).ok().and_then(|n| n.checked_mul(term.times.n));
        !term.is_negative && values.start >= 0 && end.is_some_and(|end| end <= row)
    }
}
