// SPDX-License-Identifier: BSD-3-Clause
//! Small loops that find elements by their subscripts.
//!
//! ```c
//! for (i = 0; i < n; i++) sum += a[index[i]];                     // shared double a[n];
//! ```
//! has as many instructions to find the element as for all else, and the processor can look ahead
//! over so few iterations that it waits for memory. So the C compiler is asked to unroll it, which
//! it does without being asked only where the number of iterations is a small constant:
//! ```c
//! #pragma GCC unroll 4
//! for (i = 0; i < n; i++) sum += *(double *)upcr_add_cyclic(a, index[i], sizeof(double));
//! ```
//! Larger loops have other work to do, and would crowd the instruction cache. The C compiler warns of
//! the pragma where it finds no loop, as where the body always leaves it: so only loops that count are
//! unrolled, whose bodies come to their end.

use super::Emitter;
use crate::opt::{counted, effects};
use crate::span::Span;
use crate::syntax::ast::{For, StmtId};

/// Bytes of a loop's source.
const MAX_SOURCE: usize = 300;
const MAX_ELEMENTS: u32 = 4;

impl Emitter<'_> {
    /// Asks for the `for` loop `id` to be unrolled, if that is worth it: `n_found` elements had been
    /// found by subscripts before its body was emitted.
    pub(super) fn unroll(&mut self, id: StmtId, head: &For, n_found: u32) {
        let span = self.ast.stmt(id).span;
        let n = self.n_found - n_found;
        let is_worth_it = self.options.optimise
            && !self.may_be_away()
            && (1..=MAX_ELEMENTS).contains(&n)
            && span.text(self.source).len() <= MAX_SOURCE
            && !self.ast.pragmas.contains_key(&id)
            && !self.canonical.contains(&id)
            && effects::is_straight_body(self.ast, self.sema, head.body)
            && counted::recognise(self.ast, self.sema, head).is_some();
        if is_worth_it {
            // Compilers other than gcc may not know the pragma; nobody wants to hear of it.
            let marker = self.quiet_marker(span.lo);
            self.edit(Span::new(span.lo, span.lo), format!("\n{marker}#pragma GCC unroll 4"));
        }
    }
}
