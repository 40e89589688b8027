// SPDX-License-Identifier: BSD-3-Clause
//! Exit codes that both tools share (docs/launch.md, "Ends").

pub const OK: i32 = 0;
/// Diagnostics were reported.
pub const FAILED: i32 = 1;
pub const USAGE: i32 = 2;
pub const INTERNAL: i32 = 101;
pub const SYSTEM: i32 = 111;
/// The program to run is not found or cannot run.
pub const NOT_FOUND: i32 = 127;
/// Added to the number of the signal that ended a process.
pub const SIGNAL_BASE: i32 = 128;
