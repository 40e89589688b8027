// SPDX-License-Identifier: BSD-3-Clause
//! How a job is run and shown: the options that launchers share, and how their command lines are
//! read.

use super::bind::{self, Level};
use super::json_summary::JsonSummary;
use super::others;
use super::plan::Plan;
use super::wire::Task;
use crate::exit::{self, Refusal};
use crate::options::{self, Opt, Value};
use crate::options_doc::Print;
use crate::report;
use crate::text;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// Each line of output says when it came.
    pub stamp: bool,
    /// The folder that gets what each process prints, in files.
    pub files: Option<PathBuf>,
    /// What the job may take.
    pub timeout: Option<Duration>,
    /// The folder that the processes start in.
    pub dir: Option<PathBuf>,
    /// Environment variables of the processes, as the user gives them: NAME or NAME=VALUE.
    exports: Vec<String>,
    pub bind_to: Option<Level>,
    /// The binding is whichever suits the program's threads.
    pub bind_threads: bool,
    pub map_by: Option<Level>,
    pub report_bindings: bool,
    /// The folder that gets a report of what threads did and waited for.
    pub report: Option<PathBuf>,
    /// The file that gets what the job was and how it ended.
    pub json_summary: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Tag,
    Backtrace,
    Polite,
    Quiet,
    Verbose,
    Show,
    Stamp,
    Files,
    Timeout,
    Dir,
    Export,
    BindTo,
    BindThreads,
    MapBy,
    ReportBindings,
    Report,
    JsonSummary,
    /// How a launcher starts itself on another host.
    Agent,
    Print(Print),
}

const REPORT: &str = "record what each thread does and waits for, and at the end write the page \
                      DIR/index.html, with DIR/report.json and traces for Perfetto and OTF2's \
                      readers; DIR is one that all hosts share";
const JSON_SUMMARY: &str = "at the end, write one JSON object to FILE: threads, hosts, processes, \
                            exit code, time, and with -report its data";

/// A launcher's row of the option, which it knows by `id`.
pub const fn row<I: Copy>(way: Way, id: I) -> Opt<I> {
    let (names, value, help): (&'static [&'static str], _, _) = match way {
        Way::Tag => (
            &["-tag"],
            Value::None,
            "print [HOST:PROCESS] before each line of the program's output",
        ),
        Way::Stamp => (
            &["-timestamp-output"],
            Value::None,
            "print date and time before each line of the program's output",
        ),
        Way::Files => (
            &["-output-filename"],
            Value::Word("DIR"),
            "write what each process prints also to DIR/rank.N/stdout and stderr, N being its \
             number",
        ),
        Way::Timeout => (
            &["-timeout"],
            Value::Word("SECONDS"),
            "end the job if it takes longer, with exit code 124, and print where its threads are",
        ),
        Way::Dir => (
            &["-wdir", "-wd"],
            Value::Word("DIR"),
            "start the program in DIR, where it is also looked for",
        ),
        Way::Export => (
            &["-x"],
            Value::Word("NAME[=VALUE]"),
            "set an environment variable on all hosts; without a value, to that of here",
        ),
        Way::BindTo => (
            &["-bind-to"],
            Value::Word("WHAT"),
            "bind each thread to a hwthread, core, L3 (all that share the outermost cache), numa \
             (node), socket or an equal share of the host; host or none: do not (default: with \
             -map-by core; else share, where there is a CPU for each of several threads)",
        ),
        Way::BindThreads => (
            &["-bind-threads"],
            Value::None,
            "bind each thread to a CPU: -bind-to hwthread; a process with OpenMP's threads or its \
             like to its share: -bind-to share",
        ),
        Way::MapBy => (
            &["-map-by"],
            Value::Word("WHAT"),
            "deal the threads of a host in turn to its cores (default), L3, numa nodes or sockets",
        ),
        Way::ReportBindings => (
            &["-report-bindings"],
            Value::None,
            "print what each thread is bound to, as in [BB/..][../..]: a pair of brackets is a \
             socket, a slash parts cores, B and . are hardware threads",
        ),
        Way::Report => (&["-report"], Value::Word("DIR"), REPORT),
        Way::JsonSummary => (&["-json-summary"], Value::Word("FILE"), JSON_SUMMARY),
        Way::Backtrace => (
            &["-backtrace"],
            Value::None,
            "print the calls of a thread that fails, with the program's lines (UPC_BACKTRACE=1)",
        ),
        Way::Polite => (
            &["-polite-sync"],
            Value::None,
            "have waiting threads give up their CPU at once, for hosts that others use too",
        ),
        Way::Quiet => (&["-q", "-quiet"], Value::None, "print errors only"),
        Way::Verbose => (&["-v", "-verbose", "-vv"], Value::None, "print where each thread runs"),
        Way::Show => (&["-show"], Value::None, "print what would be started, and start nothing"),
        Way::Agent => (&["-agent"], Value::None, ""),
        Way::Print(Print::Version) => (&["-version"], Value::None, "print the version"),
        Way::Print(Print::Help) => (&["-help", "-h", "-?"], Value::None, "print this"),
        Way::Print(Print::Man) => (&["-man"], Value::None, ""),
    };
    Opt { names, value, help, id }
}

