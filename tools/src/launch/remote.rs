// SPDX-License-Identifier: BSD-3-Clause
//! The side of a host that starts another one, the head or an agent: starts the agent there, and is
//! connected with it by the agent's standard input and output alone. Knows when the host is lost,
//! and why.

use super::fate::End;
use super::link::Link;
use super::places::on_host;
use super::poller::Poller;
use super::signals;
use super::start::set_nonblocking;
use super::wire::{Away, Order, Report, Task, Tree, HELLO};
use crate::exit;
use crate::install;
use nix::sys::resource::{setrlimit, Resource};
use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long an agent's end is waited for when its outputs have ended.
const EXIT: Duration = Duration::from_millis(500);

pub struct Remote {
    /// The link's.
    number: usize,
    /// The host, and those below it.
    hosts: Vec<usize>,
    /// What a host that cannot be reached has its user told, if another than the head starts it.
    advice: String,
    /// The launcher's name.
    tool: String,
    /// The words that start the agent.
    command: Vec<String>,
    /// The limit on open files that the agent shall see.
    files: (u64, u64),
    /// Waits for the agent's first words.
    task: Option<Box<Task>>,
    /// A silent agent is lost.
    beats: bool,
    /// What connects the host; none when it has ended.
    pid: Option<Pid>,
    /// None when there is nothing more to say.
    link: Option<Link>,
    /// When and why the host is lost, unless something happens.
    patience: Option<(Instant, String)>,
}

impl Remote {
    /// Starts the agent of the task's host, `by` another's or the head; or says why it cannot.
    pub fn start(
        task: Task,
        is_near: bool,
        files: (u64, u64),
        (number, by): (usize, Option<&str>),
        poller: &Poller,
    ) -> Result<Remote, String> {
        let Some(Away { tree: Tree { rsh, wait, .. }, beats, .. }) = &task.away else {
            return Err("its agent has no task".to_string());
        };
        let launcher = match install::exe() {
            exe if exe.as_os_str().is_empty() => task.plan.tool.clone().into(),
            exe => exe,
        };
        let name = &task.plan.hosts[task.host].name;
        let agent = vec![launcher.to_string_lossy().into_owned(), "-agent".to_string()];
        let command = if is_near { agent } else { on_host(rsh, name, &agent) };
        let advice = by.map_or(String::new(), |by| advice(by, task.plan.hosts.len()));
        let (pid, link) = spawn(&command, files, number, poller).map_err(|e| match is_near {
            true => format!("cannot start its agent: {e}"),
            false => format!("cannot start `{}`: {e}{advice}", rsh.join(" ")),
        })?;
        let silence = format!("does not answer within {} s", wait.as_secs_f32());
        Ok(Remote {
            number,
            hosts: [&[task.host], &task.below[..]].concat(),
            advice,
            tool: task.plan.tool.clone(),
            command,
            files,
            beats: *beats,
            patience: Some((Instant::now() + *wait, silence)),
            task: Some(Box::new(task)),
            pid: Some(pid),
            link: Some(link),
        })
    }

    /// Takes what has come.
    pub fn receive(&mut self, poller: &Poller, now: Instant) -> Vec<Report> {
        let Some(link) = &mut self.link else { return Vec::new() };
        link.receive(poller);
        if self.task.is_some() {
            if let Some(refused) = self.greet(poller) {
                return vec![refused];
            }
        }
        let Some(link) = &mut self.link else { return Vec::new() };
        if link.ended {
            // How it ended is known in a moment.
            self.patience = Some((now + EXIT, "has closed its connection".to_string()));
        }
        if self.task.is_some() {
            return Vec::new();
        }
        link.messages().unwrap_or_else(|text| {
            vec![self.lose(&format!("sent what cannot be understood: {text}"))]
        })
    }

    /// Gives the agent its task if it has said its first words.
    fn greet(&mut self, poller: &Poller) -> Option<Report> {
        let link = self.link.as_mut()?;
        let said = link.unread();
        let (stem, version) = HELLO.split_at(HELLO.find(' ')?);
        let at = said.windows(stem.len()).position(|bytes| bytes == stem.as_bytes())? + stem.len();
        let length = said[at..].iter().position(|b| *b == b'\n')? + 1;
        let theirs = said.drain(..at + length).skip(at).collect::<Vec<_>>();
        if theirs != version.as_bytes() {
            let (theirs, ours) = (String::from_utf8_lossy(&theirs), version.trim());
            return Some(self.lose(&format!("is version {}, not {ours}", theirs.trim())));
        }
        let task = self.task.take()?;
        self.patience = None;
        link.expect_beats(self.beats);
        link.send(&Order::Start(task), poller);
        None
    }

