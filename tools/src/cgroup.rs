// SPDX-License-Identifier: BSD-3-Clause
//! The control groups of this process, of both generations: what they allow, and what they have
//! killed. A group is limited by those around it too.

use std::path::{Path, PathBuf};

const ROOT: &str = "/sys/fs/cgroup";

/// A group that may limit memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub folder: PathBuf,
    pub most: u64,
    /// Processes that were killed because of the limit.
    pub kills: u64,
}

/// The groups around this process that limit its memory, the innermost first.
pub fn memory() -> Vec<Memory> {
    let second = folders("").into_iter().filter_map(|folder| {
        let most = number(&folder.join("memory.max"))?;
        let kills = count_of(&folder.join("memory.events"), "oom_kill")?;
        Some(Memory { folder, most, kills })
    });
    let first = folders("memory").into_iter().filter_map(|folder| {
        let most = number(&folder.join("memory.limit_in_bytes"))?;
        let kills = count_of(&folder.join("memory.oom_control"), "oom_kill")?;
        // The first generation's word for no limit is the largest multiple of a page.
        (most < u64::MAX / 4).then_some(Memory { folder, most, kills })
    });
    second.chain(first).collect()
}

/// How many CPUs the groups let this process use at a time, if they limit that.
pub fn cpus() -> Option<f64> {
    let second = folders("").into_iter().filter_map(|folder| {
        let text = std::fs::read_to_string(folder.join("cpu.max")).ok()?;
        let (quota, period) = text.trim().split_once(' ')?;
        Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
    });
    let first = folders("cpu").into_iter().filter_map(|folder| {
        let quota = number(&folder.join("cpu.cfs_quota_us"))?;
        Some(quota as f64 / number(&folder.join("cpu.cfs_period_us"))? as f64)
    });
    second.chain(first).reduce(f64::min)
}

/// Processes that the kernel has killed since it started, because the machine had no memory left or
/// a group had none.
pub fn kills_of_machine() -> u64 {
    count_of(Path::new("/proc/vmstat"), "oom_kill").unwrap_or(0)
}

/// This process's group and those around it; `controller` is empty for the second generation.
/// Where a container shows its own group as the root, that is the root.
fn folders(controller: &str) -> Vec<PathBuf> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let controllers = parts.next()?;
        controllers.split(',').any(|name| name == controller).then(|| parts.next())?
    });
    let root = Path::new(ROOT).join(controller);
    let inner = own.unwrap_or("/").trim_start_matches('/');
    let folders = Path::new(inner).ancestors().filter(|part| !part.as_os_str().is_empty());
    folders.map(|part| root.join(part)).chain([root.clone()]).collect()
}

fn number(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The number in the line that begins with `key`.
fn count_of(path: &Path, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}
