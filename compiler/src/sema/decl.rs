// SPDX-License-Identifier: BSD-3-Clause
//! Declarations and function heads: which object a declarator means, and what it is.

use super::analyser::Analyser;
use super::declarator::{has_star, Role};
use super::specs::Base;
use super::types::{ArrayLen, QualType, Quals, Type};
use super::{Duration, Linkage, Object, ObjectId, ObjectKind};
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;

/// No storage class that would make a block-scope object static.
fn is_automatic(specs: &DeclSpecs) -> bool {
    matches!(specs.storage, None | Some((Storage::Auto | Storage::Register, _)))
        && specs.thread_local.is_none()
}

impl Analyser<'_> {
    pub(super) fn declaration(&mut self, id: DeclId) {
        let ast = self.ast;
        let declaration = ast.decl(id);
        let base = self.specs(&declaration.specs, declaration.declarators.is_empty());
        self.check_declares(declaration, &base);
        for (n, declarator) in declaration.declarators.iter().enumerate() {
            if let Some(object) = self.init_declarator(&declaration.specs, &base, declarator) {
                self.sema.declared.insert((id, n), object);
            }
        }
    }

    /// A declaration declares something: an object, or a tag (C17 §6.7p2).
    fn check_declares(&mut self, declaration: &Declaration, base: &Base) {
        let specs = &declaration.specs;
        let declares = match &specs.ty {
            TypeSpec::Record(record) if record.tag.is_some() => true,
            TypeSpec::Enum(_) => true,
            _ => !declaration.declarators.is_empty(),
        };
        let mut quals = specs.quals.iter();
        let shared = quals.find(|q| matches!(q.kind, QualifierKind::Shared(_)));
        if let (Some(shared), false, false) = (shared, declares, base.is_wrong) {
            self.shared_without_name(shared.span);
        }
    }

    fn init_declarator(
        &mut self,
        specs: &DeclSpecs,
        base: &Base,
        item: &InitDeclarator,
    ) -> Option<ObjectId> {
        let storage = specs.storage.map(|(storage, _)| storage);
        let role = match storage {
            Some(Storage::Typedef) => Role::Typedef,
            _ if item.init.is_some() => Role::Initialised,
            _ => Role::Object,
        };
        let mut base = *base;
        if base.is_auto {
            if let Some(InitKind::Expr(e)) = item.init.map(|init| &self.ast.init(init).kind) {
                base.ty = self.value(*e);
            }
        }
        if is_automatic(specs) && self.scopes.depth() > 0 {
            self.value_of_typeof(&mut base, specs, &item.declarator);
        }
        let ty = self.declarator(&base, &item.declarator, role).ty;
        let mut ty = self.type_attributes(ty, &item.attributes);
        if specs.constexpr.is_some() {
            ty = self.sema.types.qualify(ty, Quals { is_const: true, ..Quals::default() });
        }
        let name = item.declarator.name?;
        if role == Role::Typedef {
            return Some(self.declare_typedef(name, ty));
        }
        if self.types().is_function(ty) {
            return Some(self.declare_function(specs, name, ty, false));
        }
        Some(self.declare_variable(specs, &base, name, ty, item))
    }

    /// `__typeof__(x) copy = x;` makes a private copy of a shared `x`: that is what GNU C's
    /// macros mean, and a shared automatic object could not be meant.
    pub(super) fn value_of_typeof(
        &mut self,
        base: &mut Base,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) {
        let is_typeof = matches!(specs.ty, TypeSpec::TypeofExpr(_));
        let mut chunks = declarator.chunks.iter();
        let points = chunks.any(|chunk| matches!(chunk.kind, ChunkKind::Pointer(_)));
        let says_shared = specs.quals.iter().any(|q| matches!(q.kind, QualifierKind::Shared(_)));
        if is_typeof && !points && !says_shared && self.types().is_shared(base.ty) {
            base.ty = self.without_shared(base.ty);
            base.shared = None;
        }
    }

    fn declare_typedef(&mut self, name: Ident, ty: QualType) -> ObjectId {
        self.check_name(name, ty, ObjectKind::Typedef, Linkage::None, (false, true));
        let object = self.new_object(name, ty, ObjectKind::Typedef);
        self.scopes.bind(name.name, object);
        object
    }

    /// An object without linkage; the caller binds it.
    fn new_object(&mut self, name: Ident, ty: QualType, kind: ObjectKind) -> ObjectId {
        let at_file_scope = self.scopes.depth() == 0;
        self.add_object(Object {
            name: name.name,
            ty,
            kind,
            linkage: Linkage::None,
            duration: Duration::Automatic,
            at_file_scope,
            is_librarys: false,
            is_weak: false,
            label: None,
            span: name.span,
            is_defined: true,
            has_init: false,
            is_assigned: false,
            address_taken: false,
        })
    }

    fn declare_variable(
        &mut self,
        specs: &DeclSpecs,
        base: &Base,
        name: Ident,
        ty: QualType,
        item: &InitDeclarator,
    ) -> ObjectId {
        let at_file_scope = self.scopes.depth() == 0;
        let storage = specs.storage.map(|(storage, _)| storage);
        let is_extern = storage == Some(Storage::Extern);
        let linkage = match storage {
            Some(Storage::Static) if at_file_scope => Linkage::Internal,
            Some(Storage::Extern) => Linkage::External,
            _ if at_file_scope => Linkage::External,
            _ => Linkage::None,
        };
        // A global in a register (`register long sp asm("rsp")`) is each thread's as it is.
        let in_register = at_file_scope && storage == Some(Storage::Register);
        let duration = if specs.thread_local.is_some() || in_register {
            Duration::ThreadLocal
        } else if at_file_scope || matches!(storage, Some(Storage::Static | Storage::Extern)) {
            Duration::Static
        } else {
            Duration::Automatic
        };
        let has_init = item.init.is_some();
        let is_tentative = is_extern || !has_init;
        self.check_name(name, ty, ObjectKind::Variable, linkage, (is_extern, is_tentative));
        if self.types().is_shared(ty) {
            self.check_storage(specs, base, name, ty, duration);
        } else if duration != Duration::Automatic {
            self.check_private_length(name, ty);
        }
        let object = match self.earlier(name.name, linkage, ObjectKind::Variable) {
            Some(object) => {
                self.redeclare(object, name, ty);
                object
            }
            None => {
                let object = self.new_object(name, ty, ObjectKind::Variable);
                let new = &mut self.sema.objects[object.0 as usize];
                new.linkage = linkage;
                new.duration = duration;
                new.is_defined = false;
                object
            }
        };
        self.scopes.bind(name.name, object);
        if linkage != Linkage::None {
            self.linked.insert(name.name, object);
        }
        let is_librarys = linkage == Linkage::External && self.is_in_system_header(name);
        let says = |names: &[&str]| self.has_attribute(specs, item, names);
        // An alias is a definition of another name; a cleanup gets the address at the end of the block.
        let (is_alias, is_weak) = (says(&["alias", "weakref"]), says(&["weak"]));
        let is_reached = says(&["cleanup"]);
        let entry = &mut self.sema.objects[object.0 as usize];
        entry.is_librarys |= is_librarys;
        entry.is_weak |= is_weak;
        entry.address_taken |= is_reached;
        entry.label = entry.label.or(item.asm_label);
        entry.is_defined |= !is_extern || has_init || is_alias;
        entry.has_init |= has_init;
        let mut ty = ty;
        if let Some(init) = item.init {
            let is_static = self.sema.object(object).duration != Duration::Automatic;
            let outer = std::mem::replace(&mut self.in_static_initialiser, is_static);
            let completed = self.object_initialiser(init, ty);
            self.in_static_initialiser = outer;
            if let InitKind::Expr(value) = self.ast.init(init).kind {
                self.note_value(specs, object, ty, value);
            }
            ty = self.finish_initialised(object, ty, completed, base);
        }
        if self.types().is_shared(ty) {
            self.check_dimensions(name, ty, base);
        }
        object
    }

    /// `object` is declared with `value`.
    fn note_value(&mut self, specs: &DeclSpecs, object: ObjectId, ty: QualType, value: ExprId) {
        self.holds(object, value);
        if specs.constexpr.is_some() {
            self.define_constant(object, ty, value);
        }
    }

    /// The initialiser has given an array its length, and `[*]` what it divides.
    fn finish_initialised(
        &mut self,
        object: ObjectId,
        ty: QualType,
        completed: QualType,
        base: &Base,
    ) -> QualType {
        let mut completed = completed;
        if has_star(self.types(), completed) {
            let span = base.layout.or(base.shared).unwrap_or_default();
            completed = self.settle_star(completed, span, Role::Object);
        }
        if completed != ty {
            self.sema.objects[object.0 as usize].ty = completed;
        }
        completed
    }

    fn is_in_system_header(&self, name: Ident) -> bool {
        let lines = &self.ast.lines;
        !lines.regions.is_empty() && lines.file_at(name.span.lo).is_system
    }

    fn has_attribute(&self, specs: &DeclSpecs, item: &InitDeclarator, names: &[&str]) -> bool {
        let mut attributes = specs.attributes.iter().chain(&item.attributes);
        attributes.any(|a| names.contains(&self.name(a.name)))
    }

    /// The object that an earlier declaration with linkage made.
    fn earlier(&self, name: Symbol, linkage: Linkage, kind: ObjectKind) -> Option<ObjectId> {
        if linkage == Linkage::None {
            return None;
        }
        let id = match self.scopes.name_here(name) {
            Some(id) => id,
            None => *self.linked.get(&name)?,
        };
        let object = self.sema.object(id);
        (object.kind == kind && object.linkage != Linkage::None).then_some(id)
    }

    /// The composite of two declarations' types; C's own conflicts are left to the C compiler.
    fn redeclare(&mut self, id: ObjectId, name: Ident, ty: QualType) {
        let old = self.sema.object(id).ty;
        if old == ty {
            return;
        }
        let types = self.types();
        let clash = (types.mentions_shared(old) || types.mentions_shared(ty))
            && (!types.same_but_quals(old, ty) || types.opposite(old, ty));
        if clash {
            self.conflicting_shared(name, ty, id);
            return;
        }
        let takes_new = match (types.kind(old), types.kind(ty)) {
            (Type::Array { len: ArrayLen::Unknown, .. }, Type::Array { .. }) => true,
            (Type::Array { elem: a, .. }, Type::Array { elem: b, len }) => {
                types.is_incomplete(*a) && !types.is_incomplete(*b) && *len != ArrayLen::Unknown
            }
            (Type::Function(f), Type::Function(g)) => !f.has_prototype && g.has_prototype,
            _ => false,
        };
        if takes_new {
            self.sema.objects[id.0 as usize].ty = ty;
        }
    }

    fn declare_function(
        &mut self,
        specs: &DeclSpecs,
        name: Ident,
        ty: QualType,
        is_definition: bool,
    ) -> ObjectId {
        let at_file_scope = self.scopes.depth() == 0;
        let is_static = matches!(specs.storage, Some((Storage::Static, _)));
        // A nested function has no linkage; another block-scope declaration means a global.
        let linkage = match (at_file_scope, is_definition) {
            (true, _) if is_static => Linkage::Internal,
            (false, true) => Linkage::None,
            (false, false) if matches!(specs.storage, Some((Storage::Auto, _))) => Linkage::None,
            _ => Linkage::External,
        };
        self.check_name(name, ty, ObjectKind::Function, linkage, (true, true));
        let object = match self.earlier(name.name, linkage, ObjectKind::Function) {
            Some(object) => {
                self.redeclare(object, name, ty);
                object
            }
            None => {
                let object = self.new_object(name, ty, ObjectKind::Function);
                let new = &mut self.sema.objects[object.0 as usize];
                new.linkage = linkage;
                new.duration = Duration::Static;
                new.is_defined = false;
                object
            }
        };
        self.sema.objects[object.0 as usize].is_defined |= is_definition;
        self.scopes.bind(name.name, object);
        if linkage != Linkage::None {
            self.linked.insert(name.name, object);
        }
        object
    }

    /// Declares a function that is about to be defined, and enters the scope of its parameters.
    pub(super) fn function_head(
        &mut self,
        function: &Function,
    ) -> (Option<ObjectId>, Vec<ObjectId>) {
        let base = self.specs(&function.specs, false);
        let declared = self.declarator(&base, &function.declarator, Role::Object);
        let name = function.declarator.name;
        let object = name.map(|n| self.declare_function(&function.specs, n, declared.ty, true));
        self.scopes.enter();
        for &param in &declared.params {
            let name = self.sema.object(param).name;
            self.scopes.bind(name, param);
        }
        for &id in &function.kr_declarations {
            self.kr_declaration(id, &declared.params);
        }
        (object, declared.params)
    }

    /// Parameter types of a K&R definition.
    fn kr_declaration(&mut self, id: DeclId, params: &[ObjectId]) {
        let ast = self.ast;
        let declaration = ast.decl(id);
        let base = self.specs(&declaration.specs, false);
        for (n, item) in declaration.declarators.iter().enumerate() {
            let ty = self.declarator(&base, &item.declarator, Role::Param).ty;
            let ty = self.adjust_parameter(ty);
            let Some(name) = item.declarator.name else { continue };
            if self.types().resolve(ty).quals.shared.is_some() {
                self.shared_parameter(base.shared.unwrap_or(item.span), Some(name));
            }
            let named = |&&p: &&ObjectId| self.sema.object(p).name == name.name;
            if let Some(&param) = params.iter().find(named) {
                self.sema.objects[param.0 as usize].ty = ty;
                self.sema.declared.insert((id, n), param);
            }
        }
    }

    /// A call of an undeclared function declares it as `int name()` (C89; GNU C warns).
    pub(super) fn implicit_function(&mut self, name: Ident, ty: QualType) -> ObjectId {
        if let Some(&object) = self.linked.get(&name.name) {
            return object;
        }
        let object = self.new_object(name, ty, ObjectKind::Function);
        let new = &mut self.sema.objects[object.0 as usize];
        new.linkage = Linkage::External;
        new.duration = Duration::Static;
        new.at_file_scope = true;
        new.is_defined = false;
        self.linked.insert(name.name, object);
        object
    }
}