impl Conduct {
    pub fn option(&mut self, way: Way, value: String) -> Result<(), String> {
        match way {
            Way::Tag => self.tag = true,
            Way::Backtrace => self.backtrace = Some(true),
            Way::Polite => self.polite = true,
            Way::Quiet => self.quiet = true,
            Way::Verbose => self.verbose = true,
            Way::Show => self.show = true,
            Way::Agent => self.agent = true,
            Way::Print(print) => self.print = Some(print),
            Way::Stamp => self.stamp = true,
            Way::Files => self.files = Some(absolute("-output-filename", "folder", &value)?),
            Way::Timeout => self.timeout = Some(seconds("-timeout", &value)?),
            Way::Dir => self.dir = Some(absolute("-wdir", "folder", &value)?),
            Way::Export => self.exports.push(value),
            Way::BindTo => {
                self.bind_to = Some(Level::parse("-bind-to", &value)?);
                self.bind_threads = false;
            }
            Way::BindThreads => {
                self.bind_to = Some(Level::Cpu);
                self.bind_threads = true;
            }
            Way::MapBy => self.map_by = Some(Level::parse("-map-by", &value)?),
            Way::ReportBindings => self.report_bindings = true,
            Way::Report => self.report = Some(absolute("-report", "folder", &value)?),
            Way::JsonSummary => {
                self.json_summary = Some(absolute("-json-summary", "file", &value)?);
            }
        }
        Ok(())
    }

    /// The variables that -x names, by the environment.
    pub fn exported(
        &self,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<(String, String)>, String> {
        let variable = |text: &String| match text.split_once('=') {
            Some(("", _)) => Err(format!("`-x {text}`: which variable?")),
            Some((name, value)) => Ok((name.to_string(), value.to_string())),
            None => match env(text) {
                Some(value) => Ok((text.clone(), value)),
                None => Err(format!(
                    "`-x {text}`: there is no such environment variable here (or it is not UTF-8); \
                     -x {text}=VALUE gives it a value"
                )),
            },
        };
        let mut exported = self.exports.iter().map(variable).collect::<Result<Vec<_>, _>>()?;
        if let Some(dir) = &self.report {
            exported.push((report::SETTING.to_string(), text::from_os(dir.as_os_str())));
        }
        Ok(exported)
    }

    /// Goes where the program shall start.
    pub fn enter(&self) -> Result<(), Refusal> {
        let Some(dir) = &self.dir else { return Ok(()) };
        std::env::set_current_dir(dir)
            .map_err(|e| (exit::NOT_FOUND, format!("-wdir: cannot enter `{}`: {e}", dir.display())))
    }

    /// Runs the job by `run`, and makes the report and the summary that are wanted of it, also if
    /// it fails.
    pub fn reported(
        &self,
        task: Task,
        run: impl FnOnce(Task) -> Result<i32, Refusal>,
    ) -> Result<i32, Refusal> {
        let tool = task.plan.tool.clone();
        let dir = self.report.as_deref();
        dir.map_or(Ok(()), report::prepare).map_err(|text| (exit::NOT_FOUND, text))?;
        let json = self.json_summary.as_deref().map(|path| JsonSummary::create(path, &task));
        let mut json = json.transpose()?;
        let outcome = run(task);
        json.iter_mut().for_each(|json| json.end(&outcome));
        let made = dir.and_then(|dir| Some((dir, report::after_job(&tool, dir, self.quiet)?)));
        if let Some(json) = json {
            json.write(made);
        }
        outcome
    }

    /// Whether something is left to do when the job is over.
    pub fn waits_for_end(&self) -> bool {
        self.report.is_some() || self.json_summary.is_some()
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
            stamp: self.stamp,
            files: self.files.as_ref().map(|dir| text::from_os(dir.as_os_str())),
            timeout: self.timeout,
            // Who shares a host with others leaves it to the kernel where threads run.
            bind: bind::wanted(self.bind_to, self.map_by)
                .filter(|bind| bind.is_asked || !self.polite),
            report_bindings: self.report_bindings,
            ..Plan::default()
        }
    }
}

/// The name of a `kind` of file, which means the same wherever this process goes later.
fn absolute(option: &str, kind: &str, value: &str) -> Result<PathBuf, String> {
    match value {
        "" => Err(format!("`{option}` lacks its {kind}")),
        _ => std::path::absolute(text::os(value)).map_err(|e| format!("`{option} {value}`: {e}")),
    }
}

pub fn seconds(option: &str, value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds
        .filter(|seconds| !seconds.is_zero())
        .ok_or_else(|| format!("`{option} {value}`: must be a number of seconds above 0"))
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
    match options::each(table, others::advice, &text::words(value), &mut take)? {
        [] => {}
        [first, ..] => return Err(format!("{flags} may hold options only, not `{first}`")),
    }
    let rest = options::each(table, others::advice, args, take)?;
    let is_behind_dashes = args[..args.len() - rest.len()].last().is_some_and(|arg| arg == "--");
    if !is_behind_dashes {
        refuse_several(rest)?;
    }
    Ok(rest.to_vec())
}

/// What other launchers start several programs by: `-n 2 ./a : -n 2 ./b`.
fn refuse_several(program: &[String]) -> Result<(), String> {
    let is_next = |pair: &[String]| pair[0] == ":" && pair[1].starts_with('-');
    let last_is = |pair: &[String]| pair[0] == ":" && !pair[1].starts_with('-');
    let has_options = program.windows(2).any(is_next);
    let is_program = |name: &String| super::program::executable(Path::new(&text::os(name))).is_ok();
    let has_program = program.windows(2).any(|pair| last_is(pair) && is_program(&pair[1]));
    match has_options || has_program {
        true => {
            Err("several programs (`:`) are not for one job: all threads run the same program, \
                     which can branch by MYTHREAD; start another job for another program, or put \
                     `--` before this one if `:` is an argument of its own"
                .to_string())
        }
        false => Ok(()),
    }
}
