// SPDX-License-Identifier: BSD-3-Clause
//! Programs that a tool's children started (`system`, `fork`, a compiler's passes): the tool is
//! their subreaper, so when their parents are gone they become its own children, and are not left
//! behind.
//!
//! Only a child is ever killed: /proc may be that of another PID namespace (`unshare -pf`, some
//! containers), whose numbers mean other processes here.

use nix::errno::Errno;
use nix::sys::signal::{kill, Signal};
use nix::sys::wait::{waitid, waitpid, Id, WaitPidFlag};
use nix::unistd::Pid;

/// Makes orphans among the descendants children of this process instead of init's.
pub fn adopt() {
    // It fails on kernels before 3.4 only, and then orphans stay.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Kills and collects all children, and theirs as they become ours.
pub fn kill_all() {
    loop {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in &children {
            let _ = kill(*child, Signal::SIGKILL);
        }
        for child in children {
            let _ = waitpid(child, None);
        }
    }
}

/// The children of this process, which its first thread started or adopted.
fn children() -> Vec<Pid> {
    let own = numbers("self");
    let Some(shown) = own.first() else { return Vec::new() };
    let list = std::fs::read_to_string(format!("/proc/self/task/{shown}/children"));
    list.unwrap_or_default()
        .split_whitespace()
        .filter_map(|shown| numbers(shown).get(own.len() - 1).copied())
        .map(Pid::from_raw)
        .filter(|&child| is_child(child))
        .collect()
}

/// The numbers of a process, named as /proc does: from the namespace of /proc to the process's own.
fn numbers(shown: &str) -> Vec<i32> {
    let status = std::fs::read_to_string(format!("/proc/{shown}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
    line.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// A child that has not been waited for keeps its number, so what is true of it stays true.
fn is_child(pid: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    pid.as_raw() > 0 && waitid(Id::Pid(pid), flags) != Err(Errno::ECHILD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_its_own_number_and_no_child() {
        let own = std::process::id() as i32;
        assert_eq!(numbers("self").last(), Some(&own));
        assert!(!is_child(Pid::from_raw(own)));
        assert!(!is_child(Pid::from_raw(1)));
    }
}
