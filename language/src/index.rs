// SPDX-License-Identifier: BSD-3-Clause
//! Which name in the text means what: for definitions, references and new names.

use crate::unit::Unit;
use furlong_compiler::sema::types::{QualType, RecordId, Type};
use furlong_compiler::sema::{ObjectId, ObjectKind, Sema};
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::{
    Ast, ChunkKind, DeclId, DeclSpecs, Declarator, Designator, ExprId, ExprKind, Function, Ident,
    InitId, InitKind, Item, Params, StmtKind, Storage, TypeSpec,
};
use furlong_compiler::syntax::intern::Symbol;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Target {
    Object(ObjectId),
    /// The n-th member of a record.
    Field(RecordId, u32),
    Record(RecordId),
    /// Of the function that starts there.
    Label(Symbol, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// In the preprocessed text.
    pub span: Span,
    pub target: Target,
    pub is_declaration: bool,
    /// It has the body, the members or the storage.
    pub is_definition: bool,
}

#[derive(Debug, Default)]
pub struct Index {
    /// Ascending.
    occurrences: Vec<Occurrence>,
}

impl Index {
    pub fn new(unit: &Unit) -> Index {
        let mut collector = Collector {
            ast: &unit.ast,
            sema: &unit.sema,
            found: Vec::new(),
            functions: functions(&unit.ast),
            typedefs: typedefs(&unit.sema),
        };
        collector.collect();
        let mut occurrences = collector.found;
        occurrences.sort_by_key(|o| (o.span.lo, o.span.hi, !o.is_definition, o.target));
        occurrences.dedup_by_key(|o| (o.span, o.target));
        Index { occurrences }
    }

    /// What stands at, or ends at, a byte of the preprocessed text.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|o| o.span.lo <= offset);
        self.occurrences[..after].iter().rev().take(8).find(|o| offset <= o.span.hi)
    }

    pub fn of(&self, target: Target) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |o| o.target == target)
    }

    pub fn all(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// Where `target` is defined, or declared if its definition is elsewhere.
    pub fn definition(&self, target: Target) -> Option<Span> {
        let definition = self.of(target).find(|o| o.is_definition);
        let declaration = || self.of(target).find(|o| o.is_declaration);
        definition.or_else(declaration).map(|o| o.span)
    }
}

/// All function definitions, nested ones too.
pub fn functions(ast: &Ast) -> Vec<&Function> {
    let items = ast.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(&**function),
        _ => None,
    });
    let nested = ast.stmts.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Function(function) => Some(&**function),
        _ => None,
    });
    items.chain(nested).collect()
}

/// The parameters of a function definition, in order.
pub fn params(declarator: &Declarator) -> Option<&Params> {
    declarator.chunks.iter().find_map(|chunk| match &chunk.kind {
        ChunkKind::Function(params) => Some(params),
        _ => None,
    })
}

/// Typedefs by name, each with the place of its declaration, ascending.
fn typedefs(sema: &Sema) -> FxHashMap<Symbol, Vec<(u32, ObjectId)>> {
    let mut found = FxHashMap::<Symbol, Vec<(u32, ObjectId)>>::default();
    for (n, object) in sema.objects.iter().enumerate() {
        if object.kind == ObjectKind::Typedef {
            let places = found.entry(object.name).or_default();
            places.push((object.span.lo, ObjectId(n as u32)));
        }
    }
    found.values_mut().for_each(|places| places.sort());
    found
}

struct Collector<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    found: Vec<Occurrence>,
    functions: Vec<&'a Function>,
    typedefs: FxHashMap<Symbol, Vec<(u32, ObjectId)>>,
}

