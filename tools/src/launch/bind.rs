// SPDX-License-Identifier: BSD-3-Clause
//! Which CPUs each thread is bound to: in which order threads take the CPUs of their host
//! (-map-by), and what of the machine around its CPU a thread may use (-bind-to). Pure: what CPUs
//! there are, topology.rs finds out.

use super::others;
use super::plan::{Cpu, Plan};
use super::{siblings, topology};
use crate::cgroup;
use crate::exit::{self, Refusal};
use serde::{Deserialize, Serialize};

/// Parts of a machine, each of several of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Level {
    /// A hardware thread.
    Cpu,
    Core,
    /// CPUs that share the outermost cache.
    Cache,
    /// CPUs with the same nearest memory.
    Node,
    Socket,
    /// As many CPUs as each of the host's threads can have for itself.
    Share,
    Host,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    /// What a thread may use.
    pub to: Level,
    /// Consecutive threads are dealt to these in turn.
    pub map: Level,
    /// By an option. Else threads have their shares of CPUs where these are free to be shared.
    pub is_asked: bool,
}

impl Level {
    /// Its names, the first of which help and messages show.
    const NAMES: [(&'static [&'static str], Level); 7] = [
        (&["hwthread", "thread", "cpu"], Level::Cpu),
        (&["core", "cores", "slot"], Level::Core),
        (&["L3", "l3cache", "llc", "cache"], Level::Cache),
        (&["numa", "ldom"], Level::Node),
        (&["socket", "sockets", "package"], Level::Socket),
        (&["share"], Level::Share),
        (&["host", "node", "board", "none"], Level::Host),
    ];

    /// The level that the value of `option` names.
    pub fn parse(option: &str, value: &str) -> Result<Level, String> {
        let place = others::without_modifiers(value);
        let named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(place));
        match Level::NAMES.iter().find(|(names, _)| named(names)) {
            Some((_, level)) => Ok(*level),
            None => Err(format!(
                "`{option} {value}`: must be hwthread, core, L3, numa, socket, share, host or none{}",
                others::place_hint(value)
            )),
        }
    }

    /// The part of the machine that a CPU belongs to.
    fn part(self, cpu: &Cpu) -> u32 {
        match self {
            Level::Cpu => cpu.number,
            Level::Core => cpu.core,
            Level::Cache => cpu.cache,
            Level::Node => cpu.node,
            Level::Socket => cpu.socket,
            Level::Share | Level::Host => 0,
        }
    }
}

impl Binding {
    /// The CPUs in the order in which threads take them: one of each part in turn.
    fn order(&self, mut cpus: Vec<Cpu>) -> Vec<Cpu> {
        if self.to == Level::Share {
            // Shares take cores as a whole.
            cpus.sort_by_key(|cpu| cpu.core);
            return cpus;
        }
        // A CPU that comes after n others of its part is taken in turn n.
        let turn = |i: usize| {
            let same = |cpu: &&Cpu| self.map.part(cpu) == self.map.part(&cpus[i]);
            cpus[..i].iter().filter(same).count()
        };
        match self.map {
            // By themselves, CPUs come core by core.
            Level::Cpu | Level::Core | Level::Share | Level::Host => cpus,
            _ => {
                let mut order: Vec<_> = (0..cpus.len()).collect();
                order.sort_by_key(|&i| turn(i));
                order.into_iter().map(|i| cpus[i]).collect()
            }
        }
    }

