// SPDX-License-Identifier: BSD-3-Clause
//! Loops over another host's memory fetch what they read in pieces.
//!
//! ```c
//! for (long i = lo; i < hi; i++) s += p[i];                       // shared [] double *p;
//! ```
//! becomes, where `p` points to another host's memory and the loop is not short:
//! ```c
//! for (from = lo, to = hi; from < to; from += n) {
//!     n = min(to - from, N);
//!     double b[N], *w = p + from; if (!upcr_is_here(w)) w = upcr_get_start(b, w, n * sizeof *b, ...);
//!     ...
//!     for (k = 0; k < n; k++) { long i = from + k; s += w[k]; }
//! }
//! ```
//! Relaxed reads may be made in any order (UPC 1.3 §5.1.2.3), but only those of the loop: each of
//! its iterations must come, and make each read, and nothing it does may change what is read. What
//! is here after all is read in place: the loop may write it through private pointers.

use super::Emitter;
use crate::opt::counted::{self, Counted, Step};
use crate::opt::{effects, visit};
use crate::sema::types::QualType;
use crate::sema::ObjectId;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// On the stack.
const MAX_BYTES: u64 = 16 << 10;
/// Shorter pieces are not worth it, nor are shorter loops.
const MIN_PIECE: u64 = 16;
const MIN_TRIPS: u32 = 4;

/// Elements of one range, `ahead` of the index, that each iteration reads one of.
struct Range {
    pointer: ObjectId,
    ahead: i64,
    elem: QualType,
    reads: Vec<ExprId>,
}

