// SPDX-License-Identifier: BSD-3-Clause
//! Types in UPC syntax, for messages.

use super::{ArrayLen, Block, QualType, Quals, Type, Types};
use crate::syntax::ast::{Builtin, Consistency};
use crate::syntax::intern::Interner;

impl Types {
    /// `ty` as a user would write it: `shared [4] int *`.
    pub fn display(&self, names: &Interner, ty: QualType) -> String {
        self.declare(names, ty, String::new())
    }

    /// The declaration of `name` with type `ty`: `shared [4] int *name`.
    pub fn declaration(&self, names: &Interner, ty: QualType, name: &str) -> String {
        self.declare(names, ty, name.to_string())
    }

    /// Wraps the declarator `inner` in what `ty` adds, from the inside out.
    fn declare(&self, names: &Interner, ty: QualType, inner: String) -> String {
        // Nobody reads such a declarator, and copying it at each level would be quadratic.
        let inner = if inner.len() > 200 { "...".into() } else { inner };
        match self.get(ty.ty) {
            Type::Pointer(target) => {
                let mut text = String::from("*");
                text += &quals_text(ty.quals);
                if !inner.is_empty() && text.len() > 1 && !inner.starts_with(['[', '(']) {
                    text.push(' ');
                }
                text += &inner;
                if matches!(self.get(target.ty), Type::Array { .. } | Type::Function(_)) {
                    text = format!("({text})");
                }
                self.declare(names, *target, text)
            }
            Type::Array { elem, len } => {
                let len = match len {
                    ArrayLen::Unknown => String::new(),
                    ArrayLen::Const(n) => n.to_string(),
                    ArrayLen::TimesThreads(1) => "THREADS".into(),
                    ArrayLen::TimesThreads(n) => format!("{n}*THREADS"),
                    ArrayLen::Variable(_) => "*".into(),
                };
                self.declare(names, *elem, format!("{inner}[{len}]"))
            }
            Type::Function(f) => {
                let mut params: Vec<String> =
                    f.params.iter().map(|&p| self.display(names, p)).collect();
                if f.is_variadic {
                    params.push("...".into());
                } else if f.params.is_empty() && f.has_prototype {
                    params.push("void".into());
                }
                self.declare(names, f.ret, format!("{inner}({})", params.join(", ")))
            }
            _ => {
                let mut text = quals_text(ty.quals);
                if !text.is_empty() {
                    text.push(' ');
                }
                text += &self.base_name(names, ty);
                if !inner.is_empty() {
                    text.push(' ');
                    text += &inner;
                }
                text
            }
        }
    }

    fn base_name(&self, names: &Interner, ty: QualType) -> String {
        let tagged = |keyword: &str, tag: Option<_>| match tag {
            Some(tag) => format!("{keyword} {}", names.name(tag)),
            None => format!("{keyword} <anonymous>"),
        };
        match self.get(ty.ty) {
            Type::Builtin(builtin) => builtin_name(names, *builtin).into(),
            Type::Record(id) => {
                let record = self.record(*id);
                tagged(if record.is_union { "union" } else { "struct" }, record.tag)
            }
            Type::Enum(id) => tagged("enum", self.enumeration(*id).tag),
            Type::Vector { elem, bytes } => {
                format!("{} vector of {bytes} bytes", self.display(names, (*elem).into()))
            }
            Type::Typedef { name, .. } => names.name(*name).into(),
            _ => "<unknown>".into(),
        }
    }
}

fn quals_text(quals: Quals) -> String {
    let mut words: Vec<String> = Vec::new();
    match quals.consistency {
        Some(Consistency::Strict) => words.push("strict".into()),
        Some(Consistency::Relaxed) => words.push("relaxed".into()),
        None => {}
    }
    match quals.shared {
        Some(Block::Size(1)) => words.push("shared".into()),
        Some(Block::Size(0)) => words.push("shared []".into()),
        Some(Block::Size(n)) => words.push(format!("shared [{n}]")),
        Some(Block::Star) => words.push("shared [*]".into()),
        None => {}
    }
    for (is_set, word) in [
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_restrict, "restrict"),
        (quals.is_atomic, "_Atomic"),
    ] {
        if is_set {
            words.push(word.into());
        }
    }
    words.join(" ")
}

pub(crate) fn builtin_name(names: &Interner, builtin: Builtin) -> &str {
    use Builtin::*;
    match builtin {
        Void => "void",
        Bool => "_Bool",
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned int",
        Long => "long",
        ULong => "unsigned long",
        LLong => "long long",
        ULLong => "unsigned long long",
        Int128 => "__int128",
        UInt128 => "unsigned __int128",
        Float => "float",
        Double => "double",
        LDouble => "long double",
        ComplexFloat => "float _Complex",
        ComplexDouble => "double _Complex",
        ComplexLDouble => "long double _Complex",
        Other(name) => names.name(name),
        VaList => "__builtin_va_list",
    }
}
