// SPDX-License-Identifier: BSD-3-Clause
//! How a job ends: a value that hears what happens and says what to do (docs/launch.md, "Ends").
//! Makes no system call and reads no clock, so that every order of events can be tested.
//!
//! The first failure decides the exit code and is the only one that is spoken of.

use super::control::Message;
use super::plan::Plan;
use crate::exit;
use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What others get to end by themselves after `exit(n)` in one thread.
pub const GRACE_EXIT: Duration = Duration::from_millis(300);
/// What all get after a signal from the user.
pub const GRACE_SIGNAL: Duration = Duration::from_millis(500);
/// What processes get to print where their threads are.
pub const GRACE_ANSWER: Duration = Duration::from_millis(500);
/// What the process of the thread that failed gets to flush or to die of its signal.
const GRACE_CULPRIT: Duration = Duration::from_millis(300);

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    Code(i32),
    Signal { number: i32, dumped_core: bool },
}

/// What upcrun is to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Say(String),
    /// Pass a signal on to every process that runs.
    Forward(Signal),
    /// Have processes print where their threads are.
    Ask,
    /// A thread of the process waits for a debugger.
    Frozen {
        process: usize,
        thread: u32,
    },
    /// Kill every process that runs, but for this one.
    Kill {
        spare: Option<usize>,
    },
}

struct Life {
    threads: String,
    alive: bool,
    up: bool,
    done: bool,
    /// Why the kernel has killed it, if it was for memory.
    starved: Option<String>,
}

impl Life {
    /// What is to be added to the message of its death.
    fn why(&mut self) -> String {
        self.starved.take().map_or(String::new(), |why| format!(", {why}"))
    }
}

pub struct Fate {
    lives: Vec<Life>,
    /// The largest status of the threads that returned, or that of the first failure.
    code: i32,
    failed: bool,
    /// When the processes that still run are killed.
    kill_at: Option<Instant>,
    /// What the job may take, and when that is over.
    limit: Option<(Duration, Instant)>,
    /// When the processes are told to end, for the limit is over.
    terminate_at: Option<Instant>,
    /// A thread that fails waits for a debugger, and the others with it.
    freezes: bool,
    quiet: bool,
    /// Processes need not say anything.
    plain: bool,
}

impl Fate {
    pub fn new(plan: &Plan) -> Fate {
        let life = |process| {
            let threads = plan.shown(process);
            Life { threads, alive: true, up: false, done: false, starved: None }
        };
        Fate {
            lives: (0..plan.processes.len()).map(life).collect(),
            code: 0,
            failed: false,
            kill_at: None,
            limit: None,
            terminate_at: None,
            freezes: plan.freeze_on_error,
            quiet: plan.quiet,
            plain: plan.plain,
        }
    }

    /// The job's exit code, once no process is left.
    pub fn over(&self) -> Option<i32> {
        // An exit code has 8 bits; a failure must not look like a success.
        let code = match self.code & 0xff {
            0 if self.code != 0 => 255,
            code => code,
        };
        self.lives.iter().all(|life| !life.alive).then_some(code)
    }

