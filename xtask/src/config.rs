// SPDX-License-Identifier: BSD-3-Clause
//! What the command line asks for, and where things are in the repository.

use crate::case;
use furlong_measure::config as measure;
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub struct Config {
    pub command: String,
    /// The tools and the folders, and what concerns measurements.
    pub measured: measure::Config,
    /// The tools are those of an installation, and the sources not what is tested.
    pub installed: bool,
    pub bless: bool,
    pub count: Option<usize>,
    /// Run programs over so many hosts, wherever they have as many processes.
    pub hosts: Option<u32>,
    /// The hosts shall be network namespaces.
    pub wants_netns: bool,
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
            measured: measure::Config::new(root, &root.join("build"), &root.join("build")),
            installed: false,
            bless: false,
            count: None,
            hosts: None,
            wants_netns: false,
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

    pub fn tests_dir(&self) -> PathBuf {
        self.root.join("tests")
    }
}

impl std::ops::Deref for Config {
    type Target = measure::Config;

    fn deref(&self) -> &measure::Config {
        &self.measured
    }
}

impl std::ops::DerefMut for Config {
    fn deref_mut(&mut self) -> &mut measure::Config {
        &mut self.measured
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
