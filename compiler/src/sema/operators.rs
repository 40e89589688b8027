// SPDX-License-Identifier: BSD-3-Clause
//! Operators: usual conversions, and pointers-to-shared under arithmetic and comparison
//! (C17 §6.5.3 to §6.5.17, UPC 1.3 §6.4.2).

use super::analyser::Analyser;
use super::convert::Receiver;
use super::expr::LVALUE;
use super::types::{QualType, Quals, Type, Types};
use super::ExprFlags;
use crate::span::Span;
use crate::syntax::ast::*;

impl Analyser<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> QualType {
        match op {
            UnaryOp::AddrOf => self.address_of(id, operand),
            UnaryOp::Deref => self.dereference(id, operand),
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let ty = self.operand(operand);
                if self.types().is_pts(ty) {
                    self.bad_shared_operand(id, ty, "used in arithmetic");
                    return Types::ERROR;
                }
                self.set_constant(id, self.sema.flags(operand).is_constant);
                self.types().promote(ty)
            }
            UnaryOp::Not => {
                self.value(operand);
                self.set_constant(id, self.sema.flags(operand).is_constant);
                Types::INT
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                let ty = self.expr(operand);
                self.modify(operand, ty);
                if let (true, Some(target)) = (self.types().is_pts(ty), self.types().pointee(ty)) {
                    self.check_complete_pointee(id, target);
                }
                self.types().unqualified(ty)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let ty = self.expr(operand);
                self.set_flags(id, self.sema.flags(operand));
                self.component(ty)
            }
            UnaryOp::Extension => {
                let ty = self.expr(operand);
                self.set_flags(id, self.sema.flags(operand));
                ty
            }
        }
    }

    /// The value's type, promoted if it is a bit-field that int can hold (C17 §6.3.1.1p2).
    fn operand(&mut self, id: ExprId) -> QualType {
        let ty = self.value(id);
        if !self.sema.flags(id).is_bitfield {
            return ty;
        }
        let width = self.bit_widths.get(&self.ast.strip_parens(id));
        match (self.types().integer(ty), width) {
            (Some((32, false)), Some(&width)) if width < 32 => Types::INT,
            _ => ty,
        }
    }

    /// `__real__` and `__imag__` of a complex type.
    fn component(&mut self, ty: QualType) -> QualType {
        let bare = self.types().resolve(ty);
        let part = match *self.types().get(bare.ty) {
            Type::Builtin(Builtin::ComplexFloat) => Types::FLOAT,
            Type::Builtin(Builtin::ComplexDouble) => Types::DOUBLE,
            Type::Builtin(Builtin::ComplexLDouble) => Types::LDOUBLE,
            _ => return ty,
        };
        part.with(bare.quals)
    }

    fn address_of(&mut self, id: ExprId, operand: ExprId) -> QualType {
        let ty = self.expr(operand);
        let inner = self.ast.strip_parens(operand);
        if matches!(self.ast.expr(inner).kind, ExprKind::Threads | ExprKind::MyThread) {
            self.threads_as_object(inner, "its address is taken", "copy it to a variable first");
            return Types::ERROR;
        }
        self.mark_address_taken(operand);
        if self.types().is_error(ty) {
            return Types::ERROR;
        }
        if self.sema.flags(operand).is_bitfield && self.types().is_shared(ty) {
            self.address_of_bitfield(id, operand);
            return Types::ERROR;
        }
        self.sema.types.pointer_to(ty)
    }

    fn dereference(&mut self, id: ExprId, operand: ExprId) -> QualType {
        let ty = self.value(operand);
        let Some(target) = self.types().pointee(ty) else { return Types::ERROR };
        if self.types().is_function(target) {
            return target;
        }
        self.set_flags(id, LVALUE);
        target
    }

    /// The lvalue `id` of type `ty` is stored to.
    fn modify(&mut self, id: ExprId, ty: QualType) {
        let inner = self.ast.strip_parens(id);
        if matches!(self.ast.expr(inner).kind, ExprKind::Threads | ExprKind::MyThread) {
            let help = match self.ast.expr(inner).kind {
                ExprKind::Threads => "`upcrun -n` or `upcc -T` say how many threads there are",
                _ => "write `==` to compare, or copy it to a variable that is assigned to",
            };
            self.threads_as_object(inner, "it is assigned to", help);
        }
        if self.types().is_array(ty) && self.types().mentions_shared(ty) {
            self.assigned_array(id, ty);
        }
        if self.types().is_shared(ty) && self.types().resolve(ty).quals.is_const {
            self.assigned_const(id, ty);
        }
        if let Some((object, _)) = self.sema.object_of(inner) {
            self.thread_numbers.remove(&object);
        }
        self.mark_assigned(id);
        self.access(id, ty);
    }

    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> QualType {
        let ty = self.expr(lhs);
        self.modify(lhs, ty);
        match op {
            None => self.convert(rhs, ty, Receiver::Assignment),
            Some(op) => {
                let source = self.value(rhs);
                let target = self.types().unqualified(ty);
                let lhs_pts = self.types().is_pts(target);
                if lhs_pts || self.types().is_pts(source) {
                    let additive = matches!(op, BinaryOp::Add | BinaryOp::Sub);
                    if lhs_pts && additive && self.is_integer_or_error(source) {
                        if let Some(target) = self.types().pointee(target) {
                            self.check_complete_pointee_at(span, target);
                        }
                    } else if !self.types().is_error(source) && !self.types().is_error(target) {
                        let pts = if lhs_pts { target } else { source };
                        self.bad_shared_operand_at(span, pts, "used in arithmetic");
                    }
                }
            }
        }
        let variable = self.sema.object_of(self.ast.strip_parens(lhs)).map(|(id, _)| id);
        if let (Some(object), None) = (variable, op) {
            self.holds(object, rhs);
        }
        self.types().unqualified(ty)
    }

    fn is_integer_or_error(&self, ty: QualType) -> bool {
        self.types().is_integer(ty) || self.types().is_error(ty)
    }

    pub(super) fn binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    ) -> QualType {
        use BinaryOp::*;
        let (a, b) = (self.operand(lhs), self.operand(rhs));
        let is_constant = self.sema.flags(lhs).is_constant && self.sema.flags(rhs).is_constant;
        self.set_constant(id, is_constant);
        if matches!(op, LogAnd | LogOr) {
            return Types::INT;
        }
        let types = self.types();
        let is_shared = types.mentions_shared(a) || types.mentions_shared(b);
        if is_shared && (types.is_pts(a) || types.is_pts(b)) {
            return self.shared_binary(id, op, (lhs, a), (rhs, b));
        }
        match op {
            Lt | Gt | Le | Ge | Eq | Ne => match types.kind(a) {
                Type::Vector { .. } => a,
                _ => Types::INT,
            },
            Shl | Shr => types.promote(a),
            Add if types.is_pointer(a) => a,
            Add if types.is_pointer(b) => b,
            Sub if types.is_pointer(a) && types.is_pointer(b) => Types::PTRDIFF,
            Sub if types.is_pointer(a) => a,
            _ => types.usual_arithmetic(a, b),
        }
    }

    /// At least one operand is a pointer-to-shared.
    fn shared_binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        (lhs, a): (ExprId, QualType),
        (rhs, b): (ExprId, QualType),
    ) -> QualType {
        use BinaryOp::*;
        if self.types().is_error(a) || self.types().is_error(b) {
            return if matches!(op, Add | Sub) { Types::ERROR } else { Types::INT };
        }
        let (pts, other, other_id) = if self.types().is_pts(a) { (a, b, rhs) } else { (b, a, lhs) };
        let both = self.types().is_pts(other);
        let is_comparison = matches!(op, Eq | Ne | Lt | Gt | Le | Ge);
        if !both && self.types().is_pointer(other) && (is_comparison || op == Sub) {
            if is_comparison && self.is_null(other_id) {
                self.sema.coerce.insert(other_id, pts);
                return Types::INT;
            }
            self.shared_and_private(id, (lhs, a), (rhs, b));
            return if is_comparison { Types::INT } else { Types::ERROR };
        }
        match op {
            Eq | Ne if both => self.shared_equality(id, (lhs, a), (rhs, b)),
            Lt | Gt | Le | Ge if both => {
                self.check_order(id, "compared", a, b);
                Types::INT
            }
            Sub if both => {
                self.check_order(id, "subtracted", a, b);
                Types::PTRDIFF
            }
            _ if is_comparison && self.is_null(other_id) => {
                self.sema.coerce.insert(other_id, pts);
                Types::INT
            }
            Add | Sub if !both && self.types().is_integer(other) => {
                if op == Sub && self.types().is_pts(b) {
                    self.bad_shared_operand(id, b, "subtracted from an integer");
                    return Types::ERROR;
                }
                if let Some(target) = self.types().pointee(pts) {
                    self.check_complete_pointee(id, target);
                }
                pts
            }
            _ => {
                let what = if is_comparison {
                    "compared with something that is not a pointer"
                } else {
                    "used in arithmetic"
                };
                self.bad_shared_operand(id, pts, what);
                if is_comparison {
                    Types::INT
                } else {
                    Types::ERROR
                }
            }
        }
    }

    /// `p == q`: a generic pointer-to-shared compares with every other.
    fn shared_equality(
        &mut self,
        id: ExprId,
        (lhs, a): (ExprId, QualType),
        (rhs, b): (ExprId, QualType),
    ) -> QualType {
        let (Some(x), Some(y)) = (self.types().pointee(a), self.types().pointee(b)) else {
            return Types::INT;
        };
        match (self.types().is_void(x), self.types().is_void(y)) {
            (true, false) => self.note_conversion(rhs, b, a),
            (false, true) => self.note_conversion(lhs, a, b),
            (true, true) => {}
            (false, false) => self.check_same_layout(id, "compared", a, b),
        }
        Types::INT
    }

    pub(super) fn conditional(
        &mut self,
        id: ExprId,
        cond: ExprId,
        then: Option<ExprId>,
        els: ExprId,
    ) -> QualType {
        let test = self.value(cond);
        let (then_id, a) = match then {
            Some(then) => (then, self.operand(then)),
            None => (cond, test),
        };
        let b = self.operand(els);
        let is_constant =
            [cond, then_id, els].iter().all(|&part| self.sema.flags(part).is_constant);
        self.set_flags(id, ExprFlags { is_constant, ..ExprFlags::default() });
        let types = self.types();
        if types.is_error(a) || types.is_error(b) {
            return Types::ERROR;
        }
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            return types.usual_arithmetic(a, b);
        }
        if types.is_void(a) || types.is_void(b) {
            return Types::VOID;
        }
        match (types.is_pointer(a), types.is_pointer(b)) {
            (true, true) | (true, false) | (false, true) => {
                self.pointer_conditional(id, (then_id, a), (els, b))
            }
            (false, false) => a,
        }
    }

    /// The composite pointer type of two arms (C17 §6.5.15p6).
    fn pointer_conditional(
        &mut self,
        id: ExprId,
        (then, a): (ExprId, QualType),
        (els, b): (ExprId, QualType),
    ) -> QualType {
        for (this, ty, other, target) in [(then, a, els, b), (els, b, then, a)] {
            if self.is_null(this) && self.types().is_pointer(target) && !self.is_null(other) {
                if self.types().is_pts(target) {
                    if self.types().is_pts(ty) {
                        self.note_conversion(this, ty, target);
                    } else {
                        self.sema.coerce.insert(this, target);
                    }
                }
                return target;
            }
        }
        match (self.types().is_pts(a), self.types().is_pts(b)) {
            (false, false) => {}
            (true, true) => return self.shared_conditional(id, (then, a), (els, b)),
            (a_shared, _) => {
                let private = if a_shared { b } else { a };
                if self.types().is_pointer(private) {
                    self.shared_and_private(id, (then, a), (els, b));
                } else {
                    let pts = if a_shared { a } else { b };
                    self.bad_shared_operand(id, pts, "one arm of `?:` and an integer the other");
                }
                return Types::ERROR;
            }
        }
        match (self.types().pointee(a), self.types().pointee(b)) {
            (Some(x), Some(y)) => {
                let generic = if self.types().is_void(x) { (a, y) } else { (b, x) };
                let is_generic = self.types().is_void(x) || self.types().is_void(y);
                let (ty, other) = if is_generic { generic } else { (a, y) };
                self.merge_pointee(ty, other)
            }
            (Some(_), None) => a,
            _ => b,
        }
    }

    fn shared_conditional(
        &mut self,
        id: ExprId,
        (then, a): (ExprId, QualType),
        (els, b): (ExprId, QualType),
    ) -> QualType {
        let (Some(x), Some(y)) = (self.types().pointee(a), self.types().pointee(b)) else {
            return Types::ERROR;
        };
        match (self.types().is_void(x), self.types().is_void(y)) {
            (true, false) => {
                self.note_conversion(els, b, a);
                self.merge_pointee(a, y)
            }
            (false, true) => {
                self.note_conversion(then, a, b);
                self.merge_pointee(b, x)
            }
            (true, true) => self.merge_pointee(a, y),
            (false, false) => {
                self.check_same_layout(id, "the arms of one `?:`", a, b);
                self.merge_pointee(a, y)
            }
        }
    }

    /// The pointer `ty`, to a target that has `other`'s const and volatile too.
    fn merge_pointee(&mut self, ty: QualType, other: QualType) -> QualType {
        let quals = self.types().resolve(other).quals;
        let Some(target) = self.types().pointee(ty) else { return ty };
        let extra =
            Quals { is_const: quals.is_const, is_volatile: quals.is_volatile, ..Quals::default() };
        let own = self.types().resolve(target).quals;
        if own.is_const >= extra.is_const && own.is_volatile >= extra.is_volatile {
            return ty;
        }
        let target = self.sema.types.qualify(target, extra);
        self.sema.types.pointer_to(target)
    }
}
