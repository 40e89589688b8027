// SPDX-License-Identifier: BSD-3-Clause
//! Accesses of a `for` loop that go along a row of a matrix, where no block ends within a row.
//!
//! ```c
//! for (j = lo; j < hi; j++) b[i][j] = a[i - 1][j] + a[i + 1][j];  // shared [N] double a[n][N], b[n][N];
//! ```
//! becomes
//! ```c
//! double *p = address of b[i][0], *q = address of a[i - 1][0], *r = address of a[i + 1][0];
//! for (k = lo; k < hi; k++) { j = k; p[k] = q[k] + r[k]; }
//! ```
//! The row is one thread's, whichever that is, since a subscript of an array stays in it (C17 §6.5.6p8).
//! Where it may be another host's, rows that walks along blocks (`walk`) lead to are fetched in pieces;
//! then only the others are found in this way.

use super::place::{Place, Root, Term};
use super::split::Split;
use super::Emitter;
use crate::opt::affine::{self, Addend, Affine};
use crate::opt::early;
use crate::opt::wrapped::{self, Limit};
use crate::sema::types::QualType;

/// What a loop accesses of a row.
#[derive(Debug)]
pub(super) struct Row {
    pointer: String,
    elem: QualType,
    /// Of its first element, as C text.
    address: String,
    /// How far from that the element at index 0 is, as C text; empty for 0.
    fixed: String,
    /// A pointer whose phase must be a multiple of the row's elements, by its C text, and these.
    begin: Option<(String, u64)>,
}

impl Emitter<'_> {
    /// The element at `place`, if the loop being emitted goes along a row there, and a pointer to it that
    /// the loop keeps.
    pub(super) fn in_row(&mut self, place: &Place, ty: QualType) -> Option<(String, String)> {
        let (row, affine, limits) =
            self.of_whole_loop(place, ty, |e, split| e.row_of(place, split))?;
        self.keep_to(&limits)?;
        let address = self.plain_address_of(&row);
        let begin = match &row.root {
            Root::Object(_) => None,
            Root::Pointer { text, .. } => {
                Some((format!("(unsigned long){text}"), row.terms.last()?.times.n))
            }
        };
        // Before the loop: in its body the names may mean something else.
        let fixed = self.sum_text(&affine.fixed);
        let rows = &self.split.as_ref()?.rows_in_blocks;
        let known = rows
            .iter()
            .find(|row| row.address == address && row.fixed == fixed && row.elem == place.elem);
        let pointer = match known {
            Some(row) => row.pointer.clone(),
            None => {
                let pointer = self.fresh("p");
                let row = Row { pointer: pointer.clone(), elem: place.elem, address, fixed, begin };
                self.split.as_mut()?.rows_in_blocks.push(row);
                pointer
            }
        };
        let (pointer, counter) = (pointer + "_", self.split.as_ref()?.counter.clone());
        let element = match affine.ahead {
            0 => format!("{pointer}[{counter}]"),
            ahead => format!("{pointer}[{counter} + {ahead}]"),
        };
        Some((element, pointer))
    }

    /// The place of the row's first element, the subscript in the row, and where it is that.
    fn row_of(&mut self, place: &Place, split: &Split) -> Option<(Place, Affine, Vec<Limit>)> {
        let (subscript, outer) = place.terms.split_last()?;
        let length = outer.last()?.times;
        let counted = &split.counted;
        let standing: Option<Vec<_>> =
            outer.iter().map(|term| self.standing_term(term, counted)).collect();
        let outer = standing?;
        let is_whole = |term: &Term| term.factors.is_empty() && term.times.n % length.n == 0;
        let is_fit = subscript.is_in_bounds
            && !subscript.is_negative
            && subscript.times.n == 1
            && !subscript.times.times_threads
            && !length.times_threads
            && length.n > 1
            && place.block % length.n == 0
            && outer.iter().all(is_whole)
            && self.are_defined(&outer, &split.valid)
            && !counted.is_back();
        if !is_fit || !subscript.factors.is_empty() {
            return None;
        }
        let affine = affine::recognise(self.ast, self.sema, subscript.id, counted);
        let (affine, limits) = match affine {
            Some(affine) => (affine, Vec::new()),
            None => {
                let wrapped = wrapped::recognise(self.ast, self.sema, subscript.id, counted)?;
                (wrapped.sum, wrapped.limits)
            }
        };
        let is_defined =
            |addend: &Addend| early::is_defined(self.ast, self.sema, addend.id, &split.valid);
        if !affine.fixed.iter().all(is_defined) {
            return None;
        }
        self.origin(place, counted, Some(&split.valid))?;
        Some((Place { terms: outer, ..place.clone() }, affine, limits))
    }

    /// Declares the pointers to the rows' begins.
    pub(super) fn rows_at(&mut self, split: &Split) -> String {
        let declare = |row: &Row| {
            let Row { pointer, elem, address, fixed, .. } = row;
            let p = self.c_pointer(*elem);
            format!("{p}{pointer} = ({p})upcr_walk((void *){address}){fixed}; ")
        };
        split.rows_in_blocks.iter().map(declare).collect()
    }

    /// The same pointers where the loop's counter is 0 at the index `first`.
    pub(super) fn rows_from(&mut self, split: &Split, first: &str) -> String {
        let declare = |row: &Row| {
            let Row { pointer, elem, .. } = row;
            format!("{}{pointer}_ = {pointer} + ({first}); ", self.c_pointer(*elem))
        };
        split.rows_in_blocks.iter().map(declare).collect()
    }
}

impl Split {
    /// What must hold for its rows, behind `&&`.
    pub(super) fn condition_of_rows(&self) -> String {
        let begins = self.rows_in_blocks.iter().filter_map(|row| row.begin.as_ref());
        let mut conditions: Vec<_> =
            begins.map(|(p, n)| format!(" && upcr_phase({p}) % {n} == 0")).collect();
        conditions.sort();
        conditions.dedup();
        conditions.concat()
    }
}
