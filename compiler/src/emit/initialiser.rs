// SPDX-License-Identifier: BSD-3-Clause
//! Initialisers of private objects of static storage duration.
//!
//! The addresses of thread-locals and of shared objects are no constants to the C compiler, so
//! an initialiser that holds one becomes a function that every UPC thread runs before main; in a
//! function, code that it runs the first time it comes by.

use super::Emitter;
use crate::sema::{Duration, ObjectId, ObjectKind, Sema};
use crate::syntax::ast::{Ast, ExprId, ExprKind, ExprOrType, InitId, InitKind};
use crate::syntax::visit;
use rustc_hash::FxHashMap;

/// The initialiser of an object of static storage duration.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticInit(pub InitId);

pub(super) fn collect(ast: &Ast, sema: &Sema) -> FxHashMap<ObjectId, StaticInit> {
    let mut inits = FxHashMap::default();
    for (&(decl, index), &object) in &sema.declared {
        let Some(declarator) = ast.decl(decl).declarators.get(index) else { continue };
        if let (Some(init), Duration::Static) = (declarator.init, sema.object(object).duration) {
            inits.insert(object, StaticInit(init));
        }
    }
    inits
}

/// Copies the local `upcr_v` to the address `to`, past any `const`.
pub(super) fn copy_in(to: &str) -> String {
    format!("__builtin_memcpy({to}, &upcr_v, sizeof upcr_v);")
}

impl Emitter<'_> {
    /// Does the initialiser of `id` have to run in each thread?
    pub(super) fn runs_in_thread(&mut self, id: ObjectId) -> bool {
        let Some(&StaticInit(init)) = self.inits.get(&id) else { return false };
        self.is_per_thread(id) && self.init_needs_code(init)
    }

    pub(super) fn init_needs_code(&mut self, id: InitId) -> bool {
        match &self.ast.init(id).kind {
            InitKind::Expr(expr) => self.expr_needs_code(*expr),
            InitKind::List(items) => items.iter().any(|item| self.init_needs_code(item.init)),
        }
    }

    /// Is `id`, from a static initialiser, no constant in emitted C?
    fn expr_needs_code(&mut self, id: ExprId) -> bool {
        let types = &self.sema.types;
        match &self.ast.expr(id).kind {
            ExprKind::Ident(_) => match self.sema.object_of(id) {
                Some((object, info)) if info.kind == ObjectKind::Variable => {
                    info.duration == Duration::ThreadLocal
                        || self.is_shared_object(object)
                        || self.has_own_address(object)
                }
                _ => false,
            },
            ExprKind::Threads => self.options.threads.is_none(),
            ExprKind::MyThread => true,
            ExprKind::SizeOf { operand, .. } => {
                let ty = match *operand {
                    ExprOrType::Expr(e) => self.sema.expr_type(e),
                    ExprOrType::Type(t) => self.sema.type_of_name(t),
                };
                types.elem_count(ty).is_some_and(|count| count.times_threads)
            }
            ExprKind::CompoundLit { init, .. } => {
                let elem = types.ultimate_elem(self.sema.expr_type(id));
                !elem.quals.is_const || self.init_needs_code(*init)
            }
            ExprKind::Offsetof { .. } | ExprKind::TypesCompatible { .. } => false,
            _ => {
                if self.shared_target(id).is_some() && !self.sema.flags(id).is_null_constant {
                    return !self.is_null_pointer(id);
                }
                let ast = self.ast;
                let mut needs = false;
                visit::children(ast, id, &mut |child| needs = needs || self.expr_needs_code(child));
                needs
            }
        }
    }

    /// A null pointer constant under casts.
    fn is_null_pointer(&self, id: ExprId) -> bool {
        match self.ast.expr(self.ast.strip_parens(id)).kind {
            ExprKind::Cast { operand, .. } => {
                self.sema.flags(operand).is_null_constant || self.is_null_pointer(operand)
            }
            _ => self.sema.flags(id).is_null_constant,
        }
    }

    /// The text of an initialiser.
    pub(super) fn init_text(&mut self, id: InitId) -> String {
        self.captured(self.ast.init(id).span, |e| e.edit_init(id))
    }

    pub(super) fn edit_init(&mut self, id: InitId) {
        let mut parts = Vec::new();
        self.init_parts(id, &mut parts);
        for (span, text) in parts {
            if let Some(text) = text {
                self.edit(span, text);
            }
        }
    }

    /// Has every thread initialise the file-scope object `id` before main.
    pub(super) fn initialise_in_threads(&mut self, id: ObjectId, init: InitId) {
        let name = self.name(self.sema.object(id).name);
        let outer = std::mem::replace(&mut self.in_thread_init, true);
        let checks = self.function_checks();
        let value = self.with_checks(checks, |e| e.init_text(init));
        self.in_thread_init = outer;
        let offset = self.ast.init(init).span.lo;
        let value = format!("__typeof__({name}) upcr_v = {value};");
        let copy = copy_in(&format!("(void *)&{name}"));
        self.add_init_function("upcr_thread_inits", offset, ["", &value, &copy]);
    }

    /// A statement that initialises the static local `id` the first time.
    pub(super) fn initialise_once(&mut self, id: ObjectId, init: InitId) -> String {
        let name = self.name(self.sema.object(id).name);
        let once = self.fresh("once");
        let value = self.init_text(init);
        let set = format!(
            "__typeof__({name}) upcr_v = {value}; {}",
            copy_in(&format!("(void *)&{name}"))
        );
        match self.options.nopthreads {
            true => format!(
                "static int {once}; if (upcr_once_begin(&{once})) {{ {set} upcr_once_end(&{once}); }}"
            ),
            false => format!(
                "static _Thread_local char {once}; if (!{once}) {{ {once} = 1; {set} }}"
            ),
        }
    }
}
