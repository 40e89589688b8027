// SPDX-License-Identifier: BSD-3-Clause
//! The programs a user runs: `upcc` and `ompcc` compile, `upcrun` and `omprun`
//! start jobs, `furlong` examines and measures machines and answers editors.
//! Only this crate touches files, processes and the environment; what UPC means is the business of
//! `furlong_compiler`.

pub mod begin;
pub mod cgroup;
pub mod compiled;
pub mod completion;
pub mod elf;
pub mod exit;
pub mod furlong;
pub mod gcc;
pub mod install;
pub mod launch;
pub mod lsp;
pub mod machine;
pub mod ompcc;
pub mod omprun;
pub mod options;
pub mod options_doc;
pub mod own_names;
pub mod report;
pub mod temp;
pub mod text;
pub mod upcc;
pub mod upcrun;
