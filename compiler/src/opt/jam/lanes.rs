// SPDX-License-Identifier: BSD-3-Clause
//! The text of a loop that runs several iterations at once. Each of them is a lane, with names of its own
//! for the variables that it writes.

use super::{statements, Nest, LANES, MIN_TRIPS};
use crate::marker::marker_at;
use crate::opt::counted::Counted;
use crate::opt::rewrite::on_one_line;
use crate::sema::ObjectId;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind, ForInit, StmtId, StmtKind};
use crate::syntax::visit;

impl<'a> Nest<'a> {
    fn source(&self, id: ExprId) -> &'a str {
        self.ast.expr(id).span.text(self.text)
    }

    /// The name that lane `lane` has for `object`. The last lane has the user's: its value is left.
    fn name(&self, object: ObjectId, lane: usize) -> String {
        let name = self.ast.names.name(self.sema.object(object).name);
        if lane + 1 == LANES {
            name.to_string()
        } else {
            format!("upcr_{lane}_{name}")
        }
    }

    /// No `name` is like it: names do not begin with a digit.
    fn sum_name(&self, n: usize, lane: usize) -> String {
        format!("upcr_{lane}_{n}")
    }

    /// `stmts` as lane `lane` executes them.
    fn lane(&self, stmts: &[StmtId], lane: usize, with_sums: bool) -> String {
        let texts = stmts.iter().map(|&stmt| {
            let mut edits = Vec::new();
            if let StmtKind::Declaration(decl) = self.ast.stmt(stmt).kind {
                for (i, declarator) in self.ast.decl(decl).declarators.iter().enumerate() {
                    let object = self.sema.declared.get(&(decl, i)).filter(|&&o| self.is_own(o));
                    let name = object.zip(declarator.declarator.name);
                    edits.extend(name.map(|(&object, name)| (name.span, self.name(object, lane))));
                }
            }
            visit::roots(self.ast, stmt, &mut |root| {
                self.rename(root, lane, with_sums, &mut edits)
            });
            on_one_line(self.text, self.ast.stmt(stmt).span, edits) + " "
        });
        texts.collect()
    }

    /// Notes the names in `id` that lane `lane` has others for. `with_sums`: sums are variables there.
    fn rename(&self, id: ExprId, lane: usize, with_sums: bool, edits: &mut Vec<(Span, String)>) {
        let span = self.ast.expr(id).span;
        let is_lvalue =
            matches!(self.ast.expr(id).kind, ExprKind::Index { .. } | ExprKind::Member { .. });
        if with_sums && is_lvalue {
            if let Some(n) = self.uses.sums.iter().position(|&(sum, _)| self.is_same(sum, id)) {
                edits.push((span, self.sum_name(n, lane)));
                return;
            }
        }
        if let ExprKind::Ident(_) = self.ast.expr(id).kind {
            let object = self.sema.object_of(id).map(|(object, _)| object);
            match object {
                Some(object) if object == self.outer.index && lane > 0 => {
                    edits.push((span, format!("({} + {lane})", self.source(id))));
                }
                Some(object) if self.is_own(object) => {
                    edits.push((span, self.name(object, lane)));
                }
                _ => {}
            }
        }
        visit::children(self.ast, id, &mut |child| self.rename(child, lane, with_sums, edits));
    }

    /// The lvalue of a sum in lane `lane`.
    fn sum_place(&self, n: usize, lane: usize) -> String {
        let (id, mut edits) = (self.uses.sums[n].0, Vec::new());
        self.rename(id, lane, false, &mut edits);
        on_one_line(self.text, self.ast.expr(id).span, edits)
    }

    /// What `f` makes of each lane, one after the other.
    fn lanes(&self, f: impl Fn(usize) -> String) -> String {
        (0..LANES).map(f).collect()
    }

    /// The loop over several iterations at once.
    fn jammed(&self) -> String {
        let (ast, uses) = (self.ast, &self.uses);
        let mut names = String::new();
        for (object, ty) in &uses.own {
            let Some(ty) = ty else { continue };
            let declare = |lane| format!("{ty} {}; ", self.name(*object, lane));
            names.extend((0..LANES - 1).map(declare));
        }
        let sums = |f: &dyn Fn(usize, usize) -> String| {
            let of_sum = |n| self.lanes(|lane| f(n, lane));
            (0..uses.sums.len()).map(of_sum).collect::<String>()
        };
        let begin = sums(&|n, lane| {
            let (name, place) = (self.sum_name(n, lane), self.sum_place(n, lane));
            format!("{} {name} = {place}; ", uses.sums[n].1)
        });
        let end =
            sums(&|n, lane| format!("{} = {}; ", self.sum_place(n, lane), self.sum_name(n, lane)));
        let before = self.lanes(|lane| self.lane(self.before, lane, false));
        let inmost = statements(ast, &self.inner_head.body);
        let inmost = self.lanes(|lane| format!("{{ {}}} ", self.lane(inmost, lane, true)));
        let behind = self.lanes(|lane| self.lane(self.behind, lane, false));
        let head = on_one_line(self.text, self.inner_head.head, Vec::new());
        let condition = self.condition();
        let index = ast.names.name(self.sema.object(self.outer.index).name);
        let guard = self.guard();
        format!(
            "{names}{guard}for (; {condition}; {index} += {LANES}) {{ \
             {before}{begin}for ({head}) {{ {inmost}}} {end}{behind}}} "
        )
    }

    /// Are there as many iterations left?
    fn condition(&self) -> String {
        let Counted { index, hi, is_inclusive, .. } = self.outer;
        let condition = self.head.cond.map_or("", |cond| self.source(cond));
        let index = self.ast.names.name(self.sema.object(index).name);
        let (hi, least) = (self.source(hi), LANES - usize::from(is_inclusive));
        let left = format!("(unsigned long)({hi}) - (unsigned long){index}");
        format!("({condition}) && {left} >= {least}").replace('\n', " ")
    }

    /// `if` with the condition that the inner loop is long, unless that is known.
    fn guard(&self) -> String {
        if self.trips().is_some() {
            return String::new();
        }
        let (lo, hi) = (self.source(self.inner.lo), self.source(self.inner.hi));
        format!("if (({hi}) >= {MIN_TRIPS} && ({lo}) <= ({hi}) - {MIN_TRIPS}) ").replace('\n', " ")
    }

    /// Puts the jammed loop before the user's, which does the iterations that are left.
    pub(super) fn rewrite(&self, edits: &mut Vec<(Span, String)>) {
        let begin = match self.head.init {
            ForInit::None => String::new(),
            ForInit::Expr(init) => {
                let span = self.ast.expr(init).span;
                edits.push((span, String::new()));
                format!("{};", on_one_line(self.text, span, Vec::new()))
            }
            ForInit::Declaration(decl) => {
                let span = self.ast.decl(decl).span;
                edits.push((span, ";".into()));
                on_one_line(self.text, span, Vec::new())
            }
        };
        let lines = &self.ast.lines;
        let at = Span::new(self.span.lo, self.span.lo);
        let (quiet, loud) = (marker_at(at.lo, lines, true), marker_at(at.lo, lines, false));
        let jammed = self.jammed();
        // C warns of what the user wrote, once.
        edits.push((at, format!("{{ {begin}\n{quiet}{jammed}\n{loud}")));
        edits.push((Span::new(self.span.hi, self.span.hi), " }".into()));
    }
}
