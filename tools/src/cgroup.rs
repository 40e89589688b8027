// SPDX-License-Identifier: BSD-3-Clause
//! The control groups of this process, of both generations: what they allow, and what they have
//! killed. A group is limited by those around it too.

use std::path::{Path, PathBuf};

const ROOT: &str = "/sys/fs/cgroup";

/// A group that counts memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub folder: PathBuf,
    /// In bytes; none: no limit.
    pub most: Option<u64>,
    /// Processes that were killed because of a limit.
    pub kills: u64,
}

/// The groups around this process, the innermost first.
pub fn memory() -> Vec<Memory> {
    let second = folders("").into_iter().filter_map(|folder| {
        let kills = count_of(&folder.join("memory.events"), "oom_kill")?;
        Some(Memory { most: number(&folder.join("memory.max")), folder, kills })
    });
    let first = folders("memory").into_iter().filter_map(|folder| {
        let kills = count_of(&folder.join("memory.oom_control"), "oom_kill")?;
        // No limit is the largest multiple of a page.
        let most = number(&folder.join("memory.limit_in_bytes")).filter(|&n| n < u64::MAX / 4);
        Some(Memory { folder, most, kills })
    });
    second.chain(first).collect()
}

/// The narrowest of these groups.
pub fn narrowest(groups: &[Memory]) -> Option<(&Memory, u64)> {
    let limited = groups.iter().filter_map(|group| Some((group, group.most?)));
    limited.min_by_key(|(_, most)| *most)
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
