// SPDX-License-Identifier: BSD-3-Clause
//! Other libraries that do the same, where they are installed: the program beside ours is compiled
//! and started by them.

use crate::config::Config;
use crate::process::Command;
use crate::program;
use std::path::{Path, PathBuf};

pub struct Peer {
    pub name: &'static str,
    cc: &'static str,
    /// Before the number of processes.
    run: &'static [&'static str],
}

/// Processes go where ours go: each library would bind them otherwise.
const PEERS: [Peer; 2] = [
    Peer {
        name: "Open MPI",
        cc: "mpicc.openmpi",
        run: &[
            "mpirun.openmpi",
            "--allow-run-as-root",
            "--oversubscribe",
            "--bind-to",
            "none",
            "-np",
        ],
    },
    Peer { name: "MPICH", cc: "mpicc.mpich", run: &["mpirun.mpich", "-bind-to", "none", "-np"] },
];

/// A program of a peer.
pub struct Built {
    pub peer: &'static Peer,
    binary: PathBuf,
    dir: PathBuf,
}

/// The source in bench/, compiled for each peer there is.
pub fn build(
    config: &Config,
    source: &str,
    flags: &[&str],
    dir: &Path,
) -> Result<Vec<Built>, String> {
    let mut built = Vec::new();
    for peer in &PEERS {
        if !Command::new(peer.cc, dir).arg("--version").run().ok() {
            eprintln!("{} is not installed", peer.name);
            continue;
        }
        let binary = dir.join(peer.cc.replace("mpicc.", "program-"));
        let cc = Command::new(peer.cc, &config.root.join("bench")).args(["-O3", source, "-o"]);
        program::run_or_say(config, cc.arg(&binary).args(flags))?;
        built.push(Built { peer, binary, dir: dir.to_owned() });
    }
    Ok(built)
}

impl Built {
    /// As the table names it.
    pub fn mapping(&self, processes: u32) -> String {
        format!("{processes}{}{}", super::report::BY, self.peer.name)
    }

    pub fn command(&self, processes: u32, args: &[String]) -> Command {
        let [first, rest @ ..] = self.peer.run else { unreachable!("a peer is run by something") };
        let command = Command::new(first, &self.dir).args(rest).arg(processes.to_string());
        command.arg(&self.binary).args(args)
    }
}
