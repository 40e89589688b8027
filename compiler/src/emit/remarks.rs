// SPDX-License-Identifier: BSD-3-Clause
//! What was done about a loop's accesses to other hosts' memory, and why not more: for
//! `upcc -Rfurlong`.

use super::range::{Base, Range};
use super::Emitter;
use crate::opt::alias;
use crate::opt::counted::{self, Counted};
use crate::opt::effects::{self, Effects};
use crate::opt::head;
use crate::sema::pure;
use crate::syntax::ast::{ExprKind, StmtId};
use crate::syntax::visit;
use std::collections::BTreeMap;

/// What is said of loops, by the offset of each in the text.
#[derive(Default)]
pub(super) struct Remarks(BTreeMap<u32, Remark>);

#[derive(Default)]
struct Remark {
    done: Vec<String>,
    /// Said if nothing has been done.
    why_not: &'static str,
}

impl Remarks {
    pub(super) fn into_list(self) -> Vec<(u32, String)> {
        let text = |remark: Remark| match remark.done.is_empty() {
            true => format!("one by one, by way of the read cache: {}", remark.why_not),
            false => remark.done.join("; "),
        };
        self.0.into_iter().map(|(offset, remark)| (offset, text(remark))).collect()
    }
}

impl Emitter<'_> {
    /// Notes what is done about the loop `id`.
    pub(super) fn remark(&mut self, id: StmtId, done: String) {
        let remark = self.remarks.0.entry(self.ast.stmt(id).span.lo).or_default();
        if !remark.done.contains(&done) {
            remark.done.push(done);
        }
    }

    /// Notes that the loop `id` reads the same elements again with each iteration of the loop around
    /// it, if that is so: nothing there may change them, or where they are.
    pub(super) fn remark_again(&mut self, id: StmtId, counted: &Counted, ranges: &[Range]) {
        let Some(outer) = self.outer_loop.filter(|&outer| outer != id) else { return };
        let (ast, sema) = (self.ast, self.sema);
        let effects = Effects::of(ast, sema, outer);
        let is_fixed = |e| effects.is_invariant(ast, sema, e);
        let is_same = |range: &Range| {
            let is_base_fixed = matches!(range.base, Base::Expr(base) if is_fixed(base));
            range.is_read
                && !range.is_written
                && is_base_fixed
                && range.fixed.iter().all(|addend| is_fixed(addend.id))
        };
        let n = ranges.iter().filter(|range| is_same(range)).count();
        if n > 0 && is_fixed(counted.lo) && is_fixed(counted.hi) && !self.may_change(outer) {
            let place = self.file_and_line(ast.stmt(outer).span.lo);
            self.remark(
                id,
                format!(
                    "{n} of them the same in each iteration of the loop at line {}: a copy by \
                     `upc_memget` before that loop is fetched once",
                    place.1
                ),
            );
        }
    }

    /// May `id` write shared memory, or let other threads do so?
    fn may_change(&self, id: StmtId) -> bool {
        let (ast, sema) = (self.ast, self.sema);
        let mut may = !alias::is_quiet(ast, sema, id);
        visit::all_in_stmt(ast, id, &mut |e| {
            may |= effects::written_place(ast, e)
                .is_some_and(|place| sema.types.is_shared(sema.expr_type(place)));
        });
        may
    }

    /// Notes why nothing more may have been done about the loop `id`.
    pub(super) fn remark_why_not(&mut self, id: StmtId) {
        let why_not = self.why_not(id);
        self.remarks.0.entry(self.ast.stmt(id).span.lo).or_default().why_not = why_not;
    }

    fn why_not(&self, id: StmtId) -> &'static str {
        let Some(head) = head::clauses(self.ast, self.sema, id) else {
            return "it is no loop that counts, nor a `upc_forall` that walks along an array";
        };
        if counted::recognise_if_shared_stands(self.ast, self.sema, &head).is_none() {
            return "it does not count an index up or down between bounds that it leaves alone";
        }
        if !effects::is_innermost_body(self.ast, head.body) {
            return "it may end early, or has a `switch` in it";
        }
        let (mut calls, mut is_strict, mut has_writes) = (false, false, false);
        visit::all_in_stmt(self.ast, head.body, &mut |e| {
            is_strict |= self.sema.strict.contains(&e);
            match self.ast.expr(e).kind {
                ExprKind::Call { callee, .. } => {
                    calls |= !pure::changes_nothing(self.ast, self.sema, callee);
                }
                ExprKind::Assign { lhs, .. } => {
                    has_writes |= self.sema.types.is_shared(self.sema.expr_type(lhs));
                }
                _ => {}
            }
        });
        match (is_strict, calls, has_writes) {
            (true, ..) => "it has strict accesses, which keep the order of all",
            (_, true, _) => "it calls functions, which may synchronise",
            (_, _, true) => "what it reads may be what it has written",
            _ => "it accesses no run of one thread's elements, and looks no place up that it could know \
                  before",
        }
    }
}
