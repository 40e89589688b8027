// SPDX-License-Identifier: BSD-3-Clause
//! What the user asks of upcrun: the command line, with the environment's defaults.

use super::table::{Id, TABLE};
use crate::options::{self, Found};
use crate::text;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Print {
    Help,
    Man,
    Version,
    Info,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Request {
    pub print: Option<Print>,
    pub threads: Option<u32>,
    pub pthreads: Option<u32>,
    pub heap: Option<u64>,
    pub bind: bool,
    /// The thread that the debugger is for.
    pub gdb: Option<u32>,
    pub gdb_args: Vec<String>,
    /// The debugger's command.
    pub debugger: Vec<String>,
    /// The thread that waits for a debugger.
    pub freeze: Option<u32>,
    pub backtrace: Option<bool>,
    pub quiet: bool,
    /// Who waits gives up the CPU at once.
    pub polite: bool,
    pub verbose: bool,
    /// Print the plan, start nothing.
    pub show: bool,
    pub nodes: Option<u32>,
    /// Threads on each host.
    pub per_host: Option<u32>,
    /// What UPCRUN_FLAGS holds.
    pub flags: Vec<String>,
    /// Things worth saying before anything is done.
    pub remarks: Vec<String>,
    /// The program and its arguments.
    pub program: Vec<String>,
}

/// `args` are the words after upcrun's name; `env` reads the environment.
pub fn parse(args: &[String], env: impl Fn(&str) -> Option<String>) -> Result<Request, String> {
    let mut request = Request::default();
    let flags = text::words(&env("UPCRUN_FLAGS").unwrap_or_default());
    request.flags = flags.clone();
    let rest = request.options(&flags)?;
    if !rest.is_empty() {
        return Err(format!("UPCRUN_FLAGS may hold options only, not `{}`", rest[0]));
    }
    request.program = request.options(args)?.to_vec();
    request.defaults(env)?;
    if request.program.is_empty() && !matches!(request.print, Some(ref p) if *p != Print::Info) {
        return Err("which program?".to_string());
    }
    Ok(request)
}

impl Request {
    /// Takes the options at the head of `args`; what follows them is returned.
    fn options<'a>(&mut self, mut args: &'a [String]) -> Result<&'a [String], String> {
        while let Some(arg) = args.first() {
            if arg == "--" {
                return Ok(&args[1..]);
            }
            if !arg.starts_with('-') {
                break;
            }
            match options::find(TABLE, args) {
                Found::Option(found) if found.id == Id::NoEffect => {
                    self.remarks.push(format!("remark: `{arg}` has no effect here"));
                    args = &args[found.used..];
                }
                Found::Option(found) => {
                    self.option(found.id, found.value.unwrap_or_default())?;
                    args = &args[found.used..];
                }
                Found::MissingValue(name) => return Err(format!("`{name}` lacks its value")),
                Found::Unknown => {
                    let hint = options::nearest(TABLE, arg)
                        .map_or(String::new(), |name| format!("; did you mean `{name}`?"));
                    return Err(format!("there is no option `{arg}`{hint}"));
                }
            }
        }
        Ok(args)
    }

    fn option(&mut self, id: Id, value: String) -> Result<(), String> {
        match id {
            Id::Threads => self.threads = Some(count("-n", &value)?),
            // As if it had not been said.
            Id::Pthreads if value == "0" => self.pthreads = None,
            Id::Pthreads => self.pthreads = Some(count("-p", &value)?),
            Id::Nodes => self.nodes = Some(count("-N", &value)?),
            Id::PerHost => self.per_host = Some(count("-c", &value)?),
            Id::Network if value == "smp" => {}
            Id::Network => self.remarks.push(format!(
                "warning: network `{value}` is not in this version; the program runs on one host"
            )),
            Id::Heap => self.heap = Some(text::size(&value)?),
            Id::Bind => self.bind = true,
            Id::Gdb => self.gdb = Some(thread("-gdb", &value)?),
            Id::GdbArgs => self.gdb_args.extend(text::words(&value)),
            Id::Freeze if value.is_empty() => self.freeze = Some(0),
            Id::Freeze => self.freeze = Some(thread("-freeze", &value)?),
            Id::Backtrace => self.backtrace = Some(true),
            Id::NoBacktrace => self.backtrace = Some(false),
            Id::Quiet => self.quiet = true,
            Id::Polite => self.polite = true,
            Id::Verbose => self.verbose = true,
            Id::Show => self.show = true,
            Id::Info => self.print = Some(Print::Info),
            Id::Version => self.print = Some(Print::Version),
            Id::Help => self.print = Some(Print::Help),
            Id::Man => self.print = Some(Print::Man),
            Id::Ignored | Id::NoEffect => {}
        }
        Ok(())
    }

    fn defaults(&mut self, env: impl Fn(&str) -> Option<String>) -> Result<(), String> {
        let value = |name: &str| env(name).filter(|value| !value.is_empty());
        if let (None, Some(n)) = (self.nodes, value("UPC_NODES")) {
            self.nodes = Some(count("UPC_NODES", &n)?);
        }
        if let Some(nodes) = self.nodes.filter(|nodes| *nodes > 1) {
            return Err(format!("`-N {nodes}`: this version runs on one host only"));
        }
        self.threads = self.threads.or(self.per_host);
        if let (None, Some(n)) = (self.threads, value("UPC_THREADS")) {
            self.threads = Some(count("UPC_THREADS", &n)?);
        }
        if let (Some(n), Some(most)) = (self.threads, self.per_host.filter(|most| *most > 0)) {
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
        self.debugger = text::words(&value("UPCRUN_GDB").unwrap_or("gdb".into()));
        self.quiet |= value("UPC_QUIET").is_some_and(|v| text::truth(&v));
        Ok(())
    }
}

