// SPDX-License-Identifier: BSD-3-Clause
//! How the threads of a job are divided among hosts and processes.

/// `4x2`: processes and pthreads of each; `2:4x2`: the four processes on two hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    pub hosts: u32,
    pub processes: u32,
    pub pthreads: u32,
}

impl Mapping {
    pub fn on_one_host(processes: u32) -> Mapping {
        Mapping { hosts: 1, processes, pthreads: 1 }
    }

    pub fn threads(self) -> u32 {
        self.processes * self.pthreads
    }

    fn parse(text: &str) -> Option<Mapping> {
        let (hosts, rest) = text.split_once(':').unwrap_or(("1", text));
        let (processes, pthreads) = rest.split_once('x')?;
        let mapping = Mapping {
            hosts: hosts.parse().ok()?,
            processes: processes.parse().ok()?,
            pthreads: pthreads.parse().ok()?,
        };
        let is_possible = mapping.threads() > 0 && mapping.is_on(mapping.hosts);
        is_possible.then_some(mapping)
    }

    /// Whether there is a process for each of so many hosts.
    pub fn is_on(self, hosts: u32) -> bool {
        (1..=self.processes).contains(&hosts)
    }
}

impl std::fmt::Display for Mapping {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.hosts > 1 {
            write!(f, "{}:", self.hosts)?;
        }
        write!(f, "{}x{}", self.processes, self.pthreads)
    }
}

pub fn mappings(list: &str) -> Result<Vec<Mapping>, String> {
    let parse = |text| {
        Mapping::parse(text).ok_or(format!("`{text}` is not a mapping such as 2x3 or 2:4x1"))
    };
    list.split_whitespace().map(parse).collect()
}
