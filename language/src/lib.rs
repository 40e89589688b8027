// SPDX-License-Identifier: BSD-3-Clause
//! What an editor asks about a UPC source, answered: a pure library on the compiler.
//!
//! It knows no protocol, no files and no processes. Sources are strings, places are bytes of the
//! source; what only the C compiler knows (headers, macros, which parts are active) comes in as its
//! answer to a skeleton of the source (`pieces`, `cpp`).

pub mod actions;
pub mod complete;
pub mod cpp;
pub mod highlight;
pub mod hints;
pub mod hover;
pub mod index;
pub mod layout;
pub mod macros;
pub mod pieces;
pub mod scope;
pub mod signature;
pub mod text;
pub mod unit;
