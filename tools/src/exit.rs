// SPDX-License-Identifier: BSD-3-Clause
//! How tools end: the exit codes that they share (docs/launch.md, "Ends"), and what is said of them.

use std::io::Write;

pub const OK: i32 = 0;
/// Diagnostics were reported.
pub const FAILED: i32 = 1;
pub const USAGE: i32 = 2;
pub const INTERNAL: i32 = 101;
pub const SYSTEM: i32 = 111;
/// The job took longer than it may, as for timeout(1).
pub const TIMEOUT: i32 = 124;
/// The program to run is not found or cannot run.
pub const NOT_FOUND: i32 = 127;
/// Added to the number of the signal that ended a process.
pub const SIGNAL_BASE: i32 = 128;

/// Why a tool has done nothing: an exit code, and the reason for the user.
pub type Refusal = (i32, String);

/// A wrong command line of `tool`.
pub fn usage(tool: &str, text: String) -> Refusal {
    (USAGE, format!("{text}\n{tool}: `{tool} -help` lists the options"))
}

/// Says something as `tool`.
pub fn say(tool: &str, text: impl std::fmt::Display) {
    // A closed stderr must change nothing.
    let _ = writeln!(std::io::stderr(), "{tool}: {text}");
}

/// The exit code of `tool`, which came to `outcome`.
pub fn code(tool: &str, outcome: Result<i32, Refusal>) -> i32 {
    outcome.unwrap_or_else(|(code, text)| {
        say(tool, format_args!("error: {text}"));
        code
    })
}
