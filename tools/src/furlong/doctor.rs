// SPDX-License-Identifier: BSD-3-Clause
//! `furlong doctor`: whether programs can be compiled and run on this machine and others, and what
//! to do about what is wrong (docs/doctor.md). Changes nothing; nothing that it starts outlives its
//! deadline.

mod bounded;
mod cpus;
mod hosts;
mod kernel;
mod memory;
mod network;
pub mod probe;
mod programs;

use super::request::Request;
use super::settings;
use crate::exit::{self, Refusal};
use crate::{out, outln};
use programs::Programs;
use serde_json::json;
use std::io::Write;

/// In the order in which they are made.
pub const CHECKS: [&str; 9] = [
    "compilers",
    "programs",
    "memory",
    "kernel",
    "cpus",
    "transports",
    "launchers",
    "settings",
    "hosts",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Good,
    /// Something is missing or slow that not everybody needs.
    Note,
    /// Programs do not work.
    Problem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub state: State,
    pub text: String,
    /// What to do; empty where nothing needs to be done.
    pub advice: String,
}

pub fn good(text: impl Into<String>) -> Finding {
    Finding { state: State::Good, text: text.into(), advice: String::new() }
}

pub fn note(text: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { state: State::Note, text: text.into(), advice: advice.into() }
}

pub fn problem(text: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { state: State::Problem, text: text.into(), advice: advice.into() }
}

/// Makes the checks that are asked for; the exit code.
pub fn examine(request: &Request) -> Result<i32, Refusal> {
    let hosts = hosts::named(request)?;
    let programs = Programs::default();
    let mut all = Vec::new();
    for check in CHECKS.into_iter().filter(|check| request.wants(check)) {
        let findings = match check {
            "compilers" => programs::compilers(),
            "programs" => programs.findings(),
            "memory" => memory::findings(),
            "kernel" => kernel::findings(),
            "cpus" => cpus::findings(),
            "transports" => network::findings(),
            "launchers" => network::launchers(&programs),
            "settings" => of_settings(),
            _ => hosts::findings(request, &hosts),
        };
        for finding in findings {
            if !request.json {
                out!("{}", line(check, &finding));
                // A slow check comes next, perhaps.
                let _ = std::io::stdout().flush();
            }
            all.push((check, finding));
        }
    }
    let count = |state| all.iter().filter(|(_, finding)| finding.state == state).count();
    let problems = count(State::Problem);
    match request.json {
        true => out!("{}", as_json(&all)),
        false => {
            outln!("{} ok, {} to note, {problems} to solve", count(State::Good), count(State::Note))
        }
    }
    Ok(if problems > 0 { exit::FAILED } else { exit::OK })
}

fn word(state: State) -> &'static str {
    match state {
        State::Good => "ok",
        State::Note => "note",
        State::Problem => "problem",
    }
}

fn line(check: &str, finding: &Finding) -> String {
    let mut line = format!("{:<8} {check}: {}\n", word(finding.state), finding.text);
    if !finding.advice.is_empty() {
        line += &format!("{:9}-> {}\n", "", finding.advice);
    }
    line
}

fn as_json(all: &[(&str, Finding)]) -> String {
    let one = |(check, finding): &(&str, Finding)| {
        let (state, text, advice) = (word(finding.state), &finding.text, &finding.advice);
        json!({ "check": check, "state": state, "text": text, "advice": advice })
    };
    format!("{:#}\n", json!({ "findings": all.iter().map(one).collect::<Vec<_>>() }))
}

fn of_settings() -> Vec<Finding> {
    let mistakes = settings::mistakes();
    match mistakes.is_empty() {
        true => vec![good("all variables of the environment are understood")],
        false => mistakes
            .into_iter()
            .map(|text| problem(text, "correct it, or remove it from the environment"))
            .collect(),
    }
}
