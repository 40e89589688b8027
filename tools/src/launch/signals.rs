// SPDX-License-Identifier: BSD-3-Clause
//! The signals that upcrun hears through a descriptor, and the children whose deaths they tell.

use super::fate::End;
use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::Pid;
use std::io;

/// All of them. Those that upcrun was started to ignore (nohup) stay ignored.
pub fn heard() -> SigSet {
    let ending = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
    let passed_on = [Signal::SIGUSR1, Signal::SIGUSR2];
    let mut set: SigSet = ending.into_iter().chain(passed_on).filter(|s| !is_ignored(*s)).collect();
    set.add(Signal::SIGCHLD);
    set
}

/// Blocks the signals and returns the descriptor that hears them. With processes elsewhere, which
/// the terminal does not reach, SIGTSTP is among them.
pub fn catch(elsewhere: bool) -> io::Result<SignalFd> {
    let mut set = heard();
    if elsewhere && !is_ignored(Signal::SIGTSTP) {
        set.add(Signal::SIGTSTP);
    }
    set.thread_block()?;
    Ok(SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?)
}

/// A child that has ended, and how; none if there is no more for now.
pub fn next_death() -> Option<(Pid, End)> {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(pid, code)) => return Some((pid, End::Code(code))),
            Ok(WaitStatus::Signaled(pid, signal, dumped_core)) => {
                return Some((pid, End::Signal { number: signal as i32, dumped_core }))
            }
            Err(Errno::EINTR) => {}
            _ => return None,
        }
    }
}

/// Whether this process has been started to ignore the signal, or does.
pub fn is_ignored(signal: Signal) -> bool {
    // SAFETY: a null new action only asks for the old one, which is plain data.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as i32, std::ptr::null(), &mut old) == 0
            && old.sa_sigaction == libc::SIG_IGN
    }
}
