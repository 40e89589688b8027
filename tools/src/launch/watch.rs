// SPDX-License-Identifier: BSD-3-Clause
//! The head's loop: hears what the hosts of the job report, and signals; asks [`Fate`] what to do,
//! and has the hosts do it. One thread, so that nothing needs a lock.

use super::branches::Branches;
use super::cards::Cards;
use super::control::{self, Message};
use super::crew::Crew;
use super::debugger::Debugger;
use super::fate::{Action, End, Fate};
use super::input::Input;
use super::output::Outputs;
use super::plan::Plan;
use super::poller::{Poller, Source, Watched};
use super::stats::Stats;
use super::trace::Trace;
use super::wire::{Order, Report};
use super::{descendants, signals};
use nix::sys::signal::{kill, Signal};
use nix::sys::signalfd::SignalFd;
use nix::unistd::Pid;
use std::io;
use std::time::{Duration, Instant};

/// What agents get to end by themselves.
const GRACE_AGENTS: Duration = Duration::from_secs(1);

pub struct Watch {
    poller: Poller,
    signals: Watched<SignalFd>,
    plan: Plan,
    /// Of a job on this host alone.
    crew: Option<Crew>,
    /// The hosts of any other job.
    branches: Branches,
    fate: Fate,
    outputs: Outputs,
    cards: Cards,
    input: Input,
    debugger: Debugger,
    trace: Trace,
    stats: Stats,
    /// The processes' numbers on their hosts.
    pids: Vec<Pid>,
    /// How the debugger ended: the exit code of a job that did not fail.
    debugger_code: i32,
    /// A signal told upcrun to end.
    interrupted: bool,
    /// No process is left; until then agents may end.
    closing: Option<Instant>,
}

impl Watch {
    /// With signals caught already.
    pub fn new(signals: SignalFd, plan: Plan, debugger: Debugger) -> io::Result<Watch> {
        let outputs = Outputs::new(&plan).map_err(io::Error::other)?;
        let poller = Poller::new()?;
        let mut signals = Watched::new(signals);
        poller.read(&mut signals, Source::Signals)?;
        let processes = plan.processes.len();
        Ok(Watch {
            poller,
            signals,
            crew: None,
            branches: Branches::default(),
            fate: Fate::new(&plan),
            outputs,
            cards: Cards::new(processes),
            input: Input::new(),
            debugger,
            trace: Trace::default(),
            stats: Stats::new(&plan),
            pids: vec![Pid::from_raw(0); processes],
            debugger_code: 0,
            interrupted: false,
            closing: None,
            plan,
        })
    }

    pub fn poller(&self) -> &Poller {
        &self.poller
    }

    /// Takes the processes of a job on this host.
    pub fn take_crew(&mut self, crew: Crew) {
        self.crew = Some(crew);
    }

    /// Takes the hosts of a job on others.
    pub fn take_branches(&mut self, branches: Branches) {
        self.branches = branches;
    }

    /// Runs the job to its end; the exit code.
    pub fn run(&mut self) -> io::Result<i32> {
        if let Some(timeout) = self.plan.timeout {
            self.fate.end_after(timeout, Instant::now());
        }
        loop {
            let now = Instant::now();
            self.hear_crew(now)?;
            self.deadlines(now)?;
            if let Some(text) = self.outputs.failure() {
                let actions = self.fate.output_lost(text, now);
                self.act(actions)?;
            }
            let in_debugger = self.debugger.is_running() && !self.interrupted;
            if let Some(code) = self.fate.over().filter(|_| !in_debugger) {
                if self.have_agents_ended(now) {
                    descendants::kill_all();
                    if self.plan.trace {
                        self.outputs.say(&self.trace.shown(self.plan.hosts.len()));
                    }
                    if let Some(form) = self.plan.stats {
                        self.outputs.say(&self.stats.shown(form, &self.plan));
                    }
                    self.outputs.finish();
                    return Ok(self.last_words(if code == 0 { self.debugger_code } else { code }));
                }
            }
            self.outputs.register(&self.poller)?;
            for (stream, flow) in self.outputs.changed_flows() {
                let host = self.plan.processes[stream.process].host;
                self.order_one(host, Order::Flow(stream, flow), now)?;
            }
            self.wait()?;
        }
    }

