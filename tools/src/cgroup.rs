// SPDX-License-Identifier: BSD-3-Clause
//! The control groups of this process, of both generations: what they allow, and what they have
//! killed. A group is limited by those around it too.

use std::path::{Path, PathBuf};

/// A group that counts memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub folder: PathBuf,
    /// In bytes; none: no limit.
    pub most: Option<u64>,
    /// Processes that were killed because of a limit.
    pub kills: u64,
}

/// The groups around this process that count memory, the innermost first.
pub fn memory() -> Vec<Memory> {
    Groups::of_this_process().memory()
}

/// The narrowest of these groups.
pub fn narrowest(groups: &[Memory]) -> Option<(&Memory, u64)> {
    let limited = groups.iter().filter_map(|group| Some((group, group.most?)));
    limited.min_by_key(|(_, most)| *most)
}

/// How many CPUs the groups let this process use at a time, if they limit that.
pub fn cpus() -> Option<f64> {
    Groups::of_this_process().cpus()
}

/// Processes that the kernel has killed since it started, because the machine had no memory left or
/// a group had none.
pub fn kills_of_machine() -> u64 {
    count_of(Path::new("/proc/vmstat"), "oom_kill").unwrap_or(0)
}

/// A process's place in the tree of groups.
struct Groups {
    root: PathBuf,
    /// What `/proc/self/cgroup` says of it: lines of number, controllers and path.
    own: String,
}

impl Groups {
    fn of_this_process() -> Groups {
        let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        Groups { root: PathBuf::from("/sys/fs/cgroup"), own }
    }

    fn memory(&self) -> Vec<Memory> {
        let second = self.folders("").into_iter().filter_map(|folder| {
            let kills = count_of(&folder.join("memory.events"), "oom_kill")?;
            Some(Memory { most: number(&folder.join("memory.max")), folder, kills })
        });
        let first = self.folders("memory").into_iter().filter_map(|folder| {
            let kills = count_of(&folder.join("memory.oom_control"), "oom_kill")?;
            // No limit is the largest multiple of a page.
            let most = number(&folder.join("memory.limit_in_bytes")).filter(|&n| n < u64::MAX / 4);
            Some(Memory { folder, most, kills })
        });
        second.chain(first).collect()
    }

    fn cpus(&self) -> Option<f64> {
        let second = self.folders("").into_iter().filter_map(|folder| {
            let text = std::fs::read_to_string(folder.join("cpu.max")).ok()?;
            let (quota, period) = text.trim().split_once(' ')?;
            Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
        });
        let first = self.folders("cpu").into_iter().filter_map(|folder| {
            let quota = number(&folder.join("cpu.cfs_quota_us"))?;
            Some(quota as f64 / number(&folder.join("cpu.cfs_period_us"))? as f64)
        });
        second.chain(first).reduce(f64::min)
    }

    /// The process's group and those around it; `controller` is empty for the second generation.
    /// Where a container shows its own group as the root, that is the root.
    fn folders(&self, controller: &str) -> Vec<PathBuf> {
        let own = self.own.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let controllers = parts.next()?;
            controllers.split(',').any(|name| name == controller).then(|| parts.next())?
        });
        // The second generation's tree has no slash at its end.
        let root: PathBuf = self.root.join(controller).components().collect();
        let inner = own.unwrap_or("/").trim_start_matches('/');
        let folders = Path::new(inner).ancestors().filter(|part| !part.as_os_str().is_empty());
        folders.map(|part| root.join(part)).chain([root.clone()]).collect()
    }
}

fn number(path: &Path) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The number in the line that begins with `key`.
fn count_of(path: &Path, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: &str = "low 0\nhigh 7\nmax 90\noom 3\noom_kill 2\noom_group_kill 5\n";

    /// A tree of groups that has these files, each with its text.
    fn groups(name: &str, own: &str, files: &[(&str, &str)]) -> Groups {
        let root = std::env::temp_dir().join(format!("furlong-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Groups { root, own: own.into() }
    }

    #[test]
    fn the_second_generation_counts_kills_in_events() {
        let own = "0::/user.slice/user-1000.slice/session-3.scope\n";
        let files = [
            ("cgroup.controllers", "cpu memory\n"), // the root itself counts nothing
            ("user.slice/memory.events", "oom 0\noom_kill 2\n"),
            ("user.slice/memory.max", "max\n"),
            ("user.slice/cpu.max", "max 100000\n"),
            ("user.slice/user-1000.slice/memory.events", EVENTS),
            ("user.slice/user-1000.slice/memory.max", "209715200\n"),
            ("user.slice/user-1000.slice/cpu.max", "150000 100000\n"),
            ("user.slice/user-1000.slice/session-3.scope/cgroup.procs", "1\n"),
        ];
        let groups = groups("cgroup2", own, &files);
        let memory = groups.memory();
        let root = groups.root.clone();
        let inner = Memory {
            folder: root.join("user.slice/user-1000.slice"),
            most: Some(200 << 20),
            kills: 2,
        };
        let outer = Memory { folder: root.join("user.slice"), most: None, kills: 2 };
        assert_eq!(memory, [inner.clone(), outer]);
        assert_eq!(narrowest(&memory), Some((&inner, 200 << 20)));
        assert_eq!(groups.cpus(), Some(1.5));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_container_shows_its_group_as_the_root() {
        let files = [("memory.events", EVENTS), ("memory.max", "1048576\n")];
        for own in ["0::/\n", "0::/docker/0123abcd\n", "0::/../../elsewhere\n"] {
            let groups = groups("container", own, &files);
            let memory = groups.memory();
            assert_eq!(memory.last().map(|m| (m.most, m.kills)), Some((Some(1 << 20), 2)), "{own}");
            assert_eq!(memory.len(), 1, "{own}");
            std::fs::remove_dir_all(groups.root).unwrap();
        }
    }

    #[test]
    fn the_first_generation_has_a_tree_for_each_controller() {
        let own = "4:cpu,cpuacct:/job\n3:memory:/job\n0::/init.scope\n";
        let unlimited = "9223372036854771712\n";
        let files = [
            ("memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"),
            ("memory/memory.limit_in_bytes", unlimited),
            ("memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
            ("memory/job/memory.limit_in_bytes", "4096\n"),
            ("cpu/job/cpu.cfs_quota_us", "50000\n"),
            ("cpu/job/cpu.cfs_period_us", "100000\n"),
            ("cpu/cpu.cfs_quota_us", "-1\n"),
        ];
        let groups = groups("cgroup1", own, &files);
        let found: Vec<_> = groups.memory().iter().map(|m| (m.most, m.kills)).collect();
        assert_eq!(found, [(Some(4096), 1), (None, 0)]);
        assert_eq!(groups.cpus(), Some(0.5));
        std::fs::remove_dir_all(groups.root).unwrap();
    }
}
