// SPDX-License-Identifier: BSD-3-Clause
//! Damaged programs, which the compiler must survive: no panic, no overflow, no hang, no more
//! memory than a machine has. Input `n` of seed `s` is the same on every machine.
//!
//! [`corpus`] reads the programs of `tests` and `examples`, [`mutate`] damages them, [`check`]
//! takes one through all phases in this process. The command (`main.rs`) runs workers, which may
//! die, and [`findings`] keeps what killed them.

pub mod check;
pub mod corpus;
pub mod emitted;
pub mod findings;
pub mod mutate;
pub mod random;
pub mod tokens;
pub mod workers;
