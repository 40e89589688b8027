// SPDX-License-Identifier: BSD-3-Clause
//! Loops over a matrix by one index, which subscripts take apart.
//!
//! ```c
//! for (k = 0; k < N * M; k++) { int i = k / M, j = k % M; a[i][j] = 0; }        // shared [N * M] double a[n][M];
//! ```
//! A quotient and the remainder of the same division are the number divided: `a[k / M][k % M]` is element `k`.

use super::place::Term;
use super::Emitter;
use crate::opt::constant;
use crate::opt::counted::Counted;
use crate::opt::head::Moved;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind};

impl Emitter<'_> {
    /// `terms` with such pairs put together, if there are any.
    pub(super) fn put_together(&mut self, terms: &[Term], counted: &Counted) -> Option<Vec<Term>> {
        if counted.moved != Moved::ByHead || counted.target.is_some() {
            return None;
        }
        let mut parts = Vec::new();
        for term in terms {
            let found = self.parts(term);
            parts.extend(found.unwrap_or_else(|| vec![term.clone()]));
        }
        let n_parts = parts.len();
        loop {
            let is_plain = |term: &Term| {
                !term.is_negative && !term.times.times_threads && term.factors.is_empty()
            };
            let ids: Vec<_> = parts.iter().map(|part| part.id).collect();
            let found = self.pair(&ids, counted, |quotient, remainder, by| {
                let (quotient, remainder): (&Term, &Term) = (&parts[quotient], &parts[remainder]);
                let times = remainder.times.n.checked_mul(by);
                is_plain(quotient) && is_plain(remainder) && Some(quotient.times.n) == times
            });
            let Some((quotient, remainder, id)) = found else { break };
            let text = self.value_text(id);
            parts[remainder] = Term { id, text, is_in_bounds: false, ..parts[remainder].clone() };
            parts.remove(quotient);
        }
        (parts.len() < n_parts).then_some(parts)
    }

    /// Do the subscripts of the element `id`, of which the last is a remainder, come to the loop's index?
    pub(super) fn is_taken_apart(&self, id: ExprId, counted: &Counted) -> bool {
        let mut parts = Vec::new();
        let mut element = self.ast.strip_parens(id);
        let ExprKind::Index { base, index } = self.ast.expr(element).kind else { return false };
        let (_, last) = self.subscript(base, index);
        if self.remainder(last, counted).is_none() || counted.moved != Moved::ByHead {
            return false;
        }
        while let ExprKind::Index { base, index } = self.ast.expr(element).kind {
            let (base, index) = self.subscript(base, index);
            self.note_addends(index, &mut parts);
            element = self.ast.strip_parens(base);
        }
        while let Some((quotient, remainder, id)) = self.pair(&parts, counted, |_, _, _| true) {
            parts[remainder] = id;
            parts.remove(quotient);
        }
        parts.iter().all(|&part| self.remainder(part, counted).is_none())
    }

    /// Of two such numbers: where they are in `ids`, and the number that they are parts of. `fits` is asked
    /// for the places of the quotient and the remainder, and the divisor.
    fn pair(
        &self,
        ids: &[ExprId],
        counted: &Counted,
        fits: impl Fn(usize, usize, u64) -> bool,
    ) -> Option<(usize, usize, ExprId)> {
        ids.iter().enumerate().find_map(|(remainder, &id)| {
            let (whole, by) = self.remainder(id, counted)?;
            let divisor = self.divisor(whole, counted)?.checked_mul(by)?;
            let is_other = |&quotient: &usize| {
                self.divisor(ids[quotient], counted) == Some(divisor)
                    && fits(quotient, remainder, by)
            };
            let quotient = (0..ids.len()).find(is_other)?;
            Some((quotient, remainder, whole))
        })
    }

    /// What a sum consists of.
    fn note_addends(&self, id: ExprId, parts: &mut Vec<ExprId>) {
        let id = self.ast.strip_parens(id);
        match self.ast.expr(id).kind {
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                self.note_addends(lhs, parts);
                self.note_addends(rhs, parts);
            }
            _ => parts.push(id),
        }
    }

    /// What `id` is the remainder of, and by which number.
    fn remainder(&self, id: ExprId, counted: &Counted) -> Option<(ExprId, u64)> {
        let id = self.ast.strip_parens(counted.effects.resolve(self.ast, self.sema, id));
        match self.ast.expr(id).kind {
            ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } => Some((lhs, self.positive(rhs)?)),
            _ => None,
        }
    }

    /// By which number the loop's index is divided in `id`.
    fn divisor(&self, id: ExprId, counted: &Counted) -> Option<u64> {
        let id = self.ast.strip_parens(counted.effects.resolve(self.ast, self.sema, id));
        match self.ast.expr(id).kind {
            _ if counted.is_index(self.ast, self.sema, id) => Some(1),
            ExprKind::Binary { op: BinaryOp::Div, lhs, rhs } => {
                self.divisor(lhs, counted)?.checked_mul(self.positive(rhs)?)
            }
            _ => None,
        }
    }

    fn positive(&self, id: ExprId) -> Option<u64> {
        u64::try_from(constant::value(self.ast, self.sema, id)?).ok().filter(|&n| n > 0)
    }
}
