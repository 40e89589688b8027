// SPDX-License-Identifier: BSD-3-Clause
//! From the processes' outputs to upcrun's stdout and stderr: whole lines, and no faster than the
//! reader reads; and to files, if these are asked for.

use super::files::Files;
use super::labels::Labels;
use super::lines::Merger;
use super::plan::Plan;
use super::poller::{Poller, Source};
use super::sink::{same_file, Sink};
use super::wire::{Flow, Stream};
use nix::errno::Errno;
use nix::sys::epoll::EpollFlags;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Instant, SystemTime};

/// An output of upcrun with everything that flows into it.
struct Channel {
    merger: Merger,
    sink: Sink,
}

pub struct Outputs {
    /// stdout and stderr; one channel alone if both are one file.
    channels: Vec<Channel>,
    /// What each stream was told last, stdout and stderr of each process in turn.
    flows: Vec<Flow>,
    labels: Labels,
    files: Option<Files>,
}

impl Outputs {
    pub fn new(plan: &Plan) -> Result<Outputs, String> {
        let processes = plan.processes.len();
        let (stdout, stderr) = (borrow(1), borrow(2));
        let now = Instant::now();
        let channel = |fd, sources_each: usize| Channel {
            merger: Merger::new(sources_each * processes, now),
            sink: Sink::new(fd),
        };
        let channels = match same_file(stdout, stderr) {
            true => vec![channel(stdout, 2)],
            false => vec![channel(stdout, 1), channel(stderr, 1)],
        };
        Ok(Outputs {
            channels,
            flows: vec![Flow::Open; 2 * processes],
            labels: Labels::new(plan),
            files: Files::new(plan)?,
        })
    }

    /// The channel that a stream flows into, and the stream's number in its merger.
    fn place(&self, stream: Stream) -> (usize, usize) {
        match (self.channels.len(), stream.is_stderr) {
            (1, _) => (0, 2 * stream.process + usize::from(stream.is_stderr)),
            (_, false) => (0, stream.process),
            (_, true) => (1, stream.process),
        }
    }

    pub fn take(&mut self, stream: Stream, bytes: &[u8], now: Instant) {
        let (channel, place) = self.place(stream);
        let number = 2 * stream.process + usize::from(stream.is_stderr);
        let bytes = self.labels.add(number, bytes, SystemTime::now());
        if let Some(files) = &mut self.files {
            files.write(number, &bytes);
        }
        self.channels[channel].merger.take(place, &bytes, now);
        self.channels[channel].pass();
    }

    /// A stream's end.
    pub fn end(&mut self, stream: Stream, now: Instant) {
        let (channel, place) = self.place(stream);
        self.channels[channel].merger.end(place, now);
        self.channels[channel].pass();
    }

    /// The streams that are to be told something new, and what.
    pub fn changed_flows(&mut self) -> Vec<(Stream, Flow)> {
        let mut changed = Vec::new();
        for i in 0..self.flows.len() {
            let stream = Stream { process: i / 2, is_stderr: i % 2 == 1 };
            let (channel, place) = self.place(stream);
            let Channel { merger, sink } = &self.channels[channel];
            let flow = match sink.has_room() && merger.has_room(place) {
                _ if sink.broken.is_some() => Flow::Closed,
                true => Flow::Open,
                false => Flow::Held,
            };
            if flow != self.flows[i] {
                self.flows[i] = flow;
                changed.push((stream, flow));
            }
        }
        changed
    }

    /// What could not be written, and why. A reader that has gone away has seen enough: that is no
    /// failure.
    pub fn failure(&self) -> Option<String> {
        if let Some(text) = self.files.as_ref().and_then(|files| files.failure.clone()) {
            return Some(text);
        }
        let names: &[&str] = match self.channels.len() {
            1 => &["standard output and error"],
            _ => &["standard output", "standard error"],
        };
        let errors = self.channels.iter().map(|channel| channel.sink.broken);
        let (name, error) = names
            .iter()
            .zip(errors)
            .find_map(|(name, error)| Some((name, error.filter(|&e| e != Errno::EPIPE)?)))?;
        Some(format!("cannot write to {name}: {}", error.desc()))
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
        self.channels.iter().any(|channel| channel.sink.waits())
    }

    /// Has the poller tell when a sink has room for what waits.
    pub fn register(&mut self, poller: &Poller) -> io::Result<()> {
        for (i, channel) in self.channels.iter_mut().enumerate() {
            let waits = channel.sink.waits();
            let flags = if waits { EpollFlags::EPOLLOUT } else { EpollFlags::empty() };
            if let Some(descriptor) = channel.sink.descriptor() {
                poller.want(descriptor, Source::Sink(i), flags)?;
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