    /// When [`Fate::tick`] has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let limit = self.limit.map(|(_, at)| at);
        [self.kill_at, self.terminate_at, limit].into_iter().flatten().min()
    }

    /// The job shall end if it takes longer than this.
    pub fn end_after(&mut self, timeout: Duration, now: Instant) {
        // A time that no clock reaches is no limit.
        self.limit = now.checked_add(timeout).map(|at| (timeout, at));
    }

    pub fn tick(&mut self, now: Instant) -> Vec<Action> {
        let is_over = |at: &mut Instant| *at <= now;
        if let Some((timeout, _)) = self.limit.take_if(|(_, at)| is_over(at)) {
            return self.timed_out(timeout, now);
        }
        if self.terminate_at.take_if(is_over).is_some() {
            let then = vec![Action::Forward(Signal::SIGTERM)];
            return self.end(exit::TIMEOUT, now + GRACE_SIGNAL, then);
        }
        match self.kill_at.take_if(is_over) {
            Some(_) => vec![Action::Kill { spare: None }],
            None => Vec::new(),
        }
    }

    /// Processes first print where their threads are, then get a signal that they may catch. A job
    /// that ends already is not disturbed.
    fn timed_out(&mut self, timeout: Duration, now: Instant) -> Vec<Action> {
        if self.failed {
            return Vec::new();
        }
        (self.failed, self.code) = (true, exit::TIMEOUT);
        self.terminate_at = Some(now + GRACE_ANSWER);
        let text = format!("the job has not ended within {} s (-timeout)", timeout.as_secs_f64());
        vec![Action::Say(text), Action::Ask]
    }

    /// A debugger holds a process: what is due waits.
    pub fn postpone(&mut self, now: Instant) {
        let limit = self.limit.as_mut().map(|(_, at)| at);
        let all = [self.kill_at.as_mut(), self.terminate_at.as_mut(), limit];
        for at in all.into_iter().flatten() {
            *at = (*at).max(now + GRACE_CULPRIT);
        }
    }

    /// The user has left the debugger, which ends the job.
    pub fn debugger_left(&mut self, now: Instant) -> Vec<Action> {
        self.end(0, now + GRACE_CULPRIT, vec![Action::Kill { spare: None }])
    }

    pub fn message(&mut self, process: usize, message: Message, now: Instant) -> Vec<Action> {
        let spare = Some(process);
        match message {
            Message::Up => self.lives[process].up = true,
            // Of no consequence for the job's end.
            Message::Card { .. } | Message::Trace(..) | Message::Stats(..) => {}
            Message::Frozen { thread } => return vec![Action::Frozen { process, thread }],
            Message::Done { status } => {
                self.lives[process].done = true;
                if !self.failed {
                    self.code = larger(self.code, status);
                }
            }
            Message::Exit { thread, status } => {
                let text = format!("thread {thread} called exit({status})");
                return self.fail(status, text, now + GRACE_EXIT, Vec::new());
            }
            Message::GlobalExit { thread, status, function } => {
                let mut actions = vec![Action::Kill { spare }];
                if !self.failed && status != 0 && !self.quiet {
                    let text = format!("thread {thread} called {function}({status})");
                    actions.insert(0, Action::Say(text));
                }
                return self.end(status, now + GRACE_CULPRIT, actions);
            }
            Message::Fatal { thread, code, text } => {
                let text = format!("thread {thread}: error[{code}]: {text}");
                return self.fail_in_thread(1, text, process, now);
            }
            Message::Signal { thread, number, address, place } => {
                let mut at = address.map_or(String::new(), |at| format!(" at address {at:#x}"));
                if !place.is_empty() {
                    at += &format!(", in {place}");
                }
                let why = self.lives[process].why();
                let text = format!("thread {thread} received {}{at}{why}", signal_name(number));
                return self.fail_in_thread(128 + number, text, process, now);
            }
        }
        Vec::new()
    }

    /// The kernel has killed a process that lacked memory; its end comes next.
    pub fn starved(&mut self, process: usize, why: String) {
        self.lives[process].starved = Some(why);
    }

    /// A process is gone. All of its messages must have been heard before.
    pub fn ended(&mut self, process: usize, end: End, now: Instant) -> Vec<Action> {
        let life = &mut self.lives[process];
        life.alive = false;
        let (threads, up, done) = (life.threads.clone(), life.up, life.done);
        let why = life.why();
        match end {
            End::Signal { number, dumped_core } => {
                let core = if dumped_core { " (core dumped)" } else { "" };
                let text = format!("{threads} killed by {}{core}{why}", signal_name(number));
                let kill = vec![Action::Kill { spare: None }];
                match number {
                    // Our own stdout was closed, and who closed it knows.
                    libc::SIGPIPE => self.end(128 + number, now, kill),
                    _ => self.fail_aloud(128 + number, text, now, kill),
                }
            }
            End::Code(0) if done || !up => Vec::new(),
            End::Code(code) if done || self.plain && !up => {
                if !self.failed {
                    self.code = larger(self.code, code);
                }
                Vec::new()
            }
            End::Code(code) => {
                let text = format!("{threads} ended early with exit code {code}");
                // To end early is a failure, whatever the code says.
                let code = if code == 0 { 1 } else { code };
                self.fail(code, text, now + GRACE_EXIT, Vec::new())
            }
        }
    }

    /// Hosts are lost with all of their processes that were left.
    pub fn lost(
        &mut self,
        processes: impl Iterator<Item = usize>,
        code: i32,
        text: String,
        now: Instant,
    ) -> Vec<Action> {
        let lost = processes.filter(|i| std::mem::take(&mut self.lives[*i].alive)).count();
        if lost == 0 {
            return Vec::new();
        }
        self.fail_aloud(code, text, now, vec![Action::Kill { spare: None }])
    }

    /// What the job prints is lost from here on.
    pub fn output_lost(&mut self, text: String, now: Instant) -> Vec<Action> {
        match self.failed {
            true => Vec::new(),
            false => self.fail_aloud(exit::SYSTEM, text, now, vec![Action::Kill { spare: None }]),
        }
    }

    /// The user or the system wants the job to end.
    pub fn signalled(&mut self, signal: Signal, now: Instant) -> Vec<Action> {
        let again = self.kill_at.is_some();
        let number = signal as i32;
        let text = format!("ended by {}", signal_name(number));
        let mut actions = vec![Action::Forward(signal)];
        if again {
            actions.push(Action::Kill { spare: None });
        }
        self.fail(128 + number, text, now + GRACE_SIGNAL, actions)
    }

    /// A failure that `-q` hushes: someone decided it.
    fn fail(&mut self, code: i32, text: String, at: Instant, mut then: Vec<Action>) -> Vec<Action> {
        if !self.failed && !self.quiet {
            then.insert(0, Action::Say(text));
        }
        self.end(code, at, then)
    }

    /// A failure that is always told.
    fn fail_aloud(
        &mut self,
        code: i32,
        text: String,
        at: Instant,
        mut then: Vec<Action>,
    ) -> Vec<Action> {
        if !self.failed {
            then.insert(0, Action::Say(text));
        }
        self.end(code, at, then)
    }

    /// A thread has failed, and its process will end; the job ends with it.
    fn fail_in_thread(
        &mut self,
        code: i32,
        text: String,
        process: usize,
        now: Instant,
    ) -> Vec<Action> {
        if !self.freezes {
            let kill = vec![Action::Kill { spare: Some(process) }];
            return self.fail_aloud(code, text, now + GRACE_CULPRIT, kill);
        }
        if self.failed {
            return Vec::new();
        }
        (self.failed, self.code) = (true, code);
        vec![Action::Say(text)]
    }

    fn end(&mut self, code: i32, at: Instant, actions: Vec<Action>) -> Vec<Action> {
        if !self.failed {
            self.failed = true;
            self.code = code;
        }
        self.kill_at = Some(self.kill_at.map_or(at, |earlier| earlier.min(at)));
        actions
    }
}

/// Of two statuses: as exit codes, negative ones are large.
fn larger(a: i32, b: i32) -> i32 {
    if b & 0xff > a & 0xff {
        b
    } else {
        a
    }
}

fn signal_name(number: i32) -> String {
    let meaning = match number {
        libc::SIGSEGV => "segmentation fault",
        libc::SIGABRT => "abort",
        libc::SIGFPE => "arithmetic error",
        libc::SIGBUS => "bus error",
        libc::SIGILL => "illegal instruction",
        libc::SIGINT => "interrupt",
        libc::SIGTERM => "termination",
        libc::SIGKILL => "kill",
        libc::SIGHUP => "hang-up",
        _ => "",
    };
    let name = Signal::try_from(number).map_or("a signal", |signal| signal.as_str());
    match meaning {
        "" => format!("{name} (signal {number})"),
        _ => format!("{name} (signal {number}, {meaning})"),
    }
}

#[cfg(test)]
mod tests;
