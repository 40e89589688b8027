// SPDX-License-Identifier: BSD-3-Clause
//! The agent of a job on a host that is not the head's: the launcher with `-agent`, which the head starts
//! through ssh or its like. It has a crew and does for it what the head says over standard input;
//! what happens it tells over standard output. Nobody else can talk to it. Without a head it ends,
//! and the crew with it. To the hosts below it in the tree it is what the head is to it: it starts
//! their agents, and passes on what they and the head tell each other.

use super::branches::{self, Branches, UP};
use super::crew::Crew;
use super::link::Link;
use super::poller::{Poller, Source, Watched};
use super::wire::{Away, Order, Report, Task, HELLO};
use super::{bind, descendants, limits, program, signals, start, system};
use crate::exit::{self, Refusal};
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::resource::{getrlimit, Resource};
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// What a head that has gone wrong may take to read the reason.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// What the hosts below get to end by themselves.
const GRACE_BRANCHES: Duration = Duration::from_millis(800);

/// Runs an agent to its end; its exit code.
pub fn main() -> Result<i32, Refusal> {
    let mut agent = Agent::new().map_err(system)?;
    let outcome = agent.run().map_err(system);
    agent.end_branches().map_err(system)?;
    descendants::kill_all();
    outcome.map(|()| exit::OK)
}

struct Agent {
    poller: Poller,
    signals: Watched<SignalFd>,
    link: Link,
    crew: Option<Crew>,
    branches: Branches,
    /// A silent head is lost.
    beats: bool,
    /// Told to end, or without a head.
    over: bool,
}

impl Agent {
    fn new() -> io::Result<Agent> {
        let poller = Poller::new()?;
        let mut signals = Watched::new(signals::catch(false)?);
        poller.read(&mut signals, Source::Signals)?;
        let (from, to) = standard_descriptors()?;
        let mut link = Link::new(UP, from, to, &poller)?;
        link.send_text(HELLO, &poller);
        let branches = Branches::default();
        Ok(Agent { poller, signals, link, crew: None, branches, beats: false, over: false })
    }

    fn run(&mut self) -> io::Result<()> {
        while !self.over && !self.link.ended {
            let deadline = self.link.deadline().into_iter().chain(self.branches.deadline()).min();
            for source in self.poller.wait(deadline)? {
                match source {
                    Source::Signals => self.hear_signals()?,
                    Source::From(UP) => self.receive()?,
                    Source::To(UP) => self.link.flush(&self.poller),
                    Source::From(_) | Source::To(_) => {
                        let reports = self.branches.heard(source, &self.poller, Instant::now());
                        self.pass_on(reports);
                    }
                    _ => {
                        if let Some(crew) = &mut self.crew {
                            crew.heard(source, &self.poller);
                        }
                    }
                }
            }
            self.report()?;
            let reports = self.branches.tick(Instant::now(), &self.poller);
            self.pass_on(reports);
            if !self.link.tick(&Report::Beat, Instant::now(), &self.poller) {
                let silence =
                    "the launcher that started this host's processes says nothing any more";
                return Err(io::Error::new(io::ErrorKind::TimedOut, silence));
            }
        }
        Ok(())
    }

    /// Passes on what the crew has to tell.
    fn report(&mut self) -> io::Result<()> {
        let Some(crew) = &mut self.crew else { return Ok(()) };
        for report in crew.reports() {
            self.link.send(&report, &self.poller);
        }
        let room = self.link.has_room();
        self.branches.set_room(room, &self.poller);
        crew.set_room(room, &self.poller)
    }

    /// Passes on what hosts below have to tell the head.
    fn pass_on(&mut self, reports: impl IntoIterator<Item = Report>) {
        for report in reports.into_iter().filter(|report| *report != Report::Beat) {
            self.link.send(&report, &self.poller);
        }
    }

