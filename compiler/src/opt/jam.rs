// SPDX-License-Identifier: BSD-3-Clause
//! Several iterations of a loop at once, where each of them is a loop over the same numbers ("unroll and
//! jam").
//!
//! ```c
//! for (j = 0; j < n; j++) { s = 0; for (k = 0; k < m; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }
//! ```
//! becomes, with two iterations at once,
//! ```c
//! for (j = 0; j < n && n - j > 1; j += 2) {
//!     s0 = 0; s = 0;
//!     for (k = 0; k < m; k++) { s0 += a[i][k] * b[k][j]; s += a[i][k] * b[k][j + 1]; }
//!     c[i][j] = s0; c[i][j + 1] = s;
//! }
//! for (; j < n; j++) { s = 0; for (k = 0; k < m; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }
//! ```
//! The sums no longer wait for one another, and what is read once serves them all. No other order of
//! additions is seen in a result. The iterations must not know of each other: what they write is their
//! own, by name or by subscript. An element that the inner loop adds to is a variable meanwhile.

use super::affine;
use super::canonical;
use super::constant;
use super::counted::{self, Counted, Step};
use super::head::Moved;
use super::integers::is_unsigned;
use super::rewrite::{on_one_line, Rewritten};
use crate::marker::marker_at;
use crate::sema::pure::is_of_library;
use crate::sema::types::{QualType, Type};
use crate::sema::{Duration, ObjectId, ObjectKind, Sema};
use crate::span::Span;
use crate::syntax::ast::{
    Ast, BinaryOp, DeclId, ExprId, ExprKind, For, ForInit, InitKind, StmtId, StmtKind, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// Iterations at once.
const LANES: usize = 4;

/// Shorter inner loops gain nothing.
const MIN_TRIPS: i64 = 16;

/// Of a loop that is written out so often.
const MAX_BYTES: usize = 1000;

/// `text` with such loops, if it has any.
pub fn jam(ast: &Ast, sema: &Sema, text: &str) -> Option<Rewritten> {
    let (mut edits, mut remarks) = (Vec::new(), Vec::new());
    let canonical = canonical::loops(ast, text);
    for function in ast.functions() {
        visit::all_stmts(ast, function.body, &mut |id| {
            let StmtKind::For(head) = &ast.stmt(id).kind else { return };
            if canonical.contains(&id) {
                return;
            }
            if let Some(nest) = Nest::of(ast, sema, text, id, head) {
                nest.rewrite(&mut edits);
                let done = format!("runs {LANES} iterations at once, if the inner loop is long");
                remarks.push((ast.stmt(id).span.lo, done));
            }
        });
    }
    if edits.is_empty() {
        return None;
    }
    let mut jammed = Rewritten::new(text, edits);
    jammed.remarks = remarks;
    Some(jammed)
}

/// A loop around another one, whose iterations may run together.
struct Nest<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    text: &'a str,
    span: Span,
    head: &'a For,
    outer: Counted,
    /// What an iteration does before the inner loop, that, and what it does behind.
    before: &'a [StmtId],
    inner_head: &'a For,
    inner: Counted,
    behind: &'a [StmtId],
    uses: Uses,
}

/// What the outer loop's body names.
#[derive(Default)]
struct Uses {
    /// Variables of which each iteration has its own, in the order of their first values; those that are
    /// declared elsewhere with their types.
    own: Vec<(ObjectId, Option<String>)>,
    /// Variables of the inner loop's body.
    inmost: FxHashSet<ObjectId>,
    accesses: Vec<Access>,
    /// Elements that the inner loop changes, by their texts, with their types.
    sums: Vec<(String, String)>,
    /// It reads by a pointer, which may lead anywhere.
    has_pointers: bool,
}

/// An access of an array's element, or a part of it.
#[derive(Clone)]
struct Access {
    id: ExprId,
    array: ObjectId,
    /// The element, without members.
    element: Span,
    subscripts: Vec<ExprId>,
    is_write: bool,
    is_inmost: bool,
}

