// SPDX-License-Identifier: BSD-3-Clause
//! Shared accesses inside a distributed loop that a private pointer can follow.
//!
//! The offset of an access, in elements, is a sum of terms. Those of a loop over `i` whose thread
//! owns the iteration are: terms that go by whole rounds of all threads (an outer dimension);
//! terms that stand still; `i` itself, perhaps with a constant beside it; and subscripts within
//! the elements of one `i`. What fits no kind is accessed in the general way.

use super::place::{Place, Root, Source, Term};
use super::split::{Mode, Split, MIN_TRIPS};
use super::text::primary;
use super::Emitter;
use crate::opt::affine::{self, Affine};
use crate::opt::constant;
use crate::opt::counted::{self, Counted, Step};
use crate::opt::early;
use crate::opt::wrapped::{self, Limit, Wrapped};
use crate::sema::types::{PtsRep, QualType};
use crate::sema::ObjectId;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// Smaller blocks are not worth a loop of their own in `for`.
pub(super) const MIN_BLOCK: u64 = 8;

/// Sums of such distances fit; blocks are no larger.
const MAX_SWING: u64 = 1 << 48;

/// Where in their rows of blocks the roots are: static arrays at the start, pointers anywhere.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub starts_at_0: bool,
    /// With the elements of an iteration, as C text.
    pub pointers: Vec<(String, u64)>,
}

impl Rows {
    /// The pointer that says where all roots are.
    pub fn first(&self) -> Option<&(String, u64)> {
        if self.starts_at_0 {
            None
        } else {
            self.pointers.first()
        }
    }

    fn add(&mut self, pointer: Option<String>, times: u64) {
        match pointer.map(|text| (text, times)) {
            None => self.starts_at_0 = true,
            Some(new) if self.pointers.contains(&new) => {}
            Some(new) => self.pointers.push(new),
        }
    }
}

/// A root with a private pointer that walks along its local elements.
#[derive(Debug)]
pub(super) struct Walk {
    pub root: WalkRoot,
    /// Elements per iteration.
    pub times: u64,
    pub elem: QualType,
    /// With one iteration per block, neighbours are on another thread: how many blocks ahead, as C text.
    pub first: String,
    pub pointer: String,
}

/// What a walk begins with, as C text.
#[derive(PartialEq, Debug)]
pub(super) enum WalkRoot {
    /// A static array.
    Cell(String),
    /// The row of blocks that a pointer points into, by that and the size of its elements.
    Row(String),
    /// An element itself.
    Address(String),
}

impl WalkRoot {
    pub fn text(&self) -> String {
        match self {
            WalkRoot::Cell(text) | WalkRoot::Address(text) => text.clone(),
            WalkRoot::Row(row) => format!("upcr_row_start({row})"),
        }
    }
}

/// What the terms of a place mean to a loop over its index.
#[derive(Clone, Default)]
pub(super) struct Reach {
    /// Elements per iteration.
    pub times: u64,
    /// The constant beside the index.
    pub ahead: i64,
    /// Where the index is not what it seems to be (`wrapped`).
    pub limits: Vec<Limit>,
    /// Terms before the index, or beside it, that stand still.
    pub fixed: Vec<Term>,
    /// Subscripts within the elements of one iteration.
    pub within: Vec<Term>,
    /// Terms that go by whole rounds of all threads, with the elements of one thread per step.
    pub across: Vec<(Term, u64)>,
    /// Terms that inner loops take to and fro, and how far ahead.
    pub swings: Vec<(Term, RangeInclusive<i64>)>,
}

impl Reach {
    /// How far ahead of an iteration's own element the nearest and the farthest one are, in iterations.
    fn ends(&self) -> (i64, i64) {
        let nearest: i64 = self.swings.iter().map(|(_, by)| by.start()).sum();
        let farthest: i64 = self.swings.iter().map(|(_, by)| by.end()).sum();
        (self.ahead + nearest, self.ahead + farthest)
    }
}

