// SPDX-License-Identifier: BSD-3-Clause
//! What the user asks of omprun: the command line, with the environment's defaults.

use super::table::{Id, TABLE};
use super::THREADS;
use crate::launch::conduct::{self, Conduct};
use crate::launch::places::{count, Places};
use crate::launch::stats::Form;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Request {
    /// Of each host.
    pub threads: Option<u32>,
    /// Of regions inside regions, as OMP_NUM_THREADS has them.
    pub inner_threads: Vec<String>,
    pub places: Places,
    pub stats: Option<Form>,
    /// Atomic instructions are no reason to refuse a program.
    pub inline_atomics: bool,
    /// Look for races between hosts.
    pub check: bool,
    pub conduct: Conduct,
    /// Environment variables of the processes.
    pub exported: Vec<(String, String)>,
    /// The program and its arguments.
    pub program: Vec<String>,
}

/// `args` are the words after omprun's name; `env` reads the environment.
pub fn parse(args: &[String], env: impl Fn(&str) -> Option<String>) -> Result<Request, String> {
    let mut request = Request::default();
    let flags = env("OMPRUN_FLAGS").unwrap_or_default();
    request.program =
        conduct::command_line(TABLE, ("OMPRUN_FLAGS", &flags), args, |id, value, _| {
            request.option(id, value)
        })?;
    request.exported = request.conduct.exported(&env)?;
    let value = |name: &str| env(name).filter(|value| !value.is_empty());
    request.places.defaults(&value)?;
    request.levels(&value(THREADS).unwrap_or_default());
    match request.program.is_empty() && request.conduct.needs_program() {
        true => Err("which program?".to_string()),
        false => Ok(request),
    }
}

impl Request {
    fn option(&mut self, id: Id, value: String) -> Result<(), String> {
        match id {
            Id::Threads => self.threads = Some(count("-t", &value)?),
            Id::Place(place) => self.places.option(place, value)?,
            Id::Stats => self.stats = Some(Form::parse(&value)?),
            Id::InlineAtomics => self.inline_atomics = true,
            Id::Check => self.check = true,
            Id::Conduct(way) => self.conduct.option(way, value)?,
        }
        Ok(())
    }

    /// `4,2`: the first is the default of `-t`. What is no number is the runtime's to complain of.
    fn levels(&mut self, list: &str) {
        let mut levels = list.split(',').map(|level| level.trim().to_string());
        let first = levels.next().and_then(|level| level.parse().ok()).filter(|n| *n > 0);
        self.threads = self.threads.or(first);
        self.inner_threads = levels.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn request(line: &str, env: &[(&str, &str)]) -> Result<Request, String> {
        let env = |name: &str| env.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
        parse(&text::words(line), env)
    }

    #[test]
    fn options_end_at_the_program() {
        let r = request("-t4 --stats=json -virtual-hosts 2 ./prog -t 3", &[]).unwrap();
        assert_eq!((r.threads, r.stats), (Some(4), Some(Form::Json)));
        assert_eq!(r.program, ["./prog", "-t", "3"]);
    }

    #[test]
    fn threads_are_also_openmps() {
        let env = [("OMP_NUM_THREADS", "3, 2"), ("OMPRUN_FLAGS", "-q")];
        let r = request("./prog", &env).unwrap();
        assert_eq!((r.threads, r.conduct.quiet), (Some(3), true));
        assert_eq!(r.inner_threads, ["2"]);
        assert_eq!(request("-t 5 ./prog", &env).unwrap().threads, Some(5));
    }

    #[test]
    fn mistakes_are_refused_with_the_reason() {
        for (line, reason) in [
            ("", "which program?"),
            ("-t 0 ./p", "`-t 0`: must be a number from 1 to 1048576"),
            ("-stats=xml ./p", "`-stats=xml`: must be table or json"),
            (
                "-virtual-host 2 ./p",
                "there is no option `-virtual-host`; did you mean `-virtual-hosts`?",
            ),
        ] {
            assert_eq!(request(line, &[]).unwrap_err(), reason);
        }
    }
}
