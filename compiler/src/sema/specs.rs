// SPDX-License-Identifier: BSD-3-Clause
//! Declaration specifiers and qualifier lists: the type that declarators build upon.

use super::analyser::Analyser;
use super::types::{Block, QualType, Quals, Type, Types, MAX_BLOCK};
use super::ObjectKind;
use crate::span::Span;
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;

/// What a list of specifiers says, for the declarators that follow it.
#[derive(Clone, Copy)]
pub(super) struct Base {
    pub(super) ty: QualType,
    /// The `shared` qualifier, or the whole list if a typedef hides it.
    pub(super) shared: Option<Span>,
    /// An explicit layout qualifier.
    pub(super) layout: Option<Span>,
    /// Something has been said of the specifiers: what follows from them is not worth a message.
    pub(super) is_wrong: bool,
    /// `__auto_type`, or `auto` of C23: the initialiser gives the type.
    pub(super) is_auto: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct QualifierList {
    pub(super) quals: Quals,
    pub(super) shared: Option<Span>,
    pub(super) layout: Option<(Block, Span)>,
    consistency: Option<Span>,
}

impl Analyser<'_> {
    /// `is_alone`: no declarators follow, so `struct s;` declares `s` in this scope.
    pub(super) fn specs(&mut self, specs: &DeclSpecs, is_alone: bool) -> Base {
        let mut is_auto = false;
        let n_messages = self.diags.0.len();
        let ty = match &specs.ty {
            TypeSpec::Builtin(builtin) => self.sema.types.builtin(*builtin),
            TypeSpec::Record(record) => self.record_spec(record, &specs.attributes, is_alone),
            TypeSpec::Enum(spec) => self.enum_spec(spec),
            TypeSpec::Typedef(name) => self.typedef_name(name.name),
            TypeSpec::TypeofExpr(e) => self.expr(*e),
            TypeSpec::TypeofType(name) => self.type_name(*name),
            TypeSpec::Atomic(name) => {
                let ty = self.type_name(*name);
                ty.with(Quals { is_atomic: true, ..Quals::default() })
            }
            TypeSpec::Auto => {
                is_auto = true;
                Types::ERROR
            }
            TypeSpec::Missing => {
                // C23 §6.7.10; before that it was an int, if it had an initialiser of that type.
                is_auto = matches!(specs.storage, Some((Storage::Auto, _)));
                Types::INT
            }
            TypeSpec::Error => Types::ERROR,
        };
        for (_, operand) in &specs.alignas {
            match *operand {
                ExprOrType::Expr(e) => {
                    self.required_constant(e, "an alignment");
                }
                ExprOrType::Type(name) => {
                    self.type_name(name);
                }
            }
        }
        let ty = self.type_attributes(ty, &specs.attributes);
        if specs.quals.is_empty() {
            let shared = self.types().is_shared(ty).then_some(specs.ty_span);
            return Base { ty, shared, layout: None, is_wrong: false, is_auto };
        }
        let list = self.qualifiers(&specs.quals);
        if let (Some(span), TypeSpec::Missing) = (list.shared, &specs.ty) {
            self.shared_without_type(span);
        }
        let ty = self.qualified(ty, list, specs);
        let shared = list.shared.or_else(|| self.types().is_shared(ty).then_some(specs.ty_span));
        let is_wrong = self.diags.0.len() > n_messages;
        Base { ty, shared, layout: list.layout.map(|(_, span)| span), is_wrong, is_auto }
    }

    /// `ty` with the qualifiers of the specifiers around it, which may repeat but not contradict
    /// those of a typedef.
    fn qualified(&mut self, ty: QualType, mut list: QualifierList, specs: &DeclSpecs) -> QualType {
        let inner = self.types().ultimate_elem(ty).quals;
        if let (Some(inner), true) = (inner.shared, list.quals.shared.is_some()) {
            match list.layout {
                Some((outer, span)) if outer != inner => {
                    self.two_block_sizes(outer, span, inner, specs.ty_span)
                }
                _ => list.quals.shared = None,
            }
        }
        if let (Some(inner), Some(outer), Some(span)) =
            (inner.consistency, list.quals.consistency, list.consistency)
        {
            if inner != outer {
                self.strict_and_relaxed(span, specs.ty_span);
            }
        }
        let ty = self.sema.types.qualify(ty, list.quals);
        if inner.shared.is_none() && list.quals.shared.is_some() && self.types().is_array(ty) {
            self.check_shared_typedef(ty, specs.ty_span);
        }
        if let Some(span) = list.consistency {
            if !self.types().is_shared(ty) && !self.types().is_error(ty) {
                self.reference_qualifier_alone(span);
            }
        }
        ty
    }

