// SPDX-License-Identifier: BSD-3-Clause
//! What was done about a loop's accesses to other hosts' memory, and why not more: for
//! `upcc -Rfurlong`.

use super::Emitter;
use crate::opt::{counted, effects};
use crate::syntax::ast::{ExprKind, StmtId, StmtKind};
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

    /// Notes why nothing more may have been done about the loop `id`.
    pub(super) fn remark_why_not(&mut self, id: StmtId) {
        let why_not = self.why_not(id);
        self.remarks.0.entry(self.ast.stmt(id).span.lo).or_default().why_not = why_not;
    }

    fn why_not(&self, id: StmtId) -> &'static str {
        let StmtKind::For(head) = &self.ast.stmt(id).kind else {
            return "it is no `for` loop, nor a `upc_forall` that walks along an array";
        };
        if counted::recognise(self.ast, self.sema, head).is_none() {
            return "it does not count an index upwards between bounds that it leaves alone";
        }
        if !effects::is_innermost_body(self.ast, head.body) {
            return "it may end early, or has a `switch` in it";
        }
        let (mut calls, mut is_strict, mut has_writes) = (false, false, false);
        visit::all_in_stmt(self.ast, head.body, &mut |e| {
            is_strict |= self.sema.strict.contains(&e);
            match self.ast.expr(e).kind {
                ExprKind::Call { callee, .. } => {
                    calls |= !effects::is_pure_function(self.ast, self.sema, callee);
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
