// SPDX-License-Identifier: BSD-3-Clause
//! The checker (`upcc -check`) hears of regular accesses of a loop once, before the loop; and a report
//! of those whose number and thread are known there (`counts`).
//!
//! ```c
//! for (long i = lo; i < hi; i++) q[i] = p[2 * i];          // shared [] double *p; shared [B] double q[];
//! ```
//! becomes, where the loop is not short:
//! ```c
//! long from = lo, to = hi, n = to - from; unsigned long p0, p1, q0, q1; int swept = 0;
//! if (from >= 0 && n >= MIN_TRIPS) {
//!     { long i = from;     p0 = &p[2 * i]; q0 = &q[i]; }
//!     { long i = from + 1; p1 = &p[2 * i]; q1 = &q[i]; }
//!     { long i = to - 1;   swept = upcr_sweep(p0, p1, &p[2 * i], n, sizeof p[2 * i], 0, ...)
//!                               && upcr_sweep(q0, q1, &q[i], n, sizeof q[i], 1, ...); }
//! }
//! if (swept) for (...) q[i] = p[2 * i];          // as without the checker
//! else for (...) ({ ... upcr_write ... });
//! ```
//! A sweep is the accesses of one place in the source: each iteration makes one, to an element that is
//! as far ahead of the one before in each. The loop synchronises with nobody, so that all of its accesses
//! have the thread's present time. Where a sweep leaves its block or its object, which `upcr_sweep` sees
//! by the last address, the loop asks for each access, as it does for all others.

use super::access::address_text;
use super::body::{Search, Use};
use super::version::Checks;
use super::Emitter;
use crate::opt::counted::{self, Counted};
use crate::opt::{effects, head, integers};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, UnaryOp};

/// A call for each sweep costs as much as so many accesses.
const MIN_TRIPS: u32 = 8;

/// The accesses that `id` makes in all iterations.
pub(super) struct Sweep {
    pub id: ExprId,
    pub reads: bool,
    pub writes: bool,
}

struct Finder<'e, 'a> {
    emitter: &'e Emitter<'a>,
    counted: &'e Counted,
    sweeps: Vec<Sweep>,
}

/// Names of emitted variables: the first index, and the number of iterations, which is 0 where the index
/// may wrap around; whether the accesses have been heard of. And the text that declares them.
struct Trips {
    declared: String,
    from: String,
    n: String,
    swept: String,
    step: String,
}

