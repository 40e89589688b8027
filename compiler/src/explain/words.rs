// SPDX-License-Identifier: BSD-3-Clause
//! Types as noun phrases, from the outermost level inward.

use crate::sema::types::{builtin_name, ArrayLen, FunctionType, QualType, Quals, Type, Types};
use crate::syntax::ast::{Builtin, Consistency};
use crate::syntax::intern::Interner;
use std::cell::Cell;

pub(super) struct Words<'a> {
    names: &'a Interner,
    types: &'a Types,
    /// Inside the meaning of a typedef: further ones are only named.
    is_meaning: Cell<bool>,
    /// Types to say yet: `typeof` can repeat a type in itself without end.
    budget: Cell<u32>,
}

/// Nobody reads on.
const MAX_TYPES: u32 = 1000;

/// What is said about the memory that something of a type is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// Nothing: it is a value, or part of something else.
    Untold,
    /// Private or shared.
    Told,
    /// And how it is laid out, if it is shared.
    LaidOut,
}

impl<'a> Words<'a> {
    pub fn new(names: &'a Interner, types: &'a Types) -> Words<'a> {
        Words { names, types, is_meaning: Cell::new(false), budget: Cell::new(MAX_TYPES) }
    }

    /// What an object of this type is, without article.
    pub fn declared(&self, ty: QualType) -> String {
        self.noun(ty, false, Home::Told)
    }

    /// As [`Self::declared`], of a value or a type itself.
    pub fn value(&self, ty: QualType) -> String {
        self.noun(ty, false, Home::Untold)
    }

    /// What a typedef is a name for.
    pub fn value_or_layout(&self, ty: QualType) -> String {
        match self.types.is_shared(ty) {
            true => self.noun(ty, false, Home::LaidOut),
            false => self.value(ty),
        }
    }

    /// What a pointer to this type points to.
    pub fn pointed_to(&self, ty: QualType) -> String {
        self.noun(ty, false, Home::LaidOut)
    }

    /// `noun` with its article.
    pub fn a(&self, noun: &str) -> String {
        let is_vowel = noun.starts_with(['a', 'e', 'i', 'o']);
        let is_un = noun.starts_with("unsigned") || noun.starts_with("unknown");
        format!("{} {noun}", if is_vowel || is_un { "an" } else { "a" })
    }

    fn noun(&self, ty: QualType, is_many: bool, home: Home) -> String {
        let s = if is_many { "s" } else { "" };
        self.budget.set(self.budget.get().saturating_sub(1));
        if self.budget.get() == 0 {
            return "...".into();
        }
        match self.types.get(ty.ty) {
            Type::Pointer(target) => {
                let place = place(ty.quals, home);
                let comma = if place.contains(',') { "," } else { "" };
                let target = self.pointed_to(*target);
                format!("{}pointer{s}{place}{comma} to {target}", self.adjectives(ty, home))
            }
            Type::Array { elem, len } => {
                let len = match len {
                    ArrayLen::Unknown => "unknown length of".into(),
                    ArrayLen::Const(n) => n.to_string(),
                    ArrayLen::TimesThreads(1) => "THREADS".into(),
                    ArrayLen::TimesThreads(n) => format!("{n}*THREADS"),
                    ArrayLen::Variable(_) => "variable length of".into(),
                };
                // The elements' layout is that of the array.
                let home = if home == Home::Told { Home::LaidOut } else { home };
                format!("array{s} of {len} {}", self.noun(*elem, true, home))
            }
            Type::Function(f) => format!("function{s} {}", self.signature(f)),
            Type::Typedef { name, target } => self.named(ty, self.names.name(*name), *target, home),
            _ => {
                // Data of no type have no layout.
                let is_void = self.types.is_void(ty) && home == Home::LaidOut;
                let place = place(ty.quals, if is_void { Home::Told } else { home });
                format!("{}{}{place}", self.adjectives(ty, home), self.base_name(ty, home))
            }
        }
    }

    /// A typedef's name, and what it stands for unless that says no more.
    fn named(&self, ty: QualType, name: &str, target: QualType, home: Home) -> String {
        let bare = self.types.resolve(target);
        let is_plain = !self.types.mentions_shared(bare)
            && !matches!(
                self.types.get(bare.ty),
                Type::Pointer(_) | Type::Array { .. } | Type::Function(_)
            );
        let own = if self.types.is_shared(bare) { Home::Untold } else { home };
        let text = format!("{}{name}{}", self.adjectives(ty, own), place(ty.quals, own));
        if is_plain || self.is_meaning.get() {
            return text;
        }
        self.is_meaning.set(true);
        let text = format!("{text} ({})", self.value_or_layout(target));
        self.is_meaning.set(false);
        text
    }

    fn signature(&self, f: &FunctionType) -> String {
        let mut params: Vec<String> = f.params.iter().map(|&p| self.a(&self.value(p))).collect();
        if f.is_variadic {
            params.push("further arguments".into());
        }
        let taking = match (params.pop(), params.is_empty()) {
            _ if !f.has_prototype => "with undeclared parameters".into(),
            (None, _) => "without parameters".into(),
            (Some(only), true) => format!("taking {only}"),
            (Some(last), false) => format!("taking {} and {last}", params.join(", ")),
        };
        match self.types.is_void(f.ret) {
            true => format!("{taking}, returning nothing"),
            false => format!("{taking}, returning {}", self.a(&self.value(f.ret))),
        }
    }

    /// `private const `, and so on.
    fn adjectives(&self, ty: QualType, home: Home) -> String {
        let quals = ty.quals;
        let mut words = Vec::new();
        if home != Home::Untold && !self.types.is_shared(ty) {
            words.push("private");
        }
        match quals.consistency {
            Some(Consistency::Strict) => words.push("strict"),
            Some(Consistency::Relaxed) => words.push("relaxed"),
            None => {}
        }
        let flags = [
            (quals.is_const, "const"),
            (quals.is_volatile, "volatile"),
            (quals.is_restrict, "restrict"),
            (quals.is_atomic, "atomic"),
        ];
        words.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word));
        words.iter().map(|word| format!("{word} ")).collect()
    }

    fn base_name(&self, ty: QualType, home: Home) -> String {
        let tagged = |keyword: &str, tag: Option<_>| match tag {
            Some(tag) => format!("{keyword} {}", self.names.name(tag)),
            None => format!("{keyword} without a name"),
        };
        match self.types.get(ty.ty) {
            Type::Builtin(Builtin::Void) if home != Home::Untold => "data of any type".into(),
            Type::Builtin(builtin) => builtin_name(self.names, *builtin).into(),
            Type::Record(id) => {
                let record = self.types.record(*id);
                tagged(if record.is_union { "union" } else { "struct" }, record.tag)
            }
            Type::Enum(id) => tagged("enum", self.types.enumeration(*id).tag),
            Type::Vector { elem, bytes } => {
                format!("vector ({bytes} bytes) of {}", self.value((*elem).into()))
            }
            _ => "something unknown".into(),
        }
    }
}

/// ` in shared memory, blocked by 4`; empty for private memory.
fn place(quals: Quals, home: Home) -> String {
    let Some(block) = quals.block() else { return String::new() };
    let layout = match block {
        _ if home != Home::LaidOut => String::new(),
        0 => " of one thread".into(),
        1 => ", cyclic".into(),
        n => format!(", blocked by {n}"),
    };
    match home {
        Home::LaidOut | Home::Told => format!(" in shared memory{layout}"),
        Home::Untold => " in shared memory".into(),
    }
}
