// SPDX-License-Identifier: BSD-3-Clause
//! A little cluster on this machine: network namespaces, each a host with one interface `eth0`, on
//! a bridge in a namespace of its own, so that the machine's own network is left alone. For root
//! only; gone when dropped. What earlier runs that were killed have left is removed first.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Netns {
    prefix: String,
    hosts: u32,
}

/// What starts a command on a host.
pub const RSH: &str = "ip netns exec";
pub const INTERFACE: &str = "eth0";
/// Options of upcrun for these hosts, but for their names.
pub const OPTIONS: [&str; 4] = ["-rsh", RSH, "-interface", INTERFACE];
const COMMON: &str = "furlong-";

impl Netns {
    /// Says why not, if this machine or user may not.
    pub fn new(hosts: u32) -> Result<Netns, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        remove_stale();
        // Relaxed: the number only has to be another one.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let cluster = Netns { prefix: format!("{COMMON}{}-{number}", std::process::id()), hosts };
        cluster.set_up().map(|()| cluster)
    }

    /// The hosts' names as in `upcrun -hosts`.
    pub fn list(&self) -> String {
        (0..self.hosts).map(|host| self.host(host)).collect::<Vec<_>>().join(",")
    }

    fn host(&self, host: u32) -> String {
        format!("{}-{host}", self.prefix)
    }

    /// The namespace of the bridge; host *i* is at its interface `port`*i*.
    pub fn switch(&self) -> String {
        format!("{}-switch", self.prefix)
    }

    fn set_up(&self) -> Result<(), String> {
        let switch = self.switch();
        ip(&[], &format!("netns add {switch}\n"))?;
        ip(&["-n", &switch], "link add bridge type bridge\nlink set bridge up\n")?;
        for number in 0..self.hosts {
            let host = self.host(number);
            ip(&[], &format!("netns add {host}\n"))?;
            let cable = format!(
                "link add port{number} type veth peer name {INTERFACE} netns {host}\n\
                 link set port{number} master bridge up\n"
            );
            ip(&["-n", &switch], &cable)?;
            let address = format!(
                "link set lo up\naddress add 10.77.0.{}/24 dev {INTERFACE}\n\
                 link set {INTERFACE} up\n",
                number + 1
            );
            ip(&["-n", &host], &address)?;
        }
        // What upcrun will do.
        let host = self.host(0);
        succeed(Command::new("ip").args(["netns", "exec", &host, "true"]), "")
    }
}

impl Drop for Netns {
    fn drop(&mut self) {
        remove(&format!("{}-", self.prefix));
    }
}

fn remove(prefix: &str) {
    for name in existing().iter().filter(|name| name.starts_with(prefix)) {
        // One that is in use goes when its last process does.
        let _ = ip(&[], &format!("netns delete {name}\n"));
    }
}

/// Namespaces of runs whose process is gone.
fn remove_stale() {
    for name in existing() {
        let pid = name.strip_prefix(COMMON).and_then(|rest| rest.split('-').next());
        let is_there = |pid: &str| std::path::Path::new("/proc").join(pid).exists();
        if pid.is_some_and(|pid| pid.parse::<u32>().is_ok() && !is_there(pid)) {
            remove(&name);
        }
    }
}

fn existing() -> Vec<String> {
    let entries = std::fs::read_dir("/run/netns").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// Runs commands of ip(8).
fn ip(options: &[&str], commands: &str) -> Result<(), String> {
    succeed(Command::new("ip").args(options).args(["-batch", "-"]), commands)
}

fn succeed(command: &mut Command, input: &str) -> Result<(), String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("ip: {e}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // If it does not read, its exit code says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|e| format!("ip: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("no network namespaces here: {}", text.lines().next().unwrap_or(""))),
    }
}
