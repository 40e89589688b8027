// SPDX-License-Identifier: BSD-3-Clause
//! Measurements: builds and runs what `bench/` describes, beside its references, and makes the book
//! of the papers' figures. `cargo xtask bench`, `make papers` and `furlong papers` call it.
//!
//! It knows the tools only by their command lines.

pub mod bench;
pub mod book;
pub mod config;
pub mod launch;
pub mod mapping;
pub mod netns;
pub mod papers;
pub mod peers;
pub mod plan;
pub mod process;

mod bars;
mod gains;
mod openmp;
mod page;
mod plot;
mod points;
mod readme;
mod report;
mod testbed;
mod tools;