impl Emitter<'_> {
    /// Emits the loop `id` with its sweeps before it, if it has any.
    pub(super) fn swept(&mut self, id: StmtId) -> bool {
        let Some(head) = head::clauses(self.ast, self.sema, id) else { return false };
        let is_told = self.options.check && self.is_checked() || self.checks == Checks::Counted;
        if !is_told || !self.may_stand_twice(id) {
            return false;
        }
        let Some(counted) = counted::recognise(self.ast, self.sema, &head) else { return false };
        let sweeps = self.sweeps(head.body, &counted);
        if sweeps.is_empty() {
            return false;
        }
        let span = self.ast.stmt(id).span;
        let marker = self.quiet_marker(span.lo);
        let checked = self.quietly(|e| e.captured(span, |e| e.stmt_itself(id)));
        let ids: Vec<_> = sweeps.iter().map(|sweep| sweep.id).collect();
        let (before, condition) = self.without_asking(&ids, |e| match e.options.check {
            true => e.sweep_calls(&sweeps, &counted),
            false => e.sweep_counts(&sweeps, &counted),
        });
        let plain = self.without_asking(&ids, |e| e.captured(span, |e| e.stmt_itself(id)));
        self.edit(
            span,
            format!(
                "{{ {before}\n{marker}if ({condition}) {{\n{}{plain} }} else {{\n{marker}{checked} }} }}",
                self.marker(span.lo)
            ),
        );
        true
    }

    /// What `f` writes where accesses to `ids` are plain ones.
    pub(super) fn without_asking<R>(
        &mut self,
        ids: &[ExprId],
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.swept.extend(ids);
        let result = f(self);
        for id in ids {
            self.swept.remove(id);
        }
        result
    }

    /// The accesses that come once in each iteration of a loop over `body`.
    pub(super) fn sweeps(&self, body: StmtId, counted: &Counted) -> Vec<Sweep> {
        let mut finder = Finder { emitter: self, counted, sweeps: Vec::new() };
        let is_fit = counted.step.text().is_some()
            && effects::is_straight_body(self.ast, self.sema, body)
            && finder.stmt(body, true);
        match is_fit {
            true => finder.sweeps,
            false => Vec::new(),
        }
    }

    fn trips(&mut self, counted: &Counted) -> Trips {
        let [from, to, n, swept] = ["from", "to", "n", "swept"].map(|name| self.fresh(name));
        // What is counted is the loop's own evaluation of its bounds.
        let [lo, hi] = [counted.lo, counted.hi].map(|bound| match self.options.check {
            true => self.value_text(bound),
            false => self.unchecked(|e| e.value_text(bound)),
        });
        let (lowest, end) = self.index_bounds(counted, &lo, &hi);
        let step = counted.step.text().expect("sweeps have such steps");
        let trips = match counted.step.is_by_one() {
            true => format!("{to} - {from}"),
            false => format!("({to} - {from} + {step} - 1) / {step}"),
        };
        let declared = format!(
            "long {from} = {lowest}, {to} = {end}, {n} = {from} >= 0 && {from} < {to} ? \
             {trips} : 0; int {swept} = 0;"
        );
        Trips { declared, from, n, swept, step }
    }

    /// The same where they are counted (`counts`).
    fn sweep_counts(&mut self, sweeps: &[Sweep], counted: &Counted) -> (String, String) {
        let Trips { declared, n, swept, .. } = self.trips(counted);
        let mut adds = String::new();
        for sweep in sweeps {
            let Some((pointer, counts)) = self.counts_of_sweep(sweep) else { continue };
            adds += &format!(" upcr_count_many({pointer}, {counts}, {n});");
        }
        (format!("{declared} if ({n} > 0) {{ {swept} = 1;{adds} }}"), swept)
    }

    /// The declarations and calls before the loop; and the condition that they found no mistake.
    fn sweep_calls(&mut self, sweeps: &[Sweep], counted: &Counted) -> (String, String) {
        let Trips { declared, from, n, swept, step } = self.trips(counted);
        let (mut starts, mut firsts, mut seconds) = (String::new(), String::new(), String::new());
        let mut calls = Vec::new();
        for sweep in sweeps {
            let (at, then) = (self.fresh("at"), self.fresh("then"));
            let lvalue = self.with_subscripts(sweep.id, |e| e.lvalue_text(sweep.id));
            let address = format!("(unsigned long){}", address_text(&lvalue));
            let size = self.c_sizeof(self.sema.expr_type(sweep.id));
            let place = self.place_arguments(self.ast.expr(sweep.id).span.lo);
            starts += &format!(" unsigned long {at} = 0, {then} = 0;");
            firsts += &format!(" {at} = {address};");
            seconds += &format!(" {then} = {address};");
            for writes in [0, 1].into_iter().filter(|&w| [sweep.reads, sweep.writes][w]) {
                calls.push(format!(
                    "upcr_sweep({at}, {then}, {address}, {n}, {size}, {writes}, {place})"
                ));
            }
        }
        // The loop's own index may have begun.
        let counted = Counted { is_declared: true, ..counted.clone() };
        let [first, second, last] =
            [from.clone(), format!("{from} + {step}"), format!("{from} + ({n} - 1) * {step}")]
                .map(|index| self.index_set(&counted, &index));
        let calls = calls.join(" && ");
        let before = format!(
            "{declared}{starts} if ({n} >= {MIN_TRIPS}) {{ {{ {first}{firsts} }} {{ \
             {second}{seconds} }} {{ {last} {swept} = {calls}; }} }}"
        );
        (before, swept)
    }
}

