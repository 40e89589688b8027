// SPDX-License-Identifier: BSD-3-Clause
//! Which threads run in which process, on which host, and on which CPUs.

use super::bind::{self, Binding, Level};
use super::key::Key;
use super::stats;
use crate::text::percent_encoded;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Duration;

/// One process of the job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Process {
    pub host: usize,
    pub first: u32,
    pub count: u32,
}

/// One host of the job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Host {
    pub name: String,
    /// Its first thread, and how many it has; never none.
    pub first: u32,
    pub count: u32,
}

/// A CPU, and what it has in common with others.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cpu {
    pub number: u32,
    /// Cores and sockets are counted over the machine.
    pub core: u32,
    pub socket: u32,
    /// CPUs with equal numbers share a cache.
    pub cache: u32,
    /// The memory node next to the CPU.
    pub node: u32,
}

#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The launcher's name.
    pub tool: String,
    pub threads: u32,
    /// Threads of each process; the last of a host may have fewer.
    pub pthreads: u32,
    /// Most bytes of shared memory per thread; 0 for no limit.
    pub heap: u64,
    pub quiet: bool,
    pub polite: bool,
    /// Each line of output says whose it is.
    pub tag: bool,
    /// Each line of output says when it came.
    pub stamp: bool,
    /// The folder that gets what each process prints, in files.
    pub files: Option<String>,
    /// What the job may take.
    pub timeout: Option<Duration>,
    /// Threads count what each line of the program costs, and tell at their end.
    pub trace: bool,
    /// Processes count, and tell at their ends; those of UPC by what they tell under -trace.
    pub stats: Option<stats::Form>,
    /// Environment variables of the processes.
    pub settings: Vec<(String, String)>,
    /// The processes share memory as OpenMP programs expect it: with the library that does it, at
    /// equal addresses, which this limit of stacks in bytes takes part in.
    pub spread: Option<u64>,
    /// Processes need not speak to the launcher.
    pub plain: bool,
    /// How threads are bound to CPUs, if they are.
    pub bind: Option<Binding>,
    pub report_bindings: bool,
    /// Each UPC thread is a process that makes threads of its own.
    pub own_threads: bool,
    /// Processes without OMP_NUM_THREADS are told their share of CPUs by it.
    pub limits_teams: bool,
    /// All hosts are one machine.
    pub is_virtual: bool,
    /// The CPUs of the host that looks at the plan, in the order in which threads take them; empty
    /// if threads are not bound.
    pub cpus: Vec<Cpu>,
    /// The thread that waits for a debugger at its start.
    pub freeze: Option<u32>,
    /// A thread that fails waits for a debugger.
    pub freeze_on_error: bool,
    /// The terminal's input and signals are a debugger's, not the processes'.
    pub apart: bool,
    /// Whether threads that fail show their calls; else the environment says it.
    pub backtrace: Option<bool>,
    pub hosts: Vec<Host>,
    /// In the order of their threads, and so of their hosts.
    pub processes: Vec<Process>,
    /// What several hosts need.
    pub net: Net,
}

/// How processes on different hosts find each other.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Net {
    pub transport: String,
    /// The only network interface to use.
    pub interface: Option<String>,
    /// Tells the job's messages from another job's; no secret.
    pub id: u64,
    pub key: Key,
}

/// Deals the threads of hosts to processes in order, `pthreads` to each.
pub fn deal(hosts: &[Host], pthreads: u32) -> Vec<Process> {
    let of_host = |(host, Host { first, count, .. }): (usize, &Host)| {
        let (first, end) = (*first, first + count);
        let starts = (first..end).step_by(pthreads as usize);
        starts.map(move |first| Process { host, first, count: pthreads.min(end - first) })
    };
    hosts.iter().enumerate().flat_map(of_host).collect()
}

impl Process {
    /// The threads in words.
    pub fn shown(&self) -> String {
        match self.count {
            1 => format!("thread {}", self.first),
            _ => format!("threads {}-{}", self.first, self.first + self.count - 1),
        }
    }
}

impl Plan {
    /// The numbers of the processes of a host.
    pub fn processes_of(&self, host: usize) -> Range<usize> {
        let start = self.processes.partition_point(|process| process.host < host);
        start..self.processes.partition_point(|process| process.host <= host)
    }

    /// Whether it is of interest which process has printed a line.
    fn separates_output(&self) -> bool {
        self.tag || self.files.is_some()
    }

    /// Whether the launcher reads what processes of its own host print. A single process has nobody
    /// to be kept apart from: it gets the terminal itself.
    pub fn passes_output(&self) -> bool {
        self.processes.len() > 1 || self.separates_output() || self.stamp
    }

    /// The CPUs that a thread is bound to, in ascending order; none if threads are not bound.
    pub fn cpus_of(&self, thread: u32) -> Vec<u32> {
        match &self.bind {
            Some(binding) if !self.cpus.is_empty() => {
                binding.cpus(&self.cpus, thread, self.width(self.host_of(thread), self.cpus.len()))
            }
            _ => Vec::new(),
        }
    }

    /// The CPUs that a thread of a host moves on by, of `cpus`.
    pub fn width(&self, host: usize, cpus: usize) -> usize {
        match self.bind {
            Some(Binding { to: Level::Share, .. }) => self.share(host, cpus),
            _ => 1,
        }
    }

    /// How many of `cpus` each thread on the machine of a host can have for itself; at least one.
    pub fn share(&self, host: usize, cpus: usize) -> usize {
        (cpus / self.threads_of_machine(host) as usize).max(1)
    }

    /// How many threads run on the machine of a host.
    pub fn threads_of_machine(&self, host: usize) -> u32 {
        if self.is_virtual {
            self.threads
        } else {
            self.hosts[host].count
        }
    }