    fn wait(&mut self) -> io::Result<()> {
        let sources = self.poller.wait(self.deadline())?;
        let now = Instant::now();
        // A signal from the user is heard before the deaths that it causes.
        if sources.contains(&Source::Signals) {
            self.hear_signals(now)?;
        }
        for source in sources {
            match (source, &mut self.crew) {
                (Source::Signals, _) => {}
                (Source::Sink(sink), _) => self.outputs.flush(sink),
                (Source::Input, _) => {
                    let text = self.input.read(&self.poller);
                    self.pass_input(text)?;
                }
                (source, Some(crew)) => crew.heard(source, &self.poller),
                (source, None) => {
                    let reports = self.branches.heard(source, &self.poller, now);
                    self.hear(reports, now)?;
                }
            }
        }
        Ok(())
    }

    /// The next deadline of anyone.
    fn deadline(&self) -> Option<Instant> {
        let own = [self.fate.deadline(), self.outputs.deadline(), self.closing];
        own.into_iter().flatten().chain(self.branches.deadline()).min()
    }

    fn deadlines(&mut self, now: Instant) -> io::Result<()> {
        let held = || self.crew.as_ref().is_some_and(Crew::is_held_by_debugger);
        match self.fate.deadline() {
            Some(at) if at <= now && !self.interrupted && held() => self.fate.postpone(now),
            _ => {
                let actions = self.fate.tick(now);
                self.act(actions)?;
            }
        }
        let lost = self.branches.tick(now, &self.poller);
        self.hear(lost, now)?;
        self.outputs.tick(now);
        Ok(())
    }

