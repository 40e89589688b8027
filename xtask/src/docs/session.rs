// SPDX-License-Identifier: BSD-3-Clause
//! What a page has its reader do, and what the page says comes out. A page is read once into
//! steps; whatever in it is neither a step nor plainly an illustration is a mistake.

use super::markdown::{Page, Part};
use crate::snapshot;

#[derive(Debug, PartialEq)]
pub enum Step {
    /// A file of the reader's.
    File(String, String),
    /// A file of the tree under the name that the page gives it.
    Copy(String, String),
    Commands(Commands),
}

/// One block.
#[derive(Default, Debug, PartialEq)]
pub struct Commands {
    pub line: usize,
    pub list: Vec<Typed>,
    /// Why nobody can run it here.
    pub not_run: Option<String>,
    /// A command that must succeed before; else the block is left out.
    pub needs: Option<String>,
    pub exit: i32,
    pub vary: Vary,
}

/// In what the output may differ from what is shown.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Vary {
    pub numbers: bool,
    pub order: bool,
}

/// What is typed at the prompt of the shell.
#[derive(Default, Debug, PartialEq)]
pub struct Typed {
    pub line: usize,
    pub command: String,
    /// What is then typed at the prompt of gdb.
    pub stdin: String,
    /// Output as shown, if the page shows any.
    pub shown: Option<String>,
}

const GDB: &str = "(gdb) ";
/// For comparison a prompt is a line of its own.
const PROMPT_LINE: &str = "(gdb)\n";
/// Blocks that are only looked at.
const ILLUSTRATIONS: [&str; 9] =
    ["c", "upc", "text", "rust", "make", "json", "cmake", "toml", "fortran"];

/// The steps of a page, or what is wrong with it.
pub fn steps(page: &Page) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut next = Commands::default();
    for (line, part) in &page.parts {
        let step = match part {
            Part::Comment(text) => remark(text, &mut next),
            Part::Block { words, text, .. } => block(*line, words, text, std::mem::take(&mut next)),
        };
        steps.extend(step.map_err(|what| format!("line {line}: {what}"))?);
    }
    Ok(steps)
}

/// A comment is a file, a command that readers need not see, or says something of the next block.
fn remark(text: &str, next: &mut Commands) -> Result<Option<Step>, String> {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(name) = head.strip_prefix("file ") {
        return Ok(Some(Step::File(name.trim().into(), rest.into())));
    }
    if let Some(command) = head.strip_prefix("run: ") {
        let typed = Typed { command: command.into(), ..Typed::default() };
        return Ok(Some(Step::Commands(Commands { list: vec![typed], ..Commands::default() })));
    }
    if let Some((from, to)) = head.strip_prefix("copy ").and_then(|names| names.split_once(' ')) {
        return Ok(Some(Step::Copy(from.into(), to.trim().into())));
    }
    match head.split_once(": ").unwrap_or((head, "")) {
        ("not run", why) if !why.is_empty() => next.not_run = Some(why.into()),
        ("needs", command) if !command.is_empty() => next.needs = Some(command.into()),
        ("exit", code) => next.exit = code.parse().map_err(|_| format!("exit {code}?"))?,
        ("numbers vary", "") => next.vary.numbers = true,
        ("order varies", "") => next.vary.order = true,
        _ => return Err(format!("`<!-- {head} -->` is no remark that `cargo xtask docs` knows")),
    }
    Ok(None)
}

fn block(
    line: usize,
    words: &[String],
    text: &str,
    next: Commands,
) -> Result<Option<Step>, String> {
    let Some((language, names)) = words.split_first() else {
        return Err("begin the block with ``` and its language: sh, console, c, text ...".into());
    };
    let list = match language.as_str() {
        "sh" => script(line, text),
        "console" => typed(line, text)?,
        _ if !ILLUSTRATIONS.contains(&language.as_str()) => {
            return Err(format!("there are no blocks of `{language}`"));
        }
        _ if next != Commands::default() => return Err("the remark before is for commands".into()),
        _ => return Ok(names.first().map(|name| Step::File(name.clone(), text.into()))),
    };
    Ok(Some(Step::Commands(Commands { line, list, ..next })))
}

/// Each line a command; one that ends in a backslash goes on.
fn script(first: usize, text: &str) -> Vec<Typed> {
    let mut list = Vec::new();
    let mut command = String::new();
    for (index, line) in text.lines().enumerate() {
        command.push_str(line);
        if command.ends_with('\\') {
            command.push('\n');
        } else {
            let command = std::mem::take(&mut command);
            list.push(Typed { line: first + 1 + index, command, ..Typed::default() });
        }
    }
    list
}

/// Commands after `$`, each followed by its output.
pub fn typed(first: usize, text: &str) -> Result<Vec<Typed>, String> {
    let mut list: Vec<Typed> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            let shown = Some(String::new());
            list.push(Typed {
                line: first + 1 + index,
                command: command.into(),
                shown,
                ..Typed::default()
            });
            continue;
        }
        let last = list.last_mut().ok_or("a block of `console` begins with `$ `")?;
        let shown = last.shown.get_or_insert_default();
        match line.strip_prefix(GDB) {
            // What is typed into a pipe is not echoed.
            Some(typed) => {
                last.stdin.push_str(&format!("{typed}\n"));
                shown.push_str(PROMPT_LINE);
            }
            None => shown.push_str(&format!("{line}\n")),
        }
    }
    Ok(list)
}

