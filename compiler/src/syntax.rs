// SPDX-License-Identifier: BSD-3-Clause
//! Preprocessed UPC text to a syntax tree.
//!
//! The parser knows which names are typedefs, because C's grammar needs that, and nothing else
//! about meaning.

pub mod ast;
pub mod intern;
pub mod lexer;
mod literal;
pub mod parser;
mod token;
pub mod visit;

pub use parser::{parse, ParseOptions};

#[cfg(test)]
mod tests;
