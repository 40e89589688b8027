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
//!     for (k = 0, i = from; k < n; k++, i++) w1[r * B + from - start + k] = ...;
//! }
//! ```
//! A loop by other steps begins in each block with the first of its iterations there; one that goes down
//! comes to the last block first.
//! With B = 1 the loop over `r` alone remains. Either way the accesses have unit stride, so the
//! C compiler can vectorise them. Where the body reaches for neighbours (`b[i - 1]`), those near
//! the ends of a block are on other threads: iterations near the ends get a body of their own.
//! The plain form of the loop stays beside it all, for the case that an outer loop distributes
//! already, and for bounds or pointers that do not fit.

use super::bulk::BlockInBulk;
use super::column::Column;
use super::counts::BlockCounts;
use super::home::Assumed;
use super::row::Row;
use super::run::Run;
use super::version::all_here;
use super::walk::{Rows, Walk};
use super::Emitter;
use crate::opt::counted::{self, Counted, Step};
use crate::opt::head::Moved;
use crate::opt::wrapped::{Limit, LimitKind};
use crate::sema::ObjectId;
use crate::syntax::ast::{Affinity, ExprId, Forall, StmtId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop over all elements that is shorter has no use of blocks.
pub(super) const MIN_TRIPS: i64 = 8;

/// Which iterations a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Its own, as in `upc_forall`.
    Own,
    /// All, as in `for`: block after block, whoever owns them.
    Whole,
    /// Every THREADS-th, as in `for (i = MYTHREAD; i < n; i += THREADS)`: blocks of one thread.
    Strided,
}

/// The loop whose body is being emitted in its distributed form. Its iterations are numbered as
/// the elements of the affinity are: by the index plus `shift`.
#[derive(Debug)]
pub(super) struct Split {
    pub counted: Counted,
    /// The distributed loop around it, whose walks come first.
    pub around: Option<Box<Split>>,
    /// Iterations per block; 0 while no access has told.
    pub block: u64,
    /// Number of the iteration at index 0, less `ahead`, as C text; empty for 0.
    pub shift: String,
    pub ahead: i64,
    /// By how much the index grows, as C text.
    pub step: String,
    pub mode: Mode,
    /// The variable that counts the iterations of a block, or the blocks if `block` is 1.
    pub counter: String,
    pub walks: Vec<Walk>,
    pub columns: Vec<Column>,
    pub rows_in_blocks: Vec<Row>,
    pub runs: Vec<Run>,
    /// May the body that is being emitted take for granted that its runs are in one block each?
    pub may_run: bool,
    /// Does an element that no pointer walks to go by the number of the iteration?
    pub is_by_number: bool,
    /// Accesses to the very element that a pointer has reached, on whatever thread that is.
    pub followed: FxHashMap<ExprId, String>,
    /// Elements that the body reaches by a pointer to another thread's block, and that pointer.
    pub of_block: FxHashMap<ExprId, String>,
    /// The statement of a `for` loop's body that leaves out other threads' iterations.
    pub filter: Option<StmtId>,
    /// Pointers that lead somewhere if there is an iteration (`early`).
    pub valid: FxHashSet<ObjectId>,
    /// All roots must be at the same place in their rows.
    pub rows: Rows,
    /// In blocks: may the body reach for neighbours? Not where they may be in another block.
    pub is_interior: bool,
    /// The farthest neighbours that it reached for.
    pub nearest: i64,
    pub farthest: i64,
    /// Where an index is not what the body takes it for, with the C texts of the bounds.
    pub limits: Vec<(Limit, String)>,
}

/// `start if (outermost && rest else` stands before the plain loop.
pub(super) struct Distributed {
    pub start: String,
    pub rest: String,
}

/// The body of a distributed loop.
struct Body {
    interior: String,
    /// For the iterations near the ends of a block.
    edge: Option<String>,
}

/// The body where the pointers of `condition` point to this host's memory, and elsewhere.
struct Bodies {
    here: Body,
    anywhere: Option<Body>,
    in_bulk: Option<BlockInBulk>,
    counts: BlockCounts,
    condition: String,
}