    fn receive(&mut self) -> io::Result<()> {
        self.link.receive(&self.poller);
        for order in self.link.messages().map_err(io::Error::other)? {
            match (order, &mut self.crew) {
                (Order::Start(task), None) => self.start(*task)?,
                (order, Some(crew)) => {
                    if let Order::Pause(on) = order {
                        self.link.expect_beats(self.beats && !on);
                    }
                    let reports = match &order {
                        Order::Beat | Order::Input(_) => Vec::new(),
                        order => self.branches.order(order, &self.poller),
                    };
                    crew.obey(order, &self.poller)?;
                    self.pass_on(reports);
                }
                // The head has given up before the job began.
                (_, None) => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, task: Task) -> io::Result<()> {
        self.beats = task.away.as_ref().is_some_and(|away| away.beats);
        let files = getrlimit(Resource::RLIMIT_NOFILE)?;
        let started = prepare(task.clone()).and_then(|task| {
            let bindings = if self.beats { bind::shown(&task.plan, task.host) } else { Vec::new() };
            Ok((Crew::start(&task, &self.poller)?, bindings))
        });
        match started {
            Ok((crew, bindings)) => {
                self.crew = Some(crew);
                for text in bindings {
                    self.link.send(&Report::Said(text), &self.poller);
                }
                self.start_branches(&task, files)?;
            }
            Err((code, text)) => self.refuse(&refusal(&task, code, text))?,
        }
        self.link.expect_beats(self.beats);
        Ok(())
    }

    /// Starts the hosts below.
    fn start_branches(&mut self, task: &Task, files: (u64, u64)) -> io::Result<()> {
        let Some(away) = task.away.as_ref().filter(|_| !task.below.is_empty()) else {
            return Ok(());
        };
        let lists = branches::split(&task.below, away.tree.width);
        let own = task.plan.processes_of(task.host).len();
        let by = Some(&task.plan.hosts[task.host].name[..]);
        let started = limits::check_hosts(lists.len(), own)
            .map_err(|text| refusal(task, exit::SYSTEM, text))
            .and_then(|()| Branches::start(task, lists, &[], by, files, &self.poller));
        match started {
            Ok(branches) => self.branches = branches,
            Err(refusal) => self.refuse(&refusal)?,
        }
        Ok(())
    }

    /// Has the hosts below end, and waits for them as long as they may take.
    fn end_branches(&mut self) -> io::Result<()> {
        if let Some(crew) = &mut self.crew {
            let kill = Order::Signal { number: Signal::SIGKILL as i32, spare: None };
            crew.obey(kill, &self.poller)?;
        }
        self.branches.close();
        let until = Instant::now() + GRACE_BRANCHES;
        while !self.branches.have_ended() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let mut fds = [PollFd::new(self.signals.fd.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut fds, PollTimeout::from(left.as_millis() as u16 + 1));
            self.hear_signals()?;
        }
        Ok(())
    }

    /// Tells the head why there will be no job, and ends when it has heard.
    fn refuse(&mut self, report: &Report) -> io::Result<()> {
        self.link.send(report, &self.poller);
        let until = Instant::now() + LAST_WORDS;
        while !self.link.ended && Instant::now() < until {
            for source in self.poller.wait(Some(until))? {
                match source {
                    Source::From(UP) => self.link.receive(&self.poller),
                    Source::To(UP) => self.link.flush(&self.poller),
                    _ => {}
                }
            }
        }
        self.over = true;
        Ok(())
    }

    fn hear_signals(&mut self) -> io::Result<()> {
        while let Some(info) = self.signals.fd.read_signal()? {
            // Whoever wants the agent to end gets the end of the job, which the head will explain.
            self.over |= info.ssi_signo as i32 != libc::SIGCHLD;
        }
        while let Some((pid, end)) = signals::next_death() {
            if let Some(crew) = &mut self.crew {
                crew.buried(pid, end, &self.poller);
            }
            let reports = self.branches.ended(pid, end, &self.poller, Instant::now());
            self.pass_on(reports);
        }
        Ok(())
    }
}

/// The task's host and those below it run nothing.
fn refusal(task: &Task, code: i32, text: String) -> Report {
    Report::Refused { hosts: [&[task.host], &task.below[..]].concat(), code, text }
}

/// Standard input and output under other numbers, so that no program started here can touch them.
fn standard_descriptors() -> io::Result<(OwnedFd, OwnedFd)> {
    let null = start::null_device()?;
    let from = io::stdin().as_fd().try_clone_to_owned()?;
    let to = io::stdout().as_fd().try_clone_to_owned()?;
    nix::unistd::dup2_stdin(&null)?;
    nix::unistd::dup2_stdout(&null)?;
    start::set_nonblocking(from.as_fd())?;
    start::set_nonblocking(to.as_fd())?;
    Ok((from, to))
}

/// Goes where the job is, and sees whether the program is the one that is meant.
fn prepare(mut task: Task) -> Result<Task, Refusal> {
    let Some(Away { dir, .. }) = &task.away else { return Ok(task) };
    std::env::set_current_dir(dir).map_err(|e| {
        let text = format!("cannot enter `{}`: {e}; is the folder on all hosts?", dir.display());
        (exit::NOT_FOUND, text)
    })?;
    let shown = task.program.display();
    program::executable(&task.program).map_err(|text| {
        (exit::NOT_FOUND, format!("{text} in {}; is the program on all hosts?", dir.display()))
    })?;
    let difference = task
        .mark
        .difference(&task.program)
        .map_err(|e| (exit::NOT_FOUND, format!("cannot read `{shown}`: {e}")))?;
    if let Some(difference) = difference {
        let text = format!(
            "`{shown}` is not the program that it is on the first host ({difference}); copy the \
             program to all hosts"
        );
        return Err((exit::NOT_FOUND, text));
    }
    // The CPUs of virtual hosts are the head's.
    if task.plan.cpus.is_empty() {
        task.plan.cpus = bind::cpus_of(&task.plan, task.host)?;
    }
    Ok(task)
}
