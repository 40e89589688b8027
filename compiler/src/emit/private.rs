// SPDX-License-Identifier: BSD-3-Clause
//! Private objects of static storage duration: how many copies there are, and how they are reached.
//!
//! What a unit defines is each thread's, `_Thread_local` in emitted C. What it only declares may
//! be another UPC unit's, or C's with one copy for each process: the linker decides. To the linker
//! a UPC unit defines, for its object `x`,
//! - the thread-local itself, as `upcr_private_x`;
//! - the function `upcr_where_x`, which returns the address of the calling thread's copy;
//! - the absolute symbol `x`, which is the address of nothing.
//!
//! A unit that only declares `x` calls `upcr_where_x` if the program has it, else it uses the `x`
//! of C. The absolute symbol leaves all that can go wrong to the linker: it finds `x` in archives,
//! reports one that nobody defines or that C defines too, and refuses C code that names it. The
//! value of the symbol holds the size, as the linker accepts equal definitions of an absolute
//! symbol, and no others: tentative definitions of one size are one object.

use super::text::c_string;
use super::Emitter;
use crate::sema::types::{ArrayLen, QualType, Type};
use crate::sema::{Duration, Linkage, ObjectId, ObjectKind};
use crate::syntax::ast::Builtin;
use std::fmt::Write;

/// Added to the size of an object, it is the value of the absolute symbol `name`. No machine has
/// memory at such an address, nor can code reach it from its own.
fn nowhere(name: &str) -> u64 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = name.bytes().fold(0x811c_9dc5, mix); // FNV-1a, so that equal sizes make no equal values
    (0x8000 << 48) + (u64::from(hash % (1 << 16)) << 32)
}

/// Is `address` that of such a symbol?
pub fn is_nowhere(address: u64) -> bool {
    address >> 48 == 0x8000
}

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
            let is_as_in_c = self.options.nopthreads || is_const && !self.may_hold_address(elem, 0);
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
        let name = self.name(self.sema.object(id).name);
        self.found.insert(id);
        Some(format!("(*(__typeof__(&{name}))upcr_find_{name}())"))
    }

    /// What stands before the user's text, and at the end of the unit, so that the linker finds the
    /// private objects.
    pub(super) fn linked_objects(&mut self) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for id in (0..self.sema.objects.len() as u32).map(ObjectId) {
            let object = self.sema.object(id);
            let is_known = object.linkage == Linkage::External && !object.has_own_symbol;
            if is_known && self.is_thread_local(id) {
                let name = self.name(object.name);
                let _ = writeln!(before, "#pragma redefine_extname {name} upcr_private_{name}");
                if !object.has_init && self.options.common {
                    let _ = writeln!(before, "#pragma weak {name}");
                }
                after += &self.where_function(id);
            }
        }
        for id in std::mem::take(&mut self.found) {
            let name = self.name(self.sema.object(id).name);
            let _ = writeln!(
                before,
                "extern void *upcr_where_{name}(void) __attribute__((__weak__, __const__));\n\
                 static void *upcr_find_{name}(void) __attribute__((__const__, __noinline__));"
            );
            after += &self.find_function(id);
        }
        (before, after)
    }

    /// Weak, as tentative definitions in several units make one object. In a shared library others
    /// find it too; a program keeps it from libraries that have objects of the same name.
    fn where_function(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let name = self.name(object.name);
        // C gives an array that is never completed one element.
        let is_open =
            matches!(*self.sema.types.kind(object.ty), Type::Array { len: ArrayLen::Unknown, .. });
        let size = if is_open { format!("sizeof *{name}") } else { format!("sizeof {name}") };
        let (hidden, attribute, check) = match self.options.pic {
            true => (String::new(), "", String::new()),
            false => {
                let (file, line) = self.file_and_line(object.span.lo);
                let user = c_string(&format!("a function that uses `{name}`"));
                (
                    format!("\\n\\t.hidden {name}"),
                    ", __visibility__(\"hidden\")",
                    format!("upcr_check_thread({user}, {}, {line}); ", c_string(&file)),
                )
            }
        };
        format!(
            "void *upcr_where_{name}(void) __attribute__((__weak__, __const__, \
             __noinline__{attribute}));\n\
             void *upcr_where_{name}(void) {{ __asm__(\".globl {name}{hidden}\\n\\t.set {name}, \
             {:#x} + %c0\" : : \"i\"({size})); {check}return (void *)&{name}; }}
",
            nowhere(name)
        )
    }

    /// The address is read at each call, for C may know an `x` that it can reach from the code. The
    /// function is const and not inline, so that calls leave loops.
    fn find_function(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let name = self.name(object.name);
        let (declaration, address) = match object.at_file_scope {
            true => (String::new(), format!("(void *)&{name}")),
            // The declaration is in a block, with the names of its type.
            false => (
                format!("extern char upcr_symbol_{name}[] __asm__(\"{name}\");\n"),
                format!("upcr_symbol_{name}"),
            ),
        };
        format!(
            "{declaration}static void *const volatile upcr_of_c_{name} = {address};\n\
             static void *upcr_find_{name}(void) {{ return upcr_where_{name} ? \
             upcr_where_{name}() : upcr_of_c_{name}; }}\n"
        )
    }
}
