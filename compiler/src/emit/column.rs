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
use crate::opt::counted::{Counted, Step};
use crate::sema::types::QualType;

/// What a loop accesses of a column.
#[derive(Debug)]
pub(super) struct Column {
    pub pointer: String,
    /// What the pointer points to.
    ty: QualType,
    /// The place, by the loop's index.
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
        let columns = &self.split.as_ref()?.columns;
        let known = columns.iter().find(|c| c.address == address && c.ty == ty);
        let pointer = match known {
            Some(column) => column.pointer.clone(),
            None => {
                let pointer = self.fresh("c");
                let block_bytes = format!("{} * {}", self.c_sizeof(place.elem), place.block);
                let column = Column { pointer: pointer.clone(), ty, address, blocks, block_bytes };
                self.split.as_mut()?.columns.push(column);
                pointer
            }
        };
        Some(format!("(*{pointer})"))
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
