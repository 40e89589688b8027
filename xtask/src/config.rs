// SPDX-License-Identifier: BSD-3-Clause
//! What the command line asks for, and where things are in the repository.

use crate::case::{self, Mapping};
use crate::netns::Netns;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone)]
pub struct Config {
    pub command: String,
    pub filters: Vec<String>,
    /// The repository's root: every test names its files relative to it.
    pub root: PathBuf,
    pub upcc: PathBuf,
    pub upcrun: PathBuf,
    /// The tools are those of an installation, and the sources not what is tested.
    pub installed: bool,
    pub bless: bool,
    pub write: bool,
    /// Measurements in the sizes of the papers, which take long.
    pub full: bool,
    /// Where the figures of a testbed go.
    pub plot: Option<PathBuf>,
    /// Compiled code is to take all shared memory for another host's.
    pub remote: bool,
    pub count: Option<usize>,
    pub rounds: Option<usize>,
    /// Run programs over so many hosts, wherever they have as many processes.
    pub hosts: Option<u32>,
    /// The hosts are network namespaces, which this holds; else virtual ones.
    pub netns: Option<Arc<Netns>>,
    /// The hosts shall be network namespaces.
    pub wants_netns: bool,
    /// What carries messages between hosts; an MPI's launcher starts the programs then.
    pub transport: Option<String>,
    /// Of tests that name none.
    pub mappings: Option<Vec<Mapping>>,
    pub turn: Option<usize>,
    pub jobs: usize,
    pub flags: Vec<String>,
    /// By which programs are started that are for another machine.
    pub emulator: Vec<String>,
}

impl Config {
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Result<Config, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ has a parent");
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
        let mut config = Config {
            command: String::new(),
            filters: Vec::new(),
            root: root.to_path_buf(),
            upcc: root.join("build/bin/upcc"),
            upcrun: root.join("build/bin/upcrun"),
            installed: false,
            bless: false,
            write: false,
            plot: None,
            remote: false,
            count: None,
            rounds: None,
            full: std::env::var("FULL").is_ok_and(|value| value == "1"),
            hosts: None,
            netns: None,
            wants_netns: false,
            transport: None,
            mappings: None,
            turn: None,
            jobs: cpus,
            flags: Vec::new(),
            emulator: Vec::new(),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--bless" => config.bless = true,
                "--write" => config.write = true,
                "--full" => config.full = true,
                "--plot" => config.plot = Some(absolute(&value()?)),
                "--remote" => config.remote = true,
                "--count" => config.count = Some(number(&value()?)?),
                "--rounds" => config.rounds = Some(number(&value()?)?),
                "--hosts" => config.hosts = Some(number(&value()?)?.max(1) as u32),
                "--fabric" => config.wants_netns = fabric(&value()?)?,
                "--transport" => config.transport = Some(value()?),
                "--turn" => config.turn = Some(number(&value()?)?),
                "--jobs" => config.jobs = number(&value()?)?.max(1),
                "--mappings" => config.mappings = Some(case::mappings(&value()?)?),
                "--flags" => config.flags = words(&value()?),
                "--installed" => config.take_tools_from(&absolute(&value()?)),
                "--emulator" => config.emulator = words(&value()?),
                "--upcc" => config.upcc = absolute(&value()?),
                "--upcrun" => config.upcrun = absolute(&value()?),
                "-h" | "--help" => config.command = "help".into(),
                _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if config.command.is_empty() => config.command = arg,
                _ => config.filters.push(arg),
            }
        }
        if config.command.is_empty() {
            return Err("which command?".into());
        }
        Ok(config)
    }

    fn take_tools_from(&mut self, prefix: &Path) {
        self.installed = true;
        self.upcc = prefix.join("bin/upcc");
        self.upcrun = prefix.join("bin/upcrun");
    }

    /// The folder with the bin, lib, include and share of the tools.
    pub fn prefix(&self) -> &Path {
        self.upcc.parent().and_then(Path::parent).unwrap_or(&self.root)
    }

    /// A tool beside `upcc`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.upcc.with_file_name(name)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|f| name.contains(f.as_str()))
    }

    /// The filters that none of the names contains.
    pub fn unmatched<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
        let is_vain = |filter: &&String| !names.clone().any(|name| name.contains(filter.as_str()));
        self.filters.iter().filter(is_vain).cloned().collect()
    }

    pub fn tests_dir(&self) -> PathBuf {
        self.root.join("tests")
    }

    /// A directory of the test's own below `build/tests`, created empty or emptied.
    pub fn scratch(&self, test: &str) -> PathBuf {
        let dir = self.root.join("build/tests").join(test);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        dir
    }

    /// The path as a reader at the repository's root would type it.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

/// Splits at blanks; quotes keep blanks together, as a shell would.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut in_word, mut quote) = (String::new(), false, None);
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => (quote, in_word) = (Some(c), true),
            None if c.is_whitespace() => {
                if in_word {
                    words.push(std::mem::take(&mut word));
                }
                in_word = false;
            }
            _ => {
                word.push(c);
                in_word = true;
            }
        }
    }
    if in_word {
        words.push(word);
    }
    words
}

/// Whether it is made of network namespaces.
fn fabric(name: &str) -> Result<bool, String> {
    match name {
        "netns" => Ok(true),
        "virtual" => Ok(false),
        _ => Err(format!("there is no fabric `{name}`: netns or virtual")),
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}
