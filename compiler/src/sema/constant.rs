// SPDX-License-Identifier: BSD-3-Clause
//! Values of constant expressions (C17 §6.6), with the width of their types.

use super::analyser::Analyser;
use super::types::{QualType, Type};
use super::{ObjectId, ObjectKind};
use crate::syntax::ast::*;

#[derive(Clone, Copy, Debug)]
enum Value {
    Int(i128),
    Float(f64),
}

impl Analyser<'_> {
    /// The value of an expression that has to be an integer constant; noted for later phases.
    pub(super) fn constant(&mut self, id: ExprId) -> Option<i128> {
        self.value(id);
        let value = self.fold(id)?;
        self.sema.const_values.insert(id, value);
        Some(value)
    }

    /// The value of a typed integer constant expression.
    pub(super) fn fold(&mut self, id: ExprId) -> Option<i128> {
        match self.eval(id)? {
            Value::Int(n) => Some(n),
            Value::Float(_) => None,
        }
    }

    /// The object `object`, which is declared `constexpr`, has the type `ty` and the value of `e`.
    pub(super) fn define_constant(&mut self, object: ObjectId, ty: QualType, e: ExprId) {
        let value = self.eval(e).and_then(|value| self.wrap(value, ty));
        match value {
            Some(Value::Int(n)) if self.types().is_integer(ty) => {
                self.constants.insert(object, n);
            }
            Some(_) => {}
            None => self.check_known_before_run(e, "the value of a `constexpr` object"),
        }
    }

    /// A null pointer constant (C17 §6.3.2.3p3)?
    pub(super) fn is_null(&mut self, id: ExprId) -> bool {
        let flags = self.sema.flags(id);
        if flags.is_null_constant {
            return true;
        }
        let ty = self.sema.expr_type(id);
        let is_null = flags.is_constant && self.types().is_integer(ty) && self.fold(id) == Some(0);
        self.sema.expr_flags[id.0 as usize].is_null_constant = is_null;
        is_null
    }

    fn eval(&mut self, id: ExprId) -> Option<Value> {
        // Long sums nest to the left: walk down without recursion.
        let mut chain = Vec::new();
        let mut first = id;
        while let ExprKind::Binary { lhs, .. } = self.ast.expr(first).kind {
            chain.push(first);
            first = lhs;
        }
        let mut value = self.eval_leaf(first);
        for &id in chain.iter().rev() {
            let ExprKind::Binary { op, rhs, .. } = self.ast.expr(id).kind else { continue };
            value = self.eval_binary(id, op, value, rhs);
        }
        value
    }

    fn eval_leaf(&mut self, id: ExprId) -> Option<Value> {
        let ast = self.ast;
        match ast.expr(id).kind {
            ExprKind::Int { value, .. } => Some(Value::Int(value as i128)),
            ExprKind::Char { value, .. } => Some(Value::Int(value.into())),
            ExprKind::Float { .. } => float_literal(ast.expr(id).span.text(self.text)),
            ExprKind::Ident(_) => {
                let object = *self.sema.expr_object.get(&id)?;
                match self.sema.object(object).kind {
                    ObjectKind::Enumerator(n) => Some(Value::Int(n)),
                    _ => self.constants.get(&object).map(|&n| Value::Int(n)),
                }
            }
            ExprKind::Threads => Some(Value::Int(self.types().threads?.into())),
            ExprKind::Paren(inner) => self.eval(inner),
            ExprKind::Unary { op, operand } => self.eval_unary(id, op, operand),
            ExprKind::Cond { cond, then, els } => {
                let value = self.eval(cond)?;
                let chosen = match (truth(value), then) {
                    (true, Some(then)) => self.eval(then)?,
                    (true, None) => value,
                    (false, _) => self.eval(els)?,
                };
                self.wrap(chosen, self.sema.expr_type(id))
            }
            ExprKind::Cast { operand, .. } => {
                let value = self.eval(operand)?;
                self.wrap(value, self.sema.expr_type(id))
            }
            ExprKind::SizeOf { op, operand } => {
                let ty = match operand {
                    ExprOrType::Expr(e) => self.sema.expr_type(e),
                    ExprOrType::Type(name) => self.sema.type_of_name(name),
                };
                self.size_value(op, ty).map(|n| Value::Int(n.into()))
            }
            ExprKind::Offsetof { .. } | ExprKind::TypesCompatible { .. } => {
                self.sema.const_values.get(&id).map(|&n| Value::Int(n))
            }
            ExprKind::ChooseExpr { cond, then, els } => {
                let chosen = if truth(self.eval(cond)?) { then } else { els };
                self.eval(chosen)
            }
            ExprKind::Generic { .. } => {
                let chosen = *self.sema.generic_choice.get(&id)?;
                self.eval(chosen)
            }
            _ => None,
        }
    }

    fn eval_unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> Option<Value> {
        if !matches!(
            op,
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not | UnaryOp::Extension
        ) {
            return None;
        }
        let value = match (op, self.eval(operand)?) {
            (UnaryOp::Minus, Value::Int(n)) => Value::Int(n.wrapping_neg()),
            (UnaryOp::Minus, Value::Float(x)) => Value::Float(-x),
            (UnaryOp::BitNot, Value::Int(n)) => Value::Int(!n),
            (UnaryOp::BitNot, Value::Float(_)) => return None,
            (UnaryOp::Not, value) => Value::Int((!truth(value)).into()),
            (_, value) => value,
        };
        self.wrap(value, self.sema.expr_type(id))
    }

    fn eval_binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        lhs: Option<Value>,
        rhs: ExprId,
    ) -> Option<Value> {
        let lhs = lhs?;
        match (op, truth(lhs)) {
            (BinaryOp::LogAnd, false) => return Some(Value::Int(0)),
            (BinaryOp::LogOr, true) => return Some(Value::Int(1)),
            (BinaryOp::LogAnd | BinaryOp::LogOr, _) => {
                let rhs = self.eval(rhs)?;
                return Some(Value::Int(truth(rhs).into()));
            }
            _ => {}
        }
        let rhs_value = self.eval(rhs)?;
        let value = match (lhs, rhs_value) {
            (Value::Int(a), Value::Int(b)) => {
                let (a, b) = self.common(id, op, a, b, rhs);
                int_op(op, a, b)?
            }
            (Value::Int(a), Value::Float(b)) => float_op(op, a as f64, b)?,
            (Value::Float(a), Value::Int(b)) => float_op(op, a, b as f64)?,
            (Value::Float(a), Value::Float(b)) => float_op(op, a, b)?,
        };
        self.wrap(value, self.sema.expr_type(id))
    }

    /// Brings the operands of a comparison to their common type; `-1 < 1u` is false.
    fn common(&self, id: ExprId, op: BinaryOp, a: i128, b: i128, rhs: ExprId) -> (i128, i128) {
        use BinaryOp::*;
        let ty = match op {
            Lt | Gt | Le | Ge | Eq | Ne => {
                let ExprKind::Binary { lhs, .. } = self.ast.expr(id).kind else { return (a, b) };
                let (l, r) = (self.sema.expr_type(lhs), self.sema.expr_type(rhs));
                self.types().usual_arithmetic(l, r)
            }
            Shl | Shr => return (a, b),
            _ => self.sema.expr_type(id),
        };
        match self.types().integer(ty) {
            Some(shape) => (truncate(a, shape), truncate(b, shape)),
            None => (a, b),
        }
    }

    /// `value` as a value of type `ty`.
    fn wrap(&self, value: Value, ty: QualType) -> Option<Value> {
        if let Some(shape) = self.types().integer(ty) {
            return Some(Value::Int(match value {
                Value::Int(n) => truncate(n, shape),
                Value::Float(x) if shape.0 == 1 => (x != 0.0).into(),
                Value::Float(x) => truncate(x as i128, shape),
            }));
        }
        match (value, self.types().kind(ty)) {
            (Value::Int(n), Type::Pointer(_)) => Some(Value::Int(n)),
            (Value::Int(n), _) if self.types().is_floating(ty) => Some(Value::Float(n as f64)),
            (Value::Float(x), _) if self.types().is_floating(ty) => Some(Value::Float(x)),
            _ => None,
        }
    }
}

