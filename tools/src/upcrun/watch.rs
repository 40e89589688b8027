// SPDX-License-Identifier: BSD-3-Clause
//! The loop: waits for processes, their messages and their output, and for signals; asks
//! [`Fate`] what to do. One thread, so that nothing needs a lock.

use super::control;
use super::debugger::{self, Debugger};
use super::descendants;
use super::fate::{Action, End, Fate};
use super::output::Outputs;
use super::start::Started;
use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::signal::{kill, SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::{recv, MsgFlags};
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::time::Instant;

/// What an epoll event is about: `(kind, index)` in 64 bits.
#[derive(Clone, Copy)]
enum Source {
    Signals,
    Control(usize),
    /// A source of [`Outputs`].
    Output(usize),
    /// A sink of [`Outputs`].
    Sink(usize),
}

impl Source {
    fn token(self) -> u64 {
        match self {
            Source::Signals => 0,
            Source::Control(i) => 1 << 32 | i as u64,
            Source::Output(i) => 2 << 32 | i as u64,
            Source::Sink(i) => 3 << 32 | i as u64,
        }
    }

    fn from_token(token: u64) -> Source {
        let i = (token & 0xffff_ffff) as usize;
        match token >> 32 {
            0 => Source::Signals,
            1 => Source::Control(i),
            2 => Source::Output(i),
            _ => Source::Sink(i),
        }
    }
}

pub struct Watch {
    epoll: Epoll,
    signals: SignalFd,
    processes: Vec<Started>,
    alive: Vec<bool>,
    fate: Fate,
    outputs: Outputs,
    debugger: Debugger,
    /// How the debugger ended: the exit code of a job that did not fail.
    debugger_code: i32,
    /// A signal told upcrun to end.
    interrupted: bool,
}

impl Watch {
    pub fn new(
        signals: SignalFd,
        fate: Fate,
        outputs: Outputs,
        debugger: Debugger,
    ) -> io::Result<Watch> {
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        let event = EpollEvent::new(EpollFlags::EPOLLIN, Source::Signals.token());
        epoll.add(signals.as_fd(), event)?;
        Ok(Watch {
            epoll,
            signals,
            processes: Vec::new(),
            alive: Vec::new(),
            fate,
            outputs,
            debugger,
            debugger_code: 0,
            interrupted: false,
        })
    }

    /// Takes a process that was just started; they come in the order of their numbers.
    pub fn add(&mut self, mut started: Started) -> io::Result<()> {
        let i = self.processes.len();
        let event = |source: Source| EpollEvent::new(EpollFlags::EPOLLIN, source.token());
        self.epoll.add(started.ctl.as_fd(), event(Source::Control(i)))?;
        let (out, err) = (started.stdout.take(), started.stderr.take());
        for (pipe, is_stderr) in [(out, false), (err, true)] {
            if let Some(pipe) = pipe {
                let source = self.outputs.add(i, is_stderr, pipe);
                self.epoll.add(self.outputs.pipe(source), event(Source::Output(source)))?;
            }
        }
        self.processes.push(started);
        self.alive.push(true);
        Ok(())
    }

    /// Kills and forgets what was started, when not all could be.
    pub fn abandon(&mut self) {
        self.kill_all(None);
        descendants::kill_all();
    }

    /// Runs the job to its end; the exit code.
    pub fn run(&mut self) -> io::Result<i32> {
        loop {
            let in_debugger = self.debugger.is_running() && !self.interrupted;
            if let Some(code) = self.fate.over().filter(|_| !in_debugger) {
                descendants::kill_all();
                self.outputs.finish();
                return Ok(self.last_words(if code == 0 { self.debugger_code } else { code }));
            }
            self.wait()?;
            let now = Instant::now();
            self.deadlines(now);
            self.outputs.tick(now);
            self.outputs.register(
                &self.epoll,
                |s| Source::Output(s).token(),
                |s| Source::Sink(s).token(),
            )?;
        }
    }

    fn deadlines(&mut self, now: Instant) {
        let held = || {
            let alive = self.processes.iter().zip(&self.alive).filter(|(_, alive)| **alive);
            alive.map(|(process, _)| process.pid).any(debugger::holds)
        };
        match self.fate.deadline() {
            Some(at) if at <= now && !self.interrupted && held() => self.fate.postpone(now),
            _ => {
                let actions = self.fate.tick(now);
                self.act(actions);
            }
        }
    }

    fn wait(&mut self) -> io::Result<()> {
        let mut events = [EpollEvent::empty(); 64];
        let count = match self.epoll.wait(&mut events, self.timeout()) {
            Ok(count) => count,
            Err(Errno::EINTR) => 0,
            Err(errno) => return Err(errno.into()),
        };
        let now = Instant::now();
        let sources = || events[..count].iter().map(|event| Source::from_token(event.data()));
        // A signal from the user is heard before the deaths that it causes.
        if sources().any(|source| matches!(source, Source::Signals)) {
            self.hear_signals(now)?;
        }
        for source in sources() {
            match source {
                Source::Signals => {}
                Source::Control(process) => self.hear(process, now),
                Source::Output(source) => self.outputs.read(source, now),
                Source::Sink(sink) => self.outputs.flush(sink),
            }
        }
        Ok(())
    }

    /// Until the next deadline of anyone.
    fn timeout(&self) -> EpollTimeout {
        let deadline = [self.fate.deadline(), self.outputs.deadline()].into_iter().flatten().min();
        match deadline {
            None => EpollTimeout::NONE,
            Some(at) => {
                // Rounded up: to wake too early would spin.
                let left = at.saturating_duration_since(Instant::now()).as_millis() as u64;
                EpollTimeout::try_from(left.min(60_000) + 1).unwrap_or(EpollTimeout::ZERO)
            }
        }
    }

    fn hear_signals(&mut self, now: Instant) -> io::Result<()> {
        let mut someone_died = false;
        let mut actions = Vec::new();
        while let Some(info) = self.signals.read_signal()? {
            match Signal::try_from(info.ssi_signo as i32) {
                Ok(Signal::SIGCHLD) => someone_died = true,
                Ok(signal @ (Signal::SIGUSR1 | Signal::SIGUSR2)) => {
                    actions.push(Action::Forward(signal));
                }
                // The debugger hears the terminal's keys too, and they are meant for it.
                Ok(Signal::SIGINT | Signal::SIGQUIT) if self.debugger.has_terminal() => {}
                Ok(signal) => {
                    self.interrupted = true;
                    self.debugger.dismiss();
                    actions.extend(self.fate.signalled(signal, now));
                }
                Err(_) => {}
            }
        }
        self.act(actions);
        if someone_died {
            self.bury(now);
        }
        Ok(())
    }

    /// Collects every child that ended: processes of the job, and orphans of theirs.
    fn bury(&mut self, now: Instant) {
        loop {
            let (pid, end) = match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, End::Code(code)),
                Ok(WaitStatus::Signaled(pid, signal, dumped_core)) => {
                    (pid, End::Signal { number: signal as i32, dumped_core })
                }
                Err(Errno::EINTR) => continue,
                _ => return,
            };
            if let Some(debugged) = self.debugger.ended(pid) {
                self.debugger_ended(debugged, end, now);
            }
            let Some(process) = self.process_of(pid) else { continue };
            self.hear(process, now);
            self.alive[process] = false;
            self.outputs.ended(process, now);
            let actions = self.fate.ended(process, end, now);
            self.act(actions);
        }
    }

    /// Whoever leaves the debugger has seen enough of the job. If the process ended before, the
    /// job ends by itself.
    fn debugger_ended(&mut self, debugged: usize, end: End, now: Instant) {
        self.debugger_code = match end {
            End::Code(code) => code,
            End::Signal { number, .. } => crate::exit::SIGNAL_BASE + number,
        };
        if self.alive[debugged] {
            let actions = self.fate.debugger_left(now);
            self.act(actions);
        }
    }

    fn process_of(&self, pid: Pid) -> Option<usize> {
        (0..self.processes.len()).find(|&i| self.alive[i] && self.processes[i].pid == pid)
    }

    /// Reads all messages that a process has sent.
    fn hear(&mut self, process: usize, now: Instant) {
        let mut packet = [0; 4096];
        loop {
            let fd = self.processes[process].ctl.as_raw_fd();
            match recv(fd, &mut packet, MsgFlags::empty()) {
                Ok(count) if count > 0 => {
                    if let Some(message) = control::parse(&packet[..count]) {
                        let actions = self.fate.message(process, message, now);
                        self.act(actions);
                    }
                }
                Err(Errno::EAGAIN) => return,
                Err(Errno::EINTR) => {}
                // The process is gone or has closed its end; its death tells the rest.
                _ => {
                    let _ = self.epoll.delete(self.processes[process].ctl.as_fd());
                    return;
                }
            }
        }
    }

    fn act(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Say(text) => self.outputs.say(&format!("upcrun: {text}\n")),
                Action::Forward(signal) => self.send(signal, None),
                Action::Frozen { process, thread } => {
                    let pid = self.processes[process].pid;
                    if let Some(text) = self.debugger.frozen(process, pid, thread) {
                        self.outputs.say(&format!("upcrun: {text}\n"));
                    }
                }
                Action::Kill { spare } => self.kill_all(spare),
            }
        }
    }

    fn kill_all(&mut self, spare: Option<usize>) {
        self.send(Signal::SIGKILL, spare);
    }

    fn send(&self, signal: Signal, spare: Option<usize>) {
        for (i, process) in self.processes.iter().enumerate() {
            if self.alive[i] && Some(i) != spare {
                let _ = kill(process.pid, signal);
            }
        }
    }

    /// Waits until all output is written. The user may lose patience with a reader that does not
    /// read: a signal ends it.
    fn last_words(&mut self, code: i32) -> i32 {
        while self.outputs.pending() {
            if self.outputs.register_sinks(&self.epoll, |s| Source::Sink(s).token()).is_err() {
                break;
            }
            let mut events = [EpollEvent::empty(); 8];
            let count = self.epoll.wait(&mut events, EpollTimeout::NONE).unwrap_or(0);
            for event in &events[..count] {
                match Source::from_token(event.data()) {
                    Source::Sink(sink) => self.outputs.flush(sink),
                    Source::Signals => {
                        while let Ok(Some(info)) = self.signals.read_signal() {
                            if info.ssi_signo as i32 != libc::SIGCHLD {
                                return crate::exit::SIGNAL_BASE + info.ssi_signo as i32;
                            }
                        }
                    }
                    Source::Control(i) => {
                        let _ = self.epoll.delete(self.processes[i].ctl.as_fd());
                    }
                    Source::Output(_) => {}
                }
            }
        }
        code
    }
}

/// The signals that upcrun hears through a descriptor. Those that it was started to ignore
/// (nohup) stay ignored.
pub fn signals() -> SigSet {
    let ending = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
    let passed_on = [Signal::SIGUSR1, Signal::SIGUSR2];
    let mut set: SigSet = ending.into_iter().chain(passed_on).filter(|s| !is_ignored(*s)).collect();
    set.add(Signal::SIGCHLD);
    set
}

/// Blocks the signals and returns the descriptor that hears them.
pub fn catch_signals() -> io::Result<SignalFd> {
    let set = signals();
    set.thread_block()?;
    Ok(SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?)
}

fn is_ignored(signal: Signal) -> bool {
    // SAFETY: a null new action only asks for the old one, which is plain data.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as i32, std::ptr::null(), &mut old) == 0
            && old.sa_sigaction == libc::SIG_IGN
    }
}
