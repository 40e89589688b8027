// SPDX-License-Identifier: BSD-3-Clause
//! `upc_forall` loops that visit only the iterations of their thread.
//!
//! ```c
//! upc_forall (i = lo; i < hi; i++; &a[i]) a[i] = b[i];          // shared [B] double a[n], b[n];
//! ```
//! becomes, for the outermost loop, with `r` counting this thread's blocks:
//! ```c
//! double *w1 = upcr_local(a), *w2 = upcr_local(b);              // this thread's first element
//! for (r = first; start = (r * THREADS + MYTHREAD) * B, start < hi; r++) {
//!     from = max(start, lo); n = min(start + B, hi) - from;
//!     for (k = 0; k < n; k++) { i = from + k; w1[r * B + from - start + k] = ...; }
//! }
//! ```
//! With B = 1 the loop over `r` alone remains. Either way the accesses have unit stride, so the
//! C compiler can vectorise them. The plain form of the loop stays beside it, for the case that
//! an outer loop distributes already, and for bounds or pointers that do not fit.

use super::place::{Place, Root, Term};
use super::Emitter;
use crate::opt::counted::{self, Counted};
use crate::sema::types::{PtsRep, QualType};
use crate::sema::ObjectId;
use crate::syntax::ast::{Affinity, ExprId, ExprKind, Forall};

/// The loop whose body is being emitted in its distributed form.
#[derive(Debug)]
pub(super) struct Split {
    counted: Counted,
    /// Iterations per block.
    block: u64,
    /// The variable that counts the iterations of a block, or the blocks if `block` is 1.
    counter: String,
    walks: Vec<Walk>,
    /// Pointers that must point to phase 0 on thread 0: then they are like static arrays.
    origins: Vec<String>,
}

/// A root with a private pointer that walks along its local elements.
#[derive(Debug)]
struct Walk {
    root: String,
    /// Elements per iteration.
    times: u64,
    elem: QualType,
    pointer: String,
}

/// What the terms of a place mean to a loop over its index.
struct Reach<'p> {
    /// Elements per iteration.
    times: u64,
    /// Subscripts within the elements of one iteration.
    within: Vec<&'p Term>,
    /// Terms that go by whole rounds of all threads, with the elements of one thread per step.
    across: Vec<(&'p Term, u64)>,
}

/// `start if (outermost && rest else` stands before the plain loop.
pub(super) struct Distributed {
    pub start: String,
    pub rest: String,
}

