// SPDX-License-Identifier: BSD-3-Clause
//! Ranges of one thread's memory that a loop goes through, an element or several in each iteration,
//! and single places that all iterations access.
//!
//! Relaxed accesses to different places may be made in any order (UPC 1.3 §5.1.2.3), so a range may
//! be read before the loop and written after it; but no more may be read than the loop may read,
//! and no more written than it writes. So each iteration must come, and make one access to the
//! range at least; and nothing the loop does may go elsewhere in shared memory.

use super::body::{Search, Use};
use super::Emitter;
use crate::opt::affine::{self, Addend, Affine};
use crate::opt::alias;
use crate::opt::counted::Counted;
use crate::opt::effects;
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprId, ExprKind, StmtId};
use crate::syntax::intern::Symbol;

/// Of larger records a loop may want too little.
const MAX_RECORD: u64 = 64;

/// What a range begins with, at index 0 or where a run of iterations begins.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Base {
    /// The pointer, or the array, whose elements they are.
    Expr(ExprId),
    /// A single place: this lvalue.
    Place(ExprId),
    /// An emitted pointer that walks along a block (`walk`), where it is at the run's begin.
    Walk(String),
}

#[derive(Debug)]
pub(super) struct Range {
    pub base: Base,
    pub elem: QualType,
    /// What is added to the index.
    pub fixed: Vec<Addend>,
    /// How far from that the elements are.
    pub nearest: i64,
    pub farthest: i64,
    pub accesses: Vec<Access>,
    pub is_read: bool,
    pub is_written: bool,
    is_in_each: bool,
    is_written_in_each: bool,
}

/// An access to an element, `ahead` of the index, or to a member of it.
#[derive(Debug)]
pub(super) struct Access {
    pub id: ExprId,
    pub ahead: i64,
    pub member: Option<Symbol>,
}

struct Finder<'e, 'a> {
    emitter: &'e Emitter<'a>,
    counted: &'e Counted,
    ranges: Vec<Range>,
}

impl Emitter<'_> {
    /// What `body` accesses of shared memory, if that is ranges and nothing else.
    pub(super) fn ranges(&self, body: StmtId, counted: &Counted) -> Option<Vec<Range>> {
        let mut finder = Finder { emitter: self, counted, ranges: Vec::new() };
        let is_fit = finder.stmt(body, true) && finder.ranges.iter().all(Range::is_fit);
        is_fit.then_some(finder.ranges)
    }
}

impl Range {
    /// What an iteration has written another one would have to read.
    fn is_fit(&self) -> bool {
        self.is_in_each
            && (!self.is_written || self.is_written_in_each && self.nearest == self.farthest)
    }

    fn note(&mut self, access: Access, how: Use) {
        self.nearest = self.nearest.min(access.ahead);
        self.farthest = self.farthest.max(access.ahead);
        self.accesses.push(access);
        self.is_read |= how.reads;
        self.is_written |= how.writes;
        self.is_in_each |= how.is_sure;
        self.is_written_in_each |= how.writes && how.is_sure;
    }
}

impl<'a> Search<'a> for Finder<'_, 'a> {
    fn emitter(&self) -> &Emitter<'a> {
        self.emitter
    }

    fn access(&mut self, id: ExprId, how: Use) -> bool {
        match self.is_array(id) {
            true => self.children(id, how.is_sure),
            false => self.note(id, how),
        }
    }

    fn address(&mut self, _: ExprId, _: bool) -> bool {
        false
    }

    fn may_continue(&self) -> bool {
        true
    }
}

impl Finder<'_, '_> {
    /// Notes the access `id`; false if it is not to a range.
    fn note(&mut self, id: ExprId, how: Use) -> bool {
        self.note_element(id, how) || self.note_place(id, how)
    }

