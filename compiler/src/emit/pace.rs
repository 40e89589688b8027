// SPDX-License-Identifier: BSD-3-Clause
//! Pointers that keep step with a distributed loop: the one that is its index, and those that go along.
//!
//! ```c
//! for (i = lo; i < hi; i++) sum += *p++;                          // shared double *p;
//! ```
//! In each iteration `p` is what it was before the loop and `i - lo`, so that the element is found, or
//! walked to, by the iteration's number: by the pointer, each one would wait for the one before. Where
//! anything else needs `p`, it has its value.

use super::place::{Place, Root, Source};
use super::split::Split;
use super::text::primary;
use super::Emitter;
use crate::opt::constant;
use crate::opt::counted::{self, Counted};
use crate::opt::riders::Rider;
use crate::sema::types::PtsRep;

/// The number of an iteration, where the index is a pointer; and the first value of one that is none.
const NUMBER: &str = "upcr_number";
const BEGIN: &str = "upcr_begin";

impl Emitter<'_> {
    /// The place of an element that such a pointer leads to, by where that starts.
    pub(super) fn place_from_start(&mut self, place: &Place, counted: &Counted) -> Option<Place> {
        let &Root::Pointer { source: Source::Value(id), .. } = &place.root else { return None };
        let is_index = counted::names(self.ast, self.sema, id, counted.index);
        let (mut start, target, is_by_threads) = match counted.target.filter(|_| is_index) {
            Some(target) => (self.pointed_place(counted.lo, target), target, false),
            None => {
                let rider = counted.rider(self.ast, self.sema, id)?;
                (self.rider_start(rider), rider.target, rider.is_by_threads)
            }
        };
        let n_start = start.terms.len();
        let number = match counted.target {
            Some(_) => NUMBER.into(),
            None => self.value_text(counted.named),
        };
        if self.counts_from_begin(counted) {
            self.push_text(&mut start, counted.lo, BEGIN.into(), true, target);
        }
        self.push_text(&mut start, counted.named, number, false, target);
        for term in &mut start.terms[n_start..] {
            term.times.times_threads |= is_by_threads;
        }
        start.terms.extend(place.terms.iter().cloned());
        Some(start)
    }

    fn rider_start(&mut self, rider: &Rider) -> Place {
        let Rider { start, target, .. } = *rider;
        match start {
            Some(start) => self.pointed_place(start, target),
            None => {
                let rep = self.sema.types.target_rep(target).unwrap_or(PtsRep::Direct);
                let root = Root::Pointer { text: self.kept(rider), rep, source: Source::Kept };
                self.new_place(root, target)
            }
        }
    }

    /// The place of an element that no pointer walks to, by the iteration's number.
    pub(super) fn place_by_number(&mut self, place: &Place) -> Option<Place> {
        if self.may_be_away() {
            return None;
        }
        let mut split = self.split.take()?;
        let by_start = self.place_from_start(place, &split.counted);
        split.is_by_number |= by_start.is_some();
        self.split = Some(split);
        by_start
    }

    /// Does the index begin at another number than 0?
    fn counts_from_begin(&self, counted: &Counted) -> bool {
        counted.target.is_none() && constant::value(self.ast, self.sema, counted.lo) != Some(0)
    }

    /// The emitted variable for where a pointer is before the loop.
    fn kept(&self, rider: &Rider) -> String {
        format!("upcr_from_{}", self.name(self.sema.object(rider.object).name))
    }

    /// Declares where the pointers of a loop start; `lowest` is the first value of its index.
    pub(super) fn rider_starts(&mut self, split: &Split, lowest: &str) -> String {
        let counted = &split.counted;
        let mut text = String::new();
        if !counted.riders.is_empty() && self.counts_from_begin(counted) {
            text += &format!("long {BEGIN} = {lowest}; ");
        }
        for rider in &counted.riders {
            let object = self.sema.object(rider.object);
            let value = match rider.start {
                Some(start) => self.value_text(start),
                None => self.name(object.name).into(),
            };
            let declared = self.declare(object.ty, self.kept(rider));
            text += &format!("{declared} = {value}; ");
        }
        text
    }

    /// Gives the index that is a pointer its value, `number` elements from where it starts.
    pub(super) fn pointer_at(
        &mut self,
        counted: &Counted,
        number: &str,
    ) -> Option<(String, String)> {
        let target = counted.target?;
        let lo = primary(self.value_text(counted.lo));
        let value = self.moved(&lo, target, NUMBER, false);
        Some((format!("long {NUMBER} = {number}; "), value))
    }

    /// Sets the pointers that go along to what they are where the index is `value`.
    pub(super) fn riders_at(&mut self, counted: &Counted, value: &str) -> String {
        let number = match self.counts_from_begin(counted) {
            true => format!("(long)({value}) - {BEGIN}"),
            false => value.into(),
        };
        let mut text = String::new();
        for rider in &counted.riders {
            let name = self.name(self.sema.object(rider.object).name).to_string();
            let by = match rider.is_by_threads {
                true => format!("({number}) * (long)upcr_threads()"),
                false => number.clone(),
            };
            let moved = self.moved(&self.kept(rider), rider.target, &by, false);
            text += &format!(" {name} = {moved};");
        }
        text
    }
}