impl Emitter<'_> {
    /// The loop `id` with its reads in bulk, as `if (...) { ... } else `; empty if it is not fit.
    pub(super) fn in_bulk(&mut self, id: StmtId) -> String {
        let StmtKind::For(head) = &self.ast.stmt(id).kind else { return String::new() };
        let Some(counted) = counted::recognise(self.ast, self.sema, head) else {
            return String::new();
        };
        if counted.step != Step::One || !self.is_straight(head.body) {
            return String::new();
        }
        match self.ranges(head.body, &counted) {
            Some(ranges) if !ranges.is_empty() => {
                self.bulk_loop(&counted, &ranges, head.body).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// Does every statement in `body` run once in each iteration?
    fn is_straight(&self, body: StmtId) -> bool {
        let mut is_straight = true;
        visit::all_stmts(self.ast, body, &mut |stmt| {
            is_straight &= matches!(
                self.ast.stmt(stmt).kind,
                StmtKind::Compound(_)
                    | StmtKind::Expr(_)
                    | StmtKind::Declaration(_)
                    | StmtKind::Empty
            );
        });
        is_straight
    }

    /// What `body` reads; `None` if it does anything that is in the way.
    fn ranges(&self, body: StmtId, counted: &Counted) -> Option<Vec<Range>> {
        let mut ranges: Vec<Range> = Vec::new();
        let mut is_fit = true;
        visit::all_in_stmt(self.ast, body, &mut |id| {
            is_fit &= self.is_harmless(id) && self.note_range(id, counted, &mut ranges);
        });
        is_fit.then_some(ranges)
    }

    fn is_harmless(&self, id: ExprId) -> bool {
        use UnaryOp::{AddrOf, PostDec, PostInc, PreDec, PreInc};
        let is_private = |e: ExprId| {
            let e = self.ast.strip_parens(e);
            !self.sema.types.is_shared(self.sema.expr_type(e))
        };
        match self.ast.expr(id).kind {
            ExprKind::Call { callee, .. } => effects::is_pure_function(self.ast, self.sema, callee),
            ExprKind::Assign { lhs, .. } => is_private(lhs),
            ExprKind::Unary { op: AddrOf | PostDec | PostInc | PreDec | PreInc, operand } => {
                is_private(operand)
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. }
            | ExprKind::Cond { .. }
            | ExprKind::SizeOf { .. }
            | ExprKind::Generic { .. }
            | ExprKind::ChooseExpr { .. }
            | ExprKind::StmtExpr(_) => false,
            _ => true,
        }
    }

    /// Notes `id` if it is a read of shared memory; false if not of a range.
    fn note_range(&self, id: ExprId, counted: &Counted, ranges: &mut Vec<Range>) -> bool {
        let elem = self.sema.expr_type(id);
        let types = &self.sema.types;
        if !types.is_shared(elem) || matches!(self.ast.expr(id).kind, ExprKind::Paren(_)) {
            return true;
        }
        let ExprKind::Index { base, index } = self.ast.expr(id).kind else { return false };
        let (base, index) = self.subscript(base, index);
        let Some((pointer, _)) = self.sema.object_of(self.ast.strip_parens(base)) else {
            return false;
        };
        let Some(ahead) = self.ahead_of(index, counted.index) else { return false };
        let is_fit = types.block(elem) == Some(0)
            && types.is_arithmetic(elem)
            && !types.resolve(elem).quals.is_volatile
            && !types.is_array(self.sema.expr_type(base))
            && !self.sema.strict.contains(&id)
            && counted.effects.keeps(self.sema, pointer);
        let known = ranges.iter_mut().find(|r| r.pointer == pointer && r.ahead == ahead);
        match known {
            Some(range) => range.reads.push(id),
            None => ranges.push(Range { pointer, ahead, elem, reads: vec![id] }),
        }
        is_fit
    }

    /// `None` if a piece would be too short.
    fn bulk_loop(&mut self, counted: &Counted, ranges: &[Range], body: StmtId) -> Option<String> {
        let sizes = ranges.iter().map(|range| self.sema.types.size_of(range.elem));
        let most = MAX_BYTES / sizes.sum::<Option<u64>>()?.max(1);
        if most < MIN_PIECE {
            return None;
        }
        let (from, to, n, k) =
            (self.fresh("from"), self.fresh("to"), self.fresh("n"), self.fresh("k"));
        let (r, mut gets) = (self.fresh("r"), String::new());
        let place = self.place_arguments(self.ast.stmt(body).span.lo);
        for range in ranges {
            let (b, p) = (self.fresh("b"), self.name(self.sema.object(range.pointer).name));
            let declared = self.unqualified_array(range.elem, &b, most);
            let w = self.fresh("w");
            let pointer = self.c_pointer_named(range.elem, &format!("*{w}"));
            gets += &format!(
                "{declared}; {pointer} = {p} + ({from} + {}); if (!upcr_is_here({w})) {w} = \
                 upcr_get_start({b}, {w}, {n} * sizeof *{b}, {place}, &{r}); ",
                range.ahead
            );
            for &read in &range.reads {
                self.fetched.insert(read, format!("{w}[{k}]"));
            }
        }
        let span = self.ast.stmt(body).span;
        let text = self.quietly(|e| e.captured(span, |e| e.stmt(body)));
        ranges.iter().flat_map(|r| &r.reads).for_each(|read| _ = self.fetched.remove(read));
        let (lo, hi) = (self.value_text(counted.lo), self.value_text(counted.hi));
        let extra = if counted.is_inclusive { " + 1" } else { "" };
        let set = self.index_set(counted, &format!("{from} + {k}"));
        let end = match counted.is_declared {
            true => String::new(),
            false => self.index_set(counted, &to),
        };
        let marker = self.quiet_marker(span.lo);
        Some(format!(
            "long {from} = (long)({lo}), {to} = (long)({hi}){extra}; if ({from} >= 0 && {to} - \
             {from} >= {MIN_TRIPS}) {{ for (long {n}; {from} < {to}; {from} += {n}) {{ {n} = {to} - \
             {from} < {most} ? {to} - {from} : {most}; struct upcr_reads {r} = {{0}}; {gets}\
             upcr_get_finish(&{r}, {place}); for (long {k} = 0; {k} < {n}; {k}++) {{ {set}\n\
             {marker}{text} }} }} {end} }} else "
        ))
    }
}
