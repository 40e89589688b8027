// SPDX-License-Identifier: BSD-3-Clause
//! Prints types as the C compiler shall see them: no `shared`, and pointers-to-shared as held.
//!
//! A typedef's name stands for its emitted meaning, so it is printed wherever it can be; only a
//! typedef whose array length is not constant in C has no emitted meaning.

use super::Emitter;
use crate::sema::types::{builtin_name, ArrayLen, PtsRep, QualType, Quals, RecordId, Type, Types};
use crate::sema::Sema;
use rustc_hash::FxHashSet;

/// Untagged records that printed types have to name: those that are, or are pointed to as,
/// shared.
pub(super) fn records_to_tag(sema: &Sema) -> FxHashSet<RecordId> {
    let types = &sema.types;
    let mut tagged = FxHashSet::default();
    let mut note = |ty: QualType| {
        if types.is_shared(ty) {
            if let Type::Record(id) = *types.get(types.ultimate_elem(ty).ty) {
                if types.record(id).tag.is_none() {
                    tagged.insert(id);
                }
            }
        }
    };
    sema.objects.iter().for_each(|object| note(object.ty));
    sema.type_name_types.iter().chain(&sema.expr_types).for_each(|&ty| note(ty));
    types.all().for_each(|ty| match *ty {
        Type::Pointer(target) => note(target),
        Type::Array { elem, .. } => note(elem),
        Type::Typedef { target, .. } => note(target),
        _ => {}
    });
    tagged
}

/// Without qualifiers: the type of a temporary.
pub(super) fn unqualified(types: &Types, ty: QualType) -> QualType {
    let bare = types.resolve(ty);
    let mut quals = Quals { shared: None, ..Quals::default() };
    if matches!(types.get(bare.ty), Type::Array { .. }) {
        quals = bare.quals;
    }
    match *types.get(ty.ty) {
        Type::Typedef { target, .. } if target.quals == Quals::default() => {
            QualType { ty: ty.ty, quals }
        }
        _ => QualType { ty: bare.ty, quals },
    }
}

