// SPDX-License-Identifier: BSD-3-Clause
//! Subscripts that go by one element with each iteration: the loop's index, constants, and what
//! stands still while the loop runs, added up.

use super::counted::Counted;
use super::integers::{is_as_in_64_bits, is_integer};
use crate::sema::Sema;
use crate::syntax::ast::{Ast, BinaryOp, ExprId, ExprKind};

/// Constants farther away are fixed terms as others are.
pub const MAX_AHEAD: i64 = 64;

const MAX_TERMS: u32 = 16;

/// The index plus `ahead` plus `fixed`, of which some are subtracted.
#[derive(Clone, Debug, Default)]
pub struct Affine {
    pub ahead: i64,
    pub fixed: Vec<Addend>,
}

#[derive(Clone, Copy, Debug)]
pub struct Addend {
    pub id: ExprId,
    pub is_negative: bool,
}

/// `id` as such a sum, if the index is in it once.
pub fn recognise(ast: &Ast, sema: &Sema, id: ExprId, counted: &Counted) -> Option<Affine> {
    let mut sum =
        Sum { ast, sema, counted, n_indices: 0, left: MAX_TERMS, affine: Affine::default() };
    sum.add(Addend { id, is_negative: false })?;
    let is_fit = sum.n_indices == 1 && sum.affine.ahead.abs() <= MAX_AHEAD;
    is_fit.then_some(sum.affine)
}

struct Sum<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    counted: &'a Counted,
    n_indices: u32,
    /// How many more parts it may have: names stand for sums, and so do names in these.
    left: u32,
    affine: Affine,
}

impl Sum<'_> {
    fn add(&mut self, addend: Addend) -> Option<()> {
        let Addend { id, is_negative } = addend;
        self.left = self.left.checked_sub(1)?;
        let id = self.counted.effects.resolve(self.ast, self.sema, id);
        match self.ast.expr(id).kind {
            _ if self.counted.is_index(self.ast, self.sema, id) => {
                self.n_indices += 1;
                (!is_negative).then_some(())
            }
            ExprKind::Int { value, .. } if value <= MAX_AHEAD as u128 => {
                let value = i64::try_from(value).ok()?;
                self.affine.ahead += if is_negative { -value } else { value };
                Some(())
            }
            _ if self.counted.effects.is_invariant(self.ast, self.sema, id) => {
                self.affine.fixed.push(Addend { id, is_negative });
                Some(())
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs }
                if is_as_in_64_bits(self.sema, id)
                    && is_integer(self.sema, lhs)
                    && is_integer(self.sema, rhs) =>
            {
                self.add(Addend { id: lhs, is_negative })?;
                self.add(Addend { id: rhs, is_negative: is_negative != (op == BinaryOp::Sub) })
            }
            _ => None,
        }
    }
}
