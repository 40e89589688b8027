// SPDX-License-Identifier: BSD-3-Clause
//! Implicit conversions: lvalues to values, and values to the type of what receives them
//! (C17 §6.3.2.1, §6.5.16.1; UPC 1.3 §6.4.3).

use super::analyser::Analyser;
use super::types::{QualType, Type, Types};
use crate::syntax::ast::{Builtin, Consistency, ExprId};

/// What receives a value.
#[derive(Clone, Copy)]
pub(super) enum Receiver {
    Assignment,
    Initialiser,
    /// `n` is counted from 0.
    Argument {
        call: ExprId,
        n: usize,
    },
    Return,
}

impl Analyser<'_> {
    /// The type of `id` used for its value: arrays and functions decay, and a shared lvalue is
    /// read here.
    pub(super) fn value(&mut self, id: ExprId) -> QualType {
        let ty = self.expr(id);
        match *self.types().kind(ty) {
            Type::Array { elem, .. } => self.sema.types.pointer_to(elem),
            Type::Function(_) => self.sema.types.pointer_to(ty),
            Type::Builtin(Builtin::Void) if self.types().is_shared(ty) => {
                self.incomplete_value(id, ty);
                Types::VOID
            }
            _ => {
                if self.types().is_shared(ty) && self.types().is_incomplete(ty) {
                    self.incomplete_value(id, ty);
                }
                self.access(id, ty);
                self.types().unqualified(ty)
            }
        }
    }

    /// The type that [`Analyser::value`] gave, without reading again.
    pub(super) fn value_type(&mut self, id: ExprId) -> QualType {
        let ty = self.sema.expr_type(id);
        match *self.types().kind(ty) {
            Type::Array { elem, .. } => self.sema.types.pointer_to(elem),
            Type::Function(_) => self.sema.types.pointer_to(ty),
            _ => self.types().unqualified(ty),
        }
    }

    /// Notes whether an access to the lvalue `id` is strict (UPC 1.3 §6.5.1.1p10).
    pub(super) fn access(&mut self, id: ExprId, ty: QualType) {
        if !self.types().mentions_shared(ty) || !self.sema.flags(id).is_lvalue {
            return;
        }
        let quals = self.types().resolve(ty).quals;
        if quals.shared.is_some() && self.in_static_initialiser {
            self.reads_shared_early(id);
        }
        if quals.shared.is_some() {
            self.check_constant_index(id);
        }
        let consistency = quals.consistency.unwrap_or(self.consistency);
        if quals.shared.is_some() && self.in_parameter {
            self.shared_parameter_size(id);
        }
        // C's order of atomic accesses is that of strict ones; on one host C itself keeps it.
        let is_atomic = quals.is_atomic && self.network;
        if quals.shared.is_some() && quals.is_atomic {
            self.check_atomic_size(id, ty);
        }
        if quals.shared.is_some() && (consistency == Consistency::Strict || is_atomic) {
            self.sema.strict.insert(self.ast.strip_parens(id));
        }
    }

    /// The value of `id` goes to something of type `target`.
    pub(super) fn convert(&mut self, id: ExprId, target: QualType, receiver: Receiver) {
        let source = self.value(id);
        let target = self.types().unqualified(target);
        if source.ty == target.ty
            || !(self.types().mentions_shared(source) || self.types().mentions_shared(target))
            || self.types().is_error(source)
            || self.types().is_error(target)
        {
            return;
        }
        match (self.types().is_pts(source), self.types().is_pts(target)) {
            (_, true) => self.convert_to_pts(id, source, target, receiver),
            (true, false) => self.convert_from_pts(id, source, target, receiver),
            (false, false) => self.convert_private(id, source, target, receiver),
        }
    }

    fn convert_to_pts(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Receiver,
    ) {
        if self.is_null(id) {
            self.sema.coerce.insert(id, target);
            return;
        }
        if !self.types().is_pts(source) {
            if !self.types().is_record(source) && !self.types().is_void(source) {
                self.becomes_shared_pointer(id, source, target, Some(receiver));
            }
            return;
        }
        let (from, to) = self.pointees(source, target);
        let generic = self.types().is_void(from) || self.types().is_void(to);
        if generic || self.types().interchangeable(from, to) {
            self.note_conversion(id, source, target);
            self.check_local_allocation(id, to);
        } else {
            self.changes_shared_type(id, source, target, receiver);
        }
    }

    /// Records that `id`, a pointer-to-shared, becomes `target`, if that is another type.
    pub(super) fn note_conversion(&mut self, id: ExprId, source: QualType, target: QualType) {
        let (from, to) = self.pointees(source, target);
        if !self.types().same_but_quals(from, to) {
            self.sema.coerce.insert(id, target);
        }
    }

    fn pointees(&self, a: QualType, b: QualType) -> (QualType, QualType) {
        let pointee = |ty| self.types().pointee(ty).unwrap_or(Types::ERROR);
        (pointee(a), pointee(b))
    }

    fn convert_from_pts(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Receiver,
    ) {
        // `_Bool b = p;` asks whether p is null.
        let is_bool = matches!(self.types().integer(target), Some((1, _)));
        if is_bool {
            self.sema.coerce.insert(id, target);
        } else if self.types().is_pointer(target) || self.types().is_arithmetic(target) {
            self.loses_shared(id, source, target, receiver);
        }
    }

    /// Neither is a pointer-to-shared, but one hides deeper: `shared int **` and `int **`.
    fn convert_private(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Receiver,
    ) {
        let types = self.types();
        let (Some(from), Some(to)) = (types.pointee(source), types.pointee(target)) else {
            return;
        };
        if types.is_void(from) || types.is_void(to) || types.interchangeable(from, to) {
            return;
        }
        // Prototypes of functions may differ in ways that only C should judge.
        if types.is_function(from) != types.is_function(to) {
            return;
        }
        self.changes_shared_type(id, source, target, receiver);
    }
}