impl Emitter<'_> {
    /// `forall` as the outermost loop runs it, if it is fit for that.
    pub(super) fn distributed_form(&mut self, forall: &Forall) -> Option<Distributed> {
        if !self.options.optimise || self.in_forall || self.split.is_some() {
            return None;
        }
        let Affinity::Expr(affinity) = forall.affinity else { return None };
        let counted = counted::recognise(self.ast, self.sema, &forall.loop_)?;
        if counted.effects.is_unique {
            return None;
        }
        let (block, origins) = self.affinity_block(affinity, &counted)?;
        let counter = self.fresh(if block == 1 { "r" } else { "k" });
        let (lo, hi) = (self.value_text(counted.lo), self.value_text(counted.hi));
        self.split = Some(Split { counted, block, counter, walks: Vec::new(), origins });
        let body_span = self.ast.stmt(forall.loop_.body).span;
        let body = self.captured(body_span, |e| e.stmt(forall.loop_.body));
        let split = self.split.take()?;
        let extra = if split.counted.is_inclusive { " + 1" } else { "" };
        let (from, to) = (self.fresh("lo"), self.fresh("hi"));
        let mut text = String::new();
        for walk in &split.walks {
            let pointer = self.c_pointer(walk.elem);
            text += &format!(
                "{pointer}{} = ({pointer})upcr_local((void *){}); ",
                walk.pointer, walk.root
            );
        }
        let marker = super::text::marker_at(body_span.lo, &self.ast.lines);
        let body = if body.contains('\n') { format!("\n{marker}{body}") } else { body };
        text += &match split.block {
            1 => self.cyclic_loop(&split, &from, &to, &body),
            _ => self.blocked_loop(&split, &from, &to, &body),
        };
        if !split.counted.is_declared {
            let i = self.name(self.sema.object(split.counted.index).name);
            let t = self.c_temporary(self.sema.object(split.counted.index).ty);
            text += &format!(" {i} = ({t})({from} < {to} ? {to} : {from});");
        }
        let mut condition = format!("{from} >= 0 && {to} >= 0");
        for origin in &split.origins {
            condition += &format!(" && upcr_is_origin({origin})");
        }
        let start = format!("long {from} = (long)({lo}), {to} = (long)({hi}){extra}; ");
        Some(Distributed { start, rest: format!("{condition}) {{ {text} }}") })
    }

    fn cyclic_loop(&mut self, split: &Split, from: &str, to: &str, body: &str) -> String {
        let r = &split.counter;
        let set = self.set_index(split, &format!("{r} * (long)upcr_threads() + upcr_mythread"));
        let end = self.fresh("end");
        format!(
            "for (long {r} = upcr_own_blocks({from}), {end} = upcr_own_blocks({to}); {r} < {end}; \
             {r}++) {{ {set} {body} }}"
        )
    }

    fn blocked_loop(&mut self, split: &Split, from: &str, to: &str, body: &str) -> String {
        let (k, b) = (&split.counter, split.block);
        let (r, start, first, n) =
            (self.fresh("r"), self.fresh("start"), self.fresh("first"), self.fresh("n"));
        let mut bases = String::new();
        for walk in &split.walks {
            let (pointer, p) = (self.c_pointer(walk.elem), &walk.pointer);
            let times = if walk.times == 1 { String::new() } else { format!(" * {}", walk.times) };
            bases += &format!("{pointer}{p}_ = {p} + ({r} * {b} + {first} - {start}){times}; ");
        }
        let set = self.set_index(split, &format!("{first} + {k}"));
        format!(
            "for (long {r} = upcr_own_blocks({from} / {b}), {start}; {start} = ({r} * \
             (long)upcr_threads() + upcr_mythread) * {b}, {start} < {to}; {r}++) {{ long {first} = \
             {start} < {from} ? {from} : {start}, {n} = ({start} + {b} < {to} ? {start} + {b} : \
             {to}) - {first}; {bases}for (long {k} = 0; {k} < {n}; {k}++) {{ {set} {body} }} }}"
        )
    }

    /// Gives the index its value: its own variable, or one that outlives the loop.
    fn set_index(&mut self, split: &Split, value: &str) -> String {
        let object = self.sema.object(split.counted.index);
        let (name, ty) = (self.name(object.name), object.ty);
        let t = self.c_temporary(ty);
        match split.counted.is_declared {
            true => {
                let declared = self.declare(ty, name.into());
                format!("{declared} = ({t})({value}); (void){name};")
            }
            false => format!("{name} = ({t})({value});"),
        }
    }

    /// Iterations per block that `affinity` gives one thread in turn, starting with thread 0.
    fn affinity_block(
        &mut self,
        affinity: ExprId,
        counted: &Counted,
    ) -> Option<(u64, Vec<String>)> {
        let Some(target) = self.shared_target(affinity) else {
            let is_index = counted::names(self.ast, self.sema, affinity, counted.index);
            return is_index.then(|| (1, Vec::new()));
        };
        if self.sema.types.block(target) == Some(0) {
            return None;
        }
        let place = self.pointed_place(affinity, target);
        let reach = self.reach(&place, counted.index)?;
        let is_zero = |t: &&Term| {
            let expr = &self.ast.expr(self.ast.strip_parens(t.id)).kind;
            matches!(expr, ExprKind::Int { value: 0, .. })
        };
        if place.block % reach.times != 0 || !reach.within.iter().all(is_zero) {
            return None;
        }
        let origin = self.origin(&place, counted)?;
        Some((place.block / reach.times, origin.into_iter().collect()))
    }

    /// Sorts the terms of `place` by what they mean to a loop over `index`, which must be one.
    fn reach<'p>(&self, place: &'p Place, index: ObjectId) -> Option<Reach<'p>> {
        let mut reach = Reach { times: 0, within: Vec::new(), across: Vec::new() };
        for term in &place.terms {
            if let Some(local) = self.local_stride(term, place.block) {
                reach.across.push((term, local));
            } else if reach.times == 0 {
                reach.times = self.index_times(term, index)?;
            } else {
                reach.within.push(term);
            }
        }
        (reach.times != 0).then_some(reach)
    }

    /// If each step of `term` goes by as many elements on every thread: how many.
    fn local_stride(&self, term: &Term, block: u64) -> Option<u64> {
        let n = term.times.n;
        let per_thread = match (term.times.times_threads, self.options.threads) {
            (true, _) => n,
            (false, Some(threads)) if n % u64::from(threads) == 0 => n / u64::from(threads),
            _ => return None,
        };
        (per_thread > 0 && per_thread % block == 0 && !term.is_negative).then_some(per_thread)
    }

    /// Ultimate elements per iteration if `term` is the loop's index.
    fn index_times(&self, term: &Term, index: ObjectId) -> Option<u64> {
        let is_plain = !term.is_negative && !term.times.times_threads && term.times.n > 0;
        let is_index = counted::names(self.ast, self.sema, term.id, index);
        (is_plain && is_index).then_some(term.times.n)
    }

    /// The pointer whose origin must be checked, if the root is no static array; `None` if it
    /// may change in the loop.
    fn origin(&self, place: &Place, counted: &Counted) -> Option<Option<String>> {
        match &place.root {
            Root::Object(_) => Some(None),
            Root::Pointer { text, rep, id } => {
                let (object, _) = self.sema.object_of(self.ast.strip_parens((*id)?))?;
                let is_fixed = counted.effects.keeps(self.sema, object);
                (is_fixed && *rep != PtsRep::Wide).then(|| Some(format!("(unsigned long){text}")))
            }
        }
    }

    /// The element at `place`, if the loop being emitted walks there with a pointer.
    pub(super) fn walked(&mut self, place: &Place) -> Option<String> {
        let split = self.split.as_ref()?;
        let Reach { times, within, across } = self.reach(place, split.counted.index)?;
        if place.block % times != 0 || place.block / times != split.block {
            return None;
        }
        // Only subscripts of arrays are sure to stay within the row.
        if within.iter().any(|t| !t.is_in_bounds) || (times == 1 && !within.is_empty()) {
            return None;
        }
        let origin = self.origin(place, &split.counted)?;
        let root = match &place.root {
            Root::Object(cell) => cell.clone(),
            Root::Pointer { text, .. } => text.clone(),
        };
        let rest = self.offset(&within.into_iter().cloned().collect::<Vec<_>>());
        let known =
            split.walks.iter().find(|w| w.root == root && w.times == times && w.elem == place.elem);
        let pointer = match known.map(|w| w.pointer.clone()) {
            Some(pointer) => pointer,
            None => {
                let pointer = self.fresh("w");
                let walk = Walk { root, times, elem: place.elem, pointer: pointer.clone() };
                self.split.as_mut()?.walks.push(walk);
                pointer
            }
        };
        let split = self.split.as_mut()?;
        split.origins.extend(origin.filter(|o| !split.origins.contains(o)));
        let mut at = split.counter.clone();
        if times != 1 {
            at += &format!(" * {times}");
        }
        if let Some(rest) = rest {
            at += &format!(" + {rest}");
        }
        for (term, stride) in across {
            at += &format!(" + (long)({}) * {stride}", term.text);
        }
        let suffix = if split.block == 1 { "" } else { "_" };
        Some(format!("{pointer}{suffix}[{at}]"))
    }
}
