// SPDX-License-Identifier: BSD-3-Clause
//! Types of expressions: names, literals, and what is built from parts (C17 §6.5).
//!
//! [`Analyser::expr`] gives the type before decay, [`Analyser::value`] the type as a value; each
//! expression is typed once.

use super::analyser::Analyser;
use super::convert::Receiver;
use super::types::{ArrayLen, Block, QualType, Quals, Type, Types};
use super::{Duration, ExprFlags, ObjectId, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;

pub(super) const LVALUE: ExprFlags =
    ExprFlags { is_lvalue: true, is_bitfield: false, is_null_constant: false, is_constant: false };

impl Analyser<'_> {
    pub(super) fn expr(&mut self, id: ExprId) -> QualType {
        if self.is_typed(id) {
            return self.sema.expr_type(id);
        }
        // Sums, commas, subscripts and calls nest to the left as deep as the program is long.
        let bottom = self.spine.len();
        let mut next = Some(id);
        while let Some(e) = next.filter(|&e| !self.is_typed(e)) {
            self.spine.push(e);
            next = match self.ast.expr(e).kind {
                ExprKind::Binary { lhs, .. } | ExprKind::Comma { lhs, .. } => Some(lhs),
                ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => Some(base),
                ExprKind::Call { callee, .. } if !self.is_undeclared(callee) => Some(callee),
                _ => None,
            };
        }
        while self.spine.len() > bottom {
            let Some(e) = self.spine.pop() else { break };
            let ty = self.type_of(e);
            self.sema.expr_types[e.0 as usize] = ty;
            self.typed[e.0 as usize] = true;
        }
        self.sema.expr_type(id)
    }

    fn is_typed(&self, id: ExprId) -> bool {
        self.typed[id.0 as usize]
    }

    pub(super) fn set_flags(&mut self, id: ExprId, flags: ExprFlags) {
        self.sema.expr_flags[id.0 as usize] = flags;
    }

    pub(super) fn set_constant(&mut self, id: ExprId, is_constant: bool) {
        self.sema.expr_flags[id.0 as usize].is_constant = is_constant;
    }

    fn type_of(&mut self, id: ExprId) -> QualType {
        let ast = self.ast;
        let span = ast.expr(id).span;
        match &ast.expr(id).kind {
            ExprKind::Ident(name) => self.ident(id, *name, span),
            ExprKind::Int { value, ty } => {
                let is_null = *value == 0;
                self.set_flags(
                    id,
                    ExprFlags {
                        is_null_constant: is_null,
                        is_constant: true,
                        ..ExprFlags::default()
                    },
                );
                self.sema.types.builtin(*ty)
            }
            ExprKind::Float { ty } => self.sema.types.builtin(*ty),
            ExprKind::Char { ty, .. } => {
                self.set_constant(id, true);
                self.sema.types.builtin(*ty)
            }
            ExprKind::Str { elem, len } => {
                self.set_flags(id, LVALUE);
                let elem = self.sema.types.builtin(*elem);
                self.sema.types.array_of(elem, ArrayLen::Const(*len))
            }
            ExprKind::Threads => {
                self.set_constant(id, !self.is_dynamic());
                Types::INT
            }
            ExprKind::MyThread => Types::INT,
            ExprKind::Paren(inner) => self.same_as(id, *inner),
            ExprKind::Index { base, index } => self.index(id, *base, *index),
            ExprKind::Call { callee, args } => self.call(id, *callee, args),
            ExprKind::Member { base, field, arrow } => self.member(id, *base, *field, *arrow),
            ExprKind::Unary { op, operand } => self.unary(id, *op, *operand),
            ExprKind::SizeOf { op, operand } => self.size_operator(id, *op, *operand),
            ExprKind::Cast { ty, operand } => self.cast(id, *ty, *operand),
            ExprKind::CompoundLit { ty, init } => self.compound_literal(id, *ty, *init),
            ExprKind::Binary { op, lhs, rhs } => self.binary(id, *op, *lhs, *rhs),
            ExprKind::Assign { op, lhs, rhs } => self.assign(*op, *lhs, *rhs, span),
            ExprKind::Cond { cond, then, els } => self.conditional(id, *cond, *then, *els),
            ExprKind::Comma { lhs, rhs } => {
                self.value(*lhs);
                self.value(*rhs)
            }
            ExprKind::Generic { control, assocs } => self.generic(id, *control, assocs),
            ExprKind::StmtExpr(body) => match &ast.stmt(*body).kind {
                StmtKind::Compound(body) => self.compound(body),
                _ => Types::ERROR,
            },
            ExprKind::LabelAddr(_) => self.sema.types.pointer_to(Types::VOID),
            ExprKind::VaArg { list, ty } => {
                self.expr(*list);
                let ty = self.type_name(*ty);
                self.types().unqualified(ty)
            }
            ExprKind::Offsetof { ty, designators } => self.offsetof(id, *ty, designators),
            ExprKind::TypesCompatible { a, b } => {
                let (a, b) = (self.type_name(*a), self.type_name(*b));
                let (a, b) = (self.types().unqualified(a), self.types().unqualified(b));
                let same = self.types().compatible(a, b);
                self.sema.const_values.insert(id, same.into());
                self.set_constant(id, true);
                Types::INT
            }
            ExprKind::ChooseExpr { cond, then, els } => self.choose(id, *cond, *then, *els),
            ExprKind::Error => Types::ERROR,
        }
    }

    fn same_as(&mut self, id: ExprId, inner: ExprId) -> QualType {
        let ty = self.expr(inner);
        self.set_flags(id, self.sema.flags(inner));
        ty
    }

    fn ident(&mut self, id: ExprId, name: Symbol, span: Span) -> QualType {
        let Some(object) = self.scopes.name(name) else { return self.predefined(id, name, span) };
        self.sema.expr_object.insert(id, object);
        let entry = self.sema.object(object);
        let ty = entry.ty;
        match entry.kind {
            ObjectKind::Variable | ObjectKind::Parameter => {
                self.note_outer(object);
                let is_constant = self.constants.contains_key(&object);
                self.set_flags(id, ExprFlags { is_constant, ..LVALUE });
            }
            ObjectKind::Enumerator(value) => self.set_flags(
                id,
                ExprFlags {
                    is_constant: true,
                    is_null_constant: value == 0,
                    ..ExprFlags::default()
                },
            ),
            ObjectKind::Function => {}
            ObjectKind::Typedef => return Types::ERROR,
        }
        ty
    }

    /// `__func__` and its GNU synonyms, `nullptr` of C23; other undeclared names are for the C
    /// compiler.
    fn predefined(&mut self, id: ExprId, name: Symbol, span: Span) -> QualType {
        if self.name(name) == "nullptr" {
            self.set_flags(id, ExprFlags { is_null_constant: true, ..ExprFlags::default() });
            return self.sema.types.pointer_to(Types::VOID);
        }
        if !matches!(self.name(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            if !self.lacks_header(name, span) {
                self.check_spelling(name, span);
            }
            return Types::ERROR;
        }
        self.set_flags(id, LVALUE);
        let len = self.function.map_or(1, |f| self.name(f.name).len() as u64 + 1);
        let elem = Types::CHAR.with(Quals { is_const: true, ..Quals::default() });
        self.sema.types.array_of(elem, ArrayLen::Const(len))
    }

    fn index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> QualType {
        let (a, b) = (self.value(base), self.value(index));
        // `i[p]` is `p[i]`.
        let (pointer, other) = if self.types().is_pointer(a) { (a, b) } else { (b, a) };
        if let Type::Vector { elem, .. } = *self.types().kind(a) {
            self.set_flags(id, LVALUE);
            let outer = self.types().resolve(self.sema.expr_type(base)).quals;
            let shared = outer.shared.map(|_| Block::Size(0));
            return self.sema.types.qualify(elem.into(), Quals { shared, ..outer });
        }
        let Some(elem) = self.types().pointee(pointer) else { return Types::ERROR };
        self.set_flags(id, LVALUE);
        if self.types().is_shared(elem) {
            self.check_complete_pointee(id, elem);
            if self.types().is_void(elem) {
                return Types::ERROR;
            }
            if !self.types().is_integer(other) && !self.types().is_error(other) {
                self.bad_shared_operand(
                    id,
                    pointer,
                    "subscripted by something other than an integer",
                );
            }
        }
        elem
    }

    fn member(&mut self, id: ExprId, base: ExprId, name: Ident, arrow: bool) -> QualType {
        let (record, is_lvalue) = if arrow {
            let pointer = self.value(base);
            (self.types().pointee(pointer).unwrap_or(Types::ERROR), true)
        } else {
            let ty = self.expr(base);
            (ty, self.sema.flags(base).is_lvalue)
        };
        let Some(field) = self.field(record, name.name) else {
            match self.is_other_selector(base, arrow) {
                true => self.wrong_selector(base, name, arrow),
                false => self.unknown_member(record, name),
            }
            return Types::ERROR;
        };
        let flags =
            ExprFlags { is_lvalue, is_bitfield: field.bits.is_some(), ..ExprFlags::default() };
        self.set_flags(id, flags);
        if let Some(bits) = field.bits {
            self.bit_widths.insert(id, bits.width);
        }
        let outer = self.types().resolve(record).quals;
        let quals = Quals {
            is_restrict: false,
            is_atomic: false,
            // A member lies beside its neighbours on one thread (UPC 1.3 §6.4.4p1).
            shared: outer.shared.map(|_| Block::Size(0)),
            ..outer
        };
        self.sema.types.qualify(field.ty, quals)
    }

    fn cast(&mut self, id: ExprId, name: TypeNameId, operand: ExprId) -> QualType {
        let mut target = self.type_name(name);
        let source = self.value(operand);
        let is_typeof = matches!(self.ast.type_name(name).specs.ty, TypeSpec::TypeofExpr(_));
        if is_typeof && self.types().is_shared(target) {
            // `(__typeof__(x))1` means the type of x's value.
            target = self.without_shared(target);
            self.sema.type_name_types[name.0 as usize] = target;
        }
        let ty = self.types().unqualified(target);
        if self.types().mentions_shared(target) {
            self.check_cast(name, target, operand, source);
        } else if self.types().is_pts(source) && self.types().is_floating(target) {
            // C17 §6.5.4p4: the C compiler sees an integer in it.
            self.bad_shared_operand(operand, source, "cast to a floating type");
        }
        let operand_flags = self.sema.flags(operand);
        // `(int)1.5` is an integer constant expression too.
        let is_float_literal =
            matches!(self.ast.expr(self.ast.strip_parens(operand)).kind, ExprKind::Float { .. });
        let types = self.types();
        let is_constant = types.is_integer(ty) && (operand_flags.is_constant || is_float_literal);
        let is_void_pointer = types.pointee(ty) == Some(Types::VOID);
        let is_null_constant = operand_flags.is_constant
            && (types.is_integer(ty) || is_void_pointer)
            && self.is_null(operand)
            || is_void_pointer && operand_flags.is_null_constant && operand_flags.is_constant;
        self.set_flags(id, ExprFlags { is_constant, is_null_constant, ..ExprFlags::default() });
        ty
    }

    fn compound_literal(&mut self, id: ExprId, name: TypeNameId, init: InitId) -> QualType {
        let ty = self.type_name(name);
        if self.types().is_shared(ty) {
            self.shared_literal(name, ty);
        }
        self.set_flags(id, LVALUE);
        let ty = self.initialiser(init, ty);
        self.sema.type_name_types[name.0 as usize] = ty;
        ty
    }

    /// The association whose type is compatible with the control's value (C17 §6.5.1.1).
    fn generic(&mut self, id: ExprId, control: ExprId, assocs: &[GenericAssoc]) -> QualType {
        let ty = self.value(control);
        let mut chosen = None;
        let mut default = None;
        for assoc in assocs {
            match assoc.ty {
                Some(name) => {
                    let of = self.type_name(name);
                    if chosen.is_none() && self.types().compatible(ty, of) {
                        chosen = Some(assoc.value);
                    }
                }
                None => default = Some(assoc.value),
            }
            self.expr(assoc.value);
        }
        if self.types().is_error(ty) {
            return Types::ERROR;
        }
        let value = chosen.or(default);
        self.check_selection(control, ty, assocs, value.is_some());
        let Some(value) = value else { return Types::ERROR };
        self.sema.generic_choice.insert(id, value);
        self.same_as(id, value)
    }

    /// `__builtin_choose_expr`
    fn choose(&mut self, id: ExprId, cond: ExprId, then: ExprId, els: ExprId) -> QualType {
        let cond = self.required_constant(cond, "the condition of `__builtin_choose_expr`");
        self.expr(then);
        self.expr(els);
        match cond {
            Some(0) => self.same_as(id, els),
            Some(_) => self.same_as(id, then),
            None => Types::ERROR,
        }
    }

    fn offsetof(&mut self, id: ExprId, ty: TypeNameId, designators: &[Designator]) -> QualType {
        let mut ty = self.type_name(ty);
        let mut offset = Some(0i128);
        let mut is_constant = true;
        for designator in designators {
            match *designator {
                Designator::Field(name) => {
                    let Some(field) = self.field(ty, name.name) else { return Types::SIZE };
                    ty = field.ty;
                    offset = offset.and_then(|n| n.checked_add(field.offset.into()));
                }
                Designator::Index(e) | Designator::Range(e, _) => {
                    self.value(e);
                    is_constant &= self.sema.flags(e).is_constant;
                    let elem = self.types().elem(ty).unwrap_or(Types::ERROR);
                    let size = self.types().size_of(elem);
                    let step =
                        self.fold(e).zip(size).and_then(|(n, size)| n.checked_mul(size.into()));
                    offset = offset.zip(step).and_then(|(a, b)| a.checked_add(b));
                    ty = elem;
                }
            }
        }
        if let (Some(offset), true) = (offset, is_constant) {
            self.sema.const_values.insert(id, offset);
        }
        self.set_constant(id, is_constant);
        Types::SIZE
    }

    /// `id` is stored to: notes the variable that it is part of.
    pub(super) fn mark_assigned(&mut self, id: ExprId) {
        let Some(id) = self.root_object(id) else { return };
        self.sema.objects[id.0 as usize].is_assigned = true;
    }

    /// A nested function has the address of the variables around it that it names: its calls find them
    /// as they are then, and may change them.
    fn note_outer(&mut self, id: ObjectId) {
        let is_outer = self.function.is_some_and(|function| id.0 < function.first_object);
        let object = &mut self.sema.objects[id.0 as usize];
        object.address_taken |= is_outer && object.duration == Duration::Automatic;
    }

    pub(super) fn mark_address_taken(&mut self, id: ExprId) {
        if let Some(object) = self.root_object(id) {
            self.sema.objects[object.0 as usize].address_taken = true;
        }
    }

    /// The variable of which the lvalue `id` is a part.
    fn root_object(&self, id: ExprId) -> Option<super::ObjectId> {
        let mut id = id;
        loop {
            id = self.ast.strip_parens(id);
            match self.ast.expr(id).kind {
                ExprKind::Ident(_) => return self.sema.expr_object.get(&id).copied(),
                ExprKind::Member { base, arrow: false, .. } => id = base,
                ExprKind::Index { base, .. }
                    if self.types().is_array(self.sema.expr_type(base)) =>
                {
                    id = base
                }
                ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } => id = operand,
                _ => return None,
            }
        }
    }

    fn is_undeclared(&self, callee: ExprId) -> bool {
        match self.ast.expr(callee).kind {
            ExprKind::Ident(name) => self.scopes.name(name).is_none(),
            _ => false,
        }
    }

    /// Types the arguments of a call.
    pub(super) fn arguments(&mut self, call: ExprId, params: &[QualType], args: &[ExprId]) {
        for (n, &arg) in args.iter().enumerate() {
            match params.get(n) {
                Some(&param) => self.convert(arg, param, Receiver::Argument { call, n }),
                None => {
                    self.value(arg);
                }
            }
        }
    }
}
