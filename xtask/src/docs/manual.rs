// SPDX-License-Identifier: BSD-3-Clause
//! The examples of a manual page, as mdoc has them: a display that begins with `#include` is the
//! program `prog.upc`, one that begins with `$ ` is a session in the shell. Others are pieces of
//! programs.

use super::session::{self, Commands, Step};
use std::path::Path;

/// A page of section 7 describes the language, and has a program that runs.
pub fn steps(path: &Path) -> Result<Vec<Step>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let steps = read(&text)?;
    let of_language = path.extension().is_some_and(|section| section == "7");
    match of_language && !steps.iter().any(|step| matches!(step, Step::Commands(_))) {
        true => Err("a page about the language shows a program, and a session that runs it".into()),
        false => Ok(steps),
    }
}

fn read(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if !line.starts_with(".Bd -literal") {
            continue;
        }
        let shown = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != ".Ed");
        let display: String = shown.map(|line| format!("{}\n", plain(line))).collect();
        if display.starts_with("#include") {
            steps.push(Step::File("prog.upc".into(), display));
        } else if display.starts_with("$ ") {
            let (line, list) = (index + 1, session::typed(index + 1, &display)?);
            steps.push(Step::Commands(Commands { line, list, ..Commands::default() }));
        }
    }
    Ok(steps)
}

/// What mdoc prints for a line of a display.
fn plain(line: &str) -> String {
    line.trim_start_matches("\\&").replace("\\e", "\\").replace("\\-", "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_sessions() {
        let text = ".Sh EXAMPLES\n.Bd -literal\nupc_barrier;\n.Ed\n.Bd -literal -offset indent\n\
                    #include <upc.h>\nchar *s = \"\\en\";\n.Ed\n.Bd -literal\n$ ls\nprog.upc\n.Ed\n";
        let steps = read(text).unwrap();
        let program = "#include <upc.h>\nchar *s = \"\\n\";\n";
        assert_eq!(steps[0], Step::File("prog.upc".into(), program.into()));
        let Step::Commands(block) = &steps[1] else { panic!("{steps:?}") };
        assert_eq!((block.line, block.list[0].line), (9, 10));
        assert_eq!(block.list[0].shown.as_deref(), Some("prog.upc\n"));
    }
}
