// SPDX-License-Identifier: BSD-3-Clause
//! Elements that loops find by subscripts, in the block where they found the last.
//!
//! ```c
//! while (i < n && a[i] != key) i++;                               // shared [B] int a[n];
//! ```
//! keeps the first element of `a[i]`'s block, and where it is:
//! ```c
//! { struct upcr_last_block last = {...}; while (i < n && *(int *)upcr_elem_blocked_near(&last, a, i, ...) != key) i++; }
//! ```
//! so that a subscript is divided only where it leaves the block. Subscripts that are likely to leave it
//! each time are not looked for there (`opt::locality`).

use super::inst::Inst;
use super::place::Term;
use super::Emitter;
use crate::opt::effects::Effects;
use crate::opt::locality::Locality;
use crate::sema::ObjectId;
use crate::span::Span;
use crate::syntax::ast::{ExprKind, StmtId};
use crate::syntax::visit;

/// A block of fewer elements is left too often.
const MIN_ELEMENTS: u64 = 16;

/// Calls after which a function goes on with variables of another time.
const RETURNING_TWICE: &str = "setjmp _setjmp __sigsetjmp sigsetjmp getcontext vfork";

/// Those of an outermost loop.
pub(super) struct LastBlocks {
    locality: Locality,
    /// The innermost loop at hand, and what it assigns.
    inner: (StmtId, Locality),
    /// By how the elements are found, and what says how far a subscript is from others.
    found: Vec<((String, Vec<Part>), String)>,
}

/// A part of a subscript; numbers that lead to neighbours do not count.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Name(ObjectId),
    Number(u128),
    Thread,
    Threads,
}

impl Emitter<'_> {
    /// Emits the loop `id` by `f`, which keeps last blocks if it may.
    pub(super) fn keeping_blocks(&mut self, id: StmtId, f: impl FnOnce(&mut Self)) {
        if self.last_blocks.is_some() || !self.may_keep_blocks(id) {
            return f(self);
        }
        let [locality, inner] = [id, id].map(|id| Locality::of(self.ast, self.sema, id));
        self.last_blocks = Some(LastBlocks { locality, inner: (id, inner), found: Vec::new() });
        let at = self.edits.len();
        f(self);
        let blocks = self.last_blocks.take().map_or(Vec::new(), |blocks| blocks.found);
        if blocks.is_empty() {
            return;
        }
        let declared: String = blocks
            .iter()
            .map(|(_, last)| format!("struct upcr_last_block {last} = {{-(1l << 62), 0, 0}}; "))
            .collect();
        let Span { lo, hi } = self.ast.stmt(id).span;
        self.edit(Span::new(lo, lo), format!("{{ {declared}"));
        // Before what else stands there.
        let first = self.edits.pop().expect("just pushed");
        self.edits.insert(at, first);
        self.edit(Span::new(hi, hi), " }");
    }

    /// Does the loop begin at its head, and are its variables one thread's at one time?
    fn may_keep_blocks(&self, id: StmtId) -> bool {
        let (ast, span) = (self.ast, self.ast.stmt(id).span);
        let is_inside = |stmt: &StmtId| {
            let other = ast.stmt(*stmt).span;
            span.lo <= other.lo && other.hi <= span.hi
        };
        let mut calls_twice = false;
        visit::all_in_stmt(ast, id, &mut |e| {
            if let ExprKind::Call { callee, .. } = ast.expr(e).kind {
                let name = self.sema.object_of(ast.strip_parens(callee));
                let name = name.map(|(_, object)| ast.names.name(object.name));
                calls_twice |=
                    name.is_some_and(|name| RETURNING_TWICE.split(' ').any(|n| n == name));
            }
        });
        self.options.optimise
            && !self.canonical.contains(&id)
            && self.options.inst == Inst::Off
            && !calls_twice
            && !Effects::of(ast, self.sema, id).is_unique
            && !ast.pragmas.keys().any(is_inside)
    }

    /// What keeps the block for the elements that `terms` lead to, if they are likely to be in it. `how`:
    /// all that the C text says of them besides; what is found in other ways, or in other sizes, has
    /// another block.
    pub(super) fn last_block(
        &mut self,
        how: String,
        terms: &[Term],
        elements: u64,
    ) -> Option<String> {
        let (ast, sema, loop_) = (self.ast, self.sema, self.outer_loop?);
        let blocks = self.last_blocks.as_mut().filter(|_| elements >= MIN_ELEMENTS)?;
        if blocks.inner.0 != loop_ {
            blocks.inner = (loop_, Locality::of(ast, sema, loop_));
        }
        let (mut parts, mut moves) = (Vec::new(), false);
        for term in terms {
            if !blocks.locality.stays_near(ast, sema, term.id) {
                return None;
            }
            visit::all_in_expr(ast, term.id, &mut |e| {
                let name = sema.object_of(e).map(|(object, _)| object);
                moves |= name.is_some_and(|object| blocks.inner.1.moves(object));
                parts.extend(match ast.expr(e).kind {
                    ExprKind::Int { value, .. } if value < MIN_ELEMENTS.into() => None,
                    ExprKind::Int { value, .. } => Some(Part::Number(value)),
                    ExprKind::MyThread => Some(Part::Thread),
                    ExprKind::Threads => Some(Part::Threads),
                    _ => name.map(Part::Name),
                });
            });
        }
        if !moves {
            return None; // C finds the element before the innermost loop
        }
        let key = (how, parts);
        if let Some((_, name)) = blocks.found.iter().find(|(other, _)| *other == key) {
            return Some(name.clone());
        }
        let name = self.fresh("last");
        let blocks = self.last_blocks.as_mut()?;
        blocks.found.push((key, name.clone()));
        Some(name)
    }
}
