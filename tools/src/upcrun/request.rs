// SPDX-License-Identifier: BSD-3-Clause
//! What the user asks of upcrun: the command line, with the environment's defaults.

use super::table::{Id, TABLE};
use crate::launch::conduct::{self, Conduct};
use crate::launch::debugger::{self, Wanted};
use crate::launch::hosts::Origin;
use crate::launch::places::{count, Places};
use crate::launch::stats::Form;
use crate::text;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Request {
    /// Print which transports there are, and how the program was compiled.
    pub info: bool,
    pub threads: Option<u32>,
    pub pthreads: Option<u32>,
    pub heap: Option<u64>,
    pub debugger: Wanted,
    /// The thread that waits for a debugger.
    pub freeze: Option<u32>,
    /// A thread that fails waits for a debugger.
    pub freeze_on_error: bool,
    pub conduct: Conduct,
    /// Environment variables of the processes.
    pub exported: Vec<(String, String)>,
    pub places: Places,
    /// Whether OMP_PROC_BIND or OMP_PLACES binds the threads that a process makes, within what the
    /// process may use; nothing if there is neither.
    pub binds_teams: Option<bool>,
    /// Threads count what each line of the program costs.
    pub trace: bool,
    pub stats: Option<Form>,
    /// What UPCRUN_FLAGS holds.
    pub flags: String,
    /// So many upcruns, of which this is one, were started by another launcher.
    pub siblings: u32,
    /// Things worth saying before anything is done.
    pub remarks: Vec<String>,
    /// The program and its arguments.
    pub program: Vec<String>,
}

/// `args` are the words after upcrun's name; `env` reads the environment.
pub fn parse(args: &[String], env: impl Fn(&str) -> Option<String>) -> Result<Request, String> {
    let mut request = Request::default();
    let flags = env("UPCRUN_FLAGS").unwrap_or_default();
    let take = |id, value, written: &str| request.option(id, value, written);
    request.program = conduct::command_line(TABLE, ("UPCRUN_FLAGS", &flags), args, take)?;
    request.flags = flags;
    request.defaults(env)?;
    match request.program.is_empty() && !request.info && request.conduct.needs_program() {
        true => Err("which program?".to_string()),
        false => Ok(request),
    }
}

impl Request {
    fn option(&mut self, id: Id, value: String, written: &str) -> Result<(), String> {
        match id {
            Id::Threads => self.threads = Some(count("-n", &value)?),
            // As if it had not been said.
            Id::Pthreads if value == "0" => self.pthreads = None,
            Id::Pthreads => self.pthreads = Some(count("-p", &value)?),
            Id::PerHost => self.places.per_host = Some(count("-c", &value)?),
            Id::Place(place) => self.places.option(place, value)?,
            Id::Trace => self.trace = true,
            Id::Stats => self.stats = Some(Form::parse(&value)?),
            Id::Heap => self.heap = Some(text::size(&value)?),
            Id::Gdb => self.debugger.thread = Some(thread("-gdb", &value)?),
            Id::GdbArgs => self.debugger.arguments.extend(text::words(&value)),
            Id::Freeze if value.is_empty() => self.freeze = Some(0),
            Id::Freeze => self.freeze = Some(thread("-freeze", &value)?),
            Id::FreezeOnError => self.freeze_on_error = true,
            Id::NoBacktrace => self.conduct.backtrace = Some(false),
            Id::Info => self.info = true,
            Id::Conduct(way) => self.conduct.option(way, value)?,
            Id::Ignored => {}
            Id::NoEffect => {
                self.remarks.push(format!("remark: `{written}` has no effect here"));
            }
        }
        Ok(())
    }

    fn defaults(&mut self, env: impl Fn(&str) -> Option<String>) -> Result<(), String> {
        self.exported = self.conduct.exported(&env)?;
        let value = |name: &str| env(name).filter(|value| !value.is_empty());
        self.places.defaults(&value)?;
        self.siblings = siblings(&value);
        // Each of several launchers stays where it was put.
        if self.siblings == 1 && !self.program.is_empty() {
            self.places.allocation(&value)?;
        }
        if let (None, None, Some(n)) = (self.threads, self.places.per_host, value("UPC_THREADS")) {
            self.threads = Some(count("UPC_THREADS", &n)?);
        }
        let places = &self.places;
        if let (Some(n), Some(most), Origin::Here) = (self.threads, places.per_host, &places.hosts)
        {
            if n > most {
                let text = format!("remark: -c {most}: all {n} threads run on this one host");
                self.remarks.push(text);
            }
        }
        if let (None, Some(n)) = (self.pthreads, value("UPC_PTHREADS_PER_PROC")) {
            self.pthreads = Some(count("UPC_PTHREADS_PER_PROC", &n)?);
        }
        if let (None, Some(size)) = (self.heap, value("UPC_SHARED_HEAP_SIZE")) {
            self.heap = Some(text::size(&size)?);
        }
        self.binds_teams = self.binds_teams(value);
        self.debugger.command = debugger::command(value);
        self.conduct.quiet |= value("UPC_QUIET").is_some_and(|v| text::truth(&v));
        Ok(())
    }
}

impl Request {
    /// Whether the variables of OpenMP bind threads, to places that are not named one by one.
    fn binds_teams(&self, env: impl Fn(&str) -> Option<String>) -> Option<bool> {
        let exported = |name| self.exported.iter().find(|(other, _)| other == name);
        let value = |name| exported(name).map(|(_, value)| value.clone()).or_else(|| env(name));
        let (bind, places) = (value("OMP_PROC_BIND"), value("OMP_PLACES"));
        let binds = match &bind {
            Some(bind) => !bind.trim().eq_ignore_ascii_case("false"),
            None => places.as_ref().map(|_| true)?,
        };
        Some(binds && !places.is_some_and(|places| places.contains('{')))
    }
}