    fn note_place(&mut self, id: ExprId, how: Use) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let is_fit = effects::is_plain_shared(ast, sema, id)
            && !self.emitter.is_underaligned(id)
            && self.counted.effects.stays(ast, sema, id);
        if is_fit {
            let access = Access { id, ahead: 0, member: None };
            self.range(Base::Place(id), sema.expr_type(id), Vec::new(), 0).note(access, how);
        }
        is_fit
    }

    fn note_element(&mut self, id: ExprId, how: Use) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let (element, member) = match ast.expr(id).kind {
            ExprKind::Member { base, field, arrow: false } => {
                (ast.strip_parens(base), Some(field.name))
            }
            _ => (id, None),
        };
        let ExprKind::Index { base, index } = ast.expr(element).kind else { return false };
        let (base, index) = self.emitter.subscript(base, index);
        let walk = self.emitter.split.as_ref().and_then(|split| split.followed.get(&element));
        let is_whole = || walk.is_some() && self.emitter.is_taken_apart(element, self.counted);
        let affine = affine::recognise(ast, sema, index, self.counted)
            .or_else(|| is_whole().then(Affine::default));
        let Some(affine) = affine else { return false };
        let (types, elem) = (&sema.types, sema.expr_type(element));
        let is_volatile = |id| types.resolve(sema.expr_type(id)).quals.is_volatile;
        let is_fit = (walk.is_some() || types.block(elem) == Some(0) && self.is_fixed(base))
            && !is_volatile(id)
            && !is_volatile(element)
            && (member.is_none()
                || !how.writes && types.size_of(elem).is_some_and(|size| size <= MAX_RECORD));
        if is_fit {
            let (base, fixed) = match walk {
                Some(pointer) => (Base::Walk(pointer.clone()), Vec::new()),
                None => (Base::Expr(base), affine.fixed),
            };
            let access = Access { id, ahead: affine.ahead, member };
            self.range(base, elem, fixed, access.ahead).note(access, how);
        }
        is_fit
    }

    /// Does the pointer, array or record `id` stay where it is, without an access to find it?
    fn is_fixed(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let id = ast.strip_parens(id);
        let ty = sema.expr_type(id);
        if !sema.types.is_shared(ty) || effects::is_plain_shared(ast, sema, id) {
            return self.counted.effects.is_invariant(ast, sema, id);
        }
        if !sema.types.is_array(ty) && !sema.types.is_record(ty) {
            return false;
        }
        match ast.expr(id).kind {
            ExprKind::Ident(_) => {
                sema.object_of(id).is_some_and(|(o, _)| self.emitter.is_shared_object(o))
            }
            ExprKind::Index { base, index } => {
                let (base, index) = self.emitter.subscript(base, index);
                self.is_fixed(base) && self.counted.effects.is_invariant(ast, sema, index)
            }
            ExprKind::Member { base, .. } => self.is_fixed(base),
            _ => false,
        }
    }

    fn range(&mut self, base: Base, elem: QualType, fixed: Vec<Addend>, ahead: i64) -> &mut Range {
        let Emitter { ast, sema, .. } = *self.emitter;
        let is_same = |other: &Base| match (other, &base) {
            (&Base::Expr(a), &Base::Expr(b)) | (&Base::Place(a), &Base::Place(b)) => {
                alias::is_same(ast, sema, a, b)
            }
            _ => *other == base,
        };
        let has_same = |others: &[Addend]| {
            others.len() == fixed.len()
                && others.iter().zip(&fixed).all(|(a, b)| {
                    a.is_negative == b.is_negative && alias::is_same(ast, sema, a.id, b.id)
                })
        };
        let is_known = |r: &Range| r.elem == elem && is_same(&r.base) && has_same(&r.fixed);
        let known = self.ranges.iter().position(is_known);
        let at = known.unwrap_or_else(|| {
            self.ranges.push(Range {
                base,
                elem,
                fixed,
                nearest: ahead,
                farthest: ahead,
                accesses: Vec::new(),
                is_read: false,
                is_written: false,
                is_in_each: false,
                is_written_in_each: false,
            });
            self.ranges.len() - 1
        });
        &mut self.ranges[at]
    }
}
