// SPDX-License-Identifier: BSD-3-Clause
//! Completion of command lines in bash, zsh and fish, from the tools' tables of options: names,
//! and for the value of an option what its row calls it. One script serves all five tools.

mod bash;
mod fish;
mod zsh;

use crate::options::{Opt, Value};
use crate::options_doc::Manual;
use crate::{furlong, install, ompcc, omprun, upcc, upcrun};

/// What may stand in a place of the command line.
enum Words {
    /// Nothing that is known.
    Free,
    Files,
    Folders,
    Commands,
    Hosts,
    Interfaces,
    These(Vec<String>),
}

/// How an option and its value stand in the line: `-n 4`, `-n=4`, `-Wc,-O3`.
struct Choice {
    name: &'static str,
    /// A short form of the help.
    about: String,
    /// The value may be the next word.
    next_word: bool,
    /// The value may follow `=`.
    after_equals: bool,
    /// The value follows directly.
    attached: bool,
    /// The option may stand without a value.
    bare: bool,
    /// The value's name in the help, and what it may be.
    value: &'static str,
    words: Words,
}

struct Tool {
    name: &'static str,
    options: Vec<Choice>,
    /// What is neither an option nor its value.
    operands: Words,
    /// After the first operand everything is that program's.
    launches: bool,
}

/// Shells that have a script.
pub const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The script for one of them.
pub fn script(shell: &str) -> String {
    match shell {
        "zsh" => zsh::script(&tools()),
        "fish" => fish::script(&tools()),
        _ => bash::script(&tools()),
    }
}

fn tools() -> Vec<Tool> {
    use Words::Files;
    vec![
        tool(&upcc::table::MANUAL, upcc::table::TABLE, Files, false),
        tool(&upcrun::table::MANUAL, upcrun::table::TABLE, Files, true),
        tool(&ompcc::table::MANUAL, ompcc::table::TABLE, Files, false),
        tool(&omprun::table::MANUAL, omprun::table::TABLE, Files, true),
        tool(&furlong::table::MANUAL, furlong::table::TABLE, commands(), false),
    ]
}

/// furlong's commands, which begin its synopses.
fn commands() -> Words {
    let synopses = furlong::table::MANUAL.synopsis.iter();
    let first = synopses.filter_map(|line| line.split_whitespace().next());
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    Words::These(first.filter(is_word).map(String::from).collect())
}

fn tool<I>(manual: &Manual, table: &'static [Opt<I>], operands: Words, launches: bool) -> Tool {
    let shown = table.iter().filter(|row| !row.help.is_empty());
    let options = shown.flat_map(|row| row.names.iter().map(move |name| choice(row, name)));
    Tool { name: manual.name, options: options.collect(), operands, launches }
}

fn choice<I>(row: &Opt<I>, name: &'static str) -> Choice {
    let value = match row.value {
        Value::None => "",
        Value::Any(v) | Value::Word(v) | Value::Number(v) => v,
        Value::Equals(v) | Value::MayEqual(v) | Value::Rest(v) => v,
    };
    Choice {
        name,
        about: about(row.help),
        next_word: matches!(row.value, Value::Any(_) | Value::Word(_) | Value::Number(_)),
        after_equals: !matches!(row.value, Value::None | Value::Rest(_)),
        attached: matches!(row.value, Value::Rest(_)),
        bare: matches!(row.value, Value::None | Value::MayEqual(_)),
        value,
        words: words(row.names[0], value),
    }
}

/// By the option where that says more, else by the name of its value.
fn words(option: &str, value: &str) -> Words {
    let these = |list: &[&str]| Words::These(list.iter().map(|word| word.to_string()).collect());
    match (option, value) {
        ("-transport", _) => Words::These(transports()),
        ("-network", _) => these(&["smp", "ucx"]),
        ("-operations", _) => Words::These(furlong::operations().map(String::from).collect()),
        ("-explain", _) => Words::These(codes()),
        ("-hosts", _) => Words::Hosts,
        ("-interface", _) => Words::Interfaces,
        ("-cc", _) => these(&["gcc", "clang"]),
        (_, "FILE") => Words::Files,
        (_, "DIR") => Words::Folders,
        (_, "COMMAND") => Words::Commands,
        (_, "WHEN") => these(&["auto", "always", "never"]),
        (_, "LANGUAGE") => these(&["c", "c++", "fortran"]),
        _ => Words::Free,
    }
}

/// The transports that are installed beside this program, and `smp`.
fn transports() -> Vec<String> {
    let name = |file: &str| {
        let name = file.strip_prefix("libfurlong-net-")?.strip_suffix(".so")?;
        Some(name.to_string())
    };
    let mut names = stems(&install::plugins(), name);
    names.push("smp".into());
    names
}

/// The diagnostics that have a page.
fn codes() -> Vec<String> {
    stems(&install::error_pages(), |file| file.strip_suffix(".md").map(String::from))
}

fn stems(folder: &std::path::Path, stem: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.filter_map(|entry| stem(&entry.file_name().to_string_lossy())).collect();
    names.sort();
    names
}

/// The first clause of an option's help, without what stands in parentheses.
fn about(help: &str) -> String {
    const MOST: usize = 60;
    let ends = ["; ", ": ", " (", ", for example"];
    let end = ends.iter().filter_map(|end| help.find(end)).min().unwrap_or(help.len());
    let mut text = String::new();
    for word in help[..end].split_whitespace() {
        if text.len() + word.len() > MOST {
            break;
        }
        text = if text.is_empty() { word.to_string() } else { format!("{text} {word}") };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_with_help_is_in_every_script() {
        for script in [bash::script, zsh::script] {
            let script = script(&tools());
            for tool in tools() {
                for option in &tool.options {
                    assert!(script.contains(option.name), "{} {}", tool.name, option.name);
                }
            }
        }
        assert!(fish::script(&tools()).contains("complete -c upcrun -o virtual-hosts -x "));
    }

    #[test]
    fn help_is_cut_at_its_first_clause() {
        assert_eq!(about("run N threads (default: 1)"), "run N threads");
        assert_eq!(about("the most memory, for example 4GB"), "the most memory");
        assert!(about(&"word ".repeat(40)).len() <= 64);
    }
}
