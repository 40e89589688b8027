// SPDX-License-Identifier: BSD-3-Clause
//! How many CPUs programs get, and whether their threads can be bound to them.

use super::memory::read;
use super::{good, note, Finding};
use crate::cgroup;
use crate::launch::topology;
use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
use nix::unistd::Pid;

pub fn findings() -> Vec<Finding> {
    let Ok(allowed) = sched_getaffinity(Pid::from_raw(0)) else {
        return vec![note("the CPUs of this process cannot be asked for", "nothing depends on it")];
    };
    let own = (0..CpuSet::count()).filter(|&cpu| allowed.is_set(cpu).unwrap_or(false)).count();
    vec![count(own), quota(own), binding(&allowed), nodes()]
}

fn count(own: usize) -> Finding {
    let online = nix::unistd::sysconf(nix::unistd::SysconfVar::_NPROCESSORS_ONLN);
    match online.ok().flatten() {
        Some(all) if all as usize > own => note(
            format!("this process may use {own} of {all} CPUs (affinity mask)"),
            "start no more threads than that here, or ask for more CPUs (taskset, batch system)",
        ),
        _ => good(format!("{own} CPUs")),
    }
}

fn quota(own: usize) -> Finding {
    match cgroup::cpus() {
        Some(quota) if quota < own as f64 => note(
            format!("the control group gives {quota:.1} CPUs' time, though {own} are seen"),
            "start no more threads than that, or have waiting threads use no time with -polite-sync",
        ),
        _ => good("no control group limits the time of CPUs"),
    }
}

fn binding(allowed: &CpuSet) -> Finding {
    if let Err(errno) = sched_setaffinity(Pid::from_raw(0), allowed) {
        return note(
            format!("threads cannot be bound to CPUs: {}", errno.desc()),
            "allow sched_setaffinity in the container's seccomp profile, or leave out -bind-threads",
        );
    }
    match topology::machine() {
        Ok(_) => good("threads can be bound to CPUs (-bind-threads)"),
        Err(why) => note(why, "needed for -bind-threads alone"),
    }
}

fn nodes() -> Finding {
    // A list of ranges: `0`, `0-1`, `0,2`.
    let text = read("/sys/devices/system/node/online").unwrap_or_default();
    match text.as_str() {
        "" | "0" => good("one NUMA node"),
        nodes => good(format!(
            "NUMA nodes {nodes}: memory is near the thread that touches it first; -bind-threads \
             keeps it so"
        )),
    }
}
