// SPDX-License-Identifier: BSD-3-Clause
//! Elements of static arrays that are the calling thread's whatever THREADS is: those of block
//! number MYTHREAD, and the blocks that are whole rounds of all threads further.
//!
//! ```c
//! a[MYTHREAD][2 * i]                                              // shared [B] double a[THREADS][B];
//! b[i * THREADS + MYTHREAD]                                       // shared double b[n * THREADS];
//! ```
//! lie in the thread's segment one after another, so that no subscript is divided:
//! ```c
//! ((double *)upcr_local(a))[2 * i]
//! ((double *)upcr_local(b))[i]
//! ```

use super::place::{Place, Root, Term};
use super::Emitter;
use crate::sema::types::Count;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind};

impl Emitter<'_> {
    /// Is the element at `place` the calling thread's, as its subscripts say?
    pub(super) fn is_own(&mut self, place: &Place) -> bool {
        self.own_terms(place).is_some()
    }

    /// The address of the element at `place`, if it is the calling thread's.
    pub(super) fn own_address(&mut self, place: &Place) -> Option<String> {
        let Root::Object(cell) = &place.root else { return None };
        let terms = self.own_terms(place)?;
        let size = self.c_sizeof(place.elem);
        Some(match self.offset(&terms) {
            None => format!("upcr_local({cell})"),
            Some(offset) => format!("upcr_local_elem({cell}, {offset}, {size})"),
        })
    }

    /// The subscripts of `place` in elements of the calling thread.
    fn own_terms(&mut self, place: &Place) -> Option<Vec<Term>> {
        if !matches!(place.root, Root::Object(_)) {
            return None;
        }
        let (mut own, mut is_found) = (Vec::new(), false);
        for term in &place.terms {
            if term.is_negative || !term.factors.is_empty() {
                return None;
            } else if is_found {
                // Only subscripts of arrays are sure to stay within the block.
                let is_within = term.is_in_bounds && !term.times.times_threads;
                own.push(is_within.then(|| term.clone())?);
            } else if let Some(local) = self.local_stride(term, place.block) {
                own.push(Term { times: Count { n: local, times_threads: false }, ..term.clone() });
            } else {
                is_found = term.times == Count { n: place.block, times_threads: false };
                let rounds = self.rounds(term.id).filter(|_| is_found)?;
                own.extend(rounds.map(|id| Term { id, text: self.value_text(id), ..term.clone() }));
            }
        }
        is_found.then_some(own)
    }

    /// The number of rounds in `id`, which is MYTHREAD and whole rounds of all threads.
    fn rounds(&self, id: ExprId) -> Option<Option<ExprId>> {
        let id = self.ast.strip_parens(id);
        match self.ast.expr(id).kind {
            ExprKind::MyThread => Some(None),
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if self.is_in_64_bits(id) => {
                match (self.rounds(lhs), self.rounds(rhs)) {
                    (Some(None), None) => Some(Some(self.times_threads(rhs)?)),
                    (None, Some(None)) => Some(Some(self.times_threads(lhs)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `x`, if `id` is `x * THREADS`.
    fn times_threads(&self, id: ExprId) -> Option<ExprId> {
        let id = self.ast.strip_parens(id);
        let ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } = self.ast.expr(id).kind else {
            return None;
        };
        let is_threads =
            |e| matches!(self.ast.expr(self.ast.strip_parens(e)).kind, ExprKind::Threads);
        match (is_threads(lhs), is_threads(rhs)) {
            _ if !self.is_in_64_bits(id) => None,
            (_, true) => Some(lhs),
            (true, false) => Some(rhs),
            (false, false) => None,
        }
    }

    fn is_in_64_bits(&self, id: ExprId) -> bool {
        crate::opt::integers::is_as_in_64_bits(self.sema, id)
    }
}
