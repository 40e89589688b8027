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
//! The sums no longer wait for one another, and what is read once serves them all. Each sum is made in
//! the order of the source, so that no result changes. The iterations must be independent: each one
//! writes variables and elements of its own. This file finds such loops, `lanes` writes them.

mod lanes;

use super::affine;
use super::alias;
use super::canonical;
use super::constant;
use super::counted::{self, Counted, Step};
use super::head::Moved;
use super::integers::is_unsigned;
use super::rewrite::Rewritten;
use crate::sema::pure::is_of_library;
use crate::sema::types::{QualType, Type, Types};
use crate::sema::{Duration, ObjectId, ObjectKind, Sema};
use crate::span::Span;
use crate::syntax::ast::{
    Ast, BinaryOp, DeclId, ExprId, ExprKind, For, InitKind, StmtId, StmtKind, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// Iterations at once.
const LANES: usize = 4;

/// Shorter inner loops gain nothing.
const MIN_TRIPS: i64 = 16;

/// Longer loops stay: the text of each stands once more for each iteration at once.
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
    /// The statements before the inner loop, that loop, and the statements behind it.
    before: &'a [StmtId],
    inner_head: &'a For,
    inner: Counted,
    behind: &'a [StmtId],
    uses: Uses,
}

/// What the outer loop's body names.
#[derive(Default)]
struct Uses {
    /// Variables of which each iteration has its own, in the order of their first values. Variables that
    /// the body does not declare have their C type beside them.
    own: Vec<(ObjectId, Option<String>)>,
    /// Variables of the inner loop's body.
    inmost: FxHashSet<ObjectId>,
    accesses: Vec<Access>,
    /// Numbers in memory that the inner loop changes, with their C types: variables meanwhile.
    sums: Vec<(ExprId, String)>,
    /// Whether the body reads by a pointer, which may lead to any array.
    has_pointers: bool,
}

/// An access of an array's element, or a part of it.
struct Access {
    id: ExprId,
    array: ObjectId,
    /// The element, without members.
    element: ExprId,
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
        if span.text(text).len() > MAX_BYTES {
            return None;
        }
        // A second loop among the statements behind is refused there.
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

    /// Notes what an assignment to `lhs` writes. `is_first`: it does not need the value before.
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
                ExprKind::Member { base, arrow: false, .. } => at = ast.strip_parens(base),
                ExprKind::Index { base, index } => {
                    element = element.or(Some(at));
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
        let element = element.unwrap_or(at);
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
        // Members of a union are one number by several names.
        !has_union(&self.sema.types, self.sema.object(array).ty)
            && first.subscripts.iter().any(is_index)
            && first.subscripts.iter().all(|id| is_index(id) || is_fixed(id))
            && all().all(|access| self.is_same(access.element, first.element))
    }

    fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        alias::is_same(self.ast, self.sema, a, b)
    }

    /// Notes the numbers in memory that the inner loop changes; `is_apart` holds for their arrays.
    fn note_sums(&mut self) -> Option<()> {
        for access in self.uses.accesses.iter().filter(|a| a.is_inmost && a.is_write) {
            let ty = self.c_type(self.sema.expr_type(access.id))?;
            if !self.uses.sums.iter().any(|&(known, _)| self.is_same(known, access.id)) {
                self.uses.sums.push((access.id, ty));
            }
        }
        Some(())
    }

    /// Does the inner loop read an element of shared memory that goes by the indices of both loops?
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

fn has_union(types: &Types, ty: QualType) -> bool {
    match *types.kind(ty) {
        Type::Array { elem, .. } => has_union(types, elem),
        Type::Record(id) => {
            let record = types.record(id);
            record.is_union || record.fields.iter().any(|field| has_union(types, field.ty))
        }
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