fn count(name: &str, value: &str) -> Result<u32, String> {
    match value.parse() {
        // THREADS is an int.
        Ok(n) if n > 0 && n <= i32::MAX as u32 => Ok(n),
        _ => Err(format!("`{name} {value}`: must be a number from 1")),
    }
}

fn thread(name: &str, value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("`{name} {value}`: must be a thread's number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str, env: &[(&str, &str)]) -> Result<Request, String> {
        let env = |name: &str| env.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
        parse(&text::words(line), env)
    }

    #[test]
    fn options_end_at_the_program() {
        let r = request("-n 4 -p2 -shared-heap=1GB -q ./prog -n 3", &[]).unwrap();
        assert_eq!((r.threads, r.pthreads, r.heap), (Some(4), Some(2), Some(1 << 30)));
        assert!(r.quiet);
        assert_eq!(r.program, ["./prog", "-n", "3"]);
        assert_eq!(request("-- -prog", &[]).unwrap().program, ["-prog"]);
    }

    #[test]
    fn the_command_line_beats_flags_beat_the_environment() {
        let env = [("UPCRUN_FLAGS", "-n 3 -v"), ("UPC_THREADS", "7"), ("UPC_QUIET", "yes")];
        let r = request("./prog", &env).unwrap();
        assert_eq!((r.threads, r.verbose, r.quiet), (Some(3), true, true));
        assert_eq!(request("-n 5 ./prog", &env).unwrap().threads, Some(5));
        assert_eq!(request("./prog", &env[1..]).unwrap().threads, Some(7));
    }

    #[test]
    fn options_of_other_hosts_are_understood() {
        let r = request("-N 1 -c 3 -network smp ./p", &[]).unwrap();
        assert_eq!((r.threads, r.remarks.len()), (Some(3), 0));
        let r = request("-cpus-per-node 2 -n 4 -p 2 -p 0 ./p", &[]).unwrap();
        assert_eq!((r.threads, r.pthreads), (Some(4), None));
        assert_eq!(r.remarks, ["remark: -c 2: all 4 threads run on this one host"]);
        let r = request("-trace -pshm-width 4 -network=udp ./p -trace", &[]).unwrap();
        assert_eq!(r.remarks.len(), 3);
        assert_eq!(r.remarks[1], "remark: `-pshm-width` has no effect here");
        assert_eq!(r.program, ["./p", "-trace"]);
    }

    #[test]
    fn mistakes_are_refused_with_the_reason() {
        for (line, reason) in [
            ("", "which program?"),
            ("-n", "`-n` lacks its value"),
            ("-n 0 ./p", "`-n 0`: must be a number from 1"),
            ("-n x ./p", "`-n x`: must be a number from 1"),
            ("-gdb all ./p", "`-gdb all`: must be a thread's number"),
            ("-N 2 ./p", "`-N 2`: this version runs on one host only"),
            ("-nodes=3 ./p", "`-N 3`: this version runs on one host only"),
            ("-c 0 ./p", "`-c 0`: must be a number from 1"),
            (
                "-bind-thread ./p",
                "there is no option `-bind-thread`; did you mean `-bind-threads`?",
            ),
        ] {
            assert_eq!(request(line, &[]).unwrap_err(), reason);
        }
    }
}
