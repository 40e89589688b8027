// SPDX-License-Identifier: BSD-3-Clause
//! UPC to C, as a pure library: preprocessed text in; C text and diagnostics out.
//!
//! The phases are `syntax` (text to tree), `sema` (names, types, the rules of UPC 1.3),
//! `opt` (loops over shared data) and `emit` (tree to C). No phase reads files, the
//! environment or the clock; that is the business of `tools/`. A phase returns what it
//! understood together with what it must say: bad input is data, never a failure.

pub mod diag;
pub mod emit;
pub mod opt;
pub mod sema;
pub mod span;
pub mod syntax;