impl Bodies {
    /// The loop that `with` makes of a body; `before` stands before the one for anywhere.
    fn choose(&self, before: &str, with: impl Fn(&Body) -> String) -> String {
        let here = with(&self.here);
        match &self.anywhere {
            None => here,
            Some(body) => {
                format!("if ({}) {{ {here} }} else {{ {before}{} }}", self.condition, with(body))
            }
        }
    }
}

/// Names of the emitted variables that hold the bounds, in numbers of iterations.
pub(super) struct Bounds {
    pub from: String,
    pub to: String,
    shift: String,
    /// Which iteration of their rows the roots are at.
    place: String,
}

/// The index of a loop, as parts of its text.
pub(super) struct Index {
    /// Stands before the loop, where its counter has its first value.
    pub before: String,
    /// Stands behind what changes the counter.
    pub next: String,
    /// Begins the body.
    pub each: String,
}

/// Names of the emitted variables that say where a block begins, and what is left of it.
struct Block {
    start: String,
    first: String,
    n: String,
}

impl Emitter<'_> {
    /// `forall` as the outermost loop runs it, if it is fit for that.
    pub(super) fn distributed_form(&mut self, forall: &Forall) -> Option<Distributed> {
        if !self.options.optimise || self.in_forall || self.split.is_some() {
            return None;
        }
        let Affinity::Expr(affinity) = forall.affinity else { return None };
        let counted = counted::recognise_walk(self.ast, self.sema, &forall.loop_)?;
        if counted.effects.is_unique {
            return None;
        }
        let split = self.new_split(affinity, counted)?;
        self.split_loop(split, forall.loop_.body)
    }

    /// The loop that `split` describes, over `body`; `None` if there is nothing to gain.
    pub(super) fn split_loop(&mut self, mut split: Split, body: StmtId) -> Option<Distributed> {
        // The bounds are evaluated before anything is known to be here.
        let assumed = self.assumed.take();
        let bounds = self.bound_texts(&split.counted);
        let by = match split.counted.step {
            Step::Invariant(by) => Some(self.value_text(by)),
            _ => None,
        };
        self.assumed = assumed;
        let (lo, hi) = bounds?;
        let mode = split.mode;
        split.around = self.split.take().map(Box::new);
        self.split = Some(split);
        let outer = self.in_forall;
        self.in_forall |= mode == Mode::Own;
        let bodies = self.quietly(|e| e.bodies(body));
        self.in_forall = outer;
        let mut split = self.split.take()?;
        self.split = split.around.take().map(|around| *around);
        let is_plain = split.walks.is_empty()
            && !split.has_columns()
            && split.rows_in_blocks.is_empty()
            && !split.is_by_number;
        let has_no_way_down = split.block == 0 && split.counted.is_back();
        if mode != Mode::Own && is_plain || has_no_way_down {
            return None;
        }
        if let Some(id) = self.loop_.filter(|_| self.may_be_away()) {
            self.remark(id, "walks along arrays, block by block, with private pointers".into());
        }
        let is_shifted = !split.at_zero().is_empty() || split.rows.first().is_some();
        let shift = if is_shifted { self.fresh("shift") } else { String::new() };
        let place = if split.rows.first().is_some() { self.fresh("place") } else { "0".into() };
        let bounds = Bounds { from: self.fresh("lo"), to: self.fresh("hi"), shift, place };
        let text = match (mode, split.block) {
            (Mode::Strided, _) => self.strided_loop(&split, &bounds, &bodies),
            (_, 0) if split.rows_in_blocks.is_empty() => self.column_loop(&split, &bounds, &bodies),
            (_, 1) => self.cyclic_loop(&split, &bounds, &bodies),
            _ => self.blocked_loop(&split, &bounds, &bodies),
        };
        let text = text + &self.final_index(&split, &bounds);
        let (lowest, end) = self.index_bounds(&split.counted, &lo, &hi);
        let starts = self.pointer_starts(&split, &lowest);
        let form = bounded(&split, &bounds, [&lowest, &end], by.as_deref(), &text);
        Some(Distributed { start: starts + &form.start, ..form })
    }

    /// The bounds of the index, as C text: of a pointer in elements from the lower one on.
    fn bound_texts(&mut self, counted: &Counted) -> Option<(String, String)> {
        let Counted { lo, hi, target, .. } = *counted;
        Some(match target {
            None => (self.value_text(lo), self.value_text(hi)),
            Some(target) => ("0".into(), self.elements_between(target, hi, lo, None)?),
        })
    }

    /// The body in all its forms.
    fn bodies(&mut self, body: StmtId) -> Bodies {
        let outer = self.assumed.take();
        self.assumed = self.is_checked().then(|| Assumed::over(None));
        let here = self.body(body);
        let assumed = self.assumed.take().map_or(Vec::new(), |assumed| assumed.pointers);
        let counts = self.block_counts(body);
        let runs = self.split.as_ref().map_or(Vec::new(), Split::conditions_of_runs);
        self.set_may_run(false);
        let anywhere = (!assumed.is_empty() || !runs.is_empty())
            .then(|| self.without_asking(counts.ids(), |e| e.body(body)));
        let is_block = self.split.as_ref().is_some_and(Split::is_plain_block);
        let is_by_one = self.split.as_ref().is_some_and(|split| split.counted.step.is_by_one());
        let is_alone = self.split.as_ref().is_some_and(|split| split.counted.is_by_number_alone());
        let in_bulk = match is_block && anywhere.is_some() {
            true if self.may_be_away() && is_by_one && is_alone => self.block_in_bulk(body),
            _ => None,
        };
        self.assumed = outer;
        let conditions = runs.into_iter().chain((!assumed.is_empty()).then(|| all_here(&assumed)));
        let condition = conditions.collect::<Vec<_>>().join(" && ");
        Bodies { here, anywhere, in_bulk, counts, condition }
    }

    fn body(&mut self, body: StmtId) -> Body {
        self.set_interior(true);
        let interior = self.body_text(body);
        let has_edges = self.split.as_ref().is_some_and(Split::has_edges);
        let edge = has_edges.then(|| {
            self.set_interior(false);
            self.body_text(body)
        });
        Body { interior, edge }
    }

    fn set_may_run(&mut self, may_run: bool) {
        if let Some(split) = self.split.as_mut() {
            split.may_run = may_run;
        }
    }

    fn set_interior(&mut self, is_interior: bool) {
        if let Some(split) = self.split.as_mut() {
            split.is_interior = is_interior;
        }
    }

    /// The body as it stands in a distributed loop, with the line it starts on.
    fn body_text(&mut self, body: StmtId) -> String {
        let span = self.ast.stmt(body).span;
        let body = self.captured(span, |e| e.loop_body(body, None));
        match body.contains('\n') {
            true => format!("\n{}{body}", self.quiet_marker(span.lo)),
            false => body,
        }
    }

    /// Declares this thread's first element of every root.
    fn walk_pointers(&mut self, split: &Split) -> String {
        let mut text = String::new();
        for walk in &split.walks {
            let p = self.c_pointer(walk.elem);
            let address = match walk.first.as_str() {
                "0" => format!("upcr_local((void *){})", walk.root.text()),
                first => self.block_address(walk, &format!("{} + {first}", self.mythread())),
            };
            text += &format!("{p}{} = upcr_walk((void *){address}); ", walk.pointer);
        }
        text
    }

    /// The address of block `number`, which may be negative, of a root with one iteration in a
    /// block.
    fn block_address(&mut self, walk: &Walk, number: &str) -> String {
        let (root, size) = (walk.root.text(), self.c_sizeof(walk.elem));
        format!("upcr_add_cyclic((unsigned long){root}, {number}, {} * {size})", walk.times)
    }

    fn strided_loop(&mut self, split: &Split, bounds: &Bounds, bodies: &Bodies) -> String {
        let (r, n) = (&split.counter, self.fresh("n"));
        let (from, to) = (&bounds.from, &bounds.to);
        let mut text = String::new();
        for walk in &split.walks {
            let p = self.c_pointer(walk.elem);
            let address = self.block_address(walk, &format!("{from} + {}", walk.first));
            text += &format!("{p}{} = upcr_walk((void *){address}); ", walk.pointer);
        }
        let set = self.set_index(split, bounds, &format!("{from} + {r} * (long)upcr_threads()"));
        let walk = bodies.choose(&bodies.counts.before(&n), |body| {
            format!("{{ long {r} = 0; for (; {r} < {n}; {r}++) {{ {set} {} }} }}", body.interior)
        });
        text += &format!(
            "long {n} = {from} < {to} ? upcr_row({to} - {from} + (long)upcr_threads() - 1) : 0; \
             {walk} {to} = {from} + {n} * (long)upcr_threads();"
        );
        text
    }

    fn cyclic_loop(&mut self, split: &Split, bounds: &Bounds, bodies: &Bodies) -> String {
        let pointers = self.walk_pointers(split);
        let (r, end) = (&split.counter, self.fresh("end"));
        let number = format!("{r} * (long)upcr_threads() + {}", self.mythread());
        let set = self.set_index(split, bounds, &number);
        let (from, to) = (&bounds.from, &bounds.to);
        let (first, last) = (format!("upcr_own_blocks({from})"), format!("upcr_own_blocks({to})"));
        let head = match split.counted.step {
            Step::Back => {
                format!("long {r} = {last} - 1, {end} = {first}; for (; {r} >= {end}; {r}--)")
            }
            Step::Constant(_) | Step::Invariant(_) => {
                let blocks = self.fresh("blocks");
                format!(
                    "long {blocks}, {r} = upcr_own_of_steps({first}, {from}, {}, &{blocks}), {end} = \
                     {last}; for (; {r} < {end}; {r} += {blocks})",
                    split.step
                )
            }
            Step::One | Step::Threads => {
                format!("long {r} = {first}, {end} = {last}; for (; {r} < {end}; {r}++)")
            }
        };
        let walk = bodies.choose("", |body| format!("{{ {head} {{ {set} {} }} }}", body.interior));
        format!("{pointers}{walk}")
    }

    /// A loop without blocks, which goes through columns or by the number of the iteration.
    fn column_loop(&mut self, split: &Split, bounds: &Bounds, bodies: &Bodies) -> String {
        let (k, from, to) = (&split.counter, &bounds.from, &bounds.to);
        let (columns, next) = (self.columns_at(split, bounds), split.next_of_columns());
        let step = &split.step;
        let value = minus_shift(k, bounds);
        let index = self.index_in_loop(&split.counted, &value, &split.step);
        let Index { before, next: next_index, each } = &index;
        bodies.choose("", |body| {
            format!(
                "{{ {columns}long {k} = {from}; {before} for (; {k} < {to}; {k} += {step}{next_index}{next}) \
                 {{ {each} {} }} }}",
                body.interior
            )
        })
    }

    fn blocked_loop(&mut self, split: &Split, bounds: &Bounds, bodies: &Bodies) -> String {
        let b = split.block;
        let (from, to) = (&bounds.from, &bounds.to);
        let (r, start, first, n) =
            (self.fresh("r"), self.fresh("start"), self.fresh("first"), self.fresh("n"));
        let mut bases = String::new();
        for walk in &split.walks {
            let (pointer, p) = (self.c_pointer(walk.elem), &walk.pointer);
            let times = if walk.times == 1 { String::new() } else { format!(" * {}", walk.times) };
            bases += &match split.mode {
                Mode::Own | Mode::Strided => {
                    format!("{pointer}{p}_ = {p} + ({r} * {b} + {first} - {start}){times}; ")
                }
                Mode::Whole => {
                    let (root, size) = (walk.root.text(), self.c_sizeof(walk.elem));
                    format!(
                        "{pointer}{p}_ = upcr_walk(upcr_elem_blocked((void *){root}, {first}{times}, \
                         {size}, {})); ",
                        b * walk.times
                    )
                }
            };
        }
        let block = Block { start: start.clone(), first: first.clone(), n: n.clone() };
        let within = self.in_block(split, bounds, bodies, &block);
        let is_back = split.counted.is_back();
        if split.mode == Mode::Whole {
            let columns = self.rows_at(split) + &self.columns_at(split, bounds);
            let start_index = minus_shift(&first, bounds);
            bases += &self.rows_from(split, &start_index);
            bases += &self.runs_at(split, &start_index, &n);
            if is_back {
                let end = self.fresh("end");
                return format!(
                    "{{ {columns}long {first}, {n}, {end} = {to}; for (; {from} < {end}; {end} = {first}) {{ long \
                     {start} = ({end} - 1) / {b} * {b}; {first} = {start} > {from} ? {start} : {from}; {n} = \
                     {end} - {first}; {bases}{within} }} }}"
                );
            }
            if b == 0 {
                return format!(
                    "{{ {columns}long {first} = {from}, {n} = {to} - {first}; {bases}{within} }}"
                );
            }
            return format!(
                "{{ {columns}long {first} = {from}, {n}; for (; {first} < {to}; {first} += {n}) {{ long \
                 {start} = {first} / {b} * {b}; {n} = ({start} + {b} < {to} ? {start} + {b} : {to}) \
                 - {first}; {bases}{within} }} }}"
            );
        }
        let (pointers, me) = (self.walk_pointers(split), self.mythread());
        let at = format!("{start} = ({r} * (long)upcr_threads() + {me}) * {b}");
        let head = match is_back {
            true => {
                let end = self.fresh("end");
                format!(
                    "long {r} = upcr_own_blocks(({to} + {b} - 1) / {b}) - 1, {end} = \
                     upcr_own_blocks({from} / {b}), {start}; for (; {at}, {r} >= {end}; {r}--)"
                )
            }
            false => format!(
                "long {r} = upcr_own_blocks({from} / {b}), {start}; for (; {at}, {start} < {to}; {r}++)"
            ),
        };
        format!(
            "{pointers}{{ {head} {{ long {first} = {start} < {from} ? {from} : {start}, {n} = ({start} + \
             {b} < {to} ? {start} + {b} : {to}) - {first}; {bases}{within} }} }}"
        )
    }

    /// The loop over what is left of a block.
    fn in_block(
        &mut self,
        split: &Split,
        bounds: &Bounds,
        bodies: &Bodies,
        block: &Block,
    ) -> String {
        let (k, b, Block { start, first, n }) = (&split.counter, split.block, block);
        let (left, right) = match split.has_edges() {
            true => (self.fresh("left"), self.fresh("right")),
            false => Default::default(),
        };
        let start_index = minus_shift(first, bounds);
        let bulk = bodies.in_bulk.as_ref().map_or(String::new(), |b| b.before(&start_index, n));
        let ahead = bulk + &bodies.counts.before(n);
        let value = minus_shift(&format!("{first} + {k}"), bounds);
        let Index { before, next, each } = self.index_in_loop(&split.counted, &value, &split.step);
        let (begin, next) = match split.counted.step {
            Step::Constant(_) | Step::Invariant(_) => (
                format!("({0} - ({first} - {1}) % {0}) % {0}", split.step, bounds.from),
                format!("{k} += {}{next}", split.step),
            ),
            Step::Back => (format!("{n} - 1"), format!("{k}--{next}")),
            _ => ("0".into(), format!("{k}++{next}{}", split.next_of_columns())),
        };
        let begin = format!("long {k} = {begin}; {before}");
        let (is_left, is_inside) = match split.counted.is_back() {
            true => (format!("{k} >= 0"), format!("{k} >= {left}")),
            false => (format!("{k} < {n}"), format!("{k} < {right}")),
        };
        let (near, far) = (-split.nearest.min(0), split.farthest.max(0));
        let limits = limits(&split.limits, &start_index, &left, &right);
        let ends = match b {
            0 => format!("long {left} = 0, {right} = {n};"),
            _ => format!(
                "long {left} = {start} + {near} - {first}, {right} = {start} + {b} - {far} - {first}; \
                 if ({left} < 0) {left} = 0; if ({right} > {n}) {right} = {n};"
            ),
        };
        bodies.choose(&ahead, |Body { interior, edge }| match edge {
            None => format!("{{ {begin} for (; {is_left}; {next}) {{ {each} {interior} }} }}"),
            Some(edge) => format!(
                "{{ {ends} {limits}{begin} for (; {is_left}; {next}) {{ if ({k} >= {left} && {k} < {right}) \
                 {{ for (; {is_inside}; {next}) {{ {each} {interior} }} if (!({is_left})) break; }} {each} \
                 {edge} }} }}"
            ),
        })
    }

    /// Gives the index its value: its own variable, or one that outlives the loop.
    pub(super) fn set_index(&mut self, split: &Split, bounds: &Bounds, number: &str) -> String {
        let value = minus_shift(number, bounds);
        self.index_set(&split.counted, &value) + &self.inductions_at(&split.counted, &value)
    }

    /// The lowest value of a loop's index, and what is beyond the highest, by the C texts of its bounds.
    pub(super) fn index_bounds(
        &mut self,
        counted: &Counted,
        lo: &str,
        hi: &str,
    ) -> (String, String) {
        if !counted.is_first_converted(self.sema) {
            return counted.bounds(lo, hi);
        }
        let t = self.c_temporary(self.sema.object(counted.index).ty);
        match counted.is_back() {
            true => counted.bounds(lo, &format!("({t})({hi})")),
            false => counted.bounds(&format!("({t})({lo})"), hi),
        }
    }

    pub(super) fn index_set(&mut self, counted: &Counted, value: &str) -> String {
        let object = self.sema.object(counted.index);
        let (name, ty) = (self.name(object.name), object.ty);
        let (before, value) = match self.pointer_at(counted, value) {
            Some(pointer) => pointer,
            None => (String::new(), format!("({})({value})", self.c_temporary(ty))),
        };
        match counted.is_declared {
            true => {
                let declared = self.declare(ty, name.into());
                format!("{before}{declared} = {value}; (void){name};")
            }
            false => format!("{before}{name} = {value};"),
        }
    }

    /// What gives the index its values in a loop over some of its iterations, of which the first one comes
    /// by `value`, an expression of the loop's counter. The C compiler sees that an index that grows goes
    /// along what it finds, and does not where it is computed and made narrower; downwards it prefers that.
    pub(super) fn index_in_loop(&mut self, counted: &Counted, value: &str, step: &str) -> Index {
        let set = self.index_set(counted, value);
        let is_operand = matches!(counted.moved, Moved::ByOperand(_));
        if counted.is_back() || counted.target.is_some() || is_operand {
            let each = set + &self.inductions_at(counted, value);
            return Index { before: String::new(), next: String::new(), each };
        }
        let name = self.name(self.sema.object(counted.index).name).to_string();
        let next = match (counted.moved, counted.step) {
            (Moved::ByStatement, _) => String::new(),
            (_, Step::One) => format!(", {name}++"),
            _ => format!(", {name} += {step}"),
        };
        Index { before: set, next, each: self.inductions_at(counted, &name) }
    }

    /// The value with which the plain loop would have left the index.
    fn final_index(&mut self, split: &Split, bounds: &Bounds) -> String {
        let (from, to) = (&bounds.from, &bounds.to);
        let value = match split.counted.step {
            Step::Back => format!("(({from} < {to} ? {from} : {to}) - 1)"),
            Step::Constant(_) | Step::Invariant(_) => {
                let n = &split.step;
                format!("({from} < {to} ? {from} + ({to} - {from} + {n} - 1) / {n} * {n} : {from})")
            }
            Step::One | Step::Threads => format!("({from} < {to} ? {to} : {from})"),
        };
        match split.counted.is_declared {
            true => self.inductions_at(&split.counted, &minus_shift(&value, bounds)),
            false => format!(" {}", self.set_index(split, bounds, &value)),
        }
    }
}