impl Emitter<'_> {
    /// `ty` as a C type name.
    pub(crate) fn c_type(&mut self, ty: QualType) -> String {
        self.declare(ty, String::new())
    }

    /// `ty *`, for a target that is accessed at a plain address.
    pub(crate) fn c_pointer(&mut self, target: QualType) -> String {
        self.declare_pointer(target, "*".into())
    }

    /// As [`Self::c_pointer`], with `star` for the declarator.
    pub(super) fn c_pointer_named(&mut self, target: QualType, star: &str) -> String {
        self.declare_pointer(target, star.into())
    }

    /// As [`Self::c_type`], without qualifiers.
    pub(super) fn c_temporary(&mut self, ty: QualType) -> String {
        let ty = unqualified(&self.sema.types, ty);
        self.c_type(ty)
    }

    /// A declaration of `inner` (a name, or a declarator around one) with type `ty`.
    pub(crate) fn declare(&mut self, ty: QualType, inner: String) -> String {
        let types = &self.sema.types;
        match types.get(ty.ty) {
            Type::Pointer(target) => {
                let (target, rep) = (*target, types.target_rep(*target));
                match (rep, self.debug_pointer(target)) {
                    (Some(PtsRep::Direct), Some(name)) => {
                        join(&pointer_quals(ty.quals), &name, &inner)
                    }
                    (_, Some(name)) => scalar(&name, ty.quals, &inner),
                    (Some(PtsRep::Packed), None) => scalar("upcr_pts", ty.quals, &inner),
                    (Some(PtsRep::Wide), None) => scalar("upcr_wide", ty.quals, &inner),
                    _ => {
                        let star = join("*", &pointer_quals(ty.quals), &inner);
                        self.declare_pointer(target, star)
                    }
                }
            }
            Type::Array { elem, len } => {
                let (elem, len) = (*elem, *len);
                let len = self.array_len(len);
                self.declare(elem, format!("{inner}[{len}]"))
            }
            Type::Function(f) => {
                let (ret, params) = (f.ret, f.params.clone());
                // The names of parameters, which lengths are made of, are not known here.
                let outer = std::mem::replace(&mut self.in_prototype, true);
                let mut list: Vec<String> = params.iter().map(|&p| self.c_type(p)).collect();
                self.in_prototype = outer;
                if f.is_variadic {
                    list.push("...".into());
                } else if list.is_empty() && f.has_prototype {
                    list.push("void".into());
                }
                self.declare(ret, format!("{inner}({})", list.join(", ")))
            }
            Type::Typedef { target, .. } if types.mentions_threads(*target) => {
                self.declare(target.with(ty.quals), inner)
            }
            _ => join(&base_quals(ty.quals), &self.base_name(ty), &inner),
        }
    }

    fn declare_pointer(&mut self, target: QualType, star: String) -> String {
        let types = &self.sema.types;
        if types.is_shared(target) && types.mentions_threads(target) {
            return self.declare(types.ultimate_elem(target), star);
        }
        let target = match types.get(target.ty) {
            Type::Typedef { target: meaning, .. } if types.mentions_threads(target) => {
                meaning.with(target.quals)
            }
            _ => target,
        };
        let needs_parens = matches!(types.get(target.ty), Type::Array { .. } | Type::Function(_));
        self.declare(target, if needs_parens { format!("({star})") } else { star })
    }

    /// `[n]` for an array type.
    pub(super) fn array_suffix(&mut self, ty: QualType) -> String {
        match *self.sema.types.get(ty.ty) {
            Type::Array { len, .. } => format!("[{}]", self.array_len(len)),
            _ => String::new(),
        }
    }

    fn array_len(&mut self, len: ArrayLen) -> String {
        match len {
            ArrayLen::Const(n) => n.to_string(),
            ArrayLen::TimesThreads(n) => format!("{n} * upcr_threads()"),
            ArrayLen::Variable(Some(_)) if self.in_prototype => "*".into(),
            ArrayLen::Variable(Some(id)) => self.length_text(id),
            ArrayLen::Unknown => String::new(),
            ArrayLen::Variable(None) => "*".into(),
        }
    }

    fn base_name(&self, ty: QualType) -> String {
        let types = &self.sema.types;
        match *types.get(ty.ty) {
            Type::Builtin(builtin) => builtin_name(&self.ast.names, builtin).into(),
            Type::Record(id) => {
                let record = types.record(id);
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{keyword} {}", self.name(tag)),
                    None => format!("{keyword} {}", invented_tag(id)),
                }
            }
            Type::Enum(id) => match types.enumeration(id).tag {
                Some(tag) => format!("enum {}", self.name(tag)),
                None => builtin_name(&self.ast.names, types.enumeration(id).underlying).into(),
            },
            Type::Vector { elem, bytes } => {
                let elem = self.base_name(elem.into());
                format!("__attribute__((vector_size({bytes}))) {elem}")
            }
            Type::Typedef { name, .. } => self.name(name).into(),
            _ => "int".into(),
        }
    }
}

/// The tag that an untagged record gets.
pub(super) fn invented_tag(id: RecordId) -> String {
    format!("upcr_record_{}", id.0)
}

fn scalar(name: &str, quals: Quals, inner: &str) -> String {
    join(&base_quals(quals), name, inner)
}

fn join(before: &str, middle: &str, after: &str) -> String {
    let mut out = String::from(before);
    for part in [middle, after] {
        let tight = out.ends_with('*') || part.starts_with('[');
        if !out.is_empty() && !part.is_empty() && !tight {
            out.push(' ');
        }
        out += part;
    }
    out
}

fn base_quals(quals: Quals) -> String {
    words(&[
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_atomic, "_Atomic"),
    ])
}

fn pointer_quals(quals: Quals) -> String {
    let restrict = words(&[(quals.is_restrict, "__restrict")]);
    join(&base_quals(quals), &restrict, "")
}

fn words(list: &[(bool, &str)]) -> String {
    let set: Vec<&str> = list.iter().filter(|w| w.0).map(|w| w.1).collect();
    set.join(" ")
}
