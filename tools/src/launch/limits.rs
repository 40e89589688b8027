// SPDX-License-Identifier: BSD-3-Clause
//! Asks the machine, before anything runs, whether it can hold so many processes and threads.

use super::interfaces;
use super::plan::Plan;
use nix::sys::resource::{getrlimit, setrlimit, Resource};

/// Descriptors that upcrun holds for each process, for each host that has an agent, and for itself.
const FDS_PER_PROCESS: u64 = 4;
const FDS_PER_HOST: u64 = 2;
const FDS_OF_UPCRUN: u64 = 32;

/// A limit of the machine and what to do about it.
struct Limit {
    most: u64,
    name: &'static str,
}

/// Whether the interface that the job is to use is on this host.
pub fn check_interface(plan: &Plan) -> Result<(), String> {
    let named = plan.net.interface.as_deref().filter(|_| plan.hosts.len() > 1);
    // Other transports have names of their own.
    match named.filter(|_| plan.net.transport == "ucx").and_then(interfaces::refusal) {
        None => Ok(()),
        Some(why) => Err(format!("-interface: {why}")),
    }
}

/// For the processes of a host, which is this one.
pub fn check(plan: &Plan, host: usize) -> Result<(), String> {
    let (threads, processes) =
        (u64::from(plan.hosts[host].count), plan.processes_of(host).len() as u64);
    for limit in limits() {
        if threads > limit.most {
            return Err(format!(
                "{threads} threads are too many for this machine: {} is {}",
                limit.name, limit.most
            ));
        }
    }
    let needed = processes * FDS_PER_PROCESS + FDS_OF_UPCRUN;
    descriptors(needed).map_err(|most| match processes {
        1 => format!("a job needs {needed} open files, and {most} are allowed (`ulimit -n`)"),
        _ => format!(
            "{processes} processes are too many: they need {needed} open files, and {most} are \
             allowed (`ulimit -n`); put several threads into each process with -p"
        ),
    })
}

/// Whether a launcher with so many processes can be connected with so many hosts.
pub fn check_hosts(hosts: usize, processes: usize) -> Result<(), String> {
    let of_processes = processes as u64 * FDS_PER_PROCESS;
    let needed = hosts as u64 * FDS_PER_HOST + of_processes + FDS_OF_UPCRUN;
    descriptors(needed).map_err(|most| {
        format!(
            "{hosts} hosts are too many: they need {needed} open files, and {most} are allowed \
             (`ulimit -n`)"
        )
    })
}

/// Every limit on tasks that can be read.
fn limits() -> Vec<Limit> {
    let read = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse().ok();
    let cgroup = std::fs::read_to_string("/proc/self/cgroup")
        .ok()
        .and_then(|text| text.lines().find_map(|l| l.strip_prefix("0::")).map(str::to_string))
        .and_then(|group| read(&format!("/sys/fs/cgroup{group}/pids.max")));
    let user = match nix::unistd::geteuid().is_root() {
        true => None, // The kernel does not limit root.
        false => getrlimit(Resource::RLIMIT_NPROC).ok().map(|(soft, _)| soft),
    };
    [
        (read("/proc/sys/kernel/pid_max"), "kernel.pid_max"),
        (read("/proc/sys/kernel/threads-max"), "kernel.threads-max"),
        (cgroup, "pids.max of the control group"),
        (user, "the user's limit on processes (`ulimit -u`)"),
    ]
    .into_iter()
    .filter_map(|(most, name)| most.map(|most| Limit { most, name }))
    .collect()
}

/// Makes sure that `count` descriptors can be open, or says how many can.
fn descriptors(count: u64) -> Result<(), u64> {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return Ok(()) };
    if count <= soft {
        return Ok(());
    }
    match setrlimit(Resource::RLIMIT_NOFILE, count.min(hard), hard) {
        Ok(()) if count <= hard => Ok(()),
        _ => Err(hard),
    }
}
