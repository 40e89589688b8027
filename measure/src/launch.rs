// SPDX-License-Identifier: BSD-3-Clause
//! Starting programs: by `upcrun`, or by the launcher of an MPI, in a mapping; and saying what went
//! wrong so that a person can do it again.

use crate::config::Config;
use crate::mapping::Mapping;
use crate::netns;
use crate::process::{Command, End, Output};
use std::path::Path;

/// How long a launcher waits for its hosts: this machine may be busy with other tests.
const PATIENT_SECS: &str = "60";

pub fn launch(config: &Config, mapping: Mapping, dir: &Path) -> Command {
    let command = match mpi(config) {
        Some(mpi) => mpiexec(mpi, mapping, dir),
        None => upcrun(config, mapping, dir),
    };
    match config.remote {
        true => command.env("FURLONG_ALL_REMOTE", "1"),
        false => command,
    }
}

/// The MPI that is the transport.
pub fn mpi(config: &Config) -> Option<&str> {
    config.transport.as_deref().filter(|name| ["mpich", "openmpi"].contains(name))
}

/// An MPI as the transport: its own launcher must start the processes (docs/mpi.md).
fn mpiexec(mpi: &str, mapping: Mapping, dir: &Path) -> Command {
    let oversubscribe = if mpi == "openmpi" { &["--map-by", ":OVERSUBSCRIBE"][..] } else { &[] };
    Command::new(format!("mpiexec.{mpi}"), dir)
        .args(oversubscribe)
        .args(["-n", &mapping.processes.to_string()])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("FURLONG_TRANSPORT", mpi)
        .env("FURLONG_VIRTUAL_HOSTS", mapping.hosts.to_string())
        .env("UPC_PTHREADS_PER_PROC", mapping.pthreads.to_string())
        .env("UPC_QUIET", "1")
}

fn upcrun(config: &Config, mapping: Mapping, dir: &Path) -> Command {
    let (threads, pthreads) = (mapping.threads().to_string(), mapping.pthreads.to_string());
    let command = Command::new(&config.upcrun, dir).args(["-q", "-n", &threads, "-p", &pthreads]);
    let command = match &config.transport {
        Some(transport) if mapping.hosts > 1 => command.args(["-transport", transport]),
        _ => command,
    };
    over_hosts(config, mapping.hosts, command)
}

/// A launcher with so many hosts to run on.
pub fn over_hosts(config: &Config, hosts: u32, launcher: Command) -> Command {
    let number = hosts.to_string();
    match &config.netns {
        _ if hosts == 1 => launcher,
        None => launcher.args(["-virtual-hosts", &number, "-connect-timeout", PATIENT_SECS]),
        Some(netns) => launcher.args(["-N", &number, "-hosts", &netns.list()]).args(netns::OPTIONS),
    }
}

/// Runs a command that must succeed.
pub fn run_or_say(config: &Config, command: Command) -> Result<(), String> {
    let output = command.run();
    match output.ok() {
        true => Ok(()),
        false => {
            let again = command.shown(&config.root);
            Err(format!("{}\n{}again: {again}", output.end, transcript(&output)))
        }
    }
}

/// What the command printed, indented, short enough to read.
pub fn transcript(output: &Output) -> String {
    let mut text = String::new();
    for (name, stream) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !stream.trim().is_empty() {
            let lines = shorten(stream, 40).replace('\n', "\n  ");
            text.push_str(&format!("{name}:\n  {lines}\n"));
        }
    }
    text
}

/// Why a test cannot run here: one of the commands that it `needs` fails. A comment in the command
/// says what it looks for.
pub fn lacks(config: &Config, name: &str, needs: &[String]) -> Option<String> {
    let fails = |command: &&String| {
        let shell = Command::new("sh", &config.scratch(name));
        shell
            .args(["-c", command])
            .env("ROOT", &config.root)
            .env("PREFIX", config.prefix())
            .run()
            .end
            != End::Code(0)
    };
    let command = needs.iter().find(fails)?;
    let what = command.split_once(" # ").map_or(command.as_str(), |(_, what)| what);
    Some(format!("this machine lacks what it needs: {what}"))
}

/// At most `most` lines: a failure is read by a person.
pub fn shorten(text: &str, most: usize) -> String {
    let count = text.lines().count();
    if count <= most {
        return text.trim_end().to_string();
    }
    let head: Vec<&str> = text.lines().take(most).collect();
    format!("{}\n... and {} more lines", head.join("\n"), count - most)
}