    /// The CPUs of all threads of a process.
    pub fn cpus_of_process(&self, process: usize) -> Vec<u32> {
        let Process { first, count, .. } = self.processes[process];
        let mut cpus: Vec<u32> =
            (first..first + count).flat_map(|thread| self.cpus_of(thread)).collect();
        cpus.sort_unstable();
        cpus.dedup();
        cpus
    }

    fn host_of(&self, thread: u32) -> usize {
        self.hosts.partition_point(|host| host.first + host.count <= thread)
    }

    /// The threads of a process in words, with their host if there are several.
    pub fn shown(&self, process: usize) -> String {
        let threads = self.processes[process].shown();
        match self.hosts.len() {
            0 | 1 => threads,
            _ => format!("{threads} on {}", self.hosts[self.processes[process].host].name),
        }
    }

    /// The value of FURLONG_JOB for a process (docs/launch.md).
    pub fn job_variable(&self, process: usize, mem: i32, ctl: i32) -> String {
        let Process { host, first, count } = self.processes[process];
        let mut out = format!(
            "v=1,threads={},procs={},proc={process},first={first},count={count},mem={mem},\
             ctl={ctl},heap={}",
            self.threads,
            self.processes.len(),
            self.heap,
        );
        if !self.cpus.is_empty() {
            let width = self.width(host, self.cpus.len());
            let places = self.cpus.iter().step_by(width).take(self.threads as usize);
            let places = joined(places.map(|cpu| format!("{}.{}", cpu.cache, cpu.node)));
            let cpus =
                (first..first + count).map(|thread| bind::ranges(&self.cpus_of(thread), "+"));
            out += &format!(",cpus={},places={places}", joined(cpus));
        }
        if let Some(thread) = self.freeze.filter(|t| (first..first + count).contains(t)) {
            out += &format!(",freeze={thread}");
        }
        let stats = self.stats.is_some();
        let flags = [
            ("quiet", self.quiet),
            ("polite", self.polite),
            ("trace", self.trace || stats),
            ("stats", stats),
            ("tag", self.separates_output()),
            ("freezes", self.freeze_on_error),
            ("asked", self.timeout.is_some()),
        ];
        for (key, flag) in flags {
            if flag {
                out += &format!(",{key}=1");
            }
        }
        if self.hosts.len() > 1 {
            out += &self.hosts_variable(host);
        }
        out
    }

    fn hosts_variable(&self, host: usize) -> String {
        let Net { transport, interface, id, .. } = &self.net;
        let mut out = format!(
            ",hosts={},host={host},hostfirst={},pthreads={},names={},net={},id={id:016x}",
            self.hosts.len(),
            joined(self.hosts.iter().map(|host| host.first)),
            self.pthreads,
            joined(self.hosts.iter().map(|host| percent_encoded(host.name.as_bytes()))),
            percent_encoded(transport.as_bytes()),
        );
        if let Some(name) = interface {
            out += &format!(",iface={}", percent_encoded(name.as_bytes()));
        }
        out
    }
}

fn joined(parts: impl IntoIterator<Item = impl ToString>) -> String {
    parts.into_iter().map(|part| part.to_string()).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, first: u32, count: u32) -> Host {
        Host { name: name.to_string(), first, count }
    }

    #[test]
    fn five_threads_by_two_fill_processes_in_order() {
        let cpus = [(0, 1, 0), (4, 2, 1)];
        let cpus = cpus.map(|(number, cache, node)| Cpu { number, cache, node, ..Cpu::default() });
        let hosts = vec![host("a", 0, 5)];
        let plan = Plan {
            threads: 5,
            pthreads: 2,
            quiet: true,
            polite: true,
            trace: true,
            freeze: Some(3),
            processes: deal(&hosts, 2),
            hosts,
            bind: Some(Binding { to: Level::Cpu, map: Level::Core, is_asked: true }),
            cpus: cpus.to_vec(),
            ..Plan::default()
        };
        let shown: Vec<_> = (0..3).map(|process| plan.shown(process)).collect();
        assert_eq!(shown, ["threads 0-1", "threads 2-3", "thread 4"]);
        assert_eq!(
            plan.job_variable(1, 3, 4),
            "v=1,threads=5,procs=3,proc=1,first=2,count=2,mem=3,ctl=4,heap=0,cpus=0:4,\
             places=1.0:2.1,freeze=3,quiet=1,polite=1,trace=1"
        );
        assert_eq!(plan.cpus_of(4), [0]);
    }

    #[test]
    fn every_host_has_its_own_last_process() {
        let hosts = vec![host("a", 0, 3), host("b:1", 3, 2)];
        let net = Net {
            transport: "ucx".into(),
            interface: Some("lo".into()),
            id: 0xab,
            key: Key::default(),
        };
        let processes = deal(&hosts, 2);
        let plan = Plan { threads: 5, pthreads: 2, hosts, processes, net, ..Plan::default() };
        assert_eq!((plan.processes_of(0), plan.processes_of(1)), (0..2, 2..3));
        assert_eq!(plan.shown(2), "threads 3-4 on b:1");
        assert_eq!(
            plan.job_variable(1, 3, 4),
            "v=1,threads=5,procs=3,proc=1,first=2,count=1,mem=3,ctl=4,heap=0,\
             hosts=2,host=0,hostfirst=0:3,pthreads=2,names=a:b%3A1,net=ucx,\
             id=00000000000000ab,iface=lo"
        );
    }

    #[test]
    fn more_pthreads_than_threads_is_one_process() {
        assert_eq!(deal(&[host("a", 0, 3)], 8), [Process { host: 0, first: 0, count: 3 }]);
    }
}
