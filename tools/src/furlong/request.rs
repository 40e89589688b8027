// SPDX-License-Identifier: BSD-3-Clause
//! What the command line asks for.

use super::table::{Id, TABLE};
use super::tune::algorithms::OPERATIONS;
use super::{doctor, info};
use crate::completion;
use crate::launch::places::{Place, Places};
use crate::options;
use crate::options_doc::Print;
use crate::text;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Info,
    Doctor,
    Tune,
    Papers,
    Report,
    Completion,
    GasnetTree,
    /// The doctor's hand on another host.
    Probe,
}

/// In the order of the manual; the last one is not for users.
const COMMANDS: [(&str, Command); 8] = [
    ("info", Command::Info),
    ("doctor", Command::Doctor),
    ("tune", Command::Tune),
    ("papers", Command::Papers),
    ("report", Command::Report),
    ("completion", Command::Completion),
    ("gasnet-tree", Command::GasnetTree),
    ("probe", Command::Probe),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub command: Command,
    pub print: Option<Print>,
    /// What is named after the command: sections, checks, or papers and measurements, of which none
    /// means all; folders of reports; a shell; or a folder to make.
    pub parts: Vec<String>,
    pub json: bool,
    /// Words after `--`: options of upcrun, whose settings are asked for.
    pub launcher_options: Vec<String>,
    /// The file or folder that was asked for.
    pub output: Option<String>,
    /// Measure in the papers' sizes.
    pub full: bool,
    pub threads: Vec<u32>,
    pub bytes: Vec<u64>,
    pub operations: Vec<String>,
    pub rounds: u32,
    /// What makes upcrun use several hosts.
    pub hosts: Option<[String; 2]>,
    /// How the doctor reaches hosts, in upcrun's terms.
    pub places: Places,
    pub quiet: bool,
}

/// `args` are the words after furlong's name.
pub fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request {
        command: Command::Info,
        print: None,
        parts: Vec::new(),
        json: false,
        launcher_options: Vec::new(),
        output: None,
        full: false,
        threads: default_threads(),
        bytes: vec![8, 64, 512, 2 << 10, 8 << 10, 32 << 10, 128 << 10, 1 << 20],
        operations: OPERATIONS.iter().map(|o| o.name.to_string()).collect(),
        rounds: 2,
        hosts: None,
        places: Places::default(),
        quiet: false,
    };
    let (args, after) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], &args[at + 1..]),
        None => (args, &[][..]),
    };
    request.launcher_options = after.to_vec();
    let which = || format!("which command? There is {}", command_names());
    let rest = request.options(args)?;
    let Some((name, mut rest)) = rest.split_first() else {
        return request.print.is_some().then_some(request).ok_or_else(which);
    };
    let known = COMMANDS.iter().find(|(known, _)| known == name);
    let unknown = || format!("there is no command `{name}`; there is {}", command_names());
    request.command = known.ok_or_else(unknown)?.1;
    while let [part, others @ ..] = request.options(rest)? {
        request.take_part(part)?;
        rest = others;
    }
    if let (Command::Completion, None, true) =
        (request.command, request.print, request.parts.len() != 1)
    {
        let shells = completion::SHELLS.join(", ");
        return Err(format!("`furlong completion` wants one shell of {shells}"));
    }
    if let (Command::Report, None, 0 | 3..) = (request.command, request.print, request.parts.len())
    {
        return Err(
            "`furlong report` wants the folder of a report, or those of two to compare".into()
        );
    }
    if let (Command::GasnetTree, None, 0 | 2..) =
        (request.command, request.print, request.parts.len())
    {
        return Err("`furlong gasnet-tree` wants the folder to make".into());
    }
    if let (false, Some(word)) = (request.command == Command::Info, after.first()) {
        return Err(format!("`{word}` is one word too many"));
    }
    if let (None, Ok(words)) = (&request.places.rsh, std::env::var("UPCRUN_RSH")) {
        request.places.option(Place::Rsh, words)?;
    }
    Ok(request)
}

