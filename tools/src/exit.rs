// SPDX-License-Identifier: BSD-3-Clause
//! How tools end: the exit codes that they share (docs/launch.md, "Ends"), and what is said of them.

use crate::{temp, text};
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

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
    // In one piece: others may write there as well. A closed stderr must change nothing.
    let line = text::os(&format!("{tool}: {text}\n"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}

static TOOL: OnceLock<&str> = OnceLock::new();

/// Says once which tool this process is.
pub fn set_tool(name: &'static str) {
    let _ = TOOL.set(name);
}

/// Prints on standard output. Where that cannot be, the process ends: with a message, unless the
/// reader is gone.
pub fn print(text: std::fmt::Arguments) {
    let mut out = std::io::stdout().lock();
    let Err(e) = out.write_all(text.to_string().as_bytes()).and_then(|()| out.flush()) else {
        return;
    };
    temp::remove_unfinished();
    let code = match e.kind() {
        ErrorKind::BrokenPipe => SIGNAL_BASE + libc::SIGPIPE,
        _ => {
            let tool = TOOL.get().copied().unwrap_or("furlong");
            code(tool, Err((SYSTEM, format!("cannot write to standard output: {e}"))))
        }
    };
    std::process::exit(code)
}

/// Prints as `print!` does, which would panic where [`print`] ends the process.
#[macro_export]
macro_rules! out {
    ($($text:tt)*) => { $crate::exit::print(format_args!($($text)*)) };
}

/// As `println!`.
#[macro_export]
macro_rules! outln {
    ($($text:tt)*) => { $crate::exit::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// The exit code of `tool`, which came to `outcome`.
pub fn code(tool: &str, outcome: Result<i32, Refusal>) -> i32 {
    outcome.unwrap_or_else(|(code, text)| {
        say(tool, format_args!("error: {text}"));
        code
    })
}
