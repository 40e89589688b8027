// SPDX-License-Identifier: BSD-3-Clause
//! Scopes: what a name or a tag means here.
//!
//! One slot for each symbol holds the innermost meaning; a log restores the outer one when a
//! scope is left. So look-up is one index, and leaving costs what was declared.

use super::types::{EnumId, RecordId};
use super::ObjectId;
use crate::syntax::intern::Symbol;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// A meaning, and the depth of the scope that gave it.
type Slot<T> = Option<(T, u32)>;

#[derive(Debug)]
struct Space<T> {
    slots: Vec<Slot<T>>,
    log: Vec<(Symbol, Slot<T>)>,
}

impl<T: Copy> Space<T> {
    fn new() -> Space<T> {
        Space { slots: Vec::new(), log: Vec::new() }
    }

    fn get(&self, name: Symbol) -> Slot<T> {
        self.slots.get(name.0 as usize).copied().flatten()
    }

    fn set(&mut self, name: Symbol, meaning: T, depth: u32) {
        let idx = name.0 as usize;
        if idx >= self.slots.len() {
            self.slots.resize(idx + 1, None);
        }
        self.log.push((name, self.slots[idx]));
        self.slots[idx] = Some((meaning, depth));
    }

    fn undo_to(&mut self, mark: usize) {
        for (name, outer) in self.log.drain(mark..).rev() {
            self.slots[name.0 as usize] = outer;
        }
    }
}

#[derive(Debug)]
pub(super) struct Scopes {
    names: Space<ObjectId>,
    tags: Space<Tag>,
    marks: Vec<(usize, usize)>,
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        Scopes { names: Space::new(), tags: Space::new(), marks: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.marks.push((self.names.log.len(), self.tags.log.len()));
    }

    pub(super) fn leave(&mut self) {
        if let Some((names, tags)) = self.marks.pop() {
            self.names.undo_to(names);
            self.tags.undo_to(tags);
        }
    }

    /// 0 at file scope.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn name(&self, name: Symbol) -> Option<ObjectId> {
        self.names.get(name).map(|(object, _)| object)
    }

    /// Every name that means something here.
    pub(super) fn names(&self) -> impl Iterator<Item = (Symbol, ObjectId)> + '_ {
        let slots = (0u32..).zip(&self.names.slots);
        slots.filter_map(|(n, slot)| slot.map(|(object, _)| (Symbol(n), object)))
    }

    pub(super) fn name_here(&self, name: Symbol) -> Option<ObjectId> {
        self.names.get(name).filter(|&(_, d)| d == self.depth()).map(|(object, _)| object)
    }

    pub(super) fn tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.get(name).map(|(tag, _)| tag)
    }

    pub(super) fn tag_here(&self, name: Symbol) -> Option<Tag> {
        self.tags.get(name).filter(|&(_, d)| d == self.depth()).map(|(tag, _)| tag)
    }

    pub(super) fn bind(&mut self, name: Symbol, object: ObjectId) {
        let depth = self.depth();
        self.names.set(name, object, depth);
    }

    pub(super) fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        let depth = self.depth();
        self.tags.set(name, tag, depth);
    }
}
