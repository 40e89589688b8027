// SPDX-License-Identifier: BSD-3-Clause
//! The constraints of UPC 1.3 chapter 6, one file for each group of rules: what is said of a
//! violation, and where the decision takes more than a line, the decision.

mod affinity;
mod argument;
mod atomic;
mod cast;
mod collective;
mod conversion;
mod dimensions;
mod domain;
mod forall;
mod foreign_pointer;
mod initialiser;
mod layout;
mod library;
mod lock;
mod member;
mod nbytes;
mod one_part;
mod one_thread;
mod openmp;
mod operand;
mod own_allocation;
mod own_copy;
mod pairing;
mod phases;
mod private_use;
mod qualifiers;
mod redeclaration;
mod reduction;
mod selection;
mod size;
mod spelling;
mod storage;
mod threads;
mod waiting;

pub(super) use domain::DomainCall;

use super::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::ExprId;

impl Analyser<'_> {
    fn span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    /// The user's words for an expression, in backquotes if they are short.
    fn quote(&self, id: ExprId) -> String {
        let span = self.span(id);
        match self.text.get(span.lo as usize..span.hi as usize) {
            Some(text) if text.len() <= 40 && !text.contains('\n') => format!("`{text}`"),
            _ => "this expression".into(),
        }
    }
}
