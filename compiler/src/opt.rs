// SPDX-License-Identifier: BSD-3-Clause
//! Loop transformations over shared data; one pass per file.
//!
//! A pass looks at the tree and says what may be done; `emit` prints it. No pass changes what a
//! program means under UPC 1.3, however it is called.

pub mod counted;
pub mod effects;
pub mod visit;
