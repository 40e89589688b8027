// SPDX-License-Identifier: BSD-3-Clause
//! When two types are the same to C17 §6.2.7, or near enough for a pointer-to-shared.

use super::{ArrayLen, QualType, Type, Types};

impl Types {
    /// Compatible types (C17 §6.2.7), with block sizes (UPC 1.3 §6.5.1.1p13).
    pub fn compatible(&self, a: QualType, b: QualType) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return true;
        }
        let (mut p, mut q) = (a.quals, b.quals);
        // Whether an access is strict is not a matter of type compatibility.
        (p.consistency, q.consistency) = (None, None);
        p == q && self.compatible_kind(a, b, &|x, y| self.compatible(x, y))
    }

    /// Compatible but for qualifiers other than block sizes, at any depth.
    pub fn same_but_quals(&self, a: QualType, b: QualType) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        a.quals.block() == b.quals.block()
            && self.compatible_kind(a, b, &|x, y| self.same_but_quals(x, y))
    }

    /// Is one strict and the other relaxed, by its own qualifier?
    pub fn opposite(&self, a: QualType, b: QualType) -> bool {
        let [a, b] = [a, b].map(|ty| self.ultimate_elem(ty).quals.consistency);
        a.is_some() && b.is_some() && a != b
    }

    /// May a pointer to `a` and one to `b` stand for each other without a cast, as far as UPC
    /// is concerned? Integers of one size may: C compilers only warn of `char *` for
    /// `unsigned char *`.
    pub fn interchangeable(&self, a: QualType, b: QualType) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a.quals.block() != b.quals.block() {
            return false;
        }
        if self.is_error(a) || self.is_error(b) {
            return true;
        }
        match (self.integer(a), self.integer(b)) {
            (Some((x, _)), Some((y, _))) => x.max(8) == y.max(8),
            _ => self.compatible_kind(a, b, &|x, y| self.interchangeable(x, y)),
        }
    }

    /// Compares one level of two resolved types; `inner` compares what they are made of.
    fn compatible_kind(
        &self,
        a: QualType,
        b: QualType,
        inner: &dyn Fn(QualType, QualType) -> bool,
    ) -> bool {
        if a.ty == b.ty {
            return true;
        }
        match (self.get(a.ty), self.get(b.ty)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(x), Type::Pointer(y)) => inner(*x, *y),
            (Type::Array { elem: x, len: m }, Type::Array { elem: y, len: n }) => {
                let open =
                    |len: &ArrayLen| matches!(len, ArrayLen::Unknown | ArrayLen::Variable(_));
                (m == n || open(m) || open(n)) && inner(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => {
                let params = !f.has_prototype
                    || !g.has_prototype
                    || (f.params.len() == g.params.len()
                        && f.is_variadic == g.is_variadic
                        && f.params
                            .iter()
                            .zip(&g.params)
                            .all(|(&x, &y)| inner(self.unqualified(x), self.unqualified(y))));
                params && inner(f.ret, g.ret)
            }
            (Type::Enum(e), Type::Builtin(x)) | (Type::Builtin(x), Type::Enum(e)) => {
                self.enumeration(*e).underlying == *x
            }
            _ => false,
        }
    }
}
