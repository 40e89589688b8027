// SPDX-License-Identifier: BSD-3-Clause
//! The CPUs that this process may use, as Linux describes them in /sys, for the binding that nobody
//! has asked for: hwloc takes longer to look at a machine than a job takes to start.

use super::plan::Cpu;
use super::topology::may_run_on;
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether processes of this one may be bound: a container's seccomp filter may refuse it.
pub fn may_bind() -> bool {
    let this = Pid::from_raw(0);
    sched_getaffinity(this).and_then(|own| sched_setaffinity(this, &own)).is_ok()
}

/// None if the kernel does not say what CPUs have in common.
pub fn cpus() -> Vec<Cpu> {
    let folder = Path::new("/sys/devices/system/cpu");
    let present = fs::read_to_string(folder.join("online")).unwrap_or_default();
    let numbers = numbers(&present).into_iter().filter(|&cpu| may_run_on(cpu));
    let all: Option<Vec<Cpu>> =
        numbers.map(|number| cpu(&folder.join(format!("cpu{number}")), number)).collect();
    all.unwrap_or_default()
}

/// What stands in the folder of a CPU. Parts are numbered by the first CPU in them.
fn cpu(folder: &Path, number: u32) -> Option<Cpu> {
    let first = |path: PathBuf| numbers(&fs::read_to_string(path).ok()?).first().copied();
    let topology = folder.join("topology");
    // Kernels before 5.2 have the second names only.
    let part = |new: &str, old: &str| first(topology.join(new)).or(first(topology.join(old)));
    let core = part("core_cpus_list", "thread_siblings_list")?;
    let outermost = (0..8)
        .rev()
        .find_map(|level| first(folder.join(format!("cache/index{level}/shared_cpu_list"))));
    Some(Cpu {
        number,
        core,
        socket: part("package_cpus_list", "core_siblings_list")?,
        cache: outermost.unwrap_or(core),
        node: node(folder).unwrap_or(0),
    })
}

/// A CPU's folder has a link to its memory node: node0.
fn node(folder: &Path) -> Option<u32> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.strip_prefix("node")?.parse().ok()).next()
}

/// Those of a list as the kernel writes them: `0-3,8`. Nothing comes of what is none.
fn numbers(list: &str) -> Vec<u32> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_numbers() {
        assert_eq!(numbers("0-2,8\n"), [0, 1, 2, 8]);
        assert!(numbers("\n").is_empty());
        assert_eq!(numbers("no,3"), [3]);
    }

    #[test]
    fn a_folder_tells_of_a_cpu() {
        let temp = crate::temp::TempDir::default();
        let folder = temp.file("cpu5").unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(cpu(&folder, 5), None);
        put("topology/thread_siblings_list", "4-5\n");
        put("topology/core_siblings_list", "0-7\n");
        put("cache/index0/shared_cpu_list", "4-5\n");
        put("cache/index3/shared_cpu_list", "2-5\n");
        put("node1/cpulist", "0-7\n");
        let expected = Cpu { number: 5, core: 4, socket: 0, cache: 2, node: 1 };
        assert_eq!(cpu(&folder, 5), Some(expected));
    }
}
