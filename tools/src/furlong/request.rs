// SPDX-License-Identifier: BSD-3-Clause
//! What the command line asks for.

use super::algorithms::OPERATIONS;
use super::table::{Id, TABLE};
use crate::options;
use crate::options_doc::Print;
use crate::text;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub print: Option<Print>,
    /// The file that was asked for; else that in the user's settings, by which programs go.
    pub output: Option<String>,
    pub threads: Vec<u32>,
    pub bytes: Vec<u64>,
    pub operations: Vec<String>,
    pub rounds: u32,
    /// What makes upcrun use several hosts.
    pub hosts: Option<[String; 2]>,
    pub quiet: bool,
}

/// `args` are the words after furlong's name.
pub fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request {
        print: None,
        output: None,
        threads: default_threads(),
        bytes: vec![8, 64, 512, 2 << 10, 8 << 10, 32 << 10, 128 << 10, 1 << 20],
        operations: OPERATIONS.iter().map(|o| o.name.to_string()).collect(),
        rounds: 2,
        hosts: None,
        quiet: false,
    };
    let rest = request.options(args)?;
    let Some((command, rest)) = rest.split_first() else {
        let which = || "which command? There is `tune`".to_string();
        return request.print.is_some().then_some(request).ok_or_else(which);
    };
    if command != "tune" {
        return Err(format!("there is no command `{command}`; there is `tune`"));
    }
    match request.options(rest)? {
        [] => Ok(request),
        [word, ..] => Err(format!("`{word}` is one word too many")),
    }
}

/// Powers of two up to 16, or twice as many as there are CPUs; and the number of CPUs.
fn default_threads() -> Vec<u32> {
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let powers = (1..16).map(|n| 1 << n).take_while(|&n| n <= 16.max(2 * cpus));
    let mut threads: Vec<u32> = powers.chain((cpus > 1).then_some(cpus)).collect();
    threads.sort();
    threads.dedup();
    threads
}

impl Request {
    fn options<'a>(&mut self, args: &'a [String]) -> Result<&'a [String], String> {
        options::each(TABLE, args, |id, value, _| self.option(id, value))
    }

    fn option(&mut self, id: Id, value: String) -> Result<(), String> {
        match id {
            Id::Output => self.output = Some(value),
            Id::Threads => self.threads = list(&value, number)?,
            Id::Bytes => self.bytes = list(&value, bytes)?,
            Id::Operations => self.operations = list(&value, operation)?,
            Id::Rounds => self.rounds = number(&value)?,
            Id::Hosts => self.hosts = Some(["-hosts".to_string(), value]),
            Id::VirtualHosts => self.hosts = Some(["-virtual-hosts".to_string(), value]),
            Id::Quiet => self.quiet = true,
            Id::Help => self.print = Some(Print::Help),
            Id::Man => self.print = Some(Print::Man),
            Id::Version => self.print = Some(Print::Version),
        }
        Ok(())
    }
}

/// Ascending, each once.
fn list<T: Ord>(text: &str, one: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let mut list = text.split(',').map(one).collect::<Result<Vec<T>, _>>()?;
    list.sort();
    list.dedup();
    Ok(list)
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or(format!("`{text}` is not a number of anything"))
}

/// In the table's notation a plain number counts bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let plain = text.ends_with(|c: char| c.is_ascii_digit());
    text::size(&if plain { format!("{text}B") } else { text.to_string() })
}

fn operation(text: &str) -> Result<String, String> {
    let known = OPERATIONS.iter().any(|o| o.name == text);
    known.then(|| text.to_string()).ok_or(format!("there is no operation `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        let args: Vec<String> = line.split_whitespace().map(String::from).collect();
        parse(&args)
    }

    #[test]
    fn lists_are_read() {
        let request = parsed("tune -threads=4,2 -bytes 1K,8,8 -operations exchange -o t").unwrap();
        assert_eq!(request.threads, [2, 4]);
        assert_eq!(request.bytes, [8, 1024]);
        assert_eq!(request.operations, ["exchange"]);
        assert_eq!(request.output.as_deref(), Some("t"));
    }

    #[test]
    fn mistakes_are_said() {
        assert!(parsed("").unwrap_err().contains("tune"));
        assert!(parsed("tuna").unwrap_err().contains("tuna"));
        assert!(parsed("tune -threads 0").is_err());
        assert!(parsed("tune -operations brodcast").unwrap_err().contains("brodcast"));
        assert!(parsed("tune -thread 2").unwrap_err().contains("-threads"));
    }
}
