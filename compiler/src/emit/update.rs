// SPDX-License-Identifier: BSD-3-Clause
//! Relaxed read-modify-writes whose value nobody wants need not be fetched.
//!
//! ```c
//! a[i] += x;     ({ int *a_ = &a[i];
//!                  if (upcr_is_here(a_)) *a_ += x; else upcr_update(UPCR_ADD, a_, x, ...); })
//! ```
//! The runtime sends many of them together.

use super::access::operator;
use super::remote::Site;
use super::text::primary;
use super::{Emitter, Inst};
use crate::sema::types::{QualType, Type};
use crate::syntax::ast::{BinaryOp, Builtin};

/// What is sent in place of `lvalue op= operand`.
pub(super) struct Update {
    /// Of `upcr.h`.
    operation: &'static str,
    /// The type that the operand is converted to, and the sign it gets.
    operand: &'static str,
    /// Makes it the bits that are sent.
    bits: &'static str,
}

impl Emitter<'_> {
    /// The update that `lvalue op= operand` is, if it is one that the runtime knows: of what is at
    /// `site`, of type `ty`, by an operand of type `by`, or by 1.
    pub(super) fn update_of(
        &self,
        site: &Site,
        ty: QualType,
        op: BinaryOp,
        by: Option<QualType>,
    ) -> Option<Update> {
        let quals = self.sema.types.resolve(ty).quals;
        let is_plain = !site.is_field() && !quals.is_volatile && !quals.is_atomic;
        if !is_plain || !self.options.optimise || self.options.inst != Inst::Off {
            return None;
        }
        if self.is_word(ty) && by.is_none_or(|by| self.is_integer_type(by)) {
            let operation = match op {
                BinaryOp::Add => "UPCR_ADD",
                BinaryOp::Sub => "UPCR_SUB",
                BinaryOp::And => "UPCR_AND",
                BinaryOp::Or => "UPCR_OR",
                BinaryOp::Xor => "UPCR_XOR",
                _ => return None,
            };
            return Some(Update { operation, operand: "(unsigned long)", bits: "" });
        }
        let is_double = matches!(self.sema.types.kind(ty), Type::Builtin(Builtin::Double));
        let is_float = matches!(self.sema.types.kind(ty), Type::Builtin(Builtin::Float));
        let is_exact = by.is_none_or(|by| {
            self.is_integer_type(by)
                || match self.sema.types.kind(by) {
                    Type::Builtin(Builtin::Float) => true,
                    Type::Builtin(Builtin::Double) => is_double,
                    _ => false,
                }
        });
        let operand = match (op, is_float) {
            (BinaryOp::Add, true) => "(float)",
            (BinaryOp::Sub, true) => "-(float)",
            (BinaryOp::Add, false) => "(double)",
            (BinaryOp::Sub, false) => "-(double)",
            _ => return None,
        };
        let bits = if is_float { "upcr_bits_of_float" } else { "upcr_bits_of_double" };
        ((is_float || is_double) && is_exact).then_some(Update {
            operation: "UPCR_ADD_FLOAT",
            operand,
            bits,
        })
    }

    /// `lvalue op= operand` for what is at `site`.
    pub(super) fn update(
        &mut self,
        site: &Site,
        op: BinaryOp,
        update: &Update,
        operand: &str,
    ) -> String {
        if let Some(id) = self.loop_ {
            self.remark(id, "changes are sent, without what was there being fetched".into());
        }
        let a = self.fresh("a");
        let (start, place) = (self.address_of_site(site, &a), site.place());
        let Update { operation, operand: converted, bits } = update;
        let value = format!("{bits}({converted}{})", primary(operand.to_string()));
        format!(
            "__extension__ ({{ {start} if (upcr_is_here({a})) *{a} {}= {operand}; else \
             upcr_update({operation}, {a}, {value}, sizeof *{a}, {place}); }})",
            operator(op)
        )
    }

    /// An integer of a size that the runtime updates: in modular arithmetic, which `_Bool` has not.
    fn is_word(&self, ty: QualType) -> bool {
        use Builtin::{Char, Int, LLong, Long, SChar, Short, UChar, UInt, ULLong, ULong, UShort};
        matches!(
            self.sema.types.kind(ty),
            Type::Builtin(
                Char | SChar | UChar | Short | UShort | Int | UInt | Long | ULong | LLong | ULLong
            )
        )
    }

    fn is_integer_type(&self, ty: QualType) -> bool {
        self.is_word(ty)
            || matches!(self.sema.types.kind(ty), Type::Builtin(Builtin::Bool) | Type::Enum(_))
    }
}
