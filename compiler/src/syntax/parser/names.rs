// SPDX-License-Identifier: BSD-3-Clause
//! Which names are types: the one thing about scopes that C's grammar depends on.
//!
//! One entry per symbol holds the innermost meaning; leaving a scope undoes what it changed.
//! C17 §6.2.1. Members, tags and labels have their own name spaces and never come here.

use crate::syntax::intern::Symbol;
use crate::syntax::token;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Unknown,
    /// Predeclared by the compiler, see [`token::builtin_type`].
    BuiltinType,
    Typedef,
    /// An object, a function or an enumerator.
    Object,
}

pub struct Names {
    meanings: Vec<Meaning>,
    undo: Vec<(Symbol, Meaning)>,
    scopes: Vec<usize>,
}

impl Names {
    pub fn new(n_symbols: usize) -> Names {
        let mut meanings = vec![Meaning::Unknown; n_symbols];
        for symbol in token::type_names() {
            meanings[symbol.0 as usize] = Meaning::BuiltinType;
        }
        Names { meanings, undo: Vec::new(), scopes: Vec::new() }
    }

    pub fn get(&self, symbol: Symbol) -> Meaning {
        self.meanings.get(symbol.0 as usize).copied().unwrap_or(Meaning::Unknown)
    }

    pub fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        let Some(slot) = self.meanings.get_mut(symbol.0 as usize) else { return };
        if *slot != meaning {
            if !self.scopes.is_empty() {
                self.undo.push((symbol, *slot));
            }
            *slot = meaning;
        }
    }

    /// Declares at file scope, whatever scopes are open.
    pub fn declare_globally(&mut self, symbol: Symbol, meaning: Meaning) {
        if let Some(slot) = self.meanings.get_mut(symbol.0 as usize) {
            *slot = meaning;
        }
    }

    pub fn enter(&mut self) {
        self.scopes.push(self.undo.len());
    }

    pub fn leave(&mut self) {
        let mark = self.scopes.pop().unwrap_or(0);
        for (symbol, meaning) in self.undo.drain(mark..).rev() {
            self.meanings[symbol.0 as usize] = meaning;
        }
    }
}
