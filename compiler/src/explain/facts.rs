// SPDX-License-Identifier: BSD-3-Clause
//! What is to be known of a declared object besides its type: sizes, layout, what `p + 1` is, and
//! what is easily mistaken.

use super::draw::Elements;
use super::{bytes, wrapped, Reader, SOME_THREADS};
use crate::sema::types::{ArrayLen, Bytes, QualType, Type};
use crate::syntax::ast::Consistency;

impl Reader<'_> {
    /// Paragraphs about the object `name`, indented.
    pub(super) fn facts(&self, name: &str, ty: QualType) -> String {
        let mut out = String::from("\n");
        let types = &self.sema.types;
        let mut say = |text: String| out += &wrapped(&text, 2, 2);
        match types.is_shared(ty) {
            true => say(self.shared_object(name, ty)),
            false => say(self.private_object(name, ty)),
        }
        if let (true, Some(sizes)) = (types.is_shared(ty), self.sizes(name, ty)) {
            say(sizes);
        }
        if let Some(elements) = self.elements_of_array(name, ty) {
            out += &format!("\n{}{}", self.title("Who has what"), elements.drawn());
        }
        let (elem, dims) = self.elem_of_arrays(ty);
        if let Some(target) = types.pointee(elem) {
            let pointer = format!("{name}{}", "[0]".repeat(dims));
            let text = self.pointer(&pointer, target);
            if types.is_shared(ty) && types.is_array(ty) && !text.is_empty() {
                out.push('\n');
            }
            out += &text;
        }
        for note in self.notes(name, ty) {
            out += &format!("\n{}", wrapped(&format!("note: {note}"), 2, 4));
        }
        out
    }

    fn title(&self, text: &str) -> String {
        match self.threads {
            Some(1) => wrapped(&format!("{text}, with 1 thread:"), 2, 2),
            Some(n) => wrapped(&format!("{text}, with {n} threads:"), 2, 2),
            None => wrapped(&format!("{text}, with {SOME_THREADS} threads; -T=N shows N:"), 2, 2),
        }
    }

    fn drawn_threads(&self) -> u64 {
        u64::from(self.threads.unwrap_or(SOME_THREADS).max(1))
    }

    fn shared_object(&self, name: &str, ty: QualType) -> String {
        let types = &self.sema.types;
        let size = self.size(ty).map_or(String::new(), |size| format!(", {size}"));
        let layout = match types.block(ty) {
            _ if !types.is_array(ty) => "It is on thread 0.".into(),
            Some(0) => "All of it is on thread 0.".into(),
            Some(1) => "Its elements go to the threads in turn, one by one, beginning with \
                        thread 0."
                .into(),
            Some(block) => format!(
                "Its elements go to the threads in turn in blocks of {block}, beginning with \
                 thread 0."
            ),
            None => String::new(),
        };
        format!("There is one {name} for all threads{size}. {layout}")
    }

    fn private_object(&self, name: &str, ty: QualType) -> String {
        let size = self.size(ty).map_or(String::new(), |size| format!(", {size}"));
        format!("Each thread has its own {name}{size}.")
    }

    fn size(&self, ty: QualType) -> Option<String> {
        let Bytes { n, times_threads } = self.sema.types.bytes(ty)?;
        Some(match times_threads {
            true => format!("{n}*THREADS bytes"),
            false => bytes(n),
        })
    }

    fn sizes(&self, name: &str, ty: QualType) -> Option<String> {
        let types = &self.sema.types;
        let mut text = format!("upc_blocksizeof({name}) is {}", types.block(ty)?);
        if let Some(n) = types.size_of(types.ultimate_elem(ty)) {
            text += &format!(", upc_elemsizeof({name}) is {n}");
        }
        if let Some(n) = types.local_size(ty) {
            text += &format!(", upc_localsizeof({name}) is {n}");
        }
        Some(text + ".")
    }

    /// The elements of a shared array.
    fn elements_of_array(&self, name: &str, ty: QualType) -> Option<Elements> {
        let types = &self.sema.types;
        if !types.is_array(ty) {
            return None;
        }
        let (block, dims) = (types.block(ty)?, self.dims(ty)?);
        let threads = self.drawn_threads();
        Some(Elements { name: name.into(), dims, block, threads })
    }

    fn dims(&self, ty: QualType) -> Option<Vec<Option<u64>>> {
        let mut dims = Vec::new();
        let mut ty = ty;
        while let Type::Array { elem, len } = *self.sema.types.kind(ty) {
            dims.push(Some(match len {
                ArrayLen::Const(n) => n,
                ArrayLen::TimesThreads(n) => n.checked_mul(self.drawn_threads())?,
                _ => return None,
            }));
            ty = elem;
        }
        Some(dims)
    }

    /// What moving the pointer does, and the elements that it leads to.
    fn pointer(&self, pointer: &str, target: QualType) -> String {
        let types = &self.sema.types;
        if types.is_function(target) {
            return String::new();
        }
        let next = format!("{pointer} + 1");
        let Some(block) = types.block(target) else {
            let size = match self.size(target) {
                _ if types.is_void(target) => return String::new(),
                Some(size) => format!(", {size} on,"),
                None => String::new(),
            };
            let text = format!(
                "{next} points to the next {}{size} in the thread's own memory.",
                self.words().value(target)
            );
            return wrapped(&text, 2, 2);
        };
        if types.is_void(target) {
            let text = format!("{next} is not allowed: nothing says how large the next thing is.");
            return wrapped(&text, 2, 2);
        }
        let moved = match (block, types.elem_count(target)) {
            (0, _) => "the next element on the same thread, as in C.".into(),
            (_, Some(count)) if types.is_array(target) => format!(
                "what is {} elements on, counted over the blocks of all threads.",
                match (count.n, count.times_threads) {
                    (n, false) => n.to_string(),
                    (n, true) => format!("{n}*THREADS"),
                }
            ),
            (1, _) => "the next element, which is on the next thread; after the last thread \
                       comes thread 0."
                .into(),
            (n, _) => format!(
                "the next element: in the same block of {n}, or from the end of a block to the \
                 beginning of the next thread's."
            ),
        };
        let mut out = wrapped(&format!("{next} points to {moved}"), 2, 2);
        if let Some(mut dims) = self.dims(target) {
            dims.insert(0, None);
            let threads = self.drawn_threads();
            let elements = Elements { name: pointer.into(), dims, block, threads };
            let title = match block {
                0 => format!("What {pointer} leads to, if it points to thread 0"),
                1 => format!("What {pointer} leads to, from an element on thread 0"),
                _ => format!("What {pointer} leads to, from the start of a block on thread 0"),
            };
            out += &format!("\n{}{}", self.title(&title), elements.drawn());
        }
        out
    }

    fn notes(&self, name: &str, ty: QualType) -> Vec<String> {
        let types = &self.sema.types;
        let mut notes = Vec::new();
        let (elem, _) = self.elem_of_arrays(ty);
        let is_shared = types.is_shared(ty);
        match types.pointee(elem) {
            Some(target) if types.is_shared(target) && !is_shared => {
                notes.push(format!(
                    "{name} itself is private: each thread sets its own. Write `shared` after \
                     the `*` for one that all threads share."
                ));
                if types.block(target) == Some(1) && !types.is_void(target) {
                    notes.push(
                        "for memory that is all on one thread, declare the target `shared []`: \
                         such a pointer stays on its thread."
                            .into(),
                    );
                }
            }
            Some(target) if is_shared && !types.is_shared(target) => notes.push(
                "a shared pointer to private memory is rarely what is wanted: its value is of \
                 use only to the thread that set it."
                    .into(),
            ),
            _ => {}
        }
        if let (Some(block), Some(count)) = (types.block(ty), types.elem_count(ty)) {
            if block > 1 && types.is_array(ty) && !count.times_threads && count.n <= block {
                notes.push("all of it fits into one block, so it is all on thread 0.".into());
            }
        }
        if self.is_strict(ty) || types.pointee(elem).is_some_and(|target| self.is_strict(target)) {
            notes.push(
                "strict accesses are ordered among each other and with all else that their \
                 thread does; relaxed ones are cheaper."
                    .into(),
            );
        }
        notes
    }

    fn is_strict(&self, ty: QualType) -> bool {
        self.sema.types.ultimate_elem(ty).quals.consistency == Some(Consistency::Strict)
    }
}
