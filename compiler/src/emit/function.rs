// SPDX-License-Identifier: BSD-3-Clause
//! Function definitions and parameter lists.

use super::decl::{push_word, Scope};
use super::text::listed;
use super::Emitter;
use crate::sema::types::{QualType, Type, Types};
use crate::sema::{Linkage, Object, ObjectId, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::{Attribute, Function, Item, Params, StmtKind};
use std::collections::BTreeSet;

impl Emitter<'_> {
    /// The loader calls constructors once in a process, so for one thread's private objects. The
    /// runtime calls the constructors of this list in the other pthreads.
    pub(super) fn constructors(&self) -> String {
        let Some(constructor) = self.ast.names.get("constructor") else { return String::new() };
        if self.options.nopthreads {
            return String::new();
        }
        let is_one = |attributes: &[Attribute]| attributes.iter().any(|a| a.name == constructor);
        let mut found = BTreeSet::new();
        for item in &self.ast.items {
            match item {
                Item::Function(function) if is_one(&function.specs.attributes) => {
                    let info = self.sema.functions.get(&function.span.lo);
                    found.extend(info.map(|info| info.object));
                }
                Item::Declaration(id) => {
                    let decl = self.ast.decl(*id);
                    for (n, declarator) in decl.declarators.iter().enumerate() {
                        if is_one(&decl.specs.attributes) || is_one(&declarator.attributes) {
                            found.extend(self.sema.declared.get(&(*id, n)));
                        }
                    }
                }
                _ => {}
            }
        }
        let defined = found.into_iter().map(|id| self.sema.object(id)).filter(|f| f.is_defined);
        let entry = |(n, f): (usize, &Object)| {
            format!(
                "static upcr_init_function upcr_constructor{n} {} = (upcr_init_function){};\n",
                listed("upcr_constructors"),
                self.name(f.name)
            )
        };
        defined.enumerate().map(entry).collect()
    }

    /// `main` is known to the linker as `upcr_main`, which the runtime's own main
    /// calls; to C it stays `main`, with all that C knows about that name.
    pub(super) fn is_upc_main(&self, id: ObjectId) -> bool {
        let object = self.sema.object(id);
        object.kind == ObjectKind::Function
            && object.at_file_scope
            && object.linkage == Linkage::External
            && Some(object.name) == self.names_of_interest.main
    }

    /// inline int f(shared int *p) { return *p; }
    ///
    /// C warns if such a function, which has a body for other units, too, calls a static one, as
    /// all of the ABI are.
    pub(super) fn function(&mut self, function: &Function) {
        let specs = &function.specs;
        if !specs.is_inline || specs.storage.is_some() {
            return self.function_itself(function);
        }
        let rewritten = self.quietly(|e| e.capture(function.span, |e| e.function_itself(function)));
        if let Some(text) = rewritten {
            let marker = self.quiet_marker(function.span.lo);
            self.edit(function.span, format!("\n{marker}{text}"));
        }
    }

    fn function_itself(&mut self, function: &Function) {
        let info = self.sema.functions.get(&function.span.lo);
        let object = info.map(|i| i.object);
        let head = function.specs.span.to(function.declarator.span);
        let ty = object.map(|o| self.sema.object(o).ty);
        if let Some(main) = object.filter(|&o| self.is_upc_main(o)) {
            self.name_main(function, self.sema.object(main).ty);
        }
        match ty {
            Some(ty) if self.sema.types.is_foreign(ty) || self.has_upc_params(function) => {
                let text = self.function_head(function, ty);
                self.edit(head, text);
            }
            _ => {
                self.specs(&function.specs);
                self.declarator(&function.declarator);
            }
        }
        for &decl in &function.kr_declarations {
            self.declaration(decl, Scope::Parameters);
        }
        object.iter().for_each(|&object| self.check_entry(object, function));
        self.declare_lengths_of_params(function);
        let checks = self.function_checks();
        let outer = std::mem::replace(&mut self.in_forall, false);
        self.with_checks(checks, |e| e.stmt(function.body));
        self.in_forall = outer;
    }

    /// At the beginning of the body.
    fn declare_lengths_of_params(&mut self, function: &Function) {
        let Some(info) = self.sema.functions.get(&function.span.lo) else { return };
        let body = self.ast.stmt(function.body).span.lo;
        let head = Span::new(function.span.lo, body);
        let mut text = String::new();
        for &param in &info.params {
            text += &self.declare_lengths(self.sema.object(param).ty, head);
        }
        if !text.is_empty() {
            self.edit(Span::new(body + 1, body + 1), format!(" {}", text.trim_end()));
        }
    }

    /// Do K&R parameters mention `shared`? Their declarations are rewritten one by one.
    fn has_upc_params(&self, function: &Function) -> bool {
        let Some(info) = self.sema.functions.get(&function.span.lo) else { return false };
        function.kr_declarations.is_empty()
            && info.params.iter().any(|&p| self.sema.types.is_foreign(self.sema.object(p).ty))
    }

    fn function_head(&mut self, function: &Function, ty: QualType) -> String {
        let mut out = self.type_definition(&function.specs);
        let prefix = self.prefix(&function.specs);
        push_word(&mut out, &prefix);
        let name = function.declarator.name.map_or("", |n| self.name(n.name));
        let declared = self.declare_like(ty, name.into(), &function.declarator);
        push_word(&mut out, &declared);
        out
    }

    /// Declares `main` with its name for the linker. One that returns no int gets a caller that
    /// does.
    fn name_main(&mut self, function: &Function, ty: QualType) {
        let returns_int = match self.sema.types.kind(ty) {
            Type::Function(f) => self.sema.types.resolve(f.ret) == Types::INT,
            _ => true,
        };
        let label = if returns_int { "upcr_main" } else { "upcr_main_of_user" };
        let declared = self.declare(ty, "main".into());
        let place = Span::new(function.span.lo, function.span.lo);
        self.edit(place, format!("{declared} __asm__(\"{label}\");\n"));
        if !returns_int {
            self.tail +=
                "int upcr_main(int upcr_n, char **upcr_v, char **upcr_e) { ((void (*)(int, \
                          char **, char **))main)(upcr_n, upcr_v, upcr_e); return 0; }\n";
        }
    }

    /// A parameter list; `types` are the parameters' adjusted types.
    pub(super) fn params(&mut self, params: &Params, types: &[QualType]) -> String {
        match params {
            Params::Empty => String::new(),
            Params::Names(names) => {
                names.iter().map(|n| self.name(n.name)).collect::<Vec<_>>().join(", ")
            }
            Params::Prototype { params, .. } if params.is_empty() => "void".into(),
            Params::Prototype { params, is_variadic } => {
                let mut list = Vec::new();
                for (i, param) in params.iter().enumerate() {
                    let text = match types.get(i) {
                        Some(&ty) if self.sema.types.is_foreign(ty) => {
                            let name = param.declarator.name.map_or("", |n| self.name(n.name));
                            self.declare_like(ty, name.into(), &param.declarator)
                        }
                        _ => self.captured(param.span, |e| {
                            e.specs(&param.specs);
                            e.declarator(&param.declarator);
                        }),
                    };
                    list.push(text);
                }
                if *is_variadic {
                    list.push("...".into());
                }
                list.join(", ")
            }
        }
    }

    /// The statements of a statement expression, whose last one gives its value.
    pub(super) fn value_block(&mut self, body: crate::syntax::ast::StmtId) {
        let last = match &self.ast.stmt(body).kind {
            StmtKind::Compound(stmts) => stmts.last().copied(),
            _ => None,
        };
        let outer = std::mem::replace(&mut self.value_stmt, last);
        self.stmt(body);
        self.value_stmt = outer;
    }
}
