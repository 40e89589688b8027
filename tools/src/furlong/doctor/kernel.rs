// SPDX-License-Identifier: BSD-3-Clause
//! What the kernel, or a sandbox before it, lets programs do.

use super::memory::read;
use super::{good, note, Finding};
use nix::errno::Errno;
use nix::sys::personality::{self, Persona};
use std::os::fd::{FromRawFd, OwnedFd};

pub fn findings() -> Vec<Finding> {
    vec![userfaultfd(), personality(), debugging()]
}

/// Whether a seccomp filter stands before the kernel.
fn is_filtered() -> bool {
    let status = read("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.strip_prefix("Seccomp:").is_some_and(|n| n.trim() == "2"))
}

/// Who refuses a system call, as far as one can know.
fn refuser(errno: Errno) -> &'static str {
    match (errno, is_filtered()) {
        (Errno::ENOSYS, false) => "the kernel does not have it",
        (_, true) => "a seccomp filter refuses it",
        _ => "the kernel refuses it",
    }
}

fn userfaultfd() -> Finding {
    const USER_MODE_ONLY: libc::c_int = 1;
    let flags = libc::O_CLOEXEC | USER_MODE_ONLY;
    // SAFETY: the call takes flags alone, and returns a descriptor of its own or -1.
    let fd = unsafe { libc::syscall(libc::SYS_userfaultfd, flags) } as i32;
    if fd >= 0 {
        // SAFETY: the descriptor is open, and nobody else has it.
        drop(unsafe { OwnedFd::from_raw_fd(fd) });
        return good("page faults can be taken over (userfaultfd)");
    }
    let errno = Errno::last();
    let advice = match (is_filtered(), read("/proc/sys/vm/unprivileged_userfaultfd").as_deref()) {
        (true, _) => "allow userfaultfd in the container's seccomp profile (docs/containers.md)",
        (false, Some("0")) => "as root, run `sysctl vm.unprivileged_userfaultfd=1`",
        _ => "a kernel from 5.11 on has it (CONFIG_USERFAULTFD)",
    };
    note(
        format!(
            "userfaultfd: {} ({}); omprun over hosts uses page protection, 1 to 3 us slower a fault",
            refuser(errno),
            errno.desc()
        ),
        advice,
    )
}

fn personality() -> Finding {
    let own = personality::get().unwrap_or(Persona::empty());
    let set = personality::set(own | Persona::ADDR_NO_RANDOMIZE);
    let _ = personality::set(own);
    match set {
        Ok(_) => good("programs can start at equal addresses (personality)"),
        Err(_) if own.contains(Persona::ADDR_NO_RANDOMIZE) => {
            good("addresses are not randomised here")
        }
        Err(errno) => note(
            format!(
                "personality(ADDR_NO_RANDOMIZE): {} ({}); omprun cannot use several hosts",
                refuser(errno),
                errno.desc()
            ),
            "allow that call in the container's seccomp profile, with the value 262144, or start the \
             container by `setarch -R` (docs/containers.md); UPC programs do not need it",
        ),
    }
}

fn debugging() -> Finding {
    match read("/proc/sys/kernel/yama/ptrace_scope").as_deref() {
        None | Some("0") => good("debuggers may attach to one's own processes"),
        Some("2") if nix::unistd::geteuid().is_root() => good("root may attach debuggers"),
        Some("1") => good("debuggers may attach to processes that allow it (ptrace_scope is 1)"),
        Some(scope) => note(
            format!("debuggers may not attach (kernel.yama.ptrace_scope is {scope})"),
            "for upcrun -gdb: as root, run `sysctl kernel.yama.ptrace_scope=1`",
        ),
    }
}
