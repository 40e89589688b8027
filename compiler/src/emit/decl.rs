// SPDX-License-Identifier: BSD-3-Clause
//! Declarations.
//!
//! Where no type mentions `shared` the text stays, with `_Thread_local` put in and the
//! expressions inside rewritten. Otherwise each declarator becomes a declaration of its own,
//! printed from its type.

use super::ctype::invented_tag;
use super::Emitter;
use crate::sema::types::{QualType, RecordId, Type};
use crate::sema::{ObjectId, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::{
    ArraySize, Attribute, ChunkKind, DeclId, DeclSpecs, Declarator, ExprKind, ExprOrType,
    InitDeclarator, Member, Params, QualifierKind, RecordSpec, Storage, TypeNameId, TypeSpec,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    File,
    Block,
    /// The declarations of a K&R definition's parameters.
    Parameters,
    Member(Option<RecordId>),
}

impl Emitter<'_> {
    pub(super) fn declaration(&mut self, id: DeclId, scope: Scope) {
        let decl = self.ast.decl(id);
        if self.is_rewritten(id, scope) {
            let text = self.rewritten(id, scope);
            self.edit(decl.span, text);
            return;
        }
        if self.object_of(id, 0).is_some_and(|object| self.is_thread_local(object)) {
            let place = decl.specs.storage.map_or(decl.specs.span.lo, |(_, span)| span.hi);
            let text =
                if decl.specs.storage.is_some() { " _Thread_local" } else { "_Thread_local " };
            self.edit(Span::new(place, place), text);
        }
        self.specs(&decl.specs);
        if decl.declarators.is_empty() {
            // `shared struct s { int x; };` qualifies nothing.
            let quals = decl.specs.quals.iter().filter(|q| is_upc_qualifier(q.kind));
            quals.for_each(|q| self.edit(q.span, ""));
        }
        for declarator in &decl.declarators {
            self.declarator(&declarator.declarator);
            self.attributes(&declarator.attributes);
            declarator.width.into_iter().for_each(|width| self.edit_value(width));
            declarator.init.into_iter().for_each(|init| self.edit_init(init));
        }
    }

    fn object_of(&self, id: DeclId, index: usize) -> Option<ObjectId> {
        self.sema.declared.get(&(id, index)).copied()
    }

    /// The type of the n-th declarator.
    fn declared_type(&self, id: DeclId, index: usize, scope: Scope) -> Option<QualType> {
        if let Some(object) = self.object_of(id, index) {
            return Some(self.sema.object(object).ty);
        }
        let Scope::Member(Some(record)) = scope else { return None };
        let name = self.ast.decl(id).declarators[index].declarator.name?;
        let record = self.sema.types.record(record);
        Some(record.fields[*record.by_name.get(&name.name)? as usize].ty)
    }

    /// Are there lengths to declare before `id`?
    pub(super) fn has_lengths(&self, id: DeclId) -> bool {
        let decl = self.ast.decl(id);
        let types = (0..decl.declarators.len()).filter_map(|n| self.object_of(id, n));
        types.map(|o| self.sema.object(o).ty).any(|ty| !self.lengths_in(ty, decl.span).is_empty())
    }

    /// Must the declaration be printed anew?
    pub(super) fn is_rewritten(&mut self, id: DeclId, scope: Scope) -> bool {
        let decl = self.ast.decl(id);
        if decl.declarators.is_empty() {
            return false;
        }
        if decl.specs.quals.iter().any(|q| is_upc_qualifier(q.kind)) {
            return true;
        }
        let mut locals = 0;
        for index in 0..decl.declarators.len() {
            let ty = self.declared_type(id, index, scope);
            if ty.is_some_and(|ty| self.sema.types.is_foreign(ty)) {
                return true;
            }
            if let Some(object) = self.object_of(id, index) {
                if self.is_dropped_typedef(object) {
                    return true;
                }
                if self.runs_in_thread(object) && decl.declarators[index].init.is_some() {
                    return true;
                }
                locals += usize::from(self.is_thread_local(object));
            }
        }
        locals != 0 && locals != decl.declarators.len()
    }

    /// A typedef whose name is not printed, but what it means.
    fn is_dropped_typedef(&self, id: ObjectId) -> bool {
        let object = self.sema.object(id);
        object.kind == ObjectKind::Typedef && self.sema.types.mentions_threads(object.ty)
    }

    /// The declarations that stand for `id`, each with its semicolon.
    pub(super) fn rewritten(&mut self, id: DeclId, scope: Scope) -> String {
        let decl = self.ast.decl(id);
        let mut out = self.type_definition(&decl.specs);
        let prefix = self.prefix(&decl.specs);
        for (index, declarator) in decl.declarators.iter().enumerate() {
            if let (Some(ty), Scope::Block) = (self.declared_type(id, index, scope), scope) {
                out += &self.declare_lengths(ty, decl.span);
            }
            let text = match self.object_of(id, index) {
                Some(object) if self.is_shared_object(object) => {
                    self.shared_declarator(object, declarator, &decl.specs, scope)
                }
                object => {
                    let ty = self.declared_type(id, index, scope);
                    self.private_declarator(object, ty, declarator, &prefix, scope)
                }
            };
            if !out.is_empty() && !text.is_empty() {
                out.push(' ');
            }
            out += &text;
        }
        out
    }

    /// If the specifiers define a record or an enumeration: that, as a declaration by itself.
    pub(super) fn type_definition(&mut self, specs: &DeclSpecs) -> String {
        let defines = match &specs.ty {
            TypeSpec::Record(record) => record.body.is_some(),
            TypeSpec::Enum(e) => e.enumerators.is_some(),
            _ => false,
        };
        if !defines {
            return String::new();
        }
        if let TypeSpec::Record(record) = &specs.ty {
            if let (None, Some(&id)) = (record.tag, self.sema.record_of_spec.get(&record.tag_place))
            {
                self.tagged.insert(id);
            }
        }
        let inside: Vec<Span> = specs
            .quals
            .iter()
            .map(|q| q.span)
            .filter(|q| q.lo >= specs.ty_span.lo && q.hi <= specs.ty_span.hi)
            .collect();
        let text = self.captured(specs.ty_span, |e| {
            inside.into_iter().for_each(|span| e.edit(span, ""));
            e.type_spec(&specs.ty);
        });
        format!("{text};")
    }

    /// Storage class, function specifiers and attributes: the specifiers without type.
    pub(super) fn prefix(&mut self, specs: &DeclSpecs) -> String {
        let mut cut: Vec<Span> = specs.quals.iter().map(|q| q.span).collect();
        if specs.ty_span.lo < specs.ty_span.hi {
            cut.retain(|q| q.lo < specs.ty_span.lo || q.hi > specs.ty_span.hi);
            cut.push(specs.ty_span);
        }
        if let (TypeSpec::Missing, Some((Storage::Auto, span))) = (&specs.ty, specs.storage) {
            // It stands for the type, which is printed.
            cut.push(span);
        }
        let text = self.captured(specs.span, |e| {
            cut.into_iter().for_each(|span| e.edit(span, ""));
            e.keep_constant(specs);
        });
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn shared_declarator(
        &mut self,
        object: ObjectId,
        declarator: &InitDeclarator,
        specs: &DeclSpecs,
        scope: Scope,
    ) -> String {
        let mut out = self.declare_cell(object);
        self.note_alignment(object, specs, declarator);
        let is_extern = matches!(specs.storage, Some((Storage::Extern, _)));
        if !is_extern || declarator.init.is_some() {
            if scope == Scope::Block {
                // The user has not written the `extern` inside a function.
                let marker = self.quiet_marker(declarator.span.lo);
                out = format!("\n{marker}{out} {}", self.define_object(object));
            } else {
                self.to_define.push(object);
            }
        }
        if let Some(init) = declarator.init {
            self.initialise_shared(object, init);
        }
        out
    }

    fn private_declarator(
        &mut self,
        object: Option<ObjectId>,
        ty: Option<QualType>,
        declarator: &InitDeclarator,
        prefix: &str,
        scope: Scope,
    ) -> String {
        let Some(ty) = ty else { return String::new() };
        if object.is_some_and(|o| self.is_dropped_typedef(o)) {
            return String::new();
        }
        let is_local = object.is_some_and(|o| self.is_thread_local(o));
        let runs = declarator.init.is_some() && object.is_some_and(|o| self.runs_in_thread(o));
        let mut out = String::from(prefix);
        if is_local && !prefix.contains("_Thread_local") {
            push_word(&mut out, "_Thread_local");
        }
        let name = declarator.declarator.name.map_or("", |n| self.name(n.name));
        let declared = match runs {
            true => self.declare_mutable(ty, name.into()),
            false => self.declare_like(ty, name.into(), &declarator.declarator),
        };
        push_word(&mut out, &declared);
        if let Some(width) = declarator.width {
            out += &format!(" : {}", self.value_text(width));
        }
        if let Some(label) = declarator.asm_label {
            push_word(&mut out, self.span_text(label));
        }
        push_word(&mut out, &self.attribute_text(&declarator.attributes));
        match (declarator.init, object) {
            (Some(init), Some(object)) if runs => {
                out.push(';');
                if scope == Scope::File {
                    self.initialise_in_threads(object, init);
                } else {
                    out.push(' ');
                    out += &self.initialise_once(object, init);
                }
                return out;
            }
            (Some(init), _) => out += &format!(" = {}", self.init_text(init)),
            _ => {}
        }
        out.push(';');
        out
    }

    /// `declare`, with the parameters as written if the declarator is that of a function.
    pub(super) fn declare_like(
        &mut self,
        ty: QualType,
        name: String,
        declarator: &Declarator,
    ) -> String {
        let bare = self.sema.types.resolve(ty);
        let chunk = declarator.chunks.first().map(|c| &c.kind);
        match (self.sema.types.get(bare.ty), chunk) {
            (Type::Function(f), Some(ChunkKind::Function(params))) => {
                let (ret, types) = (f.ret, f.params.clone());
                let params = self.params(params, &types);
                self.declare(ret, format!("{name}({params})"))
            }
            _ => self.declare(ty, name),
        }
    }

    /// As `declare`, with an assignable object: C folds reads of a constant that has no
    /// initialiser.
    fn declare_mutable(&mut self, ty: QualType, inner: String) -> String {
        let mut bare = self.sema.types.resolve(ty);
        if let Type::Array { elem, .. } = *self.sema.types.get(bare.ty) {
            let len = self.array_suffix(bare);
            return self.declare_mutable(elem, inner + &len);
        }
        if !bare.quals.is_const {
            return self.declare(ty, inner);
        }
        bare.quals.is_const = false;
        self.declare(bare, inner)
    }

    fn attribute_text(&self, attributes: &[Attribute]) -> String {
        let mut wholes: Vec<Span> = attributes.iter().map(|a| a.whole).collect();
        wholes.dedup();
        wholes.iter().map(|&w| self.span_text(w)).collect::<Vec<_>>().join(" ")
    }

    /// A constant may be used by layouts alone, which the C compiler does not see.
    fn keep_constant(&mut self, specs: &DeclSpecs) {
        if let Some(span) = specs.constexpr {
            self.edit(span, "constexpr __attribute__((unused))");
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        attributes.iter().flat_map(|a| &a.args).for_each(|&arg| self.edit_value(arg));
    }

    /// Edits what stands inside specifiers that stay.
    pub(super) fn specs(&mut self, specs: &DeclSpecs) {
        self.attributes(&specs.attributes);
        self.keep_constant(specs);
        for (_, operand) in &specs.alignas {
            match *operand {
                ExprOrType::Expr(e) => self.edit_value(e),
                ExprOrType::Type(t) => self.edit_type_name(t),
            }
        }
        self.type_spec(&specs.ty);
    }

    fn type_spec(&mut self, spec: &TypeSpec) {
        match spec {
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(e) => {
                let values = e.enumerators.iter().flatten().filter_map(|e| e.value);
                values.for_each(|value| self.edit_value(value));
            }
            TypeSpec::TypeofExpr(expr) => {
                let ty = self.sema.expr_type(*expr);
                // The cell behind MYTHREAD is const; what UPC calls MYTHREAD is an int.
                let inner = self.ast.strip_parens(*expr);
                let is_mythread = matches!(self.ast.expr(inner).kind, ExprKind::MyThread);
                let text = match is_mythread || self.sema.types.is_foreign(ty) {
                    true => Some(self.c_type(ty)),
                    false => self.unchecked(|e| e.lvalue(*expr)),
                };
                if let Some(text) = text {
                    self.edit(self.ast.expr(*expr).span, text);
                }
            }
            TypeSpec::TypeofType(name) | TypeSpec::Atomic(name) => self.edit_type_name(*name),
            _ => {}
        }
    }

    fn record(&mut self, record: &RecordSpec) {
        self.attributes(&record.attributes);
        let Some(body) = &record.body else { return };
        let id = self.sema.record_of_spec.get(&record.tag_place).copied();
        if let (None, Some(id)) = (record.tag, id) {
            if self.tagged.contains(&id) {
                let place = Span::new(record.tag_place, record.tag_place);
                self.edit(place, format!(" {}", invented_tag(id)));
            }
        }
        for member in &body.members {
            match member {
                Member::Declaration(decl) => self.declaration(*decl, Scope::Member(id)),
                Member::StaticAssert { condition, .. } => self.edit_value(*condition),
            }
        }
    }

    /// Edits the expressions and parameters inside a declarator that stays.
    pub(super) fn declarator(&mut self, declarator: &Declarator) {
        for chunk in &declarator.chunks {
            match &chunk.kind {
                ChunkKind::Pointer(_) => {}
                ChunkKind::Array { size: ArraySize::Expr(size), .. } => self.edit_value(*size),
                ChunkKind::Array { .. } => {}
                ChunkKind::Function(Params::Prototype { params, .. }) => {
                    for param in params {
                        self.specs(&param.specs);
                        self.declarator(&param.declarator);
                    }
                }
                ChunkKind::Function(_) => {}
            }
        }
    }

    pub(super) fn edit_type_name(&mut self, id: TypeNameId) {
        if let Some(text) = self.type_name(id) {
            self.edit(self.ast.type_name(id).span, text);
        }
    }

    pub(super) fn type_name(&mut self, id: TypeNameId) -> Option<String> {
        let name = self.ast.type_name(id);
        let ty = self.sema.type_of_name(id);
        if self.sema.types.is_foreign(ty) {
            return Some(self.c_type(ty));
        }
        self.capture(name.span, |e| {
            e.specs(&name.specs);
            e.declarator(&name.declarator);
        })
    }
}

fn is_upc_qualifier(kind: QualifierKind) -> bool {
    matches!(kind, QualifierKind::Shared(_) | QualifierKind::Strict | QualifierKind::Relaxed)
}

pub(super) fn push_word(out: &mut String, word: &str) {
    if !out.is_empty() && !word.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}
