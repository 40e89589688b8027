// SPDX-License-Identifier: BSD-3-Clause
//! Which threads run in which process, and on which CPUs.

/// One process of the job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    pub first: u32,
    pub count: u32,
    /// One CPU for each thread; empty if threads are not bound.
    pub cpus: Vec<u32>,
}

/// A CPU, and what it has in common with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu {
    pub number: u32,
    /// CPUs with equal numbers share a cache.
    pub cache: u32,
    /// The memory node next to the CPU.
    pub node: u32,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Plan {
    pub threads: u32,
    /// Most bytes of shared memory per thread; 0 for no limit.
    pub heap: u64,
    pub quiet: bool,
    pub polite: bool,
    /// In the order in which threads take them; empty if threads are not bound.
    pub cpus: Vec<Cpu>,
    /// The thread that waits for a debugger at its start.
    pub freeze: Option<u32>,
    /// The terminal's input and signals are a debugger's, not the processes'.
    pub apart: bool,
    /// Whether threads that fail show their calls; else the environment says it.
    pub backtrace: Option<bool>,
    pub processes: Vec<Process>,
}

/// Deals threads to processes in order, `pthreads` to each.
pub fn deal(threads: u32, pthreads: u32, cpus: &[Cpu]) -> Vec<Process> {
    let cpu = |thread: u32| cpus[thread as usize % cpus.len()].number;
    (0..threads.div_ceil(pthreads))
        .map(|process| {
            let first = process * pthreads;
            let count = pthreads.min(threads - first);
            let cpus = match cpus.is_empty() {
                true => Vec::new(),
                false => (first..first + count).map(cpu).collect(),
            };
            Process { first, count, cpus }
        })
        .collect()
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
    /// The value of FURLONG_JOB for a process (docs/launch.md).
    pub fn job_variable(&self, process: usize, mem: i32, ctl: i32) -> String {
        let Process { first, count, cpus } = &self.processes[process];
        let mut out = format!(
            "v=1,threads={},procs={},proc={process},first={first},count={count},mem={mem},\
             ctl={ctl},heap={}",
            self.threads,
            self.processes.len(),
            self.heap,
        );
        if !cpus.is_empty() {
            let cpus: Vec<_> = cpus.iter().map(u32::to_string).collect();
            out += &format!(",cpus={}", cpus.join(":"));
            let places = self.cpus.iter().take(self.threads as usize);
            let places: Vec<_> = places.map(|cpu| format!("{}.{}", cpu.cache, cpu.node)).collect();
            out += &format!(",places={}", places.join(":"));
        }
        if let Some(thread) = self.freeze.filter(|t| (*first..first + count).contains(t)) {
            out += &format!(",freeze={thread}");
        }
        for (key, flag) in [("quiet", self.quiet), ("polite", self.polite)] {
            if flag {
                out += &format!(",{key}=1");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_threads_by_two_fill_processes_in_order() {
        let cpus = [(0, 1, 0), (4, 2, 1)];
        let cpus = cpus.map(|(number, cache, node)| Cpu { number, cache, node }).to_vec();
        let plan = Plan {
            threads: 5,
            quiet: true,
            polite: true,
            freeze: Some(3),
            processes: deal(5, 2, &cpus),
            cpus,
            ..Plan::default()
        };
        let shown: Vec<_> = plan.processes.iter().map(Process::shown).collect();
        assert_eq!(shown, ["threads 0-1", "threads 2-3", "thread 4"]);
        assert_eq!(
            plan.job_variable(1, 3, 4),
            "v=1,threads=5,procs=3,proc=1,first=2,count=2,mem=3,ctl=4,heap=0,cpus=0:4,\
             places=1.0:2.1,freeze=3,quiet=1,polite=1"
        );
        assert_eq!(plan.processes[2].cpus, [0]);
    }

    #[test]
    fn more_pthreads_than_threads_is_one_process() {
        assert_eq!(deal(3, 8, &[]), [Process { first: 0, count: 3, cpus: vec![] }]);
    }
}
