// SPDX-License-Identifier: BSD-3-Clause
//! The processes of a job on this host: starts them, carries out the head's orders, and reports
//! what they say, print and come to. Decides nothing. The same in the head and in an agent.

use super::control::{self, Message};
use super::debugger;
use super::fate::End;
use super::poller::{Poller, Source, Watched};
use super::start::{Started, Starter};
use super::starved;
use super::wire::{Flow, Order, Report, Stream, Task};
use super::{descendants, limits};
use crate::exit::{self, Refusal};
use nix::errno::Errno;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::epoll::EpollFlags;
use nix::sys::signal::{kill, Signal};
use nix::sys::socket::{recv, send, MsgFlags};
use nix::unistd::{read, write, Pid};
use std::io;
use std::os::fd::{AsFd, AsRawFd};

/// Bytes that are read from a pipe at once, and asked for as input.
const BUFFER: usize = 1 << 16;

struct Member {
    pid: Pid,
    alive: bool,
    ctl: Watched,
    /// Of the network addresses, those that the process has got.
    cards: usize,
    /// stdout and stderr; none after their ends.
    pipes: [Option<Pipe>; 2],
}

struct Pipe {
    end: Watched,
    held: bool,
}

/// The standard input of process 0, as far as upcrun passes it on.
struct Input {
    end: Watched,
    text: Vec<u8>,
    written: usize,
}

pub struct Crew {
    /// The number of the first process.
    first: usize,
    members: Vec<Member>,
    /// The network addresses of all processes, once they are known.
    cards: Vec<String>,
    input: Option<Input>,
    /// Nobody can take output now.
    held: bool,
    reports: Vec<Report>,
    memory: starved::Before,
}

impl Crew {
    /// Starts the processes; all of them, or none.
    pub fn start(task: &Task, poller: &Poller) -> Result<Crew, Refusal> {
        let processes = task.plan.processes_of(task.host);
        let starter = Starter::new(task).map_err(super::system)?;
        limits::check_interface(&task.plan).map_err(|text| (exit::USAGE, text))?;
        limits::check(&task.plan, task.host).map_err(|text| (exit::SYSTEM, text))?;
        descendants::adopt();
        let mut crew = Crew {
            first: processes.start,
            members: Vec::new(),
            cards: Vec::new(),
            input: None,
            held: false,
            reports: Vec::new(),
            memory: starved::Before::now(starter.memory()).map_err(super::system)?,
        };
        for process in processes {
            let started = starter.start(process).and_then(|started| crew.add(started, poller));
            if let Err(e) = started {
                crew.signal(Signal::SIGKILL, None);
                descendants::kill_all();
                return Err(cannot_start(task, process, &e));
            }
        }
        Ok(crew)
    }

    /// What is to be told the head since this was last called.
    pub fn reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Takes a process that was just started; they come in the order of their numbers.
    fn add(&mut self, started: Started, poller: &Poller) -> io::Result<()> {
        let i = self.members.len();
        let pipe = |end: Option<_>| end.map(|fd| Pipe { end: Watched::new(fd), held: false });
        self.members.push(Member {
            pid: started.pid,
            alive: true,
            ctl: Watched::new(started.ctl),
            cards: 0,
            pipes: [pipe(started.stdout), pipe(started.stderr)],
        });
        poller.read(&mut self.members[i].ctl, Source::Control(i))?;
        for number in [2 * i, 2 * i + 1] {
            self.listen(number, poller)?;
        }
        if let Some(end) = started.stdin {
            self.input = Some(Input { end: Watched::new(end), text: Vec::new(), written: 0 });
            self.reports.push(Report::Reads);
        }
        let (process, pid) = (self.first + i, started.pid.as_raw());
        self.reports.push(Report::Started { process, pid });
        Ok(())
    }

    /// Deals with an event.
    pub fn heard(&mut self, source: Source, poller: &Poller) {
        match source {
            Source::Control(member) => {
                self.hear(member, poller);
                self.send_cards(member, poller);
            }
            Source::Pipe(number) => self.read(number),
            Source::Input => self.write_input(poller),
            _ => {}
        }
    }

