// SPDX-License-Identifier: BSD-3-Clause
//! One of upcrun's own outputs, written without ever waiting for its reader.

use super::poller::Watched;
use nix::errno::Errno;
use nix::fcntl::{open, OFlag};
use nix::sys::stat::{fstat, Mode, SFlag};
use nix::unistd::write;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

/// Text that waits to be written: more than this, and nothing is read from the processes.
const MOST_PENDING: usize = 1 << 18;

pub struct Sink {
    original: BorrowedFd<'static>,
    /// The same pipe or terminal opened anew: the flag O_NONBLOCK of the original would be seen
    /// by every program that shares it. A regular file never blocks and is not reopened, since
    /// that would lose its position.
    reopened: Option<Watched>,
    pending: Vec<u8>,
    written: usize,
    /// Why nothing more can be written: EPIPE, the reader is gone, or a full disk and the like.
    pub broken: Option<Errno>,
}

impl Sink {
    pub fn new(original: BorrowedFd<'static>) -> Sink {
        let kind = fstat(original).map(|stat| SFlag::from_bits_truncate(stat.st_mode));
        let can_block = kind.is_ok_and(|kind| {
            let kind = kind & SFlag::S_IFMT;
            kind == SFlag::S_IFIFO || kind == SFlag::S_IFCHR
        });
        let path = format!("/proc/self/fd/{}", original.as_raw_fd());
        let flags = OFlag::O_WRONLY | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let reopened = match can_block {
            true => open(path.as_str(), flags, Mode::empty()).ok().map(Watched::new),
            false => None,
        };
        Sink { original, reopened, pending: Vec::new(), written: 0, broken: None }
    }

    /// Takes all of `text`, and writes as much as the reader has room for.
    pub fn add(&mut self, text: &mut Vec<u8>) {
        if self.pending.is_empty() {
            std::mem::swap(&mut self.pending, text);
        } else {
            self.pending.append(text);
        }
        self.flush();
    }

    pub fn flush(&mut self) {
        while self.written < self.pending.len() && self.broken.is_none() {
            let fd = self.reopened.as_ref().map_or(self.original, |watched| watched.fd.as_fd());
            match write(fd, &self.pending[self.written..]) {
                Ok(count) => self.written += count,
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(error) => self.broken = Some(error),
            }
        }
        if self.broken.is_some() || self.written == self.pending.len() {
            self.pending.clear();
            self.written = 0;
        }
    }

    pub fn has_room(&self) -> bool {
        self.pending.len() - self.written < MOST_PENDING
    }

    /// Whether something waits for the reader to have room.
    pub fn waits(&self) -> bool {
        self.written < self.pending.len() && self.reopened.is_some()
    }

    /// The descriptor that can be waited for.
    pub fn descriptor(&mut self) -> Option<&mut Watched> {
        self.reopened.as_mut()
    }
}

/// Whether stdout and stderr are one file, so that their lines must be kept apart together.
pub fn same_file(a: BorrowedFd, b: BorrowedFd) -> bool {
    match (fstat(a), fstat(b)) {
        (Ok(a), Ok(b)) => (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino),
        _ => false,
    }
}