    /// type-qualifier-list, with the constraints of UPC 1.3 §6.5.2p6 and p7.
    pub(super) fn qualifiers(&mut self, list: &[Qualifier]) -> QualifierList {
        let mut result = QualifierList::default();
        for qualifier in list {
            let quals = &mut result.quals;
            match qualifier.kind {
                QualifierKind::Const => quals.is_const = true,
                QualifierKind::Volatile => quals.is_volatile = true,
                QualifierKind::Restrict => quals.is_restrict = true,
                QualifierKind::Atomic => quals.is_atomic = true,
                QualifierKind::Shared(layout) => {
                    result.shared.get_or_insert(qualifier.span);
                    if let Some(block) = self.layout(layout, qualifier.span) {
                        match result.layout {
                            Some((first, at)) if first != block => {
                                self.two_block_sizes(block, qualifier.span, first, at)
                            }
                            _ => result.layout = Some((block, qualifier.span)),
                        }
                    }
                }
                QualifierKind::Strict | QualifierKind::Relaxed => {
                    let consistency = match qualifier.kind {
                        QualifierKind::Strict => Consistency::Strict,
                        _ => Consistency::Relaxed,
                    };
                    match (quals.consistency, result.consistency) {
                        (Some(first), Some(at)) if first != consistency => {
                            self.strict_and_relaxed(qualifier.span, at)
                        }
                        _ => {
                            quals.consistency = Some(consistency);
                            result.consistency = Some(qualifier.span);
                        }
                    }
                }
            }
        }
        if result.shared.is_some() {
            result.quals.shared = Some(result.layout.map_or(Block::Size(1), |(block, _)| block));
        }
        result
    }

    /// The qualifiers of a pointer declarator.
    pub(super) fn pointer_qualifiers(&mut self, list: &[Qualifier]) -> QualifierList {
        let list = self.qualifiers(list);
        if let (None, Some(span)) = (list.shared, list.consistency) {
            self.reference_qualifier_alone(span);
        }
        list
    }

    /// layout-qualifier; `None` if there is none.
    fn layout(&mut self, layout: Layout, span: Span) -> Option<Block> {
        match layout {
            Layout::None => None,
            Layout::Indefinite => Some(Block::Size(0)),
            Layout::Star => Some(Block::Star),
            Layout::Size(e) => match self.constant(e) {
                Some(n) if (0..=MAX_BLOCK as i128).contains(&n) => Some(Block::Size(n as u64)),
                Some(n) => {
                    self.block_size_out_of_range(e, n);
                    Some(Block::Size(1))
                }
                None => {
                    self.block_size_not_constant(e, span);
                    Some(Block::Size(1))
                }
            },
        }
    }

    fn typedef_name(&mut self, name: Symbol) -> QualType {
        let Some(id) = self.scopes.name(name) else { return Types::ERROR };
        let object = self.sema.object(id);
        if object.kind != ObjectKind::Typedef {
            return Types::ERROR;
        }
        let target = object.ty;
        self.sema.types.intern(Type::Typedef { name, target }).into()
    }

    pub(super) fn type_name(&mut self, id: TypeNameId) -> QualType {
        let name = self.ast.type_name(id);
        let base = self.specs(&name.specs, false);
        let ty = self.declarator(&base, &name.declarator, super::declarator::Role::TypeName).ty;
        self.sema.type_name_types[id.0 as usize] = ty;
        ty
    }

    /// The attributes that change a type itself: `mode` and `vector_size`.
    pub(super) fn type_attributes(&mut self, ty: QualType, attributes: &[Attribute]) -> QualType {
        self.check_alignments(attributes);
        let mut ty = ty;
        for attribute in attributes {
            let name = Some(attribute.name);
            if name == self.known.mode {
                if let [arg] = attribute.args[..] {
                    ty = self.mode(ty, arg);
                }
            } else if name == self.known.vector_size {
                if let [arg] = attribute.args[..] {
                    let bytes = self.required_constant(arg, "the size of a vector");
                    let bytes = bytes.and_then(|n| u64::try_from(n).ok());
                    let elem = self.types().resolve(ty);
                    if self.types().is_arithmetic(elem) {
                        let vector = Type::Vector { elem: elem.ty, bytes: bytes.unwrap_or(16) };
                        let vector = self.sema.types.intern(vector);
                        ty = QualType { ty: vector, quals: elem.quals };
                    }
                }
            }
        }
        ty
    }

    /// `mode(DI)` and the like: an integer or floating type of another size.
    fn mode(&mut self, ty: QualType, arg: ExprId) -> QualType {
        let ExprKind::Ident(mode) = self.ast.expr(arg).kind else { return ty };
        let unsigned = matches!(self.types().integer(ty), Some((_, false)));
        let pick = |signed, unsigned_one| if unsigned { unsigned_one } else { signed };
        let builtin = match self.name(mode).trim_matches('_') {
            "QI" | "byte" => pick(Builtin::SChar, Builtin::UChar),
            "HI" => pick(Builtin::Short, Builtin::UShort),
            "SI" => pick(Builtin::Int, Builtin::UInt),
            "DI" | "word" | "pointer" | "unwind_word" => pick(Builtin::Long, Builtin::ULong),
            "TI" => pick(Builtin::Int128, Builtin::UInt128),
            "SF" => Builtin::Float,
            "DF" => Builtin::Double,
            "XF" | "TF" => Builtin::LDouble,
            "SC" => Builtin::ComplexFloat,
            "DC" => Builtin::ComplexDouble,
            "XC" | "TC" => Builtin::ComplexLDouble,
            _ => return ty,
        };
        self.sema.types.builtin(builtin).with(ty.quals)
    }
}
