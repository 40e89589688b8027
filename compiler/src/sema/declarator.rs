// SPDX-License-Identifier: BSD-3-Clause
//! Declarators: from the base type outward to the declared type (C17 §6.7.6, UPC 1.3 §6.5.2).

use super::analyser::Analyser;
use super::specs::Base;
use super::types::{ArrayLen, Block, FunctionType, QualType, Quals, Type, Types, MAX_BLOCK};
use super::{Duration, Linkage, Object, ObjectId, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::*;

/// What is being declared; some constraints depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Object,
    /// An object with an initialiser, which may still give an array's length.
    Initialised,
    Typedef,
    Member,
    Param,
    TypeName,
}

pub(super) struct Declared {
    pub(super) ty: QualType,
    /// Of the function chunk next to the name.
    pub(super) params: Vec<ObjectId>,
}

impl Analyser<'_> {
    pub(super) fn declarator(
        &mut self,
        base: &Base,
        declarator: &Declarator,
        role: Role,
    ) -> Declared {
        let mut ty = base.ty;
        if self.types().is_function(ty) && self.types().is_shared(ty) {
            self.shared_function(ty, base.shared.unwrap_or(declarator.span));
            ty = self.types().unqualified(ty);
        }
        let mut params = Vec::new();
        let mut layout = base.layout;
        let mut star = has_star(self.types(), ty).then_some(base.layout.or(base.shared)).flatten();
        for (n, chunk) in declarator.chunks.iter().enumerate().rev() {
            match &chunk.kind {
                ChunkKind::Pointer(quals) => {
                    if self.types().is_void(ty) {
                        self.check_layout_of_void(ty, layout, chunk.span);
                    }
                    if has_star(self.types(), ty) {
                        if let (Some(span), true) = (star, role != Role::Typedef) {
                            self.star_in_pointer(span);
                        }
                        ty = with_block(&mut self.sema.types, ty, Block::Size(1));
                    }
                    let list = self.pointer_qualifiers(quals);
                    layout = list.layout.map(|(_, span)| span);
                    star = star.or(layout.filter(|_| list.quals.shared == Some(Block::Star)));
                    ty = self.sema.types.pointer_to(ty).with(list.quals);
                }
                ChunkKind::Array { quals, size, .. } => {
                    let is_param_dim = role == Role::Param && n == 0;
                    let len = self.array_len(ty, *size, chunk.span, role, is_param_dim);
                    if is_param_dim {
                        let list = self.pointer_qualifiers(quals);
                        if let Some(span) = list.shared {
                            self.shared_parameter(span, None);
                        }
                        let quals = Quals { shared: None, consistency: None, ..list.quals };
                        if let (Some(span), true) = (star, has_star(self.types(), ty)) {
                            self.star_in_pointer(span);
                        }
                        ty = self.sema.types.pointer_to(ty).with(quals);
                    } else {
                        ty = self.sema.types.array_of(ty, len);
                    }
                }
                ChunkKind::Function(list) => {
                    if self.types().is_shared(ty) {
                        self.shared_return(ty, base.shared.unwrap_or(chunk.span));
                        ty = self.types().unqualified(ty);
                    }
                    let (function, objects) = self.parameters(ty, list);
                    ty = self.sema.types.intern(Type::Function(function)).into();
                    if n == 0 {
                        params = objects;
                    }
                }
            }
        }
        if let Some(span) = star {
            ty = self.settle_star(ty, span, role);
        }
        Declared { ty, params }
    }

    /// Gives `[*]` its block size (UPC 1.3 §6.5.1.1p16), or says why there is none.
    pub(super) fn settle_star(&mut self, ty: QualType, span: Span, role: Role) -> QualType {
        if role == Role::Typedef {
            self.star_in_typedef(span);
            return with_block(&mut self.sema.types, ty, Block::Size(1));
        }
        if !has_star(self.types(), ty) {
            return ty;
        }
        let types = self.types();
        let block = match (types.elem_count(ty), types.threads) {
            (Some(count), _) if count.times_threads => count.n.max(1),
            (Some(count), Some(threads)) => count.n.div_ceil(threads.max(1).into()).max(1),
            // Without THREADS in a dimension: `check_dimensions` or the scalar's block of 1.
            (Some(count), None) => {
                if role == Role::TypeName && types.is_array(ty) {
                    self.star_without_threads(span, ty);
                }
                count.n.max(1)
            }
            (None, _) if role == Role::Initialised => return ty,
            (None, _) => {
                self.star_without_array(span, ty);
                1
            }
        };
        if block > MAX_BLOCK {
            self.star_too_large(span, block);
        }
        with_block(&mut self.sema.types, ty, Block::Size(block.min(MAX_BLOCK)))
    }

    fn parameters(&mut self, ret: QualType, list: &Params) -> (FunctionType, Vec<ObjectId>) {
        let mut objects = Vec::new();
        let mut function =
            FunctionType { ret, params: Vec::new(), is_variadic: false, has_prototype: false };
        self.scopes.enter();
        match list {
            Params::Empty => {}
            Params::Prototype { params, is_variadic } => {
                function.has_prototype = true;
                function.is_variadic = *is_variadic;
                for param in params {
                    let (ty, object) = self.parameter(param);
                    function.params.push(ty);
                    objects.extend(object);
                }
            }
            Params::Names(names) => {
                for name in names {
                    objects.push(self.add_parameter(*name, Types::INT));
                }
            }
        }
        self.scopes.leave();
        (function, objects)
    }

    fn parameter(&mut self, param: &Param) -> (QualType, Option<ObjectId>) {
        let base = self.specs(&param.specs, false);
        let outer = std::mem::replace(&mut self.in_parameter, true);
        let mut ty = self.declarator(&base, &param.declarator, Role::Param).ty;
        self.in_parameter = outer;
        ty = self.type_attributes(ty, &param.attributes);
        ty = self.adjust_parameter(ty);
        if ty.quals.shared.is_some() || self.types().resolve(ty).quals.shared.is_some() {
            self.shared_parameter(base.shared.unwrap_or(param.span), param.declarator.name);
            ty = self.types().resolve(ty);
            ty.quals.shared = None;
            ty.quals.consistency = None;
        }
        let object = param.declarator.name.map(|name| self.add_parameter(name, ty));
        (ty, object)
    }

    /// Arrays and functions become pointers (C17 §6.7.6.3p7).
    pub(super) fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        match *self.types().kind(ty) {
            Type::Array { elem, .. } => self.sema.types.pointer_to(elem),
            Type::Function(_) => self.sema.types.pointer_to(ty),
            _ => ty,
        }
    }

    fn add_parameter(&mut self, name: Ident, ty: QualType) -> ObjectId {
        let object = self.add_object(Object {
            name: name.name,
            ty,
            kind: ObjectKind::Parameter,
            linkage: Linkage::None,
            duration: Duration::Automatic,
            at_file_scope: false,
            is_librarys: false,
            is_weak: false,
            label: None,
            span: name.span,
            is_defined: true,
            has_init: false,
            is_assigned: false,
            address_taken: false,
        });
        self.scopes.bind(name.name, object);
        object
    }

    /// The length of an array whose elements have type `elem`, with the constraints of
    /// UPC 1.3 §6.5.2.1. A parameter's first dimension means nothing.
    fn array_len(
        &mut self,
        elem: QualType,
        size: ArraySize,
        chunk: Span,
        role: Role,
        is_param_dim: bool,
    ) -> ArrayLen {
        let e = match size {
            ArraySize::None => return ArrayLen::Unknown,
            ArraySize::Star => return ArrayLen::Variable(None),
            ArraySize::Expr(e) => e,
        };
        self.value(e);
        if self.sema.flags(e).is_constant {
            if let Some(n) = self.constant(e) {
                if n < 0 && self.types().is_shared(elem) {
                    self.negative_dimension(e, n);
                }
                return ArrayLen::Const(u64::try_from(n).unwrap_or(0));
            }
        }
        if is_param_dim {
            return ArrayLen::Variable(Some(e));
        }
        if !self.types().is_shared(elem) {
            let multiple = self.multiple_of_threads(e);
            return multiple.map_or(ArrayLen::Variable(Some(e)), |m| ArrayLen::TimesThreads(m.n));
        }
        self.shared_dimension(elem, e, chunk, role)
    }
}

/// Is the block size of the (ultimate) element still `[*]`?
pub(super) fn has_star(types: &Types, ty: QualType) -> bool {
    types.ultimate_elem(ty).quals.shared == Some(Block::Star)
}

/// `ty` with another block size on its ultimate element.
pub(super) fn with_block(types: &mut Types, ty: QualType, block: Block) -> QualType {
    let quals = Quals { shared: Some(block), ..Quals::default() };
    types.qualify(ty, quals)
}
