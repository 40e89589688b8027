// SPDX-License-Identifier: BSD-3-Clause
//! Ranges of one thread's memory that a loop goes through, an element or several in each iteration,
//! and single places that all iterations access.
//!
//! Relaxed accesses to different places may be made in any order (UPC 1.3 §5.1.2.3), so a range may
//! be read before the loop and written after it; but no more may be read than the loop may read,
//! and no more written than it writes. So each iteration must come, and make one access to the
//! range at least; and nothing the loop does may go elsewhere in shared memory. A row of a static matrix
//! may be read in vain.

use super::body::{Search, Use};
use super::Emitter;
use crate::opt::affine::{self, Addend, Affine};
use crate::opt::alias;
use crate::opt::counted::Counted;
use crate::opt::effects;
use crate::sema::types::{ArrayLen, Count, QualType};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, UnaryOp};
use crate::syntax::intern::Symbol;

/// Of larger records a loop may want too little.
const MAX_RECORD: u64 = 64;

/// What a range begins with, at index 0 or where a run of iterations begins.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Base {
    /// The pointer, or the array, whose elements they are.
    Expr(ExprId),
    /// A row of a static array, which no block's end parts: it is one thread's.
    Row(ExprId),
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
    /// Each iteration makes all of the accesses.
    is_whole: bool,
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

    /// The elements of the row `id`, an array, and the subscripts that lead to it, with the lengths of what
    /// they are subscripts of; `None` if `id` is none of a static array, or a block may end in it.
    pub(super) fn row(&self, id: ExprId) -> Option<(u64, Vec<(ExprId, Count)>)> {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        let length = types.elem_count(ty).filter(|count| !count.times_threads && count.n > 0)?.n;
        let is_whole = types.block(ty).is_some_and(|block| block > 0 && block % length == 0);
        let (mut subscripts, mut array) = (Vec::new(), self.ast.strip_parens(id));
        while let ExprKind::Index { base, index } = self.ast.expr(array).kind {
            let (base, index) = self.subscript(base, index);
            let (n, times_threads) = match types.lengths(self.sema.expr_type(base)).next()? {
                ArrayLen::Const(n) => (n, false),
                ArrayLen::TimesThreads(n) => (n, true),
                ArrayLen::Unknown | ArrayLen::Variable(_) => return None,
            };
            subscripts.push((index, Count { n, times_threads }));
            array = self.ast.strip_parens(base);
        }
        let (object, _) = self.sema.object_of(array)?;
        let is_static = self.is_shared_object(object)
            && matches!(self.ast.expr(array).kind, ExprKind::Ident(_));
        (is_whole && is_static).then_some((length, subscripts))
    }
}

impl Range {
    /// What an iteration has written another one would have to read.
    fn is_fit(&self) -> bool {
        match self.is_written {
            true => self.is_written_in_each && self.nearest == self.farthest,
            false => self.is_in_each || matches!(self.base, Base::Row(_)),
        }
    }

    /// May elements be beyond the ends of its row, since no iteration accesses them?
    pub fn may_exceed_row(&self) -> bool {
        !self.is_whole && !self.is_written
    }

    /// May no iteration access any of it?
    pub fn may_be_in_vain(&self) -> bool {
        !self.is_in_each
    }

    fn note(&mut self, access: Access, how: Use) {
        self.nearest = self.nearest.min(access.ahead);
        self.farthest = self.farthest.max(access.ahead);
        self.accesses.push(access);
        self.is_read |= how.reads;
        self.is_written |= how.writes;
        self.is_in_each |= how.is_sure;
        self.is_whole &= how.is_sure;
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
        let Some((base, index)) = self.subscripted(element) else { return false };
        let walk = self.emitter.split.as_ref().and_then(|split| split.followed.get(&element));
        let is_whole = || walk.is_some() && self.emitter.is_taken_apart(element, self.counted);
        let affine = affine::recognise(ast, sema, index, self.counted)
            .or_else(|| is_whole().then(Affine::default));
        let Some(affine) = affine else { return false };
        let (types, elem) = (&sema.types, sema.expr_type(element));
        let is_volatile = |id| types.resolve(sema.expr_type(id)).quals.is_volatile;
        let is_fit = !is_volatile(id)
            && !is_volatile(element)
            && (member.is_none()
                || !how.writes && types.size_of(elem).is_some_and(|size| size <= MAX_RECORD));
        let base = match walk {
            Some(pointer) => Some((Base::Walk(pointer.clone()), Vec::new())),
            None => self.base(elem, base).map(|base| (base, affine.fixed)),
        };
        let Some((base, fixed)) = base.filter(|_| is_fit) else { return false };
        let access = Access { id, ahead: affine.ahead, member };
        self.range(base, elem, fixed, access.ahead).note(access, how);
        true
    }

    /// The pointer, or the array, and the subscript by which the element `id` is found.
    fn subscripted(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        let Emitter { ast, .. } = *self.emitter;
        match ast.expr(id).kind {
            ExprKind::Index { base, index } => Some(self.emitter.subscript(base, index)),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                match ast.expr(ast.strip_parens(operand)).kind {
                    ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                        self.emitter.pointer_operand(lhs, rhs)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What the range begins with whose elements of type `elem` are found by subscripts of `id`.
    fn base(&self, elem: QualType, id: ExprId) -> Option<Base> {
        let Emitter { ast, sema, .. } = *self.emitter;
        match sema.types.block(elem) {
            Some(0) => self.is_fixed(id).then_some(Base::Expr(id)),
            _ => {
                let (_, subscripts) =
                    self.emitter.row(id).filter(|_| !sema.types.is_array(elem))?;
                let stands = |&(index, _): &_| self.counted.effects.is_invariant(ast, sema, index);
                subscripts.iter().all(stands).then_some(Base::Row(id))
            }
        }
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
            (&Base::Expr(a), &Base::Expr(b))
            | (&Base::Row(a), &Base::Row(b))
            | (&Base::Place(a), &Base::Place(b)) => alias::is_same(ast, sema, a, b),
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
                is_whole: true,
            });
            self.ranges.len() - 1
        });
        &mut self.ranges[at]
    }
}