    fn hear_signals(&mut self, now: Instant) -> io::Result<()> {
        let mut someone_died = false;
        let mut actions = Vec::new();
        while let Some(info) = self.signals.fd.read_signal()? {
            match Signal::try_from(info.ssi_signo as i32) {
                Ok(Signal::SIGCHLD) => someone_died = true,
                Ok(signal @ (Signal::SIGUSR1 | Signal::SIGUSR2)) => {
                    actions.push(Action::Forward(signal));
                }
                Ok(Signal::SIGTSTP) => self.pause()?,
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
        self.act(actions)?;
        if someone_died {
            self.bury(now)?;
        }
        Ok(())
    }

    /// Stops the job, and this process, until the user has it go on.
    fn pause(&mut self) -> io::Result<()> {
        self.order(Order::Pause(true))?;
        kill(Pid::this(), Signal::SIGSTOP)?;
        self.order(Order::Pause(false))
    }

    /// Collects every child that ended: processes of the job, orphans of theirs, what connects
    /// hosts, and the debugger.
    fn bury(&mut self, now: Instant) -> io::Result<()> {
        while let Some((pid, end)) = signals::next_death() {
            if let Some(debugged) = self.debugger.ended(pid) {
                self.debugger_ended(debugged, end, now)?;
            }
            if let Some(crew) = &mut self.crew {
                crew.buried(pid, end, &self.poller);
            }
            let reports = self.branches.ended(pid, end, &self.poller, now);
            self.hear(reports, now)?;
            self.hear_crew(now)?;
        }
        Ok(())
    }

    /// Whoever leaves the debugger has seen enough of the job. If the process ended before, the
    /// job ends by itself.
    fn debugger_ended(&mut self, debugged: usize, end: End, now: Instant) -> io::Result<()> {
        self.debugger_code = match end {
            End::Code(code) => code,
            End::Signal { number, .. } => crate::exit::SIGNAL_BASE + number,
        };
        match &self.crew {
            Some(crew) if crew.is_alive(debugged) => {
                let actions = self.fate.debugger_left(now);
                self.act(actions)
            }
            _ => Ok(()),
        }
    }

    fn hear_crew(&mut self, now: Instant) -> io::Result<()> {
        let reports = self.crew.as_mut().map_or(Vec::new(), Crew::reports);
        self.hear(reports, now)
    }

    fn hear(&mut self, reports: impl IntoIterator<Item = Report>, now: Instant) -> io::Result<()> {
        for report in reports {
            match report {
                Report::Started { process, pid } => self.pids[process] = Pid::from_raw(pid),
                Report::Packet { process, packet } => self.hear_packet(process, &packet, now)?,
                Report::Output(stream, text) => self.outputs.take(stream, &text, now),
                Report::Closed(stream) => self.outputs.end(stream, now),
                Report::Starved { process, why } => self.fate.starved(process, why),
                Report::Ended { process, end } => {
                    let actions = self.fate.ended(process, end, now);
                    self.act(actions)?;
                }
                Report::Reads => {
                    let text = self.input.wanted(&self.poller);
                    self.pass_input(text)?;
                }
                Report::Refused { hosts, code, text } => {
                    let text = format!("host {}: {text}", self.plan.hosts[hosts[0]].name);
                    let processes = hosts.iter().flat_map(|host| self.plan.processes_of(*host));
                    let actions = self.fate.lost(processes, code, text, now);
                    self.act(actions)?;
                }
                Report::Said(text) => self.say(&text),
                Report::Beat => {}
            }
        }
        Ok(())
    }

    fn hear_packet(&mut self, process: usize, packet: &[u8], now: Instant) -> io::Result<()> {
        match control::parse(packet) {
            Some(Message::Card { text }) => match self.cards.add(process, text) {
                Some(all) => self.order(Order::Cards(all)),
                None => Ok(()),
            },
            Some(Message::Trace(line, cost)) => {
                let host = self.plan.processes[process].host;
                self.stats.add_cost(host, &line, &cost);
                self.trace.add(line, cost);
                Ok(())
            }
            Some(Message::Stats(counts)) => {
                self.stats.add(self.plan.processes[process].host, counts);
                Ok(())
            }
            Some(message) => {
                let actions = self.fate.message(process, message, now);
                self.act(actions)
            }
            None => Ok(()),
        }
    }

    fn act(&mut self, actions: Vec<Action>) -> io::Result<()> {
        for action in actions {
            match action {
                Action::Say(text) => self.say(&text),
                Action::Forward(signal) => self.signal(signal, None)?,
                Action::Ask => self.order(Order::Ask)?,
                Action::Frozen { process, thread } => self.frozen(process, thread),
                Action::Kill { spare } => self.signal(Signal::SIGKILL, spare)?,
            }
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.outputs.say(&format!("{}: {text}\n", self.plan.tool));
    }

    fn frozen(&mut self, process: usize, thread: u32) {
        let host = &self.plan.hosts[self.plan.processes[process].host].name;
        if let Some(text) = self.debugger.frozen(process, self.pids[process], host, thread) {
            self.say(&text);
        }
    }

    fn signal(&mut self, signal: Signal, spare: Option<usize>) -> io::Result<()> {
        self.order(Order::Signal { number: signal as i32, spare })
    }

    fn pass_input(&mut self, text: Option<Vec<u8>>) -> io::Result<()> {
        text.map_or(Ok(()), |text| self.order_one(0, Order::Input(text), Instant::now()))
    }

    /// To all hosts.
    fn order(&mut self, order: Order) -> io::Result<()> {
        if let Some(crew) = &mut self.crew {
            return crew.obey(order, &self.poller);
        }
        let lost = self.branches.order(&order, &self.poller);
        self.hear(lost, Instant::now())
    }

    fn order_one(&mut self, host: usize, order: Order, now: Instant) -> io::Result<()> {
        if let Some(crew) = &mut self.crew {
            return crew.obey(order, &self.poller);
        }
        let lost = self.branches.order_one(host, &order, &self.poller);
        self.hear(lost, now)
    }

    /// Whether no agent is left; has them end, and after a while waits no longer.
    fn have_agents_ended(&mut self, now: Instant) -> bool {
        let until = *self.closing.get_or_insert(now + GRACE_AGENTS);
        self.branches.close();
        self.branches.have_ended() || until <= now
    }

    /// Waits until all output is written. The user may lose patience with a reader that does not
    /// read: a signal ends it.
    fn last_words(&mut self, code: i32) -> i32 {
        while self.outputs.pending() {
            let Ok(()) = self.outputs.register(&self.poller) else { break };
            for source in self.poller.wait(None).unwrap_or_default() {
                match source {
                    Source::Sink(sink) => self.outputs.flush(sink),
                    Source::Signals => {
                        while let Ok(Some(info)) = self.signals.fd.read_signal() {
                            if info.ssi_signo as i32 != libc::SIGCHLD {
                                return crate::exit::SIGNAL_BASE + info.ssi_signo as i32;
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        match self.outputs.failure() {
            Some(text) if code == crate::exit::OK => {
                self.say(&text);
                crate::exit::SYSTEM
            }
            _ => code,
        }
    }
}
