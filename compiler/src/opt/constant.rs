// SPDX-License-Identifier: BSD-3-Clause
//! Values of the constant expressions that loops are written with: numbers, enumerators, THREADS where
//! it is static, and what arithmetic makes of them.

use crate::sema::types::Type;
use crate::sema::{ObjectKind, Sema};
use crate::syntax::ast::{Ast, BinaryOp, Builtin, ExprId, ExprKind, UnaryOp};

/// Operations in one another; nobody writes more.
const MAX_DEPTH: u32 = 16;

/// The value of `id`, if it is such an expression, and as large in 64 bits.
pub fn value(ast: &Ast, sema: &Sema, id: ExprId) -> Option<i64> {
    value_within(ast, sema, id, MAX_DEPTH)
}

fn value_within(ast: &Ast, sema: &Sema, id: ExprId, depth: u32) -> Option<i64> {
    let id = ast.strip_parens(id);
    let depth = depth.checked_sub(1)?;
    let value = |id| value_within(ast, sema, id, depth);
    let value = match ast.expr(id).kind {
        ExprKind::Int { value, .. } => i64::try_from(value).ok()?,
        ExprKind::Ident(_) => match sema.object(sema.object_of(id)?.0).kind {
            ObjectKind::Enumerator(n) => i64::try_from(n).ok()?,
            _ => return None,
        },
        ExprKind::Threads => sema.types.threads?.into(),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => value(operand)?.checked_neg()?,
        ExprKind::Binary { op, lhs, rhs } => {
            let (a, b) = (value(lhs)?, value(rhs)?);
            match op {
                BinaryOp::Add => a.checked_add(b)?,
                BinaryOp::Sub => a.checked_sub(b)?,
                BinaryOp::Mul => a.checked_mul(b)?,
                // A negative operand may have become an unsigned one.
                BinaryOp::Div | BinaryOp::Rem if a < 0 || b <= 0 => return None,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                _ => return None,
            }
        }
        _ => return None,
    };
    fits(sema, id, value).then_some(value)
}

/// An unsigned value would have wrapped around.
fn fits(sema: &Sema, id: ExprId, value: i64) -> bool {
    match sema.types.kind(sema.expr_type(id)) {
        Type::Builtin(Builtin::UInt) => u32::try_from(value).is_ok(),
        Type::Builtin(Builtin::ULong | Builtin::ULLong) => value >= 0,
        _ => true,
    }
}