impl<'a> Nest<'a> {
    fn of(
        ast: &'a Ast,
        sema: &'a Sema,
        text: &'a str,
        id: StmtId,
        head: &'a For,
    ) -> Option<Nest<'a>> {
        let span = ast.stmt(id).span;
        let body = statements(ast, &head.body);
        let loops = body.iter().filter(|&&stmt| matches!(ast.stmt(stmt).kind, StmtKind::For(_)));
        if loops.count() != 1 || span.text(text).len() > MAX_BYTES {
            return None;
        }
        let is_for = |&stmt: &StmtId| matches!(ast.stmt(stmt).kind, StmtKind::For(_));
        let place = body.iter().position(is_for)?;
        let StmtKind::For(inner_head) = &ast.stmt(body[place]).kind else { return None };
        let outer = upwards(ast, sema, head)?;
        let inner = upwards(ast, sema, inner_head)?;
        let nest = Nest {
            ast,
            sema,
            text,
            span,
            head,
            before: &body[..place],
            inner_head,
            behind: &body[place + 1..],
            outer,
            inner,
            uses: Uses::default(),
        };
        let is_fixed = |id| nest.outer.effects.is_invariant(ast, sema, id);
        let is_fit = !span.text(text).contains("\n#")
            && is_fixed(nest.inner.lo)
            && is_fixed(nest.inner.hi)
            && nest.trips().is_none_or(|n| n >= MIN_TRIPS);
        if is_fit {
            nest.with_uses()
        } else {
            None
        }
    }

    fn with_uses(mut self) -> Option<Nest<'a>> {
        for (stmts, is_inmost) in [
            (self.before, false),
            (statements(self.ast, &self.inner_head.body), true),
            (self.behind, false),
        ] {
            for &stmt in stmts {
                self.statement(stmt, is_inmost)?;
            }
        }
        let written: FxHashSet<_> =
            self.uses.accesses.iter().filter(|a| a.is_write).map(|a| a.array).collect();
        let is_fit = (written.is_empty() || !self.uses.has_pointers)
            && written.iter().all(|&array| self.is_apart(array))
            && self.note_sums().is_some()
            && self.is_worth_it(&written);
        is_fit.then_some(self)
    }

    fn statement(&mut self, stmt: StmtId, is_inmost: bool) -> Option<()> {
        match self.ast.stmt(stmt).kind {
            StmtKind::Empty => Some(()),
            StmtKind::Declaration(decl) => self.declaration(decl, is_inmost),
            StmtKind::Expr(id) => match self.ast.expr(self.ast.strip_parens(id)).kind {
                ExprKind::Assign { op, lhs, rhs } => {
                    self.reads(rhs, is_inmost)?;
                    self.writes(lhs, op.is_none(), is_inmost)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn declaration(&mut self, id: DeclId, is_inmost: bool) -> Option<()> {
        let decl = self.ast.decl(id);
        let is_plain = decl.specs.storage.is_none()
            && decl.specs.thread_local.is_none()
            && decl.specs.attributes.is_empty()
            && decl.specs.alignas.is_empty();
        for (i, declarator) in decl.declarators.iter().enumerate() {
            let object = *self.sema.declared.get(&(id, i))?;
            let is_number = self.c_type(self.sema.object(object).ty).is_some();
            if !is_plain || !is_number || !declarator.declarator.chunks.is_empty() {
                return None;
            }
            match declarator.init.map(|init| &self.ast.init(init).kind) {
                None => {}
                Some(InitKind::Expr(value)) => self.reads(*value, is_inmost)?,
                Some(_) => return None,
            }
            match is_inmost {
                true => drop(self.uses.inmost.insert(object)),
                false => self.uses.own.push((object, None)),
            }
        }
        Some(())
    }

    fn is_own(&self, object: ObjectId) -> bool {
        self.uses.own.iter().any(|&(own, _)| own == object)
    }

    fn writes(&mut self, lhs: ExprId, is_first: bool, is_inmost: bool) -> Option<()> {
        let lhs = self.ast.strip_parens(lhs);
        let ExprKind::Ident(_) = self.ast.expr(lhs).kind else {
            return self.access(lhs, true, is_inmost);
        };
        let (object, variable) = self.sema.object_of(lhs)?;
        if self.is_own(object) || self.uses.inmost.contains(&object) {
            return Some(());
        }
        // An iteration finds nothing of the last one's.
        let is_local = variable.duration == Duration::Automatic && !variable.address_taken;
        let is_fit = is_local
            && is_first
            && !is_inmost
            && ![self.outer.index, self.inner.index].contains(&object);
        let ty = self.c_type(variable.ty).filter(|_| is_fit)?;
        self.uses.own.push((object, Some(ty)));
        Some(())
    }

    /// Notes what evaluating `id` reads; `None` if it may do more.
    fn reads(&mut self, id: ExprId, is_inmost: bool) -> Option<()> {
        let quals = self.sema.types.resolve(self.sema.expr_type(id)).quals;
        if quals.is_volatile || quals.is_atomic || self.sema.strict.contains(&id) {
            return None;
        }
        match self.ast.expr(id).kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Threads
            | ExprKind::MyThread => Some(()),
            ExprKind::Paren(e) | ExprKind::Cast { operand: e, .. } => self.reads(e, is_inmost),
            ExprKind::Unary { op, operand } => {
                use UnaryOp::{BitNot, Minus, Not, Plus};
                matches!(op, Plus | Minus | BitNot | Not).then_some(())?;
                self.reads(operand, is_inmost)
            }
            ExprKind::Binary { lhs, rhs, .. } => {
                self.reads(lhs, is_inmost)?;
                self.reads(rhs, is_inmost)
            }
            ExprKind::Cond { cond, then: Some(then), els } => {
                [cond, then, els].into_iter().try_for_each(|e| self.reads(e, is_inmost))
            }
            ExprKind::Call { callee, ref args } => {
                let (callee, _) = self.sema.object_of(self.ast.strip_parens(callee))?;
                is_of_library(self.ast, self.sema, callee).then_some(())?;
                args.iter().try_for_each(|&arg| self.reads(arg, is_inmost))
            }
            ExprKind::Index { .. } | ExprKind::Member { .. } => self.access(id, false, is_inmost),
            ExprKind::Ident(_) => self.reads_name(id, is_inmost),
            _ => None,
        }
    }

    fn reads_name(&self, id: ExprId, is_inmost: bool) -> Option<()> {
        let (object, variable) = self.sema.object_of(id)?;
        let is_known = match variable.kind {
            ObjectKind::Enumerator(_) => !self.outer.effects.declares_types,
            ObjectKind::Variable | ObjectKind::Parameter => {
                object == self.outer.index
                    || is_inmost && object == self.inner.index
                    || self.is_own(object)
                    || self.uses.inmost.contains(&object)
                    || !self.outer.effects.assigned.contains(&object)
            }
            ObjectKind::Function | ObjectKind::Typedef => false,
        };
        let is_number = self.sema.types.is_arithmetic(variable.ty);
        (is_known && is_number).then_some(())
    }

    /// Notes the access of the lvalue `id`, if its parts are arrays and members of records.
    fn access(&mut self, id: ExprId, is_write: bool, is_inmost: bool) -> Option<()> {
        let (ast, sema) = (self.ast, self.sema);
        let quals = sema.types.resolve(sema.expr_type(id)).quals;
        let is_plain = !quals.is_volatile && !quals.is_atomic && !sema.strict.contains(&id);
        if !is_plain || sema.flags(id).is_bitfield {
            return None;
        }
        let (mut at, mut subscripts, mut element) = (ast.strip_parens(id), Vec::new(), None);
        loop {
            match ast.expr(at).kind {
                // Members of a union are one.
                ExprKind::Member { base, arrow: false, .. } if !is_union(sema, base) => {
                    at = ast.strip_parens(base);
                }
                ExprKind::Index { base, index } => {
                    element = element.or(Some(ast.expr(at).span));
                    self.reads(index, is_inmost)?;
                    subscripts.push(index);
                    let is_array = sema.types.is_array(sema.expr_type(base));
                    at = ast.strip_parens(base);
                    if !is_array {
                        // What a pointer leads to may be any of the arrays.
                        self.uses.has_pointers = true;
                        return if is_write { None } else { self.reads_pointer(at) };
                    }
                }
                ExprKind::Ident(_) => break,
                _ => return None,
            }
        }
        let (array, object) = sema.object_of(at)?;
        let is_variable = object.kind == ObjectKind::Variable;
        let element = element.filter(|_| is_variable).unwrap_or(ast.expr(at).span);
        let is_mine = self.is_own(array) || self.uses.inmost.contains(&array);
        if !is_variable || is_mine || subscripts.is_empty() && is_write {
            return None;
        }
        self.uses.accesses.push(Access { id, array, element, subscripts, is_write, is_inmost });
        Some(())
    }

    /// Is the pointer `id` a variable that stands still?
    fn reads_pointer(&self, id: ExprId) -> Option<()> {
        let (object, variable) = self.sema.object_of(id)?;
        let is_variable = matches!(variable.kind, ObjectKind::Variable | ObjectKind::Parameter);
        (is_variable && self.outer.effects.keeps(self.sema, object)).then_some(())
    }

    /// Has each iteration elements of `array` to itself?
    fn is_apart(&self, array: ObjectId) -> bool {
        let all = || self.uses.accesses.iter().filter(|access| access.array == array);
        let Some(first) = all().next() else { return true };
        let is_index =
            |&id: &ExprId| affine::recognise(self.ast, self.sema, id, &self.outer).is_some();
        let is_fixed = |&id: &ExprId| self.outer.effects.is_invariant(self.ast, self.sema, id);
        first.subscripts.iter().any(is_index)
            && first.subscripts.iter().all(|id| is_index(id) || is_fixed(id))
            && all().all(|access| self.same_text(access.element, first.element))
    }

    fn same_text(&self, a: Span, b: Span) -> bool {
        let words = |span: Span| span.text(self.text).split_whitespace().collect::<String>();
        words(a) == words(b)
    }

    /// Notes the elements that the inner loop changes. It has no other names for them: numbers in one
    /// element are apart.
    fn note_sums(&mut self) -> Option<()> {
        for access in self.uses.accesses.iter().filter(|a| a.is_inmost && a.is_write) {
            let text = self.words(access.id);
            let ty = self.c_type(self.sema.expr_type(access.id))?;
            if !self.uses.sums.iter().any(|(known, _)| *known == text) {
                self.uses.sums.push((text, ty));
            }
        }
        Some(())
    }

    /// Does the inner loop add up what it finds in another place in each iteration of both?
    fn is_worth_it(&self, written: &FxHashSet<ObjectId>) -> bool {
        let names = |access: &Access, index| {
            access.subscripts.iter().any(|&subscript| {
                let mut found = false;
                visit::all_in_expr(self.ast, subscript, &mut |e| {
                    found |= counted::names(self.ast, self.sema, e, index);
                });
                found
            })
        };
        self.uses.accesses.iter().any(|access| {
            access.is_inmost
                && !written.contains(&access.array)
                && self.sema.types.is_shared(self.sema.object(access.array).ty)
                && names(access, self.outer.index)
                && names(access, self.inner.index)
        })
    }

    /// How many iterations the inner loop has, if that is known.
    fn trips(&self) -> Option<i64> {
        let value = |id| constant::value(self.ast, self.sema, id);
        value(self.inner.hi)?.checked_sub(value(self.inner.lo)?)
    }

    /// The name in C of a type of numbers.
    fn c_type(&self, ty: QualType) -> Option<String> {
        let types = &self.sema.types;
        let ty = types.resolve(ty);
        let is_fit = types.is_arithmetic(ty)
            && matches!(types.kind(ty), Type::Builtin(_))
            && !ty.quals.is_volatile
            && !ty.quals.is_atomic;
        is_fit.then(|| types.display(&self.ast.names, ty.ty.into()))
    }

    fn source(&self, id: ExprId) -> &'a str {
        self.ast.expr(id).span.text(self.text)
    }

    fn words(&self, id: ExprId) -> String {
        self.source(id).split_whitespace().collect()
    }

    /// The name that iteration `lane` of those at once has for `object`. The last one's value is left.
    fn name(&self, object: ObjectId, lane: usize) -> String {
        let name = self.ast.names.name(self.sema.object(object).name);
        if lane + 1 == LANES {
            name.to_string()
        } else {
            format!("upcr_{lane}_{name}")
        }
    }

    fn sum_name(&self, n: usize, lane: usize) -> String {
        format!("upcr_{lane}_sum{n}")
    }

    /// `stmts` as iteration `lane` of those at once does them.
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

    fn rename(&self, id: ExprId, lane: usize, with_sums: bool, edits: &mut Vec<(Span, String)>) {
        let span = self.ast.expr(id).span;
        let is_lvalue =
            matches!(self.ast.expr(id).kind, ExprKind::Index { .. } | ExprKind::Member { .. });
        if with_sums && is_lvalue {
            let text = self.words(id);
            if let Some(n) = self.uses.sums.iter().position(|(sum, _)| *sum == text) {
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

    /// An lvalue that the inner loop changes, in iteration `lane`.
    fn sum_place(&self, n: usize, lane: usize) -> String {
        let is_it = |access: &&Access| self.words(access.id) == self.uses.sums[n].0;
        let access = self.uses.accesses.iter().find(is_it).expect("a sum is an access");
        let mut edits = Vec::new();
        self.rename(access.id, lane, false, &mut edits);
        on_one_line(self.text, self.ast.expr(access.id).span, edits)
    }

    /// All iterations at once, one after the other.
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

    /// Puts that loop before the one that does what is left.
    fn rewrite(&self, edits: &mut Vec<(Span, String)>) {
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

/// The loop with `head`, if it counts upwards by one to a bound that it is compared with as it is.
fn upwards(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    use BinaryOp::{Ge, Gt, Le, Lt};
    let is_compared = |id| match ast.expr(ast.strip_parens(id)).kind {
        ExprKind::Binary { op, .. } => matches!(op, Lt | Le | Gt | Ge),
        _ => false,
    };
    let counted = counted::recognise(ast, sema, head)?;
    let is_natural = |id| constant::value(ast, sema, id).is_some_and(|n| n >= 0);
    let index = is_unsigned(sema, sema.object(counted.index).ty);
    let is_alike = |id| is_natural(id) || is_unsigned(sema, sema.expr_type(id)) == index;
    let is_fit = counted.step == Step::One
        && counted.moved == Moved::ByHead
        && head.cond.is_some_and(is_compared)
        && is_alike(counted.lo)
        && is_alike(counted.hi);
    is_fit.then_some(counted)
}

fn is_union(sema: &Sema, id: ExprId) -> bool {
    match *sema.types.kind(sema.expr_type(id)) {
        Type::Record(id) => sema.types.record(id).is_union,
        _ => false,
    }
}

/// The statements of `body`, if that is a block, or it alone.
fn statements<'a>(ast: &'a Ast, body: &'a StmtId) -> &'a [StmtId] {
    match &ast.stmt(*body).kind {
        StmtKind::Compound(stmts) => stmts,
        _ => std::slice::from_ref(body),
    }
}
