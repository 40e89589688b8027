// SPDX-License-Identifier: BSD-3-Clause
//! What can carry messages between hosts, and which launchers of others can start programs.

use super::bounded;
use super::programs::Programs;
use super::{good, note, problem, Finding};
use crate::launch::{interfaces, transports};
use std::process::Command;
use std::time::Duration;

const LAUNCHER_LIMIT: Duration = Duration::from_secs(20);

pub fn findings() -> Vec<Finding> {
    let mut findings: Vec<Finding> = transports::all()
        .into_iter()
        .map(|(name, state)| match state {
            Ok(()) => good(format!("{name} can be used")),
            Err(why) if name == "ucx" => note(
                format!("{name} {why}"),
                "without it programs over several hosts need MPI's transports (-transport mpi)",
            ),
            Err(why) if name == "ofi" => {
                note(format!("{name} {why}"), "needed for -transport ofi alone, over libfabric")
            }
            Err(why) => note(format!("{name} {why}"), "needed for -transport mpi alone"),
        })
        .collect();
    if !findings.iter().any(|finding| finding.text.starts_with("ucx")) {
        findings.push(note(
            "Furlong was built without UCX",
            "for programs over several hosts install UCX (Debian: libucx-dev) and build again",
        ));
    }
    let addresses = interfaces::addresses();
    let shown = |(name, address): &(String, std::net::IpAddr)| format!("{name} ({address})");
    let all: Vec<String> = addresses.iter().map(shown).collect();
    findings.push(match all.is_empty() {
        true => note("there is no network interface but loopback", "other hosts are not reached"),
        false => good(format!("interfaces: {}", all.join(", "))),
    });
    if let Some(name) = std::env::var("FURLONG_INTERFACE").ok().filter(|name| !name.is_empty()) {
        findings.extend(
            interfaces::refusal(&name).map(|text| {
                problem(format!("FURLONG_INTERFACE: {text}"), "name one that is there")
            }),
        );
    }
    findings
}

/// Those that are here: a program is started by each.
pub fn launchers(programs: &Programs) -> Vec<Finding> {
    let mut findings = vec![match transports::pmix() {
        Ok(()) => good("PMIx can be used"),
        Err(why) => note(format!("PMIx {why}"), "needed under mpirun of Open MPI and srun alone"),
    }];
    let in_allocation = std::env::var_os("SLURM_JOB_ID").is_some();
    let tries: [(&str, &[&str], bool); 2] = [
        ("mpirun", &["-n", "2"], true),
        ("srun", &["-n", "2", "--mpi=pmix", "--overlap"], in_allocation),
    ];
    for (launcher, words, may_run) in tries {
        if !crate::launch::places::is_in_path(launcher) {
            findings.push(good(format!("{launcher} is not here")));
        } else if !may_run {
            findings.push(good(format!("{launcher} is here; within an allocation it is tried")));
        } else {
            findings.push(start(programs, launcher, words));
        }
    }
    findings
}

fn start(programs: &Programs, launcher: &str, words: &[&str]) -> Finding {
    let advice = "start programs by upcrun, or see share/doc/furlong/docs/mpi.md";
    let program = match programs.upc() {
        Ok(program) => program,
        Err(why) => return note(format!("{launcher} cannot be tried: {why}"), "see `programs`"),
    };
    let mut command = Command::new(launcher);
    command.args(words).arg(program);
    // Open MPI's words for more processes than CPUs, and for root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    match bounded::run(&mut command, LAUNCHER_LIMIT) {
        Ok(text) if text.trim() == "2 threads" => good(format!("{launcher} starts UPC programs")),
        Ok(text) => note(
            format!("{launcher} -n 2 makes a program print `{}`", text.trim().escape_debug()),
            advice,
        ),
        Err(why) => note(format!("{launcher}: {why}"), advice),
    }
}
