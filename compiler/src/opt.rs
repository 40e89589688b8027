// SPDX-License-Identifier: BSD-3-Clause
//! Loop transformations over shared data; one pass per file.
//!
//! A pass looks at the tree and says what may be done; `emit` prints it. No pass changes what a
//! program means under UPC 1.3, however it is called.

pub mod visit;

/// An access `root[index]` that the loop being emitted reaches as `pointer[counter]`.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The C text of the root.
    pub root: String,
    pub index: crate::sema::ObjectId,
    /// What stands for the element.
    pub element: String,
}
