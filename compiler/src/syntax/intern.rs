// SPDX-License-Identifier: BSD-3-Clause
//! Identifiers as small numbers.

use rustc_hash::FxHashMap;

/// An interned identifier; equal numbers mean equal spellings within one [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub u32);

#[derive(Default, Debug)]
pub struct Interner {
    numbers: FxHashMap<Box<str>, Symbol>,
    names: Vec<Box<str>>,
}

impl Interner {
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.numbers.insert(name.into(), symbol);
        symbol
    }

    /// The number of `name`, if it was ever interned.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}
