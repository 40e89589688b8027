// SPDX-License-Identifier: BSD-3-Clause
//! Where the processes of a job shall run: the options that launchers share, and what follows.

use super::conduct::seconds;
use super::hosts::{self, Offer, Origin};
use super::key::Key;
use super::plan::{Host, Net};
use super::{slurm, system, transports};
use crate::exit::{self, Refusal};
use crate::options::{Opt, Value};
use crate::text;
use furlong_compiler::emit::max_threads;
use std::time::Duration;

/// What carries messages between hosts if nothing else is asked for.
const TRANSPORT: &str = "ucx";
/// What starts a command on another host: no questions, for nobody would answer.
const SSH: &str = "ssh -x -o BatchMode=yes";
/// The most hosts that are started from one. Each costs it a process and the computing of a login.
const TREE_WIDTH: usize = 16;
/// The same within an allocation of Slurm, where a login may not be allowed. Its steps share the
/// allocation's CPUs; without -u what the agent says would wait in a buffer.
const SRUN: &str = "env SLURM_OVERLAP=1 srun -u -N1 -n1 --mpi=none --cpu-bind=none -w";

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Places {
    pub nodes: Option<u32>,
    /// Threads on each host, at most.
    pub per_host: Option<u32>,
    /// Where the hosts are named.
    pub hosts: Origin,
    /// The words that start a command on another host; none: those of ssh.
    pub rsh: Option<Vec<String>>,
    /// The most hosts that are started from one.
    pub rsh_tree: Option<u32>,
    /// How long a host may take to answer.
    pub connect_timeout: Option<Duration>,
    pub transport: Option<String>,
    pub interface: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Hosts,
    HostFile,
    Nodes,
    VirtualHosts,
    Rsh,
    RshTree,
    ConnectTimeout,
    Transport,
    Interface,
}

/// A launcher's row of the option, which it knows by `id`.
pub const fn row<I: Copy>(place: Place, id: I) -> Opt<I> {
    let (names, value, help): (&'static [&'static str], _, _) = match place {
        Place::Hosts => (
            &["-hosts"],
            Value::Word("LIST"),
            "run on these hosts, as in a,b:4,c, with at most so many threads as stand after a colon",
        ),
        Place::HostFile => (
            &["-hostfile"],
            Value::Word("FILE"),
            "run on the hosts that FILE names, one in each line, with `slots=4` or `:4` after it",
        ),
        Place::Nodes => (
            &["-N"],
            Value::Any("N"),
            "run on the first N hosts of the list, or of an allocation of Slurm or PBS, evenly \
             (default: $UPC_NODES)",
        ),
        Place::VirtualHosts => (
            &["-virtual-hosts"],
            Value::Word("N"),
            "treat this machine as N hosts, which share no memory and talk over the network",
        ),
        Place::Rsh => (
            &["-rsh"],
            Value::Word("COMMAND"),
            "what starts a command on the host whose name is added to it (default: $UPCRUN_RSH, \
             else srun for the hosts of an allocation of Slurm, else 'ssh -x -o BatchMode=yes')",
        ),
        Place::RshTree => (
            &["-rsh-tree"],
            Value::Word("K"),
            "start at most K hosts from here, and as many from each of those, until all are started \
             (default: 16; all from here by srun)",
        ),
        Place::ConnectTimeout => (
            &["-connect-timeout"],
            Value::Word("SECONDS"),
            "give up if a host has not answered by then (default: 4.5)",
        ),
        Place::Transport => (
            &["-transport", "-network"],
            Value::Word("NAME"),
            "what carries messages between hosts (default: ucx); smp allows one host only",
        ),
        Place::Interface => (
            &["-interface"],
            Value::Word("NAME"),
            "the only network interface to use between hosts (default: the transport's choice)",
        ),
    };
    Opt { names, value, help, id }
}

impl Places {
    pub fn option(&mut self, place: Place, value: String) -> Result<(), String> {
        match place {
            Place::Nodes => self.nodes = Some(count("-N", &value)?),
            Place::Hosts => self.hosts = Origin::List(value),
            Place::HostFile => self.hosts = Origin::File(value),
            Place::VirtualHosts => self.hosts = Origin::Virtual(count("-virtual-hosts", &value)?),
            Place::Rsh => self.rsh = Some(command("-rsh", &value)?),
            Place::RshTree => self.rsh_tree = Some(count("-rsh-tree", &value)?),
            Place::ConnectTimeout => {
                self.connect_timeout = Some(seconds("-connect-timeout", &value)?);
            }
            Place::Transport => self.transport = Some(value),
            Place::Interface => self.interface = Some(value),
        }
        Ok(())
    }

