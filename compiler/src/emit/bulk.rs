// SPDX-License-Identifier: BSD-3-Clause
//! Loops over another host's memory fetch what they read, and store what they write, in pieces.
//!
//! ```c
//! for (long i = lo; i < hi; i++) q[i] = p[i];          // shared [] double *p, *q;
//! ```
//! becomes, where `p` or `q` points to another host's memory and the loop is not short:
//! ```c
//! for (from = lo, to = hi; from < to; from += n) {
//!     n = min(to - from, N);
//!     double *v = p + from, b[upcr_is_here(v) ? 1 : n]; if (!upcr_is_here(v)) v = upcr_get_start(b, ...);
//!     double *w = q + from, c[upcr_is_here(w) ? 1 : n]; if (!upcr_is_here(w)) w = c;
//!     ...
//!     for (k = 0, i = from; k < n; k++, i++) w[k] = v[k];
//!     if (w == c) upcr_put(q + from, c, n * sizeof *c, ...);
//! }
//! ```
//! unless what is written overlaps anything else there (`range`), or what led there: `g->n` and `g->p`
//! of `for (i = 0; i < g->n; i++) s += g->p[i]` are read once (`standing`). A place that all iterations
//! access is a range of one element. Of the row of a matrix no more is fetched than it has, whatever a body
//! with conditions would access:
//! ```c
//! long s, m = upcr_part_in_row(from - 1, n + 2, N, &s);  // for if (j > 0) x += a[i][j - 1]; and so on
//! double *v = &a[i][0] + (from - 1) + s, ...; v = upcr_get_start(b + s, v, m * sizeof *v, ...) - s;
//! ```
//! What is here after all is accessed in place: the loop may know it by private pointers. A loop that goes
//! down takes the last piece first, and the last element of each.

use super::access::address_text;
use super::range::{Base, Range};
use super::split::Index;
use super::text::primary;
use super::Emitter;
use crate::opt::affine::Addend;
use crate::opt::counted::{self, Counted};
use crate::opt::head;
use crate::syntax::ast::{ExprId, StmtId};
use crate::syntax::visit;

/// On the stack, while a piece is there: functions that call themselves would soon have used it up if it
/// were a part of each one's frame.
const MAX_BYTES: u64 = 64 << 10;
/// Shorter pieces are not worth it, nor are shorter loops.
const MIN_PIECE: u64 = 16;
const MIN_TRIPS: u32 = 4;

/// A run of iterations and a piece of it, by the emitted variables that say which.
struct Run {
    /// What is left of it.
    from: String,
    to: String,
    /// What is added to be at the index; none for 0.
    start: Option<String>,
    /// Where the piece begins.
    first: String,
    n: String,
    k: String,
    reads: String,
    /// Arguments of the runtime's functions.
    place: String,
    /// Iterations of the largest piece.
    most: u64,
}

/// A block of a loop (`split`) in pieces.
#[derive(Debug)]
pub(super) struct BlockInBulk {
    from: String,
    to: String,
    start: String,
    condition: String,
    text: String,
}

/// What the text of a loop in pieces is made of.
#[derive(Default)]
struct Parts {
    condition: String,
    before: String,
    after: String,
}

