// SPDX-License-Identifier: BSD-3-Clause
//! What integer types do to the values of subscripts and bounds, which emitted code computes in 64 bits.

use crate::sema::types::QualType;
use crate::sema::Sema;
use crate::syntax::ast::ExprId;

/// Width in bits and signedness, where a `long` holds the bits.
fn integer(sema: &Sema, ty: QualType) -> Option<(u32, bool)> {
    sema.types.integer(ty).filter(|&(bits, _)| bits <= 64)
}

pub fn is_integer(sema: &Sema, id: ExprId) -> bool {
    integer(sema, sema.expr_type(id)).is_some()
}

pub fn is_unsigned(sema: &Sema, ty: QualType) -> bool {
    integer(sema, ty).is_some_and(|(_, is_signed)| !is_signed)
}

/// Has every value of type `from` the same in the type `to`, or is wrapped as C wraps it?
pub fn is_kept(sema: &Sema, from: QualType, to: QualType) -> bool {
    let (Some((narrow, is_signed)), Some((wide, stays_signed))) =
        (integer(sema, from), integer(sema, to))
    else {
        return false;
    };
    narrow < wide || narrow == wide && is_signed == stays_signed
}

/// Is the sum or product `id` the same in 64 bits? It would be undefined where it is not, unless its
/// type is a narrow unsigned one.
pub fn is_as_in_64_bits(sema: &Sema, id: ExprId) -> bool {
    matches!(integer(sema, sema.expr_type(id)), Some((64, _) | (32, true)))
}