    /// What the environment says where the options do not.
    pub fn defaults(&mut self, value: &impl Fn(&str) -> Option<String>) -> Result<(), String> {
        if let (None, Some(n)) = (self.nodes, value("UPC_NODES")) {
            self.nodes = Some(count("UPC_NODES", &n)?);
        }
        if let (None, Some(words)) = (&self.rsh, value("UPCRUN_RSH")) {
            self.rsh = Some(command("UPCRUN_RSH", &words)?);
        }
        match (self.nodes, &self.hosts) {
            (Some(nodes), Origin::Here) if nodes > 1 => match self.allocation(value)? {
                true => Ok(()),
                false => Err(format!(
                    "-N {nodes}: which hosts? Name them with -hosts or -hostfile, or run in an \
                     allocation of Slurm or PBS; -virtual-hosts {nodes} tries it on this one"
                )),
            },
            _ => Ok(()),
        }
    }

    /// Takes the hosts of an allocation of Slurm or PBS where none are named; whether there is one.
    pub fn allocation(&mut self, value: &impl Fn(&str) -> Option<String>) -> Result<bool, String> {
        if self.hosts == Origin::Here {
            let slurm = slurm::allocation(value, self.nodes.is_some())?.map(Origin::Slurm);
            let pbs = || value("PBS_NODEFILE").map(Origin::Pbs);
            self.hosts = slurm.or_else(pbs).unwrap_or_default();
        }
        Ok(self.hosts != Origin::Here)
    }

    /// The hosts that the user means, each with its most threads.
    pub fn offers(&self) -> Result<Vec<Offer>, String> {
        let mut offers = hosts::offers(&self.hosts, &own_name())?;
        if let Some(nodes) = self.nodes.filter(|_| self.hosts != Origin::Here) {
            if nodes as usize > offers.len() {
                let there_are = match offers.len() {
                    1 => "is 1 host".to_string(),
                    n => format!("are {n} hosts"),
                };
                return Err(format!("-N {nodes}: there {there_are} only"));
            }
            offers.truncate(nodes as usize);
        }
        if let Some(most) = self.per_host.filter(|_| self.hosts != Origin::Here) {
            offers.iter_mut().for_each(|offer| offer.slots = Some(most));
        }
        Ok(offers)
    }

    /// As many threads as the option about threads of a host makes, if it is given.
    pub fn threads_of(&self, offers: &[Offer]) -> Result<Option<u32>, String> {
        let Some(most) = self.per_host else { return Ok(None) };
        let all = u64::from(most) * offers.len() as u64;
        count("-n", &all.to_string()).map(Some)
    }

    /// Whether no host may have more threads than slots. Tasks of Slurm's allocation say only which
    /// threads go together.
    pub fn slots_are_limits(&self) -> bool {
        !matches!(self.hosts, Origin::Slurm(_))
    }

    /// Deals threads to the hosts. The slots of an allocation say which threads go together; more
    /// threads than slots, or all on so many hosts (-N), are dealt evenly.
    pub fn deal(&self, offers: &[Offer], threads: u32) -> Result<Vec<Host>, String> {
        let is_allocation = matches!(self.hosts, Origin::Slurm(_) | Origin::Pbs(_));
        let fits = match hosts::slots(offers) {
            Some(slots) if self.nodes.is_some() => slots == u64::from(threads),
            Some(slots) => slots >= u64::from(threads),
            None => true,
        };
        match is_allocation && self.per_host.is_none() && !fits {
            true => {
                let even = |offer: &Offer| Offer { slots: None, ..offer.clone() };
                hosts::deal(&offers.iter().map(even).collect::<Vec<_>>(), threads)
            }
            false => hosts::deal(offers, threads),
        }
    }

    /// Whether all processes are children of this one.
    pub fn is_here(&self, hosts: &[Host]) -> bool {
        let own = |host: &Host| self.is_near(host);
        self.hosts == Origin::Here || hosts.len() == 1 && own(&hosts[0])
    }

    /// Whether the host is this machine.
    pub fn is_near(&self, host: &Host) -> bool {
        self.rsh.is_none() && is_own_name(&host.name)
    }

    /// What starts a command on another host: the host's name and the command are added.
    pub fn rsh(&self) -> Vec<String> {
        let words = || text::words(if self.is_by_srun() { SRUN } else { SSH });
        self.rsh.clone().unwrap_or_else(words)
    }

