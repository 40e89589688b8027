// SPDX-License-Identifier: BSD-3-Clause
//! Versions of loops, so that they need not ask of every access where it goes.
//!
//! ```c
//! { if (upcr_one_host()) { for (...) x += p[i]; }
//!   else if (upcr_is_here(p)) { for (...) x += p[i]; }
//!   else { for (...) x += ({ ... upcr_get ... }); } }
//! ```
//! The first version is what code for one host is. Its condition holds or fails for the whole
//! program, so it stands around outermost loops; the second one, which assumes pointers to be here
//! (`home`), around innermost ones.

use super::home::Assumed;
use super::Emitter;
use crate::opt::effects::Effects;
use crate::syntax::ast::{ExprKind, StmtId, StmtKind};
use crate::syntax::visit;

/// What accesses to shared memory do about other hosts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Checks {
    /// Nothing: there is one host.
    None,
    /// They ask, and loops get a version that does not.
    Versions,
    /// They ask.
    Inside,
    /// There is one host, and they are counted where it is found before the loop.
    Counted,
}

/// Larger loops are too much to have twice; those inside may be fit.
const MAX_VERSION: usize = 40_000;

impl Emitter<'_> {
    /// Do accesses do more than plain ones?
    pub(super) fn is_checked(&self) -> bool {
        self.checks != Checks::None
    }

    /// May what is accessed be another host's?
    pub(super) fn may_be_away(&self) -> bool {
        matches!(self.checks, Checks::Versions | Checks::Inside)
    }

    /// What `f` writes while accesses do as `checks` says.
    pub(super) fn with_checks<R>(&mut self, checks: Checks, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.checks, checks);
        let result = f(self);
        self.checks = outer;
        result
    }

    /// For text that C does not evaluate, or that stands where it takes no statements.
    pub(super) fn unchecked<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.with_checks(Checks::None, f)
    }

    /// How accesses of functions begin.
    pub(super) fn function_checks(&self) -> Checks {
        match self.options.network {
            true => Checks::Versions,
            false => Checks::None,
        }
    }

    /// Emits the loop `id` in two versions; false if that is not to be.
    pub(super) fn versions(&mut self, id: StmtId) -> bool {
        if self.checks != Checks::Versions || !self.options.optimise || !self.may_stand_twice(id) {
            return false;
        }
        let span = self.ast.stmt(id).span;
        let before = self.n_checked;
        let checked =
            self.with_checks(Checks::Inside, |e| e.quietly(|e| e.captured(span, |e| e.stmt(id))));
        if self.n_checked == before || checked.len() > MAX_VERSION {
            return false;
        }
        let plain = self.unchecked(|e| e.captured(span, |e| e.stmt(id)));
        let own = self.own_condition(id);
        let counted = self.counted_version(id);
        let marker = self.quiet_marker(span.lo);
        self.edit(
            span,
            format!(
                "{{ if (upcr_one_host(){own}) {{ {plain} }} else {{\n{counted}{marker}{checked} }} }}"
            ),
        );
        true
    }

    /// Emits the innermost loop `id` with what it assumes, if that is anything.
    pub(super) fn assuming(&mut self, id: StmtId) -> bool {
        if !self.is_checked()
            || !self.options.optimise
            || self.assumed.is_some()
            || self.has_loop(id)
            || !self.may_stand_twice(id)
        {
            return false;
        }
        self.loop_ = Some(id);
        self.with_assumptions(id);
        self.loop_ = None;
        true
    }

    fn with_assumptions(&mut self, id: StmtId) {
        let span = self.ast.stmt(id).span;
        let effects = Effects::of(self.ast, self.sema, id);
        self.assumed = Some(Assumed::over(Some(effects)));
        let n_checked = self.n_checked;
        let here = self.captured(span, |e| e.stmt_itself(id));
        let pointers = self.assumed.take().map_or(Vec::new(), |assumed| assumed.pointers);
        if self.n_checked > n_checked || !pointers.is_empty() {
            self.remark_why_not(id);
        }
        let in_bulk = if self.may_be_away() { self.in_bulk(id) } else { String::new() };
        let bulk = if in_bulk.is_empty() { self.inspected(id) } else { in_bulk };
        if pointers.is_empty() {
            let text = match bulk.is_empty() {
                true => here,
                false => format!("{{ {bulk}\n{}{here} }}", self.quiet_marker(span.lo)),
            };
            self.edit(span, text);
            return;
        }
        let anywhere = self.quietly(|e| {
            e.captured(span, |e| {
                if !e.swept(id) {
                    e.stmt_itself(id);
                }
            })
        });
        let (marker, condition) = (self.quiet_marker(span.lo), all_here(&pointers));
        self.edit(
            span,
            format!("{{ if ({condition}) {{ {here} }} else {{ {bulk}\n{marker}{anywhere} }} }}"),
        );
    }

    fn has_loop(&self, id: StmtId) -> bool {
        self.loops_of(id) > 1
    }

    /// How many loops `id` is, or has in it.
    pub(super) fn loops_of(&self, id: StmtId) -> usize {
        let mut loops = 0;
        visit::all_stmts(self.ast, id, &mut |stmt| {
            loops += usize::from(self.is_loop(stmt));
        });
        loops
    }

    /// `do ... while (0)`, as macros have it, is none.
    pub(super) fn is_loop(&self, id: StmtId) -> bool {
        match self.ast.stmt(id).kind {
            StmtKind::For(_) | StmtKind::While { .. } | StmtKind::UpcForall(_) => true,
            StmtKind::DoWhile { cond, .. } => {
                !matches!(self.ast.expr(cond).kind, ExprKind::Int { value: 0, .. })
            }
            _ => false,
        }
    }

    /// A pragma, which is not in the tree, wants to stand before its loop.
    pub(super) fn may_stand_twice(&self, id: StmtId) -> bool {
        let span = self.ast.stmt(id).span;
        let before = self.source[..span.lo as usize].trim_end();
        let line = before.rsplit('\n').next().unwrap_or(before);
        let is_pragma = line.trim_start().starts_with('#') && line.contains("pragma");
        !is_pragma && !Effects::of(self.ast, self.sema, id).is_unique
    }
}

/// The condition that all of `pointers` point to this host's memory.
pub(super) fn all_here(pointers: &[String]) -> String {
    let tests: Vec<_> = pointers.iter().map(|p| format!("upcr_is_here({p})")).collect();
    tests.join(" && ")
}