fn truth(value: Value) -> bool {
    match value {
        Value::Int(n) => n != 0,
        Value::Float(x) => x != 0.0,
    }
}

fn truncate(n: i128, (bits, signed): (u32, bool)) -> i128 {
    match (bits, signed) {
        (1, _) => (n != 0).into(),
        (128, _) => n,
        (_, true) => n << (128 - bits) >> (128 - bits),
        (_, false) => n & ((1 << bits) - 1),
    }
}

fn int_op(op: BinaryOp, a: i128, b: i128) -> Option<Value> {
    use BinaryOp::*;
    Some(Value::Int(match op {
        Mul => a.wrapping_mul(b),
        Div => a.checked_div(b)?,
        Rem => a.checked_rem(b)?,
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Shl => a.wrapping_shl(u32::try_from(b).ok()?),
        Shr => a.checked_shr(u32::try_from(b).ok()?)?,
        Lt => (a < b).into(),
        Gt => (a > b).into(),
        Le => (a <= b).into(),
        Ge => (a >= b).into(),
        Eq => (a == b).into(),
        Ne => (a != b).into(),
        And => a & b,
        Xor => a ^ b,
        Or => a | b,
        LogAnd | LogOr => return None,
    }))
}

fn float_op(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
    use BinaryOp::*;
    Some(match op {
        Mul => Value::Float(a * b),
        Div => Value::Float(a / b),
        Add => Value::Float(a + b),
        Sub => Value::Float(a - b),
        Lt => Value::Int((a < b).into()),
        Gt => Value::Int((a > b).into()),
        Le => Value::Int((a <= b).into()),
        Ge => Value::Int((a >= b).into()),
        Eq => Value::Int((a == b).into()),
        Ne => Value::Int((a != b).into()),
        _ => return None,
    })
}

/// Decimal floating literals; the value of a hexadecimal one is not needed by anything here.
fn float_literal(text: &str) -> Option<Value> {
    let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
    digits.parse().ok().map(Value::Float)
}
