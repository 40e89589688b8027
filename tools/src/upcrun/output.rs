// SPDX-License-Identifier: BSD-3-Clause
//! From the processes' pipes to upcrun's stdout and stderr: whole lines, and no faster than the
//! reader reads.

use super::lines::Merger;
use super::sink::{same_file, Sink};
use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollEvent, EpollFlags};
use nix::unistd::read;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// One pipe of one process.
struct Pipe {
    process: usize,
    /// None after its end.
    end: Option<OwnedFd>,
    channel: usize,
    /// Its number in the channel's merger.
    place: usize,
    /// Whether epoll is to tell of more.
    listening: bool,
}

/// An output of upcrun with everything that flows into it.
struct Channel {
    merger: Merger,
    sink: Sink,
    /// Whether epoll is to tell when the sink has room.
    listening: bool,
}

pub struct Outputs {
    pipes: Vec<Pipe>,
    /// stdout and stderr; one channel alone if both are one file.
    channels: Vec<Channel>,
    buffer: Vec<u8>,
}

const BUFFER: usize = 1 << 16;

impl Outputs {
    /// For a job of `processes`.
    pub fn new(processes: usize) -> Outputs {
        let (stdout, stderr) = (borrow(1), borrow(2));
        let now = Instant::now();
        let channel = |fd, sources| Channel {
            merger: Merger::new(sources, now),
            sink: Sink::new(fd),
            listening: false,
        };
        let channels = match same_file(stdout, stderr) {
            true => vec![channel(stdout, 2 * processes)],
            false => vec![channel(stdout, processes), channel(stderr, processes)],
        };
        Outputs { pipes: Vec::new(), channels, buffer: vec![0; BUFFER] }
    }

    /// Takes a pipe; its number.
    pub fn add(&mut self, process: usize, is_stderr: bool, end: OwnedFd) -> usize {
        let (channel, place) = match (self.channels.len(), is_stderr) {
            (1, _) => (0, 2 * process + usize::from(is_stderr)),
            (_, false) => (0, process),
            (_, true) => (1, process),
        };
        self.pipes.push(Pipe { process, end: Some(end), channel, place, listening: true });
        self.pipes.len() - 1
    }

    pub fn pipe(&self, pipe: usize) -> BorrowedFd<'_> {
        // Only asked of a pipe that was just added.
        self.pipes[pipe].end.as_ref().map_or(borrow(2), |end| end.as_fd())
    }

    /// Reads once what a pipe has.
    pub fn read(&mut self, pipe: usize, now: Instant) {
        let Pipe { end, channel, place, .. } = &mut self.pipes[pipe];
        let Some(fd) = end else { return };
        let channel = &mut self.channels[*channel];
        match read(&*fd, &mut self.buffer) {
            Ok(count) if count > 0 => {
                channel.merger.take(*place, &self.buffer[..count], now);
                channel.pass();
            }
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            _ => {
                *end = None;
                channel.merger.end(*place, now);
                channel.pass();
            }
        }
    }

    /// A process is gone: takes the rest of what it wrote. What a child of it still holds open is
    /// not waited for.
    pub fn ended(&mut self, process: usize, now: Instant) {
        for i in 0..self.pipes.len() {
            if self.pipes[i].process != process {
                continue;
            }
            while self.has_data(i) {
                self.read(i, now);
            }
        }
    }

    fn has_data(&self, pipe: usize) -> bool {
        use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
        let Some(end) = &self.pipes[pipe].end else { return false };
        let mut fds = [PollFd::new(end.as_fd(), PollFlags::POLLIN)];
        poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
    }

    pub fn flush(&mut self, channel: usize) {
        self.channels[channel].sink.flush();
    }

    /// Writes a message of upcrun's own to stderr, as a line.
    pub fn say(&mut self, text: &str) {
        let channel = self.channels.len() - 1;
        let mut line = text.as_bytes().to_vec();
        self.channels[channel].merger.interrupt();
        self.channels[channel].pass();
        self.channels[channel].sink.add(&mut line);
    }

    pub fn tick(&mut self, now: Instant) {
        for channel in &mut self.channels {
            if channel.merger.deadline().is_some_and(|at| at <= now) {
                channel.merger.tick(now);
                channel.pass();
            }
        }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.channels.iter().filter_map(|channel| channel.merger.deadline()).min()
    }

    /// All processes are gone: what is held comes out as it is.
    pub fn finish(&mut self) {
        for channel in &mut self.channels {
            channel.merger.finish();
            channel.pass();
        }
    }

    pub fn pending(&self) -> bool {
        self.channels.iter().any(|channel| channel.sink.waits_for().is_some())
    }

    /// Tells epoll which pipes may be read now (`token` is for a pipe's event), and which sinks
    /// to wait for.
    pub fn register(
        &mut self,
        epoll: &Epoll,
        token: impl Fn(usize) -> u64,
        sink_token: impl Fn(usize) -> u64,
    ) -> io::Result<()> {
        for (i, pipe) in self.pipes.iter_mut().enumerate() {
            let Some(end) = &pipe.end else { continue };
            let channel = &self.channels[pipe.channel];
            if channel.sink.broken {
                // The process learns from SIGPIPE that nobody listens.
                pipe.end = None;
                continue;
            }
            let wanted = channel.sink.has_room() && channel.merger.has_room(pipe.place);
            if wanted != pipe.listening {
                let flags = if wanted { EpollFlags::EPOLLIN } else { EpollFlags::empty() };
                epoll.modify(end, &mut EpollEvent::new(flags, token(i)))?;
                pipe.listening = wanted;
            }
        }
        self.register_sinks(epoll, sink_token)
    }

    pub fn register_sinks(
        &mut self,
        epoll: &Epoll,
        token: impl Fn(usize) -> u64,
    ) -> io::Result<()> {
        for (i, channel) in self.channels.iter_mut().enumerate() {
            match (channel.sink.waits_for(), channel.listening) {
                (Some(fd), false) => {
                    let event = EpollEvent::new(EpollFlags::EPOLLOUT, token(i));
                    epoll.add(fd, event)?;
                    channel.listening = true;
                }
                (None, true) => {
                    if let Some(fd) = channel.sink.descriptor() {
                        epoll.delete(fd)?;
                    }
                    channel.listening = false;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Channel {
    /// Moves what the merger has ready into the sink.
    fn pass(&mut self) {
        if !self.merger.out.is_empty() {
            self.sink.add(&mut self.merger.out);
        }
    }
}

fn borrow(fd: i32) -> BorrowedFd<'static> {
    // SAFETY: upcrun never closes its standard descriptors.
    unsafe { BorrowedFd::borrow_raw(fd) }
}
