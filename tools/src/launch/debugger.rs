// SPDX-License-Identifier: BSD-3-Clause
//! Debuggers: `-gdb` has one attached to a thread that waits at its start, `-freeze` tells the
//! user how to attach one (docs/debugging.md).

use crate::install;
use crate::text::{shell_word, words};
use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The debugger that a user wants.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The thread that it is for.
    pub thread: Option<u32>,
    pub arguments: Vec<String>,
    pub command: Vec<String>,
}

/// The debugger's command, and the user's options of it, by the environment.
pub fn command(value: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let named = value("UPCRUN_GDB").filter(|text| !text.trim().is_empty());
    words(&named.unwrap_or("gdb".into()))
}

#[derive(Default)]
pub struct Debugger {
    /// What to start, with the user's arguments last; nothing under `-freeze`.
    attach: Option<(Vec<String>, Vec<String>)>,
    script: PathBuf,
    /// The debugger, and the process that it was started for.
    running: Option<(Pid, usize)>,
    was_started: bool,
}

impl Debugger {
    pub fn new(wanted: &Wanted) -> Debugger {
        let attach = wanted.thread.map(|_| (wanted.command.clone(), wanted.arguments.clone()));
        Debugger { attach, script: install::gdb_script(), running: None, was_started: false }
    }

    /// Does the terminal belong to a debugger, with its signals?
    pub fn has_terminal(&self) -> bool {
        self.attach.is_some()
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// A thread waits at its start. What to tell the user.
    pub fn frozen(&mut self, process: usize, pid: Pid, host: &str, thread: u32) -> Option<String> {
        let script = self.script.display().to_string();
        let Some((command, arguments)) = &self.attach else {
            return Some(format!(
                "thread {thread} waits for a debugger: process {pid} on {host}\n\
                 upcrun:   attach:    gdb -p {pid} -x {} -ex 'upc start'\n\
                 upcrun:   continue:  kill -CONT {pid}",
                shell_word(&script)
            ));
        };
        if self.was_started {
            return None;
        }
        let folder = self.script.parent().unwrap_or(Path::new("/"));
        let mut gdb = Command::new(&command[0]);
        gdb.args(&command[1..])
            .args(["-q", "-iex", &format!("add-auto-load-safe-path {}", folder.display())])
            .args(["-p", &pid.to_string(), "-x", &script])
            .args(["-ex", &format!("upc start {thread}")])
            .args(arguments);
        let signals = super::signals::heard();
        let prepare = move || {
            nix::sys::prctl::set_pdeathsig(Signal::SIGTERM)?;
            signals.thread_unblock()?;
            Ok(())
        };
        // SAFETY: the closure makes system calls only; it neither allocates nor takes locks.
        unsafe { gdb.pre_exec(prepare) };
        self.was_started = true;
        match gdb.spawn() {
            Ok(child) => {
                self.running = Some((Pid::from_raw(child.id() as i32), process));
                None
            }
            Err(e) => Some(format!("error: cannot start `{}`: {e}", command[0])),
        }
    }

    /// The process that the debugger `pid` was started for, if `pid` is the debugger: it ended.
    pub fn ended(&mut self, pid: Pid) -> Option<usize> {
        self.running.take_if(|(debugger, _)| *debugger == pid).map(|(_, process)| process)
    }

    /// Asks the debugger to end.
    pub fn dismiss(&self) {
        if let Some((pid, _)) = self.running {
            let _ = kill(pid, Signal::SIGTERM);
        }
    }
}

/// Is the process stopped in the hands of a debugger?
pub fn holds(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && line.contains("tracing stop"))
}

/// Why no debugger could be started or attached, before anything runs.
pub fn check(wanted: &Wanted) -> Result<(), String> {
    if wanted.thread.is_none() {
        return Ok(());
    }
    let name = &wanted.command[0];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let exists = match name.contains('/') {
        true => Path::new(name).exists(),
        false => std::env::split_paths(&path).any(|dir| dir.join(name).exists()),
    };
    if !exists {
        return Err(format!(
            "there is no debugger `{name}`: install gdb, or name another in UPCRUN_GDB"
        ));
    }
    match std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").as_deref().map(str::trim) {
        Ok("3") => Err(refused("no debugger may attach")),
        Ok("2") if !nix::unistd::geteuid().is_root() => Err(refused("only root may debug")),
        _ => Ok(()),
    }
}

fn refused(what: &str) -> String {
    format!(
        "{what} on this machine (kernel.yama.ptrace_scope); an administrator can allow it with \
         `sysctl kernel.yama.ptrace_scope=1`"
    )
}
