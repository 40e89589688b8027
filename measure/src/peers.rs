// SPDX-License-Identifier: BSD-3-Clause
//! Other systems that do the same, where they are installed: the program beside ours, for MPI or
//! for OpenMP, is compiled and started by them.

use crate::config::Config;
use crate::launch;
use crate::mapping::Mapping;
use crate::process::Command;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Mpi,
    OpenMp,
}

pub struct Peer {
    pub name: &'static str,
    kind: Kind,
    cc: &'static str,
    /// Before the number of processes; of OpenMP, the program runs by itself.
    run: &'static [&'static str],
    /// What makes processes of one host reach each other by TCP, as hosts do.
    apart: Apart,
}

struct Apart {
    options: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    /// Whether processes wait without giving up their CPU: more of them than CPUs take a hundred times
    /// as long, or never end.
    spins: bool,
}

const NOT_APART: Apart = Apart { options: &[], env: &[], spins: false };

/// Processes go where ours go: each library would bind them otherwise.
const PEERS: [Peer; 4] = [
    Peer {
        name: "Open MPI",
        kind: Kind::Mpi,
        cc: "mpicc.openmpi",
        run: &[
            "mpirun.openmpi",
            "--allow-run-as-root",
            "--oversubscribe",
            "--bind-to",
            "none",
            "-np",
        ],
        apart: Apart {
            options: &["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
            env: &[("OMPI_MCA_btl_tcp_if_include", "lo")],
            spins: false,
        },
    },
    Peer {
        name: "MPICH",
        kind: Kind::Mpi,
        cc: "mpicc.mpich",
        run: &["mpirun.mpich", "-bind-to", "none", "-np"],
        apart: Apart {
            options: &[],
            env: &[("MPIR_CVAR_NOLOCAL", "1"), ("UCX_TLS", "tcp,self"), ("UCX_NET_DEVICES", "lo")],
            spins: true,
        },
    },
    Peer { name: "libgomp", kind: Kind::OpenMp, cc: "gcc", run: &[], apart: NOT_APART },
    Peer { name: "ompcc", kind: Kind::OpenMp, cc: "ompcc", run: &[], apart: NOT_APART },
];

impl Kind {
    /// Whether the peer of this name is one.
    pub fn has(self, name: &str) -> bool {
        PEERS.iter().any(|peer| peer.name == name && peer.kind == self)
    }

    /// The compilers' options.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Kind::Mpi => &["-O3"],
            Kind::OpenMp => &["-O3", "-fopenmp"],
        }
    }
}

impl Peer {
    /// Whether it can be measured there, with so many CPUs.
    pub fn can_run(&self, at: Mapping, cpus: usize) -> bool {
        let has_cpus = at.threads() as usize <= cpus || !self.apart.spins;
        at.hosts == 1 || (self.kind == Kind::Mpi && has_cpus)
    }
}

/// A program of a peer.
pub struct Built {
    pub peer: &'static Peer,
    binary: PathBuf,
    dir: PathBuf,
}

/// The source in bench/, compiled for each peer of this kind that there is, or only for one.
pub fn build(
    config: &Config,
    kind: Kind,
    only: Option<&str>,
    source: &str,
    flags: &[&str],
    dir: &Path,
) -> Result<Vec<Built>, String> {
    let mut built = Vec::new();
    let is_one = |peer: &&Peer| peer.kind == kind && only.is_none_or(|name| name == peer.name);
    for peer in PEERS.iter().filter(is_one) {
        let tool = config.tool(peer.cc);
        let cc = if tool.exists() { tool } else { peer.cc.into() };
        if !Command::new(&cc, dir).arg("--version").run().ok() {
            eprintln!("{} is not installed", peer.name);
            continue;
        }
        let binary = dir.join(format!("program-{}", peer.name.replace(' ', "-")));
        let cc = Command::new(cc, &config.root.join("bench")).args(kind.flags());
        launch::run_or_say(config, cc.arg(source).arg("-o").arg(&binary).args(flags))?;
        built.push(Built { peer, binary, dir: dir.to_owned() });
    }
    Ok(built)
}

impl Built {
    /// As the table names it.
    pub fn mapping(&self, at: Mapping) -> String {
        format!("{}{}{}", place(at), crate::report::BY, self.peer.name)
    }

    /// With as many processes, or threads, as the mapping has threads. Those of several hosts reach
    /// each other by TCP.
    pub fn command(&self, at: Mapping, args: &[String]) -> Command {
        let number = at.threads().to_string();
        let [first, rest @ ..] = self.peer.run else {
            let command = Command::new(&self.binary, &self.dir).args(args);
            return command.env("OMP_NUM_THREADS", number);
        };
        let apart = if at.hosts > 1 { &self.peer.apart } else { &NOT_APART };
        let command = Command::new(first, &self.dir).args(apart.options).args(rest).arg(number);
        let command =
            apart.env.iter().fold(command, |command, (name, value)| command.env(name, value));
        command.arg(&self.binary).args(args)
    }
}

/// A mapping as far as peers know it: the processes, and the hosts if there are several.
pub fn place(at: Mapping) -> String {
    match at.hosts {
        1 => at.threads().to_string(),
        hosts => format!("{hosts}:{}", at.threads()),
    }
}
