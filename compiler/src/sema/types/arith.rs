// SPDX-License-Identifier: BSD-3-Clause
//! Arithmetic types: classes, promotion and the usual arithmetic conversions (C17 §6.3.1).

use super::{QualType, Type, Types};
use crate::syntax::ast::Builtin;

const LLONG: u32 = 4;
const ULONG: u32 = 5;

impl Types {
    pub fn is_integer(&self, ty: QualType) -> bool {
        self.integer(ty).is_some()
    }

    /// Width in bits and signedness of an integer type.
    pub fn integer(&self, ty: QualType) -> Option<(u32, bool)> {
        use Builtin::*;
        let builtin = match *self.kind(ty) {
            Type::Builtin(builtin) => builtin,
            Type::Enum(id) => self.enumeration(id).underlying,
            _ => return None,
        };
        Some(match builtin {
            Bool => (1, false),
            Char => (8, self.target.is_char_signed),
            SChar => (8, true),
            UChar => (8, false),
            Short => (16, true),
            UShort => (16, false),
            Int => (32, true),
            UInt => (32, false),
            Long | LLong => (64, true),
            ULong | ULLong => (64, false),
            Int128 => (128, true),
            UInt128 => (128, false),
            _ => return None,
        })
    }

    /// Real or complex floating type.
    pub fn is_floating(&self, ty: QualType) -> bool {
        use Builtin::*;
        matches!(
            self.kind(ty),
            Type::Builtin(
                Float | Double | LDouble | ComplexFloat | ComplexDouble | ComplexLDouble | Other(_)
            )
        )
    }

    pub fn is_arithmetic(&self, ty: QualType) -> bool {
        self.is_integer(ty) || self.is_floating(ty)
    }

    /// Integer promotion; other types are returned as they are.
    pub fn promote(&self, ty: QualType) -> QualType {
        match self.integer(ty) {
            Some((bits, _)) if bits < 32 => Types::INT,
            Some(_) => match *self.kind(ty) {
                Type::Enum(id) => match self.enumeration(id).underlying {
                    Builtin::Int => Types::INT,
                    Builtin::Long => Types::LONG,
                    Builtin::ULong => Types::ULONG,
                    _ => Types::UINT,
                },
                _ => ty,
            },
            None => ty,
        }
    }

    /// The common type of two arithmetic (or vector) operands; ERROR for others.
    pub fn usual_arithmetic(&self, a: QualType, b: QualType) -> QualType {
        for ty in [a, b] {
            if matches!(self.kind(ty), Type::Vector { .. }) {
                return ty;
            }
        }
        match (self.float_rank(a), self.float_rank(b)) {
            (Some(x), Some(y)) => return if x >= y { a } else { b },
            (Some(_), None) if self.is_integer(b) => return a,
            (None, Some(_)) if self.is_integer(a) => return b,
            _ => {}
        }
        let (a, b) = (self.promote(a), self.promote(b));
        match (self.int_rank(a), self.int_rank(b)) {
            // Of the rank of the one and the sign of the other (C17 §6.3.1.8p1).
            (Some(LLONG), Some(ULONG)) | (Some(ULONG), Some(LLONG)) => Types::ULLONG,
            (Some(x), Some(y)) => {
                if x >= y {
                    a
                } else {
                    b
                }
            }
            _ => Types::ERROR,
        }
    }

    fn float_rank(&self, ty: QualType) -> Option<u32> {
        use Builtin::*;
        match *self.kind(ty) {
            Type::Builtin(builtin) => Some(match builtin {
                Float => 1,
                Double => 2,
                LDouble => 3,
                Other(_) => 4,
                ComplexFloat => 5,
                ComplexDouble => 6,
                ComplexLDouble => 7,
                _ => return None,
            }),
            _ => None,
        }
    }

    /// Order of promoted integer types: on LP64 an unsigned type wins over the signed one of its
    /// width, and a wider signed type holds every narrower unsigned one.
    fn int_rank(&self, ty: QualType) -> Option<u32> {
        use Builtin::*;
        match *self.kind(ty) {
            Type::Builtin(builtin) => Some(match builtin {
                Int => 1,
                UInt => 2,
                Long => 3,
                LLong => LLONG,
                ULong => ULONG,
                ULLong => 6,
                Int128 => 7,
                UInt128 => 8,
                _ => return None,
            }),
            _ => None,
        }
    }
}