    fn is_by_srun(&self) -> bool {
        let in_slurm = matches!(self.hosts, Origin::Slurm(_)) && is_in_path("srun");
        in_slurm && self.rsh.is_none()
    }

    /// The most hosts that are started from one. Slurm has a tree of its own.
    pub fn tree_width(&self) -> usize {
        let default = if self.is_by_srun() { usize::MAX } else { TREE_WIDTH };
        self.rsh_tree.map_or(default, |width| width as usize)
    }

    /// Whether hosts are this machine, several times.
    pub fn is_virtual(&self) -> bool {
        matches!(self.hosts, Origin::Virtual(_))
    }

    pub fn net(&self, hosts: &[Host]) -> Result<Net, Refusal> {
        let transport = self.transport.clone().unwrap_or(TRANSPORT.to_string());
        if hosts.len() > 1 && ["smp", "none"].contains(&transport.as_str()) {
            let text = format!("-transport {transport} is for one host; here are {}", hosts.len());
            return Err((exit::USAGE, text));
        }
        if hosts.len() > 1 {
            transports::check(&transport).map_err(|text| (exit::USAGE, text))?;
        }
        let loopback = self.is_virtual().then(|| "lo".to_string());
        let interface = self.interface.clone().or(loopback);
        Ok(Net {
            transport,
            interface,
            id: u64::from_ne_bytes(random().map_err(system)?),
            key: Key::new(random().map_err(system)?),
        })
    }
}

/// The words that have `rsh` start a command on a host. ssh and its like hand their words to a shell
/// there, with blanks between them; srun, `ip netns exec` and others execute them as they are.
pub fn on_host(rsh: &[String], host: &str, command: &[String]) -> Vec<String> {
    const SHELLS: [&str; 4] = ["ssh", "gsissh", "oarsh", "rsh"];
    let is_shell = |word: &String| SHELLS.contains(&word.rsplit('/').next().unwrap_or(word));
    let quote = |word: &String| match rsh.iter().any(is_shell) {
        true => text::shell_word(word),
        false => word.clone(),
    };
    let name = [host.to_string()];
    rsh.iter().chain(&name).cloned().chain(command.iter().map(quote)).collect()
}

pub fn is_in_path(tool: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).any(|folder| folder.join(tool).is_file());
    found
}

fn own_name() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_own_name(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || are_one_host(name, &own_name())
}

/// Two names of which one may lack the domain.
fn are_one_host(a: &str, b: &str) -> bool {
    let (short_a, short_b) = (a.split('.').next(), b.split('.').next());
    let is_short = |name: &str| !name.contains('.');
    a.eq_ignore_ascii_case(b)
        || (is_short(a) || is_short(b))
            && short_a.zip(short_b).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
}

fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    // SAFETY: the call writes at most the N bytes that the pointer leads to; up to 256 come whole.
    match unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), N, 0) } {
        n if usize::try_from(n) == Ok(N) => Ok(bytes),
        _ => Err(std::io::Error::other(format!(
            "the kernel gives no random numbers: {}",
            std::io::Error::last_os_error()
        ))),
    }
}

fn command(name: &str, value: &str) -> Result<Vec<String>, String> {
    let words = text::words(value);
    match words.is_empty() {
        true => Err(format!("`{name}` lacks its command")),
        false => Ok(words),
    }
}

/// A number of threads, or of what holds at least one.
pub fn count(name: &str, value: &str) -> Result<u32, String> {
    let most = max_threads();
    match value.parse() {
        Ok(n) if (1..=most).contains(&n) => Ok(n),
        _ => Err(format!("`{name} {value}`: must be a number from 1 to {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells_only() {
        let words = |text: &str| text::words(text);
        let agent = words("'/opt/a b/upcrun' -agent");
        assert_eq!(
            on_host(&words("srun -w"), "n1", &agent),
            words("srun -w n1 '/opt/a b/upcrun' -agent")
        );
        for rsh in ["ssh -x", "/usr/bin/ssh", "sshpass -e ssh"] {
            let all = on_host(&words(rsh), "n1", &agent);
            assert_eq!(
                all.last_chunk(),
                Some(&["'/opt/a b/upcrun'".to_string(), "-agent".to_string()])
            );
        }
        let plain = words("/opt/ab/upcrun -agent");
        assert_eq!(on_host(&words("ssh"), "n1", &plain), words("ssh n1 /opt/ab/upcrun -agent"));
    }
}
