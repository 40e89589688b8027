// SPDX-License-Identifier: BSD-3-Clause
//! What limits the memory of programs.

use super::{good, note, problem, Finding};
use crate::cgroup;
use crate::text::bytes;
use nix::errno::Errno;
use nix::fcntl::{open, OFlag};
use nix::sys::memfd::{memfd_create, MFdFlags};
use nix::sys::resource::{getrlimit, Resource, RLIM_INFINITY};
use nix::sys::stat::Mode;
use nix::sys::statvfs::statvfs;
use std::path::Path;

/// Shared memory has this range of addresses reserved (runtime/space/space.h).
const SPACE: u64 = 1 << 45;
/// Descriptors that upcrun needs for a process (tools/src/launch/limits.rs).
const FDS_PER_PROCESS: u64 = 4;
const SMALL: u64 = 1 << 30;

pub fn findings() -> Vec<Finding> {
    let mut findings = vec![addresses(), overcommit(), file_size(), files(), shared()];
    findings.extend(locked());
    findings.extend(groups());
    findings.push(huge_pages());
    findings
}

fn limit(resource: Resource) -> (u64, u64) {
    getrlimit(resource).unwrap_or((RLIM_INFINITY, RLIM_INFINITY))
}

fn addresses() -> Finding {
    match limit(Resource::RLIMIT_AS).0 {
        RLIM_INFINITY => good("address space is not limited"),
        most if most > 2 * SPACE => good(format!("address space is limited to {}", bytes(most))),
        most => problem(
            format!("address space is limited to {} (`ulimit -v`)", bytes(most)),
            "run `ulimit -v unlimited`, or ask the batch system for no limit: shared memory reserves \
             32 TB of addresses, which cost no memory (R0102)",
        ),
    }
}

fn overcommit() -> Finding {
    match read("/proc/sys/vm/overcommit_memory").as_deref() {
        Some("2") => problem(
            "vm.overcommit_memory is 2: addresses cannot be reserved",
            "as root, run `sysctl vm.overcommit_memory=0` (R0102)",
        ),
        Some(value) => good(format!("vm.overcommit_memory is {value}")),
        None => good("vm.overcommit_memory cannot be read"),
    }
}

fn file_size() -> Finding {
    match limit(Resource::RLIMIT_FSIZE).0 {
        RLIM_INFINITY => good("the size of files is not limited"),
        most if most > SPACE + SPACE / 2 => good(format!("files may have {}", bytes(most))),
        most => problem(
            format!("the size of files is limited to {} (`ulimit -f`)", bytes(most)),
            "run `ulimit -f unlimited`: shared memory is a sparse file in memory (R0103)",
        ),
    }
}

fn files() -> Finding {
    let (soft, hard) = limit(Resource::RLIMIT_NOFILE);
    let text = format!("{soft} open files are allowed, and {hard} if asked for (`ulimit -n`)");
    let processes = hard.saturating_sub(32) / FDS_PER_PROCESS;
    match processes {
        0..2 => problem(text, "raise the limit to 1024 or more: a job of two processes needs 40"),
        2..128 => note(
            format!("{text}: enough for {processes} processes"),
            "for more, raise the limit, or put several threads into each process (upcrun -p)",
        ),
        _ => good(text),
    }
}

/// The file that holds the memory of a job's processes on a host.
fn shared() -> Finding {
    let refused = match memfd_create(c"furlong-doctor", MFdFlags::MFD_CLOEXEC) {
        Ok(_) => return good("memory can be shared (memfd_create)"),
        Err(errno) => errno,
    };
    let text = format!("memfd_create is refused ({})", refused.desc());
    let flags = OFlag::O_TMPFILE | OFlag::O_RDWR | OFlag::O_CLOEXEC;
    match open("/dev/shm", flags, Mode::S_IRUSR | Mode::S_IWUSR) {
        Err(errno) => problem(
            format!("{text}, and /dev/shm cannot be used: {}", errno.desc()),
            "a container needs one of both: allow memfd_create in its seccomp profile, or mount a \
             tmpfs at /dev/shm (docs/containers.md)",
        ),
        Ok(_) => {
            let room = room("/dev/shm").unwrap_or(0);
            let text = format!("{text}; jobs use /dev/shm, which has {} left", bytes(room));
            match room < SMALL {
                true => note(text, "give it more: `docker run --shm-size=8g` (docs/containers.md)"),
                false => good(text),
            }
        }
    }
}

fn room(path: &str) -> Result<u64, Errno> {
    let found = statvfs(path)?;
    Ok(found.blocks_available() as u64 * found.fragment_size() as u64)
}

/// Of interest where InfiniBand and its like have the hardware read memory.
fn locked() -> Option<Finding> {
    let most = limit(Resource::RLIMIT_MEMLOCK).0;
    let has_devices = std::fs::read_dir("/sys/class/infiniband").is_ok_and(|d| d.count() > 0);
    match (has_devices, most) {
        (false, _) => None,
        (true, RLIM_INFINITY) => Some(good("memory may be locked without limit (`ulimit -l`)")),
        (true, most) => Some(note(
            format!("only {} may be locked (`ulimit -l`), and there is InfiniBand", bytes(most)),
            "have the administrator set memlock to unlimited in /etc/security/limits.conf",
        )),
    }
}

fn groups() -> Vec<Finding> {
    let groups = cgroup::memory();
    let Some((group, most)) = cgroup::narrowest(&groups) else {
        return vec![good("no control group limits memory")];
    };
    let text = format!("the control group {} allows {}", group.folder.display(), bytes(most));
    match most < SMALL {
        true => vec![note(text, "a job that touches more is killed; ask for more memory")],
        false => vec![good(text)],
    }
}

fn huge_pages() -> Finding {
    let chosen = |name: &str| {
        let text = read(format!("/sys/kernel/mm/transparent_hugepage/{name}"))?;
        Some(text.split_once('[')?.1.split_once(']')?.0.to_string())
    };
    match (chosen("enabled"), chosen("shmem_enabled")) {
        (Some(own), Some(shared)) => good(format!(
            "large pages: {own} for private memory, {shared} for shared (FURLONG_HUGE_PAGES)"
        )),
        _ => note(
            "the kernel has no transparent large pages",
            "FURLONG_HUGE_PAGES=1 is without effect here; nothing else needs them",
        ),
    }
}

pub fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_string())
}
