// SPDX-License-Identifier: BSD-3-Clause
//! Values in shared memory that a loop needs to find what it accesses: its bounds, pointers to its
//! arrays, terms of its subscripts.
//!
//! ```c
//! for (i = 0; i < g->n; i++) s += g->p[i];                // shared struct graph *g;
//! ```
//! reads `g->n` and `g->p` once, if nothing that the loop writes is there: between relaxed accesses a
//! thread need not look again (UPC 1.3 §5.1.2.3).

use super::access::address_text;
use super::ctype::unqualified;
use super::Emitter;
use crate::opt::alias;
use crate::syntax::ast::ExprId;

/// The reads, in the order in which one leads to another, and the variables that stand for them.
pub(super) struct Standing(Vec<Read>);

struct Read {
    id: ExprId,
    declared: String,
    set: String,
    /// Its address and its bytes.
    extent: String,
}

impl Emitter<'_> {
    /// The reads of shared memory that evaluate `ids`. From now on texts name the variables instead.
    pub(super) fn stand(&mut self, ids: &[ExprId]) -> Standing {
        let mut reads = Vec::new();
        ids.iter().for_each(|&id| alias::plain_reads(self.ast, self.sema, id, &mut reads));
        Standing(reads.into_iter().map(|id| self.standing_read(id)).collect())
    }

    pub(super) fn end_stand(&mut self, standing: &Standing) {
        standing.0.iter().for_each(|read| _ = self.fetched.remove(&read.id));
    }

    fn standing_read(&mut self, id: ExprId) -> Read {
        let (value, lvalue) = (self.value_text(id), self.lvalue_text(id));
        let name = self.fresh("v");
        let ty = unqualified(&self.sema.types, self.sema.expr_type(id));
        self.fetched.insert(id, name.clone());
        Read {
            id,
            declared: self.declare(ty, name.clone()) + "; ",
            set: format!("{name} = {value}"),
            extent: format!("{}, sizeof {name}", address_text(&lvalue)),
        }
    }
}

impl Standing {
    pub fn declared(&self) -> String {
        self.0.iter().map(|read| read.declared.as_str()).collect()
    }

    /// Reads them before the loop.
    pub fn set_before(&self) -> String {
        self.0.iter().map(|read| format!("{}{}; ", read.declared, read.set)).collect()
    }

    /// Reads them as a part of a condition, once its first part holds: a loop of no iteration need not
    /// have anything there.
    pub fn set(&self) -> String {
        self.0.iter().map(|read| format!(" && ({}, 1)", read.set)).collect()
    }

    /// The condition that nothing `written` is there.
    pub fn apart_from(&self, written: &[String]) -> String {
        let all = written.iter().flat_map(|extent| self.0.iter().map(move |read| (extent, read)));
        all.map(|(extent, read)| format!(" && upcr_are_apart({extent}, {})", read.extent)).collect()
    }
}
