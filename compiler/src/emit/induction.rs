// SPDX-License-Identifier: BSD-3-Clause
//! Induction variables of a distributed loop that are pointers: its index, or others beside that.
//!
//! ```c
//! for (i = lo; i < hi; i++) sum += *p++;                          // shared double *p;
//! ```
//! In each iteration `p` is what it was before the loop and `i - lo`, so that the element is found, or
//! walked to, by the iteration's number: by the pointer, each one would wait for the one before. Where
//! anything else needs `p`, it has its value.

use super::place::{Place, Root, Source};
use super::split::Split;
use super::Emitter;
use crate::opt::constant;
use crate::opt::counted::Counted;
use crate::sema::types::{PtsRep, QualType};
use crate::sema::ObjectId;

/// How far the index is from its first value, and that value, if the index is no pointer.
const NUMBER: &str = "upcr_number";
const BEGIN: &str = "upcr_begin";

impl Emitter<'_> {
    /// The place of an element that such a pointer leads to, by where that starts: for texts that stand
    /// before the loop.
    pub(super) fn place_from_start(&mut self, place: &Place, counted: &Counted) -> Option<Place> {
        let (object, target, rounds) = self.mover(place, counted)?;
        let start = match counted.target.filter(|_| object == counted.index) {
            Some(_) => counted.lowest_pointer(),
            None => counted.inductions.iter().find(|induction| induction.object == object)?.start,
        };
        let mut from = match start {
            Some(start) => self.pointed_place(start, target),
            None => self.kept_place(object, target),
        };
        let n_start = from.terms.len();
        if self.counts_from_begin(counted) {
            self.push_text(&mut from, counted.lo, BEGIN.into(), true, target);
        }
        self.push_text(&mut from, counted.named, NUMBER.into(), false, target);
        from.terms[n_start..].iter_mut().for_each(|term| term.times.times_threads |= rounds);
        from.terms.extend(place.terms.iter().cloned());
        Some(from)
    }

    /// The same of an element that no pointer walks to, by the iteration's number: for texts in the loop,
    /// where names may mean something else.
    pub(super) fn place_by_number(&mut self, place: &Place) -> Option<Place> {
        if self.may_be_away() {
            return None;
        }
        let mut split = self.split.take()?;
        let mover = self.mover(place, &split.counted);
        split.is_by_number |= mover.is_some();
        let named = split.counted.named;
        self.split = Some(split);
        let (object, target, rounds) = mover?;
        let mut from = self.kept_place(object, target);
        self.push_text(&mut from, named, NUMBER.into(), false, target);
        from.terms[0].times.times_threads |= rounds;
        from.terms.extend(place.terms.iter().cloned());
        Some(from)
    }

    /// The pointer that keeps step and leads to `place`, what it points to, and whether it goes by THREADS.
    fn mover(&self, place: &Place, counted: &Counted) -> Option<(ObjectId, QualType, bool)> {
        let &Root::Pointer { source: Source::Value(id), .. } = &place.root else { return None };
        let is_index = counted.is_index(self.ast, self.sema, id);
        if let Some(target) = counted.target.filter(|_| is_index) {
            return Some((counted.index, target, false));
        }
        let induction = counted.induction(self.ast, self.sema, id)?;
        Some((induction.object, induction.target, induction.is_by_threads))
    }

    fn kept_place(&mut self, object: ObjectId, target: QualType) -> Place {
        let rep = self.sema.types.target_rep(target).unwrap_or(PtsRep::Direct);
        let root = Root::Pointer { text: self.kept(object), rep, source: Source::Kept };
        self.new_place(root, target)
    }

    /// Does the index begin at another number than 0?
    fn counts_from_begin(&self, counted: &Counted) -> bool {
        counted.target.is_none() && constant::value(self.ast, self.sema, counted.lo) != Some(0)
    }

    /// The emitted variable for where a pointer is before the loop.
    fn kept(&self, object: ObjectId) -> String {
        format!("upcr_from_{}", self.name(self.sema.object(object).name))
    }

    /// Declares where the pointers of a loop start; `lowest` is the first value of its index.
    pub(super) fn pointer_starts(&mut self, split: &Split, lowest: &str) -> String {
        let counted = &split.counted;
        let mut text = String::new();
        if !counted.inductions.is_empty() && self.counts_from_begin(counted) {
            text += &format!("long {BEGIN} = {lowest}; ");
        }
        let index = counted.target.map(|_| (counted.index, counted.lowest_pointer()));
        let inductions =
            counted.inductions.iter().map(|induction| (induction.object, induction.start));
        for (object, start) in index.into_iter().chain(inductions) {
            let variable = self.sema.object(object);
            let value = match start {
                Some(start) => self.value_text(start),
                None => self.name(variable.name).into(),
            };
            let declared = self.declare(variable.ty, self.kept(object));
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
        let value = self.moved(&self.kept(counted.index), counted.target?, NUMBER, false);
        Some((format!("long {NUMBER} = {number}; "), value))
    }

    /// Sets the pointers that go along to what they are where the index is `value`.
    pub(super) fn inductions_at(&mut self, counted: &Counted, value: &str) -> String {
        let mut text = match (counted.inductions.is_empty(), counted.target) {
            (true, _) | (_, Some(_)) => String::new(),
            _ if self.counts_from_begin(counted) => {
                format!(" long {NUMBER} = (long)({value}) - {BEGIN};")
            }
            _ => format!(" long {NUMBER} = (long)({value});"),
        };
        for induction in &counted.inductions {
            let name = self.name(self.sema.object(induction.object).name).to_string();
            let by = match induction.is_by_threads {
                true => format!("({NUMBER} * (long)upcr_threads())"),
                false => NUMBER.into(),
            };
            let moved = self.moved(&self.kept(induction.object), induction.target, &by, false);
            text += &format!(" {name} = {moved};");
        }
        text
    }
}
