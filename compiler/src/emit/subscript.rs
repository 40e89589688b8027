// SPDX-License-Identifier: BSD-3-Clause
//! Subscripts of inner dimensions, and of arrays in records, under `upcc -check`: with one past its
//! dimension, `m[0][20]` is still an element of `shared int m[10][20]`, of the next row, so that the
//! access is inside its object. Whole objects are looked at where they are accessed.

use super::Emitter;
use crate::sema::types::ArrayLen;
use crate::syntax::ast::{ExprId, ExprKind};

impl Emitter<'_> {
    /// What `f` emits with the subscripts on the way to the accessed lvalue `id` being looked at.
    pub(super) fn with_subscripts<R>(&mut self, id: ExprId, f: impl FnOnce(&mut Self) -> R) -> R {
        let bounded = match self.options.check {
            true => self.bounded_subscripts(id),
            false => Vec::new(),
        };
        let indices: Vec<_> = bounded.iter().map(|&(index, _)| index).collect();
        self.bounded.extend(bounded);
        let result = f(self);
        indices.iter().for_each(|index| _ = self.bounded.remove(index));
        result
    }

    /// `text`, the value of `id`, by way of the checker if it is such a subscript.
    pub(super) fn subscript_value(&mut self, id: ExprId, text: Option<String>) -> Option<String> {
        let Some(length) = self.bounded.get(&id) else { return text };
        let place = self.place_arguments(self.ast.expr(id).span.lo);
        let value = text.unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into());
        Some(format!("upcr_subscript((long)({value}), {length}, {place})"))
    }

    /// The subscripts that lead to `id`, with the lengths of their dimensions as C text.
    fn bounded_subscripts(&self, id: ExprId) -> Vec<(ExprId, String)> {
        let (mut bounded, mut at) = (Vec::new(), self.ast.strip_parens(id));
        loop {
            let next = match self.ast.expr(at).kind {
                ExprKind::Index { base, index } => {
                    let (base, index) = self.subscript(base, index);
                    let base = self.ast.strip_parens(base);
                    bounded.extend(self.inner_length(base).map(|length| (index, length)));
                    base
                }
                ExprKind::Member { base, arrow: false, .. } => self.ast.strip_parens(base),
                _ => return bounded,
            };
            if !self.sema.flags(next).is_lvalue {
                return bounded;
            }
            at = next;
        }
    }

    /// The length of the array `base`, if it is a part of an object. One of a single element, or of none,
    /// at the end of a record may stand for as many as there is memory for.
    fn inner_length(&self, base: ExprId) -> Option<String> {
        let is_part = !matches!(self.ast.expr(base).kind, ExprKind::Ident(_));
        match self.sema.types.lengths(self.sema.expr_type(base)).next()? {
            ArrayLen::Const(n) if is_part && n > 1 => Some(n.to_string()),
            ArrayLen::TimesThreads(n) if is_part => Some(format!("{n} * (long)upcr_threads()")),
            _ => None,
        }
    }
}