impl Split {
    /// A loop of which no access has been seen, and that goes by no pointer.
    pub fn new(counted: Counted, mode: Mode, block: u64, counter: String, step: String) -> Split {
        Split {
            counted,
            around: None,
            block,
            shift: String::new(),
            ahead: 0,
            step,
            mode,
            counter,
            walks: Vec::new(),
            columns: Vec::new(),
            rows_in_blocks: Vec::new(),
            runs: Vec::new(),
            may_run: true,
            is_by_number: false,
            followed: FxHashMap::default(),
            of_block: FxHashMap::default(),
            filter: None,
            valid: FxHashSet::default(),
            rows: Rows::default(),
            is_interior: true,
            nearest: 0,
            farthest: 0,
            limits: Vec::new(),
        }
    }

    /// Number of the iteration at index 0 beside what its root's place is, as C text; empty for 0.
    fn at_zero(&self) -> String {
        match (self.shift.as_str(), self.ahead) {
            (shift, 0) => shift.into(),
            ("", ahead) => ahead.to_string(),
            (shift, ahead) => format!("{shift} + {ahead}"),
        }
    }

    fn is_plain_block(&self) -> bool {
        self.mode == Mode::Whole && self.block > 1 && !self.has_edges()
    }

    /// Does a walk's pointer stay in one thread's memory while its loop runs, near the ends too?
    pub fn is_of_one_thread(&self) -> bool {
        self.mode == Mode::Strided || self.is_plain_block()
    }

