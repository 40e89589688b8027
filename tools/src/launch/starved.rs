// SPDX-License-Identifier: BSD-3-Clause
//! Why a process was killed for lack of memory: the kernel says so only in counters, which are read
//! before the job and after a death, and in the room that the file system of shared memory has.

use crate::cgroup::{self, Memory};
use crate::text::bytes;
use nix::sys::statvfs::fstatvfs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

pub struct Before {
    groups: Vec<Memory>,
    of_machine: u64,
    /// The shared memory of the job.
    file: OwnedFd,
}

impl Before {
    pub fn now(file: BorrowedFd) -> io::Result<Before> {
        let file = file.try_clone_to_owned()?;
        Ok(Before { groups: cgroup::memory(), of_machine: cgroup::kills_of_machine(), file })
    }

    /// What a signal has been sent for since then, if for lack of memory.
    pub fn reason(&self, signal: i32) -> Option<String> {
        match signal {
            libc::SIGKILL => self.kills(),
            libc::SIGBUS => self.room(),
            _ => None,
        }
    }

    /// Memory of the kernel's own, which is no file of /dev/shm, has no blocks.
    fn room(&self) -> Option<String> {
        let room = fstatvfs(&self.file).ok()?;
        (room.blocks() > 0 && room.blocks_available() == 0).then(|| {
            format!(
                "because shared memory has run out: /dev/shm has room for {}; give it more \
                 (docs/containers.md)",
                bytes(room.blocks() as u64 * room.fragment_size() as u64)
            )
        })
    }

    fn kills(&self) -> Option<String> {
        let groups = cgroup::memory();
        let kills = |groups: &[Memory]| groups.iter().map(|group| group.kills).sum::<u64>();
        if kills(&groups) > kills(&self.groups) {
            let limit = cgroup::narrowest(&groups).map(|(group, most)| {
                format!(": the control group {} allows {}", group.folder.display(), bytes(most))
            });
            return Some(format!(
                "because memory ran out{}; ask for more, or use less",
                limit.unwrap_or_default()
            ));
        }
        (cgroup::kills_of_machine() > self.of_machine).then(|| {
            "while the kernel was killing processes because the machine had no memory left (`dmesg` \
             names them)"
                .to_string()
        })
    }
}