impl Emitter<'_> {
    /// The loop `id` with its accesses in bulk, as `if (...) { ... } else `; empty if it is not
    /// fit.
    pub(super) fn in_bulk(&mut self, id: StmtId) -> String {
        let Some(head) = head::clauses(self.ast, self.sema, id) else { return String::new() };
        let Some(counted) = counted::recognise_if_shared_stands(self.ast, self.sema, &head) else {
            return String::new();
        };
        if !counted.step.is_by_one() {
            return String::new();
        }
        match self.ranges(head.body, &counted) {
            Some(ranges) if !ranges.is_empty() => {
                let text = self.bulk_loop(&counted, &ranges, head.body);
                if text.is_some() {
                    self.remark_pieces(id, &ranges);
                    self.remark_again(id, &counted, &ranges);
                }
                text.unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    fn remark_pieces(&mut self, id: StmtId, ranges: &[Range]) {
        let n_read = ranges.iter().filter(|range| range.is_read).count();
        let n_written = ranges.iter().filter(|range| range.is_written).count();
        let text = match (n_read, n_written) {
            (read, 0) => format!("fetched in pieces: {read}"),
            (0, written) => format!("stored in pieces: {written}"),
            (read, written) => format!("fetched in pieces: {read}, stored in pieces: {written}"),
        };
        self.remark(id, text + " for each run of elements");
    }

    /// `None` if a piece would be too short.
    fn bulk_loop(&mut self, counted: &Counted, ranges: &[Range], body: StmtId) -> Option<String> {
        let run = self.new_run(counted, ranges, None, body)?;
        let Run { from, to, .. } = &run;
        let bounds = self.stand(&[counted.lo, counted.hi]);
        let (lo, hi) = (self.value_text(counted.lo), self.value_text(counted.hi));
        let (lowest, beyond) = self.index_bounds(counted, &lo, &hi);
        let paths: Vec<_> = ranges.iter().flat_map(|range| self.path(range)).collect();
        let paths = self.stand(&paths);
        let (overlaps, text) = self.pieces(&run, counted, ranges, body);
        let written = ranges.iter().filter(|range| range.is_written);
        let written: Vec<_> = written.map(|range| self.extent(&run, range)).collect();
        let condition =
            paths.set() + &overlaps + &bounds.apart_from(&written) + &paths.apart_from(&written);
        self.end_stand(&bounds);
        self.end_stand(&paths);
        let before = bounds.set_before() + &paths.declared();
        let end = match (counted.is_declared, counted.is_back()) {
            (true, _) => String::new(),
            (false, true) => self.index_set(counted, &format!("{from} - 1")),
            (false, false) => self.index_set(counted, to),
        };
        Some(format!(
            "{before}long {from} = {lowest}, {to} = {beyond}; if ({from} >= 0 && {to} - \
             {from} >= {MIN_TRIPS}{condition}) {{ {text} {end} }} else "
        ))
    }

    /// One block of the loop that is being split, all in one array's or pointer's block.
    pub(super) fn block_in_bulk(&mut self, body: StmtId) -> Option<BlockInBulk> {
        let ranges = self.ranges(body, &self.split.as_ref()?.counted)?;
        let start = self.fresh("start");
        let split = self.split.take()?;
        let Some(run) = self.new_run(&split.counted, &ranges, Some(start.clone()), body) else {
            self.split = Some(split);
            return None;
        };
        if let Some(id) = self.loop_ {
            self.remark_pieces(id, &ranges);
        }
        let (condition, text) = self.pieces(&run, &split.counted, &ranges, body);
        self.split = Some(split);
        Some(BlockInBulk { from: run.from, to: run.to, start, condition, text })
    }

    /// The loop over the pieces of `run`, and what else must hold for it.
    fn pieces(
        &mut self,
        run: &Run,
        counted: &Counted,
        ranges: &[Range],
        body: StmtId,
    ) -> (String, String) {
        let Run { from, to, first, n, k, reads, place, most, .. } = run;
        let mut parts = Parts::default();
        for range in ranges {
            self.bulk_range(run, range, &mut parts);
        }
        let span = self.ast.stmt(body).span;
        let text = self.quietly(|e| e.captured(span, |e| e.stmt(body)));
        for access in ranges.iter().flat_map(|range| &range.accesses) {
            self.fetched.remove(&access.id);
        }
        parts.condition += &self.rows_in_bounds(ranges);
        self.note_overlaps(run, ranges, &mut parts);
        let value = format!("{} + {k}", run.index(first));
        let Index { before: set, next, each } = self.index_in_loop(counted, &value, "1");
        let marker = self.quiet_marker(span.lo);
        let Parts { condition, before, after } = parts;
        let (next_piece, order) = match counted.is_back() {
            true => (
                format!("{to} -= {n}"),
                format!("{k} = {n} - 1; {set} for (; {k} >= 0; {k}--{next})"),
            ),
            false => {
                (format!("{from} += {n}"), format!("{k} = 0; {set} for (; {k} < {n}; {k}++{next})"))
            }
        };
        let text = format!(
            "{{ long {n}; for (; {from} < {to}; {next_piece}) {{ {n} = {to} - {from} < {most} ? {to} - \
             {from} : {most}; struct upcr_reads {reads} = {{0}}; {before}\
             upcr_get_finish(&{reads}, {place}); {{ long {order} {{ {each}\n{marker}{text} }} }} {after}}} }}"
        );
        (condition, text)
    }

    /// `start` is the index where the run starts, if that is not where it is counted from.
    fn new_run(
        &mut self,
        counted: &Counted,
        ranges: &[Range],
        start: Option<String>,
        body: StmtId,
    ) -> Option<Run> {
        let sizes = ranges.iter().map(|range| self.sema.types.size_of(range.elem));
        let most = MAX_BYTES / sizes.sum::<Option<u64>>()?.max(1);
        let [from, to, n] = ["from", "to", "n"].map(|name| self.fresh(name));
        (most >= MIN_PIECE).then(|| Run {
            start,
            first: match counted.is_back() {
                true => format!("({to} - {n})"),
                false => from.clone(),
            },
            from,
            to,
            n,
            k: self.fresh("k"),
            reads: self.fresh("r"),
            place: self.place_arguments(self.ast.stmt(body).span.lo),
            most,
        })
    }

    /// The first element of `range` where the run has come to `at`.
    fn range_start(&mut self, run: &Run, range: &Range, at: &str) -> String {
        let (base, at) = match &range.base {
            Base::Walk(pointer) => (pointer.clone(), at.to_string()),
            &Base::Expr(id) if self.sema.types.is_array(self.sema.expr_type(id)) => {
                (self.lvalue_text(id), run.index(at))
            }
            &Base::Expr(id) => (primary(self.value_text(id)), run.index(at)),
            &Base::Row(id) => {
                let place = self.place(id);
                (self.access(&place, range.elem), run.index(at))
            }
            &Base::Place(id) => return address_text(&self.lvalue_text(id)),
        };
        let at = self.first_of_range(range, at);
        format!("{base} + {at}")
    }

    /// The subscript of the first element of `range` where the index is `at`.
    fn first_of_range(&mut self, range: &Range, at: String) -> String {
        match range.nearest != 0 || !range.fixed.is_empty() {
            true => {
                format!("({} + {}{})", primary(at), range.nearest, self.sum_text(&range.fixed))
            }
            false => primary(at),
        }
    }

    /// Where in its row the first element of a piece of `range` is, how many elements these are, and how many
    /// the row has, as arguments, if some of them may be beyond the row's ends.
    fn part_in_row(&mut self, run: &Run, range: &Range) -> Option<String> {
        let Base::Row(id) = range.base else { return None };
        let (length, _) = self.row(id).filter(|_| range.may_exceed_row())?;
        let first = self.first_of_range(range, run.index(&run.first));
        Some(format!("{first}, {}, {length}", plus(&run.n, range.spread())))
    }

    /// The condition that rows which the loop may not read exist.
    fn rows_in_bounds(&mut self, ranges: &[Range]) -> String {
        let mut text = String::new();
        for range in ranges.iter().filter(|range| range.may_be_in_vain()) {
            let Base::Row(id) = range.base else { continue };
            for (index, length) in self.row(id).map_or(Vec::new(), |(_, subscripts)| subscripts) {
                let index = primary(self.value_text(index));
                let threads = if length.times_threads { " * upcr_threads()" } else { "" };
                text += &format!(" && (unsigned long)(long){index} < {}ul{threads}", length.n);
            }
        }
        text
    }

    pub(super) fn sum_text(&mut self, addends: &[Addend]) -> String {
        let addend = |addend: &Addend| {
            let sign = if addend.is_negative { "-" } else { "+" };
            format!(" {sign} (long){}", primary(self.value_text(addend.id)))
        };
        addends.iter().map(addend).collect()
    }

    fn bulk_range(&mut self, run: &Run, range: &Range, parts: &mut Parts) {
        let Run { n, k, reads, place, .. } = run;
        let (b, w) = (self.fresh("b"), self.fresh("w"));
        let start = self.range_start(run, range, &run.first);
        let spread = range.spread();
        let is_place = matches!(range.base, Base::Place(_));
        let room = match is_place {
            true => "1".into(),
            false => format!("upcr_is_here({w}) ? 1 : {}", plus(n, spread)),
        };
        let declared = self.unqualified_array(range.elem, &b, &room);
        let pointer = self.c_pointer_named(range.elem, &format!("*{w}"));
        let bytes = match is_place {
            true => format!("sizeof *{b}"),
            false => format!("{} * sizeof *{b}", primary(plus(n, spread))),
        };
        let fill = match range.is_read {
            true => format!("upcr_get_start({b}, {w}, {bytes}, {place}, &{reads})"),
            false => b.clone(),
        };
        parts.before += &match self.part_in_row(run, range) {
            None => {
                format!("{pointer} = {start}; {declared}; if (!upcr_is_here({w})) {w} = {fill}; ")
            }
            Some(part) => {
                let (s, m) = (self.fresh("s"), self.fresh("m"));
                format!(
                    "long {s}, {m} = upcr_part_in_row({part}, &{s}); {pointer} = {start} + {s}; {declared}; \
                     if ({m} && !upcr_is_here({w})) {w} = upcr_get_start({b} + {s}, {w}, {m} * sizeof *{b}, \
                     {place}, &{reads}); {w} -= {s}; "
                )
            }
        };
        if range.is_written {
            parts.after += &format!("if ({w} == {b}) upcr_put({start}, {b}, {bytes}, {place}); ");
        }
        for access in &range.accesses {
            let at = match is_place {
                true => "0".into(),
                false => plus(k, access.ahead.abs_diff(range.nearest)),
            };
            let member =
                access.member.map_or(String::new(), |name| format!(".{}", self.name(name)));
            self.fetched.insert(access.id, format!("{w}[{at}]{member}"));
        }
    }

    /// The condition that nothing else that the run accesses is where it writes.
    fn note_overlaps(&mut self, run: &Run, ranges: &[Range], parts: &mut Parts) {
        for (i, written) in ranges.iter().enumerate().filter(|(_, range)| range.is_written) {
            for (j, other) in ranges.iter().enumerate() {
                if j == i || (j < i && other.is_written) {
                    continue;
                }
                let (written, other) = (self.extent(run, written), self.extent(run, other));
                parts.condition += &format!(" && upcr_are_apart({written}, {other})");
            }
        }
    }

    /// The address and the bytes of what the run accesses of `range`.
    fn extent(&mut self, run: &Run, range: &Range) -> String {
        let start = self.range_start(run, range, &run.from);
        let size = self.c_sizeof(range.elem);
        match range.base {
            Base::Place(_) => format!("{start}, {size}"),
            _ => {
                let n = plus(&format!("{} - {}", run.to, run.from), range.spread());
                format!("{start}, ({n}) * {size}")
            }
        }
    }

    /// What is evaluated to find `range`.
    fn path(&self, range: &Range) -> Vec<ExprId> {
        let mut path: Vec<_> = range.fixed.iter().map(|addend| addend.id).collect();
        match range.base {
            Base::Expr(id) => path.push(id),
            Base::Row(id) => {
                let subscripts = self.row(id).into_iter().flat_map(|(_, subscripts)| subscripts);
                path.extend(subscripts.map(|(index, _)| index));
            }
            Base::Place(id) => visit::children(self.ast, id, &mut |child| path.push(child)),
            Base::Walk(_) => {}
        }
        path
    }
}

impl Run {
    fn index(&self, at: &str) -> String {
        self.start.as_ref().map_or(at.to_string(), |start| format!("{start} + {at}"))
    }
}

impl BlockInBulk {
    /// Stands before the loop over a block of `n` iterations, from the index `first` on.
    pub(super) fn before(&self, first: &str, n: &str) -> String {
        let BlockInBulk { from, to, start, condition, text } = self;
        format!(
            "long {start} = {first}, {from} = 0, {to} = {n}; if ({to} >= {MIN_TRIPS}{condition}) {{ \
             {text} }} else "
        )
    }
}

impl Range {
    /// Elements beyond one for each iteration.
    fn spread(&self) -> u64 {
        self.farthest.abs_diff(self.nearest)
    }
}

fn plus(text: &str, n: u64) -> String {
    match n {
        0 => text.into(),
        n => format!("{text} + {n}"),
    }
}
