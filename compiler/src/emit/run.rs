// SPDX-License-Identifier: BSD-3-Clause
//! Accesses of a `for` loop to runs of elements beside its blocks.
//!
//! ```c
//! for (j = lo; j < hi; j++) b[i * n + j] = a[(i - 1) * n + j];     // shared [B] double a[m], b[m];
//! ```
//! goes along the blocks of `b` (`blocks`). The elements of `a` that go with a piece of a block may be in
//! two blocks; where they are in one, a pointer finds them:
//! ```c
//! double *q_ = upcr_in_one_block((i - 1) * n + j, n, B) ? address of a[(i - 1) * n + j] : 0;
//! if (q_) for (k = 0; k < n; k++) w_[k] = q_[k]; else ...
//! ```

use super::place::{Place, Root};
use super::split::Split;
use super::walk::MIN_BLOCK;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType};

/// A run of one element for each iteration, and of some beside them.
#[derive(Debug)]
pub(super) struct Run {
    pointer: String,
    elem: QualType,
    root: Root,
    block: u64,
    /// Number of the element at index 0, as C text; empty for 0.
    shift: String,
    nearest: i64,
    farthest: i64,
}

impl Emitter<'_> {
    /// The element at `place`, if the loop being emitted may have a run there, and a pointer to the run.
    pub(super) fn in_run(&mut self, place: &Place, ty: QualType) -> Option<(String, String)> {
        let (shift, ahead) = self.of_whole_loop(place, ty, |e, split| e.run_of(place, split))?;
        let new = self.fresh("q");
        let split = self.split.as_mut()?;
        let is_same = |run: &Run| {
            run.root.text() == place.root.text() && run.elem == place.elem && run.shift == shift
        };
        let at = split.runs.iter().position(is_same).unwrap_or_else(|| {
            split.runs.push(Run {
                pointer: new,
                elem: place.elem,
                root: place.root.clone(),
                block: place.block,
                shift,
                nearest: ahead,
                farthest: ahead,
            });
            split.runs.len() - 1
        });
        let run = &mut split.runs[at];
        (run.nearest, run.farthest) = (run.nearest.min(ahead), run.farthest.max(ahead));
        let pointer = run.pointer.clone();
        let ahead = if ahead == 0 { String::new() } else { format!(" + {ahead}") };
        Some((format!("{pointer}[{}{ahead}]", split.counter), pointer))
    }

    /// What is added to the index: what stands still, as C text, and a constant.
    fn run_of(&mut self, place: &Place, split: &Split) -> Option<(String, i64)> {
        if split.block == 0 || !split.may_run || !split.is_interior {
            return None;
        }
        let reach = self.reach(place, &split.counted)?;
        let is_run = reach.times == 1
            && place.block >= MIN_BLOCK
            && reach.limits.is_empty()
            && reach.within.is_empty()
            && reach.across.is_empty()
            && self.are_defined(&reach.fixed, &split.valid);
        self.origin(place, &split.counted, Some(&split.valid))?;
        let shift = self.shift(&reach)?;
        is_run.then_some((shift, reach.ahead))
    }

    /// Declares the pointers where the loop's counter is 0 at the index `first`, for `n` elements: null
    /// where these are in several blocks.
    pub(super) fn runs_at(&mut self, split: &Split, first: &str, n: &str) -> String {
        let mut text = String::new();
        for Run { pointer, elem, root, block, shift, nearest, farthest } in &split.runs {
            let (p, size) = (self.c_pointer(*elem), self.c_sizeof(*elem));
            let shift = if shift.is_empty() { String::new() } else { format!(" + {shift}") };
            let at = format!("{first}{shift} + {nearest}");
            let (address, phase) = match root {
                Root::Object(cell) => {
                    (format!("upcr_elem_blocked({cell}, {at}, {size}, {block})"), String::new())
                }
                Root::Pointer { text, rep, .. } => {
                    debug_assert!(*rep == PtsRep::Packed);
                    (
                        format!("upcr_packed_address({text}, {at}, {size}, {block})"),
                        format!(" + (long)upcr_phase({text})"),
                    )
                }
            };
            let spread = farthest - nearest;
            text += &format!(
                "{p}{pointer} = upcr_walk(upcr_in_one_block({at}{phase}, {n} + {spread}, {block}) ? \
                 (void *)(({p}){address} - {nearest}) : (void *)0); "
            );
        }
        text
    }
}

impl Split {
    /// That all runs are in one block each, as C texts.
    pub(super) fn conditions_of_runs(&self) -> Vec<String> {
        self.runs.iter().map(|run| run.pointer.clone()).collect()
    }
}
