// SPDX-License-Identifier: BSD-3-Clause
//! `for` loops over blocked arrays, block by block.
//!
//! ```c
//! for (i = lo; i < hi; i++) sum += a[i];                          // shared [B] double a[n];
//! ```
//! becomes
//! ```c
//! for (first = lo; first < hi; first += n) {
//!     start = first / B * B; n = min(start + B, hi) - first;
//!     double *w_ = upcr_elem_blocked(a, first);
//!     for (k = 0; k < n; k++) { i = first + k; sum += w_[k]; }
//! }
//! ```
//! so that a block costs one division, not each element. Only innermost loops are worth a second
//! copy of their body; one that goes down comes to the last block first. The loop over every THREADS-th element,
//! ```c
//! for (i = MYTHREAD; i < n; i += THREADS) c[i] = 0;               // shared double c[n];
//! ```
//! stays on one thread, where the elements lie side by side:
//! ```c
//! double *w = upcr_add_cyclic(c, MYTHREAD);
//! for (k = 0; k < ...; k++) { i = MYTHREAD + k * THREADS; w[k] = 0; }
//! ```

use super::Emitter;
use crate::opt::counted::{self, Step};
use crate::opt::effects;
use crate::span::Span;
use crate::syntax::ast::For;

impl Emitter<'_> {
    /// Puts the form by blocks before a `for` loop; true if there is one, and the loop then needs
    /// a closing brace.
    pub(super) fn for_by_blocks(&mut self, stmt: Span, head: &For) -> bool {
        if !self.options.optimise || self.split.is_some() {
            return false;
        }
        let Some(counted) = counted::recognise_with_bounds(self.ast, self.sema, head) else {
            return false;
        };
        let is_fit = match counted.step {
            Step::One | Step::Back => {
                effects::is_innermost_body(self.ast, head.body)
                    && !counted.effects.has_statement_expression
            }
            Step::Threads => !effects::breaks_out(self.ast, head.body),
        };
        if counted.effects.is_unique || !is_fit {
            return false;
        }
        let split = self.new_for_split(counted);
        let form = self.split_loop(split, head.body);
        self.split = None;
        let Some(form) = form else { return false };
        let text = format!(
            "{{\n{}{} if ({} else\n{}",
            self.quiet_marker(stmt.lo),
            form.start,
            form.rest,
            self.marker(stmt.lo)
        );
        self.edit(Span::new(stmt.lo, stmt.lo), text);
        true
    }
}
