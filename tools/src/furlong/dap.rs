// SPDX-License-Identifier: BSD-3-Clause
//! `furlong dap`: gdb as a server of the Debug Adapter Protocol, on standard input and output, that
//! knows UPC (docs/debugging.md). The protocol is gdb's business.

use crate::exit::{self, Refusal};
use crate::install;
use crate::launch::debugger;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The first version of gdb that serves the protocol.
const FIRST: u32 = 14;

pub fn run() -> Result<i32, Refusal> {
    let command = debugger::command(|name| std::env::var(name).ok());
    check(&command).map_err(|text| (exit::NOT_FOUND, text))?;
    let script = install::gdb_script();
    let failed = Command::new(&command[0])
        .args(&command[1..])
        .args(["-q", "-i", "dap", "-iex", &format!("source {}", script.display())])
        .args(["-iex", "python from furlong_gdb import adapter; adapter.register()"])
        .exec();
    Err((exit::NOT_FOUND, format!("cannot start `{}`: {failed}", command[0])))
}

fn check(command: &[String]) -> Result<(), String> {
    let name = &command[0];
    let output = Command::new(name).arg("--version").output().map_err(|e| {
        format!("cannot start `{name}`: {e}; install gdb, or name another in UPCRUN_GDB")
    })?;
    match version(&String::from_utf8_lossy(&output.stdout)) {
        Some(version) if version < FIRST => Err(format!(
            "`{name}` is version {version}, and gdb is a debug adapter from {FIRST} on; name a newer \
             one in UPCRUN_GDB"
        )),
        // Another debugger may speak the protocol all the same.
        _ => Ok(()),
    }
}

/// Of `GNU gdb (Debian 16.3-1) 16.3`: 16.
fn version(text: &str) -> Option<u32> {
    let last = text.lines().next()?.split_whitespace().last()?;
    last.split('.').next()?.parse().ok()
}

#[test]
fn versions_stand_at_the_end_of_the_first_line() {
    assert_eq!(version("GNU gdb (Debian 13.1-3) 13.1\nCopyright\n"), Some(13));
    assert_eq!(version("GNU gdb (Fedora Linux) 16.2-1.fc41\n"), Some(16));
    assert_eq!(version(""), None);
}
