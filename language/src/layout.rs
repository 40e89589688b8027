// SPDX-License-Identifier: BSD-3-Clause
//! Which thread has an element (UPC 1.3 §6.5.1.1, §6.5.2.1): as a number where the subscripts are
//! constants, else as a formula.

use crate::unit::Unit;
use furlong_compiler::sema::types::ArrayLen;
use furlong_compiler::sema::ObjectKind;
use furlong_compiler::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};

/// An element of a shared array that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    pub array: String,
    /// Its number in the flattened array: a formula of the user's subscripts.
    pub number: String,
    /// If the subscripts are constants.
    pub value: Option<i128>,
    /// 0: all elements are at one thread.
    pub block: u64,
}

impl Element {
    /// The thread, as an expression of THREADS.
    pub fn thread(&self) -> String {
        let number = match self.number.chars().all(|c| c.is_alphanumeric() || c == '_') {
            true => self.number.clone(),
            false => format!("({})", self.number),
        };
        match self.block {
            0 => "0".to_string(),
            1 => format!("{number} % THREADS"),
            block => format!("{number} / {block} % THREADS"),
        }
    }

    /// The thread among `threads`, if it is known.
    pub fn owner(&self, threads: u64) -> Option<i128> {
        match self.block {
            0 => Some(0),
            block => Some(self.value? / i128::from(block) % i128::from(threads)),
        }
    }
}

/// The element that the expression `id` is.
pub fn element(unit: &Unit, id: ExprId) -> Option<Element> {
    let (ast, types) = (&unit.ast, &unit.sema.types);
    let (mut subscripts, mut at) = (Vec::new(), ast.strip_parens(id));
    while let ExprKind::Index { base, index } = ast.expr(at).kind {
        subscripts.push(index);
        at = ast.strip_parens(base);
    }
    let (_, object) = unit.sema.object_of(at)?;
    if !types.is_array(object.ty) {
        return None;
    }
    let block = types.block(object.ty)?;
    let lengths: Vec<ArrayLen> = types.lengths(object.ty).collect();
    if subscripts.is_empty() || subscripts.len() > lengths.len() {
        return None;
    }
    // Horner's rule; dimensions without a subscript begin with 0.
    let (mut number, mut value) = (String::new(), Some(0i128));
    for (n, len) in lengths.iter().enumerate() {
        let (len_text, len_value) = match *len {
            ArrayLen::Const(len) => (len.to_string(), Some(i128::from(len))),
            ArrayLen::TimesThreads(1) => ("THREADS".into(), Some(i128::from(unit.threads()))),
            ArrayLen::TimesThreads(n) => {
                (format!("{n}*THREADS"), Some(i128::from(n) * i128::from(unit.threads())))
            }
            _ if n == 0 => (String::new(), None),
            _ => return None,
        };
        let subscript = subscripts.len().checked_sub(n + 1).map(|n| subscripts[n]);
        let of_subscript = subscript.map_or(Some(0), |id| constant(unit, id));
        value = match n {
            0 => of_subscript,
            _ => value.zip(of_subscript).zip(len_value).map(|((v, s), len)| v * len + s),
        };
        let text = subscript.map(|id| ast.expr(id).span.text(&unit.text.text).trim());
        number = match (n, text) {
            (0, Some(text)) => text.to_string(),
            (_, Some(text)) => format!("{}*{len_text} + {text}", factor(&number)),
            (_, None) => format!("{}*{len_text}", factor(&number)),
        };
    }
    let array = ast.names.name(object.name).to_string();
    Some(Element { array, number, value: value.filter(|&v| v >= 0), block })
}

fn factor(text: &str) -> String {
    match text.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => text.to_string(),
        false => format!("({text})"),
    }
}

/// The value of a constant expression; THREADS is that of examples if it is not fixed.
pub fn constant(unit: &Unit, id: ExprId) -> Option<i128> {
    let value = |id| constant(unit, id);
    match unit.ast.expr(unit.ast.strip_parens(id)).kind {
        ExprKind::Int { value, .. } => i128::try_from(value).ok(),
        ExprKind::Threads => Some(i128::from(unit.threads())),
        ExprKind::Ident(_) => match unit.sema.object_of(unit.ast.strip_parens(id))?.1.kind {
            ObjectKind::Enumerator(value) => Some(value),
            _ => None,
        },
        ExprKind::Unary { op: UnaryOp::Minus, operand } => value(operand)?.checked_neg(),
        ExprKind::Binary { op, lhs, rhs } => {
            let (lhs, rhs) = (value(lhs)?, value(rhs)?);
            match op {
                BinaryOp::Add => lhs.checked_add(rhs),
                BinaryOp::Sub => lhs.checked_sub(rhs),
                BinaryOp::Mul => lhs.checked_mul(rhs),
                BinaryOp::Div => lhs.checked_div(rhs),
                BinaryOp::Rem => lhs.checked_rem(rhs),
                _ => None,
            }
        }
        _ => None,
    }
}
