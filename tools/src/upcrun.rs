// SPDX-License-Identifier: BSD-3-Clause
//! The launcher.

/// Runs upcrun with the arguments after its name, and returns its exit code.
pub fn main(_args: Vec<String>) -> i32 {
    eprintln!("upcrun: not built yet");
    crate::exit::INTERNAL
}