impl Emitter<'_> {
    /// The distribution that `affinity` gives the loop, before its body is seen.
    pub(super) fn new_split(&mut self, affinity: ExprId, counted: Counted) -> Option<Split> {
        let counted = counted.by_number(self.sema);
        let valid = self.valid_pointers(&counted, Some(affinity));
        if counted.step == Step::Threads || !self.is_step_defined(&counted, &valid) {
            return None;
        }
        let (block, shift, ahead, rows) = match self.shared_target(affinity) {
            None => {
                let block = self.affinity_block(affinity, &counted)?;
                (block, String::new(), 0, Rows { starts_at_0: true, ..Rows::default() })
            }
            Some(target) => {
                let place = self.owner_place(affinity, target)?;
                let place = self.place_from_start(&place, &counted).unwrap_or(place);
                let reach = self.reach(&place, &counted)?;
                let is_zero = |t: &Term| self.constant(t.id) == Some(0);
                let is_whole = place.block % reach.times == 0 && reach.limits.is_empty();
                if !is_whole || !reach.within.iter().all(is_zero) {
                    return None;
                }
                let mut rows = Rows::default();
                rows.add(self.origin(&place, &counted, None)?, reach.times);
                (place.block / reach.times, self.shift(&reach)?, reach.ahead, rows)
            }
        };
        let counter = self.fresh(if block == 1 { "r" } else { "k" });
        let step = self.step_of(counted.step);
        let new = Split::new(counted, Mode::Own, block, counter, step);
        Some(Split { shift, ahead, valid, rows, ..new })
    }

    fn step_of(&mut self, step: Step) -> String {
        step.text().unwrap_or_else(|| self.fresh("by"))
    }

    /// How many iterations in a row are one thread's, by an affinity that is a number: the index, or by
    /// how many it is divided. `% THREADS` is what an affinity means anyway (6.6.2p8).
    fn affinity_block(&self, affinity: ExprId, counted: &Counted) -> Option<u64> {
        let id = self.ast.strip_parens(affinity);
        match self.ast.expr(id).kind {
            _ if counted::names(self.ast, self.sema, id, counted.index) => Some(1),
            ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } if self.is_threads(rhs) => {
                self.affinity_block(lhs, counted)
            }
            ExprKind::Binary { op: BinaryOp::Div, lhs, rhs }
                if counted::names(self.ast, self.sema, lhs, counted.index) =>
            {
                self.constant(rhs).and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0)
            }
            _ => None,
        }
    }

    pub(super) fn is_threads(&self, id: ExprId) -> bool {
        let id = self.ast.strip_parens(id);
        matches!(self.ast.expr(id).kind, ExprKind::Threads)
            || self.static_threads().is_some_and(|n| self.constant(id) == i64::try_from(n).ok())
    }

    /// The element whose owner runs an iteration, where the affinity points to it, or into it.
    fn owner_place(&mut self, affinity: ExprId, target: QualType) -> Option<Place> {
        let mut element = None;
        if let ExprKind::Unary { op: UnaryOp::AddrOf, operand } =
            self.ast.expr(self.ast.strip_parens(affinity)).kind
        {
            let mut at = self.ast.strip_parens(operand);
            while let ExprKind::Member { base, arrow: false, .. } = self.ast.expr(at).kind {
                at = self.ast.strip_parens(base);
            }
            element = Some(at);
        }
        let ty = element.map_or(target, |id| self.sema.expr_type(id));
        let is_distributed = self.sema.types.block(ty) != Some(0);
        is_distributed.then(|| match element {
            Some(id) => self.place(id),
            None => self.place_of_value(affinity, target),
        })
    }

    /// A `for` loop that may walk; in which blocks, its first access shows.
    pub(super) fn new_for_split(&mut self, counted: Counted) -> Option<Split> {
        let trips = self.constant_trips(&counted);
        if counted.step != Step::Threads && trips.is_some_and(|n| n < MIN_TRIPS) {
            return None;
        }
        let (mode, block) = match counted.step {
            Step::Threads => (Mode::Strided, 1),
            _ => (Mode::Whole, 0),
        };
        let step = self.step_of(counted.step);
        let valid = self.valid_pointers(&counted, None);
        if !self.is_step_defined(&counted, &valid) {
            return None;
        }
        let counter = self.fresh("k");
        Some(Split { valid, ..Split::new(counted, mode, block, counter, step) })
    }

    /// How far apart the bounds of a loop are, if they are constants.
    pub(super) fn constant_trips(&self, counted: &Counted) -> Option<i64> {
        self.constant(counted.hi)?.checked_sub(self.constant(counted.lo)?)
    }

    /// The blocks of the first access decide about those of a `for` loop.
    fn adopt_blocks(&mut self, place: &Place, reach: &Reach) -> Option<()> {
        let split = self.split.as_ref()?;
        if split.mode != Mode::Own && split.walks.is_empty() {
            let block = place.block / reach.times;
            let shift = self.shift(reach)?;
            if block < MIN_BLOCK || !self.are_defined(&reach.fixed, &self.split.as_ref()?.valid) {
                return None;
            }
            let split = self.split.as_mut()?;
            (split.block, split.shift) = (block, shift);
        }
        Some(())
    }

    /// The same where inner loops lead to no others.
    pub(super) fn reach(&mut self, place: &Place, counted: &Counted) -> Option<Reach> {
        self.reach_and_swings(place, counted).filter(|reach| reach.swings.is_empty())
    }

    /// Sorts the terms of `place` by what they mean to the loop, if its index is one of them.
    fn reach_and_swings(&mut self, place: &Place, counted: &Counted) -> Option<Reach> {
        let mut reach = Reach::default();
        let together = self.put_together(&place.terms, counted);
        for term in together.as_ref().unwrap_or(&place.terms) {
            self.sort(&mut reach, term, place.block, counted)?;
        }
        (reach.times != 0).then_some(reach)
    }

    fn sort(
        &mut self,
        reach: &mut Reach,
        term: &Term,
        block: u64,
        counted: &Counted,
    ) -> Option<()> {
        if !term.factors.is_empty() {
            return None;
        }
        let index = if reach.times == 0 { self.index_term(term, counted) } else { None };
        if let Some(affine) = index {
            (reach.times, reach.ahead) = (term.times.n, affine.ahead);
            reach.fixed.extend(self.addends(term, &affine));
        } else if let Some(wrapped) = self.wrapped_term(reach, term, counted) {
            (reach.times, reach.ahead) = (term.times.n, wrapped.sum.ahead);
            reach.limits = wrapped.limits;
        } else if let Some(local) = self.local_stride(term, block) {
            reach.across.push((term.clone(), local));
        } else if let Some(by) = self.swing(reach, term, counted) {
            reach.swings.push((term.clone(), by));
        } else if reach.times != 0 {
            reach.within.push(term.clone());
        } else if term.id == counted.lo {
            reach.fixed.push(term.clone());
        } else if let Some(fixed) = self.standing_term(term, counted) {
            reach.fixed.push(fixed);
        } else {
            for part in self.parts(term)? {
                self.sort(reach, &part, block, counted)?;
            }
        }
        Some(())
    }

    /// If each step of `term` goes by as many elements on every thread: how many.
    pub(super) fn local_stride(&self, term: &Term, block: u64) -> Option<u64> {
        let n = term.times.n;
        let per_thread = match (term.times.times_threads, self.static_threads()) {
            (true, _) => n,
            (false, Some(threads)) if n % threads == 0 => n / threads,
            _ => return None,
        };
        (per_thread > 0 && per_thread % block == 0 && !term.is_negative).then_some(per_thread)
    }

    /// If it does until its index wraps around.
    fn wrapped_term(&self, reach: &Reach, term: &Term, counted: &Counted) -> Option<Wrapped> {
        let may_be =
            reach.times == 0 && !term.is_negative && !term.times.times_threads && term.times.n != 0;
        let wrapped = || wrapped::recognise(self.ast, self.sema, term.id, counted);
        may_be.then(wrapped).flatten()
    }

    /// `term` if it stands still, or what a name of the loop's body stands for in it.
    pub(super) fn standing_term(&mut self, term: &Term, counted: &Counted) -> Option<Term> {
        let stands = |e: &Self, id| counted.effects.is_invariant(e.ast, e.sema, id);
        if stands(self, term.id) {
            return Some(term.clone());
        }
        let id = counted.effects.resolve(self.ast, self.sema, term.id);
        stands(self, id).then(|| Term { id, text: self.value_text(id), ..term.clone() })
    }

    /// If `term` is the index of an inner loop, which leads to elements of other iterations: how far.
    fn swing(&self, reach: &Reach, term: &Term, counted: &Counted) -> Option<RangeInclusive<i64>> {
        if reach.times > 1 || term.times.times_threads {
            return None;
        }
        let id = self.ast.strip_parens(term.id);
        let index = self.sema.object_of(id)?.0;
        let values = self.index_values.get(&index).filter(|values| !values.is_empty())?;
        let times = i64::try_from(term.times.n).ok()?;
        let by = |value: i64| value.checked_mul(if term.is_negative { -times } else { times });
        let (first, last) = (by(values.start)?, by(values.end - 1)?);
        let is_inner = index != counted.index && !counted.effects.keeps(self.sema, index);
        let is_fit = is_inner && first.unsigned_abs().max(last.unsigned_abs()) <= MAX_SWING;
        is_fit.then(|| first.min(last)..=first.max(last))
    }

    /// Do most iterations of a block find what they swing to in that block?
    fn swings_within(&self, reach: &Reach, split: &Split) -> bool {
        let (nearest, farthest) = reach.ends();
        let spread = farthest.max(0).abs_diff(nearest.min(0));
        let trips = self.constant_trips(&split.counted).and_then(|n| u64::try_from(n).ok());
        spread <= split.block / 2 || trips.is_some_and(|n| n <= split.block.saturating_sub(spread))
    }

    /// If `term` goes by its elements with each iteration: from where.
    fn index_term(&self, term: &Term, counted: &Counted) -> Option<Affine> {
        if term.is_negative || term.times.times_threads || term.times.n == 0 {
            return None;
        }
        affine::recognise(self.ast, self.sema, term.id, counted)
    }

    /// The terms beside the index in `term`.
    fn addends(&mut self, term: &Term, affine: &Affine) -> Vec<Term> {
        let addend = |addend: &affine::Addend| Term {
            id: addend.id,
            text: self.fixed_text(addend.id),
            is_negative: addend.is_negative,
            is_in_bounds: false,
            ..term.clone()
        };
        affine.fixed.iter().map(addend).collect()
    }

    /// The C text of what stands still, for a place before the loop. Enumerators may be of its body.
    fn fixed_text(&mut self, id: ExprId) -> String {
        match self.constant(id) {
            Some(n) => n.to_string(),
            None => self.value_text(id),
        }
    }

    pub(super) fn constant(&self, id: ExprId) -> Option<i64> {
        constant::value(self.ast, self.sema, id)
    }

    /// The fixed terms in iterations, as C text.
    pub(super) fn shift(&self, reach: &Reach) -> Option<String> {
        let mut terms = Vec::new();
        for term in &reach.fixed {
            let mut term = term.clone();
            if term.times.n % reach.times != 0 {
                return None;
            }
            term.times.n /= reach.times;
            terms.push(term);
        }
        Some(self.offset(&terms).map_or(String::new(), |text| format!("(long)({text})")))
    }

    /// The pointers that the loop's bounds and its affinity go by, which are evaluated before anything else.
    fn valid_pointers(&self, counted: &Counted, affinity: Option<ExprId>) -> FxHashSet<ObjectId> {
        let first: Vec<_> = [counted.lo, counted.hi].into_iter().chain(affinity).collect();
        early::valid_pointers(self.ast, self.sema, &first)
    }

    /// The body may leave the loop before its first step.
    fn is_step_defined(&self, counted: &Counted, valid: &FxHashSet<ObjectId>) -> bool {
        match counted.step {
            Step::Invariant(by) => early::is_defined(self.ast, self.sema, by, valid),
            _ => true,
        }
    }

    pub(super) fn are_defined(&self, terms: &[Term], valid: &FxHashSet<ObjectId>) -> bool {
        terms.iter().all(|term| early::is_defined(self.ast, self.sema, term.id, valid))
    }

    /// The pointer whose place in its row is asked for, if the root is no static array; `None` if it
    /// may change in the loop, or leads from pointers that are not `valid`.
    pub(super) fn origin(
        &self,
        place: &Place,
        counted: &Counted,
        valid: Option<&FxHashSet<ObjectId>>,
    ) -> Option<Option<String>> {
        match &place.root {
            Root::Object(_) => Some(None),
            Root::Pointer { text, rep, source } => {
                let is_fixed = match *source {
                    Source::Value(id) => {
                        counted.effects.is_invariant(self.ast, self.sema, id)
                            && valid.is_none_or(|v| early::is_defined(self.ast, self.sema, id, v))
                    }
                    Source::Kept => true,
                    Source::Address => false,
                };
                (is_fixed && *rep != PtsRep::Wide).then(|| Some(format!("(unsigned long){text}")))
            }
        }
    }

    /// The element at `place`, if the loop being emitted walks there with a pointer; and that
    /// pointer, unless what it walks along is this thread's.
    pub(super) fn walked(&mut self, place: &Place) -> Option<(String, Option<String>)> {
        if let Some(by_outer) = self.walked_around(place) {
            return Some(by_outer);
        }
        let split = self.split.take()?;
        let by_start = self.place_from_start(place, &split.counted);
        let place = by_start.as_ref().unwrap_or(place);
        let reach = self.reach_and_swings(place, &split.counted);
        let mode = split.mode;
        self.split = Some(split);
        let reach = reach?;
        // Only subscripts of arrays are sure to stay within the row.
        let is_in_row = reach.within.iter().all(|t| t.is_in_bounds)
            && (reach.times != 1 || reach.within.is_empty());
        let is_near = reach.swings.is_empty() || reach.times == 1 && mode != Mode::Strided;
        match mode {
            _ if !is_in_row || !is_near || place.block % reach.times != 0 => None,
            Mode::Strided => self.walked_by_rounds(place, &reach),
            Mode::Own | Mode::Whole => self.walked_in_rows(place, &reach),
        }
    }

    /// The same by the distributed loop around the one that is being emitted.
    fn walked_around(&mut self, place: &Place) -> Option<(String, Option<String>)> {
        let mut split = self.split.take()?;
        self.split = split.around.take().map(|around| *around);
        let walked = self.walked(place);
        split.around = self.split.take().map(Box::new);
        self.split = Some(split);
        walked
    }

    /// What `f` finds of the loop being emitted, if that is one over all elements, and the lvalue of type
    /// `ty` at `place` is an element to which the loop around it does not walk.
    pub(super) fn of_whole_loop<R>(
        &mut self,
        place: &Place,
        ty: QualType,
        f: impl FnOnce(&mut Self, &Split) -> Option<R>,
    ) -> Option<R> {
        if self.sema.types.is_array(ty) || self.walked_around(place).is_some() {
            return None;
        }
        let split = self.split.take()?;
        let found = if split.mode == Mode::Whole { f(self, &split) } else { None };
        self.split = Some(split);
        found
    }

    /// A pointer that begins at the first iteration's element stays on that element's thread.
    fn walked_by_rounds(
        &mut self,
        place: &Place,
        reach: &Reach,
    ) -> Option<(String, Option<String>)> {
        let split = self.split.as_ref()?;
        self.origin(place, &split.counted, Some(&split.valid))?;
        let is_round = place.block == reach.times && reach.limits.is_empty();
        if !is_round || !self.are_defined(&reach.fixed, &split.valid) {
            return None;
        }
        let (times, elem, shift) = (reach.times, place.elem, self.shift(reach)?);
        let first = match (reach.ahead, shift.as_str()) {
            (ahead, "") => ahead.to_string(),
            (ahead, shift) => format!("{ahead} + {shift}"),
        };
        let root = Place { terms: Vec::new(), ..place.clone() };
        let root = WalkRoot::Address(self.plain_address_of(&root));
        let counter = self.split.as_ref()?.counter.clone();
        let pointer = self.walk_pointer(root, times, elem, first)?;
        Some((format!("{pointer}[{}]", self.steps(counter, reach)), Some(pointer)))
    }

    /// `reach` where constants that stand still are distances from the iteration's element as well.
    fn by_distance(&self, reach: &Reach) -> Option<Reach> {
        let mut by_distance = Reach { fixed: Vec::new(), ..reach.clone() };
        for term in &reach.fixed {
            let is_plain = term.times.n == reach.times && !term.times.times_threads;
            match self.constant(term.id).filter(|_| is_plain && term.factors.is_empty()) {
                None => by_distance.fixed.push(term.clone()),
                Some(n) => {
                    let n = if term.is_negative { n.checked_neg()? } else { n };
                    by_distance.ahead = by_distance.ahead.checked_add(n)?;
                }
            }
        }
        Some(by_distance).filter(|reach| reach.ahead.unsigned_abs() <= MAX_SWING)
    }

    fn walked_in_rows(&mut self, place: &Place, reach: &Reach) -> Option<(String, Option<String>)> {
        self.adopt_blocks(place, reach)?;
        let by_distance = match self.shift(reach)? == self.split.as_ref()?.shift {
            true => None,
            false => Some(self.by_distance(reach)?),
        };
        let is_far = by_distance.is_some();
        let reach = by_distance.as_ref().unwrap_or(reach);
        let size = self.c_sizeof(place.elem);
        let split = self.split.as_ref()?;
        let (times, ahead) = (reach.times, reach.ahead - split.ahead);
        let (nearest, farthest) = reach.ends();
        let (nearest, farthest) = (nearest - split.ahead, farthest - split.ahead);
        let is_near = match (nearest, farthest) {
            (0, 0) => true,
            _ if reach.swings.is_empty() && split.block == 1 => true,
            _ => {
                let most = nearest.unsigned_abs().max(farthest.unsigned_abs());
                let is_worth_it =
                    reach.swings.is_empty() && !is_far || self.swings_within(reach, split);
                split.is_interior && most < split.block && is_worth_it
            }
        };
        if place.block / times != split.block || !is_near || self.shift(reach)? != split.shift {
            return None;
        }
        let origin = self.origin(place, &split.counted, Some(&split.valid))?;
        self.keep_to(&reach.limits)?;
        let split = self.split.as_ref()?;
        let root = match &place.root {
            Root::Object(cell) => WalkRoot::Cell(cell.clone()),
            Root::Pointer { text, .. } => WalkRoot::Row(format!("(unsigned long){text}, {size}")),
        };
        let (is_cyclic, mode) = (split.block == 1, split.mode);
        let first = if is_cyclic { ahead } else { 0 };
        let pointer = self.walk_pointer(root, times, place.elem, first.to_string())?;
        let split = self.split.as_mut()?;
        split.rows.add(origin, times);
        let mut at = split.counter.clone();
        if !is_cyclic {
            split.nearest = split.nearest.min(nearest);
            split.farthest = split.farthest.max(farthest);
            if ahead != 0 {
                at = format!("({at} + {ahead})");
            }
        }
        let pointer = pointer + if is_cyclic { "" } else { "_" };
        let is_own = mode == Mode::Own && (ahead == 0 || !is_cyclic);
        let element = format!("{pointer}[{}]", self.steps(at, reach));
        Some((element, (!is_own).then_some(pointer)))
    }

    /// Leaves the iterations beyond `limits` to the body for the ends of blocks, if the one that is being
    /// emitted is not that.
    pub(super) fn keep_to(&mut self, limits: &[Limit]) -> Option<()> {
        for &limit in limits {
            let split =
                self.split.as_ref().filter(|split| split.block != 1 && split.is_interior)?;
            let text = match limit.bound {
                Some(id) if !early::is_defined(self.ast, self.sema, id, &split.valid) => {
                    return None
                }
                Some(id) => self.fixed_text(id),
                None => "0".into(),
            };
            let known = &mut self.split.as_mut()?.limits;
            if !known.iter().any(|(other, _)| *other == limit) {
                known.push((limit, text));
            }
        }
        Some(())
    }

    /// How many elements a pointer is from iteration 0 at iteration `at`.
    fn steps(&self, at: String, reach: &Reach) -> String {
        let mut steps = at;
        if reach.times != 1 {
            steps += &format!(" * {}", reach.times);
        }
        if let Some(within) = self.offset(&reach.within) {
            steps += &format!(" + {}", primary(within));
        }
        for (term, stride) in &reach.across {
            steps += &format!(" + (long)({}) * {stride}", term.text);
        }
        for (Term { text, is_negative, times, .. }, _) in &reach.swings {
            let sign = if *is_negative { '-' } else { '+' };
            steps += &format!(" {sign} (long)({text}) * {}", times.n);
        }
        steps
    }

    /// `walked` is the text of `id`, and `pointer` what it goes by.
    pub(super) fn note_followed(&mut self, id: ExprId, walked: &str, pointer: Option<&str>) {
        let (Some(split), Some(pointer)) = (&mut self.split, pointer) else { return };
        if walked == format!("{pointer}[{}]", split.counter) {
            split.followed.insert(id, pointer.to_string());
        }
    }

    fn walk_pointer(
        &mut self,
        root: WalkRoot,
        times: u64,
        elem: QualType,
        first: String,
    ) -> Option<String> {
        let walks = &self.split.as_ref()?.walks;
        let is_same =
            |w: &&Walk| w.root == root && w.times == times && w.elem == elem && w.first == first;
        if let Some(walk) = walks.iter().find(is_same) {
            return Some(walk.pointer.clone());
        }
        let pointer = self.fresh("w");
        let walk = Walk { root, times, elem, first, pointer: pointer.clone() };
        self.split.as_mut()?.walks.push(walk);
        Some(pointer)
    }
}
