// SPDX-License-Identifier: BSD-3-Clause
//! Accesses that a report counts (`upcc -inst`, `upcrun -report`): the program itself adds them to the
//! counts of their place and thread, which are part of the recording (`runtime/core/record.h`).
//!
//! An access that stands alone finds its counts each time, by `upcr_is_here_counted`; loops once. On
//! one host a loop has a version that is a plain one but for its counting:
//! ```c
//! unsigned long *const n1 = upcr_counts_before(...);
//! if (n1) for (...) x += ({ double *a = &p[i]; upcr_count(a, n1); *a; });
//! else for (...) ...
//! ```
//! Where finding an element takes the number of its thread, that is counted, and not found once more
//! from the address:
//! ```c
//! ({ unsigned long h; double *a = upcr_elem_cyclic_of(at, i, 8, &h); upcr_count_of(h, n1); *a; })
//! ```
//! What it accesses through one pointer to indefinite blocks is one thread's: if that comes in each
//! iteration, as often as the loop has iterations, it is added before.
//! ```c
//! long from = lo, to = hi, n = to - from; int swept = 0;
//! if (from >= 0 && n > 0) { swept = 1; upcr_count_many(p, n1, n); }
//! if (swept) for (...) x += p[i];
//! else for (...) x += ({ double *a = &p[i]; upcr_count(a, n1); *a; });
//! ```
//! So is what a loop over all of a blocked array accesses by the pointer that walks along a block
//! (`split`), before each block.

use super::remote::Site;
use super::split::Split;
use super::sweep::Sweep;
use super::version::{all_here, Checks};
use super::{Emitter, Inst};
use crate::opt::counted::Step;
use crate::syntax::ast::{ExprId, StmtId};

/// Of each thread, where the counts of each place are.
pub(super) const COUNTS: &str = "upcr_counts_here";

/// More of them are more than registers hold.
const MAX_COUNTS: usize = 32;

/// Where a loop counts the accesses of a place: a variable, and the arguments that find it.
pub(super) struct Counts {
    name: String,
    arguments: String,
}

/// What an access does.
#[derive(Clone, Copy)]
pub(super) enum Uses {
    Reads,
    Writes,
    Both,
}

impl Uses {
    fn text(self) -> &'static str {
        match self {
            Uses::Reads => "UPCR_READS_IT",
            Uses::Writes => "UPCR_WRITES_IT",
            Uses::Both => "UPCR_READS_IT | UPCR_WRITES_IT",
        }
    }
}

/// Accesses that each iteration of a loop over a block makes, to the block's thread.
#[derive(Default)]
pub(super) struct BlockCounts {
    ids: Vec<ExprId>,
    /// Pointers to the block, and the variables with the counts.
    adds: Vec<(String, String)>,
}

impl BlockCounts {
    pub fn ids(&self) -> &[ExprId] {
        &self.ids
    }

    /// What stands before the loop over the block, which has `n` iterations.
    pub fn before(&self, n: &str) -> String {
        let add = |(pointer, counts)| format!("upcr_count_many({pointer}, {counts}, {n}); ");
        self.adds.iter().map(|(p, c)| (p, c)).map(add).collect()
    }
}

