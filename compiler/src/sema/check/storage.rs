// SPDX-License-Identifier: BSD-3-Clause
//! Where shared objects cannot live: on a stack, in a structure, in a function's interface
//! (UPC 1.3 §6.5.1.1p5, §6.5.2p8).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::specs::Base;
use crate::sema::types::{ArrayLen, QualType};
use crate::sema::{Duration, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::{DeclSpecs, Ident, TypeNameId};
use crate::syntax::intern::Symbol;

impl Analyser<'_> {
    pub(in crate::sema) fn check_storage(
        &mut self,
        specs: &DeclSpecs,
        base: &Base,
        name: Ident,
        ty: QualType,
        duration: Duration,
    ) {
        let text = self.name(name.name);
        if let Some(span) = specs.constexpr {
            self.error(
                Diagnostic::error(
                    codes::E0317,
                    span,
                    format!("`{text}` is shared and `constexpr`"),
                )
                .label("known before the run, and the same in all of it")
                .at(base.shared.unwrap_or(name.span), "one object in the memory of the threads")
                .note("C23 §6.7.2p6: a `constexpr` object is a constant of the translation unit")
                .help("remove `shared`: every thread knows the constant"),
            );
        } else if let (Duration::ThreadLocal, Some(span)) = (duration, specs.thread_local) {
            self.error(
                Diagnostic::error(
                    codes::E0317,
                    span,
                    format!("`{text}` is shared and thread-local"),
                )
                .label("one object for each thread")
                .at(base.shared.unwrap_or(name.span), "one object for all threads")
                .note("UPC 1.3 §6.5.2p8: a shared object has static storage duration")
                .help("remove one of the two"),
            );
        } else if duration == Duration::Automatic {
            let pointer = self.types().is_pointer(ty);
            let help = if pointer {
                "to point to shared data, put `shared` before the `*`; to share the pointer \
                 itself, declare it `static` or outside the function"
            } else if self.show(ty).starts_with("upc_lock_t") {
                "declare a pointer to a lock, and let `upc_all_lock_alloc` make the lock"
            } else {
                "declare it `static` or outside the function, or allocate it with `upc_alloc`"
            };
            self.error(
                Diagnostic::error(
                    codes::E0310,
                    name.span,
                    format!("the shared object `{text}` has automatic storage"),
                )
                .label("lives on one thread's stack")
                .at(base.shared.unwrap_or(name.span), "but is shared")
                .note(
                    "UPC 1.3 §6.5.2p8: no object with automatic storage duration has a shared type",
                )
                .help(help),
            );
        }
    }

    /// The private object `name` exists as long as the program runs.
    pub(in crate::sema) fn check_private_length(&mut self, name: Ident, ty: QualType) {
        let names_threads = |len| match len {
            ArrayLen::TimesThreads(_) => true,
            ArrayLen::Variable(Some(e)) => self.contains_threads(e),
            _ => false,
        };
        if !self.is_dynamic() || !self.types().lengths(ty).any(names_threads) {
            return;
        }
        let text = self.name(name.name);
        let title = format!("the length of the private array `{text}` is not known before the run");
        self.error(
            Diagnostic::error(codes::E0326, name.span, title)
                .label("names THREADS, and has static storage")
                .note("C17 §6.7.6.2p2: an array with static storage has a constant length")
                .help(
                    "declare it `shared` if it is to be one array for all threads, compile with \
                     `-T=<threads>`, or let `malloc` make each thread's own",
                ),
        );
    }

    pub(in crate::sema) fn shared_literal(&mut self, name: TypeNameId, ty: QualType) {
        let span = self.ast.type_name(name).span;
        let shown = self.show(ty);
        let (code, title) = match self.function {
            Some(_) => (codes::E0310, "a compound literal of shared type in a function"),
            None => (codes::E0317, "a compound literal of shared type"),
        };
        self.error(
            Diagnostic::error(code, span, title)
                .label(format!("`{shown}` is shared"))
                .note(
                    "UPC 1.3 §6.5.2p8: no object with automatic storage duration has a shared type",
                )
                .help("declare a static shared object and use its name"),
        );
    }

    pub(in crate::sema) fn shared_member(&mut self, span: Span, name: Option<Ident>) {
        let title = match name {
            Some(name) => format!("the member `{}` is shared", self.name(name.name)),
            None => "a shared member of a structure or union".into(),
        };
        let mut diagnostic = Diagnostic::error(codes::E0311, span, title)
            .label("a part of a private object cannot be shared")
            .note(
                "UPC 1.3 §6.5.1.1p5: `shared` stands in a structure declaration only where it \
                 qualifies what a pointer refers to",
            )
            .help("make the whole structure shared, or the member a pointer to shared data");
        if let Some(name) = name {
            diagnostic = diagnostic.at(name.span, "this member");
        }
        self.error(diagnostic);
    }

    pub(in crate::sema) fn shared_parameter(&mut self, span: Span, name: Option<Ident>) {
        let title = match name {
            Some(name) => format!("the parameter `{}` is shared", self.name(name.name)),
            None => "a shared parameter".into(),
        };
        self.error(
            Diagnostic::error(codes::E0312, span, title)
                .label("parameters live on one thread's stack")
                .note(
                    "UPC 1.3 §6.5.2p8: no object with automatic storage duration has a shared type",
                )
                .help("pass the value without `shared`, or a pointer to shared data"),
        );
    }

    /// By a typedef of a function type.
    pub(in crate::sema) fn shared_function(&mut self, ty: QualType, span: Span) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(codes::E0313, span, "a function that is shared")
                .label(format!("`{shown}` is a function's type"))
                .note(
                    "UPC 1.3 §6.5.1.1p5: `shared` qualifies the types of objects, and a function \
                     is no object",
                )
                .help("remove `shared`: all threads can call any function"),
        );
    }

    /// Shared objects whose types were never completed. The C compiler would complain of text that
    /// it never got from the user.
    pub(in crate::sema) fn check_complete_objects(&mut self) {
        for n in 0..self.sema.objects.len() {
            let object = &self.sema.objects[n];
            let (name, ty, span) = (object.name, object.ty, object.span);
            let is_static = object.kind == ObjectKind::Variable
                && object.is_defined
                && object.duration == Duration::Static;
            if is_static && self.types().is_shared(ty) && self.types().is_incomplete(ty) {
                self.incomplete_object(name, ty, span);
            }
        }
    }

    fn incomplete_object(&mut self, name: Symbol, ty: QualType, span: Span) {
        let (text, shown) = (self.name(name), self.show(ty));
        let is_opaque = |of: &str| shown.starts_with(of) && !self.types().is_array(ty);
        let opaque = [
            ("upc_lock_t", "upc_all_lock_alloc()"),
            ("upc_atomicdomain_t", "upc_all_atomicdomain_alloc(type, ops, 0)"),
            ("upc_file_t", "upc_all_fopen(name, flags, 0, NULL)"),
        ];
        let help = match opaque.into_iter().find(|(of, _)| is_opaque(of)) {
            Some((of, maker)) => format!("declare a pointer: `{of} *{text} = {maker};`"),
            None if !self.types().is_incomplete(self.types().ultimate_elem(ty)) => {
                "give the array its dimensions".into()
            }
            None if self.types().is_array(ty) => "make it an array of pointers".into(),
            None => "define the type, or declare a pointer to it".into(),
        };
        self.error(
            Diagnostic::error(
                codes::E0321,
                span,
                format!("the shared object `{text}` has an incomplete type"),
            )
            .label(format!("the size of `{shown}` is not known"))
            .note("C17 §6.7p7, §6.9.2p3: an object that is defined has a complete type")
            .help(help),
        );
    }

    pub(in crate::sema) fn shared_return(&mut self, ty: QualType, span: Span) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(codes::E0313, span, "a function that returns a shared object")
                .label(format!("returns `{shown}`"))
                .note(
                    "UPC 1.3 §6.5.1.1p5: a function's value is not an object, so it cannot be \
                     shared",
                )
                .help("return the value without `shared`, or a pointer to shared data"),
        );
    }
}