    /// Those of a thread, of CPUs in the order in which threads take `width` at a time.
    pub fn cpus(&self, order: &[Cpu], thread: u32, width: usize) -> Vec<u32> {
        let at = thread as usize * width;
        let own: Vec<&Cpu> = match self.to {
            Level::Share => (at..at + width).map(|i| &order[i % order.len()]).collect(),
            _ => {
                let part = self.to.part(&order[at % order.len()]);
                order.iter().filter(|cpu| self.to.part(cpu) == part).collect()
            }
        };
        let mut numbers: Vec<_> = own.iter().map(|cpu| cpu.number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The CPUs of this machine, which is the host's, in the order in which threads take them; none if
/// they are not bound. A `dry` run may be about another machine.
pub fn cpus(plan: &Plan, host: usize, dry: bool) -> Result<Vec<Cpu>, Refusal> {
    let Some(binding) = plan.bind else { return Ok(Vec::new()) };
    if !binding.is_asked {
        return Ok(binding.order(free(plan.threads_of_machine(host))));
    }
    let machine = topology::machine().map_err(|text| (exit::SYSTEM, text))?;
    match machine.is_this || dry {
        true => Ok(binding.order(machine.cpus)),
        false => Err((
            exit::USAGE,
            "threads cannot be bound: HWLOC_SYNTHETIC or HWLOC_XMLFILE describes another machine \
             than this one; -show -report-bindings prints what would be bound there"
                .into(),
        )),
    }
}

/// The CPUs for a job that has not asked for any: none if it has fewer than one for each of its
/// threads, or has but one thread, which the kernel moves better.
fn free(threads: u32) -> Vec<Cpu> {
    let has_time = cgroup::cpus().is_none_or(|quota| quota >= f64::from(threads));
    if threads < 2 || !has_time || !siblings::may_bind() {
        return Vec::new();
    }
    let cpus = siblings::cpus();
    if cpus.len() >= threads as usize {
        cpus
    } else {
        Vec::new()
    }
}

/// The same for a host of several: its first thread takes the first CPU.
pub fn cpus_of(plan: &Plan, host: usize) -> Result<Vec<Cpu>, Refusal> {
    let mut cpus = cpus(plan, host, false)?;
    let first = plan.hosts[host].first as usize * plan.width(host, cpus.len());
    begin_with(&mut cpus, first);
    Ok(cpus)
}

/// Thread numbers count over hosts: turns the order so that its first CPU is in place `at`, counted
/// around.
fn begin_with(order: &mut [Cpu], at: usize) {
    if !order.is_empty() {
        order.rotate_right(at % order.len());
    }
}

/// What -report-bindings prints of a host: a line for each thread. Nothing if it is not asked for,
/// or the host's CPUs are not known here.
pub fn shown(plan: &Plan, host: usize) -> Vec<String> {
    let is_elsewhere = plan.bind.is_some_and(|bind| bind.is_asked) && plan.cpus.is_empty();
    if !plan.report_bindings || is_elsewhere {
        return Vec::new();
    }
    let (first, count) = (plan.hosts[host].first, plan.hosts[host].count);
    let at = match plan.hosts.len() {
        1 => String::new(),
        _ => format!(" on {}", plan.hosts[host].name),
    };
    let line = |thread: u32| match &plan.cpus_of(thread)[..] {
        [] => format!("thread {thread}{at}: not bound"),
        own => {
            let name = if own.len() == 1 { "CPU" } else { "CPUs" };
            format!("thread {thread}{at}: {name} {} {}", ranges(own, ","), picture(&plan.cpus, own))
        }
    };
    (first..first + count).map(line).collect()
}

/// `[BB/../..][../../..]`: brackets hold a socket, slashes part its cores, and each of a core's
/// hardware threads is a B if it is one of `own`.
fn picture(cpus: &[Cpu], own: &[u32]) -> String {
    let mut all: Vec<&Cpu> = cpus.iter().collect();
    all.sort_by_key(|cpu| (cpu.socket, cpu.core, cpu.number));
    let mut out = String::new();
    let mut before: Option<&Cpu> = None;
    for cpu in all {
        out += match before {
            None => "[",
            Some(last) if last.socket != cpu.socket => "][",
            Some(last) if last.core != cpu.core => "/",
            Some(_) => "",
        };
        out.push(if own.contains(&cpu.number) { 'B' } else { '.' });
        before = Some(cpu);
    }
    out + "]"
}

/// Ascending numbers, as in `0-3,8`.
pub fn ranges(numbers: &[u32], comma: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        out.push(match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => continue,
        });
    }
    out.join(comma)
}

/// What tells the OpenMP runtime of a host to bind its threads so: a place for each thread of the
/// job, by its number, and on one host for each CPU that further threads could take.
pub fn openmp(plan: &Plan) -> Vec<(&'static str, String)> {
    let asked = plan.bind.filter(|bind| bind.is_asked && !plan.cpus.is_empty());
    let Some(binding) = asked else { return Vec::new() };
    let place = |thread| {
        let numbers = binding.cpus(&plan.cpus, thread, 1);
        format!("{{{}}}", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
    };
    let count = match plan.hosts.len() {
        1 => plan.threads.max(plan.cpus.len() as u32),
        _ => plan.threads,
    };
    let places = (0..count).map(place).collect::<Vec<_>>().join(",");
    vec![("OMP_PROC_BIND", "close".to_string()), ("OMP_PLACES", places)]
}

/// The binding that the options ask for, or what there is without any.
pub fn wanted(to: Option<Level>, map: Option<Level>) -> Option<Binding> {
    let is_asked = to.is_some() || map.is_some();
    let by_itself = if map.is_some() { Level::Core } else { Level::Share };
    let to = Some(to.unwrap_or(by_itself)).filter(|to| *to != Level::Host)?;
    Some(Binding { to, map: map.unwrap_or(Level::Core), is_asked })
}

#[cfg(test)]
mod tests {
    use super::super::plan::Host;
    use super::*;

    /// Two sockets with two caches each, of two cores with two hardware threads: the first of each
    /// core, then the second, as Linux counts them.
    fn machine() -> Vec<Cpu> {
        let cpu = |number: u32| {
            let core = number % 8;
            Cpu { number, core, cache: core / 2 * 2, node: core / 4, socket: core / 4 }
        };
        (0..16).map(cpu).collect()
    }

    fn numbers(to: Level, map: Level, threads: u32) -> Vec<String> {
        let binding = Binding { to, map, is_asked: true };
        let order = binding.order(machine());
        (0..threads).map(|thread| ranges(&binding.cpus(&order, thread, 1), "+")).collect()
    }

    #[test]
    fn shares_are_equal_and_apart() {
        let shares = |threads: u32, first: u32| -> Vec<String> {
            let bind = Some(Binding { to: Level::Share, map: Level::Core, is_asked: true });
            let hosts = vec![
                Host { name: "a".into(), first: 0, count: first },
                Host { name: "b".into(), first, count: threads },
            ];
            let mut plan = Plan { threads: first + threads, bind, hosts, ..Plan::default() };
            plan.cpus = bind.map(|bind| bind.order(machine())).unwrap_or_default();
            let at = first as usize * plan.width(1, 16);
            begin_with(&mut plan.cpus, at);
            (first..first + threads).map(|t| ranges(&plan.cpus_of(t), "+")).collect()
        };
        assert_eq!(shares(3, 5), ["0-2+8-9", "3-4+10-12", "5-7+13-14"]);
        assert_eq!(shares(4, 0), ["0-1+8-9", "2-3+10-11", "4-5+12-13", "6-7+14-15"]);
        // With more threads than CPUs each has one.
        assert_eq!(shares(17, 3)[15..], ["15", "0"]);
    }

    #[test]
    fn threads_are_dealt_to_parts_in_turn_and_bound_to_parts() {
        assert_eq!(numbers(Level::Cpu, Level::Core, 3), ["0", "1", "2"]);
        assert_eq!(numbers(Level::Core, Level::Socket, 5), ["0+8", "4+12", "1+9", "5+13", "2+10"]);
        assert_eq!(numbers(Level::Socket, Level::Core, 5)[3..], ["0-3+8-11", "4-7+12-15"]);
        assert_eq!(numbers(Level::Cache, Level::Cache, 3), ["0-1+8-9", "2-3+10-11", "4-5+12-13"]);
        // More threads than CPUs begin again.
        assert_eq!(numbers(Level::Cpu, Level::Node, 18)[16..], ["0", "4"]);
    }

    #[test]
    fn the_first_thread_of_a_host_takes_its_first_cpu() {
        let binding = Binding { to: Level::Cpu, map: Level::Core, is_asked: true };
        let mut order = binding.order(machine());
        begin_with(&mut order, 21);
        let cpus: Vec<_> = (21..24).flat_map(|thread| binding.cpus(&order, thread, 1)).collect();
        assert_eq!(cpus, [0, 1, 2]);
    }

    #[test]
    fn bindings_are_pictures() {
        let bind = Some(Binding { to: Level::Core, map: Level::Socket, is_asked: true });
        let hosts = vec![Host { name: "a".into(), first: 0, count: 2 }];
        let mut plan = Plan { threads: 2, bind, hosts, report_bindings: true, ..Plan::default() };
        plan.cpus = plan.bind.map(|bind| bind.order(machine())).unwrap_or_default();
        let expected = [
            "thread 0: CPUs 0,8 [BB/../../..][../../../..]",
            "thread 1: CPUs 4,12 [../../../..][BB/../../..]",
        ];
        assert_eq!(shown(&plan, 0), expected);
        plan.bind = None;
        assert_eq!(shown(&plan, 0)[1], "thread 1: not bound");
    }

    #[test]
    fn levels_have_the_names_of_other_launchers() {
        assert_eq!(Level::parse("-bind-to", "L3CACHE"), Ok(Level::Cache));
        assert_eq!(Level::parse("-bind-to", "package"), Ok(Level::Socket));
        assert!(Level::parse("-bind-to", "soket").unwrap_err().contains("socket"));
        assert_eq!(wanted(Some(Level::Host), None), None);
        let unasked = Binding { to: Level::Share, map: Level::Core, is_asked: false };
        assert_eq!(wanted(None, None), Some(unasked));
        let mapped = wanted(None, Some(Level::Socket));
        assert_eq!(mapped, Some(Binding { to: Level::Core, map: Level::Socket, is_asked: true }));
    }
}
