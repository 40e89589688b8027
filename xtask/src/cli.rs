// SPDX-License-Identifier: BSD-3-Clause
//! Command lines: `tests/cli/*.toml`, each a list of cases with a shell command and what it must
//! print and return. The command runs in an empty directory with the tools first in PATH; `$PREFIX`
//! has their bin, lib, include and share.

use crate::case;
use crate::config::Config;
use crate::netns::{self, Netns};
use crate::process::{Command, End, Output};
use crate::program::{self, transcript};
use crate::snapshot;
use crate::suite::{Test, Verdict};
use std::path::Path;
use toml::{Table, Value};

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("cli"), &["toml"]);
    files.iter().flat_map(|path| cases(&case::name_of(&dir, path), path)).collect()
}

fn cases(name: &str, path: &Path) -> Vec<Test> {
    let parsed = std::fs::read_to_string(path)
        .map_err(|e| e.to_string())
        .and_then(|text| text.parse::<Table>().map_err(|e| e.to_string()));
    let table = match parsed {
        Ok(table) => table,
        Err(e) => return vec![Test::new(name, move |_| Verdict::Fail(e))],
    };
    let needs = string(&table, "needs");
    let cases = table.get("case").and_then(Value::as_array).cloned().unwrap_or_default();
    let as_test = |(index, value): (usize, Value)| {
        let case = value.as_table().cloned().unwrap_or_default();
        let label = string(&case, "name").unwrap_or_else(|| (index + 1).to_string());
        let name = format!("{name}/{}", label.replace([' ', '/'], "-"));
        let needs: Vec<_> = needs.iter().cloned().chain(string(&case, "needs")).collect();
        Test::new(name.clone(), move |config| match program::lacks(config, &name, &needs) {
            Some(why) => Verdict::Skip(why),
            None => match hosts(&case) {
                Ok(netns) => check(config, &name, &case, netns.as_ref()).into(),
                Err(why) => Verdict::Skip(why),
            },
        })
    };
    cases.into_iter().enumerate().map(as_test).collect()
}

/// The hosts that the case asks for.
fn hosts(case: &Table) -> Result<Option<Netns>, String> {
    let count = case.get("hosts").and_then(Value::as_integer);
    count.map(|count| Netns::new(count as u32)).transpose()
}

fn check(config: &Config, name: &str, case: &Table, netns: Option<&Netns>) -> Result<(), String> {
    const KEYS: [&str; 11] = [
        "name", "needs", "run", "files", "stdin", "exit", "stdout", "stderr", "limit", "not",
        "hosts",
    ];
    if let Some(unknown) = case.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("unknown key `{unknown}`"));
    }
    let scratch = config.scratch(name);
    for (file, text) in case.get("files").and_then(Value::as_table).into_iter().flatten() {
        let written = std::fs::write(scratch.join(file), text.as_str().unwrap_or(""));
        written.map_err(|e| format!("{file}: {e}"))?;
    }
    let mut command = shell(config, case, &scratch)?;
    if let Some(netns) = netns {
        let list = netns.list();
        let options = format!("-hosts {list} -interface {}", netns::INTERFACE);
        command = command.env("HOSTS", list.replace(',', " ")).env("SWITCH", netns.switch());
        command = command.env("UPCRUN_RSH", netns::RSH).env("UPCRUN_FLAGS", options);
    }
    let output = command.run();
    judge(case, &output).map_err(|problem| {
        let log = transcript(&output);
        format!(
            "{problem}\n{log}again: (cd {} && {})",
            config.shown(&scratch),
            command.shown(&config.root)
        )
    })
}

fn shell(config: &Config, case: &Table, scratch: &Path) -> Result<Command, String> {
    let line = string(case, "run").ok_or("a case needs `run`")?;
    let tools = config.upcc.parent().unwrap_or(&config.root);
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let limit = case.get("limit").and_then(Value::as_integer).unwrap_or(30);
    Ok(Command::new("sh", scratch)
        .args(["-c", &line])
        .env("PATH", path)
        .env("ROOT", &config.root)
        .env("PREFIX", config.prefix())
        .stdin(&string(case, "stdin").unwrap_or_default())
        .limit_secs(limit as u64))
}

fn judge(case: &Table, output: &Output) -> Result<(), String> {
    let exit = case.get("exit").and_then(Value::as_integer).unwrap_or(0) as i32;
    if output.end != End::Code(exit) {
        return Err(format!("{}, expected {exit}", output.end));
    }
    if !output.left_behind.is_empty() {
        return Err(format!("left processes behind:\n{}", output.left_behind.join("\n")));
    }
    stream("stdout", case, &output.stdout)?;
    stream("stderr", case, &output.stderr)?;
    let all = format!("{}{}", output.stdout, output.stderr);
    match strings(case.get("not")).iter().find(|text| all.contains(text.as_str())) {
        Some(text) => Err(format!("says `{text}`, and should not")),
        None => Ok(()),
    }
}

/// A string is the whole text; an array holds pieces that must all appear.
fn stream(name: &str, case: &Table, actual: &str) -> Result<(), String> {
    match case.get(name) {
        None => Ok(()),
        Some(Value::String(expected)) if expected.trim_end() == actual.trim_end() => Ok(()),
        Some(Value::String(expected)) => {
            Err(format!("{name} differs {}", snapshot::diff(expected, actual)))
        }
        list => match strings(list).iter().find(|text| !actual.contains(text.as_str())) {
            Some(missing) => Err(format!("{name} does not say `{missing}`")),
            None => Ok(()),
        },
    }
}

fn string(case: &Table, key: &str) -> Option<String> {
    case.get(key).and_then(Value::as_str).map(String::from)
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(String::from).collect()
}
