// SPDX-License-Identifier: BSD-3-Clause
//! How a job is run and shown: the options that launchers share, and how their command lines are
//! read.

use super::plan::Plan;
use crate::options::{self, Opt, Value};
use crate::options_doc::Print;
use crate::text;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Conduct {
    pub print: Option<Print>,
    /// Each line of output says whose it is.
    pub tag: bool,
    pub backtrace: Option<bool>,
    /// Who waits gives up the CPU at once.
    pub polite: bool,
    pub quiet: bool,
    pub verbose: bool,
    /// Print the plan, start nothing.
    pub show: bool,
    /// This is the agent of a job on another host.
    pub agent: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Tag,
    Backtrace,
    Polite,
    Quiet,
    Verbose,
    Show,
    /// How a launcher starts itself on another host.
    Agent,
    Print(Print),
}

/// A launcher's row of the option, which it knows by `id`.
pub const fn row<I: Copy>(way: Way, id: I) -> Opt<I> {
    let (names, help): (&'static [&'static str], _) = match way {
        Way::Tag => (&["-tag"], "print [HOST:PROCESS] before each line of the program's output"),
        Way::Backtrace => (
            &["-backtrace"],
            "print the calls of a thread that fails, with the program's lines (UPC_BACKTRACE=1)",
        ),
        Way::Polite => (
            &["-polite-sync"],
            "have waiting threads give up their CPU at once, for hosts that others use too",
        ),
        Way::Quiet => (&["-q", "-quiet"], "print errors only"),
        Way::Verbose => (&["-v"], "print where each thread runs"),
        Way::Show => (&["-show"], "print what would be started, and start nothing"),
        Way::Agent => (&["-agent"], ""),
        Way::Print(Print::Version) => (&["-version"], "print the version"),
        Way::Print(Print::Help) => (&["-help", "-h", "-?"], "print this"),
        Way::Print(Print::Man) => (&["-man"], ""),
    };
    Opt { names, value: Value::None, help, id }
}

impl Conduct {
    pub fn option(&mut self, way: Way) {
        match way {
            Way::Tag => self.tag = true,
            Way::Backtrace => self.backtrace = Some(true),
            Way::Polite => self.polite = true,
            Way::Quiet => self.quiet = true,
            Way::Verbose => self.verbose = true,
            Way::Show => self.show = true,
            Way::Agent => self.agent = true,
            Way::Print(print) => self.print = Some(print),
        }
    }

    pub fn needs_program(&self) -> bool {
        self.print.is_none() && !self.agent
    }

    /// What it means for a job of the launcher `tool`; the rest is to be added.
    pub fn plan(&self, tool: &str) -> Plan {
        Plan {
            tool: tool.to_string(),
            tag: self.tag,
            backtrace: self.backtrace,
            polite: self.polite,
            quiet: self.quiet,
            ..Plan::default()
        }
    }
}

/// Hands the options that the variable `flags` of the environment holds, then those of the command
/// line, to `take`, each with its value and as it was written. The program and its arguments are
/// returned.
pub fn command_line<I: Copy>(
    table: &[Opt<I>],
    (flags, value): (&str, &str),
    args: &[String],
    mut take: impl FnMut(I, String, &str) -> Result<(), String>,
) -> Result<Vec<String>, String> {
    match options::each(table, &text::words(value), &mut take)? {
        [] => Ok(options::each(table, args, take)?.to_vec()),
        [first, ..] => Err(format!("{flags} may hold options only, not `{first}`")),
    }
}
