// SPDX-License-Identifier: BSD-3-Clause
//! `sizeof` and its UPC relatives (UPC 1.3 §6.4.1).
//!
//! Sizes are written as C's own `sizeof` of what stands in memory, so the C compiler's layout
//! counts, whatever its flags make of it.

use super::Emitter;
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprId, ExprOrType, SizeOp};

impl Emitter<'_> {
    pub(super) fn size_of(
        &mut self,
        id: ExprId,
        op: SizeOp,
        operand: ExprOrType,
    ) -> Option<String> {
        let ty = match operand {
            ExprOrType::Expr(e) => self.sema.expr_type(e),
            ExprOrType::Type(t) => self.sema.type_of_name(t),
        };
        let is_shared = self.sema.types.is_shared(ty);
        match op {
            SizeOp::UpcLocalsizeof => Some(self.local_size(ty)),
            // In elements, unlike its neighbours (§6.4.1.3p2).
            SizeOp::UpcBlocksizeof => Some(format!("{}ul", self.sema.types.block(ty).unwrap_or(1))),
            SizeOp::UpcElemsizeof => {
                let elem = self.sema.types.ultimate_elem(ty);
                Some(self.c_sizeof(elem))
            }
            SizeOp::Sizeof if is_shared => Some(self.full_size(ty)),
            SizeOp::Alignof if is_shared => {
                let elem = self.sema.types.ultimate_elem(ty);
                Some(format!("__alignof__({})", self.c_temporary(elem)))
            }
            _ => self.rebuild(id, |e, parts| {
                parts.push(match operand {
                    // Not evaluated, so an lvalue is not accessed either.
                    ExprOrType::Expr(operand) => e.unchecked(|e| e.lvalue_part(operand)),
                    ExprOrType::Type(name) => e.type_name_part(name),
                });
            }),
        }
    }

    /// `sizeof` a shared type.
    pub(super) fn full_size(&mut self, ty: QualType) -> String {
        let types = &self.sema.types;
        match types.elem_count(ty) {
            Some(count) if count.times_threads => {
                let elem = types.ultimate_elem(ty);
                format!("({} * {} * upcr_threads())", count.n, self.c_sizeof(elem))
            }
            Some(count) if types.is_array(ty) => {
                let elem = types.ultimate_elem(ty);
                format!("({} * {})", count.n, self.c_sizeof(elem))
            }
            _ => self.c_sizeof(ty),
        }
    }

    /// The most bytes of an object of shared type `ty` that any thread holds.
    pub(super) fn local_size(&mut self, ty: QualType) -> String {
        let types = &self.sema.types;
        if !types.is_array(ty) {
            return self.full_size(ty);
        }
        let elems = types.local_elems(ty).unwrap_or(1);
        let elem = types.ultimate_elem(ty);
        format!("({elems} * {})", self.c_sizeof(elem))
    }
}
