// SPDX-License-Identifier: BSD-3-Clause
//! What launchers have in common: starts the processes of a job on all of its hosts, passes on what
//! they print, and sees all of them to their end. What it promises to the processes is in
//! docs/launch.md; what a program does with shared memory it does not know.
//!
//! ```text
//! watch ──┬── crew ── processes                         on one host
//!         └── remote ── link ── agent ──┬── crew ── ...         on each of several
//!                                       └── remote ── ...       on those below it, if they are many
//! ```

pub mod agent;
pub mod bind;
mod branches;
mod cards;
pub mod conduct;
mod control;
mod crew;
pub mod debugger;
pub mod descendants;
mod fate;
mod files;
pub mod hosts;
mod input;
pub mod interfaces;
mod json_summary;
mod key;
mod labels;
mod limits;
mod lines;
mod link;
pub mod others;
mod output;
pub mod places;
pub mod plan;
mod poller;
pub mod program;
mod remote;
mod siblings;
pub mod signals;
mod sink;
mod slurm;
mod start;
mod starved;
pub mod stats;
pub mod topology;
mod trace;
pub mod transports;
mod watch;
pub mod wire;

use crate::exit::{self, say, Refusal};
use branches::Branches;
use crew::Crew;
use debugger::Debugger;
use nix::sys::resource::{getrlimit, Resource};
use places::Places;
use plan::Plan;
use poller::Poller;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;
use watch::Watch;
use wire::{Away, Report, Task, Tree};

/// A host that has not answered by then is none.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(4500);
/// What says something about this host or login alone, and is not carried to others.
const STAYS: [&str; 10] = [
    "DISPLAY",
    "HOSTNAME",
    "OMPRUN_FLAGS",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "UPCRUN_FLAGS",
    "UPCRUN_RSH",
    "XDG_RUNTIME_DIR",
];

pub fn system(e: std::io::Error) -> Refusal {
    match e.raw_os_error() {
        Some(libc::EMFILE) => {
            (exit::SYSTEM, "too many files are open: the limit is that of `ulimit -n`".to_string())
        }
        Some(libc::EPERM | libc::ENOSYS) => (
            exit::SYSTEM,
            format!(
                "a system call failed: {e}; if a container's filter of system calls refuses it, \
                 `strace -f` before the command shows which"
            ),
        ),
        Some(_) => (exit::SYSTEM, format!("a system call failed: {e}")),
        None => (exit::SYSTEM, e.to_string()),
    }
}

/// Chooses CPUs for the plan's threads, as far as they are this machine's, and prints them if that
/// is asked for. A `dry` run starts nothing.
pub fn bind(places: &Places, plan: &mut Plan, dry: bool) -> Result<(), Refusal> {
    plan.is_virtual = places.is_virtual();
    if places.is_here(&plan.hosts) || plan.is_virtual {
        plan.cpus = bind::cpus(plan, 0, dry)?;
    }
    let lines = (0..plan.hosts.len()).flat_map(|host| bind::shown(plan, host));
    lines.for_each(|line| say(&plan.tool, line));
    Ok(())
}

/// Prints which thread runs where.
pub fn show_plan(plan: &Plan) {
    let plural = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    };
    let say = |text: String| say(&plan.tool, text);
    say(format!(
        "{} in {} on {}",
        plural(plan.threads as usize, "thread", "threads"),
        plural(plan.processes.len(), "process", "processes"),
        match &plan.hosts[..] {
            [only] => only.name.clone(),
            hosts => format!("{} hosts, over {}", hosts.len(), plan.net.transport),
        }
    ));
    for i in 0..plan.processes.len() {
        let plan::Process { first, count, .. } = plan.processes[i];
        let cpus: Vec<_> = (first..first + count)
            .map(|thread| bind::ranges(&plan.cpus_of(thread), "+"))
            .filter(|cpus| !cpus.is_empty())
            .collect();
        let cpus = match cpus.is_empty() {
            true => String::new(),
            false => format!(" on CPU {}", cpus.join(", ")),
        };
        say(format!("process {i}: {}{cpus}", plan.shown(i)));
    }
}

/// Runs a job to its end; its exit code.
pub fn run(places: &Places, task: Task, debugger: Debugger) -> Result<i32, Refusal> {
    let is_here = places.is_here(&task.plan.hosts);
    let signals = signals::catch(!is_here).map_err(system)?;
    let mut watch = Watch::new(signals, task.plan.clone(), debugger).map_err(system)?;
    let started = match is_here {
        true => Crew::start(&task, watch.poller()).map(|crew| watch.take_crew(crew)),
        false => start_agents(places, task, watch.poller()).map(|all| watch.take_branches(all)),
    };
    let outcome = started.and_then(|()| watch.run().map_err(system));
    if outcome.is_err() {
        descendants::kill_all();
    }
    outcome
}

fn start_agents(places: &Places, mut task: Task, poller: &Poller) -> Result<Branches, Refusal> {
    let dir = std::env::current_dir().map_err(|e| {
        let text = format!("the folder in which {} was started is gone: {e}", task.plan.tool);
        (exit::SYSTEM, text)
    })?;
    let env = std::env::vars_os().filter(|(name, _)| !STAYS.iter().any(|stays| name == stays));
    let env = env.map(|(name, value)| (name.into_vec(), value.into_vec())).collect();
    // A machine does not lose itself.
    let beats = !places.is_virtual();
    let wait = places.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
    let tree = Tree { rsh: places.rsh(), width: places.tree_width(), wait };
    let width = tree.width;
    task.away = Some(Away { dir, env, beats, tree });
    let hosts = &task.plan.hosts;
    let is_near = |host: &usize| !beats || places.is_near(&hosts[*host]);
    let (near, far): (Vec<_>, Vec<_>) = (0..hosts.len()).partition(is_near);
    // Another host would have to log in here.
    let mut lists = branches::split(&near, usize::MAX);
    lists.extend(branches::split(&far, width));
    lists.sort();
    let files = getrlimit(Resource::RLIMIT_NOFILE).map_err(|e| system(e.into()))?;
    limits::check_hosts(lists.len(), 0).map_err(|text| (exit::SYSTEM, text))?;
    Branches::start(&task, lists, &near, None, files, poller).map_err(|refused| match refused {
        Report::Refused { hosts, code, text } => {
            (code, format!("host {}: {text}", task.plan.hosts[hosts[0]].name))
        }
        _ => (exit::SYSTEM, "an agent cannot be started".to_string()),
    })
}
