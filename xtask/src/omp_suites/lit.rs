// SPDX-License-Identifier: BSD-3-Clause
//! What LLVM's test programs say of themselves in comments: `RUN:` lines are a shell's commands, with
//! names that begin with `%` in the place of what only who runs them knows; `REQUIRES:` and the like
//! name features.

/// How LLVM's test suite uses a program.
#[derive(Default, Debug, PartialEq)]
pub struct Program {
    /// Why it is not run here.
    pub skip: Option<String>,
    pub commands: Vec<String>,
}

impl Program {
    /// Reads the comments of a program, for a machine and a compiler with the features.
    pub fn read(text: &str, features: &[&str]) -> Program {
        let mut program = Program::default();
        let mut goes_on = false;
        for line in text.lines() {
            if let Some((_, command)) = line.split_once("RUN:") {
                program.command(command.trim(), &mut goes_on);
            }
            let skip = unmet(line, features);
            program.skip = program.skip.or(skip);
        }
        program
    }

    fn command(&mut self, text: &str, goes_on: &mut bool) {
        let begun = if *goes_on { self.commands.pop() } else { None };
        let begun = begun.unwrap_or_default();
        let part = text.strip_suffix('\\');
        *goes_on = part.is_some();
        self.commands.push(format!("{begun}{}", part.unwrap_or(text)));
    }

    /// The commands with the texts in the place of the names, one after the other: texts may have
    /// names that come later.
    pub fn script(&self, names: &[(&str, String)]) -> String {
        let commands = self.commands.join("\n");
        names.iter().fold(commands, |text, (name, meaning)| replaced(&text, name, meaning))
    }
}

/// Why a line with a list of features says that the program is not run.
fn unmet(line: &str, features: &[&str]) -> Option<String> {
    let list = |keyword: &str| {
        let (_, list) = line.split_once(keyword)?;
        Some(list.trim_end_matches("*/").split(',').map(str::trim).filter(|name| !name.is_empty()))
    };
    let is_met = |name: &&str| *name == "true" || features.contains(name);
    let lacking = list("REQUIRES:").and_then(|mut names| names.find(|name| !is_met(name)));
    let unsupported = list("UNSUPPORTED:").and_then(|mut names| names.find(is_met));
    let failing = list("XFAIL:").and_then(|mut names| names.find(is_met));
    let lacking = lacking.map(|name| format!("needs {name}"));
    lacking
        .or(unsupported.map(|name| format!("not run by LLVM's suite: {name}")))
        .or(failing.map(|name| format!("fails in LLVM's suite, too: {name}")))
}

/// Where the name is not the beginning of a longer one.
fn replaced(text: &str, name: &str, meaning: &str) -> String {
    let mut parts = text.split(name);
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_longer = part.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        all.push_str(if is_longer { name } else { meaning });
        all.push_str(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_go_on_and_names_are_replaced() {
        let text = "// RUN: %libomp-compile && env A=1 \\\n// RUN:   %libomp-run 5\n\
                    // RUN: %t %s %something\n";
        let program = Program::read(text, &[]);
        assert_eq!(program.commands.len(), 2);
        let names = [
            ("%libomp-compile", "%cc %s -o %t".to_string()),
            ("%libomp-run", "run %t".into()),
            ("%cc", "cc".into()),
            ("%s", "a.c".into()),
            ("%t", "a".into()),
        ];
        let script = "cc a.c -o a && env A=1 run a 5\na a.c %something";
        assert_eq!(program.script(&names), script);
    }

    #[test]
    fn features_decide() {
        let skipped = |text: &str| Program::read(text, &["linux", "clang"]).skip.is_some();
        assert!(skipped("// REQUIRES: linux, hwloc"));
        assert!(skipped("/* UNSUPPORTED: gcc, clang */"));
        assert!(skipped("// XFAIL: true"));
        assert!(!skipped("// REQUIRES: linux\n// UNSUPPORTED: gcc-4, clang-9,\n// XFAIL: gcc"));
    }
}
