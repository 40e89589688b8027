// SPDX-License-Identifier: BSD-3-Clause
//! Private objects of static storage duration: how many copies there are, and how they are reached.
//!
//! What a unit defines is each thread's, `_Thread_local` in emitted C. What it only declares may
//! be another UPC unit's, or C's with one copy for each process: the linker decides. To the linker
//! a UPC unit defines, for its object `x`,
//! - the thread-local `x`, weak if the definition is tentative;
//! - the function `upcr_where_x`, which returns the address of the calling thread's copy;
//! - the pointer `upcr_of_c_x`, null;
//! - the absolute symbol `upcr_size_x`: the linker accepts equal definitions of such a symbol and no
//!   others, so that tentative definitions of one size are one object.
//!
//! A unit that only declares `x` calls `upcr_where_x` if the program has it, else it follows
//! `upcr_of_c_x`. If that is undefined, no UPC unit defines `x`, and upcc's link step defines the
//! pointer to the `x` of C. All that can go wrong the linker reports: an `x` that nobody defines, or C
//! too, and C code that names a thread-local.

use super::Emitter;
use crate::sema::types::{ArrayLen, QualType, Type};
use crate::sema::{Duration, Linkage, ObjectId, ObjectKind};
use crate::syntax::ast::Builtin;
use std::fmt::Write;

/// The copies of an object that is not shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copies {
    /// As C has it: automatic, or one for each process.
    AsInC,
    /// One for each thread.
    OfThreads,
    /// The linker decides.
    OfLinker,
}

impl Emitter<'_> {
    /// Is the private object `id` declared `_Thread_local` in emitted C?
    pub(super) fn is_thread_local(&mut self, id: ObjectId) -> bool {
        !self.options.nopthreads && self.is_per_thread(id)
    }

    /// Has every UPC thread the private object `id` of its own? Under `-nopthreads` it is a plain
    /// object all the same, since a process has one UPC thread.
    pub(super) fn is_per_thread(&mut self, id: ObjectId) -> bool {
        self.copies(id) == Copies::OfThreads
    }

    /// Is the address of `id` no constant to the C compiler?
    pub(super) fn has_own_address(&mut self, id: ObjectId) -> bool {
        self.is_thread_local(id) || self.copies(id) == Copies::OfLinker
    }

    pub(super) fn copies(&mut self, id: ObjectId) -> Copies {
        if let Some(&known) = self.copies.get(&id) {
            return known;
        }
        // The answer for an object whose initialiser names itself.
        self.copies.insert(id, Copies::AsInC);
        let copies = self.find_copies(id);
        self.copies.insert(id, copies);
        copies
    }

    fn find_copies(&mut self, id: ObjectId) -> Copies {
        let object = self.sema.object(id);
        let types = &self.sema.types;
        let is_private_static = object.kind == ObjectKind::Variable
            && object.duration == Duration::Static
            && !types.is_shared(object.ty);
        if !is_private_static || object.is_librarys {
            return Copies::AsInC;
        }
        // One copy of a constant serves all threads, unless it holds a thread's addresses.
        let elem = types.ultimate_elem(object.ty);
        let is_const = elem.quals.is_const && !elem.quals.is_volatile;
        if object.linkage == Linkage::External && !object.is_defined {
            // What may be missing is a library's: the linker could only make it a need.
            let is_as_in_c = self.options.nopthreads
                || object.is_weak
                || is_const && !self.may_hold_address(elem, 0);
            return if is_as_in_c { Copies::AsInC } else { Copies::OfLinker };
        }
        let init = self.inits.get(&id).copied();
        match !is_const || init.is_some_and(|init| self.init_needs_code(init.0)) {
            true => Copies::OfThreads,
            false => Copies::AsInC,
        }
    }

    fn may_hold_address(&self, ty: QualType, depth: u32) -> bool {
        let types = &self.sema.types;
        match *types.kind(types.ultimate_elem(ty)) {
            Type::Pointer(target) => {
                !types.is_function(target) && types.kind(target) != &Type::Builtin(Builtin::Char)
            }
            Type::Record(id) => {
                depth > 16
                    || !types.record(id).is_complete
                    || types
                        .record(id)
                        .fields
                        .iter()
                        .any(|f| self.may_hold_address(f.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// The C lvalue of the private variable `id`, where it is not its name.
    pub(super) fn found_variable(&mut self, id: ObjectId) -> Option<String> {
        if self.copies(id) != Copies::OfLinker {
            return None;
        }
        let (name, symbol) = (self.name(self.sema.object(id).name), self.symbol(id));
        self.found.insert(id);
        Some(format!("(*(__typeof__(&{name}))upcr_find_{symbol}())"))
    }

    /// What the linker calls the object `id`, as far as C allows it in a name.
    pub(super) fn symbol(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let label = object.label.and_then(|span| self.span_text(span).split('"').nth(1));
        let text = label.unwrap_or_else(|| self.name(object.name));
        text.replace(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric(), "_")
    }

    /// What stands before the user's text, and at the end of the unit, so that the linker finds the
    /// private objects.
    pub(super) fn linked_objects(&mut self) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for id in (0..self.sema.objects.len() as u32).map(ObjectId) {
            let object = self.sema.object(id);
            if object.linkage == Linkage::External && self.is_thread_local(id) {
                if !object.has_init && object.label.is_none() && self.options.common {
                    let _ = writeln!(before, "#pragma weak {}", self.name(object.name));
                }
                after += &self.where_function(id);
            }
        }
        for id in std::mem::take(&mut self.found) {
            let symbol = self.symbol(id);
            let _ = writeln!(
                before,
                "extern void *upcr_where_{symbol}(void) __attribute__((__weak__, __const__));\n\
                 extern void *const volatile upcr_of_c_{symbol};\n\
                 static void *upcr_find_{symbol}(void) __attribute__((__const__, __noinline__));"
            );
            // Not inline, so that calls of this constant function leave loops.
            let _ = writeln!(
                after,
                "static void *upcr_find_{symbol}(void) {{ return upcr_where_{symbol} ? \
                 upcr_where_{symbol}() : upcr_of_c_{symbol}; }}"
            );
        }
        (before, after)
    }

    /// Weak, as tentative definitions in several units make one object.
    fn where_function(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let (name, symbol) = (self.name(object.name), self.symbol(id));
        // C gives an array that is never completed one element.
        let is_open =
            matches!(*self.sema.types.kind(object.ty), Type::Array { len: ArrayLen::Unknown, .. });
        let size = if is_open { format!("sizeof *{name}") } else { format!("sizeof {name}") };
        let user = format!("a function that uses `{name}`");
        let check = self.thread_check(&user, object.span.lo);
        format!(
            "void *const volatile upcr_of_c_{symbol} __attribute__((__weak__)) = (void *)0;\n\
             void *upcr_where_{symbol}(void) __attribute__((__weak__, __const__, __noinline__));\n\
             void *upcr_where_{symbol}(void) {{ __asm__(\".globl upcr_size_{symbol}\\n\\t.set \
             upcr_size_{symbol}, %c0\" : : \"i\"({size})); {check} return (void *)&{name}; }}\n"
        )
    }
}
