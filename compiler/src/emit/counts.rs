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
//!
//! What remains is counted in one iteration of many, which has an own copy of the body, for all of them
//! (`upcr_sample`):
//! ```c
//! if (left) { left--; x += p[f(i)]; }
//! else { unsigned long w = upcr_sample_weight(s); left = upcr_sample(s);
//!        x += ({ double *a = &p[f(i)]; upcr_count_sample(upcr_home_of(a), n1, w, left); *a; }) }
//! ```
//! Where a `for` loop counts up by one, the iterations that are left out are a loop of their own inside it:
//! ```c
//! for (i = lo; i < hi; i++) {
//!     { long to = hi, stop = left < to - i ? i + left : to; left -= stop - i;
//!       for (; i < stop; i++) x += p[f(i)];
//!       if (i >= to) break; }
//!     unsigned long w = ...; do { x += ({ ... }); } while (0);
//! }
//! ```

use super::remote::Site;
use super::split::Split;
use super::sweep::Sweep;
use super::version::{all_here, Checks};
use super::{Emitter, Inst};
use crate::opt::counted::{self, Step};
use crate::opt::effects;
use crate::opt::head::Moved;
use crate::syntax::ast::{ExprId, For, StmtId, StmtKind};
use crate::syntax::visit::all_stmts;

/// Of each thread, where the counts of each place are.
pub(super) const COUNTS: &str = "upcr_counts_here";

/// Of each thread, how far each sampled loop is.
pub(super) const SAMPLES: &str = "upcr_samples_here";

/// More of them are more than registers hold.
const MAX_COUNTS: usize = 32;

/// Where a loop counts the accesses of a place: a variable, and the arguments that find it.
pub(super) struct Counts {
    name: String,
    arguments: String,
}

/// What the emitter knows of samples.
#[derive(Default)]
pub(super) struct Samples {
    /// The loops of the unit that have one.
    pub n: u32,
    /// Those of the loop that is being emitted as counted: the variable with the iterations to leave
    /// out, and the sample.
    open: Vec<(String, String)>,
    /// In an iteration that counts: for how many it stands, and how many are left out behind it.
    iteration: Option<String>,
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
        let mut samples = std::mem::take(&mut self.samples.open);
        samples.retain(|(left, _)| text.contains(&format!("{left} = upcr_sample(")));
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
        let begins: String = samples
            .iter()
            .map(|(left, sample)| format!("unsigned long {left} = upcr_sample_begin(&{sample}); "))
            .collect();
        format!(
            "unsigned long {};\n{marker}if ({}) {{ {begins}{text} }} else\n",
            found.join(", "),
            names.join(" && "),
        )
    }

    /// The body of a loop, whose clauses are `head` if it is a `for`; most iterations count nothing.
    pub(super) fn loop_body(&mut self, body: StmtId, head: Option<&For>) {
        match self.sampled_body(body, head) {
            Some(text) => self.edit(self.ast.stmt(body).span, text),
            None => self.stmt(body),
        }
    }

    /// `None`: each iteration counts what it accesses.
    fn sampled_body(&mut self, body: StmtId, head: Option<&For>) -> Option<String> {
        let is_fit = self.checks == Checks::Counted
            && self.samples.iteration.is_none()
            && self.loops_of(body) == 0;
        if !is_fit {
            return None;
        }
        let span = self.ast.stmt(body).span;
        let n_counts = self.counts.len();
        let (left, weight) = (self.fresh("left"), self.fresh("w"));
        self.samples.iteration = Some(format!("{weight}, {left}"));
        let counted = self.quietly(|e| e.captured(span, |e| e.stmt(body)));
        self.samples.iteration = None;
        if self.counts.len() == n_counts {
            return Some(counted);
        }
        let plain = self.unchecked(|e| e.captured(span, |e| e.stmt(body)));
        let sample = format!("{SAMPLES}[{}]", self.samples.n);
        self.samples.n += 1;
        self.samples.open.push((left.clone(), sample.clone()));
        let marker = self.quiet_marker(span.lo);
        let sampled = format!(
            "const unsigned long {weight} = upcr_sample_weight(&{sample}); \
             {left} = upcr_sample(&{sample});\n{marker}"
        );
        Some(match head.and_then(|head| self.run_of_iterations(head, &left)) {
            Some([before, run, end]) => format!(
                "{{ {{ {before}\n#pragma GCC unroll 4\n{marker}{run} {plain} {end} }} {sampled}do {{ {counted} }} while (0); }}"
            ),
            None => format!(
                "{{ if ({left}) {{ {left}--;\n{marker}{plain} }} else {{ {sampled}{counted} }} }}"
            ),
        })
    }

    /// Where `head` counts up by one: what a loop over the next iterations that are left out begins with,
    /// its clauses, and what leaves the whole loop behind it.
    fn run_of_iterations(&mut self, head: &For, left: &str) -> Option<[String; 3]> {
        let counted = counted::recognise(self.ast, self.sema, head)?;
        let fits_long = |ty| {
            let integer = self.sema.types.integer(ty);
            integer.is_some_and(|(bits, is_signed)| bits < 64 || bits == 64 && is_signed)
        };
        let mut has_break = false;
        all_stmts(self.ast, head.body, &mut |id| {
            has_break |= matches!(self.ast.stmt(id).kind, StmtKind::Break);
        });
        let index = self.sema.object(counted.index);
        let is_fit = counted.step == Step::One
            && counted.moved == Moved::ByHead
            && !has_break
            && effects::is_straight_body(self.ast, self.sema, head.body)
            && fits_long(index.ty)
            && fits_long(self.sema.expr_type(counted.hi));
        if !is_fit {
            return None;
        }
        let i = self.name(index.name);
        let (to, stop) = (self.fresh("to"), self.fresh("stop"));
        let hi = self.unchecked(|e| e.value_text(counted.hi));
        let inclusive = if counted.is_inclusive { " + 1" } else { "" };
        Some([
            format!(
                "long {to} = (long)({hi}){inclusive}, {stop} = (long){left} < {to} - {i} ? {i} + (long){left} : {to}; \
                 {left} -= (unsigned long)({stop} - {i});"
            ),
            format!("for (; {i} < {stop}; {i}++)"),
            format!("if ({i} >= {to}) break;"),
        ])
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
        if self.checks != Checks::Counted {
            return format!("upcr_is_here_counted({a}, {arguments})");
        }
        let counts = self.counts_of_loop(arguments);
        match (site.home(), &self.samples.iteration) {
            (Some(home), None) => format!("upcr_count_of({home}, {counts})"),
            (None, None) => format!("upcr_count({a}, {counts})"),
            (Some(home), Some(it)) => format!("upcr_count_sample({home}, {counts}, {it})"),
            (None, Some(it)) => format!("upcr_count_sample(upcr_home_of({a}), {counts}, {it})"),
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
