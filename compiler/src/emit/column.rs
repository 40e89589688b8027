// SPDX-License-Identifier: BSD-3-Clause
//! Accesses of a `for` loop that go by whole blocks, as down the column of a matrix by rows, or stay where
//! they are.
//!
//! ```c
//! for (j = lo; j < hi; j++) sum += m[j][c];                       // shared [N] double m[n][N];
//! ```
//! becomes
//! ```c
//! double *p = address of m[lo][c];
//! for (k = lo; k < hi; k++, p = upcr_next_in_column(p, step, bytes)) { j = k; sum += *p; }
//! ```
//! where the step to the next element is an addition, and another one from the last thread to the
//! first. The address of an element that is found by its subscripts takes three times as much. The C
//! compiler finds it again in each iteration even if all iterations access one element: the division may
//! not be done where there is none.

use super::place::{Place, Term};
use super::split::{Bounds, Split};
use super::Emitter;
use crate::opt::affine::MAX_AHEAD;
use crate::opt::counted::{Counted, Step};
use crate::opt::{alias, integers};
use crate::sema::types::{Count, QualType};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind};

/// What a loop accesses of a column.
#[derive(Debug)]
pub(super) struct Column {
    pub pointer: String,
    /// What the pointer points to.
    ty: QualType,
    /// The place before the loop, and its address.
    place: Place,
    address: String,
    /// From an element to the next, 0 if there is but one; and of a block.
    blocks: u64,
    block_bytes: String,
}

