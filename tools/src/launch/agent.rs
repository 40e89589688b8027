// SPDX-License-Identifier: BSD-3-Clause
//! The agent of a job on a host that is not the head's: the launcher with `-agent`, which the head starts
//! through ssh or its like. It has a crew and does for it what the head says over standard input;
//! what happens it tells over standard output. Nobody else can talk to it. Without a head it ends,
//! and the crew with it.

use super::crew::Crew;
use super::link::Link;
use super::poller::{Poller, Source, Watched};
use super::wire::{Away, Order, Report, Task, HELLO};
use super::{bind, descendants, program, signals, start, system};
use crate::exit::{self, Refusal};
use nix::sys::signalfd::SignalFd;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// What a head that has gone wrong may take to read the reason.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs an agent to its end; its exit code.
pub fn main() -> Result<i32, Refusal> {
    let mut agent = Agent::new().map_err(system)?;
    let outcome = agent.run().map_err(system);
    descendants::kill_all();
    outcome.map(|()| exit::OK)
}

struct Agent {
    poller: Poller,
    signals: Watched<SignalFd>,
    link: Link,
    crew: Option<Crew>,
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
        let mut link = Link::new(0, from, to, &poller)?;
        link.send_text(HELLO, &poller);
        Ok(Agent { poller, signals, link, crew: None, beats: false, over: false })
    }

    fn run(&mut self) -> io::Result<()> {
        while !self.over && !self.link.ended {
            for source in self.poller.wait(self.link.deadline())? {
                match source {
                    Source::Signals => self.hear_signals()?,
                    Source::From(_) => self.receive()?,
                    Source::To(_) => self.link.flush(&self.poller),
                    _ => {
                        if let Some(crew) = &mut self.crew {
                            crew.heard(source, &self.poller);
                        }
                    }
                }
            }
            self.report()?;
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
        crew.set_room(self.link.has_room(), &self.poller)
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
                    crew.obey(order, &self.poller)?;
                }
                // The head has given up before the job began.
                (_, None) => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, task: Task) -> io::Result<()> {
        self.beats = task.away.as_ref().is_some_and(|away| away.beats);
        let started = prepare(task).and_then(|task| {
            let bindings = if self.beats { bind::shown(&task.plan, task.host) } else { Vec::new() };
            Ok((Crew::start(&task, &self.poller)?, bindings))
        });
        match started {
            Ok((crew, bindings)) => {
                self.crew = Some(crew);
                for text in bindings {
                    self.link.send(&Report::Said(text), &self.poller);
                }
            }
            Err((code, text)) => self.refuse(code, text)?,
        }
        self.link.expect_beats(self.beats);
        Ok(())
    }

    /// Tells the head why there will be no job, and ends when it has heard.
    fn refuse(&mut self, code: i32, text: String) -> io::Result<()> {
        self.link.send(&Report::Refused(code, text), &self.poller);
        let until = Instant::now() + LAST_WORDS;
        while !self.link.ended && Instant::now() < until {
            for source in self.poller.wait(Some(until))? {
                match source {
                    Source::From(_) => self.link.receive(&self.poller),
                    Source::To(_) => self.link.flush(&self.poller),
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
        }
        Ok(())
    }
}

/// Standard input and output under other numbers, so that no program started here can touch them.
fn standard_descriptors() -> io::Result<(OwnedFd, OwnedFd)> {
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
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
