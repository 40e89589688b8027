// SPDX-License-Identifier: BSD-3-Clause
//! What a loop waits for: descriptors, each with a name of ours, and a deadline.

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

/// What an event is about; in epoll `(kind, number)` in 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Signals,
    /// The control socket of a member of the crew.
    Control(usize),
    /// Outputs of the crew's members: stdout of member *i* has the number 2*i*, stderr the next.
    Pipe(usize),
    /// An output of upcrun.
    Sink(usize),
    /// The standard input, here to read it, there to pass it on.
    Input,
    /// What comes from the other end of a link, and what goes there.
    From(usize),
    To(usize),
}

impl Source {
    fn token(self) -> u64 {
        let (kind, number) = match self {
            Source::Signals => (0, 0),
            Source::Control(i) => (1, i),
            Source::Pipe(i) => (2, i),
            Source::Sink(i) => (3, i),
            Source::Input => (4, 0),
            Source::From(i) => (5, i),
            Source::To(i) => (6, i),
        };
        kind << 32 | number as u64
    }

    fn from_token(token: u64) -> Source {
        let i = (token & 0xffff_ffff) as usize;
        match token >> 32 {
            0 => Source::Signals,
            1 => Source::Control(i),
            2 => Source::Pipe(i),
            3 => Source::Sink(i),
            4 => Source::Input,
            5 => Source::From(i),
            _ => Source::To(i),
        }
    }
}

/// A descriptor and what is waited for on it.
pub struct Watched<F = OwnedFd> {
    pub fd: F,
    flags: EpollFlags,
}

impl<F> Watched<F> {
    pub fn new(fd: F) -> Watched<F> {
        Watched { fd, flags: EpollFlags::empty() }
    }
}

pub struct Poller {
    epoll: Epoll,
}

impl Poller {
    pub fn new() -> io::Result<Poller> {
        Ok(Poller { epoll: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)? })
    }

    /// From now on waits for `flags`. With none of them not even an end is told, which would come
    /// again and again.
    pub fn want<F: AsFd>(
        &self,
        watched: &mut Watched<F>,
        source: Source,
        flags: EpollFlags,
    ) -> io::Result<()> {
        if flags == watched.flags {
            return Ok(());
        }
        let mut event = EpollEvent::new(flags, source.token());
        match (watched.flags.is_empty(), flags.is_empty()) {
            (true, _) => self.epoll.add(&watched.fd, event)?,
            (_, true) => self.epoll.delete(&watched.fd)?,
            _ => self.epoll.modify(&watched.fd, &mut event)?,
        }
        watched.flags = flags;
        Ok(())
    }

    pub fn read<F: AsFd>(&self, watched: &mut Watched<F>, source: Source) -> io::Result<()> {
        self.want(watched, source, EpollFlags::EPOLLIN)
    }

    pub fn forget<F: AsFd>(&self, watched: &mut Watched<F>, source: Source) {
        // A descriptor that is about to be closed: nothing depends on it.
        let _ = self.want(watched, source, EpollFlags::empty());
    }

    /// Waits for events until the deadline.
    pub fn wait(&self, deadline: Option<Instant>) -> io::Result<Vec<Source>> {
        let mut events = [EpollEvent::empty(); 64];
        let count = match self.epoll.wait(&mut events, timeout(deadline)) {
            Ok(count) => count,
            Err(Errno::EINTR) => 0,
            Err(errno) => return Err(errno.into()),
        };
        Ok(events[..count].iter().map(|event| Source::from_token(event.data())).collect())
    }
}

fn timeout(deadline: Option<Instant>) -> EpollTimeout {
    let Some(at) = deadline else { return EpollTimeout::NONE };
    // Rounded up: to wake too early would spin.
    let left = at.saturating_duration_since(Instant::now()).as_millis() as u64;
    EpollTimeout::try_from(left.min(60_000) + 1).unwrap_or(EpollTimeout::ZERO)
}
