// SPDX-License-Identifier: BSD-3-Clause
//! Programs that a job's processes started (`system`, `fork`): upcrun is their subreaper, so when
//! their parents are gone they become its own children, and no job leaves them behind.

use nix::sys::signal::{kill, Signal};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

/// Makes orphans of the job's processes children of upcrun instead of init's.
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

/// The children of this process, which has one thread.
fn children() -> Vec<Pid> {
    let pid = std::process::id();
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    list.unwrap_or_default()
        .split_whitespace()
        .filter_map(|p| p.parse().ok().map(Pid::from_raw))
        .collect()
}