impl Emitter<'_> {
    /// The lvalue of type `ty` at `place`, if the loop being emitted goes down a column there. Only
    /// for code that needs not ask whether a place is here.
    pub(super) fn in_column(&mut self, place: &Place, ty: QualType) -> Option<String> {
        if self.may_be_away() {
            return None;
        }
        let (blocks, place) = self.of_whole_loop(place, ty, |e, split| {
            let blocks = match e.is_standing(place, split) {
                true => 0,
                false => e.blocks_per_iteration(place, split)?,
            };
            Some((blocks, e.place_before(place, &split.counted)?))
        })?;
        let address = self.plain_address_of(&place);
        let columns = self.split.as_ref()?.columns.iter().filter(|c| c.ty == ty);
        for Column { pointer, place: other, address: other_address, .. } in columns {
            if *other_address == address {
                return Some(format!("(*{pointer})"));
            }
            if let Some(distance) = self.distance_in_row(other, &place) {
                return Some(format!("{pointer}[{distance}]"));
            }
        }
        let pointer = self.fresh("c");
        let block_bytes = format!("{} * {}", self.c_sizeof(place.elem), place.block);
        let element = format!("(*{pointer})");
        let column = Column { pointer, ty, place, address, blocks, block_bytes };
        self.split.as_mut()?.columns.push(column);
        Some(element)
    }

    /// How many elements `place` is behind `other`, if that is a constant and both are in one row of a
    /// matrix whose rows do not cross blocks. What each iteration adds to them is the same.
    fn distance_in_row(&self, other: &Place, place: &Place) -> Option<i64> {
        let ([outer @ .., a], [other_outer @ .., b]) = (&*place.terms, &*other.terms) else {
            return None;
        };
        let row = outer.last()?.times.n;
        let is_one_by_one = |t: &Term| {
            let is_element = t.times == Count { n: 1, times_threads: false };
            is_element && t.factors.is_empty() && t.is_in_bounds && !t.is_negative
        };
        let is_same = |(s, t): (&Term, &Term)| {
            let is_fit = s.times == t.times && s.is_negative == t.is_negative;
            is_fit && s.text == t.text && s.factors == t.factors
        };
        let is_row =
            |t: &Term| !t.times.times_threads && t.factors.is_empty() && t.times.n % row == 0;
        let is_fit = [a, b].into_iter().all(is_one_by_one)
            && row > 1
            && place.block % row == 0
            && outer.iter().all(is_row)
            && outer.len() == other_outer.len()
            && outer.iter().zip(other_outer).all(is_same)
            && place.root.text() == other.root.text()
            && (place.elem, place.block) == (other.elem, other.block);
        let ((base, a), (other_base, b)) = (self.base_and_ahead(a.id), self.base_and_ahead(b.id));
        (is_fit && alias::is_same(self.ast, self.sema, base, other_base)).then_some(a - b)
    }

    /// The sum `id` without the constant at its end, and the constant.
    fn base_and_ahead(&self, id: ExprId) -> (ExprId, i64) {
        let id = self.ast.strip_parens(id);
        let ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } =
            self.ast.expr(id).kind
        else {
            return (id, 0);
        };
        match self.constant(rhs).filter(|n| n.abs() <= MAX_AHEAD) {
            Some(n) if integers::is_as_in_64_bits(self.sema, id) => {
                (self.ast.strip_parens(lhs), if op == BinaryOp::Add { n } else { -n })
            }
            _ => (id, 0),
        }
    }

    /// How many whole blocks the place goes by in each iteration. A cyclic array's next element is
    /// found as fast by its subscript.
    fn blocks_per_iteration(&mut self, place: &Place, split: &Split) -> Option<u64> {
        let (counted, reach) = (&split.counted, self.reach(place, &split.counted)?);
        let is_column = counted.step == Step::One
            && reach.times > 1
            && reach.limits.is_empty()
            && reach.times % place.block == 0
            && reach.across.is_empty()
            && reach.within.iter().all(|t| counted.effects.is_invariant(self.ast, self.sema, t.id));
        let terms = [reach.fixed.as_slice(), reach.within.as_slice()].concat();
        self.origin(place, counted, Some(&split.valid))?;
        let is_column = is_column && self.are_defined(&terms, &split.valid);
        is_column.then_some(reach.times / place.block)
    }

    /// Do all iterations find the same element at `place`, by subscripts?
    fn is_standing(&mut self, place: &Place, split: &Split) -> bool {
        let terms = place.terms.iter().map(|term| self.standing_term(term, &split.counted));
        let Some(terms) = terms.collect::<Option<Vec<_>>>() else { return false };
        !terms.is_empty()
            && terms.iter().all(|term| term.factors.is_empty())
            && self.are_defined(&terms, &split.valid)
            && self.origin(place, &split.counted, Some(&split.valid)).is_some()
    }

    /// `place` in names that are known before the loop, where its index has its first value.
    fn place_before(&mut self, place: &Place, counted: &Counted) -> Option<Place> {
        let term = |term: &Term| {
            let effects = &counted.effects;
            let is_own = |id| effects.names_assigned(self.ast, self.sema, id, counted.index);
            if !is_own(term.id) {
                return Some(term.clone());
            }
            let id = effects.resolve(self.ast, self.sema, term.id);
            (!is_own(id)).then(|| Term { id, text: self.value_text(id), ..term.clone() })
        };
        let terms = place.terms.iter().map(term).collect::<Option<Vec<_>>>()?;
        Some(Place { terms, ..place.clone() })
    }

    /// Declares the pointers into the columns, where they are at the loop's begin.
    pub(super) fn columns_at(&mut self, split: &Split, bounds: &Bounds) -> String {
        let set = self.set_index(split, bounds, &bounds.from);
        let declare = |column: &Column| {
            let Column { pointer, ty, address, .. } = column;
            let p = self.c_pointer(*ty);
            format!("{p}{pointer} = __extension__ ({{ {set} ({p}){address}; }}); ")
        };
        split.columns.iter().map(declare).collect()
    }
}

impl Split {
    /// What the loop's step does to the pointers, behind a comma.
    pub(super) fn next_of_columns(&self) -> String {
        let next = |Column { pointer, blocks, block_bytes, .. }: &Column| {
            format!(", {pointer} = upcr_next_in_column({pointer}, {blocks}, {block_bytes})")
        };
        self.columns.iter().filter(|column| column.blocks != 0).map(next).collect()
    }

    /// Does it go down any column?
    pub(super) fn has_columns(&self) -> bool {
        self.columns.iter().any(|column| column.blocks != 0)
    }
}
