// SPDX-License-Identifier: BSD-3-Clause
//! `sizeof` and its UPC companions (UPC 1.3 §6.4.1).

use super::analyser::Analyser;
use super::types::{ArrayLen, QualType, Types};
use crate::syntax::ast::*;

impl Analyser<'_> {
    pub(super) fn size_operator(
        &mut self,
        id: ExprId,
        op: SizeOp,
        operand: ExprOrType,
    ) -> QualType {
        let ty = match operand {
            ExprOrType::Expr(e) => self.expr(e),
            ExprOrType::Type(name) => self.type_name(name),
        };
        if self.check_size_operand(op, operand, ty) {
            let value = self.size_value(op, ty);
            let is_upc = !matches!(op, SizeOp::Sizeof | SizeOp::Alignof);
            if let (Some(n), true) = (value, is_upc) {
                self.sema.const_values.insert(id, n.into());
            }
            let is_constant =
                op != SizeOp::Sizeof || value.is_some() || !self.has_run_time_size(ty);
            self.set_constant(id, is_constant);
        }
        Types::SIZE
    }

    /// A variable length array, or a shared array of `n * THREADS` elements.
    fn has_run_time_size(&self, ty: QualType) -> bool {
        let is_run_time = |len| matches!(len, ArrayLen::Variable(_) | ArrayLen::TimesThreads(_));
        self.types().lengths(ty).any(is_run_time)
    }

    pub(super) fn has_variable_length(&self, ty: QualType) -> bool {
        self.types().lengths(ty).any(|len| matches!(len, ArrayLen::Variable(_)))
    }

    /// What `op` gives for an operand of type `ty`, if it is constant and known.
    pub(super) fn size_value(&self, op: SizeOp, ty: QualType) -> Option<u64> {
        let types = self.types();
        match op {
            SizeOp::Sizeof if types.is_void(ty) || types.is_function(ty) => Some(1),
            SizeOp::Sizeof => types.size_of(ty),
            SizeOp::Alignof => types.align_of(ty),
            SizeOp::UpcBlocksizeof => types.block(ty),
            SizeOp::UpcElemsizeof => types.size_of(types.ultimate_elem(ty)),
            SizeOp::UpcLocalsizeof => types.local_size(ty),
        }
    }
}