    /// Passes an order on; what comes of it at once.
    pub fn order(&mut self, order: &Order, poller: &Poller) -> Option<Report> {
        if self.task.is_some() {
            // Nothing runs there yet, and after a signal nothing will.
            let ends = matches!(order, Order::Signal { .. });
            return ends.then(|| self.lose("was given up"));
        }
        if let Some(link) = &mut self.link {
            if let Order::Pause(on) = order {
                link.expect_beats(self.beats && !on);
            }
            link.send(order, poller);
        }
        None
    }

    /// Whether there is room for what the host reports: else none of it is read.
    pub fn set_room(&mut self, room: bool, poller: &Poller) {
        if let Some(link) = &mut self.link {
            link.set_room(room, poller);
        }
    }

    pub fn flush(&mut self, poller: &Poller) {
        if let Some(link) = &mut self.link {
            link.flush(poller);
        }
    }

    pub fn deadline(&self) -> Option<Instant> {
        let link = self.link.as_ref()?;
        let patience = self.patience.as_ref().map(|(at, _)| *at);
        patience.into_iter().chain(link.deadline()).min()
    }

    pub fn tick(&mut self, now: Instant, poller: &Poller) -> Option<Report> {
        let link = self.link.as_mut()?;
        if let Some((_, text)) = self.patience.take_if(|(at, _)| *at <= now) {
            return Some(self.lose(&text));
        }
        let is_there = self.task.is_some() || link.tick(&Order::Beat, now, poller);
        (!is_there).then(|| self.lose("is silent"))
    }

    /// The child that connects the host has ended. Everything that it said, and the loss.
    pub fn ended(&mut self, end: End, poller: &Poller, now: Instant) -> Vec<Report> {
        self.pid = None;
        let mut reports = Vec::new();
        while self.link.as_ref().is_some_and(|link| !link.ended && link.is_readable()) {
            reports.extend(self.receive(poller, now));
        }
        if self.link.is_none() {
            return reports;
        }
        // The shell's word for a command that is not there: its own search may find another.
        if end == End::Code(127) && self.task.is_some() && self.search(poller) {
            return reports;
        }
        reports.push(match end {
            End::Code(code) => self.lose(&format!("ended with exit code {code}")),
            End::Signal { number, .. } => self.lose(&format!("was killed by signal {number}")),
        });
        reports
    }

    /// Starts the agent once more, by its name alone; whether that is something new.
    fn search(&mut self, poller: &Poller) -> bool {
        let Some(path) = self.command.iter_mut().rev().nth(1).filter(|p| p.contains('/')) else {
            return false;
        };
        *path = self.tool.clone();
        let Ok((pid, link)) = spawn(&self.command, self.files, self.number, poller) else {
            return false;
        };
        (self.pid, self.link) = (Some(pid), Some(link));
        true
    }

    pub fn pid(&self) -> Option<Pid> {
        self.pid
    }

    /// Says no more: the agent ends what it has, and itself.
    pub fn close(&mut self) {
        self.link = None;
    }

    /// The host is no part of the job any more.
    fn lose(&mut self, text: &str) -> Report {
        self.close();
        if let Some(pid) = self.pid {
            let _ = killpg(pid, Signal::SIGKILL);
        }
        let text = match self.task {
            Some(_) => format!("`{}` {text}{}", self.command.join(" "), self.advice),
            None => format!("its agent {text}"),
        };
        Report::Refused { hosts: self.hosts.clone(), code: exit::SYSTEM, text }
    }
}

fn advice(by: &str, hosts: usize) -> String {
    format!(
        "; it was started from host {by}, where the same command must work as here: -rsh-tree \
         {hosts} starts all hosts from here"
    )
}

/// Starts a command that is to become an agent.
fn spawn(
    command: &[String],
    files: (u64, u64),
    number: usize,
    poller: &Poller,
) -> io::Result<(Pid, Link)> {
    let mut child = Command::new(&command[0]);
    child.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
    // The terminal's keys reach the processes through the head alone.
    child.process_group(0);
    let mut signals = signals::heard();
    signals.add(Signal::SIGTSTP);
    let prepare = move || {
        nix::sys::prctl::set_pdeathsig(Signal::SIGTERM)?;
        signals.thread_unblock()?;
        setrlimit(Resource::RLIMIT_NOFILE, files.0, files.1)?;
        Ok(())
    };
    // SAFETY: the closure makes system calls only; it neither allocates nor takes locks.
    unsafe { child.pre_exec(prepare) };
    let mut child = child.spawn()?;
    let ends = (child.stdout.take().map(OwnedFd::from), child.stdin.take().map(OwnedFd::from));
    let (Some(from), Some(to)) = ends else { return Err(io::ErrorKind::BrokenPipe.into()) };
    set_nonblocking(from.as_fd())?;
    set_nonblocking(to.as_fd())?;
    Ok((Pid::from_raw(child.id() as i32), Link::new(number, from, to, poller)?))
}