    fn has_edges(&self) -> bool {
        let has_neighbours = self.nearest != 0 || self.farthest != 0;
        self.block != 1 && (has_neighbours || !self.limits.is_empty())
    }
}

/// Makes the part of a block from `left` to what is before `right` keep to the limits of an index that is
/// `start` at its begin.
fn limits(limits: &[(Limit, String)], start: &str, left: &str, right: &str) -> String {
    let mut text = String::new();
    for (Limit { kind, ahead, .. }, bound) in limits {
        // A bound near the end of `long` leaves no iteration: the difference wraps around.
        let at = format!("(long)((unsigned long)({bound}) - {ahead}l - ({start}))");
        text += &match kind {
            LimitKind::AtLeast => format!("if ({left} < {at}) {left} = {at}; "),
            LimitKind::Below => format!("if ({right} > {at}) {right} = {at}; "),
            LimitKind::Not => format!(
                "if ({left} == {at}) {left}++; else if ({left} < {at} && {at} < {right}) {right} = {at}; "
            ),
        };
    }
    text
}

fn minus_shift(number: &str, bounds: &Bounds) -> String {
    match bounds.shift.as_str() {
        "" => number.into(),
        shift => format!("{number} - {shift}"),
    }
}

/// `text` for the bounds of the index, from the `lowest` to what is beyond the highest, where it holds for
/// them, and for the step `by` if it is not known to be positive. A loop of no iteration need not have what
/// else the text needs.
fn bounded(
    split: &Split,
    bounds: &Bounds,
    [lowest, end]: [&str; 2],
    by: Option<&str>,
    text: &str,
) -> Distributed {
    let Bounds { from, to, shift, place } = bounds;
    let mut start = format!("long {from} = {lowest}, {to} = {end}; ");
    let mut condition = format!("{from} >= 0 && {from} < {to}");
    if split.mode == Mode::Whole {
        condition += &format!(" && {to} - {from} >= {MIN_TRIPS}");
    }
    if let Some(by) = by {
        let step = &split.step;
        start += &format!("long {step} = {from} < {to} ? (long)({by}) : 1; ");
        // By steps larger than a block it would look into blocks in vain.
        let most = if split.block <= 1 { 1 << 30 } else { split.block };
        condition += &format!(" && {step} > 0 && {step} <= {most}");
    }
    let in_row = |(pointer, times): &(String, u64)| {
        format!("upcr_in_row({pointer}, {}, {times})", split.block)
    };
    if let Some(first) = split.rows.first() {
        start += &format!("long {place} = {from} < {to} ? {} : 0; ", in_row(first));
        condition += &format!(" && {place} >= 0");
    }
    if !shift.is_empty() {
        let at_zero = match (split.rows.first(), split.at_zero()) {
            (None, at_zero) => at_zero,
            (Some(_), at_zero) if at_zero.is_empty() => place.clone(),
            (Some(_), at_zero) => format!("{place} + {at_zero}"),
        };
        start += &format!("long {shift} = {from} < {to} ? {at_zero} : 0; ");
        start += &format!("{from} += {shift}; {to} += {shift}; ");
        condition += &format!(" && {from} >= {shift} && {to} >= {shift}");
    }
    for pointer in split.rows.pointers.iter().skip(split.rows.first().iter().count()) {
        condition += &format!(" && {} == {place}", in_row(pointer));
    }
    let rows = split.condition_of_rows();
    // The plain loop would have its share of the registers.
    let condition = format!("__builtin_expect({condition}{rows}, 1)");
    Distributed { start, rest: format!("{condition}) {{ {text} }}") }
}
