// SPDX-License-Identifier: BSD-3-Clause
//! upcrun's standard input when the process that gets it is on another host: read in pieces, each
//! when the process has taken the one before.

use super::poller::{Poller, Source, Watched};
use nix::errno::Errno;
use nix::unistd::{getpgrp, read, tcgetpgrp};
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};

const PIECE: usize = 1 << 15;

pub struct Input {
    stdin: Watched<BorrowedFd<'static>>,
    ended: bool,
}

impl Input {
    pub fn new() -> Input {
        // SAFETY: upcrun never closes its standard descriptors.
        let stdin = unsafe { BorrowedFd::borrow_raw(0) };
        // In the background to read from a terminal would stop upcrun.
        let other = |group| group != getpgrp();
        let background = io::stdin().is_terminal() && tcgetpgrp(stdin).map_or(true, other);
        Input { stdin: Watched::new(stdin), ended: background }
    }

    /// The process has room for more. What is there already, if it cannot be waited for.
    pub fn wanted(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        if self.ended {
            return Some(Vec::new());
        }
        // A regular file is always ready, and epoll takes none.
        match poller.read(&mut self.stdin, Source::Input) {
            Ok(()) => None,
            Err(_) => self.read(poller),
        }
    }

    /// The next piece; an empty one is the end.
    pub fn read(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        let mut piece = vec![0; PIECE];
        let count = match read(self.stdin.fd.as_fd(), &mut piece) {
            Err(Errno::EINTR | Errno::EAGAIN) => return None,
            count => count.unwrap_or(0),
        };
        poller.forget(&mut self.stdin, Source::Input);
        self.ended = count == 0;
        piece.truncate(count);
        Some(piece)
    }
}