impl Collector<'_> {
    fn collect(&mut self) {
        let ast = self.ast;
        self.expressions();
        for (n, decl) in ast.decls.iter().enumerate() {
            self.specs(&decl.specs);
            let is_extern = matches!(decl.specs.storage, Some((Storage::Extern, _)));
            for (k, init) in decl.declarators.iter().enumerate() {
                self.declarator(&init.declarator);
                let object = self.sema.declared.get(&(DeclId(n as u32), k)).copied();
                let Some((object, name)) = object.zip(init.declarator.name) else { continue };
                let ty = self.sema.object(object).ty;
                let is_definition = !is_extern && !self.sema.types.is_function(ty);
                self.add(name.span, Target::Object(object), true, is_definition);
                if let Some(init) = init.init {
                    self.init(init, ty);
                }
            }
        }
        for name in &ast.type_names {
            self.specs(&name.specs);
            self.declarator(&name.declarator);
        }
        for function in self.functions.clone() {
            self.function(function);
        }
        self.records();
        self.labels();
    }

    fn add(&mut self, span: Span, target: Target, is_declaration: bool, is_definition: bool) {
        self.found.push(Occurrence { span, target, is_declaration, is_definition });
    }

    fn expressions(&mut self) {
        let (ast, sema) = (self.ast, self.sema);
        for (n, expr) in ast.exprs.iter().enumerate() {
            let id = ExprId(n as u32);
            match &expr.kind {
                ExprKind::Ident(_) => {
                    if let Some(&object) = sema.expr_object.get(&id) {
                        self.add(expr.span, Target::Object(object), false, false);
                    }
                }
                ExprKind::Member { base, field, arrow } => {
                    let ty = sema.expr_type(*base);
                    let record = if *arrow { sema.types.decayed_pointee(ty) } else { Some(ty) };
                    if let Some(record) = record {
                        self.field(record, field);
                    }
                }
                ExprKind::CompoundLit { ty, init } => self.init(*init, sema.type_of_name(*ty)),
                ExprKind::Offsetof { ty, designators } => {
                    self.designators(designators, sema.type_of_name(*ty));
                }
                _ => {}
            }
        }
    }

    /// A use of the member `field` of a record; the member's type.
    fn field(&mut self, record: QualType, field: &Ident) -> Option<QualType> {
        let (record, n) = find_field(self.sema, record, field.name)?;
        self.add(field.span, Target::Field(record, n), false, false);
        Some(self.sema.types.record(record).fields[n as usize].ty)
    }

    fn designators(&mut self, designators: &[Designator], ty: QualType) -> Option<QualType> {
        let mut ty = ty;
        for designator in designators {
            ty = match designator {
                Designator::Field(field) => self.field(ty, field)?,
                Designator::Index(_) | Designator::Range(..) => self.sema.types.elem(ty)?,
            };
        }
        Some(ty)
    }

    /// Designators in an initialiser of something of type `ty`.
    fn init(&mut self, init: InitId, ty: QualType) {
        let ast = self.ast;
        let InitKind::List(items) = &ast.init(init).kind else { return };
        for (n, item) in items.iter().enumerate() {
            let inner = match item.designators.is_empty() {
                false => self.designators(&item.designators, ty),
                true => match *self.sema.types.kind(ty) {
                    Type::Array { elem, .. } => Some(elem),
                    Type::Record(id) => self.sema.types.record(id).fields.get(n).map(|f| f.ty),
                    _ => Some(ty),
                },
            };
            if let Some(inner) = inner {
                self.init(item.init, inner);
            }
        }
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        match &specs.ty {
            TypeSpec::Typedef(name) => {
                let places = self.typedefs.get(&name.name);
                // The one that was declared last before; scopes hardly ever differ.
                let found = places.and_then(|places| {
                    let after = places.partition_point(|(at, _)| *at < name.span.lo);
                    places[..after].last()
                });
                if let Some(&(_, object)) = found {
                    self.add(name.span, Target::Object(object), false, false);
                }
            }
            TypeSpec::Record(spec) => {
                let record = self.sema.record_of_spec.get(&spec.tag_place).copied();
                if let (Some(tag), Some(record)) = (spec.tag, record) {
                    let is_definition = spec.body.is_some();
                    self.add(tag.span, Target::Record(record), is_definition, is_definition);
                }
            }
            _ => {}
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        for chunk in &declarator.chunks {
            let ChunkKind::Function(Params::Prototype { params, .. }) = &chunk.kind else {
                continue;
            };
            for param in params {
                self.specs(&param.specs);
                self.declarator(&param.declarator);
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.specs(&function.specs);
        self.declarator(&function.declarator);
        let Some(info) = self.sema.functions.get(&function.span.lo) else { return };
        if let Some(name) = function.declarator.name {
            self.add(name.span, Target::Object(info.object), true, true);
        }
        let names: Vec<Option<Ident>> = match params(&function.declarator) {
            Some(Params::Prototype { params, .. }) => {
                params.iter().map(|param| param.declarator.name).collect()
            }
            Some(Params::Names(names)) => names.iter().copied().map(Some).collect(),
            _ => Vec::new(),
        };
        for (name, &object) in names.iter().zip(&info.params) {
            if let Some(name) = name {
                self.add(name.span, Target::Object(object), true, true);
            }
        }
    }

    fn records(&mut self) {
        for (n, record) in self.sema.types.records.iter().enumerate() {
            for (k, field) in record.fields.iter().enumerate() {
                if field.name.is_some() {
                    let target = Target::Field(RecordId(n as u32), k as u32);
                    self.add(field.span, target, true, true);
                }
            }
        }
        for (n, object) in self.sema.objects.iter().enumerate() {
            if matches!(object.kind, ObjectKind::Enumerator(_)) {
                self.add(object.span, Target::Object(ObjectId(n as u32)), true, true);
            }
        }
    }

    fn labels(&mut self) {
        let ast = self.ast;
        let in_stmts = ast.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Label { name, .. } => Some((*name, true)),
            StmtKind::Goto(name) => Some((*name, false)),
            _ => None,
        });
        let in_exprs = ast.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::LabelAddr(name) => Some((*name, false)),
            _ => None,
        });
        for (name, is_label) in in_stmts.chain(in_exprs).collect::<Vec<_>>() {
            let inside = |f: &&&Function| (f.span.lo..f.span.hi).contains(&name.span.lo);
            let Some(function) = self.functions.iter().rfind(inside) else { continue };
            let target = Target::Label(name.name, function.span.lo);
            self.add(name.span, target, is_label, is_label);
        }
    }
}

/// The record, perhaps an anonymous one inside, and the number of the member `name` of `ty`.
pub fn find_field(sema: &Sema, ty: QualType, name: Symbol) -> Option<(RecordId, u32)> {
    let mut ty = ty;
    loop {
        let Type::Record(id) = *sema.types.kind(ty) else { return None };
        let record = sema.types.record(id);
        let n = *record.by_name.get(&name)?;
        let field = record.fields.get(n as usize)?;
        if field.name == Some(name) {
            return Some((id, n));
        }
        ty = field.ty;
    }
}