    pub fn obey(&mut self, order: Order, poller: &Poller) -> io::Result<()> {
        match order {
            Order::Signal { number, spare } => {
                if let Ok(signal) = Signal::try_from(number) {
                    self.signal(signal, spare);
                }
            }
            Order::Flow(stream, flow) => self.set_flow(stream, flow, poller)?,
            Order::Cards(cards) => {
                self.cards = cards;
                for member in 0..self.members.len() {
                    self.send_cards(member, poller);
                }
            }
            Order::Ask => self.ask(),
            Order::Input(text) => self.take_input(text, poller),
            // What stops at the terminal's word is the head's process group, not the crew's.
            Order::Pause(true) => self.signal(Signal::SIGSTOP, None),
            Order::Pause(false) => self.signal(Signal::SIGCONT, None),
            Order::Start(_) | Order::Beat => {}
        }
        Ok(())
    }

    /// Whether anyone has room for output: else none is read.
    pub fn set_room(&mut self, room: bool, poller: &Poller) -> io::Result<()> {
        if self.held != room {
            return Ok(());
        }
        self.held = !room;
        (0..2 * self.members.len()).try_for_each(|number| self.listen(number, poller))
    }

    /// A child has ended: whether it was one of the crew.
    pub fn buried(&mut self, pid: Pid, end: End, poller: &Poller) -> bool {
        let dead = |member: &Member| member.alive && member.pid == pid;
        let Some(i) = self.members.iter().position(dead) else { return false };
        self.hear(i, poller);
        self.members[i].alive = false;
        poller.forget(&mut self.members[i].ctl, Source::Control(i));
        // What a child of it still holds open is not waited for.
        for number in [2 * i, 2 * i + 1] {
            while self.has_data(number) {
                self.read(number);
            }
        }
        let process = self.first + i;
        if let End::Signal { number, .. } = end {
            self.explain(process, number);
        }
        self.reports.push(Report::Ended { process, end });
        true
    }

    fn explain(&mut self, process: usize, signal: i32) {
        let why = self.memory.reason(signal).map(|why| Report::Starved { process, why });
        self.reports.extend(why);
    }

    /// Does a debugger hold one of them?
    pub fn is_held_by_debugger(&self) -> bool {
        self.members.iter().filter(|member| member.alive).any(|member| debugger::holds(member.pid))
    }

    pub fn is_alive(&self, process: usize) -> bool {
        process.checked_sub(self.first).is_some_and(|i| self.members[i].alive)
    }

    fn signal(&self, signal: Signal, spare: Option<usize>) {
        for (i, member) in self.members.iter().enumerate() {
            if member.alive && Some(self.first + i) != spare {
                let _ = kill(member.pid, signal);
            }
        }
    }

    /// A process that has no room for the question has not read what came before it either.
    fn ask(&self) {
        for member in self.members.iter().filter(|member| member.alive) {
            let _ = send(member.ctl.fd.as_raw_fd(), b"where", MsgFlags::MSG_NOSIGNAL);
        }
    }

    /// Reads all messages that a process has sent.
    fn hear(&mut self, member: usize, poller: &Poller) {
        let mut packet = [0; 4096];
        loop {
            let fd = self.members[member].ctl.fd.as_raw_fd();
            match recv(fd, &mut packet, MsgFlags::empty()) {
                Ok(count) if count > 0 => {
                    let process = self.first + member;
                    let packet = packet[..count].to_vec();
                    if let Some(Message::Signal { number, .. }) = control::parse(&packet) {
                        self.explain(process, number);
                    }
                    self.reports.push(Report::Packet { process, packet });
                }
                Err(Errno::EAGAIN) => return,
                Err(Errno::EINTR) => {}
                // The process is gone or has closed its end; its death tells the rest.
                _ => {
                    self.members[member].cards = usize::MAX;
                    return poller.forget(&mut self.members[member].ctl, Source::Control(member));
                }
            }
        }
    }

    /// Gives a process the addresses of the others, as far as it has room for them.
    fn send_cards(&mut self, member: usize, poller: &Poller) {
        let own = self.first + member;
        let Member { ctl, cards: sent, .. } = &mut self.members[member];
        while let Some(card) = self.cards.get(*sent) {
            if *sent != own {
                let packet = format!("card {sent} {card}");
                let flags = MsgFlags::MSG_NOSIGNAL;
                match send(ctl.fd.as_raw_fd(), packet.as_bytes(), flags) {
                    Ok(_) => {}
                    Err(Errno::EINTR) => continue,
                    Err(Errno::EAGAIN) => break,
                    // It is gone; its death tells the rest.
                    Err(_) => *sent = self.cards.len() - 1,
                }
            }
            *sent += 1;
        }
        if *sent != usize::MAX {
            let more =
                if *sent < self.cards.len() { EpollFlags::EPOLLOUT } else { EpollFlags::empty() };
            let _ = poller.want(ctl, Source::Control(member), EpollFlags::EPOLLIN | more);
        }
    }

