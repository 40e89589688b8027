// SPDX-License-Identifier: BSD-3-Clause
//! The programs a user runs: `upcc` and `ompcc` compile, `upcrun` starts a job, `furlong` measures.
//! Only this crate touches files, processes and the environment; what UPC means is the business of
//! `furlong_compiler`.

pub mod compiled;
pub mod exit;
pub mod furlong;
pub mod gcc;
pub mod ompcc;
pub mod options;
pub mod options_doc;
pub mod temp;
pub mod text;
pub mod upcc;
pub mod upcrun;