fn command_names() -> String {
    let own = COMMANDS[..COMMANDS.len() - 1].iter().map(|(name, _)| *name);
    // Commands that parse their own command lines.
    let names = own.chain(["run", "lsp", "dap"]).map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
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
        options::each(TABLE, |_| options::NO_ADVICE, args, |id, value, _| self.option(id, value))
    }

    fn option(&mut self, id: Id, value: String) -> Result<(), String> {
        match id {
            Id::Output => self.output = Some(value),
            Id::Threads => self.threads = list(&value, number)?,
            Id::Bytes => self.bytes = list(&value, bytes)?,
            Id::Operations => self.operations = list(&value, operation)?,
            Id::Rounds => self.rounds = number(&value)?,
            Id::Hosts => self.place(Place::Hosts, "-hosts", value)?,
            Id::HostFile => self.place(Place::HostFile, "-hostfile", value)?,
            Id::VirtualHosts => self.place(Place::VirtualHosts, "-virtual-hosts", value)?,
            Id::Rsh => self.places.option(Place::Rsh, value)?,
            Id::ConnectTimeout => self.places.option(Place::ConnectTimeout, value)?,
            Id::Full => self.full = true,
            Id::Json => self.json = true,
            Id::Quiet => self.quiet = true,
            Id::Help => self.print = Some(Print::Help),
            Id::Man => self.print = Some(Print::Man),
            Id::Version => self.print = Some(Print::Version),
        }
        Ok(())
    }

    fn place(&mut self, place: Place, option: &str, value: String) -> Result<(), String> {
        self.hosts = Some([option.to_string(), value.clone()]);
        self.places.option(place, value)
    }

    /// A section of the information, a check, or a shell; papers and measurements are known to bench/.
    fn take_part(&mut self, name: &str) -> Result<(), String> {
        if matches!(self.command, Command::Papers | Command::Report | Command::GasnetTree) {
            self.parts.push(name.to_string());
            return Ok(());
        }
        let names: &[&str] = match self.command {
            Command::Info => &info::SECTIONS,
            Command::Doctor => &doctor::CHECKS,
            Command::Completion => &completion::SHELLS,
            _ => &[],
        };
        if names.is_empty() {
            return Err(format!("`{name}` is one word too many"));
        }
        match names.contains(&name) {
            true => self.parts.push(name.to_string()),
            false => return Err(format!("there is no `{name}`; there are {}", names.join(", "))),
        }
        Ok(())
    }

    pub fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
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
    fn parts_stand_among_options() {
        let request = parsed("info settings -json limits").unwrap();
        assert_eq!((request.command, request.json), (Command::Info, true));
        assert_eq!(request.parts, ["settings", "limits"]);
        assert!(request.wants("limits") && !request.wants("compilers"));
        let request = parsed("doctor -hosts a,b -connect-timeout 2 hosts").unwrap();
        assert_eq!(request.hosts, Some(["-hosts".to_string(), "a,b".to_string()]));
        assert!(parsed("info hosts").unwrap_err().contains("installation, compilers"));
    }

    #[test]
    fn mistakes_are_said() {
        assert!(parsed("").unwrap_err().contains("tune"));
        assert!(parsed("tuna").unwrap_err().contains("tuna"));
        assert!(parsed("tune -threads 0").is_err());
        assert!(parsed("tune -operations brodcast").unwrap_err().contains("brodcast"));
        assert!(parsed("").unwrap_err().contains("`completion`"));
        assert!(parsed("completion").unwrap_err().contains("bash, zsh, fish"));
        assert!(parsed("completion bash zsh").unwrap_err().contains("one shell"));
        assert!(parsed("completion csh").unwrap_err().contains("no `csh`"));
        assert!(parsed("completion -help").unwrap().print.is_some());
        assert!(parsed("tune -thread 2").unwrap_err().contains("-threads"));
    }
}