    fn stream(&self, number: usize) -> Stream {
        Stream { process: self.first + number / 2, is_stderr: number % 2 == 1 }
    }

    /// Reads once what a pipe has.
    fn read(&mut self, number: usize) {
        let stream = self.stream(number);
        let pipe = &mut self.members[number / 2].pipes[number % 2];
        let Some(Pipe { end, .. }) = pipe else { return };
        let mut buffer = [0; BUFFER];
        match read(&end.fd, &mut buffer) {
            Ok(count) if count > 0 => {
                self.reports.push(Report::Output(stream, buffer[..count].to_vec()));
            }
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            _ => {
                *pipe = None;
                self.reports.push(Report::Closed(stream));
            }
        }
    }

    fn has_data(&self, number: usize) -> bool {
        let Some(pipe) = &self.members[number / 2].pipes[number % 2] else { return false };
        let mut fds = [PollFd::new(pipe.end.fd.as_fd(), PollFlags::POLLIN)];
        poll(&mut fds, PollTimeout::ZERO).is_ok_and(|count| count > 0)
    }

    fn set_flow(&mut self, stream: Stream, flow: Flow, poller: &Poller) -> io::Result<()> {
        let Some(i) = stream.process.checked_sub(self.first) else { return Ok(()) };
        let number = 2 * i + usize::from(stream.is_stderr);
        let Some(member) = self.members.get_mut(i) else { return Ok(()) };
        let pipe = &mut member.pipes[number % 2];
        match (flow, &mut *pipe) {
            (Flow::Closed, _) => *pipe = None,
            (_, Some(pipe)) => pipe.held = flow == Flow::Held,
            (_, None) => {}
        }
        self.listen(number, poller)
    }

    /// Has the poller tell of output if there is room for it.
    fn listen(&mut self, number: usize, poller: &Poller) -> io::Result<()> {
        let Some(pipe) = &mut self.members[number / 2].pipes[number % 2] else { return Ok(()) };
        let quiet = pipe.held || self.held;
        let flags = if quiet { EpollFlags::empty() } else { EpollFlags::EPOLLIN };
        poller.want(&mut pipe.end, Source::Pipe(number), flags)
    }

    fn take_input(&mut self, text: Vec<u8>, poller: &Poller) {
        match &mut self.input {
            Some(_) if text.is_empty() => self.input = None,
            Some(input) => (input.text, input.written) = (text, 0),
            None => {}
        }
        self.write_input(poller);
    }

    fn write_input(&mut self, poller: &Poller) {
        let Some(input) = &mut self.input else { return };
        while input.written < input.text.len() {
            match write(&input.end.fd, &input.text[input.written..]) {
                Ok(count) => input.written += count,
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => {
                    let _ = poller.want(&mut input.end, Source::Input, EpollFlags::EPOLLOUT);
                    return;
                }
                // The process reads no more.
                Err(_) => return self.input = None,
            }
        }
        poller.forget(&mut input.end, Source::Input);
        if !std::mem::take(&mut input.text).is_empty() {
            self.reports.push(Report::Reads);
        }
    }
}

fn cannot_start(task: &Task, process: usize, e: &io::Error) -> Refusal {
    use io::ErrorKind::{NotFound, PermissionDenied};
    let (name, total) = (&task.words[0], task.plan.processes.len());
    if e.raw_os_error() == Some(libc::ENOEXEC) {
        let text = format!("`{name}` cannot run here: it is no program (a script needs `#!`)");
        return (exit::NOT_FOUND, text);
    }
    match e.kind() {
        // The file exists: what lacks is its interpreter or its loader.
        NotFound => (exit::NOT_FOUND, format!("`{name}` cannot run: its interpreter is missing")),
        PermissionDenied => (exit::NOT_FOUND, format!("`{name}` may not be executed: {e}")),
        _ => {
            let text = format!(
                "cannot start process {process} of {total}: {e}; -p puts several threads into each"
            );
            (exit::SYSTEM, text)
        }
    }
}