impl Emitter<'_> {
    fn is_counting(&self) -> bool {
        self.options.inst != Inst::Off && !self.options.check
    }

    /// Is an access counted by the number of its thread, if that is known where its address is found?
    pub(super) fn is_counted_by_home(&self) -> bool {
        self.checks == Checks::Counted
    }

    /// What else makes the plain version of the loop `id` fit: that all it accesses is the thread's own,
    /// of which nobody hears, and which is here.
    pub(super) fn own_condition(&mut self, id: StmtId) -> String {
        if !self.is_counting() {
            return String::new();
        }
        match self.homes_of_loop(id) {
            Some(pointers) => format!(" || ({})", all_here(&pointers)),
            None => String::new(),
        }
    }

    /// What stands before the version of the loop `id` that asks.
    pub(super) fn counted_version(&mut self, id: StmtId) -> String {
        if !self.is_counting() {
            return String::new();
        }
        let span = self.ast.stmt(id).span;
        let outer = std::mem::take(&mut self.counts);
        let text =
            self.with_checks(Checks::Counted, |e| e.quietly(|e| e.captured(span, |e| e.stmt(id))));
        let text = self.folds.unfold(text);
        let mut counts = std::mem::replace(&mut self.counts, outer);
        // Of texts that were given up, some are left.
        counts
            .retain(|c| [")", ","].iter().any(|end| text.contains(&format!(", {}{end}", c.name))));
        if counts.is_empty() || counts.len() > MAX_COUNTS {
            return String::new();
        }
        let found: Vec<_> = counts
            .iter()
            .map(|c| format!("*const {} = upcr_counts_before({})", c.name, c.arguments))
            .collect();
        let names: Vec<_> = counts.iter().map(|c| c.name.as_str()).collect();
        let marker = self.quiet_marker(span.lo);
        format!(
            "unsigned long {};\n{marker}if ({}) {{ {text} }} else\n",
            found.join(", "),
            names.join(" && ")
        )
    }

    /// What is counted before each block of the loop that is split, over `body`.
    pub(super) fn block_counts(&mut self, body: StmtId) -> BlockCounts {
        let mut counts = BlockCounts::default();
        let is_fit = |s: &&Split| {
            let is_each = s.counted.step.is_by_one() || s.counted.step == Step::Threads;
            self.checks == Checks::Counted && s.is_of_one_thread() && is_each
        };
        let Some(split) = self.split.as_ref().filter(is_fit) else { return counts };
        for sweep in self.sweeps(body, &split.counted) {
            if let Some(add) = self.counts_of_sweep(&sweep) {
                counts.ids.push(sweep.id);
                counts.adds.push(add);
            }
        }
        counts
    }

    /// A pointer to the memory of a sweep's thread, and the variable with its counts.
    pub(super) fn counts_of_sweep(&mut self, sweep: &Sweep) -> Option<(String, String)> {
        let uses = match (sweep.reads, sweep.writes) {
            (true, true) => Uses::Both,
            (true, false) => Uses::Reads,
            (false, _) => Uses::Writes,
        };
        let pointer = self.home_pointer(sweep.id)?;
        let size = self.c_sizeof(self.sema.expr_type(sweep.id));
        let place = self.place_arguments(self.ast.expr(sweep.id).span.lo);
        let arguments = self.count_arguments(&size, &place, uses)?;
        Some((pointer, self.counts_of_loop(arguments)))
    }

    /// Whether a relaxed access to `site`, whose address is in `a`, is made in place; stands where the
    /// access is made.
    pub(super) fn is_here_counted(&mut self, site: &Site, a: &str, uses: Uses) -> String {
        let size = self.c_sizeof(site.ty());
        let Some(arguments) = self.count_arguments(&size, site.place(), uses) else {
            return format!("upcr_is_here({a})");
        };
        match (self.checks, site.home()) {
            (Checks::Counted, Some(home)) => {
                format!("upcr_count_of({home}, {})", self.counts_of_loop(arguments))
            }
            (Checks::Counted, None) => {
                format!("upcr_count({a}, {})", self.counts_of_loop(arguments))
            }
            _ => format!("upcr_is_here_counted({a}, {arguments})"),
        }
    }

    /// The arguments that find the counts of a place; `None`: a report hears of nothing.
    pub(super) fn count_arguments(
        &mut self,
        size: &str,
        place: &str,
        uses: Uses,
    ) -> Option<String> {
        if !self.is_counting() {
            return None;
        }
        let row = self.n_counts;
        self.n_counts += 1;
        Some(format!("{size}, {}, &{COUNTS}[{row}], {place}", uses.text()))
    }

    /// The variable that the loop being emitted as counted has for them.
    pub(super) fn counts_of_loop(&mut self, arguments: String) -> String {
        let name = self.fresh("n");
        self.counts.push(Counts { name: name.clone(), arguments });
        name
    }
}
