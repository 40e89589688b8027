// SPDX-License-Identifier: BSD-3-Clause
//! Transformations of accesses to shared data, and of loops over it; one pass per file.
//!
//! A pass looks at the tree and says what may be done; `emit` prints it. `inline` and `jam` make text, which
//! is understood anew. No pass changes what a program means under UPC 1.3, however it is called.

pub mod accessor;
pub mod affine;
pub mod alias;
pub mod canonical;
pub mod constant;
pub mod counted;
pub mod early;
pub mod effects;
pub mod fences;
pub mod head;
pub mod induction;
pub mod inline;
pub mod integers;
pub mod jam;
pub mod locality;
pub mod moves;
pub mod rewrite;
pub mod wrapped;