impl<'a> Search<'a> for Finder<'_, 'a> {
    fn emitter(&self) -> &Emitter<'a> {
        self.emitter
    }

    fn access(&mut self, id: ExprId, how: Use) -> bool {
        self.note(id, how);
        self.lvalue(id, how.is_sure)
    }

    fn address(&mut self, id: ExprId, is_sure: bool) -> bool {
        self.lvalue(id, is_sure)
    }
}

impl Finder<'_, '_> {
    /// What finding the shared lvalue `id` accesses.
    fn lvalue(&mut self, id: ExprId, is_sure: bool) -> bool {
        match self.emitter.ast.expr(id).kind {
            ExprKind::Paren(inner)
            | ExprKind::Member { base: inner, arrow: false, .. }
            | ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand: inner }
                if self.is_shared(inner) =>
            {
                self.lvalue(inner, is_sure)
            }
            ExprKind::Index { base, index } => {
                let (base, index) = self.emitter.subscript(base, index);
                let is_fit = match self.is_shared(base) && self.is_array(base) {
                    true => self.lvalue(base, is_sure),
                    false => self.expr(base, is_sure),
                };
                is_fit && self.expr(index, is_sure)
            }
            _ => self.children(id, is_sure),
        }
    }

    fn note(&mut self, id: ExprId, how: Use) {
        let Emitter { sema, .. } = *self.emitter;
        let ty = sema.expr_type(id);
        let is_fit = how.is_sure
            && !self.is_array(id)
            && !sema.types.resolve(ty).quals.is_volatile
            && !sema.flags(id).is_bitfield
            && match self.emitter.options.check {
                true => self.is_linear_lvalue(id),
                false => self.emitter.is_one_threads(id, &self.counted.effects),
            };
        if is_fit {
            self.sweeps.push(Sweep { id, reads: how.reads, writes: how.writes });
        }
    }

    /// Is `id` as many elements ahead in each iteration?
    fn is_linear_lvalue(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        match ast.expr(id).kind {
            ExprKind::Paren(inner) => self.is_linear_lvalue(inner),
            ExprKind::Ident(_) => {
                sema.object_of(id).is_some_and(|(o, _)| self.emitter.is_shared_object(o))
            }
            ExprKind::Index { base, index } => {
                let (base, index) = self.emitter.subscript(base, index);
                self.is_linear_pointer(base) && self.is_linear(index)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => self.is_linear_pointer(operand),
            ExprKind::Member { base, arrow: false, .. } => self.is_linear_lvalue(base),
            ExprKind::Member { base, arrow: true, .. } => self.is_linear_pointer(base),
            _ => false,
        }
    }

    fn is_linear_pointer(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let id = ast.strip_parens(id);
        if self.emitter.shared_target(id).is_none() {
            return false;
        }
        if self.is_array(id) && self.is_shared(id) {
            return self.is_linear_lvalue(id);
        }
        match ast.expr(id).kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => self.is_linear_lvalue(operand),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => self
                .emitter
                .pointer_operand(lhs, rhs)
                .is_some_and(|(base, index)| self.is_linear_pointer(base) && self.is_linear(index)),
            _ => self.counted.effects.is_invariant(ast, sema, id),
        }
    }

    /// Does the integer `id` grow by the same in each iteration?
    fn is_linear(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let id = ast.strip_parens(id);
        if counted::names(ast, sema, id, self.counted.index)
            || self.counted.effects.is_invariant(ast, sema, id)
        {
            return true;
        }
        match ast.expr(id).kind {
            _ if !integers::is_as_in_64_bits(sema, id) => false,
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => {
                self.is_linear(lhs) && self.is_linear(rhs)
            }
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                let is_fixed = |e| self.counted.effects.is_invariant(ast, sema, e);
                self.is_linear(lhs) && self.is_linear(rhs) && (is_fixed(lhs) || is_fixed(rhs))
            }
            _ => false,
        }
    }
}
