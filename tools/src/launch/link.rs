// SPDX-License-Identifier: BSD-3-Clause
//! One end of what connects the head of a job with an agent: two pipes, frames in both directions.
//! Never waits: what cannot go yet is kept, and each end tells the other that it is still there.

use super::poller::{Poller, Source, Watched};
use super::wire;
use nix::errno::Errno;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::epoll::EpollFlags;
use nix::unistd::{read, write};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_secs(1);
/// So many beats of our own without a word from the other end mean that it is lost. Beats, not
/// seconds: an end that was stopped itself has not listened meanwhile.
const PATIENCE: u32 = 4;
/// With more than this to send, no output is read from processes.
const ROOM: usize = 1 << 18;

pub struct Link {
    number: usize,
    from: Watched,
    to: Watched,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    sent: usize,
    /// The other end is gone.
    pub ended: bool,
    next_beat: Option<Instant>,
    unheard: u32,
    /// Nothing is read for now.
    held: bool,
}

impl Link {
    /// Both descriptors must be non-blocking; events carry `number`.
    pub fn new(number: usize, from: OwnedFd, to: OwnedFd, poller: &Poller) -> io::Result<Link> {
        let mut from = Watched::new(from);
        poller.read(&mut from, Source::From(number))?;
        Ok(Link {
            number,
            from,
            to: Watched::new(to),
            incoming: Vec::new(),
            outgoing: Vec::new(),
            sent: 0,
            ended: false,
            next_beat: None,
            unheard: 0,
            held: false,
        })
    }

    /// Whether from now on the other end is expected to say something every second.
    pub fn expect_beats(&mut self, yes: bool) {
        self.next_beat = yes.then(|| Instant::now() + BEAT);
        self.unheard = 0;
    }

    /// Whether there is room for what comes: else none is read, and silence means nothing.
    pub fn set_room(&mut self, room: bool, poller: &Poller) {
        if self.held == room && !self.ended {
            self.held = !room;
            self.unheard = 0;
            let flags = if room { EpollFlags::EPOLLIN } else { EpollFlags::empty() };
            let _ = poller.want(&mut self.from, Source::From(self.number), flags);
        }
    }

    /// Reads what has come.
    pub fn receive(&mut self, poller: &Poller) {
        let mut buffer = [0; 1 << 16];
        match read(&self.from.fd, &mut buffer) {
            Ok(count) if count > 0 => {
                self.incoming.extend_from_slice(&buffer[..count]);
                self.unheard = 0;
            }
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            _ => self.end(poller),
        }
    }

    /// Whether there is something to receive.
    pub fn is_readable(&self) -> bool {
        let mut fds = [PollFd::new(self.from.fd.as_fd(), PollFlags::POLLIN)];
        poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
    }

    /// Everything that has come and is not understood yet.
    pub fn unread(&mut self) -> &mut Vec<u8> {
        &mut self.incoming
    }

    /// All messages that have come whole.
    pub fn messages<T: DeserializeOwned>(&mut self) -> Result<Vec<T>, String> {
        let (mut messages, mut at) = (Vec::new(), 0);
        while let Some((message, used)) = wire::decode(&self.incoming[at..])? {
            messages.push(message);
            at += used;
        }
        self.incoming.drain(..at);
        Ok(messages)
    }

    pub fn send<T: Serialize>(&mut self, message: &T, poller: &Poller) {
        wire::encode(message, &mut self.outgoing);
        self.flush(poller);
    }

    pub fn send_text(&mut self, text: &str, poller: &Poller) {
        self.outgoing.extend_from_slice(text.as_bytes());
        self.flush(poller);
    }

    pub fn flush(&mut self, poller: &Poller) {
        while self.sent < self.outgoing.len() && !self.ended {
            match write(&self.to.fd, &self.outgoing[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                // What the other end said before is still to be read, and then its end.
                Err(_) => self.sent = self.outgoing.len(),
            }
        }
        let waits = self.sent < self.outgoing.len() && !self.ended;
        if !waits {
            self.outgoing.clear();
            self.sent = 0;
        }
        let flags = if waits { EpollFlags::EPOLLOUT } else { EpollFlags::empty() };
        let _ = poller.want(&mut self.to, Source::To(self.number), flags);
    }

    pub fn has_room(&self) -> bool {
        self.outgoing.len() - self.sent < ROOM
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.next_beat.filter(|_| !self.ended)
    }

    /// Tells the other end that this one is there. Whether the other is.
    pub fn tick(&mut self, beat: &impl Serialize, now: Instant, poller: &Poller) -> bool {
        if self.deadline().is_some_and(|at| at <= now) {
            self.next_beat = Some(now + BEAT);
            self.unheard += u32::from(!self.held);
            self.send(beat, poller);
        }
        self.unheard < PATIENCE
    }

    fn end(&mut self, poller: &Poller) {
        self.ended = true;
        poller.forget(&mut self.from, Source::From(self.number));
        poller.forget(&mut self.to, Source::To(self.number));
    }
}
