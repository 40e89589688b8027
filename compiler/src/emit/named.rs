// SPDX-License-Identifier: BSD-3-Clause
//! Pointers that a loop's body declares for an element.
//!
//! ```c
//! for (i = lo; i < hi; i++) { shared [B] struct body *p = &bodies[i]; p->x += p->v; }
//! ```
//! What such a pointer leads to is where its value says, so that the loop walks there as by that.

use super::place::{Place, Root, Source};
use super::Emitter;

impl Emitter<'_> {
    /// `place` by what its pointer is declared with, if the body of the loop being emitted does so: to
    /// walk there, as it is not evaluated where the pointer is declared.
    pub(super) fn place_by_name(&mut self, place: &Place) -> Option<Place> {
        let &Root::Pointer { source: Source::Value(id), .. } = &place.root else { return None };
        let target = self.shared_target(id)?;
        let value = self.split.as_ref()?.counted.pointer_value(self.ast, self.sema, id)?;
        let mut from = self.pointed_place(value, target);
        from.terms.extend(place.terms.iter().cloned());
        (from.block == place.block && from.elem == place.elem).then_some(from)
    }
}