/// Output is as shown; `…` stands for anything in a line, or, alone, for any lines.
pub fn compare(shown: &str, actual: &str, vary: Vary) -> Result<(), String> {
    let form = |text: &str| match vary.numbers {
        true => without_numbers(text),
        false => text.to_string(),
    };
    let actual = actual.replace(GDB, PROMPT_LINE);
    let (expected, output) = (form(shown), form(&actual));
    let lines = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(|l| l.trim_end().to_string()).collect();
        if vary.order {
            lines.sort();
        }
        lines
    };
    match matches(&lines(&expected), &lines(&output)) {
        true => Ok(()),
        false => Err(snapshot::diff(shown, &actual)),
    }
}

fn matches(shown: &[String], actual: &[String]) -> bool {
    match shown.split_first() {
        None => actual.is_empty(),
        Some((any, rest)) if any == "…" => {
            (0..=actual.len()).any(|n| matches(rest, &actual[n..]))
        }
        Some((line, rest)) => actual
            .split_first()
            .is_some_and(|(found, others)| line_matches(line, found) && matches(rest, others)),
    }
}

fn line_matches(shown: &str, actual: &str) -> bool {
    match shown.split_once('…') {
        None => shown == actual,
        Some((head, rest)) => actual.strip_prefix(head).is_some_and(|tail| {
            let starts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            let mut tails = starts.map(|at| &tail[at..]);
            tails.any(|tail| line_matches(rest, tail))
        }),
    }
}

/// Each number a `0`, and one blank in place of several, which align numbers.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut last = ' ';
        for c in line.chars() {
            let c = if c.is_ascii_digit() { '0' } else { c };
            let goes_on = last == '0' && matches!(c, '0' | '.') || last == ' ' && c == ' ';
            if !goes_on {
                out.push(c);
                last = c;
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Step>, String> {
        steps(&Page::parse(text))
    }

    #[test]
    fn files_and_commands_in_their_order() {
        let text = "```c p.upc\nint i;\n```\n<!-- copy examples/pi.upc q.upc -->\n\
                    <!-- not run: two machines -->\n```sh\nupcc p.upc \\\n  -o p\nupcrun -n 2 ./p\n```\n";
        let steps = read(text).unwrap();
        assert_eq!(steps[0], Step::File("p.upc".into(), "int i;\n".into()));
        assert_eq!(steps[1], Step::Copy("examples/pi.upc".into(), "q.upc".into()));
        let Step::Commands(block) = &steps[2] else { panic!("{steps:?}") };
        assert_eq!(block.not_run.as_deref(), Some("two machines"));
        let typed: Vec<_> = block.list.iter().map(|t| (t.line, t.command.as_str())).collect();
        assert_eq!(typed, [(8, "upcc p.upc \\\n  -o p"), (9, "upcrun -n 2 ./p")]);
    }

    #[test]
    fn what_is_typed_into_gdb() {
        let steps = read("```console\n$ gdb p\n(gdb) print i\n$1 = 3\n(gdb) quit\n```\n").unwrap();
        let Step::Commands(block) = &steps[0] else { panic!("{steps:?}") };
        assert_eq!(block.list[0].stdin, "print i\nquit\n");
        assert_eq!(block.list[0].shown.as_deref(), Some("(gdb)\n$1 = 3\n(gdb)\n"));
    }

    #[test]
    fn blocks_and_remarks_that_say_nothing_are_mistakes() {
        assert!(read("\n    upcc x.upc\n").unwrap_err().contains("begin the block"));
        assert!(read("```\nupcc x.upc\n```\n").is_err());
        assert!(read("```shell\nupcc x.upc\n```\n").unwrap_err().contains("no blocks of `shell`"));
        assert!(read("<!-- norun: x -->\n").unwrap_err().contains("is no remark"));
        assert!(read("<!-- exit: 1 -->\n```c\nint i;\n```\n").is_err());
        assert!(read("```console\nupcc x.upc\n```\n").is_err());
    }

    #[test]
    fn output_with_places_that_vary() {
        let check = |shown: &str, actual: &str| compare(shown, actual, Vary::default()).is_ok();
        assert!(check("a\n…\nz\n", "a\nb\nc\nz\n"));
        assert!(check("pid …, thread 1\n", "pid 7123, thread 1\n"));
        assert!(!check("pid …, thread 1\n", "pid 7123, thread 2\n"));
        assert!(!check("a\n", "a\nb\n"));
        assert!(!check("", "a warning\n"));
        let numbers = Vary { numbers: true, order: false };
        assert!(compare("  12 reads,  3.5 s\n", " 7 reads, 0.25 s\n", numbers).is_ok());
        assert!(compare("  12 reads,  3.5 s\n", " 7 writes, 0.25 s\n", numbers).is_err());
        let order = Vary { numbers: false, order: true };
        assert!(compare("b\na\n", "a\nb\n", order).is_ok());
        assert!(compare("b\na\n", "a\nc\n", order).is_err());
    }
}