/// The tasks that Slurm, Open MPI or an MPI with PMI has started, this one among them.
fn siblings(value: &impl Fn(&str) -> Option<String>) -> u32 {
    let tasks = ["SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"].into_iter();
    tasks.filter_map(|name| value(name)?.parse().ok()).max().unwrap_or(1).max(1)
}

fn thread(name: &str, value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("`{name} {value}`: must be a thread's number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn request(line: &str, env: &[(&str, &str)]) -> Result<Request, String> {
        let env = |name: &str| env.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
        parse(&text::words(line), env)
    }

    #[test]
    fn options_end_at_the_program() {
        let r = request("-n 4 -p2 -shared-heap=1GB -q ./prog -n 3", &[]).unwrap();
        assert_eq!((r.threads, r.pthreads, r.heap), (Some(4), Some(2), Some(1 << 30)));
        assert!(r.conduct.quiet);
        assert_eq!(r.program, ["./prog", "-n", "3"]);
        assert_eq!(request("-- -prog", &[]).unwrap().program, ["-prog"]);
    }

    #[test]
    fn the_command_line_beats_flags_beat_the_environment() {
        let env = [("UPCRUN_FLAGS", "-n 3 -v"), ("UPC_THREADS", "7"), ("UPC_QUIET", "yes")];
        let r = request("./prog", &env).unwrap();
        assert_eq!((r.threads, r.conduct.verbose, r.conduct.quiet), (Some(3), true, true));
        assert_eq!(request("-n 5 ./prog", &env).unwrap().threads, Some(5));
        assert_eq!(request("./prog", &env[1..]).unwrap().threads, Some(7));
    }

    #[test]
    fn hosts_are_named_in_many_ways() {
        let hosts = |line: &str, env| request(line, env).map(|request| request.places.hosts);
        assert_eq!(hosts("-N 1 -c 3 ./p", &[]), Ok(Origin::Here));
        assert_eq!(hosts("-hosts a,b:2 -N 2 ./p", &[]), Ok(Origin::List("a,b:2".into())));
        assert_eq!(hosts("-hostfile f ./p", &[]), Ok(Origin::File("f".into())));
        assert_eq!(hosts("-virtual-hosts 3 ./p", &[]), Ok(Origin::Virtual(3)));
        let slurm = [("SLURM_JOB_NODELIST", "n[1-4]"), ("PBS_NODEFILE", "/x")];
        let count = |line: &str| match hosts(line, &slurm) {
            Ok(Origin::Slurm(offers)) => offers.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!((count("-N 2 ./p"), count("./p")), (4, 4));
        assert_eq!(hosts("-N 2 ./p", &slurm[1..]), Ok(Origin::Pbs("/x".into())));
        assert_eq!(hosts("./p", &slurm[1..]), Ok(Origin::Pbs("/x".into())));
        let tasks = [&slurm[..], &[("SLURM_STEP_NUM_TASKS", "2")]].concat();
        assert_eq!(hosts("-n 2 ./p", &tasks), Ok(Origin::Here));
        assert_eq!(hosts("-hosts localhost ./p", &slurm), Ok(Origin::List("localhost".into())));
        let rsh = request("-rsh 'ip netns exec' -connect-timeout 0.5 ./p", &[]).unwrap();
        assert_eq!(rsh.places.rsh.unwrap(), ["ip", "netns", "exec"]);
        assert_eq!(rsh.places.connect_timeout, Some(Duration::from_millis(500)));
    }

    #[test]
    fn options_of_old_scripts_are_understood() {
        let r = request("-cpus-per-node 2 -n 4 -p 2 -p 0 ./p", &[]).unwrap();
        assert_eq!((r.threads, r.pthreads, r.places.per_host), (Some(4), None, Some(2)));
        assert_eq!(r.remarks, ["remark: -c 2: all 4 threads run on this one host"]);
        let r = request("-abort -pshm-width 4 -network=udp ./p -trace", &[]).unwrap();
        assert_eq!(r.remarks.len(), 2);
        assert_eq!(r.remarks[1], "remark: `-pshm-width` has no effect here");
        assert_eq!((r.places.transport.as_deref(), r.program.len()), (Some("udp"), 2));
    }

    #[test]
    fn mistakes_are_refused_with_the_reason() {
        for (line, reason) in [
            ("", "which program?"),
            ("-n", "`-n` lacks its value"),
            ("-n 0 ./p", "`-n 0`: must be a number from 1 to 1048576"),
            ("-n x ./p", "`-n x`: must be a number from 1 to 1048576"),
            ("-gdb all ./p", "`-gdb all`: must be a thread's number"),
            (
                "-nodes=3 ./p",
                "-N 3: which hosts? Name them with -hosts or -hostfile, or run in an allocation of \
                 Slurm or PBS; -virtual-hosts 3 tries it on this one",
            ),
            ("-rsh '' ./p", "`-rsh` lacks its command"),
            ("-connect-timeout x ./p", "`-connect-timeout x`: must be a number of seconds above 0"),
            ("-c 0 ./p", "`-c 0`: must be a number from 1 to 1048576"),
            (
                "-bind-thread ./p",
                "there is no option `-bind-thread`; did you mean `-bind-threads`?",
            ),
        ] {
            assert_eq!(request(line, &[]).unwrap_err(), reason);
        }
    }
}
